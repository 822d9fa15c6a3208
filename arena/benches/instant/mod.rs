//! An engine that answers at once, for measurements of everything around it.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use fanorona_protocol::rules::{Position, Ruleset, Start, perft};

/// An engine that does next to nothing: it plays on from the position it knows already, and picks
/// a move by a hash.
pub(crate) fn engine() {
    let rules = Ruleset::default();
    let (mut known, mut position) = (String::new(), Start::TSIVY.riatra());
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next() {
            Some("ugi") => "id name overhead\nugiok\n".to_owned(),
            Some("isready") => "readyok\n".to_owned(),
            Some("position") => {
                let new = line.strip_prefix(known.as_str()).filter(|_| !known.is_empty());
                let moves = new.unwrap_or_else(|| {
                    position = Start::TSIVY.riatra();
                    line.strip_prefix("position startpos moves").expect("a riatra with a book")
                });
                for mv in moves.split_ascii_whitespace() {
                    let mv = mv.parse().expect("moves are sent");
                    position = position.play(&rules, &mv).expect("legal moves are sent");
                }
                known = line;
                continue;
            }
            Some("go") => format!("bestmove {}\n", choose(&position, &rules)),
            Some("quit") => return,
            _ => continue,
        };
        // An arena that is gone wants no answer.
        let _ = out.write_all(answer.as_bytes()).and_then(|()| out.flush());
    }
}

/// A move by the hash of the position.
fn choose(position: &Position, rules: &Ruleset) -> String {
    let mut left = position.key() % perft(position, rules, 1).max(1);
    let mut chosen = "0000".to_owned();
    let _ = position.visit_moves(rules, |mv, _| {
        if left == 0 {
            chosen = mv.to_string();
            return ControlFlow::Break(());
        }
        left -= 1;
        ControlFlow::Continue(())
    });
    chosen
}
