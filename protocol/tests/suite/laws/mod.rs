//! Properties of the rules, tested with many positions, both from random games and with randomly
//! placed stones, on every board and with every rule switch. The naive checker determines what is
//! right.

mod games;
mod moves;
mod positions;
mod session;
mod symmetry;
mod texts;

use positions::{anything, games, limits, long_games, rules, rulesets, starts, velas};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};

/// Defines a test for each law with a number of cases and a fixed seed, so that a failure is
/// reproducible everywhere. An additional test checks all laws with many more cases and a new seed
/// each time.
macro_rules! laws {
    ($($law:ident: $cases:literal of $strategy:expr, $property:path;)*) => {
        $(
            #[test]
            fn $law() {
                check_law($cases, RngSeed::Fixed(0x7e10), $strategy, $property);
            }
        )*

        #[test]
        #[ignore = "takes many minutes: every law with new seeds and many more cases"]
        fn every_law_holds_for_many_random_cases() {
            $(
                println!("{}", stringify!($law));
                check_law(50 * $cases, RngSeed::Random, $strategy, $property);
            )*
        }
    };
}

laws! {
    a_move_is_generated_if_and_only_if_it_is_legal: 4000 of anything(), moves::iff_legal;
    an_altered_move_is_legal_for_both_or_neither:
        1000 of (anything(), moves::mutations()), moves::altered;
    a_move_does_what_its_effect_says: 2000 of anything(), moves::effects;
    in_vela_phase_one_only_the_debtor_captures: 1500 of (velas(), rules()), moves::phase_one;
    symmetric_positions_have_symmetric_moves:
        1000 of (anything(), symmetry::symmetries()), symmetry::law;
    perft_agrees_with_the_naive_count: 400 of (anything(), 1..=3u32), moves::perft_law;
    perft_from_a_start_agrees_with_the_naive_count:
        80 of (starts(), rules(), 1..=3u32), moves::start_perft;
    equal_positions_and_no_others_have_equal_keys: 600 of games(), games::keys;
    a_game_ends_as_the_naive_checker_says: 3000 of (long_games(), limits()), games::endings;
    a_session_follows_its_rules: 3000 of session::sessions(), session::law;
    parsing_a_printed_position_returns_the_same_position: 1000 of anything(), texts::positions;
    parsing_a_printed_ruleset_returns_the_same_ruleset: 1000 of rulesets(), texts::rulesets;
    no_text_makes_a_parser_panic: 5000 of vec(texts::strange(), 4), texts::never_panics;
}

/// Checks a law with this number of values.
fn check_law<S: Strategy>(
    cases: u32,
    rng_seed: RngSeed,
    strategy: S,
    law: impl Fn(S::Value) -> TestCaseResult,
) {
    let config = Config {
        cases,
        rng_seed,
        failure_persistence: None,
        // Some laws do not apply to most positions, so the number of rejected positions is not
        // limited.
        max_global_rejects: u32::MAX,
        ..Config::default()
    };
    if let Err(error) = TestRunner::new(config).run(&strategy, law) {
        panic!("{error}");
    }
}
