//! Engines behind the pages. A page leads the conversation in lines of the protocol, through a
//! small port; the other end is a process, started and confined as in a tournament.

use fanorona_tournament::mutex::lock;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::response::Response;
use fanorona_protocol::messages::{Command, Dialect, OptionSpec};
use fanorona_protocol::rules::Ruleset;
use serde::{Deserialize, Serialize};
use tokio::sync::{OnceCell, Semaphore, mpsc};
use tracing::debug;

use super::error::ApiError;
use super::outbox::Outbox;
use super::stream::{Event, Streams};
use fanorona_engine::{Digests, Engine, Launch, LaunchOptions, Supervisors};
use fanorona_pages::positions::rules_of;
use fanorona_pages::{EngineView, OptionView};
use fanorona_runner::play::MAX_POSITION;
use fanorona_tournament::config::{self, EngineConfig, Places};

/// The most engines that pages use at once.
const MAX_ENGINES: usize = 8;

/// An engine that no page listens to is ended after this time.
const IDLE: Duration = Duration::from_secs(30);

/// The longest search, whatever its limits.
const LONGEST_SEARCH: Duration = Duration::from_secs(600);

/// The shortest time between two sets of lines to a page.
const PAUSE: Duration = Duration::from_millis(80);

/// The engines that pages may start, and those that run.
pub struct Engines {
    configs: Vec<EngineConfig>,
    base: PathBuf,
    supervisors: Arc<Supervisors>,
    /// The processors that an engine of a page may use.
    processors: usize,
    ports: Mutex<HashMap<String, Arc<Port>>>,
    /// One place for each process of an engine with a port.
    places: Arc<Semaphore>,
    next: AtomicU64,
    known: OnceCell<Vec<EngineView>>,
}

/// A running engine.
pub(super) struct Port {
    /// The conversation ends when this is dropped.
    lines: mpsc::Sender<String>,
    outbox: Arc<Outbox>,
    options: Vec<OptionSpec>,
    processors: usize,
    dialect: Dialect,
    listened: Mutex<Instant>,
    listening: AtomicBool,
    /// The number of `go` commands so far.
    searches: AtomicU64,
}

impl Engines {
    /// The engines that pages may start; relative commands are looked up from `base`.
    pub fn new(
        configs: Vec<EngineConfig>,
        base: PathBuf,
        supervisors: Arc<Supervisors>,
    ) -> Engines {
        Engines {
            configs,
            base,
            supervisors,
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            ports: Mutex::default(),
            places: Arc::new(Semaphore::new(MAX_ENGINES)),
            next: AtomicU64::new(1),
            known: OnceCell::new(),
        }
    }

