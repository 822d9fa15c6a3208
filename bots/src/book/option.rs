//! The options `Book` and `BookMargin`: the opening book that an engine plays from.
//!
//! The book answers only where it saves thinking time and changes nothing else: in a search with a
//! clock, of all moves, in a game that began at a start of the game. A search by nodes or depth
//! never asks it, so that such a search stays a measure of the engine.

use std::sync::Arc;

use fanorona_protocol::messages::{Info, OptionSpec, Score};
use fanorona_protocol::rules::{Board, Effect, Position};

use super::file::{Book, BookMove};
use crate::bot::{Choice, Observer, OptionError, Task, effort, moves_of_line};
use crate::platform;
use crate::seed::{self, SeededRng};

/// The option's name.
const NAME: &str = "Book";

/// The value that turns the book off.
const NONE: &str = "none";

/// The name of the option for random choice.
const MARGIN: &str = "BookMargin";

/// The largest margin in hundredths of a stone.
const MAX_MARGIN: i64 = 1000;

/// The book selected by the options.
pub struct BookOption {
    book: Option<Arc<Book>>,
    /// The largest difference of a chosen move from the best one, in hundredths of a stone.
    margin: i32,
    random: SeededRng,
}

impl Default for BookOption {
    fn default() -> BookOption {
        BookOption { book: Some(Book::shipped()), margin: 0, random: SeededRng::new() }
    }
}

impl BookOption {
    /// The declarations of the options.
    pub fn options() -> [OptionSpec; 2] {
        [OptionSpec::string(NAME, ""), OptionSpec::spin(MARGIN, 0, 0, MAX_MARGIN)]
    }

    /// Sets an option if it is one of the book's, or the seed of the random choice. Returns whether
    /// the option is the book's alone.
    ///
    /// # Errors
    /// Fails when the book cannot be read. Nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, OptionError> {
        if name.eq_ignore_ascii_case(NAME) {
            self.book = match value {
                "" => Some(Book::shipped()),
                NONE => None,
                file => Some(Arc::new(
                    read(file)
                        .map_err(|why| OptionError { name: NAME.to_owned(), why: why.into() })?,
                )),
            };
        } else if name.eq_ignore_ascii_case(MARGIN) {
            self.margin = value.parse().unwrap_or(0);
        } else {
            if name.eq_ignore_ascii_case(seed::NAME) {
                self.random.set(value);
            }
            return Ok(false);
        }
        Ok(true)
    }

    /// Restarts the random choice from the seed.
    pub fn new_game(&mut self) {
        self.random.restart();
    }

    /// The book's answer to a task, with its report; `None` if the engine must search.
    pub fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Option<Choice> {
        let budget = task.budget;
        let timed = budget.soft().is_some() && budget.nodes().is_none() && budget.depth().is_none();
        let (position, rules) = (task.game.position(), task.game.rules());
        let book = self.book.as_ref().filter(|_| timed && Book::applies_to(rules))?;
        // A repeated position has already been answered, and the answer led back here.
        if !is_start(task.game.start()) || task.game.history().occurrences() > 1 {
            return None;
        }
        let moves = book.moves(position, rules);
        let chosen = choose(&moves, self.margin, &mut self.random)?;
        // A search of some moves is not answered by a comparison of others.
        let root = |effect: Effect| task.moves.iter().find(|root| root.effect == effect);
        let mv = root(moves[0].effect).and_then(|_| root(chosen.effect))?.mv;
        let mut line = vec![chosen.effect];
        line.extend(book.line(&position.apply_unchecked(chosen.effect), rules));
        let mut report = effort(0, budget.elapsed());
        report.depth = Some(line.len() as u32);
        report.score = Some(chosen.score);
        report.pv = moves_of_line(position, rules, &line);
        if let Some(first) = report.pv.first_mut() {
            *first = mv;
        }
        observer.info(report);
        observer.info(Info::text("book move"));
        Some(Choice { mv, nodes: 0 })
    }
}

/// One of the moves within a margin of the first, the best one; `None` without a move.
fn choose(moves: &[BookMove], margin: i32, random: &mut SeededRng) -> Option<BookMove> {
    let best = *moves.first()?;
    let near = |other: &BookMove| match (best.score, other.score) {
        (Score::Cp(best), Score::Cp(other)) => best - other <= margin,
        (best, other) => best == other,
    };
    let count = moves.iter().take_while(|other| near(other)).count();
    Some(if margin > 0 { random.choose(&moves[..count]) } else { best })
}

/// Whether a game that begins with a position begins at a start of the game, riatra or vela.
fn is_start(position: &Position) -> bool {
    let board = position.board();
    let starts = [Board::start(board.size()), Board::left_right(board.size())];
    position.full_move() == 1 && starts.contains(board)
}

