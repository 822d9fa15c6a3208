//! Asks an engine about every position of a game.

use fanorona_protocol::rules::{Game, IllegalMove, Move, Position, Ruleset};

use super::position::Analyst;
use crate::play;
use fanorona_engine::{Engine, Failure};
use fanorona_tournament::analysis::game::{Choice, GameAnalysis, PlyAnalysis, PositionAnalysis};
use fanorona_tournament::config::Limit;

/// A game to analyse, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request<'g> {
    /// The rules of the game. The engine must have been started with them.
    pub rules: Ruleset,
    /// The start position.
    pub start: Position,
    /// The moves from the start position on, those of the opening included.
    pub moves: &'g [Move],
    /// The number of opening moves. The positions before them are not searched.
    pub book: usize,
    /// The engine's limit for each position. A clock starts anew for each.
    pub limit: Limit,
    /// The number of lines to report for each position, if the engine can report several.
    pub lines: u32,
}

/// Why a game was not analysed.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The engine failed.
    #[error("the engine failed: {0}")]
    Engine(Failure),
    /// A move of the game is not legal.
    #[error("move {number}, `{mv}`, is not legal: {why}")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The move.
        mv: Move,
        /// The reason.
        why: IllegalMove,
    },
}

impl From<Failure> for AnalysisError {
    fn from(failure: Failure) -> AnalysisError {
        AnalysisError::Engine(failure)
    }
}

/// Analyses a game. `on_ply` gets every move as soon as it is judged, which is after the next
/// position has been searched. Dropping the future ends the analysis; the engine may then be in the
/// middle of a search and should be ended too.
///
/// With a limit of nodes or depth, and an engine of one thread, the analysis is the same every time.
///
/// A move is judged by the search of the position after it, which the next move needs anyway. A move
/// that seems to lose chance is checked: the position after the engine's best move is searched as
/// well, so that both are compared at the same depth.
///
/// # Errors
/// Returns an error if the engine fails or a move is not legal.
pub async fn analyse(
    engine: &mut Engine,
    request: &Request<'_>,
    mut on_ply: impl FnMut(&PlyAnalysis),
) -> Result<GameAnalysis, AnalysisError> {
    let Request { rules, start, moves, book, limit, lines } = *request;
    let mut analyst = Analyst { engine, rules, limit };
    analyst.begin(lines).await?;
    let mut game = Game::new(rules, start);
    let mut line = play::opening_line(&start);
    let mut plies: Vec<PlyAnalysis> = Vec::with_capacity(moves.len());
    let mut now = PositionAnalysis::default();
    if book == 0 || moves.is_empty() {
        now = analyst.analyse(&line, &game).await?;
    }
    for (index, &played) in moves.iter().enumerate() {
        let before = game.clone();
        let line_before = line.clone();
        let side = game.position().side_to_move();
        game.play(&played).map_err(|why| AnalysisError::Illegal {
            number: index + 1,
            mv: played,
            why,
        })?;
        play::append(&mut line, &played);
        if line.len() > play::MAX_POSITION {
            line = format!("position fen {}", game.position());
        }
        let next = match index + 1 < book && index + 1 < moves.len() {
            true => PositionAnalysis::default(),
            false => analyst.analyse(&line, &game).await?,
        };
        let mut ply = PlyAnalysis {
            ply: index,
            side,
            played,
            before: now,
            after: None,
            loss: None,
            mark: None,
        };
        let choice = Choice::new(before.position(), &rules, &played, ply.before.best);
        let has_choice = index >= book && choice.has_choice;
        let best_after = match choice.to_check(&ply.before, &next).filter(|_| has_choice) {
            Some(best) => {
                let mut other = before;
                match other.play(&best) {
                    Ok(()) => {
                        let mut line = line_before;
                        play::append(&mut line, &best);
                        Some(analyst.analyse(&line, &other).await?)
                    }
                    // The engine's move is not legal: nothing better is known.
                    Err(_) => None,
                }
            }
            None => None,
        };
        let is_best = ply.before.best.is_some() && choice.other.is_none();
        ply.judge(&next, has_choice, is_best, best_after.as_ref());
        on_ply(&ply);
        plies.push(ply);
        now = next;
    }
    Ok(GameAnalysis::new(plies, now))
}
