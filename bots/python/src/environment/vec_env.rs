//! Many games at once, for training.

use std::sync::Arc;

use fanorona_protocol::rules;
use numpy::{AllowTypeChange, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::random::Random;
use super::state::{EnvState, SlotState};
use super::steps::Steps;
use super::{actions, infos, observation, require_numpy, state};
use crate::position::{Position, PositionLike};
use crate::rules::RulesLike;
use crate::values::value_error;

/// The smallest number of games that one thread takes at a time.
const SHARE: usize = 32;

/// The largest number of threads.
const MAX_THREADS: usize = 1024;

/// One of the games, and the game before it if that one has just ended.
#[derive(Clone)]
struct Slot {
    steps: Steps,
    random: Random,
    /// The actions that the mask shows.
    shown: Vec<u16>,
    /// The game that the last action ended.
    ended: Option<Box<Steps>>,
}

/// The result of the last action for a game.
#[derive(Clone, Copy, Default)]
struct ActionResult {
    reward: f32,
    winner: i8,
    terminated: bool,
    truncated: bool,
}

impl ActionResult {
    /// The consequence of the action that ended a game.
    fn from_steps(ended: &Steps) -> ActionResult {
        let Some(ending) = ended.ending() else { return ActionResult::default() };
        let truncated = ending.reason == rules::Reason::MaxPlies;
        let player = ended.last_player();
        let (reward, winner) = match ending.winner {
            None => (0.0, 0),
            Some(winner) => (
                if Some(winner) == player { 1.0 } else { -1.0 },
                if winner == rules::Side::White { 1 } else { -1 },
            ),
        };
        ActionResult { reward, winner, terminated: !truncated, truncated }
    }
}

/// The parts of the arrays that belong to one game.
struct GameArrays<'v> {
    observation: &'v mut [u8],
    mask: &'v mut [bool],
    player: &'v mut u8,
    reward: &'v mut f32,
    winner: &'v mut i8,
    terminated: &'v mut bool,
    truncated: &'v mut bool,
}

impl Slot {
    /// A game that has not begun.
    fn new(start: &Position, random: Random) -> Slot {
        let steps = Steps::new(start.position, start.rules);
        Slot { steps, random, shown: Vec::new(), ended: None }
    }

    /// The game with this content.
    fn from_state(state: &SlotState, start: &Position) -> Result<Slot, String> {
        let replay = |actions: &[u16]| {
            Steps::replay(start.position, start.rules, actions).map_err(|why| why.to_string())
        };
        let steps = replay(&state.actions)?;
        if steps.ending().is_some() {
            return Err("it is over, and the next game has not begun".to_owned());
        }
        let ended = state.ended.as_deref().map(replay).transpose()?;
        if ended.as_ref().is_some_and(|ended| ended.ending().is_none()) {
            return Err("the game before it is not over".to_owned());
        }
        if ended.is_some() && !state.actions.is_empty() {
            return Err("the game before it has just ended, but it has actions".to_owned());
        }
        let random = Random(state.random);
        Ok(Slot { steps, random, shown: Vec::new(), ended: ended.map(Box::new) })
    }

    /// Takes a legal action; a game that ends begins again.
    #[inline]
    fn take(&mut self, action: u16, start: &Position) {
        self.ended = None;
        if self.steps.take(action).is_some() {
            let next = Steps::new(start.position, start.rules);
            self.ended = Some(Box::new(std::mem::replace(&mut self.steps, next)));
        }
    }

    /// Writes the state of the game into its parts of the arrays.
    #[inline]
    fn write(&mut self, views: GameArrays<'_>) {
        for &action in &self.shown {
            views.mask[usize::from(action)] = false;
        }
        self.shown.clear();
        self.shown.extend_from_slice(self.steps.legal());
        for &action in &self.shown {
            views.mask[usize::from(action)] = true;
        }
        let (steps, player) = (&self.steps, self.steps.player());
        observation::fill(views.observation, steps.partial(), steps.occurrences(), player);
        *views.player = self.steps.player() as u8;
        let last = self.ended.as_deref().map(ActionResult::from_steps).unwrap_or_default();
        *views.reward = last.reward;
        *views.winner = last.winner;
        *views.terminated = last.terminated;
        *views.truncated = last.truncated;
    }
}

