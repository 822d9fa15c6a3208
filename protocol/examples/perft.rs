//! Counts the sequences of legal moves of a depth, by first move.
//!
//! `cargo run --release -p fanorona-protocol --example perft -- 5 ["POSITION"]`

use std::error::Error;
use std::ops::ControlFlow;

use fanorona_protocol::rules::{BoardSize, Position, Ruleset, divide};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let depth = args.next().map_or(Ok(4), |text| text.parse())?;
    let position = match args.next() {
        Some(text) => text.parse()?,
        None => Position::start(BoardSize::TSIVY),
    };
    let mut nodes = 0;
    // The visitor never breaks.
    let _ = divide(&position, &Ruleset::default(), depth, |mv, count| {
        println!("{mv}: {count}");
        nodes += count;
        ControlFlow::Continue(())
    });
    println!("nodes {nodes}");
    Ok(())
}
