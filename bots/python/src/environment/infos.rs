//! The games that have just ended, in the words of Gymnasium's vector environments.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::steps::Steps;
use super::{actions, observation};
use crate::values::Outcome;

/// The infos of games of which some have just ended.
///
/// As with `AutoresetMode.SAME_STEP`: `final_obs` has the last observation of every game that ended
/// and `None` for the others, `final_info` an array for each kind of information; `_` before a name
/// stands for the mask of the games that have it. Without a game that ended there is nothing.
pub(super) fn of<'py>(py: Python<'py>, games: &[Option<&Steps>]) -> PyResult<Bound<'py, PyDict>> {
    let infos = PyDict::new(py);
    let Some(size) = games.iter().flatten().next().map(|it| it.history().start().board().size())
    else {
        return Ok(infos);
    };
    let n = games.len();
    let mask: Vec<bool> = games.iter().map(Option::is_some).collect();
    let mut observations: Vec<Py<PyAny>> = Vec::with_capacity(n);
    let mut reasons: Vec<Py<PyAny>> = Vec::with_capacity(n);
    let (mut winners, mut players, mut plies) = (vec![0_i8; n], vec![0_u8; n], vec![0_i64; n]);
    let masks = PyArray2::<bool>::zeros(py, [n, actions::count(size)], false);
    let mut writable = masks.readwrite();
    let rows = writable.as_slice_mut()?.chunks_exact_mut(actions::count(size));
    for (index, (game, row)) in games.iter().zip(rows).enumerate() {
        let Some((game, ending)) = game.and_then(|game| Some((game, game.ending()?))) else {
            observations.push(py.None());
            reasons.push(py.None());
            continue;
        };
        let planes = observation::array(py, game.partial(), game.occurrences(), game.player())?;
        observations.push(planes.into_any().unbind());
        let outcome = Outcome(ending);
        reasons.push(outcome.reason().into_pyobject(py)?.into_any().unbind());
        winners[index] = outcome.score(crate::values::Side::White) as i8;
        players[index] = game.player() as u8;
        plies[index] = i64::from(game.history().plies());
        game.legal_without_limit().iter().for_each(|&action| row[usize::from(action)] = true);
    }
    drop(writable);
    let info = PyDict::new(py);
    let arrays = [
        ("reason", PyArray1::from_vec(py, reasons).into_any()),
        ("winner", PyArray1::from_vec(py, winners).into_any()),
        ("player", PyArray1::from_vec(py, players).into_any()),
        ("plies", PyArray1::from_vec(py, plies).into_any()),
        ("action_mask", masks.into_any()),
    ];
    for (name, array) in arrays {
        set(&info, name, array, &mask)?;
    }
    set(&infos, "final_obs", PyArray1::from_vec(py, observations).into_any(), &mask)?;
    set(&infos, "final_info", info.into_any(), &mask)?;
    Ok(infos)
}

/// Sets a value and the mask of the games that have it.
fn set(
    infos: &Bound<'_, PyDict>,
    name: &str,
    value: Bound<'_, PyAny>,
    mask: &[bool],
) -> PyResult<()> {
    infos.set_item(name, value)?;
    infos.set_item(format!("_{name}"), PyArray1::from_slice(infos.py(), mask))
}
