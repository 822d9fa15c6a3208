//! The analysis of a game: its positions, the losses of its moves, marks and accuracy.
//!
//! The **loss** of a move is the part of the winning chance that its player gives away: the chance
//! before the move minus the chance after it, both for the player and never below 0. The engine's
//! best move loses nothing.
//!
//! Some moves are not judged: those of the opening, and moves without a choice, because all legal
//! moves lead to one position. In a position where every move wins or every move loses, the chance
//! hardly changes, so no move gets a mark.

use std::fmt;

use fanorona_protocol::messages::{Score, Value};
use fanorona_protocol::rules::{Ending, Move, Position, Ruleset, Side};
use serde::Serialize;

use super::chance::{chance, negated};
use super::family::families;
use crate::text::as_text;

/// The loss from which a move is an inaccuracy, `?!`: 0.1 of a win.
pub const INACCURACY: f64 = 0.10;

/// The loss from which a move is a mistake, `?`.
pub const MISTAKE: f64 = 0.20;

/// The loss from which a move is a blunder, `??`: more than from an even position to one that is
/// lost four times out of five.
pub const BLUNDER: f64 = 0.30;

/// The loss that halves the accuracy of a move: between an inaccuracy and a mistake.
pub const HALVING: f64 = 0.15;

/// The mark of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub enum Mark {
    /// A loss of [`INACCURACY`] or more.
    #[serde(rename = "?!")]
    Inaccuracy,
    /// A loss of [`MISTAKE`] or more.
    #[serde(rename = "?")]
    Mistake,
    /// A loss of [`BLUNDER`] or more.
    #[serde(rename = "??")]
    Blunder,
}

impl Mark {
    /// The mark for a loss of winning chance, if any.
    pub fn from_loss(loss: f64) -> Option<Mark> {
        match loss {
            loss if loss >= BLUNDER => Some(Mark::Blunder),
            loss if loss >= MISTAKE => Some(Mark::Mistake),
            loss if loss >= INACCURACY => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// The suffix of a move: `?!`, `?` or `??`.
    pub fn suffix(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The mark as a noun.
    pub fn word(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.suffix())
    }
}

/// The accuracy of one move, 0 to 100: a move that loses nothing has 100, and every [`HALVING`] of
/// loss halves it.
pub fn move_accuracy(loss: f64) -> f64 {
    100.0 * (-loss / HALVING).exp2()
}

/// A line that the engine expects.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The score for the side to move.
    #[serde(with = "as_text")]
    pub score: Score,
    /// The winning chance of the side to move.
    pub chance: f64,
    /// The moves of both sides.
    pub moves: Vec<Move>,
}

/// An engine's analysis of a position. All scores and chances are for the side to move.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct PositionAnalysis {
    /// The score; `None` if the engine was not asked or reported none.
    #[serde(with = "as_text::optional")]
    pub score: Option<Score>,
    /// The winning chance.
    pub chance: Option<f64>,
    /// Whether the score is exact: from the rules or from endgame tables.
    pub exact: bool,
    /// The engine's move.
    pub best: Option<Move>,
    /// The engine's lines, the best one first.
    pub lines: Vec<Line>,
}

impl PositionAnalysis {
    /// A position in which the game is over.
    pub fn over(ending: &Ending, side_to_move: Side) -> PositionAnalysis {
        let score = match ending.winner {
            None => Score::Cp(0),
            Some(winner) if winner == side_to_move => Score::Win(0),
            Some(_) => Score::Loss(0),
        };
        PositionAnalysis::default().with_score(score, true)
    }

    /// Replaces the score by an exact value, if it is one.
    pub fn with_value(self, value: Option<Value>) -> PositionAnalysis {
        match value {
            Some(Value::Win(plies)) => self.with_score(Score::Win(plies), true),
            Some(Value::Loss(plies)) => self.with_score(Score::Loss(plies), true),
            Some(Value::Draw) => self.with_score(Score::Cp(0), true),
            None => self,
        }
    }

    /// The position with a score of its side to move, and the winning chance that follows from it.
    pub fn with_score(self, score: Score, exact: bool) -> PositionAnalysis {
        PositionAnalysis { score: Some(score), chance: Some(chance(score)), exact, ..self }
    }
}

/// A move of the game and the position before it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlyAnalysis {
    /// The number of moves before this one.
    pub ply: usize,
    /// The player.
    pub side: Side,
    /// The move.
    pub played: Move,
    /// The position before the move.
    pub before: PositionAnalysis,
    /// The score after the move, for its player.
    #[serde(with = "as_text::optional")]
    pub after: Option<Score>,
    /// The loss of winning chance; `None` if the move is not judged.
    pub loss: Option<f64>,
    /// The mark that the loss deserves; `None` for a good move.
    pub mark: Option<Mark>,
}

