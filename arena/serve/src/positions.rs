//! Positions, legal moves and rules for the pages. A page never decides what is legal: it asks
//! here.

use axum::Json;
use fanorona_protocol::rules::{
    BoardSize, Game, Move, NextGame, Opening, Player, Position, Reason, Ruleset, Session,
    SessionRules, Side, Start,
};
use serde::{Deserialize, Serialize};

use super::error::ApiError;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::referee;
use fanorona_tournament::game::termination::GameResult;

/// The longest game that a page may ask about, in plies.
const MAX_PLIES: usize = 4000;

/// A move with the stones that each step captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct MoveSteps {
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
    pub(super) fn new(position: &Position, rules: &Ruleset, mv: &Move) -> Option<MoveSteps> {
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

/// How a request names a start position.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum StartRequest {
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
    pub(super) fn position(&self, rules: &Ruleset) -> Result<Position, ApiError> {
        match self {
            StartRequest::Fen { fen } => {
                fen.trim().parse().map_err(|why| ApiError::invalid(format!("`{fen}`: {why}")))
            }
            StartRequest::Board { board, kind } => {
                let start: Start = board.parse().map_err(ApiError::invalid)?;
                Ok(match kind {
                    Kind::Vela => start.vela(rules.vela_starter),
                    _ => start.riatra(),
                })
            }
        }
    }
}

/// The rules in the notation of the engine option `Rules`.
pub(super) fn rules_of(text: &str) -> Result<Ruleset, ApiError> {
    text.parse().map_err(ApiError::invalid)
}

/// A game so far, as a page sends it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct GameRequest {
    start: StartRequest,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    moves: Vec<String>,
}

/// A game that has been replayed by the rules.
pub(super) struct Replayed {
    pub(super) game: Game,
    pub(super) played: Vec<MoveSteps>,
    /// The number of moves that belong to the first phase of a vela.
    pub(super) phase_one: usize,
}

impl Replayed {
    /// Replays a game.
    pub(super) fn new(
        start: Position,
        rules: Ruleset,
        words: &[impl AsRef<str>],
    ) -> Result<Replayed, ApiError> {
        if words.len() > MAX_PLIES {
            let why = format!("the game has more than {MAX_PLIES} moves");
            return Err(ApiError::invalid(why));
        }
        let (mut game, mut played) = (Game::new(rules, start), Vec::new());
        let mut phase_one = 0;
        for (index, word) in words.iter().map(AsRef::as_ref).enumerate() {
            let at = |why: String| ApiError::invalid(format!("move {}: {why}", index + 1));
            let mv: Move = word.parse().map_err(|why| at(format!("`{word}`: {why}")))?;
            let before = *game.position();
            game.play(&mv).map_err(|why| at(referee::not_legal(&before, &rules, &mv, &why)))?;
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
    pub(super) fn replay(&self) -> Result<Replayed, ApiError> {
        let rules = rules_of(&self.rules)?;
        Replayed::new(self.start.position(&rules)?, rules, &self.moves)
    }
}

/// A position with everything that a page shows of it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PositionView {
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
    text: String,
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
                text: ending_text(ending.reason, ending.winner, &position),
            }),
            opening: replayed.opening(),
            played: replayed.played,
        }
    }
}

fn result_of(winner: Option<Side>) -> GameResult {
    winner.map_or(GameResult::Drawn, GameResult::Won)
}

/// The end of a game as a sentence.
fn ending_text(reason: Reason, winner: Option<Side>, position: &Position) -> String {
    let mover = position.side_to_move();
    let why = match reason {
        Reason::NoStones => {
            let loser = winner.map_or(mover, |winner| !winner);
            format!("{loser} has no stones left")
        }
        Reason::VelaStarved => format!("{mover}, the debtor, has nothing to capture"),
        Reason::NoMove => format!("{mover} has no legal move"),
        Reason::Repetition => "the position has occurred too often".to_owned(),
        Reason::Quiet => "too many moves without a capture".to_owned(),
        Reason::MaxPlies => "the game has reached its maximum length".to_owned(),
        other => other.word().to_owned(),
    };
    match winner {
        Some(winner) => format!("{winner} wins: {why}."),
        None => format!("Draw: {why}."),
    }
}

/// `POST /api/rules`: a game so far, replayed by the rules.
pub(super) async fn position(
    Json(request): Json<GameRequest>,
) -> Result<Json<PositionView>, ApiError> {
    Ok(Json(PositionView::new(request.replay()?)))
}

/// A board that games can begin on.
#[derive(Clone, Debug, Serialize)]
pub(super) struct BoardView {
    name: String,
    title: String,
    columns: usize,
    rows: usize,
}

/// `GET /api/boards`: every board, the usual ones first.
pub(super) async fn boards() -> Json<Vec<BoardView>> {
    let named = [BoardSize::TSIVY, BoardSize::DIMY, BoardSize::TELO].map(Start::Usual);
    let others = BoardSize::all().map(Start::Usual).filter(|start| !named.contains(start));
    let starts = named.into_iter().chain(others).chain(BoardSize::all().map(Start::LeftRight));
    let boards = starts.map(|start| {
        let size = start.riatra().board().size();
        let name = start.to_string();
        let shape = format!("{}×{}", size.columns(), size.rows());
        let title = match start {
            Start::LeftRight(_) => format!("Left-right {shape}"),
            Start::Usual(_) if named.contains(&start) => {
                format!("{}{} {shape}", name[..1].to_uppercase(), &name[1..])
            }
            Start::Usual(_) => shape,
        };
        BoardView { name, title, columns: size.columns(), rows: size.rows() }
    });
    Json(boards.collect())
}

