//! Live boards: what changes in a running tournament, on its way to the pages that watch it.
//!
//! One task per watched tournament looks at the games a few times a second, and only while a page
//! watches. All pages get the same events, so a further page costs next to nothing.

use fanorona_tournament::mutex::lock;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Json;
use axum::extract::{self, State, WebSocketUpgrade};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval};
use tracing::debug;

use super::blocking::blocking;
use super::boards_socket;
use super::directory::Directory;
use super::error::ApiError;
use super::library::Library;
use super::next_games::{NextGame, next_games};
use super::paths::{id_of, real_path};
use super::stream::{Event, Streams};
use super::summary::Summary;
use super::view::DirectoryError;
use fanorona_runner::live::{BOARD_INTERVAL, BoardEvent, LiveGames, Watcher};
use fanorona_tournament::analysis::chance::SCALE;

/// Of how many looks one goes to the journal.
const TICKS_PER_LOOK: u32 = 5;

/// The events that wait for a slow page. A page that falls behind gets the whole state again.
const QUEUE: usize = 256;

/// The requests that a page can make of a running tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// Begin no further pairing.
    Pause,
    /// Begin pairings again.
    Continue,
    /// Stop when the games in progress are over.
    Finish,
    /// Stop at once.
    Stop,
}

/// A tournament that this server can see into.
pub struct Running {
    /// Passes on requests of pages; `false` if the tournament does not accept them any more.
    pub control: Box<dyn Fn(Control) -> bool + Send + Sync>,
    /// The boards of a tournament in this process; `None` if its own process offers them at a socket.
    pub live: Option<Arc<LiveGames>>,
}

/// The running tournaments by the ids of their directories, and who watches.
#[derive(Default)]
pub struct Watches {
    running: Mutex<HashMap<String, Arc<Running>>>,
    watched: Mutex<HashMap<String, Arc<Watched>>>,
    paused: Mutex<HashMap<String, bool>>,
    /// The finished games of each tournament when a page first asked for it, and when that was.
    begun: Mutex<HashMap<String, (Instant, u64)>>,
}

/// A tournament whose boards can be watched.
pub struct Shown {
    watches: Arc<Watches>,
    id: String,
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.watches.end(&self.id);
    }
}

/// A directory that pages watch.
struct Watched {
    events: broadcast::Sender<Arc<BroadcastEvent>>,
    /// The boards of a tournament that another process plays.
    followed: Arc<LiveGames>,
    looker: Mutex<bool>,
}

/// An event for all pages that watch a tournament.
#[derive(Debug)]
enum BroadcastEvent {
    Board(BoardEvent),
    Summary(u64),
    /// Pages get the whole state again.
    Again,
}

impl Watches {
    /// A tournament begins in a directory.
    fn begin(&self, id: &str, running: Running) {
        debug!(id, "tournament begins");
        lock(&self.paused).remove(id);
        lock(&self.running).insert(id.to_owned(), Arc::new(running));
        self.again(id);
    }

    /// Shows a tournament that begins in a directory until the returned value is dropped.
    pub(super) fn show(
        self: &Arc<Watches>,
        library: &Library,
        dir: &Path,
        running: Running,
    ) -> Shown {
        let dir = real_path(dir);
        let id = id_of(&dir);
        library.add_root(dir);
        self.begin(&id, running);
        Shown { watches: self.clone(), id }
    }

    /// It is over.
    fn end(&self, id: &str) {
        debug!(id, "tournament is over");
        lock(&self.running).remove(id);
        lock(&self.paused).remove(id);
        self.again(id);
    }

    fn again(&self, id: &str) {
        let watched = self.watched(id);
        watched.followed.clear();
        // Without pages nobody receives it.
        let _ = watched.events.send(Arc::new(BroadcastEvent::Again));
    }

    pub(super) fn running(&self, id: &str) -> Option<Arc<Running>> {
        lock(&self.running).get(id).cloned()
    }

