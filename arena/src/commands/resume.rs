//! `arena resume`: plays the games that an interrupted tournament lacks, in its directory or, if that
//! is damaged, in a new one. `arena extend` continues by the same function, [`continue_in`].

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::directory::{
    load_own, load_results, note_damaged_end, resume_command_with, resume_line,
};
use super::error::CliError;
use super::exit::Exit;
use super::machines::{ClusterArgs, Machines};
use super::playing::{RunOptions, play};
use super::prepare::{plan, prepare, runtime};
use super::run::{ReportOptions, WatchArgs, check_log, kept_dialogues, stay};
use super::salvage::salvage;
use super::signals::Signals;
use crate::terminal::output::{eprint_line, print_line};
use fanorona_runner::{Pool, Stored};
use fanorona_tournament::config::{Overrides, Tournament};
use fanorona_tournament::record::{Lock, effective_config};

pub(super) const HELP: &str = "\
Examples:
  arena resume results/full
  arena resume results/full --concurrency 4
  arena resume results/full --salvage results/full-2       if its journal is damaged

With --salvage, DIR is not changed. The new directory has the same config and every game whose journal \
line is undamaged and which replays by the rules to its recorded end. Lost games are listed with their \
line, and played again.";

#[derive(Args, Debug)]
pub(super) struct ResumeArgs {
    /// The results directory of the tournament
    dir: PathBuf,
    /// Copy the undamaged games of a damaged directory to a new one, and continue there
    #[arg(long, value_name = "NEW")]
    salvage: Option<PathBuf>,
    #[command(flatten)]
    how: ContinueArgs,
}

/// How a tournament that has begun is continued.
#[derive(Args, Debug)]
pub(super) struct ContinueArgs {
    /// Continue even if the config, an engine's program or the openings file has changed
    #[arg(long)]
    pub(super) force: bool,
    /// Games played at once, overriding the config
    #[arg(long, value_name = "N")]
    pub(super) concurrency: Option<NonZeroU32>,
    /// Exit with code 3 if an engine was at fault or a game has no result
    #[arg(long)]
    strict: bool,
    /// Print one JSON object per event instead of tables (arena/guides/events.md)
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    cluster: ClusterArgs,
}

impl ResumeArgs {
    /// Returns the arguments with which a league continues a tournament.
    pub(super) fn from_league(
        dir: &Path,
        force: bool,
        concurrency: Option<NonZeroU32>,
    ) -> ResumeArgs {
        let (watch, cluster) = (WatchArgs::default(), ClusterArgs::default());
        let how = ContinueArgs { force, concurrency, strict: false, json: false, watch, cluster };
        ResumeArgs { dir: dir.to_owned(), salvage: None, how }
    }
}

pub(super) fn resume(args: &ResumeArgs) -> Result<Exit, CliError> {
    let ResumeArgs { dir, salvage: new, how } = args;
    if let Some(new) = new {
        salvage(dir, new, how.force)?;
    }
    let dir = new.as_ref().unwrap_or(dir);
    let tournament = load_begun(dir, how)?;
    let lock = Lock::take(dir)?;
    continue_in(dir, tournament, lock, how)
}

/// The tournament of a results directory, with the options of the command line.
pub(super) fn load_begun(dir: &Path, how: &ContinueArgs) -> Result<Tournament, CliError> {
    let overrides = Overrides { concurrency: how.concurrency, ..Overrides::default() };
    // A server starts nothing that another user has put where it looks for results.
    match how.watch.remote {
        true => load_own(&dir.join(effective_config::CONFIG), &overrides),
        false => load_results(dir, &overrides),
    }
}

/// Plays the games that a tournament lacks.
pub(super) fn continue_in(
    dir: &Path,
    tournament: Tournament,
    lock: Lock,
    args: &ContinueArgs,
) -> Result<Exit, CliError> {
    let config = dir.join(effective_config::CONFIG);
    let stored = Stored::open(dir, lock, &tournament, args.force)?;
    note_damaged_end(dir, stored.torn, stored.is_unended);
    match stored.again {
        0 => {}
        1 => eprint_line("note: 1 game without a result will be played again"),
        again => {
            eprint_line(format_args!("note: {again} games without a result will be played again"))
        }
    }
    let reporting = ReportOptions {
        strict: args.strict,
        json: args.json,
        watch: &args.watch,
        cluster: Some(&args.cluster),
    };
    check_log(&tournament, &reporting)?;
    let mut plan = plan(tournament, stored.header.shard, reporting.role())?;
    let spectators = args.watch.spectators(&plan, dir)?;
    plan.live = Some(spectators.live());
    plan.dialogues = kept_dialogues(&plan.tournament, dir);
    let resume = resume_command_with(dir, reporting.cluster);
    runtime()?.block_on(async {
        let mut signals = Signals::new();
        let machines = Machines::connect(reporting.cluster).await?;
        let pool = Arc::new(Pool::default());
        let out = stored.out();
        let prepared = tokio::select! {
            biased;
            exit = signals.next(&plan.supervisors) => {
                print_line(resume_line(resume, dir, args.json));
                return Ok(exit);
            }
            prepared = prepare(&plan, &pool, &out, Some(&config)) => prepared?,
        };
        let session = match stored.resume(&plan, &prepared, args.force) {
            Ok((session, changed)) => {
                changed.iter().for_each(|change| eprint_line(format_args!("note: {change}")));
                session
            }
            Err(why) => {
                pool.quit().await;
                return Err(why.into());
            }
        };
        let introductions = prepared.introductions;
        let options = RunOptions::new(reporting.output(), introductions, spectators, resume)?;
        let (pages, supervisors) = (options.spectators().clone(), plan.supervisors.clone());
        let played = play(dir, plan, pool, machines, &mut signals, session, options).await?;
        Ok(stay(&pages, &supervisors, &mut signals, played).await)
    })
}
