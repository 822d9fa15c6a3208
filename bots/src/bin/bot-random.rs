//! `bot-random`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::program;
use fanorona_bots::random::Random;

fn main() -> ExitCode {
    program::bot(
        Random::new(),
        "It plays a random legal move: the baseline for measuring other engines.",
    )
}
