//! Asks an engine which of two moves is better.

use fanorona_protocol::rules::{Game, Move, Position, Ruleset};

use super::games::AnalysisError;
use super::position::Analyst;
use crate::play;
use fanorona_engine::Engine;
use fanorona_tournament::analysis::game::PositionAnalysis;
use fanorona_tournament::config::Limit;

/// Two moves in a position.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// The rules. The engine must have been started with them.
    pub rules: Ruleset,
    /// The start of the game.
    pub start: Position,
    /// The moves up to the position.
    pub moves: &'q [Move],
    /// The moves to compare.
    pub choices: [Move; 2],
    /// The engine's limit for each search.
    pub limit: Limit,
}

/// The opinion of the engine.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Opinion {
    /// The engine's own move.
    pub best: Option<Move>,
    /// The winning chance of the player after each of the moves; `None` if they lead to the same
    /// position, or the engine reported no score.
    pub chances: Option<[f64; 2]>,
    /// Whether both chances are exact: from the rules or from endgame tables.
    pub exact: bool,
}

/// Compares two moves by searching the positions after them, and asks for the best move.
///
/// # Errors
/// Returns an error if the engine fails or a move is not legal.
pub async fn compare(
    engine: &mut Engine,
    question: &Question<'_>,
) -> Result<Opinion, AnalysisError> {
    let Question { rules, start, moves, choices, limit } = *question;
    let mut analyst = Analyst { engine, rules, limit };
    analyst.begin(1).await?;
    let mut game = Game::new(rules, start);
    for (index, mv) in moves.iter().enumerate() {
        play(&mut game, mv, index)?;
    }
    let line = play::position_line(&start, moves);
    let best = analyst.analyse(&line, &game).await?.best;
    let after = choices.map(|mv| {
        let mut after = game.clone();
        play(&mut after, &mv, moves.len()).map(|()| after)
    });
    let [one, other] = after;
    let after = [one?, other?];
    if after[0].position() == after[1].position() {
        return Ok(Opinion { best, chances: None, exact: false });
    }
    let mut found = Vec::with_capacity(2);
    for (mv, game) in choices.iter().zip(&after) {
        let mut line = line.clone();
        play::append(&mut line, mv);
        // The answers must not depend on their order.
        analyst.begin(1).await?;
        found.push(analyst.analyse(&line, game).await?);
    }
    let exact = found.iter().all(|it| it.exact);
    let chance = |it: &PositionAnalysis| it.chance.map(|chance| 1.0 - chance);
    let chances = chance(&found[0]).zip(chance(&found[1])).map(|(one, other)| [one, other]);
    Ok(Opinion { best, chances, exact })
}

/// Plays a move of a game, which is the one after `index` others.
fn play(game: &mut Game, mv: &Move, index: usize) -> Result<(), AnalysisError> {
    let illegal = |why| AnalysisError::Illegal { number: index + 1, mv: *mv, why };
    game.play(mv).map_err(illegal)
}
