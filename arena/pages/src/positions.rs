//! Positions, legal moves and rules for the pages. A page never decides what is legal: it asks
//! here.

use fanorona_protocol::rules::{Game, Move, Opening, Position, Reason, Ruleset, Side, Start};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::referee;
use fanorona_tournament::game::termination::GameResult;
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// The longest game that a page may ask about, in plies.
const MAX_PLIES: usize = 4000;

/// A move with the stones that each step captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MoveSteps {
    text: String,
    steps: Vec<StepView>,
}

/// A step of a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct StepView {
    from: String,
    to: String,
    /// `A` for approach, `W` for withdrawal, empty for a paika.
    mark: &'static str,
    captured: Vec<String>,
}

impl MoveSteps {
    /// Describes a move; `None` if it is not legal.
    pub fn new(position: &Position, rules: &Ruleset, mv: &Move) -> Option<MoveSteps> {
        let captures = position.captures_of(rules, mv).ok()?;
        let points: Vec<String> =
            [mv.from()].into_iter().chain(mv.points()).map(|point| point.to_string()).collect();
        let steps = mv.steps().iter().zip(points.windows(2)).zip(captures);
        let steps = steps.map(|((step, ends), captured)| StepView {
            from: ends[0].clone(),
            to: ends[1].clone(),
            mark: match step.capture {
                Some(fanorona_protocol::rules::Capture::Approach) => "A",
                Some(fanorona_protocol::rules::Capture::Withdrawal) => "W",
                None => "",
            },
            captured: captured.into_iter().map(|point| point.to_string()).collect(),
        });
        Some(MoveSteps { text: mv.to_string(), steps: steps.collect() })
    }
}

/// The name of a start position in a request.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum StartRequest {
    /// A position.
    Fen {
        /// Its notation.
        fen: String,
    },
    /// A board's usual start.
    Board {
        /// The board's name.
        board: String,
        /// Riatra or vela.
        #[serde(default = "riatra")]
        kind: Kind,
    },
}

fn riatra() -> Kind {
    Kind::Riatra
}

impl StartRequest {
    /// The position.
    pub(crate) fn position(&self, rules: &Ruleset) -> Result<Position, Refusal> {
        match self {
            StartRequest::Fen { fen } => {
                fen.trim().parse().map_err(|why| Refusal::from_position(fen, &why))
            }
            StartRequest::Board { board, kind } => {
                let start: Start = board.parse().map_err(Refusal::invalid)?;
                Ok(match kind {
                    Kind::Vela => start.vela(rules.vela_starter),
                    _ => start.riatra(),
                })
            }
        }
    }
}

/// The rules in the notation of the engine option `Rules`.
///
/// # Errors
/// Returns a refusal if the text names no rules.
pub fn rules_of(text: &str) -> Result<Ruleset, Refusal> {
    text.parse().map_err(Refusal::invalid)
}

/// A game so far, as a page sends it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct GameRequest {
    start: StartRequest,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

/// A game that has been replayed by the rules.
pub struct Replayed {
    /// The game.
    pub game: Game,
    /// Its moves.
    pub played: Vec<MoveSteps>,
    /// The number of moves that belong to the first phase of a vela.
    pub phase_one: usize,
}

impl Replayed {
    /// Replays a game.
    ///
    /// # Errors
    /// Returns a refusal that names the first move that is not legal.
    pub fn new(
        start: Position,
        rules: Ruleset,
        words: &[impl AsRef<str>],
    ) -> Result<Replayed, Refusal> {
        if words.len() > MAX_PLIES {
            let why = format!("the game has more than {MAX_PLIES} moves");
            return Err(Refusal::invalid(why).said("too-long", [("most", &MAX_PLIES as _)]));
        }
        let (mut game, mut played) = (Game::new(rules, start), Vec::new());
        let mut phase_one = 0;
        for (index, word) in words.iter().map(AsRef::as_ref).enumerate() {
            let number = index + 1;
            let mv: Move = word.parse().map_err(|why| Refusal::from_word(number, word, &why))?;
            let before = *game.position();
            game.play(&mv).map_err(|why| {
                let detail = referee::not_legal(&before, &rules, &mv, &why);
                Refusal::from_move(number, &mv, &why, &detail)
            })?;
            phase_one += usize::from(before.is_vela_phase_one());
            played.extend(MoveSteps::new(&before, &rules, &mv));
        }
        Ok(Replayed { game, played, phase_one })
    }

    /// The opening of the game, if it has a name.
    fn opening(&self) -> Option<&'static str> {
        let opening = Opening::from_game(self.game.start(), self.game.moves().first()?)?;
        Some(opening.name())
    }
}

impl GameRequest {
    /// Replays the game.
    pub(crate) fn replay(&self) -> Result<Replayed, Refusal> {
        let rules = rules_of(&self.rules)?;
        Replayed::new(self.start.position(&rules)?, rules, &self.moves)
    }
}

