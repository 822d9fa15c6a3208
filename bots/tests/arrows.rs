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
    forbid("src", &["src/session/"], &["println!", "print!", "stdout", "stderr", "std::io"]);
}

#[test]
fn only_the_session_and_the_budget_have_a_clock_or_threads() {
    forbid("src", &["src/session/", "budget.rs", "bench.rs"], &["Instant::now", "thread::"]);
}
