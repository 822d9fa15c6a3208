//! The bot `bot-alphabeta`: principal variation search with a transposition table.
//!
//! Read the modules in this order: the meaning of values (`value`), the options (`settings`), the
//! memory of positions (`table`) and of moves (`order`), draws (`search_stack`), endgame tables
//! (`endings`), lines of moves (`line`), the state that threads share (`shared`), the search itself
//! (`search`), and how its threads run (`threads`).

mod endings;
mod line;
mod order;
mod parameters;
mod search;
mod search_stack;
mod settings;
mod shared;
mod table;
mod threads;
mod value;

use fanorona_protocol::messages::{Limits, OptionSpec, Value};
use fanorona_protocol::rules::{Game, Ruleset};

use crate::book::BookOption;
use crate::bot::{Bot, Choice, Observer, OptionError, Task};
use crate::endgame_option::{self, EndgameOption};
use crate::solution::{Answer, SolutionOption};
use settings::Settings;
use table::TranspositionTable;

/// The bot `bot-alphabeta`.
///
/// With a limit of depth or nodes, one thread, and after [`Bot::new_game`], its answers are
/// reproducible. `Seed` only affects the errors of a low `Skill` and the choice among moves of the book. The search calls itself once for
/// each ply, at most some hundred plies deep, so a stack of 2 MiB is enough.
///
/// ```
/// use fanorona_bots::alphabeta::AlphaBeta;
/// use fanorona_bots::bot::{Bot, NullObserver, RootMove, Task};
/// use fanorona_bots::budget::Budget;
/// use fanorona_protocol::messages::Limits;
/// use fanorona_protocol::rules::{Game, Ruleset};
///
/// let game = Game::new(Ruleset::default(), "b1b1b/5/1W3/5/5 w - 0 1".parse().unwrap());
/// let moves = RootMove::all(game.position(), game.rules());
/// let budget = Budget::from_limits(&Limits::with_depth(3));
/// let task = Task { game: &game, moves: &moves, budget: &budget };
/// let choice = AlphaBeta::new().choose(&task, &mut NullObserver);
/// assert!(moves.iter().any(|root| root.mv == choice.mv));
/// ```
pub struct AlphaBeta {
    settings: Settings,
    endgames: EndgameOption,
    book: BookOption,
    solution: SolutionOption,
    table: TranspositionTable,
    /// The state of each thread.
    memories: Vec<search::ThreadState>,
    /// The rules of the previous search. Values found under other rules are useless.
    rules: Option<Ruleset>,
}

impl AlphaBeta {
    /// The bot with the default values of its options. It allocates its hash table with the first
    /// game, the first search, or when the size is set.
    pub fn new() -> AlphaBeta {
        AlphaBeta {
            settings: Settings::default(),
            endgames: EndgameOption::default(),
            book: BookOption::default(),
            solution: SolutionOption::default(),
            table: TranspositionTable::new(settings::HASH as usize),
            memories: vec![search::ThreadState::new()],
            rules: None,
        }
    }

    fn forget(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(search::ThreadState::clear);
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta::new()
    }
}

impl Bot for AlphaBeta {
    fn name(&self) -> &'static str {
        "bot-alphabeta"
    }

    fn options(&self) -> Vec<OptionSpec> {
        let mut options = settings::options();
        options.push(EndgameOption::option());
        options.extend(BookOption::options());
        options.extend(SolutionOption::options());
        options
    }

    fn ponders(&self) -> bool {
        true
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name.eq_ignore_ascii_case("Hash") {
            self.table.resize(value.parse().unwrap_or(settings::HASH as usize));
            return Ok(());
        }
        if self.book.set(name, value)? || self.solution.set(name, value)? {
            return Ok(());
        }
        if name.eq_ignore_ascii_case(endgame_option::NAME) {
            self.endgames.set(value)?;
        } else if name.eq_ignore_ascii_case("Threads") {
            let threads = value.parse().unwrap_or(1).max(1);
            self.memories.resize_with(threads, search::ThreadState::new);
            return Ok(());
        } else {
            self.settings.set(name, value)?;
        }
        // The values of one kind of search are meaningless to another.
        self.forget();
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.allocate();
        self.forget();
        self.book.new_game();
        #[cfg(not(feature = "native"))]
        self.endgames.new_game();
    }

    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        if !self.settings.plays_from_book() {
            return self.search(task, observer);
        }
        let tables = || self.endgames.for_search(task.game.position(), task.budget);
        match self.solution.answer(task, tables, observer) {
            Some(Answer::Chosen(choice)) => choice,
            Some(Answer::OneOf(moves)) => self.search(&Task { moves: &moves, ..*task }, observer),
            None => match self.book.choose(task, observer) {
                Some(choice) => choice,
                None => self.search(task, observer),
            },
        }
    }

    fn value(&mut self, game: &Game) -> Option<Value> {
        self.endgames.value(game)
    }

    fn bench_limits(&self) -> Limits {
        Limits::with_depth(BENCH_DEPTH)
    }
}

impl AlphaBeta {
    fn search(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        let rules = *task.game.rules();
        if self.rules.replace(rules).is_some_and(|before| before != rules) {
            self.forget();
        }
        self.table.allocate();
        self.table.age();
        let kind = parameters::Kind::from_position(task.game.position());
        self.memories.iter_mut().for_each(|memory| memory.age(kind));
        let tables = self.endgames.for_search(task.game.position(), task.budget);
        threads::search(task, &self.settings, tables, &self.table, &mut self.memories, observer)
    }
}

/// The depth of each search of the bench.
const BENCH_DEPTH: u32 = 15;
