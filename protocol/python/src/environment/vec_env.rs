//! Many games at once, for training.

use fanorona_protocol::rules;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::steps::Steps;
use super::{actions, observation};
use crate::position::{Position, PositionLike};
use crate::rules::RulesLike;
use crate::values::value_error;

/// The smallest number of games that one thread takes at a time.
const SHARE: usize = 32;

/// One of the games, and the numbers that describe its last action.
struct Slot {
    steps: Steps,
    random: Xoshiro256PlusPlus,
    /// The actions that the mask shows.
    shown: Vec<u16>,
    reward: f32,
    winner: i8,
    terminated: bool,
    truncated: bool,
}

/// The parts of the arrays that belong to one game.
struct Views<'v> {
    observation: &'v mut [u8],
    mask: &'v mut [bool],
    player: &'v mut u8,
    reward: &'v mut f32,
    winner: &'v mut i8,
    terminated: &'v mut bool,
    truncated: &'v mut bool,
}

impl Slot {
    /// Takes a legal action; a game that ends begins again.
    #[inline]
    fn take(&mut self, action: u16, start: rules::Position) {
        let player = self.steps.player();
        (self.reward, self.winner, self.terminated, self.truncated) = (0.0, 0, false, false);
        if let Some(ending) = self.steps.take(action) {
            self.truncated = ending.reason == rules::Reason::MaxPlies;
            self.terminated = !self.truncated;
            if let Some(winner) = ending.winner {
                self.reward = if winner == player { 1.0 } else { -1.0 };
                self.winner = if winner == rules::Side::White { 1 } else { -1 };
            }
            self.steps.restart(start);
        }
    }

    /// Writes the state of the game into its parts of the arrays.
    #[inline]
    fn write(&mut self, views: Views<'_>) {
        for &action in &self.shown {
            views.mask[usize::from(action)] = false;
        }
        self.shown.clear();
        self.shown.extend_from_slice(self.steps.legal());
        for &action in &self.shown {
            views.mask[usize::from(action)] = true;
        }
        observation::fill(views.observation, &self.steps, self.steps.player());
        *views.player = self.steps.player() as u8;
        *views.reward = self.reward;
        *views.winner = self.winner;
        *views.terminated = self.terminated;
        *views.truncated = self.truncated;
    }
}

/// Many games at once. The arrays belong to the environment and are filled in place.
#[pyclass(module = "fanorona.rl")]
pub(crate) struct VecEnv {
    slots: Vec<Slot>,
    start: Position,
    pool: Option<ThreadPool>,
    threads: usize,
    observations: Py<PyArray4<u8>>,
    masks: Py<PyArray2<bool>>,
    players: Py<PyArray1<u8>>,
    rewards: Py<PyArray1<f32>>,
    winners: Py<PyArray1<i8>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    sampled: Py<PyArray1<i64>>,
}

impl VecEnv {
    /// Takes an action in every game, if there are actions, and fills the arrays.
    fn advance(&mut self, py: Python<'_>, chosen: Option<&[i64]>) -> PyResult<()> {
        let size = self.start.position.board().size();
        let (points, count) = (size.points() * observation::PLANES, actions::count(size));
        let mut observations = self.observations.bind(py).try_readwrite().map_err(value_error)?;
        let mut masks = self.masks.bind(py).try_readwrite().map_err(value_error)?;
        let mut players = self.players.bind(py).try_readwrite().map_err(value_error)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(value_error)?;
        let mut winners = self.winners.bind(py).try_readwrite().map_err(value_error)?;
        let mut terminated = self.terminated.bind(py).try_readwrite().map_err(value_error)?;
        let mut truncated = self.truncated.bind(py).try_readwrite().map_err(value_error)?;
        let (observations, masks) = (observations.as_slice_mut()?, masks.as_slice_mut()?);
        let (players, rewards) = (players.as_slice_mut()?, rewards.as_slice_mut()?);
        let (winners, terminated) = (winners.as_slice_mut()?, terminated.as_slice_mut()?);
        let truncated = truncated.as_slice_mut()?;
        let start = self.start.position;
        let (slots, pool) = (&mut self.slots, &self.pool);
        let one = |(index, slot, views): (usize, &mut Slot, Views<'_>)| {
            if let Some(chosen) = chosen {
                slot.take(chosen[index] as u16, start);
            }
            slot.write(views);
        };
        py.detach(|| match pool {
            None => {
                let arrays =
                    observations.chunks_exact_mut(points).zip(masks.chunks_exact_mut(count));
                let numbers =
                    players.iter_mut().zip(rewards).zip(winners).zip(terminated).zip(truncated);
                for (index, ((slot, arrays), numbers)) in
                    slots.iter_mut().zip(arrays).zip(numbers).enumerate()
                {
                    one((index, slot, views(arrays, numbers)));
                }
            }
            Some(pool) => pool.install(|| {
                let arrays = observations
                    .par_chunks_exact_mut(points)
                    .zip(masks.par_chunks_exact_mut(count));
                let numbers =
                    players.par_iter_mut().zip(rewards).zip(winners).zip(terminated).zip(truncated);
                let all = slots.par_iter_mut().zip(arrays).zip(numbers).enumerate();
                all.with_min_len(SHARE).for_each(|(index, ((slot, arrays), numbers))| {
                    one((index, slot, views(arrays, numbers)));
                });
            }),
        });
        Ok(())
    }
}

/// The numbers of one game as nested pairs, the way that iterators zip them.
type Numbers<'v> = ((((&'v mut u8, &'v mut f32), &'v mut i8), &'v mut bool), &'v mut bool);

