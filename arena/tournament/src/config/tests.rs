//! Tests that read valid and invalid configs.

use std::num::NonZeroU32;
use std::path::Path;
use std::time::Duration;

use fanorona_protocol::messages::Dialect;
use fanorona_protocol::rules::{SessionRules, Start};

use super::*;
use super::{DrawRule, ResignRule, ScoreRules};
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::{Model, SprtOptions};

const TWO: &str = "
[[engine]]
name = \"a\"
command = \"bot-a\"
[[engine]]
name = \"b\"
command = \"bot-b\"
";

fn read(text: &str) -> Result<Tournament, ConfigErrors> {
    parse("configs/x.toml", text, Path::new("/home/configs"), &Overrides::default())
}

fn good(text: &str) -> Tournament {
    read(text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The errors of a text followed by two valid engines, without the name of the file.
fn errors(text: &str) -> String {
    let errors = read(&format!("{text}{TWO}")).expect_err(text).to_string();
    errors.replace("configs/x.toml:", "")
}

#[test]
fn two_engines_are_enough() {
    let engines = vec![EngineConfig::new("a", "bot-a"), EngineConfig::new("b", "bot-b")];
    assert_eq!(good(TWO), Tournament::new("x", "/home/configs", engines));
}

#[test]
fn every_key_is_read() {
    let tournament = good(
        r#"
        name = "all.of-it_1"
        title = "Ny môtso: \"all\" of it «1»"
        base = "../bots"
        seed = 0
        format = "gauntlet"
        kinds = ["session", "riatra"]
        board = "7x5"
        rounds = 12
        concurrency = 3
        limit = "10s+0.1s"
        margin = "0ms"
        stall = "2m"
        start_timeout = "1.5s"
        quit_timeout = "3s"
        finish_timeout = "4s"
        storage_timeout = "0s"
        memory = "512MB"
        cpus = "0-3,6"
        sandbox = "landlock"
        sandbox_network = true
        suspend = "always"
        identity = "bench"
        max_processes = 200
        max-files = 300
        disk = "1GiB"
        openings = { source = "file", path = "o.txt", order = "random" }
        [rules]
        forced-continuation = true
        vela_starved = "paika"
        vela-starter = "creditor"
        quiet = 60
        [session]
        sets = 5
        vela_attempts = 1
        replays = 0
        [adjudication]
        draw = { moves = 8, score = 20, after = 40 }
        resign = true
        oracle = { name = "sage", command = "bot-alphabeta", options = { Hash = 8 } }
        [[engine]]
        name = "Ny môtso «1»"
        command = "./bot"
        args = ["-v", ""]
        dir = "elsewhere"
        env = { LANG = "C", A = "b=c" }
        inherit_env = ["HOME"]
        writable = ["logs", "/var/tmp"]
        memory = "none"
        cpus = "any"
        sandbox = "none"
        sandbox_network = false
        suspend = "never"
        identity = "files"
        max_processes = 20
        max_files = 100
        disk = "none"
        limit = "nodes=10"
        legal_moves = true
        dialect = "uci"
        [engine.options]
        Zeta = "one two"
        Hash = 0x40
        Ponder = false
        Contempt = -0.5
        Empty = ""
        [[engine]]
        name = "b"
        command = "b"
        "#,
    );
    let mut first = EngineConfig::new("Ny môtso «1»", "./bot");
    first.args = vec!["-v".into(), "".into()];
    first.dir = Some("elsewhere".into());
    first.env = vec![("LANG".into(), "C".into()), ("A".into(), "b=c".into())];
    first.inherit_env = vec!["HOME".into()];
    first.writable = vec!["logs".into(), "/var/tmp".into()];
    first.memory = Some(Memory::Unlimited);
    first.cpus = Some(Cpus::Any);
    first.sandbox = Some(Sandbox::None);
    first.sandbox_network = Some(false);
    first.suspend = Some(Suspend::Never);
    first.identity = Some(IdentityBy::Files);
    first.max_processes = Some(20);
    first.max_files = Some(100);
    first.disk = Some(Memory::Unlimited);
    first.limit = Some(Limit::Nodes(10));
    first.legal_moves = true;
    first.dialect = Dialect::Uci;
    let options = [
        ("Zeta", "one two"),
        ("Hash", "64"),
        ("Ponder", "false"),
        ("Contempt", "-0.5"),
        ("Empty", ""),
    ];
    first.options = options.map(|(name, value)| (name.into(), value.into())).to_vec();
    let engines = vec![first, EngineConfig::new("b", "b")];
    let rules = "forced-continuation vela-starved=paika vela-starter=creditor quiet=60";
    let (base, increment) = (Duration::from_secs(10), Duration::from_millis(100));
    let expected = Tournament {
        title: Some("Ny môtso: \"all\" of it «1»".to_owned()),
        seed: 0,
        format: Format::Gauntlet,
        kinds: vec![Kind::Session, Kind::Riatra],
        board: "7x5".parse().unwrap(),
        rounds: NonZeroU32::new(12).unwrap(),
        concurrency: NonZeroU32::new(3),
        limit: Limit::Clock(TimeControl::whole_game(base, increment)),
        margin: Duration::ZERO,
        stall: Duration::from_secs(120),
        start_timeout: Duration::from_millis(1500),
        quit_timeout: Duration::from_secs(3),
        finish_timeout: Duration::from_secs(4),
        storage_timeout: Duration::ZERO,
        memory: Memory::AtMost(512_000_000),
        cpus: "0-3,6".parse().unwrap(),
        sandbox: Sandbox::Landlock,
        sandbox_network: true,
        suspend: Suspend::Always,
        identity: IdentityBy::Bench,
        max_processes: 200,
        max_files: 300,
        disk: Memory::AtMost(1 << 30),
        openings: OpeningSource::File { path: "o.txt".into(), order: FileOrder::Random },
        rules: rules.parse().unwrap(),
        session: SessionRules { sets: 5, vela_attempts: 1, replays: 0 },
        adjudication: Adjudication {
            scores: ScoreRules {
                draw: Some(DrawRule { moves: 8, score: 20, after: 40 }),
                resign: Some(ResignRule::default()),
            },
            oracle: Some(EngineConfig {
                options: vec![("Hash".into(), "8".into())],
                ..EngineConfig::new("sage", "bot-alphabeta")
            }),
        },
        ..Tournament::new("all.of-it_1", "/home/bots", engines)
    };
    assert_eq!(tournament, expected);
    // Written to any directory and read again, it is the same.
    for dir in ["/home/results/all", "/elsewhere", "/home/bots"] {
        let text = tournament.to_toml(Path::new(dir));
        let again = parse("config.toml", &text, Path::new(dir), &Overrides::default());
        assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}\n{text}")), tournament, "{text}");
    }
}

#[test]
fn the_effective_config_spells_out_every_default() {
    let text = good(TWO).to_toml(Path::new("/home/results/x"));
    let expected = r#"name = "x"
base = "../../configs"
seed = 1
format = "round-robin"
kinds = ["riatra", "vela"]
board = "tsivy"
rounds = 1
limit = "100ms"
margin = "50ms"
stall = "60s"
start_timeout = "10s"
quit_timeout = "2s"
finish_timeout = "60s"
storage_timeout = "60s"
shortage_timeout = "30s"
oversubscribe = false
skip_broken = false
log = "faults"
memory = "none"
cpus = "any"
sandbox = "auto"
sandbox_network = false
suspend = "auto"
ponder = false
identity = "files"
max_processes = 1000
max_files = 10000
disk = "2GB"

[openings]
source = "random"
plies = 4

[rules]
forced-continuation = false
single-first-capture = false
blocked-is-draw = false
vela-starved = "creditor-loses"
vela-must-offer = false
vela-starter = "debtor"
repetition = 3
quiet = 100
max-plies = 0

[session]
sets = 3
vela_attempts = 2
replays = 2

[adjudication]
draw = false
resign = false

[[engine]]
name = "a"
command = "bot-a"
legal_moves = false
dialect = "ugi"

[[engine]]
name = "b"
command = "bot-b"
legal_moves = false
dialect = "ugi"
"#;
    assert_eq!(text, expected);
}

#[test]
fn awkward_texts_survive_being_written() {
    let mut tournament = good(TWO);
    for text in
        ["quote\" and ' both", "back\\slash", "tab\tand\nline", "a = \"\"\"b", "'''", "é\u{7f}"]
    {
        let engine = &mut tournament.engines[0];
        engine.args.push(text.to_owned());
        engine.env = vec![(text.to_owned(), text.to_owned())];
        engine.command = text.to_owned();
    }
    tournament.engines[0].env[0].0 = "a \"b\\".to_owned();
    let text = tournament.to_toml(Path::new("/home"));
    let again = parse("x", &text, Path::new("/home"), &Overrides::default());
    assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}\n{text}")), tournament);
}

