//! What the tables do not know: the limits of a game, and what has happened in it.

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{Effect, Ending, History, Position, Ruleset};

use super::error::FileError;
use super::outcome::{Outcome, before_move};
use super::tables::Tables;

/// The limits that move a win into a draw when it takes too long; 0 for none.
#[derive(Clone, Copy, Debug)]
pub struct GameLimits {
    quiet: u32,
    max_plies: u32,
}

impl GameLimits {
    /// Those of some rules.
    pub fn of(rules: &Ruleset) -> GameLimits {
        GameLimits { quiet: rules.quiet, max_plies: rules.max_plies }
    }

    /// Whether a win or loss in so many plies comes in time, even if nothing is captured on the
    /// way, in a game of `played` plies. The move that ends the game may be the one that reaches
    /// the limit.
    #[inline]
    pub fn leave(&self, plies: u32, position: &Position, played: u32) -> bool {
        let within = |limit: u32, count: u32| limit == 0 || count.saturating_add(plies) <= limit;
        within(self.quiet, position.quiet_plies()) && within(self.max_plies, played)
    }
}

/// What the present position of a game is worth to the side to move, its limits and repetitions
/// regarded; [`Value::Unknown`] where the tables do not know, or where a limit may come before the
/// win that is in them.
///
/// # Errors
/// When a table is damaged.
pub fn value_in_game(tables: &Tables, game: &History, rules: &Ruleset) -> Result<Value, FileError> {
    let position = game.position();
    if let Some(ending) = game.ending(rules) {
        return Ok(value_of_ending(ending, position));
    }
    let value = tables.value(position, rules)?;
    let (Value::Win(plies) | Value::Loss(plies)) = value else { return Ok(value) };
    let in_time = GameLimits::of(rules).leave(plies, position, game.plies());
    match in_time && !may_repeat(tables, game, rules, value, plies)? {
        true => Ok(value),
        false => Ok(Value::Unknown),
    }
}

/// The value of a position in which the game is over.
pub fn value_of_ending(ending: Ending, position: &Position) -> Value {
    match Outcome::of_winner(ending.winner, position.side_to_move()) {
        Outcome::Win => Value::Win(0),
        Outcome::Draw => Value::Draw,
        Outcome::Loss => Value::Loss(0),
    }
}

/// Whether the way to the end may lead through a position that the game has seen so often that once
/// more is a draw. Plies to the end fall with every move, so only positions with fewer matter that
/// the same side wins.
fn may_repeat(
    tables: &Tables,
    game: &History,
    rules: &Ruleset,
    value: Value,
    plies: u32,
) -> Result<bool, FileError> {
    if rules.repetition == 0 {
        return Ok(false);
    }
    let now = game.position();
    let since = (now.quiet_plies() as usize).min(game.positions().len() - 1);
    let past = &game.positions()[game.positions().len() - 1 - since..];
    for (index, position) in past.iter().enumerate() {
        let before = past[..index].iter().filter(|other| *other == position).count() as u32;
        if before + 2 < rules.repetition {
            continue;
        }
        let (same, fewer) = match (tables.value(position, rules)?, value) {
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

/// A move and what it is worth to the side that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedMove {
    /// What it does.
    pub effect: Effect,
    /// A win, draw or loss, plies counted from the position before the move.
    pub value: Value,
    /// Whether a win or loss comes before every limit of the game.
    pub certain: bool,
}

impl JudgedMove {
    /// Larger for better moves: wins that come in time, the shortest first; wins that may come too
    /// late; draws; losses that may come too late; losses, the longest first.
    pub fn rank(&self) -> i64 {
        const CLASS: i64 = 1 << 32;
        match (self.value, self.certain) {
            (Value::Win(plies), true) => 2 * CLASS - i64::from(plies),
            (Value::Win(plies), false) => CLASS - i64::from(plies),
            (Value::Draw | Value::Unknown, _) => 0,
            (Value::Loss(plies), false) => i64::from(plies) - CLASS,
            (Value::Loss(plies), true) => i64::from(plies) - 2 * CLASS,
        }
    }
}

/// What moves of a game's present position are worth, in their order; `None` unless the tables know
/// them all.
///
/// # Errors
/// When a table is damaged.
pub fn judge_moves(
    tables: &Tables,
    game: &History,
    rules: &Ruleset,
    effects: impl IntoIterator<Item = Effect>,
) -> Result<Option<Vec<JudgedMove>>, FileError> {
    let limits = GameLimits::of(rules);
    let mut game = game.clone();
    let mut judged = Vec::new();
    for effect in effects {
        game.play_unchecked(effect);
        let after = game.position();
        let value = match game.ending(rules) {
            Some(ending) => value_of_ending(ending, after),
            None => tables.value(after, rules)?,
        };
        let in_time = |plies| limits.leave(plies, after, game.plies());
        let certain = match value {
            Value::Unknown => return Ok(None),
            Value::Draw => true,
            Value::Win(plies) | Value::Loss(plies) => in_time(plies),
        };
        judged.push(JudgedMove { effect, value: before_move(value), certain });
        game.undo();
    }
    Ok(Some(judged))
}

/// Plies of a line that is told.
const LINE: usize = 12;

/// How a game goes on after a move when both sides play by the tables, for some plies; only the move
/// where they do not know the position after it.
///
/// # Errors
/// When a table is damaged.
pub fn perfect_line(
    tables: &Tables,
    game: &History,
    rules: &Ruleset,
    effect: Effect,
) -> Result<Vec<Effect>, FileError> {
    let mut line = vec![effect];
    let mut game = game.clone();
    game.play_unchecked(effect);
    while line.len() < LINE && game.ending(rules).is_none() {
        let effects = game.position().effects(rules);
        let Some(judged) = judge_moves(tables, &game, rules, effects)? else { break };
        // Of equals the first.
        let best = judged.iter().rev().max_by_key(|mv| mv.rank());
        let best = best.expect("a game that goes on has moves").effect;
        line.push(best);
        game.play_unchecked(best);
    }
    Ok(line)
}
