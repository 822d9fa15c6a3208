//! `arena quick`: a tournament between engines given on the command line.

use std::num::NonZeroU32;
use std::path::Path;

use super::arguments::{count, engine, engine_name};
use super::error::CliError;
use super::exit::Exit;
use super::run::{ReportOptions, RunTarget, WatchArgs};
use crate::terminal::output::eprint_line;
use clap::Args;
use fanorona_protocol::rules::{Ruleset, Start};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::{
    self, EngineConfig, FileOrder, Limit, OpeningSource, Overrides, Tournament,
};
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::text::safe_text;
use std::path::PathBuf;

pub(super) const HELP: &str = "\
Examples:
  arena quick bot-alphabeta bot-mcts
  arena quick bot-greedy \"python3 my_bot.py\" --games 10
  arena quick bot-mcts bot-mcts bot-greedy --kind riatra --limit nodes=1000
  arena quick bot-mcts bot-greedy --board 5x5 --rules quiet=60 --openings start

Each pair of engines plays --games games from random openings, unless --openings says otherwise; \
every opening is played twice, with sides swapped. Half of the games are riatra and half are vela, \
unless --kind selects otherwise. \
ENGINE is looked up beside the arena, in the current directory and on PATH; put it in quotes if it \
has arguments. An engine given by a path or with arguments receives the list of legal moves, so it \
need not know the rules. For other settings write a config; the config of this run is config.toml \
in the results directory.";

#[derive(Args, Debug)]
pub(super) struct QuickArgs {
    /// The engines: bot names, or command lines in quotes
    #[arg(required = true, num_args = 2.., value_name = "ENGINE")]
    engines: Vec<String>,
    /// Games, or sessions, between every two engines; rounded up to whole pairs of every kind
    #[arg(long, value_name = "N", default_value = "20", value_parser = count)]
    games: std::num::NonZeroU32,
    /// Limit: 50ms per move, 1s+0.01s per game, 40/10s+0.01s for every 40 moves, nodes=1000,
    /// depth=4 [default: 10ms]
    #[arg(long, value_name = "LIMIT")]
    limit: Option<Limit>,
    /// Kinds of games: riatra, vela or session, with commas between them [default: riatra,vela]
    #[arg(long, visible_alias = "kinds", value_name = "KIND", value_delimiter = ',')]
    kind: Vec<Kind>,
    /// The board: 5x5, 7x5, left-right … [default: 9x5]
    #[arg(long, value_name = "BOARD")]
    board: Option<Start>,
    /// The rules, in the notation of the engine option Rules: "quiet=60 forced-continuation"
    #[arg(long, value_name = "WORDS")]
    rules: Option<Ruleset>,
    /// Openings: random, random=6 (that many moves), named, start, or a file [default: random]
    #[arg(long, value_name = "OPENINGS", value_parser = openings)]
    openings: Option<OpeningSource>,
    /// Results directory [default: results/quick-<time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Seed for all random choices [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games played at once [default: the number of processor cores]
    #[arg(long, value_name = "N", value_parser = count)]
    concurrency: Option<std::num::NonZeroU32>,
    #[command(flatten)]
    watch: WatchArgs,
}

pub(super) fn quick(args: &QuickArgs) -> Result<Exit, CliError> {
    let here = std::env::current_dir().and_then(dunce::canonicalize);
    let here = here.map_err(|why| {
        CliError::new(Exit::Usage, format!("cannot find the current directory: {why}"))
    })?;
    let tournament = checked(&tournament(args, &here)?)?;
    if let Some(note) = rounded_up(args.games.get(), &tournament) {
        eprint_line(note);
    }
    let begin = RunTarget { config: None, out: args.out.clone(), shard: Shard::WHOLE };
    begin.play(
        tournament,
        &ReportOptions { strict: false, json: false, watch: &args.watch, cluster: None },
    )
}

