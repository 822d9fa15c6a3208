//! Sessions: riatra, the vela that its result demands, and what comes after.

use fanorona_protocol::rules::{NextGame, Player, Ruleset, Session, SessionRules, Side, Start};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::termination::GameResult;
use serde::{Deserialize, Serialize};

use super::positions::rules_of;
use super::refusal::Refusal;

/// A session so far, as a page sends it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SessionRequest {
    board: String,
    #[serde(default)]
    rules: String,
    /// The results of its games, by colours.
    #[serde(default)]
    results: Vec<String>,
}

/// The state of a session.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SessionView {
    over: bool,
    /// The sets of the first player and of the second, in halves.
    halves: [u32; 2],
    winner: Option<&'static str>,
    next: Option<NextView>,
}

#[derive(Clone, Debug, Serialize)]
struct NextView {
    number: usize,
    kind: Kind,
    white: &'static str,
    debtor: Option<char>,
    start: String,
}

fn player_word(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// `/api/session`: what comes next in a session.
pub(crate) fn session(request: &SessionRequest) -> Result<SessionView, Refusal> {
    let rules = rules_of(&request.rules)?;
    let board: Start = request.board.parse().map_err(Refusal::invalid)?;
    let mut session = Session::new(SessionRules::default(), rules.vela_starter);
    for (index, word) in request.results.iter().enumerate() {
        let at = |why: &dyn std::fmt::Display| {
            Refusal::invalid(format!("the result of game {}: {why}", index + 1))
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
    let next = session.next_game().map(|next| view_of_next(request, &rules, board, &next));
    let score = session.score();
    Ok(SessionView {
        over: session.is_over(),
        halves: [Player::First, Player::Second].map(|player| score.halves(player)),
        winner: session.winner().filter(|_| session.is_over()).map(player_word),
        next,
    })
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
    }
}
