//! What a bot is: something that chooses a move.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

use fanorona_protocol::messages::{Info, Limits, OptionSpec, Value};
use fanorona_protocol::rules::{Effect, History, Move, Position, Ruleset};

use crate::budget::Budget;

/// A player behind the session. It knows positions and budgets, but no line of the protocol and no
/// clock but its budget's.
pub trait Bot: Send {
    /// The name of its program, like `bot-random`.
    fn name(&self) -> &'static str;

    /// The options it has besides those of the session (`Rules`, `MoveOverhead`).
    fn options(&self) -> Vec<OptionSpec>;

    /// Sets one of its options to a value its declaration allows. The manager waits for it, so it
    /// may take as long as it needs.
    ///
    /// # Errors
    /// When the value is of no use all the same, like a directory that is not there. Then the
    /// option keeps the value it had.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError>;

    /// Forgets everything learned (hash, tree, history) and restarts random numbers from the seed.
    fn new_game(&mut self);

    /// Chooses one of the task's moves within its budget.
    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice;

    /// The exact value of the position a game has come to, where the bot has it without searching.
    fn value(&mut self, _game: &History, _rules: &Ruleset) -> Value {
        Value::Unknown
    }

    /// The limits of one position of the bench: some seconds in all, and the same count of nodes
    /// on every machine.
    fn bench_limits(&self) -> Limits;
}

/// Why a bot cannot use a value of an option, which therefore keeps the one it had.
#[derive(Debug, thiserror::Error)]
#[error("option {name} keeps its value: {why}")]
pub struct OptionError {
    /// The option.
    pub name: String,
    /// What is wrong with the value, and what to do about it.
    pub why: Box<dyn Error + Send + Sync>,
}

/// A move a bot may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// Its path.
    pub mv: Move,
    /// What it does.
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

/// What a bot is asked: a move in the position a game has come to.
pub struct Task<'t> {
    /// The game so far; its last position is not over by the stones, though a draw by repetition
    /// or limit may have been reached.
    pub game: &'t History,
    /// The rules it is played by.
    pub rules: &'t Ruleset,
    /// The moves to choose from, at least one, in the generator's order.
    pub moves: &'t [RootMove],
    /// How long to think.
    pub budget: &'t Budget,
}

/// What a bot answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// One of the task's moves.
    pub mv: Move,
    /// Nodes it took.
    pub nodes: u64,
}

/// Takes a bot's reports on its search.
pub trait Observer {
    /// Takes one.
    fn info(&mut self, info: Info);
}

/// A report of so many nodes in some time, everything else still to be told.
pub fn effort(nodes: u64, time: Duration) -> Info {
    Info {
        nodes: Some(nodes),
        nps: Some(nodes_per_second(nodes, time)),
        time: Some(time.as_millis() as u64),
        ..Info::default()
    }
}

/// Nodes a second.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    (u128::from(nodes) * 1_000_000_000 / time.as_nanos().max(1)) as u64
}

/// An observer that looks away.
pub struct Unobserved;

impl Observer for Unobserved {
    fn info(&mut self, _: Info) {}
}