/// A round-robin from random openings.
fn tournament(args: &QuickArgs, base: &Path) -> Result<Tournament, CliError> {
    let engine = |text: &String| {
        let usage = |why| CliError::new(Exit::Usage, format!("engine `{text}`: {why}"));
        engine(text).map_err(usage)
    };
    let engines: Vec<EngineConfig> = args.engines.iter().map(engine).collect::<Result<_, _>>()?;
    let mut tournament = Tournament::new("quick", base, named(engines));
    if !args.kind.is_empty() {
        let asked_for = |kind: &Kind| args.kind.contains(kind);
        tournament.kinds = Kind::ALL.iter().copied().filter(asked_for).collect();
    }
    tournament.rounds = rounds(args.games, tournament.kinds.len());
    tournament.board = args.board.unwrap_or(tournament.board);
    tournament.rules = args.rules.unwrap_or(tournament.rules);
    if let Some(openings) = &args.openings {
        tournament.openings = openings.clone();
    }
    tournament.limit = args.limit.unwrap_or(LIMIT);
    tournament.concurrency = args.concurrency;
    tournament.seed = args.seed.unwrap_or(tournament.seed);
    Ok(tournament)
}

/// Parses the source of the openings.
fn openings(text: &str) -> Result<OpeningSource, String> {
    let random = |plies: &str| {
        let plies = plies.parse().ok().filter(|plies| *plies <= OpeningSource::MAX_PLIES);
        let expected = || format!("expected random=N with 0 to {} moves", OpeningSource::MAX_PLIES);
        plies.map(|plies| OpeningSource::Random { plies }).ok_or_else(expected)
    };
    match (text, text.split_once('=')) {
        ("random", _) => Ok(OpeningSource::default()),
        ("named", _) => Ok(OpeningSource::Named),
        ("start", _) => Ok(OpeningSource::Start),
        (_, Some(("random", plies))) => random(plies),
        (path, _) if Path::new(path).is_file() => {
            Ok(OpeningSource::File { path: path.into(), order: FileOrder::default() })
        }
        _ => Err("expected random, random=N, named, start, or the path of a file".to_owned()),
    }
}

/// The default limit per move, with which two processors play a match in about ten seconds.
const LIMIT: Limit = Limit::MoveTime(std::time::Duration::from_millis(10));

/// The smallest number of rounds in which two engines play at least `games` games over all kinds; a
/// round is a pair of games of each kind.
fn rounds(games: NonZeroU32, kinds: usize) -> NonZeroU32 {
    let in_a_round = u32::try_from(2 * kinds).unwrap_or(u32::MAX).max(1);
    NonZeroU32::new(games.get().div_ceil(in_a_round)).unwrap_or(NonZeroU32::MIN)
}

/// A note if more games are played than requested.
fn rounded_up(asked: u32, tournament: &Tournament) -> Option<String> {
    let kinds = tournament.kinds.len() as u64;
    let games = u64::from(tournament.rounds.get()) * 2 * kinds;
    let every = match kinds {
        1 => String::new(),
        _ => format!(" in each of {kinds} kinds"),
    };
    (games != u64::from(asked)).then(|| {
        format!(
            "note: every two engines play {games} games, not {asked}: games come in pairs{every}, \
             the same opening with sides swapped"
        )
    })
}

/// Gives each engine a unique name: its program's name, or the whole command if another engine's
/// program has the same name, with a number if the command was given several times.
fn named(engines: Vec<EngineConfig>) -> Vec<EngineConfig> {
    let short: Vec<String> = engines.iter().map(engine_name).collect();
    let mut named: Vec<EngineConfig> = Vec::new();
    for (mine, engine) in short.iter().zip(&engines) {
        let mut namesakes = short.iter().zip(&engines).filter(|(other, _)| *other == mine);
        let name = match namesakes.all(|(_, other)| other.name == engine.name) {
            true => mine.clone(),
            false => on_one_line(&engine.name),
        };
        let free = |name: &String| named.iter().all(|other| other.name != *name);
        let numbered = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(numbered);
        let name = names.find(free).expect("numbers do not come to an end");
        named.push(EngineConfig { name, ..engine.clone() });
    }
    named
}

/// A command as one line of limited length.
fn on_one_line(command: &str) -> String {
    let words: Vec<&str> = command
        .split(|letter: char| letter.is_whitespace() || safe_text::is_unsafe(letter))
        .collect();
    let name: String = words.join(" ").trim().chars().take(LONGEST).collect();
    name.trim_end().to_owned()
}

/// The maximal length of a name in characters.
const LONGEST: usize = 80;

