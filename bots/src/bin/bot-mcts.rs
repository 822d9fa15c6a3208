//! `bot-mcts`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::mcts::Mcts;
use fanorona_bots::session;

fn main() -> ExitCode {
    session::run(Mcts::new())
}
