//! `arena quick`: a tournament of engines named on the command line.

use std::num::NonZeroU32;
use std::path::Path;

use super::{QuickArgs, Refusal, run};
use crate::config::{self, EngineConfig, Limit, Overrides, Tournament};
use crate::exit::Exit;
use crate::kind::Kind;
use crate::schedule::Shard;

pub(super) fn quick(args: &QuickArgs) -> Result<Exit, Refusal> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here = here.map_err(|why| {
        Refusal::new(Exit::Usage, format!("cannot find the current directory: {why}"))
    })?;
    let tournament = checked(&tournament(args, &here)?)?;
    run::begin(tournament, args.out.clone(), Shard::WHOLE, false, false)
}

/// Every two engines in every kind, from random openings.
fn tournament(args: &QuickArgs, base: &Path) -> Result<Tournament, Refusal> {
    let mut engines: Vec<EngineConfig> = Vec::new();
    for text in &args.engines {
        let mut engine = config::command_line(text)
            .map_err(|why| Refusal::new(Exit::Usage, format!("engine `{text}`: {why}")))?;
        engine.name = name(&engine.name, &engines);
        // A first engine need not know the rules; to others it is as if they had been told nothing.
        engine.legal_moves = !is_bare(text);
        engines.push(engine);
    }
    let mut tournament = Tournament::new("quick", base, engines);
    if !args.kind.is_empty() {
        let asked_for = |kind: &Kind| args.kind.contains(kind);
        tournament.kinds = Kind::ALL.into_iter().filter(asked_for).collect();
    }
    tournament.rounds = rounds(args.games, tournament.kinds.len());
    tournament.limit = args.limit.unwrap_or(LIMIT);
    tournament.concurrency = args.concurrency;
    tournament.seed = args.seed.unwrap_or(tournament.seed);
    Ok(tournament)
}

/// How long engines think about a turn unless it is said.
const LIMIT: Limit = Limit::MoveTime(std::time::Duration::from_millis(50));

/// Whether a text names a program alone, as those of bots do: no path, no arguments.
fn is_bare(text: &str) -> bool {
    !text.trim().contains(|letter: char| letter.is_whitespace() || letter == '/')
}

/// So many rounds that two engines play at least so many games in all kinds together; a round is a
/// pair of games in every kind.
fn rounds(games: NonZeroU32, kinds: usize) -> NonZeroU32 {
    let in_a_round = u32::try_from(2 * kinds).unwrap_or(u32::MAX).max(1);
    NonZeroU32::new(games.get().div_ceil(in_a_round)).unwrap_or(NonZeroU32::MIN)
}

/// The name of an engine: its command on one line and not too long, with a number where others have
/// it.
fn name(command: &str, others: &[EngineConfig]) -> String {
    let words: Vec<&str> =
        command.split(|letter: char| letter.is_whitespace() || letter.is_control()).collect();
    let line = words.join(" ");
    let name: String = line.trim().chars().take(LONGEST).collect();
    let name = name.trim_end();
    let free = |name: &String| others.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(free).expect("numbers do not come to an end")
}

/// The most characters of a command that make a name.
const LONGEST: usize = 80;

/// The tournament as `arena resume` will read it, or what it would refuse.
fn checked(tournament: &Tournament) -> Result<Tournament, Refusal> {
    let text = tournament.to_toml(&tournament.base);
    let read = config::parse("the command line", &text, &tournament.base, &Overrides::default());
    read.map_err(Refusal::of_config)
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
            out: None,
            seed: None,
            concurrency: None,
        }
    }

    #[test]
    fn engines_have_names_of_their_own() {
        let long = format!("python3 {}.py", "x".repeat(200));
        let commands = ["a", "a-2", "a", "b  -v\t1", "a", &long, &long];
        let tournament = checked(&tournament(&args(&commands), Path::new("/")).unwrap()).unwrap();
        let names: Vec<&str> = tournament.names().collect();
        assert_eq!(names[..5], ["a", "a-2", "a-3", "b  -v 1", "a-4"]);
        assert_eq!(names[5].len(), LONGEST);
        assert_eq!(names[6], format!("{}-2", names[5]));
        let told: Vec<bool> = tournament.engines.iter().map(|engine| engine.legal_moves).collect();
        assert_eq!(told, [false, false, false, true, false, true, true]);
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
    fn what_is_asked_for_is_played() {
        let asked = QuickArgs {
            limit: Some("nodes=7".parse().unwrap()),
            kind: vec![Kind::Session, Kind::Riatra, Kind::Session],
            seed: Some(9),
            concurrency: NonZeroU32::new(3),
            ..args(&["a", "b"])
        };
        let it = checked(&tournament(&asked, Path::new("/")).unwrap()).unwrap();
        assert_eq!(it.kinds, [Kind::Riatra, Kind::Session]);
        assert_eq!((it.limit, it.seed), (Limit::Nodes(7), 9));
        assert_eq!((it.concurrency, it.rounds.get()), (NonZeroU32::new(3), 3));
        let it = checked(&tournament(&args(&["a", "b"]), Path::new("/")).unwrap()).unwrap();
        assert_eq!((it.kinds, it.limit), (vec![Kind::Riatra, Kind::Vela], LIMIT));
    }
}