fn views<'v>(arrays: (&'v mut [u8], &'v mut [bool]), numbers: Numbers<'v>) -> Views<'v> {
    let (observation, mask) = arrays;
    let ((((player, reward), winner), terminated), truncated) = numbers;
    Views { observation, mask, player, reward, winner, terminated, truncated }
}

/// The random numbers of one game: the games of an environment have different ones.
fn random(seed: u64, index: usize) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(index as u64))
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (n, threads = 1, *, position = None, rules = None, seed = 0))]
    fn new(
        py: Python<'_>,
        n: usize,
        threads: usize,
        position: Option<PositionLike>,
        rules: Option<RulesLike>,
        seed: u64,
    ) -> PyResult<VecEnv> {
        let start = Position::of(position, rules)?;
        if n == 0 || threads == 0 {
            return Err(value_error("n and threads must be at least 1"));
        }
        let size = start.position.board().size();
        let slot = |index| Slot {
            steps: Steps::new(start.position, start.rules),
            random: random(seed, index),
            shown: Vec::new(),
            reward: 0.0,
            winner: 0,
            terminated: false,
            truncated: false,
        };
        let slots: Vec<Slot> = (0..n).map(slot).collect();
        if slots[0].steps.ending().is_some() {
            return Err(value_error("the game is over in the position that it begins with"));
        }
        let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
        let pool = pool.transpose().map_err(|why| PyRuntimeError::new_err(why.to_string()))?;
        let shape = [n, observation::PLANES, size.rows(), size.columns()];
        let mut environment = VecEnv {
            slots,
            start,
            pool,
            threads,
            observations: PyArray4::zeros(py, shape, false).unbind(),
            masks: PyArray2::zeros(py, [n, actions::count(size)], false).unbind(),
            players: PyArray1::zeros(py, n, false).unbind(),
            rewards: PyArray1::zeros(py, n, false).unbind(),
            winners: PyArray1::zeros(py, n, false).unbind(),
            terminated: PyArray1::zeros(py, n, false).unbind(),
            truncated: PyArray1::zeros(py, n, false).unbind(),
            sampled: PyArray1::zeros(py, n, false).unbind(),
        };
        environment.advance(py, None)?;
        Ok(environment)
    }

    /// The number of games.
    #[getter]
    fn n(&self) -> usize {
        self.slots.len()
    }

    /// The number of threads.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// The number of actions.
    #[getter]
    fn action_count(&self) -> usize {
        actions::count(self.start.position.board().size())
    }

    /// The position in which every game begins.
    #[getter]
    fn start(&self) -> Position {
        self.start
    }

    /// What the side to act sees in each game: games x 10 planes x rows x columns.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray4<u8>> {
        self.observations.clone_ref(py)
    }

    /// The legal actions of each game: games x actions.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyArray2<bool>> {
        self.masks.clone_ref(py)
    }

    /// The side to act in each game: 0 for White, 1 for Black.
    #[getter]
    fn players(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.players.clone_ref(py)
    }

    /// The reward of the last action for the player who took it: 1, -1 or 0.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    /// The winner of a game that has just ended: 1 for White, -1 for Black, else 0.
    #[getter]
    fn winners(&self, py: Python<'_>) -> Py<PyArray1<i8>> {
        self.winners.clone_ref(py)
    }

    /// Whether the last action ended the game by the rules. The next game has begun then.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// Whether the last action ended the game by the limit `max-plies`. The next game has begun then.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// Begins every game again, with a new seed for `sample` if one is given.
    #[pyo3(signature = (seed = None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<()> {
        for (index, slot) in self.slots.iter_mut().enumerate() {
            slot.steps.restart(self.start.position);
            (slot.reward, slot.winner, slot.terminated, slot.truncated) = (0.0, 0, false, false);
            if let Some(seed) = seed {
                slot.random = random(seed, index);
            }
        }
        self.advance(py, None)
    }

    /// Takes one action in every game and fills the arrays. Games that end begin again at once.
    #[pyo3(signature = (actions, /))]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyArrayLike1<'_, i64, AllowTypeChange>,
    ) -> PyResult<()> {
        let n = self.slots.len();
        let chosen = actions.as_array();
        if chosen.len() != n {
            return Err(value_error(format!("expected {n} actions, found {}", chosen.len())));
        }
        let chosen: std::borrow::Cow<'_, [i64]> = match actions.as_slice() {
            Ok(slice) => slice.into(),
            Err(_) => chosen.iter().copied().collect::<Vec<_>>().into(),
        };
        // All actions are checked before the first game changes.
        let legal = |(slot, action): (&Slot, &i64)| {
            u16::try_from(*action).is_ok_and(|action| slot.steps.legal().contains(&action))
        };
        if let Some(wrong) = self.slots.iter().zip(&*chosen).position(|pair| !legal(pair)) {
            let why = format!(
                "action {} is not legal in game {wrong}; no game has changed",
                chosen[wrong]
            );
            return Err(value_error(why));
        }
        self.advance(py, Some(&chosen))
    }

    /// A random legal action for every game, in an array that the next call fills again.
    fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyArray1<i64>>> {
        let mut sampled = self.sampled.bind(py).try_readwrite().map_err(value_error)?;
        for (slot, action) in self.slots.iter_mut().zip(sampled.as_slice_mut()?) {
            let legal = slot.steps.legal();
            let index = (u64::from(slot.random.next_u32()) * legal.len() as u64) >> 32;
            *action = legal[index as usize].into();
        }
        drop(sampled);
        Ok(self.sampled.clone_ref(py))
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    fn __repr__(&self) -> String {
        format!("<VecEnv of {} games, {} threads>", self.slots.len(), self.threads)
    }
}
