//! `bot-random`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::random::Random;
use fanorona_bots::session;

fn main() -> ExitCode {
    session::run(Random::new())
}
