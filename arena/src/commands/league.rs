//! `arena league`: a standing competition between bots that come, improve and go.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};

use super::arguments::{count, engine, found};
use super::error::CliError;
use super::exit::Exit;
use super::init::{cannot_write, keep_working_directory, name};
use super::prepare::{runtime, supervisors};
use super::quick::checked;
use super::resume::{self, ResumeArgs};
use super::run::{ReportOptions, RunTarget, WatchArgs};
use crate::terminal::output::{eprint_line, print_line, print_wrapped};
use fanorona_check::{self, Level, Report, Selection, Settings, Subject, show};
use fanorona_engine::LaunchOptions;
use fanorona_engine::raw_process::LaunchConfig;
use fanorona_league::members::check_name;
use fanorona_league::next::{self, FinishedPairs};
use fanorona_league::pages;
use fanorona_league::submission::{self, Start};
use fanorona_league::{LeagueError, Members, Played, Refusal, Version, played, roster, settings};
use fanorona_tournament::config::{Limit, LoadError, Memory, Tournament, is_path};
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::record::{JournalError, Lock};
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena league class init                              write class/league.toml
  arena league class add ada submissions/ada.zip       check a bot, and copy it into the league
  arena league class add greedy bot-greedy             a program of this machine
  arena league class play                              play whatever is missing, write the pages
  arena league class remove ada

Every two bots play each other once; `play` continues after an interruption, and only plays what is \
missing. Adding a bot again makes a new version, which takes the place of the old one. A bot must \
pass `arena check`. The pages are in DIR/page. See arena/guides/run-a-league.md.";

#[derive(Args, Debug)]
pub(super) struct LeagueArgs {
    /// The league's directory
    dir: PathBuf,
    #[command(subcommand)]
    what: LeagueAction,
}

#[derive(Subcommand, Debug)]
enum LeagueAction {
    /// Write the settings of a new league, league.toml
    Init,
    /// Add a bot, or a new version of one
    Add(AddArgs),
    /// Remove a bot; its games stay in the ratings
    Remove {
        /// The bot's name
        name: String,
    },
    /// Play what is missing, then write the pages
    Play(PlayArgs),
    /// Write the pages
    Page,
    /// List the bots with their states
    List,
}

#[derive(Args, Debug)]
struct AddArgs {
    /// The bot's name: letters, digits, `-`, `_` and `.`
    name: String,
    /// A directory, an archive (.zip, .tar, .tar.gz) or a script, which is copied; or a bot's name
    /// or a command line in quotes
    #[arg(value_name = "COMMAND|SUBMISSION")]
    bot: String,
    /// Its own time limit instead of the league's
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Its own memory limit instead of the league's
    #[arg(long, value_name = "SIZE")]
    memory: Option<Memory>,
    /// Who wrote it
    #[arg(long, value_name = "NAME", default_value = "")]
    author: String,
}

#[derive(Args, Debug)]
struct PlayArgs {
    /// Games played at once, overriding the settings
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<NonZeroU32>,
    /// Continue an interrupted tournament even if a program, like the interpreter of a bot, has
    /// changed
    #[arg(long)]
    force: bool,
}

pub(super) fn league(args: &LeagueArgs) -> Result<Exit, CliError> {
    let dir = &args.dir;
    if matches!(args.what, LeagueAction::Init) {
        return init(dir);
    }
    let settings = settings::read(dir)?;
    let _lock = match args.what {
        LeagueAction::List => None,
        _ => Some(Lock::take(dir)?),
    };
    match &args.what {
        LeagueAction::Init => unreachable!("it is handled above, where there are no settings yet"),
        LeagueAction::Add(args) => add(dir, &settings, args),
        LeagueAction::Remove { name } => remove(dir, name),
        LeagueAction::Play(args) => play(dir, settings, args),
        LeagueAction::Page => write_pages(dir, &settings),
        LeagueAction::List => list(dir, &settings),
    }
}

fn init(dir: &Path) -> Result<Exit, CliError> {
    let file = dir.join(settings::FILE);
    fs::create_dir_all(dir).map_err(|why| cannot_write(dir, &why))?;
    if settings::is_league(dir) {
        let why = format!("{} exists already", file.display());
        return Err(CliError::with_help(Exit::Usage, why, "edit it, or choose another directory"));
    }
    let here = dunce::canonicalize(dir).map_err(|why| cannot_write(dir, &why))?;
    let text = settings::template(&name(&here));
    fs::write(&file, text).map_err(|why| cannot_write(&file, &why))?;
    let dir = dir.display();
    print_line(format_args!(
        "wrote {}\nadd a bot: arena league {dir} add NAME COMMAND|SUBMISSION\nplay: arena league {dir} play",
        file.display()
    ));
    Ok(Exit::Done)
}

