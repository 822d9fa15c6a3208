//! The tactical suite: what `bot-alphabeta` sees within a number of nodes, by theme.
//!
//! The numbers of solved positions are recorded in [`SOLVED`]. They do not depend on the machine. A
//! change of the search that sees less fails here; one that sees more should record its numbers:
//!
//! ```console
//! $ cargo test --release -p fanorona-bots --test suite tactical_suite -- --include-ignored --nocapture
//! ```

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, RootMove};
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::Ruleset;

use crate::tactical::{LIMITS, Report, Solved, Tactic, Theme, search};

/// The suite; the file tells how it was made.
const SUITE: &str = include_str!("../data/tactical-suite.tsv");

/// The positions of each theme that have to be solved within 10,000 and within 100,000 nodes.
const SOLVED: [(Theme, [usize; 2]); 6] = [
    (Theme::Offer, [62, 78]),
    (Theme::Quiet, [29, 41]),
    (Theme::Sequence, [107, 147]),
    (Theme::Choice, [55, 83]),
    (Theme::Ending, [70, 99]),
    (Theme::Debt, [28, 54]),
];

fn suite() -> Vec<Tactic> {
    Tactic::all(SUITE).unwrap()
}

/// What the bot solves within a number of nodes.
fn solve(nodes: u64) -> Solved {
    let mut bot = AlphaBeta::new();
    let mut solved = Solved::default();
    for tactic in suite() {
        let game = tactic.game();
        let moves = RootMove::all(game.position(), game.rules());
        bot.new_game();
        let reports = search(&mut bot, &game, &moves, nodes);
        solved.add(tactic.theme, tactic.nodes_to_solution(&reports));
    }
    println!("{solved}");
    solved
}

fn sees_what_is_recorded(which: usize) {
    let nodes = LIMITS[1 + which];
    let solved = solve(nodes);
    for (theme, least) in SOLVED {
        let found = solved.within(Some(theme), nodes);
        assert!(found >= least[which], "{theme}: {found} of {} within {nodes}", least[which]);
    }
}

#[test]
fn alphabeta_sees_what_is_recorded_within_10_000_nodes() {
    sees_what_is_recorded(0);
}

#[test]
#[ignore = "fifty million nodes, half a minute in a release build"]
fn alphabeta_sees_what_is_recorded_within_100_000_nodes() {
    sees_what_is_recorded(1);
}

#[test]
fn the_suite_has_positions_of_every_theme_with_one_clear_move() {
    let suite = suite();
    assert!(suite.len() >= 500, "{}", suite.len());
    let lines: Vec<_> = SUITE.lines().filter(|line| !line.starts_with('#')).collect();
    let mut keys = std::collections::HashSet::new();
    for (tactic, line) in suite.iter().zip(lines) {
        assert_eq!(tactic.to_string(), *line);
        assert!(keys.insert(tactic.position.key()), "twice: {line}");
        let moves = RootMove::all(&tactic.position, &Ruleset::default());
        let best = moves.iter().find(|root| root.mv == tactic.best).expect(line);
        assert_eq!(tactic.theme, Theme::of(&tactic.position, *best, &moves), "{line}");
        assert!(moves.iter().any(|root| root.effect != best.effect), "forced: {line}");
        let clear = match (tactic.score, tactic.other) {
            (Score::Win(_), Score::Cp(_) | Score::Loss(_)) => true,
            (Score::Cp(_), Score::Loss(_)) => true,
            (Score::Cp(score), Score::Cp(other)) => score - other >= 100,
            _ => false,
        };
        assert!(clear, "{line}");
    }
    for theme in Theme::ALL {
        let count = suite.iter().filter(|tactic| tactic.theme == theme).count();
        assert!(count >= 30, "{theme}: {count}");
    }
}

#[test]
fn a_position_is_solved_when_the_right_move_stays_to_the_end() {
    let tactic = &suite()[0];
    let moves = RootMove::all(&tactic.position, &Ruleset::default());
    let best = moves.iter().find(|root| root.mv == tactic.best).unwrap();
    let wrong = moves.iter().find(|root| root.effect != best.effect).unwrap().mv;
    let nodes = |found: &[(u64, bool)]| {
        let report = |&(nodes, right): &(u64, bool)| {
            let mv = if right { tactic.best } else { wrong };
            Report { nodes, mv, score: Score::Cp(0) }
        };
        tactic.nodes_to_solution(&found.iter().map(report).collect::<Vec<_>>())
    };
    assert_eq!(nodes(&[(5, true), (9, true)]), Some(5));
    assert_eq!(nodes(&[(1, true), (5, false), (9, true), (12, true)]), Some(9));
    assert_eq!(nodes(&[(5, true), (9, false)]), None);
    assert_eq!(nodes(&[]), None);
}
