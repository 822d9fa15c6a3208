//! `bot-alphabeta`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::program;

fn main() -> ExitCode {
    program::bot(
        AlphaBeta::new(),
        "It runs an alpha-beta search with a transposition table and a small neural network.",
    )
}