/// The present time in UTC, to the second.
fn now() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

fn add(dir: &Path, settings: &Tournament, args: &AddArgs) -> Result<Exit, CliError> {
    check_name(&args.name)?;
    let played = played::read(dir)?;
    let mut members = present_members(dir, settings, &played)?;
    let number = members.next_version(&args.name);
    let own = Path::new("bots").join(&args.name).join(number.to_string());
    let prepared = version(dir, args, number, &own).and_then(|version| {
        check_new(&roster::active(&members, &played), &version)?;
        Ok(version)
    });
    let mut version = match prepared {
        Ok(version) => version,
        Err(why) => {
            // What was copied belongs to no version.
            let _ = fs::remove_dir_all(dir.join(&own));
            return Err(why);
        }
    };
    let report = at_the_door(settings, &version)?;
    version.refused = refusal(&report);
    let name = version.engine_name();
    let exit = match &version.refused {
        None => {
            print_line(format_args!("{name} is a member: it passes all basic checks"));
            Exit::Done
        }
        Some(refusal) => {
            print_wrapped(&refusal.details);
            print_line(format_args!("{name} is not admitted: {}", refusal.reason));
            let before = members.of(&args.name).rev().find(|it| it.refused.is_none());
            if let Some(before) = before.filter(|it| it.removed.is_none()) {
                print_line(format_args!("{} goes on playing", before.engine_name()));
            }
            Exit::CheckFailed
        }
    };
    members.versions.push(version);
    members.write(dir)?;
    Ok(exit)
}

/// The version to add, with its files in place.
fn version(dir: &Path, args: &AddArgs, number: u32, own: &Path) -> Result<Version, CliError> {
    let (start, place, files) = if submission::is_submission(&args.bot) {
        let copy = dir.join(own);
        // What an interrupted command has left.
        let _ = fs::remove_dir_all(&copy);
        let copied = submission::copy(Path::new(&args.bot), &copy);
        let started = copied.and_then(|()| submission::start(&copy));
        let mut start = started.inspect_err(|_| {
            // What was refused takes no space.
            let _ = fs::remove_dir_all(&copy);
        })?;
        if is_path(&start.command) && Path::new(&start.command).is_relative() {
            let inner = Path::new(&start.command);
            start.command =
                own.join(inner.strip_prefix("./").unwrap_or(inner)).display().to_string();
        }
        (start, Some(own.to_owned()), vec![copy])
    } else {
        let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
        let mut engine = engine(&args.bot).map_err(|why| usage(&why))?;
        let here = std::env::current_dir().map_err(|why| usage(&why))?;
        keep_working_directory(&mut engine, &here);
        let resolved = found(&engine, &here)?;
        // An interpreter is updated with the system; the bot is its script.
        let files = if resolved.files.is_empty() { vec![resolved.program] } else { resolved.files };
        let start = Start {
            command: engine.command,
            args: engine.args,
            legal_moves: engine.legal_moves,
            options: Default::default(),
            author: String::new(),
        };
        (start, engine.dir, files)
    };
    let author = if args.author.is_empty() { start.author } else { args.author.clone() };
    Ok(Version {
        bot: args.name.clone(),
        version: number,
        added: now(),
        author: author
            .chars()
            .filter(|&it| !fanorona_tournament::text::safe_text::is_unsafe(it))
            .take(100)
            .collect(),
        command: start.command,
        args: start.args,
        dir: place,
        legal_moves: start.legal_moves,
        options: start.options,
        limit: args.limit,
        memory: args.memory,
        sha256: submission::digest(&files)?,
        refused: None,
        removed: None,
        changed: None,
    })
}

/// Fails if the bot plays with the same files already.
fn check_new(active: &[&Version], version: &Version) -> Result<(), CliError> {
    let same = |it: &&&Version| {
        it.bot == version.bot
            && it.sha256 == version.sha256
            && (it.limit, it.memory) == (version.limit, version.memory)
            && it.args == version.args
    };
    match active.iter().find(same) {
        None => Ok(()),
        Some(same) => {
            let why =
                format!("{} has the same files and limits and is playing", same.engine_name());
            Err(CliError::with_help(
                Exit::Usage,
                why,
                "nothing is to be done; a new version has to differ",
            ))
        }
    }
}