    /// The expected time until all games are played, from the games since a page first asked. `None`
    /// until there are enough of them.
    fn seconds_left(&self, id: &str, summary: &Summary) -> Option<u64> {
        let mut begun = lock(&self.begun);
        let Some((finished, missing)) = summary.to_play().filter(|_| !self.is_paused(id)) else {
            begun.remove(id);
            return None;
        };
        let (since, before) = *begun.entry(id.to_owned()).or_insert((Instant::now(), finished));
        let new = finished.saturating_sub(before);
        let elapsed = since.elapsed().as_secs_f64();
        (new >= 4).then(|| (elapsed / new as f64 * missing as f64) as u64)
    }

    fn is_paused(&self, id: &str) -> bool {
        lock(&self.paused).get(id).copied().unwrap_or(false)
    }

    fn watched(&self, id: &str) -> Arc<Watched> {
        let new = || {
            let (events, _) = broadcast::channel(QUEUE);
            Arc::new(Watched { events, followed: Arc::default(), looker: Mutex::new(false) })
        };
        lock(&self.watched).entry(id.to_owned()).or_insert_with(new).clone()
    }

    /// The boards of a tournament: those in this process, or those that are followed.
    fn boards(&self, id: &str, watched: &Watched) -> Arc<LiveGames> {
        let own = self.running(id).and_then(|running| running.live.clone());
        own.unwrap_or_else(|| watched.followed.clone())
    }
}

/// Looks at a tournament while pages watch it. The watcher knows what runs on the boards already.
async fn look(
    watches: Arc<Watches>,
    directory: Arc<Directory>,
    watched: Arc<Watched>,
    mut watcher: Watcher,
    mut boards: Arc<LiveGames>,
) {
    let mut ticks = interval(BOARD_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut count, mut version) = (0_u32, 0);
    // Follows a tournament of another process; dropping it ends that.
    let mut following = JoinSet::new();
    loop {
        ticks.tick().await;
        if watched.events.receiver_count() == 0 {
            let mut looker = lock(&watched.looker);
            // A page may have come in the meantime.
            if watched.events.receiver_count() == 0 {
                debug!(id = directory.id(), "no page watches any more");
                *looker = false;
                watched.followed.clear();
                return;
            }
        }
        let now = watches.boards(directory.id(), &watched);
        if !Arc::ptr_eq(&boards, &now) {
            (watcher, boards) = (Watcher::default(), now);
        }
        for event in watcher.look(&boards) {
            let _ = watched.events.send(Arc::new(BroadcastEvent::Board(event)));
        }
        count = count.wrapping_add(1);
        while following.try_join_next().is_some() {}
        if !Arc::ptr_eq(&boards, &watched.followed) {
            following.abort_all();
        } else if following.is_empty() && count % TICKS_PER_LOOK == 1 {
            following.spawn(follow(watches.clone(), directory.clone(), watched.followed.clone()));
        }
        // A directory in which nothing is being played rarely changes.
        let is_running = watches.running(directory.id()).is_some();
        let pause = if is_running { TICKS_PER_LOOK } else { 2 * TICKS_PER_LOOK };
        if count.is_multiple_of(pause) {
            let of = directory.clone();
            let found = tokio::task::spawn_blocking(move || of.version()).await.unwrap_or(version);
            if found != version {
                version = found;
                let _ = watched.events.send(Arc::new(BroadcastEvent::Summary(found)));
            }
        }
    }
}

/// Follows the boards of a tournament that another process plays, as long as it plays.
async fn follow(watches: Arc<Watches>, directory: Arc<Directory>, boards: Arc<LiveGames>) {
    // Without such a process there is nothing to follow.
    if boards_socket::follow_boards(directory.path(), &boards).await.is_ok() {
        watches.again(directory.id());
    }
}

/// The summary of a tournament with what only this server knows.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TournamentView {
    #[serde(flatten)]
    summary: Summary,
    live: bool,
    control: bool,
    /// Whether this server can play on.
    resume: bool,
    paused: bool,
    /// The expected time to the end in seconds.
    seconds_left: Option<u64>,
    /// The scale of winning chances, in hundredths of a stone.
    scale: f64,
    /// The games that begin next, while it is being played.
    next: Vec<NextGame>,
}