#[test]
fn the_command_line_overrides_the_config() {
    let overrides = Overrides {
        rounds: NonZeroU32::new(9),
        limit: Some(Limit::Nodes(7)),
        concurrency: NonZeroU32::new(2),
        seed: Some(77),
        iterations: None,
    };
    let text = format!("rounds = 3\nseed = 5\nlimit = \"1s\"\n{TWO}limit = \"2s\"\n");
    let tournament = parse("x.toml", &text, Path::new(""), &overrides).unwrap();
    let values = (tournament.rounds.get(), tournament.concurrency, tournament.seed);
    assert_eq!(values, (9, NonZeroU32::new(2), 77));
    let limits: Vec<Limit> =
        tournament.engines.iter().map(|engine| tournament.limit_of(engine)).collect();
    let own = Limit::MoveTime(Duration::from_secs(2));
    assert_eq!(limits, [Limit::Nodes(7), own], "an engine keeps its own");
    // The results directory holds them in its config, which has to be read again.
    for (number, rounds, concurrency, option) in
        [(1_000_001, true, false, "--rounds"), (1025, false, true, "--concurrency")]
    {
        let number = NonZeroU32::new(number);
        let overrides = Overrides {
            rounds: number.filter(|_| rounds),
            concurrency: number.filter(|_| concurrency),
            ..Overrides::default()
        };
        let errors = parse("x.toml", &text, Path::new(""), &overrides).unwrap_err().to_string();
        let expected = format!("x.toml: `{option}`: {} is too large", number.unwrap());
        assert!(errors.starts_with(&expected), "{errors}");
    }
    let overrides = Overrides { seed: Some(u64::MAX), ..Overrides::default() };
    let errors = parse("x.toml", &text, Path::new(""), &overrides).unwrap_err().to_string();
    assert!(errors.starts_with("x.toml: `--seed`: 18446744073709551615 is too large"), "{errors}");
}

