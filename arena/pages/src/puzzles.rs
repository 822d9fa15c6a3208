//! Puzzles for the pages: a set, and the answers about it.

use std::sync::LazyLock;

use fanorona_protocol::rules::Move;
use fanorona_tournament::analysis::puzzles::{Attempt, Puzzle, PuzzleKind, Theme, read};
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// The set that is part of the program, as a file.
pub(crate) const OWN: &str = include_str!("puzzles.jsonl");

/// Puzzles, easiest first.
#[derive(Clone, Debug, Default)]
pub struct Puzzles(Vec<Puzzle>);

/// A page's request for a puzzle.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct NextRequest {
    rating: Option<u32>,
    /// A theme that the puzzle has to have.
    theme: Option<Theme>,
    /// The ids of the puzzles that the user has seen.
    seen: Vec<String>,
}

/// A puzzle without its solution.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PuzzleView<'p> {
    id: &'p str,
    fen: String,
    rules: String,
    kind: PuzzleKind,
    /// The length of the win in plies, if tables prove it.
    plies: Option<u32>,
    rating: u32,
    /// The stones of the solver and of the other side.
    material: [u32; 2],
    themes: Vec<Theme>,
    total: usize,
}

fn missing() -> Refusal {
    Refusal::missing("there is no such puzzle").said("no-puzzle", [])
}

/// The name of a puzzle.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PuzzleRequest {
    id: String,
}

/// A day.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DayRequest {
    /// Its number from 1970-01-01 on, by universal time.
    day: i64,
}

/// The ratings among which the puzzle of the day is.
const OF_THE_DAY: std::ops::RangeInclusive<u32> = 900..=1800;

/// A theme and how many puzzles have it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ThemeView {
    theme: Theme,
    puzzles: usize,
}

/// An attempt: every move since the puzzle's position, of both sides.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TryRequest {
    id: String,
    moves: Vec<String>,
}

/// The verdict on an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TryView {
    state: &'static str,
    reply: Option<String>,
    /// After a wrong move: the main line from the puzzle's position.
    solution: Option<Vec<String>>,
}

impl Puzzles {
    /// Reads a set, one puzzle a line.
    ///
    /// # Errors
    /// Returns a refusal if a line is no puzzle or its solution is wrong.
    pub fn read(text: &str) -> Result<Puzzles, Refusal> {
        let mut puzzles = read(text.as_bytes()).map_err(Refusal::invalid)?;
        puzzles.sort_by(|a, b| a.rating.cmp(&b.rating).then_with(|| a.id.cmp(&b.id)));
        Ok(Puzzles(puzzles))
    }

    /// The set that is part of the program.
    pub fn own() -> &'static Puzzles {
        static PUZZLES: LazyLock<Puzzles> =
            LazyLock::new(|| Puzzles::read(OWN).expect("a test reads them"));
        &PUZZLES
    }

    fn view<'p>(&self, puzzle: &'p Puzzle) -> PuzzleView<'p> {
        PuzzleView {
            id: &puzzle.id,
            fen: puzzle.fen.to_string(),
            rules: puzzle.rules.to_string(),
            kind: puzzle.kind,
            plies: puzzle.plies,
            rating: puzzle.rating,
            material: puzzle.material(),
            themes: puzzle.themes(),
            total: self.0.len(),
        }
    }

    fn named(&self, id: &str) -> Result<&Puzzle, Refusal> {
        self.0.iter().find(|puzzle| puzzle.id == id).ok_or_else(missing)
    }

    /// The puzzle that suits a rating best among those of a theme not seen yet; when all are seen, among
    /// all of the theme.
    fn next_for(&self, rating: u32, theme: Option<Theme>, seen: &[String]) -> Option<&Puzzle> {
        let of_theme =
            |puzzle: &&Puzzle| theme.is_none_or(|theme| puzzle.themes().contains(&theme));
        let suits = |puzzle: &&Puzzle| puzzle.rating.abs_diff(rating);
        let new = self.0.iter().filter(|puzzle| !seen.contains(&puzzle.id)).filter(of_theme);
        new.min_by_key(suits).or_else(|| self.0.iter().filter(of_theme).min_by_key(suits))
    }

    /// `/api/puzzles/next`.
    pub(crate) fn next(&self, request: &NextRequest) -> Result<PuzzleView<'_>, Refusal> {
        let found = self.next_for(request.rating.unwrap_or(1200), request.theme, &request.seen);
        found.map(|puzzle| self.view(puzzle)).ok_or_else(missing)
    }

    /// `/api/puzzles/one`: a puzzle that the page has shown before.
    pub(crate) fn one(&self, request: &PuzzleRequest) -> Result<PuzzleView<'_>, Refusal> {
        Ok(self.view(self.named(&request.id)?))
    }

    /// The puzzle of a day, the same for everybody. None comes again before all others have come.
    fn of_day(&self, day: i64) -> Option<&Puzzle> {
        let mut puzzles: Vec<&Puzzle> =
            self.0.iter().filter(|puzzle| OF_THE_DAY.contains(&puzzle.rating)).collect();
        // The ids are checksums, whose order has no meaning.
        puzzles.sort_by(|one, other| one.id[1..].cmp(&other.id[1..]));
        let number = day.rem_euclid(puzzles.len().max(1) as i64);
        puzzles.get(usize::try_from(number).ok()?).copied()
    }

    /// `/api/puzzles/day`.
    pub(crate) fn day(&self, request: &DayRequest) -> Result<PuzzleView<'_>, Refusal> {
        self.of_day(request.day).map(|puzzle| self.view(puzzle)).ok_or_else(missing)
    }

    /// `/api/puzzles/themes`: the themes that some puzzle has.
    pub(crate) fn themes(&self) -> Vec<ThemeView> {
        let all: Vec<Theme> = self.0.iter().flat_map(Puzzle::themes).collect();
        let count = |theme: Theme| all.iter().filter(|one| **one == theme).count();
        let views = Theme::ALL.map(|theme| ThemeView { theme, puzzles: count(theme) });
        views.into_iter().filter(|view| view.puzzles > 0).collect()
    }

    /// `/api/puzzles/try`.
    pub(crate) fn attempt(&self, request: &TryRequest) -> Result<TryView, Refusal> {
        let puzzle = self.named(&request.id)?;
        let moves = request
            .moves
            .iter()
            .map(|word| word.parse().map_err(|why| Refusal::invalid(format!("`{word}`: {why}"))));
        Ok(judge(puzzle, &moves.collect::<Result<Vec<_>, _>>()?))
    }
}

