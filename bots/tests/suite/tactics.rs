//! Combinations in riatra that begin with a quiet offer: captures are compulsory, so the reply to the
//! offer is forced. `bot-alphabeta` finds each of them within a number of nodes.

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::Bot;
use fanorona_protocol::messages::{Limits, Score};

use crate::alphabeta::{choose, game, last_score};

/// The positions; the file explains its columns.
const POSITIONS: &str = include_str!("../data/tactics.tsv");

#[test]
fn alphabeta_finds_combinations_that_begin_with_a_quiet_offer() {
    let mut bot = AlphaBeta::new();
    let (mut positions, mut missed) = (0, Vec::new());
    for line in POSITIONS.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<_> = line.split('\t').collect();
        let &[best, least, nodes, fen] = &*columns else { panic!("four columns: {line}") };
        let limits = Limits::with_nodes(nodes.parse().unwrap());
        bot.new_game();
        let (choice, reports) = choose(&mut bot, &game(fen, ""), &limits);
        let score = last_score(&reports);
        let enough = match score {
            Score::Cp(value) => value >= least.parse().unwrap(),
            Score::Win(_) => true,
            Score::Loss(_) => false,
        };
        positions += 1;
        if choice.mv.to_string() != best || !enough {
            missed.push(format!("{} ({score}) instead of {best} ({least}): {fen}", choice.mv));
        }
    }
    assert!(positions >= 16, "{positions}");
    assert!(missed.is_empty(), "{missed:#?}");
}