impl PlyAnalysis {
    /// The engine's line if it is better than the move.
    pub fn better(&self) -> Option<&Line> {
        self.mark.and(self.before.lines.first())
    }

    /// Completes the move with the position after it. `best_after` is the position after the best
    /// move, if it was searched as well.
    pub fn judge(
        &mut self,
        after: &PositionAnalysis,
        has_choice: bool,
        is_best: bool,
        best_after: Option<&PositionAnalysis>,
    ) {
        self.after = after.score.map(negated);
        let loss = raw_loss(&self.before, after, best_after).filter(|_| has_choice);
        self.loss = loss.map(|loss| if is_best { 0.0 } else { loss });
        self.mark = self.loss.and_then(Mark::from_loss);
    }
}

/// The loss of a move by the positions before and after it. With the position after the best move,
/// the chance before is at most the chance there: then both moves are compared at the same depth,
/// and a danger that the engine saw too late is not held against the player.
pub fn raw_loss(
    before: &PositionAnalysis,
    after: &PositionAnalysis,
    best_after: Option<&PositionAnalysis>,
) -> Option<f64> {
    let for_mover = |position: &PositionAnalysis| position.chance.map(|chance| 1.0 - chance);
    let best = before.chance?.min(best_after.and_then(for_mover).unwrap_or(1.0));
    // Rounded, so that a loss that was written to a file gets the same mark as before.
    let loss = (best - for_mover(after)?).max(0.0);
    Some((loss * 1e4).round() / 1e4)
}

/// The choice of a player between moves, by the rules, before the played one is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Whether legal moves lead to different positions.
    pub has_choice: bool,
    /// The engine's move, if the played one leads to another position.
    pub other: Option<Move>,
}

impl Choice {
    /// The choice of a player who played a move where an engine would have played `best`.
    pub fn new(position: &Position, rules: &Ruleset, played: &Move, best: Option<Move>) -> Choice {
        let after = position.play(rules, played).ok();
        let leads_on = |best: &Move| best == played || position.play(rules, best).ok() == after;
        Choice {
            has_choice: families(position, rules).len() > 1,
            other: best.filter(|best| !leads_on(best)),
        }
    }

    /// The engine's move, if the position after it is to be searched as well before the played one
    /// is judged: when that seems to lose chance, and the value before is not exact.
    pub fn to_check(&self, before: &PositionAnalysis, after: &PositionAnalysis) -> Option<Move> {
        let loses = raw_loss(before, after, None).is_some_and(|loss| loss >= INACCURACY);
        self.other.filter(|_| self.has_choice && loses && !before.exact)
    }
}

/// The judged moves of one side.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct SideAnalysis {
    /// The mean of the [accuracies](move_accuracy) of the judged moves, 0 to 100; `None` if there
    /// are none.
    pub accuracy: Option<f64>,
    /// The number of judged moves.
    pub judged: u64,
    /// The number of inaccuracies among them.
    pub inaccuracies: u64,
    /// The number of mistakes among them.
    pub mistakes: u64,
    /// The number of blunders among them.
    pub blunders: u64,
}

impl SideAnalysis {
    /// Adds a judged move with its loss.
    pub fn add(&mut self, loss: f64) {
        let sum = self.accuracy.unwrap_or(0.0) * self.judged as f64 + move_accuracy(loss);
        self.judged += 1;
        self.accuracy = Some(sum / self.judged as f64);
        match Mark::from_loss(loss) {
            Some(Mark::Inaccuracy) => self.inaccuracies += 1,
            Some(Mark::Mistake) => self.mistakes += 1,
            Some(Mark::Blunder) => self.blunders += 1,
            None => {}
        }
    }

    /// Adds the moves of another game.
    pub fn merge(&mut self, other: &SideAnalysis) {
        let sum = |side: &SideAnalysis| side.accuracy.unwrap_or(0.0) * side.judged as f64;
        let total = sum(self) + sum(other);
        self.judged += other.judged;
        self.accuracy = (self.judged > 0).then(|| total / self.judged as f64);
        self.inaccuracies += other.inaccuracies;
        self.mistakes += other.mistakes;
        self.blunders += other.blunders;
    }
}

