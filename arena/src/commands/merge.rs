//! `arena merge`: one tournament from the directories it was played in.

use std::fs;
use std::path::{Path, PathBuf};

use super::exit::Exit;
use super::refusal::CliError;
use super::run::{began_with, load_results, note_the_end, resume_command, vacant};
use crate::config::{Overrides, Tournament};
use crate::pairing::ids::GameId;
use crate::pairing::shard::Shard;
use crate::record::storage::storage;
use crate::record::{
    Contents, Header, Index, Journal, JournalBuilder, Lock, Reader, effective_config,
};
use crate::report::{html, terminal, write};
use crate::terminal::output::{prose, say, tell};
use crate::terminal::screen;
use crate::tournament::environment::Machine;
use crate::tournament::progress::Progress;
use clap::Args;

#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Results directories of one tournament
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// Where the united results go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Unite them although an engine's program or the openings file was not the same everywhere
    #[arg(long)]
    force: bool,
}

pub(super) fn merge(args: &MergeArgs) -> Result<Exit, CliError> {
    let out = &args.out;
    vacant(out)?;
    let sources = args.dirs.iter().map(|dir| Source::read(dir, args.force));
    let mut sources = sources.collect::<Result<Vec<_>, _>>()?;
    same_tournament(&sources)?;
    same_engines(&sources, args.force)?;

    fs::create_dir_all(out).map_err(|why| storage("create", out, why))?;
    let lock = Lock::take(out)?;
    vacant(out)?;
    let first = sources.first().expect("the command line has at least one directory");
    let (tournament, mut header) = (first.tournament.clone(), first.header.clone());
    // An engine that did not start everywhere has not played the whole tournament.
    for source in &sources {
        for broken in &source.header.broken {
            if header.broken.iter().all(|known| known.engine != broken.engine) {
                header.broken.push(broken.clone());
            }
        }
    }
    let header = header.for_shard(Shard::WHOLE);
    effective_config::write_config(out, &tournament)?;
    let mut machines = sources.iter().filter_map(|source| source.machine.as_ref());
    if let Some(first) = machines.next() {
        machines.fold(first.clone(), Machine::united).write(out)?;
    }
    let journal = JournalBuilder::begin(lock.clone(), &header)?;
    let index = unite(&mut sources, journal, Index::new(tournament.names()))?;

    let mut course = Progress::of_journal(&tournament, &header);
    course.advance(&tournament, &index);
    let results = write::write(out, &tournament, &index, &course)?;
    say(format_args!("{}: {}", tournament.title(), results.extent.in_words()));
    prose(terminal::results(&results, screen::width()));
    say(format_args!("report: {}", out.join(html::FILE).display()));
    say(format_args!("results: {}", out.display()));
    let missing = course.missing(&tournament, &index);
    match course.stages() {
        Some(stages) if !course.is_over() => say(format_args!(
            "{missing} games and sessions of stage {} are missing, and what comes after them; play \
             on: {}",
            stages.drawn(),
            resume_command(out)
        )),
        None if missing > 0 => say(format_args!(
            "{missing} of {} games and sessions are missing; play them: {}",
            course.schedule().len(),
            resume_command(out)
        )),
        _ => {}
    }
    Ok(Exit::Done)
}

/// A results directory that is to be united with others.
struct Source {
    dir: PathBuf,
    tournament: Tournament,
    header: Header,
    index: Index,
    journal: Reader,
    machine: Option<Machine>,
}

impl Source {
    fn read(dir: &Path, force: bool) -> Result<Source, CliError> {
        let tournament = load_results(dir, &Overrides::default())?;
        let contents = Journal::read(dir, tournament.names())?;
        began_with(dir, &tournament, &contents.header, force)?;
        note_the_end(dir, &contents);
        let Contents { header, index, .. } = contents;
        Ok(Source {
            journal: Reader::open(dir)?,
            machine: Machine::read(dir),
            dir: dir.to_owned(),
            tournament,
            header,
            index,
        })
    }
}

/// Refuses directories of different tournaments.
fn same_tournament(sources: &[Source]) -> Result<(), CliError> {
    let Some(first) = sources.first() else { return Ok(()) };
    for other in sources {
        if other.header.config != first.header.config {
            let lines = effective_config::differences(&other.tournament, &first.tournament);
            let why = format!(
                "{} is not of the tournament that {} is of:\n{}",
                other.dir.display(),
                first.dir.display(),
                lines.join("\n")
            );
            return Err(CliError::with_help(
                Exit::Usage,
                why,
                "unite directories of one config, played with the same --rounds and --seed",
            ));
        }
    }
    Ok(())
}

/// Refuses engines and openings files that were not the same everywhere, unless that is wanted.
fn same_engines(sources: &[Source], force: bool) -> Result<(), CliError> {
    let mut differences = Vec::new();
    let mut known: Option<&Machine> = None;
    for source in sources {
        let Some(machine) = &source.machine else { continue };
        let before = *known.get_or_insert(machine);
        let lines = machine.differences(before).into_iter();
        differences.extend(lines.map(|line| format!("{}: {line}", source.dir.display())));
    }
    if differences.is_empty() {
        return Ok(());
    }
    if force {
        differences.iter().for_each(|difference| tell(format_args!("note: {difference}")));
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        differences.join("\n"),
        "play all parts with the same programs and openings, or unite what there is: --force",
    ))
}

/// Writes every game once, in schedule order; gives the new journal's index. Attempts that were void
/// are not taken over: a game that is still missing has all of its attempts.
fn unite(
    sources: &mut [Source],
    mut journal: JournalBuilder,
    mut index: Index,
) -> Result<Index, CliError> {
    let mut games: Vec<(GameId, bool, usize, u64)> = Vec::new();
    for (place, source) in sources.iter().enumerate() {
        let known = source.index.games().iter();
        games.extend(known.map(|game| (game.id(), game.is_void(), place, game.offset)));
    }
    games.sort_unstable();
    for copies in games.chunk_by(|(a, ..), (b, ..)| a == b) {
        let [(id, _, kept, offset), others @ ..] = copies else { continue };
        let game = sources[*kept].journal.game(*offset)?;
        let begin = journal.add(sources[*kept].journal.line())?;
        index.add(&game, begin);
        // Where one part could not play it, another one may have.
        for (_, _, other, offset) in others.iter().filter(|(_, void, ..)| !void) {
            let again = sources[*other].journal.game(*offset)?;
            if let Some(field) = game.difference(&again) {
                let path = |place: usize| Journal::path_in(&sources[place].dir);
                let (kept, other) = (path(*kept), path(*other));
                return Err(CliError::with_help(
                    Exit::Usage,
                    format!(
                        "game {id} is not the same in {} and in {}: `{field}` differs",
                        kept.display(),
                        other.display()
                    ),
                    "leave one of the directories out; under a time limit no game is played \
                     twice alike",
                ));
            }
        }
    }
    journal.finish()?;
    Ok(index)
}
