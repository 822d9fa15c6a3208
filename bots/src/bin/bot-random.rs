//! `bot-random`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::program;
use fanorona_bots::random::Random;

fn main() -> ExitCode {
    program::bot(
        Random::new(),
        "Chooses among the legal moves at random: the least a player can do, to measure others by.",
    )
}
