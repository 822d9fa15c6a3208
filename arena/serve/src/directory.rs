//! One results directory: what its journal says, read as it grows.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::headline::Headline;
use super::paths::shown;
use super::summary::{DirectoryInfo, Standing, Summary, summarise};
use super::view::{DirectoryError, GameEntry, RunState, View, safe};
use fanorona_ratings::kind::Kind;
use fanorona_report::statistics::outcome::OutcomeFields;
use fanorona_report::statistics::results_reader::{GameResults, TournamentResults};
use fanorona_tournament::config::{self, Overrides, Tournament};
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::mutex::lock;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::record::own_file;
use fanorona_tournament::record::{
    GameRecord, GameRow, Journal, JournalError, Lock, Reader, Tail, effective_config,
};

/// The shortest time between two looks at the journal.
const PAUSE: Duration = Duration::from_millis(400);

/// After a rating that took some time, the next one waits this many times as long, so that pages
/// never take more than a small part of a processor from the engines.
const REST: u32 = 20;

/// A results directory.
#[derive(Debug)]
pub(super) struct Directory {
    id: String,
    path: PathBuf,
    /// The path as pages show it.
    shown: String,
    state: Mutex<Option<State>>,
    /// Held while engines are rated: pages that ask at the same time wait for one.
    rating: Mutex<()>,
}

/// The known state of a directory.
#[derive(Debug)]
struct State {
    tournament: Arc<Tournament>,
    tail: Tail,
    progress: Progress,
    /// The engines of the config, then those that only the journal contains.
    engines: Vec<String>,
    /// Every game, in the order of the journal.
    games: Vec<GameEntry>,
    /// The place of each game among them.
    places: HashMap<GameId, usize>,
    /// The results from which the standings are computed.
    played: TournamentResults,
    /// The reports of engines besides their moves.
    reported: EngineReports,
    /// Whether a game has been played again, so that `played` contains it twice.
    repeated: bool,
    /// Whether a process was playing it at the last look.
    playing: bool,
    version: u64,
    looked: Instant,
    standing: Option<Arc<Standing>>,
    /// The time when the next one may be computed.
    rested: Instant,
}

/// The overview of a tournament on the first page.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Overview {
    id: String,
    name: String,
    title: String,
    dir: String,
    state: RunState,
    format: &'static str,
    kinds: Vec<Kind>,
    engines: Vec<String>,
    finished: u64,
    expected: Option<u64>,
    /// The winner, and the certainty of it; `None` if the journal is damaged.
    outcome: Option<OutcomeFields>,
    /// The leaders, and the engines that are out; `None` if the journal is damaged.
    headline: Option<Headline>,
    modified: String,
    /// The ratings of the engines in Elo, for a page that answers by itself; a server computes them when a
    /// page asks.
    ratings: BTreeMap<String, f64>,
}

impl Overview {
    /// The same as a site shows it, by this name, without a path and with the ratings.
    pub(super) fn in_a_site(self, id: &str, ratings: BTreeMap<String, f64>) -> Overview {
        Overview { id: id.to_owned(), dir: id.to_owned(), ratings, ..self }
    }

    /// Returns the time when its last game was written, as text that sorts by time.
    pub(super) fn modified(&self) -> &str {
        &self.modified
    }
}

impl State {
    fn open(path: &Path) -> Result<State, DirectoryError> {
        let config = path.join(effective_config::CONFIG);
        let wrong = |why: String| DirectoryError::Config(format!("{}: {why}", config.display()));
        own_file::check(&config).map_err(|why| wrong(why.to_string()))?;
        let tournament = config::load(&config, &Overrides::default());
        let tournament = tournament.map_err(|why| wrong(why.to_string()))?;
        let tail = Tail::open(path, tournament.names())?;
        let progress = Progress::from_journal(&tournament, tail.header());
        let played = GameResults::of_engines(tournament.names()).tournament();
        let now = Instant::now();
        Ok(State {
            engines: tournament.names().map(str::to_owned).collect(),
            tournament: Arc::new(tournament),
            tail,
            progress,
            games: Vec::new(),
            places: HashMap::new(),
            played,
            reported: EngineReports::default(),
            repeated: false,
            playing: false,
            version: 1,
            looked: now.checked_sub(PAUSE).unwrap_or(now),
            standing: None,
            rested: now,
        })
    }

    /// Reads what has been written since the last look.
    fn look(&mut self, path: &Path) -> Result<(), JournalError> {
        if self.looked.elapsed() < PAUSE {
            return Ok(());
        }
        // The end of a process changes what pages show, though nothing is written then.
        let playing = Lock::is_held(path);
        if playing != self.playing {
            self.playing = playing;
            self.version += 1;
        }
        let mut new = Vec::new();
        let read = self.tail.read(|game, offset| new.push((game.clone(), offset)));
        for (game, offset) in &new {
            self.add(game, *offset);
        }
        if !new.is_empty() {
            self.version += 1;
            self.progress.advance(&self.tournament, self.tail.index());
        }
        self.looked = Instant::now();
        read.map(|_| ())
    }

    fn add(&mut self, game: &GameRecord, offset: u64) {
        let [white, black] = [&game.white, &game.black].map(|name| self.engine(name));
        let entry = GameEntry {
            id: game.id,
            kind: game.kind,
            opening: game.opening().map(|opening| opening.name()),
            white,
            black,
            result: game.result,
            reason: game.reason,
            plies: game.plies() as u32,
            offset,
        };
        match self.places.get(&game.id) {
            // A game that was void has been played again.
            Some(&place) => {
                self.games[place] = entry;
                self.repeated = true;
            }
            None => {
                self.places.insert(game.id, self.games.len());
                self.games.push(entry);
            }
        }
        self.reported.add(game, &game.id.to_string());
        // The rows of a journal that passes its checksums are valid.
        let _ = self.played.game(&GameRow::new(game));
    }