    /// The names of the engines.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.configs.iter().map(|engine| &*engine.name)
    }

    /// The config of an engine by its name.
    pub(super) fn config(&self, name: &str) -> Result<&EngineConfig, ApiError> {
        let found = self.configs.iter().find(|engine| engine.name == name);
        found.ok_or_else(|| {
            let names: Vec<_> = self.names().collect();
            let why =
                format!("there is no engine `{name}` here: choose one of {}", names.join(", "));
            ApiError::missing(why).said_with("no-engine", [("engine", &name as _)])
        })
    }

    /// Starts an engine by its name.
    async fn start(&self, name: &str, rules: Ruleset) -> Result<(Engine, Dialect), ApiError> {
        let engine = self.config(name)?;
        let (beside, path) = (std::env::current_exe().ok(), std::env::var_os("PATH"));
        let places = Places {
            arena: beside.as_deref().and_then(std::path::Path::parent),
            base: &self.base,
            path: path.as_deref(),
        };
        let resolved = config::resolve(engine, &places)
            .map_err(|why| ApiError::failed(&why).with_help(why.help()))?;
        let alone = LaunchOptions::alone(engine, rules);
        let options = LaunchOptions { sets_openings: false, ..alone };
        let digests = Digests::default();
        let launch = Launch::new(engine, resolved, options, &self.supervisors, &digests);
        let started = Engine::start(&launch).await;
        let engine_name = &engine.name;
        let started = started
            .map_err(|why| ApiError::failed(format!("{engine_name} did not start: {why}")))?;
        Ok((started, engine.dialect))
    }

    /// The same engines for pages that have one processor for them.
    pub fn in_pages(self) -> Engines {
        Engines { processors: 1, ..self }
    }

    /// Returns the declarations of every engine. Each one is started once, when the first page
    /// asks.
    pub async fn known(&self) -> &[EngineView] {
        let views = self.known.get_or_init(|| async {
            let mut views = Vec::new();
            for name in self.names() {
                views.push(match self.start(name, Ruleset::default()).await {
                    Ok((engine, _)) => {
                        let (identity, options) = (engine.identity(), engine.options());
                        let view = EngineView::new(name, identity, options, self.processors);
                        engine.quit().await;
                        view
                    }
                    Err(why) => EngineView::broken(name, why.text()),
                });
            }
            views
        });
        views.await
    }

    fn port(&self, id: &str) -> Result<Arc<Port>, ApiError> {
        let why = "this engine is not running any more";
        lock(&self.ports)
            .get(id)
            .cloned()
            .ok_or_else(|| ApiError::missing(why).said("engine-ended"))
    }

    /// Opens a port to a new process of an engine.
    async fn open(self: &Arc<Engines>, name: &str, rules: Ruleset) -> Result<String, ApiError> {
        // The place is taken before the engine starts, and given back when its process has ended.
        let Ok(place) = self.places.clone().try_acquire_owned() else {
            let why = format!("{MAX_ENGINES} engines are running for pages already");
            return Err(ApiError::busy(why)
                .with_help("close other pages that use an engine")
                .said("busy-engines"));
        };
        let (mut engine, dialect) = self.start(name, rules).await?;
        let (sender, lines) = mpsc::channel(64);
        let outbox = Arc::new(Outbox::default());
        let port = Port {
            lines: sender,
            outbox: outbox.clone(),
            options: engine.options().to_vec(),
            processors: self.processors,
            dialect,
            listened: Mutex::new(Instant::now()),
            listening: AtomicBool::new(false),
            searches: AtomicU64::new(0),
        };
        let port = Arc::new(port);
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        lock(&self.ports).insert(id.clone(), port.clone());
        debug!(engine = name, id, "engine is open for a page");
        tokio::spawn(end_when_idle(Arc::downgrade(self), id.clone(), Arc::downgrade(&port)));
        let (engines, of) = (Arc::downgrade(self), id.clone());
        tokio::spawn(async move {
            let ended = engine.relay(lines, |line| outbox.push(line)).await;
            let why = ended.err().map_or_else(|| "it was closed".to_owned(), |it| it.to_string());
            debug!(id = of, %why, "engine of a page has ended");
            outbox.end(why);
            if let Some(engines) = engines.upgrade() {
                lock(&engines.ports).remove(&of);
            }
            engine.quit().await;
            drop(place);
        });
        Ok(id)
    }
}

/// Ends an engine that no page listens to any more.
async fn end_when_idle(engines: Weak<Engines>, id: String, port: Weak<Port>) {
    loop {
        tokio::time::sleep(IDLE / 6).await;
        let Some(engines) = engines.upgrade() else { return };
        if !lock(&engines.ports).contains_key(&id) {
            return;
        }
        let Some(port) = port.upgrade() else { return };
        let idle = lock(&port.listened).elapsed() > IDLE;
        if idle && !port.listening.load(Ordering::Relaxed) {
            // With the last sender the conversation ends, and so does the engine.
            lock(&engines.ports).remove(&id);
            return;
        }
    }
}

impl Port {
    /// Checks a line from a page, and returns it in the engine's dialect.
    fn checked(&self, line: &str) -> Result<(String, Command), ApiError> {
        if line.len() > MAX_POSITION {
            return Err(ApiError::invalid("the line is too long"));
        }
        let refused = |why: &str| ApiError::invalid(format!("`{}`: {why}", brief(line)));
        let command: Command = line.parse().map_err(|why| refused(&format!("{why}")))?;
        match &command {
            Command::Position { .. } | Command::Go(_) => {}
            Command::Stop | Command::IsReady | Command::NewGame | Command::Query(_) => {}
            Command::SetOption { name, value } => {
                let spec = self.options.iter().find(|option| option.is_named(name));
                let spec = spec.ok_or_else(|| refused("the engine has no such option"))?;
                let value = value.as_deref().unwrap_or("");
                let rules = spec.is_named("Rules") && value.parse::<Ruleset>().is_ok();
                let Some(view) = OptionView::new(spec, self.processors) else {
                    return match rules {
                        true => Ok((command.in_dialect(self.dialect), command)),
                        false => Err(refused("a page may not set this option")),
                    };
                };
                spec.check(value).map_err(|why| refused(&why.to_string()))?;
                if value.parse::<i64>().is_ok_and(|value| view.max.is_some_and(|max| value > max)) {
                    let max = view.max.unwrap_or_default();
                    return Err(refused(&format!("the server allows at most {max}")));
                }
            }
            _ => return Err(refused("a page may not send this command")),
        }
        Ok((command.in_dialect(self.dialect), command))
    }

