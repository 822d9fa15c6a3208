//! The current game of a session: how commands set it up and what it answers to queries.

use fanorona_endgames::value_of_ending;
use fanorona_protocol::messages::{Query, StartText, ValueResponse};
use fanorona_protocol::rules::{Ending, Game, Move, Ruleset, Side, Start};

use crate::bot::RootMove;

/// The standard start: riatra on 9×5.
pub(super) fn startpos(rules: Ruleset) -> Game {
    Game::new(rules, Start::TSIVY.riatra())
}

/// The game described by a `position` command, or an error message.
pub(super) fn set_up(start: &StartText, moves: &[String], rules: Ruleset) -> Result<Game, String> {
    let mut game = match start {
        StartText::Startpos => startpos(rules),
        StartText::Fen(fen) => {
            let position = fen.parse().map_err(|why| format!("position refused: {why}"))?;
            Game::new(rules, position)
        }
    };
    for (index, word) in moves.iter().enumerate() {
        let number = index + 1;
        let mv: Move =
            word.parse().map_err(|why| format!("position refused: move {number}: {why}"))?;
        let played = game.play(&mv);
        played.map_err(|why| format!("position refused: move {number} `{word}`: {why}"))?;
    }
    Ok(game)
}

/// Whether the stones have ended the game, so no move can be played. Repetition and limits do not
/// count: after them the bot still answers with a move.
pub(super) fn is_over(game: &Game) -> bool {
    game.rules().ending(game.position()).is_some()
}

/// The moves to choose from: the legal ones of a restriction, or all moves. Also returns error
/// messages about the restriction.
pub(super) fn root_moves(game: &Game, restriction: &[String]) -> (Vec<RootMove>, Vec<String>) {
    let all = RootMove::all(game.position(), game.rules());
    if restriction.is_empty() {
        return (all, Vec::new());
    }
    let mut wanted = Vec::new();
    let mut unknown = Vec::new();
    for word in restriction {
        match word.parse::<Move>() {
            Ok(mv) if all.iter().any(|root| root.mv == mv) => wanted.push(mv),
            Ok(_) => unknown.push(format!("searchmoves: `{word}` is not a legal move here")),
            Err(why) => unknown.push(format!("searchmoves: {why}")),
        }
    }
    if wanted.is_empty() {
        unknown.push("searchmoves has no legal move; searching all moves".into());
        return (all, unknown);
    }
    let moves = all.into_iter().filter(|root| wanted.contains(&root.mv)).collect();
    (moves, unknown)
}

/// The answer to a query; `None` if only the bot may know it.
pub(super) fn answer(game: &Game, query: Query) -> Option<String> {
    let ending = game.ending();
    let position = game.position();
    Some(match query {
        Query::GameOver => ending.is_some().to_string(),
        Query::P1Turn => (position.side_to_move() == Side::White).to_string(),
        Query::Result => result(ending).to_owned(),
        Query::Fen => position.to_string(),
        Query::Moves => {
            game.legal_moves().iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
        }
        Query::Value => ValueResponse(Some(value_of_ending(ending?, position))).to_string(),
        // A query of a later protocol.
        _ => "none".to_owned(),
    })
}

/// The protocol's word for the result of a game.
fn result(ending: Option<Ending>) -> &'static str {
    match ending {
        None => "none",
        Some(Ending { winner: Some(Side::White), .. }) => "p1win",
        Some(Ending { winner: Some(Side::Black), .. }) => "p2win",
        Some(Ending { winner: None, .. }) => "draw",
    }
}
