//! Tournaments that pages start: each is a process of this program, so that the end of the server
//! costs no finished game. Requests go to its standard input; events come from its output.

use std::ffi::OsString;
use std::path::{Path as FilePath, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::timeout;

use super::blocking::blocking;
use super::engines::Engines;
use super::error::ApiError;
use super::form::Form;
use super::library::{self, Library};
use super::paths::id_of;
use super::view::RunState;
use super::watch::{Control, Running, Shown, Watches};
use fanorona_engine::helper;
use fanorona_tournament::record::effective_config;

/// The time a tournament may take until it has started all its engines.
const START: Duration = Duration::from_secs(120);

/// The most of a failed start's messages that a page shows, in bytes.
const MAX_MESSAGES: u64 = 8 << 10;

/// The most tournaments that pages have started and that are still being played.
const MAX_RUNS: usize = 4;

/// The places of the tournaments that pages have started.
#[derive(Clone, Debug)]
pub(super) struct Runs(Arc<Semaphore>);

impl Default for Runs {
    fn default() -> Runs {
        Runs(Arc::new(Semaphore::new(MAX_RUNS)))
    }
}

impl Runs {
    /// A place for another tournament, until it is dropped.
    fn place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        let why = format!("{MAX_RUNS} tournaments that pages have started are being played");
        let busy = ApiError::busy(why)
            .with_help("wait for one of them, or stop it")
            .said("busy-tournaments");
        self.0.clone().try_acquire_owned().map_err(|_| busy)
    }
}

/// The body of `POST /api/run`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunRequest {
    /// The id of a config.
    Config(String),
    /// A form, which becomes a config.
    Form(Form),
}

/// The id of a tournament.
#[derive(Clone, Debug, Serialize)]
pub(super) struct StartedRun {
    id: String,
}

/// `POST /api/run`: starts a tournament from a config or a form.
pub(super) async fn run(
    State(library): State<Arc<Library>>,
    State(engines): State<Arc<Engines>>,
    State(watches): State<Arc<Watches>>,
    State(runs): State<Runs>,
    Json(request): Json<RunRequest>,
) -> Result<Json<StartedRun>, ApiError> {
    let place = runs.place()?;
    let config = {
        let library = library.clone();
        blocking(move || match request {
            RunRequest::Config(id) => library.config(&id),
            RunRequest::Form(form) => form.write(&engines, library.base()),
        })
        .await?
    };
    begin(library, watches, place, vec!["run".into(), config.into()]).await
}

/// The body of `POST /api/t/ID/resume`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ResumeRequest {
    rounds: Option<u32>,
}

/// `POST /api/t/ID/resume`: continues a tournament, or extends it to more rounds.
pub(super) async fn resume(
    State(library): State<Arc<Library>>,
    State(watches): State<Arc<Watches>>,
    State(runs): State<Runs>,
    Path(id): Path<String>,
    Json(request): Json<ResumeRequest>,
) -> Result<Json<StartedRun>, ApiError> {
    let place = runs.place()?;
    let of = library.clone();
    let directory = blocking(move || of.directory(&id)).await?;
    let path = directory.path().to_owned();
    let state = {
        let directory = directory.clone();
        blocking(move || {
            let config = directory.path().join(effective_config::CONFIG);
            library::foreign(&config).map_or(Ok(()), Err)?;
            directory.read(|view| directory.run_state(view)).map_err(ApiError::failed)
        })
        .await?
    };
    if state == RunState::Running {
        return Err(ApiError::conflict("the tournament is being played already").said("is-played"));
    }
    let arguments = match request.rounds {
        None => vec!["resume".into(), path.into()],
        Some(rounds) => {
            vec!["extend".into(), path.into(), "--rounds".into(), rounds.to_string().into()]
        }
    };
    begin(library, watches, place, arguments).await
}