/// The analysis of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameAnalysis {
    /// Every move of the game.
    pub plies: Vec<PlyAnalysis>,
    /// The last position.
    pub last: PositionAnalysis,
    /// White's moves.
    pub white: SideAnalysis,
    /// Black's moves.
    pub black: SideAnalysis,
}

impl GameAnalysis {
    /// The analysis of a game from that of its moves and of its last position.
    pub fn new(plies: Vec<PlyAnalysis>, last: PositionAnalysis) -> GameAnalysis {
        let of = |side| {
            let mut sum = SideAnalysis::default();
            let own = plies.iter().filter(|ply| ply.side == side);
            own.filter_map(|ply| ply.loss).for_each(|loss| sum.add(loss));
            sum
        };
        let (white, black) = (of(Side::White), of(Side::Black));
        GameAnalysis { plies, last, white, black }
    }

    /// The judged moves of a side.
    pub fn side(&self, side: Side) -> &SideAnalysis {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    /// Whether the engine reported any score.
    pub fn has_scores(&self) -> bool {
        self.plies.iter().any(|ply| ply.before.score.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(score: Score) -> PositionAnalysis {
        PositionAnalysis::default().with_score(score, false)
    }

    fn judged(before: Score, after: Score, best_after: Option<Score>) -> PlyAnalysis {
        let played = "e2e3A".parse().unwrap();
        let mut ply = PlyAnalysis {
            ply: 0,
            side: Side::White,
            played,
            before: position(before),
            after: None,
            loss: None,
            mark: None,
        };
        ply.judge(&position(after), true, false, best_after.map(position).as_ref());
        ply
    }

    #[test]
    fn a_move_loses_the_chance_that_it_gives_away() {
        let thrown = judged(Score::Win(5), Score::Win(4), None);
        assert_eq!((thrown.loss, thrown.mark), (Some(1.0), Some(Mark::Blunder)));
        assert_eq!(thrown.after, Some(Score::Loss(4)));
        // One stone of 2.3 in an even position: half of the way between 0.5 and 0.
        let even = judged(Score::Cp(0), Score::Cp(230), None);
        assert!((even.loss.unwrap() - 0.1545).abs() < 1e-3, "{even:?}");
        assert_eq!(even.mark, Some(Mark::Inaccuracy));
        // A move that turns out better than the engine thought loses nothing.
        assert_eq!(judged(Score::Cp(0), Score::Cp(-50), None).loss, Some(0.0));
        // Lost before and after, or won before and after.
        assert_eq!(judged(Score::Loss(20), Score::Win(3), None).mark, None);
        assert_eq!(judged(Score::Win(3), Score::Loss(20), None).mark, None);
    }

    #[test]
    fn a_danger_seen_too_late_is_not_a_mistake() {
        assert!(judged(Score::Cp(0), Score::Cp(600), None).mark.is_some());
        let both_lose = judged(Score::Cp(0), Score::Cp(600), Some(Score::Cp(580)));
        assert_eq!(both_lose.mark, None);
        assert!(both_lose.loss.unwrap() < 0.02);
    }

    #[test]
    fn only_a_choice_is_judged() {
        let mut ply = judged(Score::Cp(0), Score::Win(1), None);
        assert_eq!(ply.mark, Some(Mark::Blunder));
        ply.judge(&position(Score::Win(1)), false, false, None);
        assert_eq!((ply.loss, ply.mark), (None, None));
        ply.judge(&position(Score::Win(1)), true, true, None);
        assert_eq!((ply.loss, ply.mark), (Some(0.0), None));
        ply.judge(&PositionAnalysis::default(), true, false, None);
        assert_eq!((ply.loss, ply.after), (None, None));
    }

    #[test]
    fn accuracy_is_the_mean_over_moves() {
        let mut side = SideAnalysis::default();
        assert_eq!(side.accuracy, None);
        [0.0, HALVING, 2.0 * HALVING].into_iter().for_each(|loss| side.add(loss));
        assert!((side.accuracy.unwrap() - 175.0 / 3.0).abs() < 1e-9);
        assert_eq!((side.judged, side.inaccuracies, side.blunders), (3, 1, 1));
        let mut twice = side;
        twice.merge(&side);
        assert!((twice.accuracy.unwrap() - side.accuracy.unwrap()).abs() < 1e-9);
        assert_eq!((twice.judged, twice.blunders), (6, 2));
    }

    #[test]
    fn thresholds_belong_to_the_worse_mark() {
        let marks = [0.0999, INACCURACY, MISTAKE, BLUNDER].map(Mark::from_loss);
        let expected = [None, Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder)];
        assert_eq!(marks, expected);
    }
}
