//! The numbers of actions: every step of every point, and the end of a move.

use fanorona_protocol::rules::{BoardSize, Direction, Move, PartialMove, Ruleset, raw};
use pyo3::prelude::*;

use crate::position::{Position, illegal};
use crate::values::{MoveLike, parsed, value_error};

/// The number of the action that ends a move. All smaller numbers are steps.
pub(super) fn end_of_move(size: BoardSize) -> usize {
    24 * size.points()
}

/// The number of actions on a board.
pub(super) fn count(size: BoardSize) -> usize {
    end_of_move(size) + 1
}

/// The number of actions on a board: 1081 on 9x5.
#[pyfunction]
#[pyo3(signature = (board = "9x5"))]
pub(crate) fn action_count(board: &str) -> PyResult<usize> {
    Ok(count(parsed(board)?))
}

/// The text of an action, like `e2e3A`, or `end`.
#[pyfunction]
#[pyo3(signature = (action, board = "9x5"))]
pub(crate) fn action_text(action: usize, board: &str) -> PyResult<String> {
    let size: BoardSize = parsed(board)?;
    if action == end_of_move(size) {
        return Ok("end".to_owned());
    }
    let (from, step) = raw::numbered_step(action);
    let from = raw::point(from, size);
    let to = from.and_then(|from| from.offset(step.direction));
    let (Some(from), Some(to)) = (from, to.filter(|to| size.contains(*to))) else {
        return Err(value_error(format!("{action} is not an action on a {size} board")));
    };
    let mark = match step.capture {
        None => "",
        Some(fanorona_protocol::rules::Capture::Approach) => "A",
        Some(fanorona_protocol::rules::Capture::Withdrawal) => "W",
    };
    Ok(format!("{from}{to}{mark}"))
}

/// The action with a text: the inverse of `action_text`.
#[pyfunction]
#[pyo3(signature = (text, board = "9x5"))]
pub(crate) fn action_of(text: &str, board: &str) -> PyResult<usize> {
    let size: BoardSize = parsed(board)?;
    if text == "end" {
        return Ok(end_of_move(size));
    }
    let mv: Move = parsed(text)?;
    let from = raw::index(mv.from(), size);
    match (from, mv.points().all(|point| size.contains(point)), mv.steps()) {
        (Some(from), true, [step]) => Ok(raw::step_number(from, *step)),
        _ => Err(value_error(format!("`{text}` is not one step on a {size} board"))),
    }
}

/// The actions that play a move: its steps, and the end of the move where it has to be said.
#[pyfunction]
pub(crate) fn actions_of(position: &Position, mv: MoveLike) -> PyResult<Vec<usize>> {
    let mv = mv.get()?;
    let (position, rules) = (&position.position, &position.rules);
    position.effect_of(rules, &mv).map_err(|why| illegal(&mv, &why))?;
    Ok(of_legal(PartialMove::new(*position), rules, &mv))
}

/// The actions that play a legal move.
fn of_legal(mut partial: PartialMove, rules: &Ruleset, mv: &Move) -> Vec<usize> {
    let size = partial.position().board().size();
    let mut actions = Vec::new();
    let mut from = mv.from();
    for (step, to) in mv.steps().iter().zip(mv.points()) {
        let index = raw::index(from, size).expect("a legal move is on the board");
        actions.push(raw::step_number(index, *step));
        partial.make_unchecked(from, *step);
        from = to;
    }
    if !partial.is_complete(rules) {
        actions.push(end_of_move(size));
    }
    actions
}

/// The directions in the order in which actions number them.
pub(crate) const DIRECTIONS: [&str; Direction::ALL.len()] =
    ["SW", "S", "SE", "W", "E", "NW", "N", "NE"];