    /// Stops the search that has just begun when it has lasted too long.
    fn stop_later(self: &Arc<Port>) {
        let search = self.searches.load(Ordering::Relaxed);
        let port = Arc::downgrade(self);
        tokio::spawn(async move {
            tokio::time::sleep(LONGEST_SEARCH).await;
            if let Some(port) = port.upgrade()
                && port.searches.load(Ordering::Relaxed) == search
            {
                // An engine that is gone needs no stop.
                let _ = port.lines.try_send("stop".to_owned());
            }
        });
    }
}

/// The beginning of a line, for messages.
fn brief(line: &str) -> String {
    line.chars().take(80).collect()
}

/// `GET /api/engines`.
pub(super) async fn list(State(engines): State<Arc<Engines>>) -> Json<Vec<EngineView>> {
    Json(engines.known().await.to_vec())
}

/// The body of `POST /api/engine`.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct OpenRequest {
    engine: String,
    #[serde(default)]
    rules: String,
}

/// The id of a running engine.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Opened {
    id: String,
}

/// `POST /api/engine`: starts an engine.
pub(super) async fn open(
    State(engines): State<Arc<Engines>>,
    Json(request): Json<OpenRequest>,
) -> Result<Json<Opened>, ApiError> {
    let rules = rules_of(&request.rules)?;
    Ok(Json(Opened { id: engines.open(&request.engine, rules).await? }))
}

/// `POST /api/engine/ID/lines`: lines for an engine.
pub(super) async fn send(
    State(engines): State<Arc<Engines>>,
    Path(id): Path<String>,
    body: String,
) -> Result<Json<serde_json::Value>, ApiError> {
    let port = engines.port(&id)?;
    let lines: Vec<&str> = body.lines().filter(|line| !line.trim().is_empty()).collect();
    let checked: Vec<_> = lines.iter().map(|line| port.checked(line)).collect::<Result<_, _>>()?;
    for (line, command) in checked {
        if let Command::Go(_) = &command {
            port.searches.fetch_add(1, Ordering::Relaxed);
            port.stop_later();
        }
        let sent = port.lines.try_send(line);
        sent.map_err(|_| ApiError::busy("the engine does not read its input"))?;
    }
    Ok(Json(serde_json::json!({})))
}

/// `POST /api/engine/ID/quit`: ends an engine.
pub(super) async fn quit(
    State(engines): State<Arc<Engines>>,
    Path(id): Path<String>,
) -> Json<serde_json::Value> {
    lock(&engines.ports).remove(&id);
    Json(serde_json::json!({}))
}

/// Marks a port as listened to. It does not keep the engine's input open.
struct EngineListener(Weak<Port>);

impl Drop for EngineListener {
    fn drop(&mut self) {
        if let Some(port) = self.0.upgrade() {
            *lock(&port.listened) = Instant::now();
            port.listening.store(false, Ordering::Relaxed);
        }
    }
}

/// `GET /api/engine/ID/lines`: the lines of an engine.
pub(super) async fn lines(
    State(engines): State<Arc<Engines>>,
    State(streams): State<Streams>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let port = engines.port(&id)?;
    if port.listening.swap(true, Ordering::Relaxed) {
        return Err(
            ApiError::conflict("another page is listening to this engine").said("engine-taken")
        );
    }
    let outbox = port.outbox.clone();
    let listening = EngineListener(Arc::downgrade(&port));
    drop(port);
    streams.start(upgrade, |sender| async move {
        let _listening = listening;
        loop {
            tokio::select! {
                () = outbox.changed() => {}
                () = sender.closed() => return,
            }
            let (lines, gone) = outbox.take();
            for line in lines {
                if sender.send(Event::new("line", &line)).await.is_err() {
                    return;
                }
            }
            if let Some(why) = gone {
                // The page may be gone as well.
                let _ = sender.send(Event::new("gone", &why)).await;
                return;
            }
            tokio::time::sleep(PAUSE).await;
        }
    })
}
