//! Withdrawal of engines: one that is at fault in three of its games in a row plays no further pairing,
//! and one that does not start plays none.

use fanorona_protocol::rules::Side;

use crate::game::fault::Fault;
use crate::game::termination::GameResult;
use crate::pairing::ids::{EngineId, GameId, PairingId};
use crate::record::Summary;

/// An engine is withdrawn after this many faults in a row. A fault that only one of two workers saw
/// does not count.
const MAX_FAULTS: usize = 3;

/// A withdrawn engine. None of its pairings after its last fault counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Withdrawal {
    /// The engine.
    pub engine: EngineId,
    /// Its faults, or why it did not start.
    pub why: WithdrawalReason,
}

/// Why an engine is withdrawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WithdrawalReason {
    /// The games in which it was at fault, consecutive among its own games.
    Faults([(GameId, Fault); MAX_FAULTS]),
    /// It did not start before the first game, for this reason; the others play without it.
    Broken(String),
}

impl Withdrawal {
    /// The game after which it was withdrawn; `None` if before the first game.
    pub fn after(&self) -> Option<GameId> {
        match &self.why {
            WithdrawalReason::Faults(faults) => Some(faults[MAX_FAULTS - 1].0),
            WithdrawalReason::Broken(_) => None,
        }
    }
}

/// The withdrawn engines, and how close the others are to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Withdrawals {
    /// Each engine's current run of consecutive faults.
    rows: Vec<Vec<(GameId, Fault)>>,
    list: Vec<Withdrawal>,
}

impl Withdrawals {
    /// None yet, of this many engines.
    pub(super) fn none(engines: usize) -> Withdrawals {
        Withdrawals { rows: vec![Vec::new(); engines], list: Vec::new() }
    }

    /// Withdraws an engine that did not start, for this reason.
    pub(super) fn add_broken(&mut self, engine: EngineId, why: String) {
        self.list.push(Withdrawal { engine, why: WithdrawalReason::Broken(why) });
    }

    /// Counts the faults of a finished game, which must be the next one of its players to count.
    pub(super) fn judge(&mut self, game: &Summary, is_doubted: bool) {
        for side in Side::BOTH {
            let engine = game.player(side);
            // An engine that has been removed from the config takes part in no further pairing.
            let Some(row) = self.rows.get_mut(engine.0).filter(|row| row.len() < MAX_FAULTS) else {
                continue;
            };
            match game.fault_of(side) {
                // Only one of two workers saw it.
                Some(_) if is_doubted => {}
                Some(fault) => row.push((game.id(), fault)),
                // An opponent's fault or a fault of the arena gives no information about this
                // engine: it may not have been asked for a move at all.
                None if game.fault.is_some() || game.result == GameResult::Void => {}
                None => row.clear(),
            }
            if let Ok(faults) = row[..].try_into() {
                self.list.push(Withdrawal { engine, why: WithdrawalReason::Faults(faults) });
            }
        }
    }

    /// The withdrawals, in the order of the decisions.
    pub(super) fn list(&self) -> &[Withdrawal] {
        &self.list
    }

    /// The engines that are withdrawn.
    pub(super) fn engines(&self) -> Vec<EngineId> {
        self.list.iter().map(|it| it.engine).collect()
    }

    /// Whether a pairing comes after the withdrawal of one of its players.
    pub(super) fn is_beyond(&self, pairing: PairingId, players: [EngineId; 2]) -> bool {
        self.list.iter().any(|withdrawal| {
            let is_over = withdrawal.after().is_none_or(|after| after.pairing < pairing);
            players.contains(&withdrawal.engine) && is_over
        })
    }
}
