//! The arrows of the package: the arena never knows the bots, and waits only where it must.

#[path = "../../protocol/tests/sources/mod.rs"]
mod sources;

use sources::forbid;

#[test]
fn the_arena_never_knows_the_bots() {
    forbid("src", &[], &["fanorona_bots"]);
}

#[test]
fn only_who_plays_and_who_asks_an_engine_waits() {
    let waiting = [
        "src/statistics/accuracy/ask.rs",
        "src/tournament/runner/",
        "src/game/play.rs",
        "src/engine/",
        "src/check/groups/",
        "src/check/run.rs",
        "src/check/subject.rs",
        "src/check/talk.rs",
        "src/terminal/",
        "src/commands/",
    ];
    forbid("src", &waiting, &["tokio", ".await", "async "]);
}

#[test]
fn only_main_exits_and_only_commands_print() {
    forbid("src", &["src/commands/", "src/terminal/"], &["println!", "print!", "process::exit"]);
}
