//! The connection to the machines that play a tournament, through a NATS server.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::Notice;
use crate::commands::error::CliError;
use crate::commands::exit::Exit;
use fanorona_cluster::access::{Access, Credentials, require_jetstream};
use fanorona_cluster::coordinator::{Coordinator, Note, Settings};
use fanorona_cluster::{ClusterError, calibration};
use fanorona_runner::{Finish, Plan, Snapshot, Venue};
use fanorona_tournament::config::{self, OpeningSource, Tournament};
use fanorona_tournament::progress::{Withdrawal, WithdrawalReason};
use fanorona_tournament::text::input_file;

/// The usual time for which the server may be silent.
const SERVER_TIMEOUT: &str = "10m";

/// The usual time for which a worker may be silent.
const REDELIVER: &str = "30s";

/// The usual share of games that are played again, in percent.
const RECHECK: &str = "2";

/// How to reach the server.
#[derive(Args, Debug, Default, Clone)]
pub(crate) struct AccessArgs {
    /// A file with user and keys, from `arena cluster config` [env: ARENA_CREDENTIALS]
    #[arg(long, value_name = "FILE")]
    pub(crate) credentials: Option<PathBuf>,
    /// The certificate of the authority that signed the server's certificate (PEM)
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_ca: Option<PathBuf>,
    /// Stop when the server has been silent for this long
    #[arg(long, value_name = "TIME", default_value = SERVER_TIMEOUT, value_parser = config::duration)]
    pub(crate) server_timeout: Duration,
}

/// The options for machines that play a tournament.
#[derive(Args, Debug, Default, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct ClusterArgs {
    /// Let workers (`arena cluster work`) play the games, through the NATS server at this address
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,
    #[command(flatten)]
    access: AccessArgs,
    /// Send the engines' files to the workers
    #[arg(long, requires = "cluster")]
    ship: bool,
    /// The speed that time limits are meant for, in nodes per second of `bot-alphabeta bench` with
    /// all processors busy [default: this machine's]
    #[arg(long, value_name = "NPS", requires = "cluster")]
    reference_speed: Option<f64>,
    /// Play a job elsewhere when its worker has been silent for this long
    #[arg(long, value_name = "TIME", default_value = REDELIVER, value_parser = config::duration)]
    redeliver: Duration,
    /// The share of games, in percent, that another worker plays again under limits by nodes or depth
    #[arg(long, value_name = "PERCENT", default_value = RECHECK, value_parser = percent)]
    recheck: f64,
}

/// A share of 0 to 100 percent.
fn percent(text: &str) -> Result<f64, String> {
    let number = text.strip_suffix('%').unwrap_or(text).trim().parse::<f64>();
    let share = number.ok().filter(|number| (0.0..=100.0).contains(number));
    share.ok_or_else(|| "expected a number from 0 to 100, like 2 or 2%".to_owned())
}

impl ClusterArgs {
    /// Whether other machines play.
    pub(crate) fn is_on(&self) -> bool {
        self.cluster.is_some()
    }

    /// The options as they are typed, without those that have their usual values; none if this
    /// machine plays.
    pub(crate) fn words(&self) -> Vec<String> {
        let Some(url) = &self.cluster else { return Vec::new() };
        let AccessArgs { credentials, tls_ca, server_timeout } = &self.access;
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        let time = |time: Duration, usual: &str| {
            (config::duration(usual) != Ok(time)).then(|| format!("{time:?}"))
        };
        let recheck = (percent(RECHECK) != Ok(self.recheck)).then(|| self.recheck.to_string());
        let options = [
            ("--cluster", Some(url.clone())),
            ("--credentials", path(credentials)),
            ("--tls-ca", path(tls_ca)),
            ("--server-timeout", time(*server_timeout, SERVER_TIMEOUT)),
            ("--reference-speed", self.reference_speed.map(|speed| speed.to_string())),
            ("--redeliver", time(self.redeliver, REDELIVER)),
            ("--recheck", recheck),
        ];
        let given = options.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
        given.flatten().chain(self.ship.then(|| "--ship".to_owned())).collect()
    }
}

/// The connection to the server, and the coordinator once it has begun.
pub(crate) struct Machines {
    args: ClusterArgs,
    client: async_nats::Client,
    credentials: Option<Credentials>,
    running: Option<(Arc<Coordinator>, tokio::sync::mpsc::UnboundedReceiver<Note>)>,
    resume: String,
}

impl AccessArgs {
    /// Returns the access to a server at this address.
    pub(crate) fn access(&self, url: &str) -> Result<Access, CliError> {
        let named = || std::env::var_os("ARENA_CREDENTIALS").map(PathBuf::from);
        let file = self.credentials.clone().or_else(named);
        let credentials = file.map(|file| Credentials::read(&file)).transpose()?;
        Ok(Access { url: url.to_owned(), credentials, authority: self.tls_ca.clone() })
    }
}