/// The tournament as `arena resume` will read it; fails where the config reader would.
pub(super) fn checked(tournament: &Tournament) -> Result<Tournament, CliError> {
    let text = tournament.to_toml(&tournament.base);
    let read = config::parse("the command line", &text, &tournament.base, &Overrides::default());
    read.map_err(CliError::from_config)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(engines: &[&str]) -> QuickArgs {
        QuickArgs {
            engines: engines.iter().map(|&text| text.to_owned()).collect(),
            games: NonZeroU32::new(10).unwrap(),
            limit: None,
            kind: Vec::new(),
            board: None,
            rules: None,
            openings: None,
            out: None,
            seed: None,
            concurrency: None,
            watch: WatchArgs::default(),
        }
    }

    #[test]
    fn engines_have_names_of_their_own() {
        let long = format!("python3 x.py {}", "x".repeat(200));
        let commands =
            ["bot-a", "a-2", "bot-a", "b  -v\t1", "bot-a", "b  -v\t2", &long, "./x", &long];
        let tournament = checked(&tournament(&args(&commands), Path::new("/")).unwrap()).unwrap();
        let names: Vec<&str> = tournament.names().collect();
        assert_eq!(names[..6], ["a", "a-2", "a-3", "b  -v 1", "a-4", "b  -v 2"]);
        assert_eq!((names[6].len(), names[7]), (LONGEST, "./x"));
        assert_eq!(names[8], format!("{}-2", names[6]));
        let told: Vec<bool> = tournament.engines.iter().map(|engine| engine.legal_moves).collect();
        assert_eq!(told, [false, false, false, true, false, true, true, true, true]);
    }

    #[test]
    fn games_are_those_of_all_kinds_together_and_whole_pairs() {
        for (games, kinds, expected) in
            [(1, 1, 1), (2, 1, 1), (3, 1, 2), (1, 2, 1), (20, 2, 5), (21, 2, 6), (7, 3, 2)]
        {
            let games = NonZeroU32::new(games).unwrap();
            assert_eq!(rounds(games, kinds).get(), expected, "{games} games in {kinds} kinds");
        }
    }

    #[test]
    fn games_beyond_those_asked_for_are_announced() {
        let note = |games, kinds: &[Kind]| {
            let games = NonZeroU32::new(games).unwrap();
            let asked = QuickArgs { games, kind: kinds.to_vec(), ..args(&["a", "b"]) };
            rounded_up(games.get(), &tournament(&asked, Path::new("/")).unwrap())
        };
        assert_eq!(note(20, &[]), None);
        assert_eq!(note(4, &[]), None);
        let pairs = "the same opening with sides swapped";
        let said = "note: every two engines play 4 games, not 3: games come in pairs";
        assert_eq!(note(3, &[]).unwrap(), format!("{said} in each of 2 kinds, {pairs}"));
        assert_eq!(note(3, &[Kind::Vela]).unwrap(), format!("{said}, {pairs}"));
    }

    #[test]
    fn options_of_quick_decide_the_tournament() {
        let asked = QuickArgs {
            limit: Some("nodes=7".parse().unwrap()),
            board: Some("left-right-7x5".parse().unwrap()),
            rules: Some("quiet=7".parse().unwrap()),
            openings: Some(openings("random=6").unwrap()),
            kind: vec![Kind::Session, Kind::Riatra, Kind::Session],
            seed: Some(9),
            concurrency: NonZeroU32::new(3),
            ..args(&["a", "b"])
        };
        let it = checked(&tournament(&asked, Path::new("/")).unwrap()).unwrap();
        assert_eq!(it.kinds, [Kind::Riatra, Kind::Session]);
        assert_eq!((it.limit, it.seed), (Limit::Nodes(7), 9));
        assert_eq!(
            (it.board.to_string(), it.rules.to_string()),
            ("left-right-7x5".into(), "quiet=7".into())
        );
        assert_eq!(it.openings, OpeningSource::Random { plies: 6 });
        assert_eq!((it.concurrency, it.rounds.get()), (NonZeroU32::new(3), 3));
        let it = checked(&tournament(&args(&["a", "b"]), Path::new("/")).unwrap()).unwrap();
        assert_eq!((it.kinds, it.limit), (vec![Kind::Riatra, Kind::Vela], LIMIT));
    }
}
