//! Themes of puzzles, computed from position and solution.

use fanorona_protocol::rules::{Move, Position};
use serde::{Deserialize, Serialize};

use super::puzzle::Puzzle;
use crate::analysis::family::families;

/// The subject of a puzzle. A puzzle may have several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The first move is a paika that gives the enemy something to capture, which it then must.
    Offer,
    /// The first move is a paika after which the enemy has nothing to capture.
    Quiet,
    /// A move of the solver captures in three steps or more.
    Chain,
    /// The first move has a step that could capture the other way, by approach or by withdrawal, and
    /// that would be wrong.
    Choice,
    /// The solver has to find three moves or more.
    Sequence,
    /// The position has at most nine stones.
    Ending,
    /// The solver is the debtor of a vela.
    Debtor,
    /// The solver is the creditor of a vela.
    Creditor,
}

/// The steps of a chain that is one of the subjects of its puzzle.
const LONG_CHAIN: usize = 3;
/// The solver's moves of a sequence.
const LONG_SEQUENCE: usize = 3;
/// The greatest number of stones of an ending, both sides together.
const FEW_STONES: u32 = 9;

impl Theme {
    /// All themes, in the order in which they are offered.
    pub const ALL: [Theme; 8] = [
        Theme::Offer,
        Theme::Quiet,
        Theme::Chain,
        Theme::Choice,
        Theme::Sequence,
        Theme::Ending,
        Theme::Debtor,
        Theme::Creditor,
    ];
}

impl Puzzle {
    /// The themes, in the order of [`Theme::ALL`].
    pub fn themes(&self) -> Vec<Theme> {
        Theme::ALL.into_iter().filter(|theme| self.has(*theme)).collect()
    }

    /// The stones of the solver and of the other side.
    pub fn material(&self) -> [u32; 2] {
        let side = self.fen.side_to_move();
        [side, !side].map(|side| self.fen.board().count(side))
    }

    fn has(&self, theme: Theme) -> bool {
        let solver = self.fen.side_to_move();
        let debtor = self.fen.debtor();
        match theme {
            Theme::Offer => self.after_paika().is_some_and(|after| after.has_capture()),
            Theme::Quiet => self.after_paika().is_some_and(|after| !after.has_capture()),
            Theme::Chain => {
                self.own_line().any(|mv| mv.is_capture() && mv.steps().len() >= LONG_CHAIN)
            }
            Theme::Choice => self.chooses(),
            Theme::Sequence => self.own_line().count() >= LONG_SEQUENCE,
            Theme::Ending => self.material().iter().sum::<u32>() <= FEW_STONES,
            Theme::Debtor => debtor == Some(solver),
            Theme::Creditor => debtor == Some(!solver),
        }
    }

    /// The solver's moves of the main line.
    fn own_line(&self) -> impl Iterator<Item = Move> {
        self.main_line().into_iter().step_by(2)
    }

    /// The position after the first right move if that captures nothing.
    fn after_paika(&self) -> Option<Position> {
        let first = self.solution.first()?.moves.first()?;
        let after = self.fen.play(&self.rules, first).ok()?;
        (!first.is_capture()).then_some(after)
    }

    /// Whether a wrong first move differs from a right one in the way in which a step captures.
    fn chooses(&self) -> bool {
        let right: Vec<&Move> = self.solution.iter().flat_map(|branch| &branch.moves).collect();
        let families = families(&self.fen, &self.rules);
        let moves = families.iter().flat_map(|(_, moves)| moves);
        let mut wrong = moves.filter(|mv| !right.contains(mv));
        wrong.any(|mv| right.iter().any(|right| choose_between(right, mv)))
    }
}

/// Whether two moves first differ in the way in which one and the same step captures.
fn choose_between(mv: &Move, other: &Move) -> bool {
    let mut both = mv.steps().iter().zip(other.steps());
    mv.from() == other.from()
        && both.find(|(step, other)| step != other).is_some_and(|(step, other)| {
            step.direction == other.direction && step.capture != other.capture
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::puzzles::read;

    fn themes(fen: &str, solution: &str) -> Vec<Theme> {
        let line = format!(
            r#"{{"id":"a","fen":"{fen}","kind":"tactical","rating":700,"solution":{solution},"source":"s"}}"#
        );
        read(line.as_bytes()).unwrap()[0].themes()
    }

    #[test]
    fn a_paika_is_an_offer_if_the_enemy_must_take() {
        let offer = themes("9/9/9/2b6/W8 w - 0 1", r#"[{"moves":["a1a2"]}]"#);
        assert_eq!(offer, [Theme::Offer, Theme::Ending]);
        let quiet = themes("8b/9/9/9/1W7 w - 0 1", r#"[{"moves":["b1b2"]}]"#);
        assert_eq!(quiet, [Theme::Quiet, Theme::Ending]);
    }

    #[test]
    fn a_wrong_way_of_the_same_step_makes_a_choice() {
        let fen = "9/9/bW1b5/9/9 w - 0 1";
        assert_eq!(themes(fen, r#"[{"moves":["b3c3A"]}]"#), [Theme::Choice, Theme::Ending]);
        let none = themes("9/9/9/9/4WbW2 w - 0 1", r#"[{"moves":["e1d1W"]}]"#);
        assert_eq!(none, [Theme::Ending]);
    }

    #[test]
    fn a_long_capture_is_a_chain_and_many_moves_are_a_sequence() {
        let chain = themes(
            "2b6/9/9/1b1W5/3bb4 w - 0 1",
            r#"[{"moves":["d2c3Wd4We3W"],"reply":"d1c1","then":[{"moves":["e3d2A"]}]}]"#,
        );
        assert_eq!(chain, [Theme::Chain, Theme::Ending]);
        let sequence = themes(
            "8b/9/9/9/WW7 w - 0 1",
            r#"[{"moves":["a1a2"],"reply":"i5h5","then":[{"moves":["b1c1"],"reply":"h5i5","then":[{"moves":["c1d1"]}]}]}]"#,
        );
        assert_eq!(sequence, [Theme::Quiet, Theme::Sequence, Theme::Ending]);
    }

    #[test]
    fn the_solver_of_a_vela_has_a_role() {
        let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW";
        let debtor = themes(&format!("{start} w w 0 1"), r#"[{"moves":["e2e3A"]}]"#);
        assert!(debtor.contains(&Theme::Debtor) && !debtor.contains(&Theme::Creditor));
        let creditor = themes(&format!("{start} w b 0 1"), r#"[{"moves":["e2e3"]}]"#);
        assert!(creditor.contains(&Theme::Creditor) && !creditor.contains(&Theme::Debtor));
        let riatra = themes(&format!("{start} w - 0 1"), r#"[{"moves":["e2e3A"]}]"#);
        assert!(!riatra.contains(&Theme::Creditor) && !riatra.contains(&Theme::Debtor));
    }
}
