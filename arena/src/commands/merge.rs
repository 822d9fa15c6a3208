//! `arena merge`: merges results directories of one tournament.

use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use super::directory::{Unfinished, load_results, note_damaged_end, resume_command};
use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::{eprint_line, place_line, print_line, print_wrapped};
use crate::terminal::patience::Patience;
use crate::terminal::screen;
use clap::Args;
use fanorona_report::{html, terminal, write};
use fanorona_runner::session::{check_config_unchanged, check_vacant};
use fanorona_tournament::config::{Overrides, Tournament};
use fanorona_tournament::machine::Machine;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::record::{
    Contents, Header, Index, Journal, JournalBuilder, Lock, Reader, effective_config,
};
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Example: run each shard on its own machine, then merge them on one:
  arena run configs/full.toml --shard 1/4 --out part-1
  arena merge part-1 part-2 part-3 part-4 --out results/full

A game that several directories hold is taken once. Under time limits a pair or session that was \
played again elsewhere differs: it is taken whole from the directory that has most of its games, the \
first of several. Play missing games with `arena resume`.";

#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Results directories of one tournament
    #[arg(required = true, value_name = "DIR")]
    dirs: Vec<PathBuf>,
    /// The directory for the merged results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Merge even if engine programs or the openings file differ between the directories
    #[arg(long)]
    force: bool,
}

pub(super) fn merge(args: &MergeArgs) -> Result<Exit, CliError> {
    let out = &args.out;
    check_vacant(out)?;
    let sources = args.dirs.iter().map(|dir| Source::read(dir, args.force));
    let mut sources = sources.collect::<Result<Vec<_>, _>>()?;
    same_tournament(&sources)?;
    same_engines(&sources, args.force)?;

    fs::create_dir_all(out).map_err(|why| storage("create", out, why))?;
    let lock = Lock::take(out)?;
    check_vacant(out)?;
    let unfinished = Unfinished::begin(out)?;
    let first = sources.first().expect("the command line has at least one directory");
    let (tournament, mut header) = (first.tournament.clone(), first.header.clone());
    // An engine that failed to start in any shard did not play the whole tournament.
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
        machines.fold(first.clone(), Machine::merged).write(out)?;
    }
    let journal = JournalBuilder::begin(lock.clone(), &header)?;
    let merged = merge_games(&mut sources, &tournament, journal)?;
    if merged.replayed > 0 {
        eprint_line(format_args!(
            "note: {} differently in several directories, as time limits allow; each is taken whole \
             from one of them",
            counted(
                merged.replayed,
                "pair or session was played",
                "pairs and sessions were played"
            )
        ));
    }
    let index = merged.index;
    unfinished.finish();

    let mut progress = Progress::from_journal(&tournament, &header);
    progress.advance(&tournament, &index);
    let patience = Patience::on_stderr();
    let results =
        write::write_all_files(out, &tournament, &index, &progress, None, &|at| patience.see(at))?;
    print_line(format_args!("{}: {}", tournament.title(), results.extent.in_words()));
    print_wrapped(terminal::results(&results, screen::width()));
    print_line(place_line("report", &out.join(html::FILE)));
    print_line(place_line("results", out));
    let missing = progress.missing(&tournament, &index);
    match progress.stages() {
        Some(stages) if !progress.is_over() => print_line(format_args!(
            "{missing} games and sessions of stage {} and all later stages are missing; continue \
             with: {}",
            stages.drawn(),
            resume_command(out)
        )),
        None if missing > 0 => print_line(format_args!(
            "{missing} of {} games and sessions are missing; play them with: {}",
            progress.schedule().len(),
            resume_command(out)
        )),
        _ => {}
    }
    Ok(Exit::Done)
}

/// A results directory to merge.
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
        check_config_unchanged(dir, &tournament, &contents.header, force)?;
        note_damaged_end(dir, contents.torn, contents.unended.is_some());
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

/// Fails if the directories belong to different tournaments.
fn same_tournament(sources: &[Source]) -> Result<(), CliError> {
    let Some(first) = sources.first() else { return Ok(()) };
    for other in sources {
        if other.header.config != first.header.config {
            let lines = effective_config::differences(&other.tournament, &first.tournament);
            let why = format!(
                "{} and {} belong to different tournaments:\n{}",
                other.dir.display(),
                first.dir.display(),
                lines.join("\n")
            );
            return Err(CliError::with_help(
                Exit::Usage,
                why,
                "merge directories that were played with the same config, --rounds and --seed",
            ));
        }
    }
    Ok(())
}