/// A rule switch: its word, its values (the default first), and what it does.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Switch {
    word: &'static str,
    values: &'static [&'static str],
    default: &'static str,
    text: &'static str,
}

/// The rule switches that a person can choose (protocol/UGI.md, "Rule switches").
const SWITCHES: [Switch; 7] = [
    Switch {
        word: "forced-continuation",
        values: &["off", "on"],
        default: "off",
        text: "A capturing stone has to continue while it can.",
    },
    Switch {
        word: "single-first-capture",
        values: &["off", "on"],
        default: "off",
        text: "Each side's first capturing move is a single step.",
    },
    Switch {
        word: "blocked-is-draw",
        values: &["off", "on"],
        default: "off",
        text: "A side without a legal move draws instead of losing.",
    },
    Switch {
        word: "vela-starved",
        values: &["creditor-loses", "debtor-loses", "paika"],
        default: "creditor-loses",
        text: "What happens when the debtor of a vela has nothing to capture.",
    },
    Switch {
        word: "vela-must-offer",
        values: &["off", "on"],
        default: "off",
        text: "The creditor of a vela has to leave a capture if it can.",
    },
    Switch {
        word: "vela-starter",
        values: &["debtor", "creditor"],
        default: "debtor",
        text: "Who has White and moves first in a vela.",
    },
    Switch {
        word: "repetition",
        values: &["3", "2", "4", "0"],
        default: "3",
        text: "The occurrence of a position that is a draw; 0 for never.",
    },
];

/// `GET /api/rule-switches`.
pub(super) async fn switches() -> Json<&'static [Switch]> {
    Json(&SWITCHES)
}

/// A session so far, as a page sends it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct SessionRequest {
    board: String,
    #[serde(default)]
    rules: String,
    /// The results of its games, by colours.
    #[serde(default)]
    results: Vec<String>,
}

/// The state of a session.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SessionView {
    over: bool,
    next: Option<NextView>,
    text: String,
}

#[derive(Clone, Debug, Serialize)]
struct NextView {
    number: usize,
    kind: Kind,
    white: &'static str,
    debtor: Option<char>,
    start: String,
    title: String,
}

fn player_word(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// `POST /api/session`: what comes next in a session.
pub(super) async fn session(
    Json(request): Json<SessionRequest>,
) -> Result<Json<SessionView>, ApiError> {
    let rules = rules_of(&request.rules)?;
    let board: Start = request.board.parse().map_err(ApiError::invalid)?;
    let mut session = Session::new(SessionRules::default(), rules.vela_starter);
    for (index, word) in request.results.iter().enumerate() {
        let at = |why: &dyn std::fmt::Display| {
            ApiError::invalid(format!("the result of game {}: {why}", index + 1))
        };
        let result: GameResult = word.parse().map_err(|why| at(&why))?;
        let Some(next) = session.next_game() else {
            return Err(at(&"the session was over before it"));
        };
        match result {
            GameResult::Won(side) => session.record(Some(next.player(side))),
            GameResult::Drawn => session.record(None),
            GameResult::Void => return Err(at(&"a game without a result does not count")),
        }
    }
    let next = session.next_game().map(|next| view_of_next(&request, &rules, board, &next));
    let score = session.score();
    let text = match (session.is_over(), session.winner()) {
        (false, _) => format!("Sets {score}."),
        (true, Some(winner)) => {
            format!("The session is over, {score}: the {} player wins.", player_word(winner))
        }
        (true, None) => format!("The session is over, {score}: a draw."),
    };
    Ok(Json(SessionView { over: session.is_over(), next, text }))
}

fn view_of_next(
    request: &SessionRequest,
    rules: &Ruleset,
    board: Start,
    next: &NextGame,
) -> NextView {
    let vela = next.debtor.is_some();
    let start = if vela { board.vela(rules.vela_starter) } else { board.riatra() };
    NextView {
        number: request.results.len() + 1,
        kind: if vela { Kind::Vela } else { Kind::Riatra },
        white: player_word(next.white),
        debtor: start.debtor().map(Side::letter),
        start: start.to_string(),
        title: match next.debtor {
            Some(debtor) => format!("Vela: the {} player is the debtor", player_word(debtor)),
            None => "Riatra".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn view(request: Value) -> Result<Value, ApiError> {
        let request: GameRequest = serde_json::from_value(request).unwrap();
        Ok(serde_json::to_value(PositionView::new(request.replay()?)).unwrap())
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
    fn the_end_of_a_game_is_a_sentence() {
        let seen = view(json!({ "start": { "fen": "9/9/9/W8/9 b" } })).unwrap();
        assert_eq!(
            seen["over"],
            json!({ "result": "1-0", "reason": "no-stones",
                    "text": "White wins: Black has no stones left." })
        );
        assert_eq!(seen["legal"], json!([]));
    }

    #[test]
    fn every_switch_is_one_of_the_rules() {
        for Switch { word, values, default, .. } in SWITCHES {
            assert_eq!(values[0], default);
            for value in values {
                let text = match *value {
                    "off" => String::new(),
                    "on" => word.to_owned(),
                    value => format!("{word}={value}"),
                };
                let rules: Ruleset = text.parse().unwrap();
                let changed = rules != Ruleset::default();
                assert_eq!(changed, *value != default, "{text}");
            }
        }
    }
}
