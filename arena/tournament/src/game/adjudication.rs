//! Adjudication: ends games early, by the scores of both engines or by an oracle.
//!
//! It is off by default. A game is a draw if both engines report an even score, and won if both
//! report a decisive score, for several consecutive moves. Only the engines' scores count, so an
//! engine without scores is never adjudicated. An oracle is an engine that is asked for exact
//! values (`query value`) and does not play in the game.

use fanorona_protocol::messages::{Score, Value};
use fanorona_protocol::rules::Side;

use super::termination::{Ending, GameResult, Reason};
use crate::config::ScoreRules;

/// Tracks the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: ScoreRules,
    plies: u32,
    /// The number of consecutive moves of both engines with an even score.
    even: u32,
    /// The number of consecutive moves with a decisive score for White, and for Black.
    won: [u32; 2],
}

impl Adjudicator {
    /// For a game with this number of plies in its opening.
    pub fn new(rules: ScoreRules, book: u32) -> Adjudicator {
        Adjudicator { rules, plies: book, even: 0, won: [0; 2] }
    }

    /// Adds a move with the score its player reported, from the player's view. Returns the end of
    /// the game if it is adjudicated.
    pub fn add(&mut self, player: Side, score: Option<Score>) -> Option<Ending> {
        self.plies += 1;
        let hundredths = score.map(|score| match score {
            Score::Cp(hundredths) => hundredths,
            // Proven scores exceed every bound.
            Score::Win(_) => i32::MAX,
            Score::Loss(_) => i32::MIN,
        });
        let row = |so_far: u32, holds: bool| if holds { so_far + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            self.even = row(self.even, hundredths.is_some_and(|s| s.unsigned_abs() <= rule.score));
            if self.even >= rule.moves.saturating_mul(2) && self.plies >= rule.after {
                return Some(adjudicated_end(
                    GameResult::Drawn,
                    BY_SCORE,
                    format!("both engines reported an even score for {} moves", rule.moves),
                ));
            }
        }
        if let Some(rule) = self.rules.resign {
            for winner in Side::BOTH {
                let ahead = hundredths.is_some_and(|s| {
                    s.unsigned_abs() >= rule.score && (s > 0) == (winner == player)
                });
                let won = &mut self.won[winner as usize];
                *won = row(*won, ahead);
                if *won >= rule.moves.saturating_mul(2) {
                    let detail =
                        format!("both engines reported a decisive score for {} moves", rule.moves);
                    return Some(adjudicated_end(GameResult::Won(winner), BY_SCORE, detail));
                }
            }
        }
        None
    }
}

/// The end of a game in a position with this value for the side to move, from an oracle.
pub fn by_value(oracle: &str, value: Value, mover: Side) -> Ending {
    let result = match value {
        Value::Win(_) => GameResult::Won(mover),
        Value::Loss(_) => GameResult::Won(!mover),
        Value::Draw => GameResult::Drawn,
    };
    let detail = format!("{oracle} reported the exact value: {value} for the side to move");
    adjudicated_end(result, oracle, detail)
}

/// The name in `adjudicated_by` for adjudication by scores.
const BY_SCORE: &str = "score";

fn adjudicated_end(result: GameResult, by: &str, detail: String) -> Ending {
    let adjudicated_by = Some(by.to_owned());
    Ending {
        reason: Reason::Adjudicated,
        result,
        offender: None,
        other_fault: None,
        adjudicated_by,
        detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::DrawRule;
    use crate::config::ResignRule;

    /// Adds scores, White's first. Returns the result and the number of scores if the game is
    /// adjudicated.
    fn adjudicated(
        rules: ScoreRules,
        book: u32,
        scores: &[Option<Score>],
    ) -> Option<(String, usize)> {
        let mut adjudicator = Adjudicator::new(rules, book);
        let mut side = Side::White;
        for (index, &score) in scores.iter().enumerate() {
            if let Some(ending) = adjudicator.add(side, score) {
                assert_eq!((ending.reason, ending.offender), (Reason::Adjudicated, None));
                assert_eq!(ending.adjudicated_by.as_deref(), Some("score"));
                return Some((ending.result.to_string(), index + 1));
            }
            side = !side;
        }
        None
    }

    fn cp(scores: &[i32]) -> Vec<Option<Score>> {
        scores.iter().map(|&score| Some(Score::Cp(score))).collect()
    }

    const DRAW: ScoreRules =
        ScoreRules { draw: Some(DrawRule { moves: 2, score: 10, after: 6 }), resign: None };
    const RESIGN: ScoreRules =
        ScoreRules { draw: None, resign: Some(ResignRule { moves: 2, score: 500 }) };

    #[test]
    fn even_scores_for_long_enough_are_a_draw() {
        let even = cp(&[0, 10, -10, 3, 5, 0]);
        assert_eq!(adjudicated(DRAW, 0, &even), Some(("1/2-1/2".into(), 6)));
        // The opening counts for the plies, but not for the moves.
        assert_eq!(adjudicated(DRAW, 40, &even), Some(("1/2-1/2".into(), 4)));
        assert_eq!(adjudicated(DRAW, 40, &cp(&[0, 0, 0, 11, 0, 0, 0])), None);
        assert_eq!(
            adjudicated(DRAW, 40, &cp(&[0, 0, 0, -11, 0, 0, 0, 0])),
            Some(("1/2-1/2".into(), 8))
        );
        assert_eq!(adjudicated(ScoreRules::default(), 99, &cp(&[0; 50])), None);
    }

    #[test]
    fn a_value_is_from_the_view_of_the_side_to_move() {
        let result = |value, mover| by_value("o", value, mover).result.to_string();
        assert_eq!(result(Value::Win(3), Side::Black), "0-1");
        assert_eq!(result(Value::Loss(4), Side::Black), "1-0");
        assert_eq!(result(Value::Draw, Side::White), "1/2-1/2");
        let ending = by_value("sage", Value::Win(3), Side::White);
        assert_eq!(ending.adjudicated_by.as_deref(), Some("sage"));
        assert_eq!(ending.detail, "sage reported the exact value: win 3 for the side to move");
    }

    #[test]
    fn both_engines_must_agree_on_the_winner() {
        assert_eq!(adjudicated(RESIGN, 0, &cp(&[500, -600, 700, -500])), Some(("1-0".into(), 4)));
        assert_eq!(adjudicated(RESIGN, 0, &cp(&[-500, 600, -700, 500])), Some(("0-1".into(), 4)));
        // Both report a win for themselves.
        assert_eq!(adjudicated(RESIGN, 0, &cp(&[900; 20])), None);
        assert_eq!(adjudicated(RESIGN, 0, &cp(&[900, -900, 900, 0, 900, -900, 900])), None);
    }

    #[test]
    fn proven_scores_count_and_missing_ones_reset() {
        let (win, loss) = (Some(Score::Win(3)), Some(Score::Loss(4)));
        assert_eq!(adjudicated(RESIGN, 0, &[win, loss, win, loss]), Some(("1-0".into(), 4)));
        assert_eq!(adjudicated(RESIGN, 0, &[win, loss, win, None, win, loss, win]), None);
        assert_eq!(adjudicated(DRAW, 40, &[win, loss, None, None, win, loss]), None);
    }
}
