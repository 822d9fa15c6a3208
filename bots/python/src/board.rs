//! The stones on a board.

use fanorona_protocol::rules;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::drawing;
use crate::values::{Side, parsed};

/// The stones on a board.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Board(pub(crate) rules::Board);

#[pymethods]
impl Board {
    #[new]
    fn new(placement: &str) -> PyResult<Board> {
        let position: rules::Position = parsed(&format!("{placement} w"))?;
        Ok(Board(*position.board()))
    }

    /// The size as columns x rows, like `9x5`.
    #[getter]
    fn size(&self) -> String {
        self.0.size().to_string()
    }

    /// The number of columns.
    #[getter]
    fn columns(&self) -> usize {
        self.0.size().columns()
    }

    /// The number of rows.
    #[getter]
    fn rows(&self) -> usize {
        self.0.size().rows()
    }

    /// Every point of the board, row by row from `a1`.
    #[getter]
    fn points(&self) -> Vec<String> {
        rules::PointSet::full(self.0.size()).into_iter().map(|point| point.to_string()).collect()
    }

    /// The side whose stone is on a point, or `None`.
    fn at(&self, point: &str) -> PyResult<Option<Side>> {
        Ok(self.0.at(parsed(point)?).map(Side::from))
    }

    /// The points with stones of a side.
    fn stones(&self, side: Side) -> Vec<String> {
        self.0.stones(side.into()).into_iter().map(|point| point.to_string()).collect()
    }

    /// The number of stones of a side.
    fn count(&self, side: Side) -> u32 {
        self.0.count(side.into())
    }

    /// The stones of a side as bits. Bit i is the point with index i in `points`.
    fn bits(&self, side: Side) -> u64 {
        rules::raw::stones(&self.0, side.into())
    }

    /// The number of steps to empty points that the stones of a side have.
    fn mobility(&self, side: Side) -> u32 {
        self.0.mobility()[rules::Side::from(side) as usize].steps
    }

    /// The first field of a FEN.
    #[getter]
    fn placement(&self) -> String {
        let text = rules::Position::from_board(self.0).to_string();
        text.split(' ').next().unwrap_or_default().to_owned()
    }

    /// Draws the board with box-drawing characters.
    fn unicode(&self) -> String {
        drawing::unicode(&self.0)
    }

    /// Draws the board as an SVG picture.
    #[pyo3(signature = (*, width = 480))]
    fn svg(&self, width: usize) -> String {
        drawing::svg(&self.0, None, width)
    }

    fn _repr_svg_(&self) -> String {
        self.svg(480)
    }

    fn __str__(&self) -> String {
        self.0.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.placement())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Board>(), (self.placement(),))
    }
}
