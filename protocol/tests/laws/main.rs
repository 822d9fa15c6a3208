//! Laws of the rules, held against many positions: those random games reach and those nobody would
//! ever reach, on every board and under every switch. What is right is said by the naive checker.

mod games;
mod moves;
#[path = "../naive/mod.rs"]
mod naive;
mod positions;
mod session;
mod symmetry;
mod texts;

use positions::{anything, games, limits, long_games, rules, rulesets, starts, velas};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};

/// Every law as a test with so many cases and a fixed seed, so that a failure fails again for
/// everybody; and all of them once more at length, with another seed each time.
macro_rules! laws {
    ($($law:ident: $cases:literal of $strategy:expr, $judge:path;)*) => {
        $(
            #[test]
            fn $law() {
                hold($cases, RngSeed::Fixed(0x7e10), $strategy, $judge);
            }
        )*

        #[test]
        #[ignore = "takes many minutes: every law with new seeds and many more cases"]
        fn all_laws_at_length() {
            $(
                println!("{}", stringify!($law));
                hold(50 * $cases, RngSeed::Random, $strategy, $judge);
            )*
        }
    };
}

laws! {
    a_move_is_generated_if_and_only_if_it_is_legal: 4000 of anything(), moves::iff_legal;
    an_altered_move_is_judged_alike: 1000 of (anything(), moves::mutations()), moves::altered;
    a_move_does_what_its_effect_says: 2000 of anything(), moves::effects;
    in_vela_phase_one_only_the_debtor_captures: 1500 of (velas(), rules()), moves::phase_one;
    symmetric_positions_have_symmetric_moves:
        1000 of (anything(), symmetry::symmetries()), symmetry::law;
    perft_is_the_naive_count: 400 of (anything(), 1..=3u32), moves::perft_law;
    perft_of_a_start_is_the_naive_count: 80 of (starts(), rules(), 1..=3u32), moves::start_perft;
    a_key_is_that_of_the_stones: 600 of games(), games::keys;
    a_game_ends_as_its_positions_say: 3000 of (long_games(), limits()), games::endings;
    a_session_keeps_its_promises: 3000 of session::sessions(), session::law;
    positions_are_read_as_written: 1000 of anything(), texts::positions;
    rulesets_are_read_as_written: 1000 of rulesets(), texts::rulesets;
    no_text_is_too_strange: 5000 of vec(texts::strange(), 4), texts::never_panics;
}

/// Holds a law against so many values.
fn hold<S: Strategy>(
    cases: u32,
    rng_seed: RngSeed,
    strategy: S,
    law: impl Fn(S::Value) -> TestCaseResult,
) {
    let config = Config {
        cases,
        rng_seed,
        failure_persistence: None,
        // A law that says nothing about most positions takes as many as it needs.
        max_global_rejects: u32::MAX,
        ..Config::default()
    };
    if let Err(error) = TestRunner::new(config).run(&strategy, law) {
        panic!("{error}");
    }
}
