//! Puzzles for the pages: a set that is part of the program.

use std::sync::LazyLock;

use fanorona_protocol::rules::Move;
use fanorona_tournament::analysis::puzzles::{Attempt, Puzzle, PuzzleKind, Theme, read};
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// The puzzles, easiest first.
static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| {
    let text = include_str!("puzzles.jsonl");
    let mut puzzles = read(text.as_bytes()).expect("a test reads them");
    puzzles.sort_by(|a, b| a.rating.cmp(&b.rating).then_with(|| a.id.cmp(&b.id)));
    puzzles
});

/// What a page asks for.
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
pub(crate) struct PuzzleView {
    id: &'static str,
    fen: String,
    rules: String,
    kind: PuzzleKind,
    title: &'static str,
    rating: u32,
    /// The stones of the solver and of the other side.
    material: [u32; 2],
    themes: Vec<Theme>,
    total: usize,
}

impl PuzzleView {
    fn new(puzzle: &'static Puzzle) -> PuzzleView {
        PuzzleView {
            id: &puzzle.id,
            fen: puzzle.fen.to_string(),
            rules: puzzle.rules.to_string(),
            kind: puzzle.kind,
            title: &puzzle.title,
            rating: puzzle.rating,
            material: puzzle.material(),
            themes: puzzle.themes(),
            total: PUZZLES.len(),
        }
    }
}

fn missing() -> Refusal {
    Refusal::missing("there is no such puzzle")
}

/// The puzzle that suits a rating best among those of a theme not seen yet; when all are seen, among
/// all of the theme.
fn next_for(rating: u32, theme: Option<Theme>, seen: &[String]) -> Option<&'static Puzzle> {
    let of_theme = |puzzle: &&Puzzle| theme.is_none_or(|theme| puzzle.themes().contains(&theme));
    let suits = |puzzle: &&Puzzle| puzzle.rating.abs_diff(rating);
    let new = PUZZLES.iter().filter(|puzzle| !seen.contains(&puzzle.id)).filter(of_theme);
    new.min_by_key(suits).or_else(|| PUZZLES.iter().filter(of_theme).min_by_key(suits))
}

/// `/api/puzzles/next`.
pub(crate) fn next(request: &NextRequest) -> Result<PuzzleView, Refusal> {
    let found = next_for(request.rating.unwrap_or(1200), request.theme, &request.seen);
    found.map(PuzzleView::new).ok_or_else(missing)
}

/// The name of a puzzle.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OneRequest {
    id: String,
}

/// `/api/puzzles/one`: a puzzle that the page has shown before.
pub(crate) fn one(request: &OneRequest) -> Result<PuzzleView, Refusal> {
    let found = PUZZLES.iter().find(|puzzle| puzzle.id == request.id);
    found.map(PuzzleView::new).ok_or_else(missing)
}

/// A day.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct DayRequest {
    /// As in `2026-03-01`.
    date: String,
}

/// The ratings among which the puzzle of the day is.
const OF_THE_DAY: std::ops::RangeInclusive<u32> = 900..=1800;

/// The puzzle of a day, the same for everybody. None comes again before all others have come.
fn of_day(date: Date) -> Option<&'static Puzzle> {
    let mut puzzles: Vec<&Puzzle> =
        PUZZLES.iter().filter(|puzzle| OF_THE_DAY.contains(&puzzle.rating)).collect();
    // The ids are checksums, whose order has no meaning.
    puzzles.sort_by(|one, other| one.id[1..].cmp(&other.id[1..]));
    let days = date.duration_since(Date::constant(2000, 1, 1)).as_hours() / 24;
    let number = days.rem_euclid(puzzles.len().max(1) as i64);
    puzzles.get(usize::try_from(number).ok()?).copied()
}

