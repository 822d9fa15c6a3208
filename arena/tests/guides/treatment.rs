//! What is done with a command of a page: nearly always, it is typed as it stands. This is the one
//! list of what is not.

/// What is done with a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Treatment {
    /// It is run, and succeeds.
    Typed,
    /// It is interactive; these lines are its input.
    Fed(&'static str),
    /// It is not run, for this reason.
    Not(&'static str),
}

/// Commands by their beginnings, and what is done with them. Whatever begins otherwise is typed.
pub(crate) const EXCEPTIONS: [(&str, Treatment); 10] = [
    ("pip install ", Treatment::Not("it builds a wheel; `.ci/full python` does and tests it")),
    (
        "arena check \"python3 bots/python/",
        Treatment::Not("it needs the Python package; a test of the package does this"),
    ),
    ("arena serve ", Treatment::Not("it runs until it is stopped; tests of the pages start it")),
    (
        "arena run --rounds 1 --limit nodes=20 configs/quick.toml --serve",
        Treatment::Not("it runs until it is stopped; tests of the pages start it"),
    ),
    (
        "arena run --rounds 1 --limit nodes=20 results/tune-mine/confirm.toml",
        Treatment::Not("three iterations change nothing to be confirmed; tests of `tune` play it"),
    ),
    ("arena play ", Treatment::Fed("hint\n1\nundo\nmoves\nfen\nresign\n")),
    ("cargo test", Treatment::Not("it is what runs this test, or wants a browser")),
    ("cargo build --release", Treatment::Not("the programs are there, of this test's profile")),
    ("git worktree", Treatment::Not("the copy has no history")),
    ("export PATH", Treatment::Not("every command here has its own shell, and PATH is set")),
];

/// What is done with a command.
pub(crate) fn of(command: &str) -> Treatment {
    let found = EXCEPTIONS.iter().find(|(beginning, _)| command.starts_with(beginning));
    found.map_or(Treatment::Typed, |&(_, treatment)| treatment)
}

/// A command as it is typed here: what `cargo build … &&` stands before alone, tournaments no longer
/// than they must be, one pair for every two engines with few nodes a move, the engines of a sweep
/// not measured one after another, and tables of few stones.
pub(crate) fn typed(command: &str) -> String {
    if command.starts_with("endgames build ") {
        return with_numbers(command, "--stones ", 4);
    }
    let command = match command.split_once(" && ") {
        Some((build, rest)) if build.starts_with("cargo build") => rest,
        _ => command,
    };
    let mut words: Vec<&str> = command.split(' ').collect();
    // Tunings and sweeps are recognised by the names of their configs.
    let name = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let is_of = |begin: &str| {
        words.iter().any(|word| word.ends_with(".toml") && name(word).starts_with(begin))
    };
    let of_run = if is_of("tune") { ["--iterations", "3"] } else { ["--rounds", "1"] };
    let of_plan = if is_of("sweep") || is_of("candidates") { &["--assume"][..] } else { &[] };
    for (subcommand, options) in [
        ("run", &[&of_run[..], &NODES][..]),
        ("quick", &[&["--games", "2"], &NODES]),
        ("plan", &[of_plan]),
    ] {
        let is_arena = |word: &str| word == "arena" || word.ends_with("/arena");
        let place = words.windows(2).position(|two| is_arena(two[0]) && two[1] == subcommand);
        let Some(place) = place else { continue };
        for option in options.iter().rev().filter(|option| !option.is_empty()) {
            if let Some(given) = words.iter().position(|word| *word == option[0]) {
                // Pages have their own few nodes where something is done with the games.
                if words[given + 1].starts_with("nodes=") {
                    continue;
                }
                words.drain(given..given + option.len());
            }
            words.splice(place + 2..place + 2, option.iter().copied());
        }
    }
    words.join(" ")
}

/// The limit of every tournament here.
const NODES: [&str; 2] = ["--limit", "nodes=20"];

/// A config with that limit wherever it limits nodes, and with two stages if it has some.
pub(crate) fn shortened(config: &str) -> String {
    with_numbers(&with_numbers(config, "nodes=", 20), "stages = ", 2)
}

/// A text with another number wherever one follows these words.
fn with_numbers(text: &str, words: &str, number: u32) -> String {
    let mut parts = text.split(words);
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.map(|part| part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    rest.fold(first, |text, part| format!("{text}{words}{number}{part}"))
}

/// Programs of others that commands need.
pub(crate) const PROGRAMS: [&str; 5] = ["python3", "node", "cc", "jq", "man"];

/// Which of them a command needs.
pub(crate) fn needs(command: &str) -> Vec<&'static str> {
    let separator = |letter: char| letter.is_whitespace() || "\"'|".contains(letter);
    let words: Vec<&str> = command.split(separator).collect();
    PROGRAMS.into_iter().filter(|program| words.contains(program)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tournaments_are_short_and_builds_are_left_out() {
        for (command, expected) in [
            (
                "cargo build --release && target/release/arena run a.toml",
                "target/release/arena run --rounds 1 --limit nodes=20 a.toml",
            ),
            (
                "arena run a.toml --rounds 50 --out x",
                "arena run --rounds 1 --limit nodes=20 a.toml --out x",
            ),
            (
                "arena quick a b --games 10 --limit 50ms",
                "arena quick --games 2 --limit nodes=20 a b",
            ),
            (
                "arena run a.toml --json | jq .event",
                "arena run --rounds 1 --limit nodes=20 a.toml --json | jq .event",
            ),
            (
                "arena run tune-a.toml --out x",
                "arena run --iterations 3 --limit nodes=20 tune-a.toml --out x",
            ),
            ("arena quick a b --limit nodes=300", "arena quick --games 2 a b --limit nodes=300"),
            ("arena plan a.toml --rounds 7", "arena plan a.toml --rounds 7"),
            ("arena plan sweep-a.toml", "arena plan --assume sweep-a.toml"),
            ("endgames build --stones 5 --out x", "endgames build --stones 4 --out x"),
            ("cargo run", "cargo run"),
        ] {
            assert_eq!(typed(command), expected);
        }
    }

    #[test]
    fn nodes_and_stages_are_few() {
        let config =
            "stages = 5  # x\nlimit = \"nodes=2000\" # x\n[[engine]]\nlimit = \"nodes=5\"\n";
        let few = "stages = 2  # x\nlimit = \"nodes=20\" # x\n[[engine]]\nlimit = \"nodes=20\"\n";
        assert_eq!(shortened(config), few);
        assert_eq!(shortened("limit = \"1s\"\n"), "limit = \"1s\"\n");
    }

    #[test]
    fn programs_of_others_are_recognised() {
        assert_eq!(needs("arena check \"python3 a.py\" | jq .x"), ["python3", "jq"]);
        assert_eq!(needs("arena generate man --out x"), ["man"; 1]);
        assert_eq!(needs("arena rate cc.csv"), [""; 0]);
    }
}