fn read(file: &str) -> Result<Book, String> {
    let bytes = platform::read_file(file).map_err(|error| format!("{file}: {error}"))?;
    Book::read(&bytes).map_err(|error| format!("{file}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{BookEntry, PositionId};
    use crate::bot::RootMove;
    use crate::budget::Budget;
    use fanorona_protocol::messages::Limits;
    use fanorona_protocol::rules::{Game, Ruleset, Start};

    /// A book of the first move, with moves worth 10, 4 and −60.
    fn option() -> BookOption {
        let id = PositionId::new(&Start::TSIVY.riatra());
        let moves = vec![(2, Score::Cp(10)), (0, Score::Cp(4)), (1, Score::Cp(-60))];
        let book = Book::new(1, vec![BookEntry { id, moves }]);
        BookOption { book: Some(Arc::new(book)), ..BookOption::default() }
    }

    #[derive(Default)]
    struct Reports(Vec<Info>);

    impl Observer for Reports {
        fn info(&mut self, info: Info) {
            self.0.push(info);
        }
    }

    fn ask(
        option: &mut BookOption,
        game: &Game,
        limits: &Limits,
        allowed: std::ops::Range<usize>,
    ) -> Option<(Effect, Vec<Info>)> {
        let moves = &RootMove::all(game.position(), game.rules())[allowed];
        let budget = Budget::from_limits(limits);
        let task = Task { game, moves, budget: &budget };
        let mut reports = Reports::default();
        let choice = option.choose(&task, &mut reports)?;
        let chosen = moves.iter().find(|root| root.mv == choice.mv).unwrap();
        Some((chosen.effect, reports.0))
    }

    #[test]
    fn the_book_answers_only_timed_searches_at_a_start() {
        let mut option = option();
        let timed = Limits::with_move_time(1000);
        let rules = Ruleset::default();
        let start = Game::new(rules, Start::TSIVY.riatra());
        let (effect, reports) = ask(&mut option, &start, &timed, 0..5).unwrap();
        let expected = option.book.as_ref().unwrap().moves(start.position(), &rules)[0];
        assert_eq!(effect, expected.effect);
        assert_eq!((reports[0].score, reports[0].nodes), (Some(Score::Cp(10)), Some(0)));
        assert_eq!((reports[0].pv.len(), reports[0].depth), (1, Some(1)));
        assert_eq!(reports[1].string.as_deref(), Some("book move"));

        let mut both = timed.clone();
        both.nodes = Some(10);
        for limits in [Limits::with_nodes(10), Limits::with_depth(1), Limits::default(), both] {
            assert_eq!(ask(&mut option, &start, &limits, 0..5), None);
        }
        // The best move of the book is missing.
        let without = (0..5)
            .find(|&at| RootMove::all(start.position(), &rules)[at].effect == expected.effect);
        let without = without.unwrap();
        let rest = if without < 2 { 2..5 } else { 0..2 };
        assert_eq!(ask(&mut option, &start, &timed, rest), None);
        // The same stones later in a game that began elsewhere.
        let set_up: Position =
            "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 7".parse().unwrap();
        assert_eq!(ask(&mut option, &Game::new(rules, set_up), &timed, 0..5), None);
        option.set("book", "none").unwrap();
        assert_eq!(ask(&mut option, &start, &timed, 0..5), None);
    }

    #[test]
    fn random_choice_follows_the_seed_and_the_margin() {
        let mut option = option();
        let (timed, rules) = (Limits::with_move_time(1000), Ruleset::default());
        let start = Game::new(rules, Start::TSIVY.riatra());
        let moves = option.book.as_ref().unwrap().moves(start.position(), &rules);
        option.set("bookmargin", "20").unwrap();
        let mut games = |seed: &str| {
            option.set("seed", seed).unwrap();
            (0..20).map(|_| ask(&mut option, &start, &timed, 0..5).unwrap().0).collect::<Vec<_>>()
        };
        let (first, again) = (games("1"), games("1"));
        assert_eq!(first, again);
        assert!(first.contains(&moves[0].effect) && first.contains(&moves[1].effect));
        assert!(!first.contains(&moves[2].effect));
    }

    #[test]
    fn other_files_are_refused_and_the_old_book_stays() {
        let mut option = option();
        let before = option.book.clone();
        for (file, why) in
            [("no such file", "no such file: "), ("Cargo.toml", "not an opening book")]
        {
            let error = option.set("Book", file).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
            assert_eq!(option.book, before);
        }
        option.set("Book", "").unwrap();
        assert_eq!(option.book, Some(Book::shipped()));
    }
}