/// Checks a bot as tournaments will start it: with the limits and the sandbox of the league.
fn at_the_door(settings: &Tournament, version: &Version) -> Result<Report, CliError> {
    let engine = version.engine();
    let resolved = found(&engine, &settings.base)?;
    let supervisors = supervisors()?;
    let options = LaunchOptions::new(settings, &engine);
    let launch = LaunchConfig::new(&engine, resolved, &options, &supervisors);
    let asked = Settings {
        // A busy machine is no fault of a bot: it has the time that a tournament gives it.
        timeout: settings.start_timeout.max(Duration::from_secs(5)),
        start_timeout: settings.start_timeout,
        margin: settings.margin.max(Duration::from_millis(100)),
        positions: 10,
        seed: 1,
    };
    let subject = Subject::new(launch, version.engine_name(), asked);
    let selection = Selection { level: Some(Level::Basic), only: Vec::new() };
    Ok(runtime()?.block_on(fanorona_check::run(subject, &selection, |_| ())))
}

/// This many failed checks are named; their cause is often the same.
const MAX_NAMED: usize = 3;

/// Why a bot is not admitted; `None` if it is.
fn refusal(report: &Report) -> Option<Refusal> {
    if report.passed() {
        return None;
    }
    let failed: Vec<&fanorona_check::run::Entry> = report
        .entries
        .iter()
        .filter(|it| matches!(it.verdict, fanorona_check::verdict::Verdict::Failed { .. }))
        .collect();
    let named: Vec<String> = failed
        .iter()
        .take(MAX_NAMED)
        .map(|it| format!("{} ({})", it.numbered.check.title, it.numbered.number))
        .collect();
    let more = match failed.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let reason = match report.started {
        true => {
            let checks = counted(failed.len() as u64, "check", "checks");
            format!("it fails {checks}: {}{more}", named.join("; "))
        }
        false => "it does not complete the handshake".to_owned(),
    };
    let mut details: Vec<String> =
        failed.iter().take(MAX_NAMED).map(|it| show::entry(it)).collect();
    if !more.is_empty() {
        details.push("see all of them: arena check COMMAND".to_owned());
    }
    Some(Refusal { reason, details: details.join("\n") })
}

fn remove(dir: &Path, name: &str) -> Result<Exit, CliError> {
    let mut members = Members::read(dir)?;
    let played = members.remove(name, &now())?;
    members.write(dir)?;
    match played {
        true => print_line(format_args!("{name} is removed; its games stay in the ratings")),
        false => print_line(format_args!("{name} was removed before")),
    }
    Ok(Exit::Done)
}

/// Plays tournaments until nobody needs anybody.
fn play(dir: &Path, mut settings: Tournament, args: &PlayArgs) -> Result<Exit, CliError> {
    settings.concurrency = args.concurrency.or(settings.concurrency);
    let mut before: Option<u64> = None;
    let mut noted = BTreeSet::new();
    loop {
        let played = played::read(dir)?;
        let members = present_members(dir, &settings, &played)?;
        note_changed(&members, &mut noted);
        let active = roster::active(&members, &played);
        if active.len() < 2 && played.is_empty() {
            let why =
                format!("{} of this league can play", counted(active.len() as u64, "bot", "bots"));
            let help = "a league needs two: arena league DIR add NAME COMMAND|SUBMISSION";
            return Err(CliError::with_help(Exit::Usage, why, help));
        }
        let met = FinishedPairs::new(&played);
        let engines: Vec<_> = active.iter().map(|it| it.engine()).collect();
        let missing = met.missing(&engines, &settings);
        let resumed = played.last().filter(|last| last.is_unfinished() && all_play(last, &active));
        let exit = match resumed {
            Some(last) => resume::resume(&ResumeArgs::from_league(
                &last.dir,
                args.force,
                settings.concurrency,
            ))?,
            None => {
                if before.is_some_and(|before| missing >= before) {
                    let games = counted(missing, "pair is", "pairs are");
                    eprint_line(format_args!(
                        "note: {games} left for the next time: a bot did not start"
                    ));
                    break;
                }
                before = Some(missing);
                let number = played.last().map_or(0, |last| last.number) + 1;
                let Some(next) = next::tournament(&settings, &engines, &met, number) else { break };
                begin(dir, &next, number)?
            }
        };
        if exit != Exit::Done {
            if exit == Exit::Interrupt {
                // The night is over: readers see how far it came.
                write_pages(dir, &settings)?;
            }
            print_line(format_args!("stopped; continue with: arena league {} play", dir.display()));
            return Ok(exit);
        }
    }
    write_pages(dir, &settings)
}