fn judge(puzzle: &Puzzle, moves: &[Move]) -> TryView {
    let own: Vec<Move> = moves.iter().copied().step_by(2).collect();
    match puzzle.try_moves(&own) {
        Attempt::Wrong => TryView {
            state: "wrong",
            reply: None,
            solution: Some(puzzle.main_line().iter().map(ToString::to_string).collect()),
        },
        Attempt::Right { reply } => {
            TryView { state: "right", reply: Some(reply.to_string()), solution: None }
        }
        Attempt::Solved => TryView { state: "solved", reply: None, solution: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> &'static [Puzzle] {
        &Puzzles::own().0
    }

    #[test]
    fn every_puzzle_is_solved_by_its_main_line() {
        assert!(own().len() >= 1000, "{}", own().len());
        for puzzle in own().iter() {
            let line = puzzle.main_line();
            for length in (1..=line.len()).step_by(2) {
                let said = judge(puzzle, &line[..length]);
                let expected = if length == line.len() { "solved" } else { "right" };
                assert_eq!(said.state, expected, "{}", puzzle.id);
                assert_eq!(said.reply, line.get(length).map(ToString::to_string));
            }
        }
    }

    #[test]
    fn a_wrong_move_shows_the_solution() {
        let puzzle = &own()[0];
        let legal = puzzle.fen.legal_moves(&puzzle.rules);
        let wrong = legal.iter().find(|mv| puzzle.try_moves(&[**mv]) == Attempt::Wrong).unwrap();
        let said = judge(puzzle, &[*wrong]);
        assert_eq!(said.state, "wrong");
        assert_eq!(said.solution.unwrap()[0], puzzle.main_line()[0].to_string());
    }

    #[test]
    fn the_next_puzzle_suits_the_rating_and_is_new() {
        let first = Puzzles::own().next_for(1500, None, &[]).unwrap();
        let second = Puzzles::own().next_for(1500, None, std::slice::from_ref(&first.id)).unwrap();
        assert_ne!(first.id, second.id);
        assert!(first.rating.abs_diff(1500) <= second.rating.abs_diff(1500));
        let all: Vec<String> = own().iter().map(|puzzle| puzzle.id.clone()).collect();
        assert!(Puzzles::own().next_for(1500, None, &all).is_some());
    }

    #[test]
    fn every_theme_has_puzzles_and_the_next_one_is_of_it() {
        assert_eq!(Puzzles::own().themes().len(), Theme::ALL.len());
        for ThemeView { theme, puzzles } in Puzzles::own().themes() {
            assert!(puzzles >= 5, "{theme:?}: {puzzles}");
            let found = Puzzles::own().next_for(1200, Some(theme), &[]).unwrap();
            assert!(found.themes().contains(&theme), "{theme:?}: {}", found.id);
        }
    }

    #[test]
    fn a_day_has_one_puzzle_and_the_next_day_another() {
        let mut seen = std::collections::HashSet::new();
        let many =
            (20_784..).take_while(|day| seen.insert(&Puzzles::own().of_day(*day).unwrap().id));
        let of_the_day = own().iter().filter(|puzzle| OF_THE_DAY.contains(&puzzle.rating));
        assert_eq!(many.count(), of_the_day.count());
    }
}