#[test]
fn the_default_name_is_that_of_the_file() {
    for (file, name) in [
        ("configs/quick.toml", "quick"),
        ("my config (2).toml", "my-config--2-"),
        (".toml", "toml"),
        ("", "tournament"),
    ] {
        let tournament = parse(file, TWO, Path::new(""), &Overrides::default()).unwrap();
        assert_eq!(tournament.name, name);
    }
}

#[test]
fn a_title_is_one_line_of_any_letters() {
    let tournament = good(&format!("name = \"cup\"\ntitle = \"Spring cup, 2026 🐍\"\n{TWO}"));
    assert_eq!((&*tournament.name, tournament.title()), ("cup", "Spring cup, 2026 🐍"));
    assert_eq!(good(TWO).title(), "x");
    let long = "é".repeat(Tournament::MAX_TITLE);
    assert_eq!(good(&format!("title = \"{long}\"\n{TWO}")).title(), long);
    for (title, reason) in [
        (" ", "the title is empty: remove it to show the name"),
        ("a\\u001b[31mb", "a title must be one line without control or invisible characters"),
        ("a\\u202eb", "a title must be one line without control or invisible characters"),
        ("a\\nb", "a title must be one line without control or invisible characters"),
        (&*format!("{long}x"), "the title has 201 characters; the maximum is 200"),
    ] {
        assert_eq!(errors(&format!("title = \"{title}\"\n")), format!("1: `title`: {reason}"));
    }
}

