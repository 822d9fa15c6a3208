//! Games called before their end, by what both engines say of them or by what an oracle knows.
//!
//! Off unless a config asks for it. A game is a draw when both engines have held it for even, and
//! won when both have held it for decided, move after move; the engines' own scores are all that is
//! looked at, so an engine without scores is never adjudicated. An oracle is an engine that is asked
//! for exact values (`query value`) and plays no part in the game.

use fanorona_protocol::messages::{Score, Value};
use fanorona_protocol::rules::Side;

use super::termination::{Ending, GameResult, Reason};
use crate::config::ScoreRules;

/// Follows the scores of one game.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: ScoreRules,
    plies: u32,
    /// Moves in a row, of both engines together, that were held for even.
    even: u32,
    /// Moves in a row that were held for won by White, and by Black.
    won: [u32; 2],
}

impl Adjudicator {
    /// For a game of which so many plies were played before the engines were asked.
    pub fn new(rules: ScoreRules, book: u32) -> Adjudicator {
        Adjudicator { rules, plies: book, even: 0, won: [0; 2] }
    }

    /// Hears of a move and the score its player gave it, from its own view; gives the end of the
    /// game if it is to be called.
    pub fn hear(&mut self, player: Side, score: Option<Score>) -> Option<Ending> {
        self.plies += 1;
        let hundredths = score.map(|score| match score {
            Score::Cp(hundredths) => hundredths,
            // What is proven is beyond every bound.
            Score::Win(_) => i32::MAX,
            Score::Loss(_) => i32::MIN,
        });
        let row = |so_far: u32, holds: bool| if holds { so_far + 1 } else { 0 };
        if let Some(rule) = self.rules.draw {
            self.even = row(self.even, hundredths.is_some_and(|s| s.unsigned_abs() <= rule.score));
            if self.even >= rule.moves.saturating_mul(2) && self.plies >= rule.after {
                return Some(called(
                    GameResult::Drawn,
                    BY_SCORE,
                    format!("both engines held it for even for {} moves", rule.moves),
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
                    let detail = format!("both engines held it for won for {} moves", rule.moves);
                    return Some(called(GameResult::Won(winner), BY_SCORE, detail));
                }
            }
        }
        None
    }
}

/// The end of a game whose position has this value for the side to move, as the oracle of that name
/// says; `None` where it does not know.
pub fn by_value(oracle: &str, value: Value, mover: Side) -> Option<Ending> {
    let result = match value {
        Value::Win(_) => GameResult::Won(mover),
        Value::Loss(_) => GameResult::Won(!mover),
        Value::Draw => GameResult::Drawn,
        Value::Unknown => return None,
    };
    let detail = format!("{oracle} knows the position: {value} for the side to move");
    Some(called(result, oracle, detail))
}

/// What has called a game that the engines' scores have.
const BY_SCORE: &str = "score";

fn called(result: GameResult, by: &str, detail: String) -> Ending {
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

    /// Hears scores, White's first; the result and after how many of them, if the game is called.
    fn heard(rules: ScoreRules, book: u32, scores: &[Option<Score>]) -> Option<(String, usize)> {
        let mut adjudicator = Adjudicator::new(rules, book);
        let mut side = Side::White;
        for (index, &score) in scores.iter().enumerate() {
            if let Some(ending) = adjudicator.hear(side, score) {
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
    fn even_for_both_for_long_enough_is_a_draw() {
        let even = cp(&[0, 10, -10, 3, 5, 0]);
        assert_eq!(heard(DRAW, 0, &even), Some(("1/2-1/2".into(), 6)));
        // The opening counts towards the plies, not towards the moves.
        assert_eq!(heard(DRAW, 40, &even), Some(("1/2-1/2".into(), 4)));
        assert_eq!(heard(DRAW, 40, &cp(&[0, 0, 0, 11, 0, 0, 0])), None);
        assert_eq!(heard(DRAW, 40, &cp(&[0, 0, 0, -11, 0, 0, 0, 0])), Some(("1/2-1/2".into(), 8)));
        assert_eq!(heard(ScoreRules::default(), 99, &cp(&[0; 50])), None);
    }

    #[test]
    fn a_value_is_told_from_the_movers_view() {
        let result = |value, mover| by_value("o", value, mover).map(|e| e.result.to_string());
        assert_eq!(result(Value::Win(3), Side::Black), Some("0-1".into()));
        assert_eq!(result(Value::Loss(4), Side::Black), Some("1-0".into()));
        assert_eq!(result(Value::Draw, Side::White), Some("1/2-1/2".into()));
        assert_eq!(result(Value::Unknown, Side::White), None);
        let ending = by_value("sage", Value::Win(3), Side::White).unwrap();
        assert_eq!(ending.adjudicated_by.as_deref(), Some("sage"));
        assert_eq!(ending.detail, "sage knows the position: win 3 for the side to move");
    }

    #[test]
    fn both_have_to_agree_on_the_winner() {
        assert_eq!(heard(RESIGN, 0, &cp(&[500, -600, 700, -500])), Some(("1-0".into(), 4)));
        assert_eq!(heard(RESIGN, 0, &cp(&[-500, 600, -700, 500])), Some(("0-1".into(), 4)));
        // Both hold it for won themselves.
        assert_eq!(heard(RESIGN, 0, &cp(&[900; 20])), None);
        assert_eq!(heard(RESIGN, 0, &cp(&[900, -900, 900, 0, 900, -900, 900])), None);
    }

    #[test]
    fn proven_scores_count_and_missing_ones_begin_anew() {
        let (win, loss) = (Some(Score::Win(3)), Some(Score::Loss(4)));
        assert_eq!(heard(RESIGN, 0, &[win, loss, win, loss]), Some(("1-0".into(), 4)));
        assert_eq!(heard(RESIGN, 0, &[win, loss, win, None, win, loss, win]), None);
        assert_eq!(heard(DRAW, 40, &[win, loss, None, None, win, loss]), None);
    }
}
