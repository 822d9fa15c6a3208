//! The referee of one game: judges moves only by the rules.

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Game, IllegalMove, Move, Position, Ruleset};

use super::termination::Ending;
use crate::game::fault::Fault;

/// The consequence of an engine's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ruling {
    /// The move was played and the game continues.
    Continue,
    /// The game is over. A legal move was played; any other answer was not.
    Over(Ending),
}

/// The end of a game by the rules, if it is over.
pub fn ending(game: &Game) -> Option<Ending> {
    game.ending().map(Ending::by_rules)
}

/// Judges the answer of the engine to move, and plays it if it is a legal move.
pub fn judge(game: &mut Game, answer: &BestMove) -> Ruling {
    let side = game.position().side_to_move();
    match answer {
        BestMove::Resign => Ruling::Over(Ending::by_resignation(side)),
        // A game without a legal move would have ended before the engine was asked.
        BestMove::None => {
            let detail = "answered 0000 although there are legal moves; with legal_moves = true \
                          in the config every `go` has them";
            Ruling::Over(Ending::by_fault(Fault::Illegal, side, detail))
        }
        BestMove::Move(mv) => match game.play(mv) {
            Err(why) => {
                let detail = not_legal(game.position(), game.rules(), mv, &why);
                Ruling::Over(Ending::by_fault(Fault::Illegal, side, detail))
            }
            Ok(()) => ending(game).map_or(Ruling::Continue, Ruling::Over),
        },
    }
}

/// Why a move is not legal, with the legal moves over the same points: a common error is a missing
/// or wrong capture mark.
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
    use fanorona_protocol::rules::{self, Side, Start, VelaStarter};

    fn judge(game: &mut Game, word: &str) -> Ruling {
        let answer = match word {
            "0000" => BestMove::None,
            "resign" => BestMove::Resign,
            mv => BestMove::Move(mv.parse().unwrap()),
        };
        super::judge(game, &answer)
    }

    fn over(ruling: Ruling) -> (Reason, GameResult, Option<Side>) {
        match ruling {
            Ruling::Over(ending) => (ending.reason, ending.result, ending.offender),
            Ruling::Continue => panic!("the game goes on"),
        }
    }

    #[test]
    fn an_illegal_move_loses_and_is_not_played() {
        let mut game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
        assert_eq!(judge(&mut game, "e2e3A"), Ruling::Continue);
        let illegal = Reason::Fault(Fault::Illegal);
        let lost = (illegal, GameResult::Won(Side::White), Some(Side::Black));
        assert_eq!(over(judge(&mut game, "a5a4")), lost);
        assert_eq!(over(judge(&mut game, "0000")), lost);
        assert_eq!(game.moves().len(), 1);
    }

    #[test]
    fn a_move_without_its_marks_is_recognised() {
        let detail = |start: &str, word: &str| {
            let mut game = Game::new(Ruleset::default(), start.parse().unwrap());
            match judge(&mut game, word) {
                Ruling::Over(ending) => ending.detail,
                Ruling::Continue => panic!("the game goes on"),
            }
        };
        let start = Start::TSIVY.riatra().to_string();
        let must = "is not legal: a capture is possible and must be played";
        assert_eq!(detail(&start, "e2e3"), format!("e2e3 {must}; did you mean e2e3A?"));
        assert_eq!(detail(&start, "a1a2"), "a1a2 is not legal: a2 is not empty");
        // Both kinds of capture, by approach and by withdrawal.
        let both = "9/9/bW1b5/9/9 w - 0 1";
        assert_eq!(detail(both, "b3c3"), format!("b3c3 {must}; did you mean b3c3A or b3c3W?"));
    }

    #[test]
    fn resigning_is_not_a_fault() {
        let mut game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
        let resigned = (Reason::Resign, GameResult::Won(Side::Black), None);
        assert_eq!(over(judge(&mut game, "resign")), resigned);
    }

    #[test]
    fn a_creditor_who_does_not_offer_loses() {
        let start = Start::TSIVY.vela(VelaStarter::Debtor);
        let mut game = Game::new(Ruleset::default(), start);
        for mv in ["e2e3A", "e5e4", "e3e2W"] {
            assert_eq!(judge(&mut game, mv), Ruling::Continue);
        }
        let starved = Reason::Rules(rules::Reason::VelaStarved);
        assert_eq!(over(judge(&mut game, "f4e3")), (starved, GameResult::Won(Side::White), None));
        assert_eq!(game.moves().len(), 4);
    }
}
