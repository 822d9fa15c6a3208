//! Draws a position and lists its legal moves with what each captures.
//!
//! `cargo run -p fanorona-protocol --example show -- ["POSITION"]`

use std::error::Error;

use fanorona_protocol::rules::{BoardSize, Position, Ruleset};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = Ruleset::default();
    let position = match std::env::args().nth(1) {
        Some(text) => text.parse()?,
        None => Position::start(BoardSize::TSIVY),
    };
    print!("{}", position.board());
    println!("{} to move", position.side_to_move());
    if let Some(ending) = rules.ending(&position) {
        println!("the game is over: {}", ending.reason);
    }
    for mv in position.legal_moves(&rules) {
        println!("{mv} takes {}", position.effect_of(&rules, &mv)?.gain());
    }
    Ok(())
}
