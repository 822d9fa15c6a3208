//! The interface of a bot: it chooses a move.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

use fanorona_protocol::messages::{Info, Limits, OptionSpec, Score, Value};
use fanorona_protocol::rules::{Effect, Game, Move, Position, Ruleset};

use crate::budget::Budget;

/// A player behind the session. It knows positions and budgets, but nothing of the protocol, and it
/// reads no clock except that of its budget.
pub trait Bot: Send {
    /// The name of the program, for example `bot-random`.
    fn name(&self) -> &'static str;

    /// The bot's own options, in addition to those of the session (`Rules`, `MoveOverhead`).
    fn options(&self) -> Vec<OptionSpec>;

    /// Whether searches in the opponent's time make it stronger, so that it declares `Ponder`.
    fn ponders(&self) -> bool {
        false
    }

    /// Sets one of the bot's options to a value that its declaration allows. The manager waits
    /// until it returns, so it may take as long as it needs.
    ///
    /// # Errors
    /// Fails when the bot cannot use the value, for example a directory that does not exist. The
    /// option then keeps its old value.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// Forgets everything learned (hash table, tree, history) and restarts the random numbers from
    /// the seed.
    fn new_game(&mut self);

    /// Chooses one of the task's moves within its budget.
    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice;

    /// The exact value of a game's current position, if the bot knows it without a search.
    fn value(&mut self, _game: &Game) -> Option<Value> {
        None
    }

    /// The limits for one position of the bench. They should take some seconds in total and give
    /// the same node count on every machine.
    fn bench_limits(&self) -> Limits;
}

/// The reason why a bot cannot use an option's value. The option keeps its old value.
#[derive(Debug, thiserror::Error)]
#[error("option {name} keeps its value: {why}")]
pub struct OptionError {
    /// The option.
    pub name: String,
    /// The problem of the value, and its remedy.
    pub why: Box<dyn Error + Send + Sync>,
}

/// A move a bot may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move itself.
    pub mv: Move,
    /// Its effect on the board.
    pub effect: Effect,
}

impl RootMove {
    /// Every legal move of a position, in the generator's order.
    pub fn all(position: &Position, rules: &Ruleset) -> Vec<RootMove> {
        let mut moves = Vec::new();
        // The visitor never breaks.
        let _ = position.visit_moves(rules, |&mv, effect| {
            moves.push(RootMove { mv, effect });
            ControlFlow::Continue(())
        });
        moves
    }
}

/// Converts a line of effects to moves. For each effect it takes the first path.
pub(crate) fn moves_of_line(position: &Position, rules: &Ruleset, line: &[Effect]) -> Vec<Move> {
    let mut position = *position;
    let mut moves = Vec::with_capacity(line.len());
    for &effect in line {
        let mut found = None;
        // The visitor breaks when it has found the move.
        let _ = position.visit_moves(rules, |mv, of_move| {
            if of_move == effect {
                found = Some(*mv);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        let Some(mv) = found else { break };
        moves.push(mv);
        position = position.apply_unchecked(effect);
    }
    moves
}

/// A search request: the current position of a game, and the limits of the search.
pub struct Task<'t> {
    /// The game so far, with its rules. The stones have not ended it, although a draw by repetition or by a limit
    /// may have been reached.
    pub game: &'t Game,
    /// The moves to choose from: at least one, in the generator's order.
    pub moves: &'t [RootMove],
    /// The limits of the search.
    pub budget: &'t Budget,
}

/// A bot's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// One of the task's moves.
    pub mv: Move,
    /// The number of nodes searched.
    pub nodes: u64,
}

/// Receives the reports of a search.
pub trait Observer {
    /// Receives one report.
    fn info(&mut self, info: Info);
}

/// A report with the nodes and the time of a search; the other fields are empty.
pub fn effort(nodes: u64, time: Duration) -> Info {
    let mut report = Info::default();
    report.nodes = Some(nodes);
    report.nps = Some(nodes_per_second(nodes, time));
    report.time = Some(time.as_millis() as u64);
    report
}

/// Nodes per second.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}

/// An observer that ignores all reports.
pub struct NullObserver;

impl Observer for NullObserver {
    fn info(&mut self, _: Info) {}
}

/// An observer that remembers the last score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastScore(pub Score);

impl Observer for LastScore {
    fn info(&mut self, info: Info) {
        if let Some(score) = info.score {
            self.0 = score;
        }
    }
}
