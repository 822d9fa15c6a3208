//! `bot-greedy`: speaks UGI on standard input and output.

use std::process::ExitCode;

use fanorona_bots::greedy::Greedy;
use fanorona_bots::program;

fn main() -> ExitCode {
    program::bot(
        Greedy::new(),
        "Takes as many stones as it can, less those that the best reply takes back.",
    )
}
