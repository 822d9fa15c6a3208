//! Joining solutions of several positions, usually those after the first moves, to a solution of
//! the start.
//!
//! Sets of one claim may be united: what a move leads to in one of them it leads to in the union.
//! Of a position with several ranks the smallest counts, as the positions that it needs have
//! smaller ones still.

use fanorona_protocol::rules::{Position, Ruleset, Side};

use super::check::proves_start;
use fanorona_endgames::Tables;
use fanorona_endgames::solution::{Claim, GameValue, Proof, Record, Solution};

/// The reason why solutions cannot be joined.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JoinError {
    /// There is none.
    #[error("there are no solutions to join")]
    Nothing,
    /// A solution is of another board, or of a vela with another debtor.
    #[error("a solution from `{0}` belongs to another game than the start `{1}`")]
    Game(Position, Position),
    /// The rules of two solutions differ.
    #[error("solutions by the rules `{0}` and by the rules `{1}` do not go together")]
    Rules(Ruleset, Ruleset),
    /// Nothing follows for the start.
    #[error(
        "nothing follows for the start `{0}`: for a side that wins or holds, a solution has to say \
         so after one of its own moves, or after every move of the other side"
    )]
    Open(Position),
}

/// Joins solutions to the strongest statement about a start that follows from them. The sets of the
/// result are not checked again; [`check`](super::check()) does that.
///
/// # Errors
/// Fails if the solutions are not of one game, or if nothing follows.
pub fn join(
    start: &Position,
    parts: &[Solution],
    tables: Option<&Tables>,
) -> Result<Solution, JoinError> {
    let rules = parts.first().ok_or(JoinError::Nothing)?.rules;
    for part in parts {
        let game = |position: &Position| (position.board().size(), position.debtor());
        if game(&part.start) != game(start) {
            return Err(JoinError::Game(part.start, *start));
        }
        if part.rules != rules {
            return Err(JoinError::Rules(rules, part.rules));
        }
    }
    let stones = parts.iter().map(|part| part.stones).max().unwrap_or(0);
    let value = GameValue::Draw;
    let mut joined = Solution { start: *start, rules, stones, value, proofs: Vec::new() };
    let claims = [Claim::Wins, Claim::Holds];
    for (side, claim) in Side::BOTH.into_iter().flat_map(|side| claims.map(|claim| (side, claim))) {
        let proofs = parts.iter().flat_map(|part| &part.proofs);
        let mut records = Vec::new();
        for proof in proofs.filter(|proof| proof.side == side) {
            match (claim, proof.claim) {
                (Claim::Wins, Claim::Holds) => {}
                // A side that wins holds, too; then no rank is needed.
                (Claim::Holds, Claim::Wins) => records.extend(
                    proof.records().iter().map(|it| Record::new(it.white(), it.black(), 0)),
                ),
                _ => records.extend(proof.records()),
            }
        }
        let proof = Proof::new(side, claim, records);
        if proves_start(&joined, &proof, tables) {
            joined.proofs.push(proof);
        }
    }
    let has =
        |set: &(Side, Claim)| joined.proofs.iter().any(|proof| (proof.side, proof.claim) == *set);
    let value = GameValue::ALL.into_iter().find(|value| value.sets().iter().all(has));
    joined.value = value.ok_or(JoinError::Open(*start))?;
    joined.proofs.retain(|proof| joined.value.sets().contains(&(proof.side, proof.claim)));
    Ok(joined)
}