impl Machines {
    /// Connects to the server, if other machines are asked for.
    pub(crate) async fn connect(args: Option<&ClusterArgs>) -> Result<Option<Machines>, CliError> {
        let Some((args, url)) = args.and_then(|args| Some((args, args.cluster.as_deref()?))) else {
            return Ok(None);
        };
        let access = args.access.access(url)?;
        if access.credentials.as_ref().is_some_and(|own| own.workers.is_empty()) {
            let why = "these credentials do not name the keys of any workers";
            let help = "give the file that `arena cluster config` has written for the coordinator";
            return Err(CliError::with_help(Exit::Usage, why, help));
        }
        let client = access.connect("arena coordinator").await?;
        require_jetstream(&client).await?;
        let (args, credentials) = (args.clone(), access.credentials);
        Ok(Some(Machines { args, client, credentials, running: None, resume: String::new() }))
    }

    /// Begins to coordinate the tournament, which `resume` would continue.
    pub(crate) async fn begin(
        &mut self,
        plan: &Arc<Plan>,
        dir: &Path,
        snapshot: &Snapshot,
        resume: String,
    ) -> Result<Arc<dyn Venue>, CliError> {
        let ClusterArgs { ship, redeliver, reference_speed, ref access, .. } = self.args;
        let timed =
            |it: &Tournament| it.engines.iter().any(|engine| it.limit_of(engine).is_timed());
        let reference_speed = match reference_speed {
            _ if !timed(&plan.tournament) => None,
            Some(speed) if speed.is_finite() && speed > 0.0 => Some(speed),
            Some(_) => {
                return Err(CliError::new(Exit::Usage, "--reference-speed is not a speed"));
            }
            None => Some(calibration::speed_of_this_machine().await?),
        };
        let openings = match &plan.tournament.openings {
            OpeningSource::File { path, .. } => {
                let path = plan.tournament.base.join(path);
                let text = input_file::read_to_string(&path);
                Some(text.map_err(|why| CliError::new(Exit::Usage, why))?)
            }
            _ => None,
        };
        let (patience, credentials) = (access.server_timeout, self.credentials.clone());
        let recheck = self.args.recheck / 100.0;
        let settings =
            Settings { redeliver, patience, ship, reference_speed, credentials, recheck };
        let (coordinator, notes) = Coordinator::begin(
            self.client.clone(),
            plan.clone(),
            dir,
            &snapshot.index,
            broken(plan, snapshot),
            settings,
            openings,
        )
        .await?;
        let coordinator = Arc::new(coordinator);
        self.resume = resume;
        self.running = Some((coordinator.clone(), notes));
        Ok(coordinator)
    }

    /// The next message for the user.
    ///
    /// # Errors
    /// Returns the error that ends the tournament.
    pub(crate) async fn report(&mut self) -> Result<Notice, CliError> {
        let Some((_, notes)) = &mut self.running else { return std::future::pending().await };
        match notes.recv().await {
            Some(Note::Event(text)) => Ok(Notice::Text(text)),
            Some(Note::Warning(text)) => Ok(Notice::Warning(text)),
            Some(Note::Lost { why, patience }) => Ok(Notice::Lost { why, patience }),
            Some(Note::Back(after)) => Ok(Notice::Back(after)),
            Some(Note::Fatal(error)) => {
                let help =
                    format!("finished games are kept; {}; then: {}", error.help(), self.resume);
                Err(CliError::with_help(exit(&error), &error, help))
            }
            None => std::future::pending().await,
        }
    }

    /// Ends the work on the server.
    pub(crate) async fn end(&self, finish: Option<Finish>) {
        if let Some((coordinator, _)) = &self.running {
            coordinator.end(finish).await;
        }
    }
}

/// The engines that did not start before the first game, each with the reason.
fn broken(plan: &Plan, snapshot: &Snapshot) -> Vec<(String, String)> {
    let withdrawals = snapshot.progress.withdrawals().iter();
    let of = |withdrawal: &Withdrawal| match &withdrawal.why {
        WithdrawalReason::Broken(why) => {
            Some((plan.tournament.engines[withdrawal.engine.0].name.clone(), why.clone()))
        }
        WithdrawalReason::Faults(_) => None,
    };
    withdrawals.filter_map(of).collect()
}

fn exit(error: &ClusterError) -> Exit {
    match error {
        ClusterError::Silent(_) | ClusterError::Storage(_) | ClusterError::Run(_) => Exit::Storage,
        _ => Exit::Usage,
    }
}

impl From<ClusterError> for CliError {
    fn from(error: ClusterError) -> CliError {
        CliError::with_help(exit(&error), &error, error.help())
    }
}
