//! `arena replay`: plays one recorded game again and compares.

use std::fs;
use std::io::Write;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use fanorona_protocol::rules::{Move, Position, Side};

use super::directory::{check_output, load_results};
use super::error::CliError;
use super::exit::Exit;
use super::games::Games;
use super::prepare::{plan, prepare, runtime};
use super::signals::Signals;
use crate::terminal::output::{eprint_line, print_line};
use fanorona_runner::play::Game;
use fanorona_runner::{Pool, SingleGame, play_again};
use fanorona_runner::{Prepared, Role};
use fanorona_tournament::config::{Format, Log, OpeningSource, Overrides, Tournament};
use fanorona_tournament::machine::Machine;
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::atomic_file::NamedOutput;
use fanorona_tournament::record::storage::{storage, write_file};
use fanorona_tournament::record::{GameRecord, Journal, dialogues};
use fanorona_tournament::text::plural::counted;

pub(super) const HELP: &str = "\
Examples:
  arena replay results/full 17
  arena replay results/full 17.2 --out dialogue.txt

The game begins with the recorded opening and the same seeds, options and limits. The dialogue of both \
engines is kept in a text file: each line has the seconds since the beginning, the engine (W or B), `>` \
for what the arena sent, `<` for what the engine printed, and `!` for its standard error. With limits by nodes or depth and one \
thread per engine the moves are the same; with time limits they may differ. Exit codes: 0 the same \
moves and the same end; 5 not. To look at a recorded game without playing it, use `arena show`. To keep \
the dialogues of all games from the start, set log = \"all\" in the config.";

/// The directory of the dialogues, in the results directory.
const DIRECTORY: &str = "replays";

#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    /// The results directory
    dir: PathBuf,
    /// The game's number in games.csv: 17, or 17.2 in a session
    game: GameId,
    /// The file for the dialogue [default: replays/<game>.txt in the results directory]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn replay(args: &ReplayArgs) -> Result<Exit, CliError> {
    let tournament = load_results(&args.dir, &Overrides::default())?;
    args.out.iter().try_for_each(|out| check_output(out, &args.dir))?;
    let (recorded, _) = Games::open(&args.dir)?.find(args.game)?;
    let names = [&recorded.white, &recorded.black];
    let options = options(&args.dir, &tournament, args.game)?;
    let places = names.map(|name| {
        tournament.names().position(|other| other == *name).ok_or_else(|| {
            let why = format!("the config has no engine `{name}` any more");
            CliError::new(Exit::Usage, why)
        })
    });
    let [white, black] = places;
    let places = [white?, black?];
    let options: Vec<_> = places.iter().filter_map(|&place| options.get(place).cloned()).collect();
    let game = game(&recorded, &tournament)?;
    let alone = Tournament {
        engines: places.map(|place| tournament.engines[place].clone()).to_vec(),
        // The opening is that of the record.
        openings: OpeningSource::Start,
        concurrency: Some(NonZeroU32::MIN),
        log: Log::All,
        ..tournament
    };
    let mut plan = plan(alone, Shard::WHOLE, Role::Plays)?;
    plan.time_factor = recorded.time_factor;
    if game.limits.iter().any(|limit| limit.is_timed()) {
        eprint_line("note: with time limits, the moves may differ from run to run");
    }
    let plan = Arc::new(plan);
    let played = runtime()?.block_on(async {
        let mut signals = Signals::new();
        let pool = Arc::new(Pool::default());
        let playing = async {
            let Prepared { sandbox, introductions, .. } = prepare(&plan, &pool, &[], None).await?;
            if let Some(before) = Machine::read(&args.dir) {
                let now = plan.machine(&introductions, sandbox);
                let differences = now.differences(&before);
                differences.iter().for_each(|it| eprint_line(format_args!("note: {it}")));
            }
            let players = [EngineId(0), EngineId(1)];
            let (plan, pool) = (plan.clone(), pool.clone());
            let played = play_again(plan, pool, args.game, players, &game, &options).await;
            played.map_err(|why| CliError::new(Exit::Storage, format!("the game is void: {why}")))
        };
        let played = tokio::select! {
            biased;
            exit = signals.next(&plan.supervisors) => Err(exit),
            played = playing => Ok(played),
        };
        pool.quit().await;
        plan.supervisors.gone(plan.tournament.quit_timeout).await;
        played
    });
    let SingleGame { record, dialogues } = match played {
        Err(exit) => return Ok(exit),
        Ok(played) => played?,
    };
    let text = dialogues::text(&dialogues);
    let file = match &args.out {
        Some(out) => {
            let written = NamedOutput::begin(out).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.finish()
            });
            written.map_err(|why| storage("write", out, why))?;
            out.clone()
        }
        None => keep(&args.dir, args.game, &text)?,
    };
    let same = compare(&recorded, &record);
    for (name, reported) in [&record.white, &record.black].into_iter().zip(&record.reported) {
        if !reported.error.is_empty() {
            print_line(format_args!("{name} {}", reported.error_in_words()));
        }
    }
    print_line(format_args!("dialogue: {}", file.display()));
    Ok(if same { Exit::Done } else { Exit::CheckFailed })
}

