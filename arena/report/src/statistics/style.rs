//! The style of engines: their captures, and the moves that they spend their time on.

use fanorona_protocol::rules::{Capture, Move, Position, Ruleset, Side};
use serde::Serialize;

use super::phase::Phase;
use fanorona_tournament::analysis::families;
use fanorona_tournament::record::GameRecord;

/// The time and depth of an engine's moves in a phase.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Effort {
    /// The number of its moves.
    pub moves: u64,
    /// The milliseconds of all of them.
    pub ms: u64,
    /// The moves with a reported depth.
    pub deep: u64,
    /// The sum of these depths.
    pub depth: u64,
}

impl Effort {
    /// The mean time of a move in milliseconds.
    pub(crate) fn mean_ms(&self) -> Option<f64> {
        ratio(self.ms, self.moves)
    }

    /// The mean reported depth.
    pub(crate) fn mean_depth(&self) -> Option<f64> {
        ratio(self.depth, self.deep)
    }
}

/// The style of an engine. Moves of openings do not count.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Style {
    /// The number of its moves.
    pub moves: u64,
    /// The number of its captures.
    pub captures: u64,
    /// The captures in positions in which captures of different sizes were possible.
    pub chances: u64,
    /// The number of them that took as many stones as possible.
    pub largest: u64,
    /// The stones that captures took.
    pub stones: u64,
    /// The steps of captures.
    pub steps: u64,
    /// The steps that captured by withdrawal; the others captured by approach.
    pub withdrawals: u64,
    /// Time and depth by phase.
    pub phases: [Effort; 3],
}

impl Style {
    /// Adds a game of an engine.
    pub fn add(&mut self, name: &str, game: &GameRecord, rules: &Ruleset) {
        let Ok(mut position) = game.start.parse::<Position>() else { return };
        for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
            let Ok(mv) = word.parse::<Move>() else { return };
            let Ok(after) = position.play(rules, &mv) else { return };
            let side = position.side_to_move();
            let mover = if side == Side::White { &game.white } else { &game.black };
            if let Some(own) = index.checked_sub(game.book as usize).filter(|_| mover == name) {
                self.add_move(&position, &mv, &after, rules);
                let phase = &mut self.phases[Phase::from_position(&position) as usize];
                phase.moves += 1;
                phase.ms += game.times.get(own).copied().unwrap_or_default();
                let depth = game.searches.get(own).and_then(|search| search.depth);
                phase.deep += u64::from(depth.is_some());
                phase.depth += u64::from(depth.unwrap_or_default());
            }
            position = after;
        }
    }

    fn add_move(&mut self, before: &Position, mv: &Move, after: &Position, rules: &Ruleset) {
        self.moves += 1;
        if !mv.is_capture() {
            return;
        }
        self.captures += 1;
        let enemy = !before.side_to_move();
        let taken = |after: &Position| before.board().count(enemy) - after.board().count(enemy);
        let own = taken(after);
        self.stones += u64::from(own);
        self.steps += mv.steps().len() as u64;
        let withdrawals = mv.steps().iter().filter(|it| it.capture == Some(Capture::Withdrawal));
        self.withdrawals += withdrawals.count() as u64;
        let sizes = families(before, rules);
        let sizes = sizes.iter().map(|(after, _)| taken(after)).filter(|&size| size > 0);
        let (least, most) = sizes.fold((u32::MAX, 0), |(a, b), size| (a.min(size), b.max(size)));
        if least < most {
            self.chances += 1;
            self.largest += u64::from(own == most);
        }
    }

    /// The share of captures that took as many stones as possible, where sizes differed.
    pub(crate) fn largest_share(&self) -> Option<f64> {
        ratio(self.largest, self.chances)
    }

    /// The stones per capture.
    pub(crate) fn stones_per_capture(&self) -> Option<f64> {
        ratio(self.stones, self.captures)
    }

    /// The steps per capture: the length of its chain.
    pub(crate) fn chain_length(&self) -> Option<f64> {
        ratio(self.steps, self.captures)
    }

    /// The share of withdrawals among capturing steps.
    pub(crate) fn withdrawal_share(&self) -> Option<f64> {
        ratio(self.withdrawals, self.steps)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::game::search_note::SearchNote;
    use fanorona_tournament::record::example::game;

    #[test]
    fn captures_and_times_are_counted() {
        // White can take one stone by withdrawal or two by approach, and Black moves away.
        let game = GameRecord {
            white: "a".into(),
            start: "b4/5/b1W1b/4b/4b w - 0 1".into(),
            moves: "c3d3A a3a4".into(),
            times: vec![30, 5],
            searches: vec![
                SearchNote { depth: Some(6), ..SearchNote::default() },
                SearchNote::default(),
            ],
            ..game("1")
        };
        let rules = Ruleset::default();
        let of = |name: &str| {
            let mut style = Style::default();
            style.add(name, &game, &rules);
            style
        };
        let white = of("a");
        assert_eq!((white.moves, white.captures, white.stones, white.steps), (1, 1, 1, 1));
        assert_eq!((white.withdrawals, white.withdrawal_share()), (0, Some(0.0)));
        assert_eq!(white.phases[2], Effort { moves: 1, ms: 30, deep: 1, depth: 6 });
        let black = of("b");
        assert_eq!((black.moves, black.captures, black.chain_length()), (1, 0, None));
        assert_eq!(black.phases[2].mean_ms(), Some(5.0));
        assert_eq!(black.phases[2].mean_depth(), None);
    }

    #[test]
    fn the_largest_capture_is_told_from_others() {
        // Two stones to the right, one above.
        let played = |mv: &str| {
            let game = GameRecord {
                white: "a".into(),
                start: "1b3/5/1W1bb/5/5 w - 0 1".into(),
                moves: mv.into(),
                ..game("1")
            };
            let mut style = Style::default();
            style.add("a", &game, &Ruleset::default());
            (style.stones, style.chances, style.largest)
        };
        assert_eq!(played("b3c3A"), (2, 1, 1));
        assert_eq!(played("b3b4A"), (1, 1, 0));
    }
}