/// `/api/puzzles/day`.
pub(crate) fn day(request: &DayRequest) -> Result<PuzzleView, Refusal> {
    let date = request
        .date
        .parse::<Date>()
        .map_err(|why| Refusal::invalid(format!("`{}` is not a date: {why}", request.date)))?;
    of_day(date).map(PuzzleView::new).ok_or_else(missing)
}

/// A theme and how many puzzles have it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ThemeView {
    theme: Theme,
    puzzles: usize,
}

/// `/api/puzzles/themes`: the themes that some puzzle has.
pub(crate) fn themes() -> &'static [ThemeView] {
    static THEMES: LazyLock<Vec<ThemeView>> = LazyLock::new(|| {
        let all: Vec<Theme> = PUZZLES.iter().flat_map(Puzzle::themes).collect();
        let count = |theme: Theme| all.iter().filter(|one| **one == theme).count();
        let views = Theme::ALL.map(|theme| ThemeView { theme, puzzles: count(theme) });
        views.into_iter().filter(|view| view.puzzles > 0).collect()
    });
    &THEMES
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

/// `/api/puzzles/try`.
pub(crate) fn attempt(request: &TryRequest) -> Result<TryView, Refusal> {
    let found = PUZZLES.iter().find(|puzzle| puzzle.id == request.id);
    let puzzle = found.ok_or_else(missing)?;
    let moves = request
        .moves
        .iter()
        .map(|word| word.parse().map_err(|why| Refusal::invalid(format!("`{word}`: {why}"))));
    Ok(judge(puzzle, &moves.collect::<Result<Vec<_>, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::ToSpan;

    #[test]
    fn every_puzzle_is_solved_by_its_main_line() {
        assert!(PUZZLES.len() >= 1000, "{}", PUZZLES.len());
        for puzzle in PUZZLES.iter() {
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
        let puzzle = &PUZZLES[0];
        let legal = puzzle.fen.legal_moves(&puzzle.rules);
        let wrong = legal.iter().find(|mv| puzzle.try_moves(&[**mv]) == Attempt::Wrong).unwrap();
        let said = judge(puzzle, &[*wrong]);
        assert_eq!(said.state, "wrong");
        assert_eq!(said.solution.unwrap()[0], puzzle.main_line()[0].to_string());
    }

    #[test]
    fn the_next_puzzle_suits_the_rating_and_is_new() {
        let first = next_for(1500, None, &[]).unwrap();
        let second = next_for(1500, None, std::slice::from_ref(&first.id)).unwrap();
        assert_ne!(first.id, second.id);
        assert!(first.rating.abs_diff(1500) <= second.rating.abs_diff(1500));
        let all: Vec<String> = PUZZLES.iter().map(|puzzle| puzzle.id.clone()).collect();
        assert!(next_for(1500, None, &all).is_some());
    }

    #[test]
    fn every_theme_has_puzzles_and_the_next_one_is_of_it() {
        assert_eq!(themes().len(), Theme::ALL.len());
        for ThemeView { theme, puzzles } in themes() {
            assert!(*puzzles >= 5, "{theme:?}: {puzzles}");
            let found = next_for(1200, Some(*theme), &[]).unwrap();
            assert!(found.themes().contains(theme), "{theme:?}: {}", found.id);
        }
    }

    #[test]
    fn a_day_has_one_puzzle_and_the_next_day_another() {
        let of = |date: &str| day(&DayRequest { date: date.to_owned() });
        assert_eq!(of("2026-11-27").unwrap().id, of("2026-11-27").unwrap().id);
        let first: Date = "2026-11-27".parse().unwrap();
        let mut seen = std::collections::HashSet::new();
        let days = first.series(1.day());
        let many = days.take_while(|day| seen.insert(&of_day(*day).unwrap().id));
        let of_the_day = PUZZLES.iter().filter(|puzzle| OF_THE_DAY.contains(&puzzle.rating));
        assert_eq!(many.count(), of_the_day.count());
        assert!(of("27.11.2026").unwrap_err().error.contains("is not a date"));
    }
}