#[test]
fn a_syntax_error_is_reported_alone_with_its_line() {
    assert_eq!(
        errors("seed = 1\nround = 3\nname = \"open\nlimit = 7\n"),
        "3: not valid TOML: invalid basic string, expected `\"`"
    );
}

#[test]
fn all_errors_are_reported_at_once() {
    let found = errors(
        "\
round = 3
name = \"a/b\"
seed = -1
format = \"round-robbin\"
kinds = [\"riatra\", \"velo\", \"riatra\"]
board = \"chess\"
rounds = \"3\"
limit = 30
margin = \"50\"
stall = \"0s\"
[openings]
source = \"random\"
ply = 4
path = \"o.txt\"
[rules]
forced = true
quiet = -5
vela-starved = \"white\"
blocked-is-draw = 3
[session]
sets = 4
vela-attempts = 0
[adjudication]
draw = 3
resign = { moves = 0, scores = 9 }
oracle = true
",
    );
    let expected = "\
1: unknown key `round`: did you mean `rounds`?
2: `name`: \"a/b\" is not a valid directory name: use 1 to 100 letters a-z, digits and -_.+, without a dot at the beginning
3: `seed` is -1, expected a whole number from 0 to 9223372036854775807
4: `format` is \"round-robbin\", expected \"round-robin\", \"gauntlet\", \"match\", \"candidates\", \"swiss\", \"knockout\", \"race\" or \"tune\": did you mean \"round-robin\"?
5: `kinds`: riatra is listed twice: list each kind once
5: `kinds` is \"velo\", expected \"riatra\", \"vela\" or \"session\": did you mean \"vela\"?
6: `board`: `chess` is not a board: expected tsivy (9x5), dimy (5x5), telo (3x3), or columns x rows, both odd, 3 to 9, at most 45 points, like 7x5; or left-right, left-right-7x5 for the other start
7: `rounds` is a string, expected a whole number from 1 to 1000000
8: `limit` is a whole number, expected a string, like \"100ms\", \"10s+0.1s\", \"40/60s+15s+0.1s\", \"nodes=10000\" or \"depth=6\"
9: `margin`: `50` is not a duration: expected a number and a unit (ms, s, m or h), like 30ms or 1.5s
10: `stall`: the duration must be longer than zero, like \"10s\"
13: unknown key `ply` in [openings]: valid keys: source, plies, path, order
14: `path` requires source = \"file\" in [openings]: set source = \"file\", or remove `path`
16: unknown key `forced` in [rules]: did you mean `forced-continuation`?
17: `quiet`: `quiet=-5`: quiet must be a whole number from 0 (never) to 1000000, like quiet=100
18: `vela-starved`: `vela-starved=white`: vela-starved must be creditor-loses, debtor-loses or paika
19: `blocked-is-draw`: `blocked-is-draw=3`: blocked-is-draw takes true or false, or no value
21: `sets`: a session is best of 3 or 5, not 4
22: `vela_attempts` is 0, expected a whole number from 1 to 100
24: `draw` is a whole number, expected true, false, or a table like { moves = 8, score = 20 }
25: `moves` is 0, expected a whole number from 1 to 1000
25: unknown key `scores` in [adjudication.resign]: did you mean `score`?
26: `oracle` is true or false, expected a program, like \"bot-alphabeta\", or a table like those of [[engine]]";
    assert_eq!(found, expected);
}

#[test]
fn errors_of_engines_are_reported() {
    let found = read(
        r#"[[engine]]
name = "a"
command = "x"
options = { Hash = [64], Seed = 3, "a value b" = 1, Book = "x\ny", Depth = 1, depth = 2 }
env = { A = 1, "B=C" = "x" }
[[engine]]
name = "a"
comand = "x"
legal_moves = "yes"
dialect = "usi"
args = "x"
[[engine]]
name = " c\n"
command = ""
limit = "nodes=0"
"#,
    );
    let found = found.unwrap_err().to_string().replace("configs/x.toml:", "");
    let expected = "\
4: `Hash` is an array, expected a string, a number, true or false
4: `Seed`: the arena sets it for every game, from the tournament's `seed`
4: `a value b`: not a valid option name: a name is words on one line, without the word `value`
4: `Book`: an option's value is one line without control characters
4: `depth`: the option is set twice (option names ignore case)
5: `env`: \"B=C\" is not a valid name of an environment variable
5: `A` is a whole number, expected a string
6: `command` is missing in [[engine]] 2: add command = \"…\", a bot's name or the path of a program
7: `name`: two engines are named \"a\": give each a unique name
8: unknown key `comand` in [[engine]] 2: did you mean `command`?
9: `legal_moves` is a string, expected true or false
10: `dialect` is \"usi\", expected \"ugi\" or \"uci\": did you mean \"ugi\"?
11: `args` is a string, expected an array of strings
13: `name`: a name cannot contain line breaks, control characters or invisible characters
14: `command`: the command is empty: name a program
15: `limit`: `nodes=0` is not a limit: `nodes=` takes a whole number, 1 or more";
    assert_eq!(found, expected);
}

#[test]
fn the_number_of_engines_fits_the_format() {
    let fails = |text: &str, part: &str| {
        let found = read(text).expect_err(text).to_string();
        assert!(found.contains(part), "{text}: {found}");
    };
    let one = "[[engine]]\nname = \"a\"\ncommand = \"a\"\n";
    fails("", "configs/x.toml: `[[engine]]` is missing: add an [[engine]] table");
    fails("engine = []", "`[[engine]]` is missing");
    fails(one, ":1: a tournament needs at least two engines: add another [[engine]]");
    fails("[engine]\nname = \"a\"\n", ":1: `engine` is a table, expected an array of tables");
    fails("engine = [3]", "`engine` is a whole number, expected a table");
    let three = format!("format = \"match\"\n{TWO}{one}").replacen("\"a\"", "\"c\"", 1);
    fails(&three, "a match is between two engines, but there are 3");
}

#[test]
fn swiss_and_knockout_have_their_own_keys() {
    let format = |text: &str, engines: usize| {
        let engine = |n: usize| format!("[[engine]]\nname = \"e{n}\"\ncommand = \"e\"\n");
        let engines: String = (0..engines).map(engine).collect();
        read(&format!("{text}{engines}")).map(|tournament| tournament.format)
    };
    let swiss = |stages| Format::Swiss { stages: NonZeroU32::new(stages).unwrap() };
    // Enough for the leaders to meet, but never more than there are opponents.
    for (engines, stages) in [(2, 1), (3, 2), (4, 3), (8, 5), (9, 6), (100, 9)] {
        assert_eq!(format("format = \"swiss\"\n", engines), Ok(swiss(stages)));
    }
    assert_eq!(format("format = \"swiss\"\nstages = 7\n", 8), Ok(swiss(7)));
    let knockout = |tiebreaks| Format::Knockout { tiebreaks };
    assert_eq!(format("format = \"knockout\"\n", 5), Ok(knockout(2)));
    assert_eq!(format("format = \"knockout\"\ntiebreaks = 0\n", 5), Ok(knockout(0)));
    for (text, expected) in [
        (
            "format = \"swiss\"\nstages = 2\n",
            "2: 2 engines do not have enough different opponents for 2 stages: set stages to 1 at most",
        ),
        (
            "format = \"swiss\"\ntiebreaks = 2\nstages = 0\n",
            "2: `tiebreaks` requires format = \"knockout\": set format = \"knockout\", or remove \
             `tiebreaks`\n3: `stages` is 0, expected a whole number from 1 to 1000",
        ),
        (
            "stages = 3\n",
            "1: `stages` requires format = \"swiss\": set format = \"swiss\", or remove `stages`",
        ),
        (
            "format = \"race\"\nstages = 8\n",
            "2: the `stages` of a race are in [race]: move it to [race]",
        ),
        (
            "format = \"swis\"\nstages = 3\n",
            "1: `format` is \"swis\", expected \"round-robin\", \"gauntlet\", \"match\", \
             \"candidates\", \"swiss\", \"knockout\", \"race\" or \"tune\": did you mean \"swiss\"?",
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
    for text in ["format = \"swiss\"\n", "format = \"knockout\"\ntiebreaks = 5\n"] {
        let tournament = good(&format!("{text}{TWO}"));
        let written = tournament.to_toml(Path::new("/elsewhere"));
        let again = parse("config.toml", &written, Path::new("/elsewhere"), &Overrides::default());
        assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}\n{written}")), tournament);
    }
}

#[test]
fn a_tuning_has_a_method_and_only_its_own_keys() {
    let engine = "[[engine]]\nname = \"a\"\ncommand = \"a\"\n";
    let config = |tune: &str, option: &str| {
        format!(
            "format = \"tune\"\n[tune]\niterations = 50\n{tune}[tune.parameters]\n\
             X = {{ start = 1, min = 0, max = 9{option} }}\n{engine}"
        )
    };
    let process = "method = \"gaussian-process\"\n";
    let method = |text: &str| read(text).map(|it| it.tuning.expect("it is a tuning").method);
    let usual = Method::Spsa(StepSizes::default());
    assert_eq!(method(&config("", "")).unwrap(), usual);
    assert_eq!(method(&config("method = \"spsa\"\n", "")).unwrap(), usual);
    let sizes = StepSizes { stability: 0.2, ..StepSizes::default() };
    assert_eq!(method(&config("A = 0.2\n", ", c_end = 2")).unwrap(), Method::Spsa(sizes));
    assert_eq!(method(&config(process, "")).unwrap(), Method::GaussianProcess);
    // Both are written so that they are read again as they are.
    for text in [config("A = 0.2\n", ", c_end = 2"), config(process, ", type = \"float\"")] {
        let tournament = read(&text).unwrap();
        let written = tournament.to_toml(Path::new("/elsewhere"));
        let again = parse("config.toml", &written, Path::new("/elsewhere"), &Overrides::default());
        assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}\n{written}")), tournament);
    }
    let many: String =
        (0..8).map(|it| format!("Y{it} = {{ start = 1, min = 0, max = 9 }}\n")).collect();
    for (text, expected) in [
        (config("method = \"gauss\"\n", ""), "expected \"spsa\" or \"gaussian-process\""),
        (config(&format!("{process}A = 0.2\n"), ""), "`A`: it is a step size of SPSA"),
        (config(process, ", r_end = 0.1"), "`r_end`: it is a step size of SPSA"),
        (
            config(process, "").replace("= 50", "= 301"),
            "301 are too many for a Gaussian process: the maximum is 300; set `rounds`",
        ),
        (
            config(process, "").replace("[[engine]]", &format!("{many}[[engine]]")),
            "9 are too many for a Gaussian process: the maximum is 8",
        ),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let overrides = Overrides { iterations: NonZeroU32::new(400), ..Overrides::default() };
    let text = config(process, "");
    let error = parse("config.toml", &text, Path::new("/"), &overrides).unwrap_err().to_string();
    assert!(error.contains("--iterations") && error.contains("400 are too many"), "{error}");
}

#[test]
fn openings_fit_board_and_rules() {
    for (text, expected) in [
        (
            "board = \"dimy\"\nopenings.source = \"named\"\n",
            "2: the named openings require the board tsivy, but the board is dimy: use source = \
             \"random\"",
        ),
        (
            "openings.source = \"named\"\nrules.vela-starter = \"creditor\"\n",
            "1: Vakiloha, e2e3A, is not legal in vela: in vela phase one the creditor may not \
             capture: use source = \"random\", or change [rules]",
        ),
        (
            "openings.plies = 4\nrules.max-plies = 4\n",
            "1: max-plies = 4 ends games within their opening of 4 plies: set plies in [openings] to less",
        ),
        ("openings.plies = 41\n", "1: `plies` is 41, expected a whole number from 0 to 40"),
        (
            "[openings]\nsource = \"file\"\n",
            "1: `path` is missing in [openings]: add path = \"openings.txt\", relative to the config",
        ),
        (
            "openings.source = \"named\"\nopenings.plies = 1\n",
            "2: `plies` requires source = \"random\" in [openings]: set source = \"random\", or remove \
             `plies`",
        ),
        (
            "rules.max-plies = 10\nrules.max_plies = 20\n",
            "2: `max_plies` is given twice in [rules]: keep one of them",
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
    let riatra_only =
        "kinds = [\"riatra\"]\nopenings.source = \"named\"\nrules.vela-starter = \"creditor\"\n";
    assert_eq!(good(&format!("{riatra_only}{TWO}")).openings, OpeningSource::Named);
    assert_eq!(good(TWO).board, Start::TSIVY);
}

#[test]
fn sprt_requires_a_match() {
    for (text, expected) in [
        (
            "[sprt]\nelo0 = 5\nelo1 = 0\nalpha = 0.6\nmodel = \"normal\"\n",
            "1: [sprt] requires a match of two engines: set format = \"match\", or remove [sprt]\n\
             4: `alpha`: expected a number above 0 and below 0.5, like 0.05\n\
             5: `model` is \"normal\", expected \"logistic\" or \"normalized\": did you mean \
             \"normalized\"?",
        ),
        (
            "format = \"match\"\n[sprt]\nelo0 = 5\nelo1 = 0\n",
            "4: `elo1`: elo1 must be greater than elo0, which is 5",
        ),
        (
            "format = \"match\"\n[sprt]\nelo1 = nan\n",
            "2: `elo0` is missing in [sprt]: add `elo0`, an Elo difference, a number from -400 to 400\n\
             3: `elo1`: expected an Elo difference, a number from -400 to 400",
        ),
    ] {
        assert_eq!(errors(text), expected, "{text}");
    }
}

/// The tournament of a config of candidates with these lines in its table.
fn candidates(table: &str) -> String {
    format!("format = \"candidates\"\n[candidates]\n{table}\n{TWO}")
}

#[test]
fn candidates_have_a_base_and_bounds() {
    let text = candidates("base = \"b\"\nelo0 = -2\nelo1 = 3\nalpha = 0.1\nmodel = \"normalized\"");
    let tournament = good(&text);
    let rules = tournament.candidates.clone().unwrap();
    let (elo0, elo1, model) = (-2.0, 3.0, Model::Normalized);
    let test = SprtOptions { elo0, elo1, alpha: 0.1, beta: 0.05, model };
    assert_eq!((&*rules.base, rules.test, tournament.centre()), ("b", test, 1));
    let written = tournament.to_toml(Path::new("/elsewhere"));
    let again = parse("config.toml", &written, Path::new("/elsewhere"), &Overrides::default());
    assert_eq!(again.unwrap_or_else(|errors| panic!("{errors}\n{written}")), tournament);
}

#[test]
fn candidates_without_a_base_or_with_wrong_bounds_are_refused() {
    let bounds = "elo0 = 0\nelo1 = 5";
    for (text, expected) in [
        (
            candidates(bounds),
            "2: `base` is missing in [candidates]: add `base`, the name of an engine, like \"old\"",
        ),
        (
            candidates(&format!("base = \"bb\"\n{bounds}")),
            "3: `base`: no engine is named \"bb\": did you mean \"b\"?",
        ),
        (
            candidates(&format!("base = \"other\"\n{bounds}")),
            "3: `base`: no engine is named \"other\": the engines are a, b",
        ),
        (
            candidates("base = 3\nelo0 = 5\nelo1 = 6\nalpha = 0.5\nbets = 1"),
            "3: `base` is a whole number, expected the name of an engine, like \"old\"\n\
             6: `alpha`: expected a number above 0 and below 0.5, like 0.05\n\
             7: unknown key `bets` in [candidates]: did you mean `beta`?",
        ),
        (
            candidates("base = \"b\"\nelo0 = 5\nelo1 = 5"),
            "5: `elo1`: elo1 must be greater than elo0, which is 5",
        ),
        (
            format!("format = \"candidates\"\n{TWO}"),
            "1: format = \"candidates\" requires the table [candidates]: add [candidates] with base, \
             elo0 and elo1",
        ),
        (
            format!("[candidates]\nbase = \"b\"\n{bounds}\n{TWO}"),
            "1: [candidates] requires format = \"candidates\": set format = \"candidates\", or remove \
             [candidates]",
        ),
        (
            candidates(&format!("base = \"b\"\n{bounds}\n[sprt]\n{bounds}")),
            "6: [sprt] requires a match of two engines: remove [sprt]: the bounds stand in [candidates]",
        ),
    ] {
        let found = read(&text).unwrap_err().to_string();
        assert_eq!(found.replace("configs/x.toml:", ""), expected, "{text}");
    }
    let alone = "[[engine]]\nname = \"b\"\ncommand = \"x\"\n";
    let text = candidates(&format!("base = \"b\"\n{bounds}")).replace(TWO, alone);
    let found = read(&text).unwrap_err().to_string();
    assert!(found.contains("a tournament needs at least two engines"), "{found}");
}

#[test]
fn errors_are_shown_with_their_lines() {
    let errors = read(&format!("seed = 3\nround = 3\n{TWO}")).unwrap_err();
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::none());
    let mut shown = String::new();
    handler.render_report(&mut shown, &ConfigReport(errors)).unwrap();
    for part in [
        "configs/x.toml has 1 error",
        "unknown key `round`",
        "round = 3",
        "x.toml:2:1",
        "did you mean `rounds`?",
    ] {
        assert!(shown.contains(part), "{part} is not in:\n{shown}");
    }
}

#[test]
fn a_missing_file_is_named() {
    let error = load(Path::new("/no/such.toml"), &Overrides::default()).unwrap_err();
    assert!(error.to_string().starts_with("failed to read the config /no/such.toml: "));
}

/// Random lines, most of them invalid.
fn lines() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let key = prop::sample::select(vec![
        "name",
        "base",
        "seed",
        "format",
        "kinds",
        "board",
        "rounds",
        "stages",
        "tiebreaks",
        "limit",
        "stall",
        "source",
        "plies",
        "path",
        "quiet",
        "sets",
        "elo0",
        "alpha",
        "command",
        "args",
        "env",
        "options",
        "dialect",
        "legal_moves",
        "é",
    ]);
    let value = prop::sample::select(vec![
        "1",
        "-1",
        "0x10",
        "99999999999999999999",
        "1e400",
        "nan",
        "true",
        "\"\"",
        "\"a\"",
        "\"named\"",
        "\"match\"",
        "\"swiss\"",
        "\"candidates\"",
        "\"knockout\"",
        "\"tsivy\"",
        "\"1s\"",
        "[]",
        "[1]",
        "[\"vela\"]",
        "{}",
        "{ a = 1 }",
        "1979-05-27",
        "\"\\u0000\"",
        "'é'",
        "?",
    ]);
    let table = prop::sample::select(vec![
        "[openings]",
        "[rules]",
        "[session]",
        "[sprt]",
        "[candidates]",
        "[[engine]]",
        "[engine]",
        "[é]",
    ]);
    let line = prop_oneof![
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => table.prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

proptest::proptest! {
    #[test]
    fn every_text_is_read_or_refused(text in lines()) {
        if let Err(errors) = read(&text) {
            proptest::prop_assert!(!errors.errors.is_empty());
            for span in errors.errors.iter().filter_map(|error| error.span.clone()) {
                proptest::prop_assert!(text.get(span.clone()).is_some(), "{:?}", span);
            }
            let _ = errors.to_string();
        }
    }
}
