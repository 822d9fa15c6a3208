//! Every file of `configs/` is a config, and asks for what its comments say.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::Model;
use fanorona_tournament::config::{
    Format, Limit, Method, Overrides, Problem, Tournament, load, parse,
};
use fanorona_tournament::pairing::openings::Openings;
use fanorona_tournament::pairing::schedule::Schedule;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::Index;

fn configs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs")
}

fn config(name: &str) -> Tournament {
    load(&configs().join(name), &Overrides::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn engines(tournament: &Tournament) -> Vec<&str> {
    tournament.engines.iter().map(|engine| engine.name.as_str()).collect()
}

/// The configs in a directory and those below it, by their paths from there.
fn configs_in(dir: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap()) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            names.extend(configs_in(&entry.path()).iter().map(|inner| format!("{name}/{inner}")));
        } else if name.ends_with(".toml") {
            names.push(name);
        }
    }
    names
}

#[test]
fn every_config_can_be_played() {
    let mut names = configs_in(&configs());
    names.sort();
    assert_eq!(
        names,
        [
            "beginners.toml",
            "book.toml",
            "candidates.toml",
            "clock.toml",
            "explorer.toml",
            "full.toml",
            "mcts.toml",
            "plain.toml",
            "puzzles.toml",
            "quick.toml",
            "search.toml",
            "session.toml",
            "skill.toml",
            "sprt.toml",
            "strength.toml",
            "sweep.toml",
            "swiss.toml",
            "third-party.toml",
            "threads.toml",
            "tune-far.toml",
            "tune-few.toml",
            "tune-search.toml",
            "tune-vela.toml",
            "tune.toml",
            "variants.toml",
            "versions/dimy.toml",
            "versions/riatra.toml",
            "versions/start.toml",
            "versions/vela.toml"
        ]
    );
    for name in names {
        let tournament = config(&name);
        // A config below a directory has both names.
        assert_eq!(format!("{}.toml", tournament.name), name.replace('/', "-"));
        let openings = Openings::load(&tournament).unwrap();
        let mut progress = Progress::new(&tournament, Shard::WHOLE);
        progress.advance(&tournament, &Index::new(tournament.names()));
        let schedule = progress.schedule();
        assert!(schedule.iter().next().is_some());
        for pairing in schedule.iter() {
            openings.of_pairing(&pairing);
        }
        for engine in &tournament.engines {
            let known = ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta", "python3"];
            let program = Path::new(&engine.command).file_name().unwrap().to_str().unwrap();
            assert!(known.contains(&program), "{name}: {}", engine.command);
        }
        let results = configs().canonicalize().unwrap().with_file_name("results").join("x");
        let text = tournament.to_toml(&results);
        let again = parse("config.toml", &text, &results, &Overrides::default());
        assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}")), tournament, "{name}");
    }
}

/// The page about configs has every file and every key, of a tournament, an engine, the openings and
/// sessions. Guides have those of the other tables.
#[test]
fn the_page_about_configs_names_every_config_and_key() {
    let page = include_str!("../../../configs/README.md");
    for name in configs_in(&configs()) {
        let link = name.split_once('/').map_or(name.clone(), |(folder, _)| format!("{folder}/"));
        assert!(page.contains(&format!("[`{link}`](")), "{name}");
    }
    let text = "?\n[openings]\n?\n[session]\n?\n[[engine]]\n?\n".replace('?', "nonsense = 1");
    let errors = parse("t.toml", &text, Path::new("/"), &Overrides::default()).unwrap_err().errors;
    let known = errors.iter().filter_map(|error| match &error.problem {
        Problem::UnknownKey { table, known, .. } => Some((table, known)),
        _ => None,
    });
    let known: Vec<_> = known.collect();
    assert_eq!(known.len(), 4, "{known:?}");
    for (table, keys) in known {
        for key in keys {
            let forms = [format!("`{key}`"), format!("`{key} = "), format!("[{key}]")];
            assert!(forms.iter().any(|form| page.contains(form)), "{key} of {table:?}");
        }
    }
}

#[test]
fn quick_is_every_bot_in_riatra_and_vela() {
    let quick = config("quick.toml");
    assert_eq!(engines(&quick), ["random", "greedy", "mcts", "alphabeta"]);
    assert_eq!(quick.kinds, [Kind::Riatra, Kind::Vela]);
    assert_eq!(Schedule::new(&quick).len(), 6 * 2 * 12 * 2);
}

#[test]
fn full_can_be_repeated_to_the_byte() {
    let full = config("full.toml");
    assert_eq!(full.kinds, Kind::ALL);
    for engine in &full.engines {
        assert!(matches!(full.limit_of(engine), Limit::Nodes(_)), "{}", engine.name);
    }
}

#[test]
fn session_is_the_traditional_contest() {
    let session = config("session.toml");
    assert_eq!((session.kinds, session.session.sets), (vec![Kind::Session], 5));
}

#[test]
fn third_party_tells_a_bot_without_rules_the_legal_moves() {
    let third_party = config("third-party.toml");
    assert_eq!(third_party.format, Format::RoundRobin);
    assert!(third_party.engines[0].legal_moves);
}

#[test]
fn sprt_tests_one_engine_against_another() {
    let sprt = config("sprt.toml");
    assert_eq!((sprt.format, sprt.engines.len()), (Format::Match, 2));
    let options = *sprt.sprt.unwrap().options();
    assert_eq!((options.elo0, options.elo1, options.model), (0.0, 20.0, Model::Logistic));
    assert!(sprt.rounds.get() >= 1000);
}

#[test]
fn candidates_are_eight_settings_against_the_one_in_use() {
    let candidates = config("candidates.toml");
    assert_eq!((candidates.format, candidates.engines.len()), (Format::Candidates, 9));
    assert_eq!(candidates.candidates.unwrap().base, "base");
}

#[test]
fn swiss_is_engines_with_handicaps_in_stages() {
    let swiss = config("swiss.toml");
    assert_eq!(swiss.format, Format::Swiss { stages: NonZeroU32::new(5).unwrap() });
    assert_eq!(swiss.engines.len(), 9);
    let handicaps = swiss.engines.iter().filter(|engine| swiss.limit_of(engine) != swiss.limit);
    assert_eq!(handicaps.count(), 5);
}

#[test]
fn sweep_makes_twelve_variants_that_play_a_reference() {
    let sweep = config("sweep.toml");
    assert_eq!(sweep.engines.len(), 13);
    assert_eq!(sweep.engines.iter().filter(|it| it.family.as_deref() == Some("mcts")).count(), 12);
    assert_eq!(Schedule::new(&sweep).len(), 12 * 20 * 2);
}

#[test]
fn tune_moves_two_options_of_one_engine() {
    let tune = config("tune.toml");
    assert_eq!(engines(&tune), ["mcts+", "mcts-"]);
    assert!(matches!(tune.limit, Limit::Nodes(_)));
    let tuning = tune.tuning.unwrap();
    assert_eq!(tune.format, Format::Tune { iterations: tuning.iterations });
    let names: Vec<&str> = tuning.parameters.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Exploration", "FirstPlay"]);
}

#[test]
fn tune_few_searches_by_a_gaussian_process() {
    let tuning = config("tune-few.toml").tuning.unwrap();
    assert_eq!(tuning.method, Method::GaussianProcess);
}

#[test]
fn variants_enter_a_bot_several_times() {
    let variants = config("variants.toml");
    let entered = |command| variants.engines.iter().filter(|e| e.command == command).count();
    assert_eq!((entered("bot-mcts"), entered("bot-alphabeta")), (5, 2));
}
