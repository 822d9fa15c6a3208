//! Values in a game, which has limits and a history that the tables do not know.

use std::ops::ControlFlow;

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{Effect, Ending, Game, History, Position, Ruleset};

use super::error::FileError;
use super::outcome::{Outcome, before_move};
use super::tables::Tables;

/// The limits that turn a win into a draw when it takes too long; 0 means no limit.
#[derive(Clone, Copy, Debug)]
pub struct GameLimits {
    quiet: u32,
    max_plies: u32,
}

impl GameLimits {
    /// The limits of a ruleset.
    pub fn new(rules: &Ruleset) -> GameLimits {
        GameLimits { quiet: rules.quiet, max_plies: rules.max_plies }
    }

    /// Whether the limits leave time for a win or loss in this many plies, even without a capture
    /// on the way, after `played` plies of the game. The move that ends the game may be the one
    /// that reaches the limit.
    #[inline]
    pub fn leave(&self, plies: u32, position: &Position, played: u32) -> bool {
        let within = |limit: u32, count: u32| limit == 0 || count.saturating_add(plies) <= limit;
        within(self.quiet, position.quiet_plies()) && within(self.max_plies, played)
    }
}

/// The value of a game's current position for the side to move, with regard to limits and
/// repetitions. `None` if the tables do not have it, or if a limit may come before the win.
///
/// # Errors
/// Fails when a table is damaged.
pub fn value_in_game(tables: &Tables, game: &Game) -> Result<Option<Value>, FileError> {
    let (position, rules) = (game.position(), game.rules());
    if let Some(ending) = game.ending() {
        return Ok(Some(value_of_ending(ending, position)));
    }
    let Some(value) = tables.value(position, rules)? else { return Ok(None) };
    let (Value::Win(plies) | Value::Loss(plies)) = value else { return Ok(Some(value)) };
    let in_time = GameLimits::new(rules).leave(plies, position, game.history().plies());
    let certain = in_time && !may_repeat(tables, game, value, plies)?;
    Ok(certain.then_some(value))
}

/// The value of a position in which the game is over.
pub fn value_of_ending(ending: Ending, position: &Position) -> Value {
    match Outcome::from_winner(ending.winner, position.side_to_move()) {
        Outcome::Win => Value::Win(0),
        Outcome::Draw => Value::Draw,
        Outcome::Loss => Value::Loss(0),
    }
}

/// Whether the winning line may repeat a position often enough to draw. The plies to the end fall
/// with every move, so only positions matter that have fewer plies and the same winner.
fn may_repeat(tables: &Tables, game: &Game, value: Value, plies: u32) -> Result<bool, FileError> {
    let (history, rules) = (game.history(), game.rules());
    if rules.repetition == 0 {
        return Ok(false);
    }
    let (now, positions) = (history.position(), history.positions());
    let since = (now.quiet_plies() as usize).min(positions.len() - 1);
    let past = &positions[positions.len() - 1 - since..];
    for (index, position) in past.iter().enumerate() {
        let before = past[..index].iter().filter(|other| *other == position).count() as u32;
        if before + 2 < rules.repetition {
            continue;
        }
        let Some(there) = tables.value(position, rules)? else { continue };
        let (same, fewer) = match (there, value) {
            (Value::Win(there), Value::Win(_)) | (Value::Loss(there), Value::Loss(_)) => {
                (position.side_to_move() == now.side_to_move(), there < plies)
            }
            (Value::Win(there), Value::Loss(_)) | (Value::Loss(there), Value::Win(_)) => {
                (position.side_to_move() != now.side_to_move(), there < plies)
            }
            _ => continue,
        };
        if same && fewer {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A move and its value for the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The effect of the move.
    pub effect: Effect,
    /// The value, with plies counted from the position before the move.
    pub value: Value,
    /// Whether a win or loss comes before every limit of the game.
    pub certain: bool,
}

impl ProbedMove {
    /// A number that is larger for better moves: wins in time, the shortest first; wins that may
    /// come too late; draws; losses that may come too late; losses in time, the longest first.
    pub fn rank(&self) -> i64 {
        const CLASS: i64 = 1 << 32;
        match (self.value, self.certain) {
            (Value::Win(plies), true) => 2 * CLASS - i64::from(plies),
            (Value::Win(plies), false) => CLASS - i64::from(plies),
            (Value::Draw, _) => 0,
            (Value::Loss(plies), false) => i64::from(plies) - CLASS,
            (Value::Loss(plies), true) => i64::from(plies) - 2 * CLASS,
        }
    }
}

/// The values of moves in a game's current position, in their order; `None` unless the tables know
/// all of them.
///
/// # Errors
/// Fails when a table is damaged.
pub fn probe_moves(
    tables: &Tables,
    game: &Game,
    effects: impl IntoIterator<Item = Effect>,
) -> Result<Option<Vec<ProbedMove>>, FileError> {
    probe(tables, &mut game.history().clone(), game.rules(), effects)
}

/// Probes the position after each effect. The history is the same before and after.
fn probe(
    tables: &Tables,
    history: &mut History,
    rules: &Ruleset,
    effects: impl IntoIterator<Item = Effect>,
) -> Result<Option<Vec<ProbedMove>>, FileError> {
    let limits = GameLimits::new(rules);
    let mut probed = Vec::new();
    for effect in effects {
        history.apply_unchecked(effect);
        let after = history.position();
        let value = match history.ending(rules) {
            Some(ending) => Some(value_of_ending(ending, after)),
            None => tables.value(after, rules)?,
        };
        let Some(value) = value else { return Ok(None) };
        let in_time = |plies| limits.leave(plies, after, history.plies());
        let certain = match value {
            Value::Draw => true,
            Value::Win(plies) | Value::Loss(plies) => in_time(plies),
        };
        probed.push(ProbedMove { effect, value: before_move(value), certain });
        history.undo();
    }
    Ok(Some(probed))
}

/// The maximum length of a line in plies.
const LINE: usize = 12;

/// The continuation of a game after a move when both sides play by the tables, for some plies. Only
/// the move itself if the tables do not know the position after it.
///
/// # Errors
/// Fails when a table is damaged.
pub fn perfect_line(
    tables: &Tables,
    game: &Game,
    effect: Effect,
) -> Result<Vec<Effect>, FileError> {
    let mut line = vec![effect];
    let (mut history, rules) = (game.history().clone(), game.rules());
    history.apply_unchecked(effect);
    while line.len() < LINE && history.ending(rules).is_none() {
        let mut effects = Vec::new();
        // The visitor never breaks.
        let _ = history.position().visit_moves(rules, |_, effect| {
            effects.push(effect);
            ControlFlow::Continue(())
        });
        let Some(probed) = probe(tables, &mut history, rules, effects)? else { break };
        // The first of equal moves.
        let best = probed.iter().rev().max_by_key(|mv| mv.rank());
        let best = best.expect("a game that goes on has moves").effect;
        line.push(best);
        history.apply_unchecked(best);
    }
    Ok(line)
}
