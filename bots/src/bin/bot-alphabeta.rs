//! `bot-alphabeta`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::session;

fn main() -> ExitCode {
    session::run(AlphaBeta::new())
}