/// Many games at once. The arrays belong to the environment and are filled in place.
#[pyclass(module = "fanorona.rl")]
pub(crate) struct VecEnv {
    slots: Vec<Slot>,
    start: Position,
    pool: Option<Arc<ThreadPool>>,
    threads: usize,
    seed: u64,
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
    /// The environment of these games, with arrays of its own.
    fn from_slots(
        py: Python<'_>,
        mut slots: Vec<Slot>,
        start: Position,
        (threads, pool): (usize, Option<Arc<ThreadPool>>),
        seed: u64,
    ) -> PyResult<VecEnv> {
        require_numpy(py)?;
        let (n, size) = (slots.len(), start.position.board().size());
        // The masks of the new arrays are empty.
        slots.iter_mut().for_each(|slot| slot.shown.clear());
        let shape = [n, observation::PLANES, size.rows(), size.columns()];
        let mut environment = VecEnv {
            slots,
            start,
            pool,
            threads,
            seed,
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

    /// The games of a state, which must have the start of this environment.
    fn slots_of(state: &EnvState, start: &Position) -> PyResult<Vec<Slot>> {
        let slot = |(index, state)| {
            Slot::from_state(state, start)
                .map_err(|why| value_error(format!("game {index} of the state: {why}")))
        };
        state.games.iter().enumerate().map(slot).collect()
    }

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
        let start = self.start;
        let (slots, pool) = (&mut self.slots, &self.pool);
        let one = |(index, slot, views): (usize, &mut Slot, GameArrays<'_>)| {
            if let Some(chosen) = chosen {
                slot.take(chosen[index] as u16, &start);
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

fn views<'v>(arrays: (&'v mut [u8], &'v mut [bool]), numbers: Numbers<'v>) -> GameArrays<'v> {
    let (observation, mask) = arrays;
    let ((((player, reward), winner), terminated), truncated) = numbers;
    GameArrays { observation, mask, player, reward, winner, terminated, truncated }
}

/// The threads for so many; `None` for one, which needs no others.
fn pool_of(threads: usize) -> PyResult<(usize, Option<Arc<ThreadPool>>)> {
    if !(1..=MAX_THREADS).contains(&threads) {
        return Err(value_error(format!("threads must be at least 1 and at most {MAX_THREADS}")));
    }
    let pool = (threads > 1).then(|| ThreadPoolBuilder::new().num_threads(threads).build());
    let pool = pool.transpose().map_err(|why| PyRuntimeError::new_err(why.to_string()))?;
    Ok((threads, pool.map(Arc::new)))
}

/// Checks a start and a number of games, before anything of that size is made.
fn check(n: usize, start: &Position) -> PyResult<()> {
    if n == 0 {
        return Err(value_error("n must be at least 1"));
    }
    if Steps::new(start.position, start.rules).ending().is_some() {
        return Err(value_error("the game is over in the position that it begins with"));
    }
    let size = start.position.board().size();
    let bytes = size_of::<Slot>() + observation::PLANES * size.points() + actions::count(size);
    let room =
        n.checked_mul(bytes).is_some_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    match room {
        true => Ok(()),
        false => Err(PyMemoryError::new_err(format!("no memory for {n} games"))),
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(
        signature = (n, threads = 1, *, position = None, rules = None, seed = Some(0)),
        text_signature = "(n, threads=1, *, position=None, rules=None, seed=0)"
    )]
    fn new(
        py: Python<'_>,
        n: usize,
        threads: usize,
        position: Option<PositionLike>,
        rules: Option<RulesLike>,
        seed: Option<u64>,
    ) -> PyResult<VecEnv> {
        let start = Position::from_arguments(position, rules)?;
        check(n, &start)?;
        let seed = match seed {
            Some(seed) => seed,
            None => py.import("secrets")?.call_method1("randbits", (64,))?.extract()?,
        };
        let slots = (0..n).map(|index| Slot::new(&start, Random::new(seed, index))).collect();
        VecEnv::from_slots(py, slots, start, pool_of(threads)?, seed)
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

    /// The seed of `sample`. `seed=None` has drawn one.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
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

    /// The view of the side to act in each game: games x 10 planes x rows x columns.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray4<u8>> {
        self.observations.clone_ref(py)
    }

    /// The games that the last action ended, as Gymnasium's vector environments tell it with
    /// `AutoresetMode.SAME_STEP`; empty if there are none. See `fanorona.rl`.
    #[getter]
    fn infos<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let ended = self.slots.iter().map(|slot| slot.ended.as_deref()).collect::<Vec<_>>();
        infos::of(py, &ended)
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
            slot.ended = None;
            if let Some(seed) = seed {
                slot.random = Random::new(seed, index);
            }
        }
        self.seed = seed.unwrap_or(self.seed);
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
            *action = legal[slot.random.below(legal.len())].into();
        }
        drop(sampled);
        Ok(self.sampled.clone_ref(py))
    }

