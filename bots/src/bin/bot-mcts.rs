//! `bot-mcts`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::mcts::Mcts;
use fanorona_bots::program;

fn main() -> ExitCode {
    program::bot(
        Mcts::new(),
        "It runs a Monte Carlo tree search with priors and leaf values from an evaluation.",
    )
}
