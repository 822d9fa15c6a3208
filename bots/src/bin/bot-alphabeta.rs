//! `bot-alphabeta`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::program;

fn main() -> ExitCode {
    program::bot(
        AlphaBeta::new(),
        "Searches by alpha-beta, with a transposition table and a small network as its evaluation.",
    )
}
