//! Small values that other classes share: sides, the steps and moves of the game, results.

use std::str::FromStr;

use fanorona_protocol::messages::{Value as ExactValue, ValueResponse};
use fanorona_protocol::rules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// Turns an error of the rules into a `ValueError`.
pub(crate) fn value_error(why: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

/// Parses a text, with a `ValueError` if it is not one.
pub(crate) fn parsed<T: FromStr>(text: &str) -> PyResult<T>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(value_error)
}

/// One of the two sides of a game.
#[pyclass(
    frozen,
    eq,
    hash,
    from_py_object,
    module = "fanorona",
    rename_all = "SCREAMING_SNAKE_CASE"
)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    /// The side that moves first, below on the board.
    White,
    /// The other side.
    Black,
}

impl From<rules::Side> for Side {
    fn from(side: rules::Side) -> Side {
        match side {
            rules::Side::White => Side::White,
            rules::Side::Black => Side::Black,
        }
    }
}

impl From<Side> for rules::Side {
    fn from(side: Side) -> rules::Side {
        match side {
            Side::White => rules::Side::White,
            Side::Black => rules::Side::Black,
        }
    }
}

#[pymethods]
impl Side {
    /// The side with a letter, `w` or `b`.
    #[classmethod]
    fn from_letter(_class: &Bound<'_, PyType>, letter: &str) -> PyResult<Side> {
        let side = rules::Side::from_letter(letter);
        let wrong = || value_error(format!("`{letter}` is not a side: expected w or b"));
        side.map(Side::from).ok_or_else(wrong)
    }

    /// The other side; `~side` as well.
    #[getter]
    fn other(&self) -> Side {
        Side::from(!rules::Side::from(*self))
    }

    /// The letter of the side in positions: `w` or `b`.
    #[getter]
    fn letter(&self) -> char {
        rules::Side::from(*self).letter()
    }

    fn __invert__(&self) -> Side {
        self.other()
    }

    fn __str__(&self) -> &'static str {
        match self {
            Side::White => "white",
            Side::Black => "black",
        }
    }

    fn __repr__(&self) -> &'static str {
        match self {
            Side::White => "Side.WHITE",
            Side::Black => "Side.BLACK",
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (char,))> {
        Ok((py.get_type::<Side>().getattr("from_letter")?, (self.letter(),)))
    }
}

/// One step of a move: the stone goes from one point to a neighbouring point.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    from: rules::Point,
    to: rules::Point,
    step: rules::Step,
}

#[pymethods]
impl Step {
    #[new]
    fn new(text: &str) -> PyResult<Step> {
        let mv: rules::Move = parsed(text)?;
        let [step] = mv.steps() else {
            return Err(value_error(format!("`{text}` has more than one step")));
        };
        let to = mv.points().last().expect("a move has a step");
        Ok(Step { from: mv.from(), to, step: *step })
    }

    /// The point where the step begins.
    #[getter(from_point)]
    fn origin(&self) -> String {
        self.from.to_string()
    }

    /// The point the step reaches.
    #[getter(to_point)]
    fn destination(&self) -> String {
        self.to.to_string()
    }

    /// The direction on the board: `N`, `NE`, `E`, `SE`, `S`, `SW`, `W` or `NW`. North is Black's side.
    #[getter]
    fn direction(&self) -> &'static str {
        ["SW", "S", "SE", "W", "E", "NW", "N", "NE"][self.step.direction as usize]
    }

    /// `A` for a capture by approach, `W` for one by withdrawal, `None` for a paika.
    #[getter]
    fn capture(&self) -> Option<char> {
        self.step.capture.map(|capture| match capture {
            rules::Capture::Approach => 'A',
            rules::Capture::Withdrawal => 'W',
        })
    }

    fn __str__(&self) -> String {
        let mark = self.capture().map(String::from).unwrap_or_default();
        format!("{}{}{mark}", self.from, self.to)
    }

    fn __repr__(&self) -> String {
        format!("Step('{}')", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Step>(), (self.__str__(),))
    }
}

/// A complete move of one side: a paika, or a chain of capturing steps.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Move(pub(crate) rules::Move);

#[pymethods]
impl Move {
    #[new]
    fn new(text: &str) -> PyResult<Move> {
        parsed(text).map(Move)
    }

    /// The point where the stone stands before the move.
    #[getter(from_point)]
    fn origin(&self) -> String {
        self.0.from().to_string()
    }

    /// The point where the stone stands after the move.
    #[getter(to_point)]
    fn destination(&self) -> String {
        self.0.points().last().expect("a move has a step").to_string()
    }

