//! `bot-greedy`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::greedy::Greedy;
use fanorona_bots::session;

fn main() -> ExitCode {
    session::run(Greedy::new())
}