fn begin(dir: &Path, next: &Tournament, number: u32) -> Result<Exit, CliError> {
    let out = played::dir_of(dir, number);
    let parent = out.parent().unwrap_or(dir);
    fs::create_dir_all(parent).map_err(|why| cannot_write(parent, &why))?;
    let begin = RunTarget { config: None, out: Some(out), shard: Shard::WHOLE };
    let watch = WatchArgs::default();
    begin.play(
        checked(next)?,
        &ReportOptions { strict: false, json: false, watch: &watch, cluster: None },
    )
}

/// Whether every engine of a tournament is still a playing version.
fn all_play(played: &Played, active: &[&Version]) -> bool {
    played.tournament.names().all(|name| {
        let place = played.tournament.names().position(|other| other == name);
        let is_out = played.progress.withdrawals().iter().any(|it| Some(it.engine.0) == place);
        is_out || active.iter().any(|it| it.engine_name() == name)
    })
}

/// Fails if the files of a bot have changed since it was added: another program would play in its
/// name.
fn check_unchanged(base: &Path, version: &Version) -> Result<(), CliError> {
    let files = match &version.dir {
        Some(own) if own.is_relative() => vec![base.join(own)],
        _ => {
            let resolved = found(&version.engine(), base)?;
            if resolved.files.is_empty() { vec![resolved.program] } else { resolved.files }
        }
    };
    if submission::digest(&files)? == version.sha256 {
        return Ok(());
    }
    Err(CliError::new(Exit::Usage, "its files have changed since it was added"))
}

/// The members, with those that do not play because of their files.
fn present_members(
    dir: &Path,
    settings: &Tournament,
    played: &[Played],
) -> Result<Members, CliError> {
    let mut members = Members::read(dir)?;
    let active: Vec<String> =
        roster::active(&members, played).iter().map(|it| it.engine_name()).collect();
    for version in &mut members.versions {
        if active.contains(&version.engine_name()) {
            let checked = check_unchanged(&settings.base, version);
            version.changed = checked.err().map(|why| why.report.to_string());
        }
    }
    Ok(members)
}

/// Notes which bots do not play because of their files, each once.
fn note_changed(members: &Members, noted: &mut BTreeSet<String>) {
    for version in &members.versions {
        if let Some(why) = &version.changed
            && noted.insert(version.engine_name())
        {
            eprint_line(format_args!(
                "note: {} does not play: {why}; add a new version",
                version.engine_name()
            ));
        }
    }
}

fn write_pages(dir: &Path, settings: &Tournament) -> Result<Exit, CliError> {
    let played = played::read(dir)?;
    let members = present_members(dir, settings, &played)?;
    let page = pages::write(dir, settings, &members, &played)?;
    print_line(format_args!("page: {}", page.display()));
    Ok(Exit::Done)
}

fn list(dir: &Path, settings: &Tournament) -> Result<Exit, CliError> {
    let played = played::read(dir)?;
    let members = present_members(dir, settings, &played)?;
    for version in &members.versions {
        let status = roster::status_of(version, &members, &played);
        let status = status.reason().unwrap_or_else(|| "plays".to_owned());
        print_line(format_args!("{:<20} {status}", version.engine_name()));
    }
    Ok(Exit::Done)
}

impl From<LeagueError> for CliError {
    fn from(error: LeagueError) -> CliError {
        match error {
            LeagueError::Config(LoadError::Wrong(errors)) => CliError::from_config(errors),
            LeagueError::Journal(error @ JournalError::Storage(_)) => CliError::from(error),
            LeagueError::Storage(error) => CliError::from(error),
            LeagueError::NotALeague { ref dir } => {
                let help = format!("begin one: arena league {} init", dir.display());
                CliError::with_help(Exit::Usage, error, help)
            }
            error => CliError::new(Exit::Usage, error),
        }
    }
}