    /// Another environment with the same content, random numbers included, and arrays of its own.
    /// Steps of one do not alter the other.
    #[pyo3(name = "clone")]
    fn copied(&self, py: Python<'_>) -> PyResult<VecEnv> {
        let threads = (self.threads, self.pool.clone());
        VecEnv::from_slots(py, self.slots.clone(), self.start, threads, self.seed)
    }

    /// The content of every game and of its random numbers as plain values, which `set_state` takes
    /// and JSON keeps.
    fn get_state(&self) -> EnvState {
        let game = |slot: &Slot| SlotState {
            actions: slot.steps.taken().to_vec(),
            ended: slot.ended.as_ref().map(|ended| ended.taken().to_vec()),
            random: slot.random.0,
        };
        EnvState {
            start: self.start.position.to_string(),
            rules: self.start.rules.to_string(),
            seed: self.seed,
            games: self.slots.iter().map(game).collect(),
        }
    }

    /// Takes over the content that `get_state` returned in an environment with as many games, the
    /// same start and the same rules, and fills the arrays. A state that is none changes nothing.
    fn set_state(&mut self, py: Python<'_>, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let state: EnvState = state::read(state)?;
        if state.games.len() != self.slots.len() {
            let (found, expected) = (state.games.len(), self.slots.len());
            let why = format!("the state has {found} games, the environment {expected}");
            return Err(value_error(why));
        }
        // Positions are equal without their counters, states are not.
        let start = state::start(&state.start, &state.rules)?;
        let text = |start: &Position| format!("{} with rules `{}`", start.position, start.rules);
        if text(&start) != text(&self.start) {
            let (found, expected) = (text(&start), text(&self.start));
            let why = format!("the games of the state begin with {found}, not with {expected}");
            return Err(value_error(why));
        }
        let slots = VecEnv::slots_of(&state, &self.start)?;
        for (slot, new) in self.slots.iter_mut().zip(slots) {
            let shown = std::mem::take(&mut slot.shown);
            *slot = Slot { shown, ..new };
        }
        self.seed = state.seed;
        self.advance(py, None)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<VecEnv> {
        self.copied(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<VecEnv> {
        self.copied(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (usize, EnvState))> {
        let rebuild = py.import("fanorona._core")?.getattr("_vec_env")?;
        Ok((rebuild, (self.threads, self.get_state())))
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    fn __repr__(&self) -> String {
        format!("<VecEnv of {} games, {} threads>", self.slots.len(), self.threads)
    }
}

/// An environment from its state, for pickle.
#[pyfunction]
pub(crate) fn _vec_env(
    py: Python<'_>,
    threads: usize,
    state: &Bound<'_, PyAny>,
) -> PyResult<VecEnv> {
    let state: EnvState = state::read(state)?;
    let start = state::start(&state.start, &state.rules)?;
    check(state.games.len(), &start)?;
    let slots = VecEnv::slots_of(&state, &start)?;
    VecEnv::from_slots(py, slots, start, pool_of(threads)?, state.seed)
}