    /// The number of an engine: its place in the config, or among those that the config no longer
    /// contains.
    fn engine(&mut self, name: &str) -> u32 {
        let known = self.engines.iter().position(|known| known == name);
        let place = known.unwrap_or_else(|| {
            self.engines.push(name.to_owned());
            self.engines.len() - 1
        });
        place as u32
    }
}

impl Directory {
    /// The results directory at a path; nothing is read yet.
    pub(super) fn new(id: String, path: PathBuf, base: &Path) -> Directory {
        let shown = shown(&path, base);
        Directory { id, path, shown, state: Mutex::default(), rating: Mutex::default() }
    }

    /// Its path.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Its id in addresses.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Its path as pages show it.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }

    fn state(&self) -> Result<MutexGuard<'_, Option<State>>, DirectoryError> {
        let mut state = lock(&self.state);
        match &mut *state {
            Some(state) => {
                // After damage, what was read before it stays visible.
                let _ = state.look(&self.path);
            }
            None => {
                let mut opened = State::open(&self.path)?;
                opened.look(&self.path)?;
                *state = Some(opened);
            }
        }
        Ok(state)
    }

    /// Reads the state as it is now. This may read from the disk.
    pub(super) fn read<T>(&self, read: impl FnOnce(&View<'_>) -> T) -> Result<T, DirectoryError> {
        let state = self.state()?;
        let state = state.as_ref().expect("it has been opened");
        Ok(read(&View {
            tournament: &state.tournament,
            engines: &state.engines,
            index: state.tail.index(),
            progress: &state.progress,
            games: &state.games,
            played: (!state.repeated).then_some(&state.played),
            reported: &state.reported,
            version: state.version,
        }))
    }

    /// Whether a process is playing it, or games are missing.
    pub(super) fn run_state(&self, view: &View<'_>) -> RunState {
        let missing = view.progress.missing(view.tournament, view.index);
        match (Lock::is_held(&self.path), missing, view.progress.is_over()) {
            (true, ..) => RunState::Running,
            (false, 0, true) => RunState::Finished,
            (false, ..) => RunState::Stopped,
        }
    }

    /// Returns its overview for the first page.
    pub(super) fn overview(&self) -> Result<Overview, DirectoryError> {
        let modified = fs::metadata(Journal::path_in(&self.path)).and_then(|it| it.modified());
        let modified = modified.ok().and_then(|time| jiff::Timestamp::try_from(time).ok());
        // The same rating as on the tournament's page, so that the two say the same.
        let standing = self.standing().ok();
        let summary = standing.as_ref().map(|standing| standing.summary());
        self.read(|view| {
            let tournament = view.tournament;
            let (finished, expected) = summary.map_or_else(
                || {
                    let extent = Extent::new(tournament, view.index, view.progress);
                    let expected = extent.stages.is_none();
                    (extent.finished, expected.then_some(extent.finished + extent.missing))
                },
                Summary::games,
            );
            let engines: Vec<String> = tournament.names().map(safe).collect();
            Overview {
                id: self.id.clone(),
                name: safe(&tournament.name),
                title: safe(tournament.title()),
                dir: self.shown.clone(),
                state: self.run_state(view),
                format: tournament.format.word(),
                kinds: tournament.kinds.clone(),
                finished,
                expected,
                outcome: summary.map(|summary| summary.outcome().clone()),
                headline: summary.map(|summary| summary.headline().clone()),
                engines,
                modified: modified
                    .map_or(String::new(), |time| time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()),
                ratings: BTreeMap::new(),
            }
        })
    }

    /// The results and everything else that changes with every game. While it is played, a recent
    /// rating is used again: computing one costs processor time that the engines need.
    pub(super) fn standing(&self) -> Result<Arc<Standing>, DirectoryError> {
        let _rating = lock(&self.rating);
        {
            let state = self.state()?;
            let state = state.as_ref().expect("it has been opened");
            if let Some(standing) = &state.standing
                && (standing.summary().version() == state.version
                    || (state.playing && Instant::now() < state.rested))
            {
                return Ok(standing.clone());
            }
        }
        let begin = Instant::now();
        let standing = Arc::new(self.read(|view| {
            let about =
                DirectoryInfo { id: &self.id, path: &self.path, state: self.run_state(view) };
            summarise(&about, view)
        })??);
        let mut state = self.state()?;
        let state = state.as_mut().expect("it has been opened");
        state.standing = Some(standing.clone());
        state.rested = Instant::now() + begin.elapsed() * REST;
        Ok(standing)
    }

    /// The ratings of the engines by name, in Elo; none if they cannot be rated.
    pub(super) fn ratings(&self) -> BTreeMap<String, f64> {
        let Ok(standing) = self.standing() else { return BTreeMap::new() };
        let rated = standing.results().standings.main().engines.iter();
        rated.filter_map(|it| Some((it.engine.clone(), it.estimate.elo?))).collect()
    }

    /// A number that grows with every change of the journal, and when a process begins or ends to
    /// play.
    pub(super) fn version(&self) -> u64 {
        self.read(|view| view.version).unwrap_or(0)
    }

    /// A finished game.
    pub(super) fn game(&self, id: &str) -> Result<Option<GameRecord>, DirectoryError> {
        let Ok(id) = id.parse::<GameId>() else { return Ok(None) };
        let found =
            |view: &View<'_>| view.games.iter().find(|game| game.id == id).map(|it| it.offset);
        let Some(offset) = self.read(found)? else { return Ok(None) };
        let mut reader = Reader::open(&self.path).map_err(JournalError::from)?;
        Ok(Some(reader.game(offset)?))
    }
}