/// Starts a process that plays a tournament, and waits until it plays. A page that is closed
/// meanwhile does not interrupt this.
async fn begin(
    library: Arc<Library>,
    watches: Arc<Watches>,
    place: OwnedSemaphorePermit,
    arguments: Vec<OsString>,
) -> Result<Json<StartedRun>, ApiError> {
    let begun = tokio::spawn(start(library, watches, place, arguments)).await;
    let id = begun.unwrap_or_else(|why| Err(ApiError::failed(why)))?;
    Ok(Json(StartedRun { id }))
}

/// Gives a process a group of its own.
#[cfg(unix)]
fn apart(command: &mut Command) {
    command.process_group(0);
}

/// Gives a process a group and a console of its own.
#[cfg(windows)]
fn apart(command: &mut Command) {
    use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW};
    command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW);
}

async fn start(
    library: Arc<Library>,
    watches: Arc<Watches>,
    place: OwnedSemaphorePermit,
    arguments: Vec<OsString>,
) -> Result<String, ApiError> {
    let base = library.base().to_owned();
    let cannot = |why| ApiError::failed(format!("cannot start: {why}"));
    let mut command = Command::new(helper::own_program().map_err(cannot)?);
    command.args(arguments).arg("--remote").current_dir(&base);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C in the terminal of the server reaches the server, which then ends the tournament.
    apart(&mut command);
    let mut child = command.spawn().map_err(cannot)?;
    let stdout = child.stdout.take().expect("it is piped");
    let stderr = child.stderr.take().expect("it is piped");
    let messages = tokio::spawn(async move {
        let mut stderr = stderr;
        let mut text = Vec::new();
        // What comes later is read, too, so that the process never waits for a reader.
        let _ = (&mut stderr).take(MAX_MESSAGES).read_to_end(&mut text).await;
        let _ = tokio::io::copy(&mut stderr, &mut tokio::io::sink()).await;
        String::from_utf8_lossy(&text).into_owned()
    });
    let mut lines = BufReader::new(stdout).lines();
    match timeout(START, started(&mut lines, &base)).await {
        Ok(Some(dir)) => {
            let id = id_of(&dir);
            let shown = watches.show(&library, &dir, control_of(&mut child));
            tokio::spawn(follow(child, lines, shown, place));
            Ok(id)
        }
        Ok(None) => {
            let text = messages.await.unwrap_or_default();
            Err(ApiError::invalid(format!("the tournament did not start:\n{}", text.trim())))
        }
        Err(_) => {
            // It has no finished game yet.
            let _ = child.kill().await;
            Err(ApiError::failed("the tournament did not start in time"))
        }
    }
}

/// Waits for the first event, which names the results directory. `None` if the process ends
/// before.
async fn started(lines: &mut Lines<BufReader<ChildStdout>>, base: &FilePath) -> Option<PathBuf> {
    while let Ok(Some(line)) = lines.next_line().await {
        let Ok(event) = serde_json::from_str::<Value>(&line) else { continue };
        if event["event"] == "started" {
            let dir = base.join(event["results"].as_str()?);
            return Some(dunce::canonicalize(&dir).unwrap_or(dir));
        }
    }
    None
}

/// Passes requests on to a process.
fn control_of(child: &mut Child) -> Running {
    let mut stdin = child.stdin.take().expect("it is piped");
    let (sender, mut requests) = mpsc::channel::<Control>(16);
    tokio::spawn(async move {
        while let Some(request) = requests.recv().await {
            let word = serde_json::to_string(&request).expect("a word");
            // The process may have ended.
            let _ = stdin.write_all(format!("{word}\n").as_bytes()).await;
        }
    });
    let control = move |request| sender.try_send(request).is_ok();
    Running { control: Box::new(control), live: None }
}

/// Waits for the end of a process. Its events are read, so that it never waits for a reader; its boards
/// are at its socket.
async fn follow(
    mut child: Child,
    mut lines: Lines<BufReader<ChildStdout>>,
    shown: Shown,
    place: OwnedSemaphorePermit,
) {
    while let Ok(Some(_)) = lines.next_line().await {}
    // Its exit code says nothing that its files do not say.
    let _ = child.wait().await;
    drop((shown, place));
}