/// Fails if engines or openings files differ between the directories, unless `force` is set.
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
        differences.iter().for_each(|difference| eprint_line(format_args!("note: {difference}")));
        return Ok(());
    }
    Err(CliError::with_help(
        Exit::Usage,
        differences.join("\n"),
        "play all shards with the same programs and openings file, or merge them anyway with \
         --force",
    ))
}

/// A copy of a game: its id, whether it is void, the place of its source, and its line there. In this
/// order the first copy of a game is the one to keep.
type Copy = (GameId, bool, usize, u64);

/// The games of all sources.
struct Merged {
    /// The index of the new journal.
    index: Index,
    /// The number of pairs and sessions that sources hold with different games.
    replayed: u64,
}

/// Writes every game once, in schedule order. Void attempts are dropped, so a missing game has all of
/// its attempts again.
fn merge_games(
    sources: &mut [Source],
    tournament: &Tournament,
    mut journal: JournalBuilder,
) -> Result<Merged, CliError> {
    let mut copies: Vec<Copy> = Vec::new();
    for (place, source) in sources.iter().enumerate() {
        let known = source.index.games().iter();
        copies.extend(known.map(|game| (game.id(), game.is_void(), place, game.offset)));
    }
    copies.sort_unstable();
    let is_timed = tournament.engines.iter().any(|it| tournament.limit_of(it).is_timed());
    let mut merged = Merged { index: Index::new(tournament.names()), replayed: 0 };
    for copies in copies.chunk_by(|(a, ..), (b, ..)| unit(a) == unit(b)) {
        let only = match difference(sources, copies)? {
            None => None,
            Some(_) if is_timed => Some(fullest(copies)),
            Some(why) => {
                let help = "leave one of the directories out: without time limits they must agree";
                return Err(CliError::with_help(Exit::Usage, why, help));
            }
        };
        merged.replayed += u64::from(only.is_some());
        let is_kept = |copy: &&Copy| only.is_none_or(|only| only == copy.2);
        let mut kept: Vec<Copy> = copies.iter().filter(is_kept).copied().collect();
        kept.dedup_by_key(|(id, ..)| *id);
        for (_, _, place, offset) in kept {
            let game = sources[place].journal.game(offset)?;
            let begin = journal.add(sources[place].journal.line())?;
            merged.index.add(&game, begin);
        }
    }
    journal.finish()?;
    Ok(merged)
}

/// What one machine plays under time limits: a session, or a pair, whose two games have consecutive
/// numbers.
fn unit(id: &GameId) -> (bool, u64) {
    match id.of_session {
        Some(_) => (true, id.pairing.0),
        None => (false, id.pairing.0.div_ceil(2)),
    }
}

/// Where copies of one game differ; `None` if they are all equal.
fn difference(sources: &mut [Source], copies: &[Copy]) -> Result<Option<String>, CliError> {
    for copies in copies.chunk_by(|(a, ..), (b, ..)| a == b) {
        let [(id, _, kept, offset), others @ ..] = copies else { continue };
        // A game that is void in one directory may be complete in another.
        for (_, _, other, again) in others.iter().filter(|(_, void, ..)| !void) {
            let game = sources[*kept].journal.game(*offset)?;
            let Some(field) = game.difference(&sources[*other].journal.game(*again)?) else {
                continue;
            };
            let path = |place: usize| Journal::path_in(&sources[place].dir);
            let (kept, other) = (path(*kept), path(*other));
            return Ok(Some(format!(
                "game {id} differs in {} and {}: field `{field}`",
                kept.display(),
                other.display()
            )));
        }
    }
    Ok(None)
}

/// The source with the most games of a pair or session, and of several the one that is named first.
fn fullest(copies: &[Copy]) -> usize {
    let games = |place| copies.iter().filter(|copy| copy.2 == place && !copy.1).count();
    let places = copies.iter().map(|copy| copy.2);
    places.min_by_key(|&place| (Reverse(games(place)), place)).expect("a game has a copy")
}