/// `GET /api/t/ID`.
pub(super) async fn summary(
    State(library): State<Arc<Library>>,
    State(watches): State<Arc<Watches>>,
    extract::Path(id): extract::Path<String>,
) -> Result<Json<TournamentView>, ApiError> {
    blocking(move || {
        let directory = library.directory(&id)?;
        let standing = directory.standing().map_err(|why: DirectoryError| ApiError::failed(why))?;
        let summary = standing.summary();
        let running = watches.running(&id).is_some();
        let paused = watches.is_paused(&id);
        let seconds_left = watches.seconds_left(&id, summary);
        let boards = watches.boards(&id, &watches.watched(&id));
        let next = match summary.is_idle() {
            true => Vec::new(),
            false => directory
                .read(|view| next_games(view, &boards.playing()))
                .map_err(|why: DirectoryError| ApiError::failed(why))?,
        };
        Ok(Json(TournamentView {
            resume: summary.is_idle() && !running,
            seconds_left,
            summary: summary.clone(),
            live: running,
            control: running,
            paused,
            scale: SCALE,
            next,
        }))
    })
    .await
}

/// `GET /api/t/ID/live`.
pub(super) async fn live(
    State(library): State<Arc<Library>>,
    State(watches): State<Arc<Watches>>,
    State(streams): State<Streams>,
    extract::Path(id): extract::Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let directory = {
        let id = id.clone();
        blocking(move || library.directory(&id)).await?
    };
    let watched = watches.watched(&id);
    let mut events = watched.events.subscribe();
    let boards = watches.boards(&id, &watched);
    {
        let mut looker = lock(&watched.looker);
        if !*looker {
            *looker = true;
            // What runs now is in the first event.
            let mut watcher = Watcher::default();
            watcher.look(&boards);
            tokio::spawn(look(
                watches.clone(),
                directory,
                watched.clone(),
                watcher,
                boards.clone(),
            ));
        }
    }
    let running = Event::new("games", &boards.views());
    streams.start(upgrade, move |sender| async move {
        let all = || Event::new("games", &watches.boards(&id, &watched).views());
        if sender.send(running).await.is_err() {
            return;
        }
        loop {
            let next = tokio::select! {
                next = events.recv() => next,
                () = sender.closed() => return,
            };
            let sent = match next.as_deref() {
                Ok(BroadcastEvent::Board(board)) => board_event(board),
                Ok(BroadcastEvent::Summary(version)) => {
                    Event::new("summary", &json!({ "version": version }))
                }
                Ok(BroadcastEvent::Again) | Err(broadcast::error::RecvError::Lagged(_)) => all(),
                Err(broadcast::error::RecvError::Closed) => return,
            };
            if sender.send(sent).await.is_err() {
                return;
            }
        }
    })
}

fn board_event(board: &BoardEvent) -> Event {
    match board {
        BoardEvent::Begin(view) => Event::new("begin", view),
        BoardEvent::Game(update) => Event::new("game", update),
        BoardEvent::End(end) => Event::new("end", end),
    }
}

/// The body of `POST /api/t/ID/control`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct ControlRequest {
    action: Control,
}

/// `POST /api/t/ID/control`.
pub(super) async fn control(
    State(watches): State<Arc<Watches>>,
    extract::Path(id): extract::Path<String>,
    Json(request): Json<ControlRequest>,
) -> Result<Json<serde_json::Value>, ApiError> {
    let running = watches.running(&id);
    let why = "this server does not play the tournament, so it cannot control it";
    let running = running.ok_or_else(|| ApiError::conflict(why))?;
    if !(running.control)(request.action) {
        return Err(ApiError::conflict("the tournament is over").said("is-over"));
    }
    match request.action {
        Control::Pause => lock(&watches.paused).insert(id, true),
        _ => lock(&watches.paused).remove(&id),
    };
    Ok(Json(json!({})))
}
