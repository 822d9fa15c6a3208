//! The arrows of the package: bots know the protocol and never the arena, and only the session
//! prints.

#[path = "../../protocol/tests/sources/mod.rs"]
mod sources;

use sources::forbid;

#[test]
fn bots_never_know_the_arena() {
    forbid("src", &[], &["fanorona_arena"]);
}

#[test]
fn only_the_session_prints() {
    let words = ["println!", "print!", "stdout", "stderr"];
    forbid("src", &["src/session/", "bin/endgames.rs"], &words);
    forbid("src", &["src/session/", "bin/endgames.rs", "src/endgame/"], &["std::io"]);
}

#[test]
fn only_the_session_the_budget_and_the_builder_of_tables_have_a_clock_or_threads() {
    let exceptions = ["src/session/", "budget.rs", "bench.rs", "endgame/build/", "bin/endgames.rs"];
    forbid("src", &exceptions, &["Instant::now", "thread::"]);
}
