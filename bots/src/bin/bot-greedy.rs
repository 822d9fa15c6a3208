//! `bot-greedy`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::greedy::Greedy;
use fanorona_bots::program;

fn main() -> ExitCode {
    program::bot(
        Greedy::new(),
        "It plays the move that captures the most stones, net of the opponent's best reply.",
    )
}