/// A position with everything that a page shows of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct PositionView {
    start: String,
    fen: String,
    side: char,
    debtor: Option<char>,
    /// In a vela: 1 or 2.
    phase: Option<u8>,
    /// In the first phase of a vela: the number of stones that the creditor loses before the
    /// second one begins.
    owed: Option<u32>,
    stones: Stones,
    quiet: u32,
    occurrences: u32,
    played: Vec<MoveSteps>,
    single: usize,
    legal: Vec<MoveSteps>,
    over: Option<Over>,
    opening: Option<&'static str>,
}

#[derive(Clone, Debug, Serialize)]
struct Stones {
    w: u32,
    b: u32,
}

/// The end of a game.
#[derive(Clone, Debug, Serialize)]
struct Over {
    result: String,
    reason: &'static str,
    /// The side that has no stones, no move or nothing to capture, where that is the reason.
    of: Option<char>,
}

/// The creditor's stones below which the first phase of a vela ends (protocol/UGI.md, "Vela").
const PHASE_TWO_STONES: u32 = 5;

impl PositionView {
    fn new(replayed: Replayed) -> PositionView {
        let game = &replayed.game;
        let position = *game.position();
        let ending = game.ending();
        let legal = match ending.map(|ending| ending.reason) {
            Some(Reason::NoStones | Reason::VelaStarved | Reason::NoMove) => Vec::new(),
            _ => game.legal_moves(),
        };
        let board = position.board();
        let debtor = position.debtor();
        let owed = debtor.filter(|_| position.is_vela_phase_one());
        let owed = owed.map(|debtor| board.count(!debtor) - PHASE_TWO_STONES);
        PositionView {
            start: game.start().to_string(),
            fen: position.to_string(),
            side: position.side_to_move().letter(),
            debtor: debtor.map(Side::letter),
            phase: debtor.map(|_| if position.is_vela_phase_one() { 1 } else { 2 }),
            owed,
            stones: Stones { w: board.count(Side::White), b: board.count(Side::Black) },
            quiet: position.quiet_plies(),
            occurrences: game.history().occurrences(),
            single: replayed.phase_one,
            legal: legal
                .iter()
                .filter_map(|mv| MoveSteps::new(&position, game.rules(), mv))
                .collect(),
            over: ending.map(|ending| Over {
                result: result_of(ending.winner).to_string(),
                reason: ending.reason.word(),
                of: side_of(ending.reason, ending.winner, &position).map(Side::letter),
            }),
            opening: replayed.opening(),
            played: replayed.played,
        }
    }
}

fn result_of(winner: Option<Side>) -> GameResult {
    winner.map_or(GameResult::Drawn, GameResult::Won)
}

/// The side of which the reason of an ending speaks.
fn side_of(reason: Reason, winner: Option<Side>, position: &Position) -> Option<Side> {
    let mover = position.side_to_move();
    match reason {
        Reason::NoStones => Some(winner.map_or(mover, |winner| !winner)),
        Reason::VelaStarved | Reason::NoMove => Some(mover),
        _ => None,
    }
}

/// `/api/rules`: a game so far, replayed by the rules.
pub(crate) fn position(request: &GameRequest) -> Result<PositionView, Refusal> {
    Ok(PositionView::new(request.replay()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn view(request: Value) -> Result<Value, Refusal> {
        let request: GameRequest = serde_json::from_value(request).unwrap();
        Ok(serde_json::to_value(position(&request)?).unwrap())
    }

    #[test]
    fn every_legal_move_says_what_each_step_captures() {
        let start = json!({ "fen": "9/9/bW1b5/9/9 w" });
        let seen = view(json!({ "start": start })).unwrap();
        let step = |mark, captured: &str| {
            json!({ "text": format!("b3c3{mark}"), "steps": [
                { "from": "b3", "to": "c3", "mark": mark, "captured": [captured] }
            ]})
        };
        let mut legal = seen["legal"].as_array().unwrap().clone();
        legal.sort_by_key(|mv| mv["text"].to_string());
        assert_eq!(legal, [step("A", "d3"), step("W", "a3")]);
    }

    #[test]
    fn a_vela_says_what_is_owed() {
        let board = json!({ "board": "tsivy", "kind": "vela" });
        let seen = view(json!({ "start": board, "moves": ["e2e3A"] })).unwrap();
        assert_eq!(
            (&seen["debtor"], &seen["phase"], &seen["owed"], &seen["single"]),
            (&json!("w"), &json!(1), &json!(16), &json!(1))
        );
        assert_eq!(seen["played"][0]["steps"][0]["captured"], json!(["e4"]));
    }

    #[test]
    fn an_illegal_move_is_named() {
        let start = json!({ "board": "tsivy" });
        let error = view(json!({ "start": start, "moves": ["e2e3A", "a5a4"] })).unwrap_err();
        assert!(format!("{error:?}").contains("move 2: a5a4 is not legal"), "{error:?}");
    }

    #[test]
    fn the_end_of_a_game_names_its_side() {
        let seen = view(json!({ "start": { "fen": "9/9/9/W8/9 b" } })).unwrap();
        assert_eq!(seen["over"], json!({ "result": "1-0", "reason": "no-stones", "of": "b" }));
        assert_eq!(seen["legal"], json!([]));
    }
}
