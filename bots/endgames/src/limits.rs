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
    let certainty = certainty(tables, &mut game.history().clone(), rules, value, 0)?;
    Ok((certainty == Certainty::Exact).then_some(value))
}

/// How far a win or loss of the tables holds in a game, which has limits and earlier positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It comes, in this number of plies. A draw of the tables is exact, too.
    Exact,
    /// It comes, but it may take longer.
    Delayed,
    /// A limit or a repetition may prevent it.
    Open,
    /// The side that should lose can repeat a position often enough to draw.
    Repeated,
}

/// The number of plies in which moves are tried to see whether a repetition can be avoided.
const LOOKAHEAD: u32 = 4;

/// How far the value that the tables give to the current position of a history holds. Not every
/// possible repetition can be forced, so the next plies are searched. The history is the same before and
/// after.
fn certainty(
    tables: &Tables,
    history: &mut History,
    rules: &Ruleset,
    value: Value,
    lookahead: u32,
) -> Result<Certainty, FileError> {
    let (wins, plies) = match value {
        Value::Win(plies) => (true, plies),
        Value::Loss(plies) => (false, plies),
        Value::Draw => return Ok(Certainty::Exact),
    };
    if !GameLimits::new(rules).leave(plies, history.position(), history.plies()) {
        return Ok(Certainty::Open);
    }
    if plies == 0 || !may_repeat(tables, history, rules, value)? {
        return Ok(Certainty::Exact);
    }
    if lookahead == 0 {
        return Ok(Certainty::Open);
    }
    let mut found = Vec::new();
    for effect in effects(history, rules) {
        history.apply_unchecked(effect);
        let after = match value_of_current(tables, history, rules)? {
            None => Some(Certainty::Open),
            Some(Value::Draw) => Some(Certainty::Repeated),
            Some(Value::Win(_)) if wins => None,
            Some(after) => {
                let certainty = certainty(tables, history, rules, after, lookahead - 1)?;
                let is_shortest = after == Value::Loss(plies - 1);
                let is_later = wins && !is_shortest && certainty == Certainty::Exact;
                Some(if is_later { Certainty::Delayed } else { certainty })
            }
        };
        history.undo();
        // This decides the position, whatever the other moves are.
        match after {
            Some(Certainty::Exact) if wins => return Ok(Certainty::Exact),
            Some(Certainty::Repeated) if !wins => return Ok(Certainty::Repeated),
            after => found.extend(after),
        }
    }
    // The winner takes the surest of its moves, the loser the least sure.
    let (order, otherwise) = match wins {
        true => ([Certainty::Delayed, Certainty::Open], Certainty::Repeated),
        false => ([Certainty::Open, Certainty::Delayed], Certainty::Exact),
    };
    Ok(order.into_iter().find(|certainty| found.contains(certainty)).unwrap_or(otherwise))
}

/// The moves in the current position of a history.
fn effects(history: &History, rules: &Ruleset) -> Vec<Effect> {
    let mut effects = Vec::new();
    // The visitor never breaks.
    let _ = history.position().visit_moves(rules, |_, effect| {
        effects.push(effect);
        ControlFlow::Continue(())
    });
    effects
}

/// The value of the current position of a history, by the rules or by the tables.
fn value_of_current(
    tables: &Tables,
    history: &History,
    rules: &Ruleset,
) -> Result<Option<Value>, FileError> {
    let position = history.position();
    match history.ending(rules) {
        Some(ending) => Ok(Some(value_of_ending(ending, position))),
        None => tables.value(position, rules),
    }
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
fn may_repeat(
    tables: &Tables,
    history: &History,
    rules: &Ruleset,
    value: Value,
) -> Result<bool, FileError> {
    let (Value::Win(plies) | Value::Loss(plies)) = value else { return Ok(false) };
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
    /// How far the value holds in the game.
    pub certainty: Certainty,
}

impl ProbedMove {
    /// A number that is larger for better moves: certain wins, the shortest first; those that may be
    /// delayed; those that a limit or a repetition may prevent; draws; and losses in the opposite order.
    pub fn rank(&self) -> i64 {
        const CLASS: i64 = 1 << 32;
        let class = match self.certainty {
            Certainty::Exact => 3 * CLASS,
            Certainty::Delayed => 2 * CLASS,
            Certainty::Open => CLASS,
            // Better than a draw of the tables only because the opponent may miss it.
            Certainty::Repeated => CLASS / 2,
        };
        match self.value {
            Value::Win(plies) => class - i64::from(plies),
            Value::Draw => 0,
            Value::Loss(plies) => i64::from(plies) - class,
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
    let mut probed = Vec::new();
    for effect in effects {
        history.apply_unchecked(effect);
        let value = value_of_current(tables, history, rules)?;
        let Some(value) = value else { return Ok(None) };
        let certainty = certainty(tables, history, rules, value, LOOKAHEAD)?;
        probed.push(ProbedMove { effect, value: before_move(value), certainty });
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
        let effects = effects(&history, rules);
        let Some(probed) = probe(tables, &mut history, rules, effects)? else { break };
        // The first of equal moves.
        let best = probed.iter().rev().max_by_key(|mv| mv.rank());
        let best = best.expect("a game that goes on has moves").effect;
        line.push(best);
        history.apply_unchecked(best);
    }
    Ok(line)
}
