//! A complete engine: it answers the handshake, sets up positions and plays a pseudo-random legal move.
//!
//! `arena check "target/debug/examples/random_engine"` tests it.

use std::io::{self, BufRead, Write};

use fanorona_protocol::messages::{BestMove, Command, CommandError, Limits, Reply, StartText};
use fanorona_protocol::rules::{BoardSize, Position, Ruleset};

fn main() -> io::Result<()> {
    let rules = Ruleset::default();
    let mut position = Position::start(BoardSize::TSIVY);
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        match line?.parse() {
            Ok(Command::Handshake(dialect)) => {
                writeln!(out, "{}", Reply::Name("random example".into()))?;
                writeln!(out, "{}", Reply::Author("the Fanorona Arena developers".into()))?;
                writeln!(out, "{}", Reply::HandshakeOk(dialect))?;
            }
            Ok(Command::IsReady) => writeln!(out, "{}", Reply::ReadyOk)?,
            Ok(Command::Position { start, moves }) => match set_up(&start, &moves, &rules) {
                Ok(found) => position = found,
                Err(why) => writeln!(out, "info string {why}")?,
            },
            // Words of `go` that mean nothing leave the others valid.
            Ok(Command::Go(limits)) => answer(&mut out, &position, &limits, &mut state)?,
            Err(CommandError::Go { limits, .. }) => {
                answer(&mut out, &position, &limits, &mut state)?;
            }
            Ok(Command::Quit) => break,
            // An engine skips what it does not understand.
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}

/// Prints a `bestmove` at once: one of the moves that `searchmoves` allows.
fn answer(
    out: &mut impl Write,
    position: &Position,
    limits: &Limits,
    state: &mut u64,
) -> io::Result<()> {
    let mut moves = position.legal_moves(&Ruleset::default());
    if !limits.search_moves.is_empty() {
        moves.retain(|mv| limits.search_moves.contains(&mv.to_string()));
    }
    // Xorshift: chance without a dependency.
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    let chosen = moves.get((*state % moves.len().max(1) as u64) as usize);
    let best = chosen.map_or(BestMove::None, |mv| BestMove::Move(*mv));
    writeln!(out, "{}", Reply::BestMove(best))
}

/// The position after some moves, or a reason why there is none.
fn set_up(start: &StartText, moves: &[String], rules: &Ruleset) -> Result<Position, String> {
    let mut position = match start {
        StartText::Startpos => Position::start(BoardSize::TSIVY),
        StartText::Fen(text) => text.parse().map_err(|why| format!("{why}"))?,
    };
    for text in moves {
        let mv = text.parse().map_err(|why| format!("{why}"))?;
        position = position.play(rules, &mv).map_err(|why| format!("`{text}`: {why}"))?;
    }
    Ok(position)
}
