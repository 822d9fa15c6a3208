//! The referee of one game: trusts nobody and knows only the rules.

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{History, IllegalMove, Move, Position, Ruleset, Side};

use super::termination::Ending;
use crate::engine::fault::Fault;

/// A game in progress as the rules see it.
#[derive(Clone, Debug)]
pub struct Referee {
    rules: Ruleset,
    history: History,
    moves: Vec<Move>,
}

/// What follows from an engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The move has been played and the game goes on.
    Continue,
    /// The game is over; a legal move has been played, any other answer has not.
    Over(Ending),
}

impl Referee {
    /// A game that is to begin with this position.
    pub fn new(rules: Ruleset, start: Position) -> Referee {
        Referee { rules, history: History::new(start), moves: Vec::new() }
    }

    /// The end of the game if it is over before anybody is asked.
    pub fn over(&self) -> Option<Ending> {
        self.history.ending(&self.rules).map(Ending::by_rules)
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Side {
        self.history.position().side_to_move()
    }

    /// The position now.
    pub fn position(&self) -> &Position {
        self.history.position()
    }

    /// Every move played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Every legal move now.
    pub fn legal_moves(&self) -> Vec<Move> {
        self.history.position().legal_moves(&self.rules)
    }

    /// Judges an answer of the engine to move.
    pub fn judge(&mut self, answer: &BestMove) -> Verdict {
        let side = self.side_to_move();
        match answer {
            BestMove::Resign => Verdict::Over(Ending::by_resignation(side)),
            // A game without a legal move would have been over before anybody was asked.
            BestMove::None => {
                let detail = "answered 0000 although there are legal moves; to be told them, a bot \
                              needs legal_moves = true in its config";
                Verdict::Over(Ending::by_fault(Fault::Illegal, side, detail))
            }
            BestMove::Move(mv) => match self.history.play(&self.rules, mv) {
                Err(why) => {
                    let detail = not_legal(self.position(), &self.rules, mv, &why);
                    Verdict::Over(Ending::by_fault(Fault::Illegal, side, detail))
                }
                Ok(()) => {
                    self.moves.push(*mv);
                    self.over().map_or(Verdict::Continue, Verdict::Over)
                }
            },
        }
    }
}

/// Why a move is not legal in a position, and which moves with its points are: what it captures is
/// easily left out or mistaken.
pub fn not_legal(position: &Position, rules: &Ruleset, mv: &Move, why: &IllegalMove) -> String {
    let points = |mv: &Move| mv.to_string().replace(['A', 'W'], "");
    let meant = position.legal_moves(rules).into_iter().filter(|legal| points(legal) == points(mv));
    let meant: Vec<String> = meant.map(|legal| legal.to_string()).collect();
    let question = match &meant[..] {
        [] => String::new(),
        meant => format!("; did you mean {}?", meant.join(" or ")),
    };
    format!("{mv} is not legal: {why}{question}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::termination::{GameResult, Reason};
    use fanorona_protocol::rules::{self, Start, VelaStarter};

    fn judge(referee: &mut Referee, word: &str) -> Verdict {
        referee.judge(&match word {
            "0000" => BestMove::None,
            "resign" => BestMove::Resign,
            mv => BestMove::Move(mv.parse().unwrap()),
        })
    }

    fn over(verdict: Verdict) -> (Reason, GameResult, Option<Side>) {
        match verdict {
            Verdict::Over(ending) => (ending.reason, ending.result, ending.offender),
            Verdict::Continue => panic!("the game goes on"),
        }
    }

    #[test]
    fn an_illegal_move_loses_and_is_not_played() {
        let mut referee = Referee::new(Ruleset::default(), Start::TSIVY.riatra());
        assert_eq!(judge(&mut referee, "e2e3A"), Verdict::Continue);
        let illegal = Reason::Fault(Fault::Illegal);
        let lost = (illegal, GameResult::Won(Side::White), Some(Side::Black));
        assert_eq!(over(judge(&mut referee, "a5a4")), lost);
        assert_eq!(over(judge(&mut referee, "0000")), lost);
        assert_eq!(referee.moves().len(), 1);
    }

    #[test]
    fn a_move_without_its_captures_is_recognised() {
        let said = |start: &str, word: &str| {
            let mut referee = Referee::new(Ruleset::default(), start.parse().unwrap());
            match judge(&mut referee, word) {
                Verdict::Over(ending) => ending.detail,
                Verdict::Continue => panic!("the game goes on"),
            }
        };
        let start = Start::TSIVY.riatra().to_string();
        let must = "is not legal: a capture is possible and must be played";
        assert_eq!(said(&start, "e2e3"), format!("e2e3 {must}; did you mean e2e3A?"));
        assert_eq!(said(&start, "a1a2"), "a1a2 is not legal: a2 is not empty");
        // Both ways of capturing: the stones before it, or those behind it.
        let both = "9/9/bW1b5/9/9 w - 0 1";
        assert_eq!(said(both, "b3c3"), format!("b3c3 {must}; did you mean b3c3A or b3c3W?"));
    }

    #[test]
    fn resigning_is_no_fault() {
        let mut referee = Referee::new(Ruleset::default(), Start::TSIVY.riatra());
        let resigned = (Reason::Resign, GameResult::Won(Side::Black), None);
        assert_eq!(over(judge(&mut referee, "resign")), resigned);
    }

    #[test]
    fn a_creditor_who_offers_nothing_loses() {
        let start = Start::TSIVY.vela(VelaStarter::Debtor);
        let mut referee = Referee::new(Ruleset::default(), start);
        for mv in ["e2e3A", "e5e4", "e3e2W"] {
            assert_eq!(judge(&mut referee, mv), Verdict::Continue);
        }
        let starved = Reason::Rules(rules::Reason::VelaStarved);
        assert_eq!(
            over(judge(&mut referee, "f4e3")),
            (starved, GameResult::Won(Side::White), None)
        );
        assert_eq!(referee.moves().len(), 4);
    }
}