    /// The points the stone visits, its starting point first.
    #[getter]
    fn points(&self) -> Vec<String> {
        std::iter::once(self.0.from())
            .chain(self.0.points())
            .map(|point| point.to_string())
            .collect()
    }

    /// The steps in order; at least one.
    #[getter]
    fn steps(&self) -> Vec<Step> {
        let from = std::iter::once(self.0.from()).chain(self.0.points());
        let steps = from.zip(self.0.points()).zip(self.0.steps());
        steps.map(|((from, to), step)| Step { from, to, step: *step }).collect()
    }

    /// Whether the move captures. Otherwise it is a paika.
    #[getter]
    fn is_capture(&self) -> bool {
        self.0.is_capture()
    }

    fn __len__(&self) -> usize {
        self.0.steps().len()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Move>(), (self.0.to_string(),))
    }
}

/// A move or its text, where a method takes either.
#[derive(FromPyObject)]
pub(crate) enum MoveLike {
    /// A move.
    Move(Move),
    /// Its text.
    Text(String),
}

impl MoveLike {
    /// The move.
    pub(crate) fn get(&self) -> PyResult<rules::Move> {
        match self {
            MoveLike::Move(mv) => Ok(mv.0),
            MoveLike::Text(text) => parsed(text),
        }
    }
}

/// The end of a game.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Outcome(pub(crate) rules::Ending);

#[pymethods]
impl Outcome {
    #[new]
    fn new(result: &str, reason: &str) -> PyResult<Outcome> {
        use rules::Reason::{MaxPlies, NoStones, Quiet, Repetition, VelaStarved};
        let winner = match result {
            "1-0" => Some(rules::Side::White),
            "0-1" => Some(rules::Side::Black),
            "1/2-1/2" => None,
            _ => {
                let why = format!("`{result}` is not a result: expected 1-0, 0-1 or 1/2-1/2");
                return Err(value_error(why));
            }
        };
        let reason: rules::Reason = parsed(reason)?;
        let possible = match reason {
            NoStones | VelaStarved => winner.is_some(),
            Repetition | Quiet | MaxPlies => winner.is_none(),
            // A side without a move loses, or draws with `blocked-is-draw`.
            _ => true,
        };
        if !possible {
            return Err(value_error(format!("no game ends {result} by {}", reason.word())));
        }
        Ok(Outcome(rules::Ending { winner, reason }))
    }

    /// The side that has won, or `None` for a draw.
    #[getter]
    fn winner(&self) -> Option<Side> {
        self.0.winner.map(Side::from)
    }

    /// The rule that ended the game: `no-stones`, `vela-starved`, `no-move`, `repetition`, `quiet` or
    /// `max-plies`.
    #[getter]
    pub(crate) fn reason(&self) -> &'static str {
        self.0.reason.word()
    }

    /// The result: `1-0`, `0-1` or `1/2-1/2`.
    #[getter]
    fn result(&self) -> &'static str {
        match self.0.winner {
            Some(rules::Side::White) => "1-0",
            Some(rules::Side::Black) => "0-1",
            None => "1/2-1/2",
        }
    }

    /// 1 if the side has won, -1 if it has lost, 0 for a draw.
    pub(crate) fn score(&self, side: Side) -> i32 {
        match self.0.winner {
            None => 0,
            Some(winner) if winner == side.into() => 1,
            Some(_) => -1,
        }
    }

    fn __repr__(&self) -> String {
        format!("<Outcome {} {}>", self.result(), self.reason())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (&str, &str)) {
        (py.get_type::<Outcome>(), (self.result(), self.reason()))
    }
}

/// The exact value of a position for the side to move.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Value {
    kind: &'static str,
    plies: Option<u32>,
}

impl From<ExactValue> for Value {
    fn from(value: ExactValue) -> Value {
        match value {
            ExactValue::Win(plies) => Value { kind: "win", plies: Some(plies) },
            ExactValue::Loss(plies) => Value { kind: "loss", plies: Some(plies) },
            ExactValue::Draw => Value { kind: "draw", plies: None },
        }
    }
}

#[pymethods]
impl Value {
    #[new]
    fn new(text: &str) -> PyResult<Value> {
        let wrong = || format!("`{text}` is not a value: expected `win 5`, `loss 4` or `draw`");
        match text.parse() {
            Ok(ValueResponse(Some(value))) => Ok(value.into()),
            _ => Err(value_error(wrong())),
        }
    }

    /// `win`, `loss` or `draw`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind
    }

    /// The plies to the end of the game, or `None` for a draw.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.plies
    }

    fn __str__(&self) -> String {
        match self.plies {
            Some(plies) => format!("{} {plies}", self.kind),
            None => self.kind.to_owned(),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Value {}>", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Value>(), (self.__str__(),))
    }
}