/// The file with the dialogue of a game that was played again.
pub(super) fn dialogue(dir: &Path, game: GameId) -> PathBuf {
    dir.join(DIRECTORY).join(format!("{game}.txt"))
}

/// The recorded game, to be played again.
fn game(recorded: &GameRecord, tournament: &Tournament) -> Result<Game, CliError> {
    let wrong = |why: &dyn std::fmt::Display| {
        CliError::new(Exit::Usage, format!("game {}: {why}", recorded.id))
    };
    let start: Position = recorded.start.parse().map_err(|why| wrong(&why))?;
    let words = recorded.moves.split_ascii_whitespace().take(recorded.book as usize);
    let book = words.map(|word| word.parse::<Move>().map_err(|why| wrong(&why)));
    let limit = |name: &str| {
        let engine = tournament.engines.iter().find(|engine| engine.name == name);
        let limit = engine.map_or(tournament.limit, |engine| tournament.limit_of(engine));
        recorded.time_factor.map_or(limit, |factor| limit.scaled(factor))
    };
    Ok(Game {
        rules: tournament.rules,
        start,
        book: book.collect::<Result<_, _>>()?,
        limits: [limit(&recorded.white), limit(&recorded.black)],
        margin: tournament.margin,
        adjudication: tournament.adjudication.scores,
    })
}

/// The options of the engines in a game of a tuning, by their places in the config; empty for other
/// tournaments.
fn options(
    dir: &Path,
    tournament: &Tournament,
    game: GameId,
) -> Result<Vec<Vec<(String, String)>>, CliError> {
    if !matches!(tournament.format, Format::Tune { .. }) || !Journal::path_in(dir).exists() {
        return Ok(Vec::new());
    }
    let contents = Journal::read(dir, tournament.names())?;
    let mut progress = Progress::from_journal(tournament, &contents.header);
    // The values of an iteration follow from all games before it.
    progress.advance(tournament, &contents.index.before(game.pairing));
    Ok(progress.options())
}

/// Writes the dialogue into the results directory.
fn keep(dir: &Path, game: GameId, text: &str) -> Result<PathBuf, CliError> {
    let file = dialogue(dir, game);
    let dir = dir.join(DIRECTORY);
    fs::create_dir_all(&dir).map_err(|why| storage("create", &dir, why))?;
    write_file(&file, text.as_bytes())?;
    Ok(file)
}

/// Prints whether the game came out the same, and returns it.
fn compare(recorded: &GameRecord, now: &GameRecord) -> bool {
    let GameRecord { id, kind, white, black, .. } = recorded;
    print_line(format_args!("game {id} {kind}: {white} (W) - {black} (B)"));
    let end = |game: &GameRecord| {
        let moves = counted(game.plies() as u64, "move", "moves");
        format!("{} by {} after {moves}", game.result, game.reason)
    };
    let (before, after) = (end(recorded), end(now));
    let Some((number, [was, is])) = difference(&recorded.moves, &now.moves) else {
        let same = before == after;
        print_line(match same {
            true => format!("the same moves and the same end: {after}"),
            false => format!("the same moves, but it ended {before}, and now {after}"),
        });
        return same;
    };
    let start = recorded.start.parse::<Position>();
    let first = start.map_or(Side::White, |start| start.side_to_move());
    let (side, name) = match (first == Side::White) == (number % 2 == 1) {
        true => ('W', white),
        false => ('B', black),
    };
    let played = |mv: Option<&str>| mv.unwrap_or("none").to_owned();
    print_line(format_args!(
        "move {number} of {name} ({side}) differs: it was {}, and now {}",
        played(was),
        played(is)
    ));
    print_line(format_args!("it ended {before}, and now {after}"));
    false
}

/// The number of the first move in which two games differ, from 1, and that move in both.
fn difference<'m>(one: &'m str, other: &'m str) -> Option<(usize, [Option<&'m str>; 2])> {
    let (mut one, mut other) = (one.split_ascii_whitespace(), other.split_ascii_whitespace());
    (1..).find_map(|number| match (one.next(), other.next()) {
        (None, None) => Some(None),
        (was, is) if was != is => Some(Some((number, [was, is]))),
        _ => None,
    })?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        assert_eq!(difference("a1a2 b1b2", "a1a2 b1b2"), None);
        assert_eq!(difference("", ""), None);
        assert_eq!(difference("a1a2 b1b2", "a1a2 b1b3"), Some((2, [Some("b1b2"), Some("b1b3")])));
        assert_eq!(difference("a1a2", "a1a2 b1b3"), Some((2, [None, Some("b1b3")])));
    }
}
