//! The assumptions of the search's shortcuts, in a game in which captures are compulsory and no
//! side may pass.

use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::Side;

use super::*;
use crate::bot::RootMove;

/// Runs something in a search without endgame tables or a time limit whose root is a position.
pub(super) fn within<R>(text: &str, run: impl FnOnce(&mut Search<'_>) -> R) -> R {
    let game = Game::new(Ruleset::default(), text.parse().unwrap());
    let moves = RootMove::all(game.position(), game.rules());
    let budget = Budget::from_limits(&Limits::with_depth(1));
    let task = Task { game: &game, moves: &moves, budget: &budget };
    let (settings, shared) = (Settings::default(), SharedSearch::new(1));
    let (mut table, mut memory) = (TranspositionTable::new(1), ThreadState::new());
    table.allocate();
    run(&mut Search::new(&task, &settings, None, &table, &mut memory, &shared, 0))
}

/// The static evaluation of a position.
fn evaluation(text: &str) -> i32 {
    within(text, |search| search.evaluation.value(&search.position, 0))
}

/// The value of a position with an empty window below `beta`, and the nodes that it took.
fn node(text: &str, beta: i32, depth: i32) -> (i32, u64) {
    within(text, |search| {
        let position = search.position;
        (search.node::<false>(&position, beta - 1, beta, depth, 0), search.nodes)
    })
}

#[test]
fn a_lead_decides_a_node_only_where_neither_side_can_capture() {
    // White is ahead. Nobody can capture; White must, by withdrawal; Black could.
    let quiet = "b7b/9/9/9/WWWW1WWWW w";
    let forced = "bW7/9/9/9/WWWW1WWWW w";
    let threatened = "b8/9/9/4WWWWW/Wb7 w";
    let can_capture = |text: &str| {
        let position: Position = text.parse().unwrap();
        [Side::White, Side::Black].map(|side| !position.board().capturing(side).is_empty())
    };
    assert_eq!(
        [quiet, forced, threatened].map(can_capture),
        [[false, false], [true, false], [false, true],]
    );
    for depth in 1..=parameters::rfp_depth() {
        let beta = |text| evaluation(text) - parameters::rfp_margin(Kind::Riatra) * (depth + 1);
        let (value, nodes) = node(quiet, beta(quiet), depth);
        assert_eq!((value, nodes), ((evaluation(quiet) + beta(quiet)) / 2, 1), "depth {depth}");
        for text in [forced, threatened] {
            assert!(node(text, beta(text), depth).1 > 1, "{text}, depth {depth}");
        }
    }
}

#[test]
fn a_side_far_behind_gets_its_captures_before_a_node_is_left() {
    // White has one stone and nothing to capture, or a capture of the whole rank.
    let quiet = "bbbbbbbbb/9/9/9/4W4 w";
    let rescue = "bb7/9/9/bbbbbbb1W/9 w";
    for depth in 1..=parameters::razor_depth() {
        let margin =
            parameters::razor_base(Kind::Riatra) + parameters::razor_ply(Kind::Riatra) * depth;
        let beta = |text| evaluation(text) + margin + 1;
        assert_eq!(node(quiet, beta(quiet), depth), (evaluation(quiet), 1), "depth {depth}");
        let (value, nodes) = node(rescue, beta(rescue), depth);
        assert!(value >= beta(rescue) && nodes > 1, "depth {depth}: {value}");
    }
}

#[test]
fn below_the_horizon_a_side_stands_pat_or_takes_the_best_of_all_captures() {
    // In some of them every capture loses, in others the best one is not the largest.
    let texts = [
        "3bb4/6b2/1b7/b3b2WW/1WW3W1W w",
        "bb1b2bb1/b1b5W/4W2b1/6W2/WW1W1WW2 w",
        "bbbb1bbbb/bbbb2bbb/bWb4bW/WWWWWWW1W/WWWWWWWW1 b",
        "bbbbbbbbb/bbb1bbbbb/bW1W1bWbW/W1WWW1WWW/1WWWWWWWW w",
    ];
    let (mut unwilling, mut small) = (0, 0);
    for text in texts {
        within(text, |search| {
            let position = search.position;
            let stand_pat = search.evaluation.value(&position, 0);
            let mut captures: Vec<(u32, i32)> = Vec::new();
            for root in RootMove::all(&position, search.rules) {
                assert!(root.effect.is_capture(), "{text}");
                let child = position.apply_unchecked(root.effect);
                let value = -search.quiesce(&child, -INFINITE, INFINITE, 1, 1);
                captures.push((root.effect.gain(), value));
            }
            let best = captures.iter().map(|capture| capture.1).max().unwrap();
            let value = search.quiesce(&position, -INFINITE, INFINITE, 0, 0);
            assert_eq!(value, best.max(stand_pat), "{text}");
            let most = captures.iter().map(|capture| capture.0).max();
            unwilling += usize::from(best < stand_pat);
            small += usize::from(
                captures.iter().filter(|capture| Some(capture.0) == most).all(|c| c.1 < best),
            );
            // A ply above the horizon it must capture.
            let value = search.node::<true>(&position, -INFINITE, INFINITE, 1, 0);
            assert_eq!(value, best, "{text}");
        });
    }
    assert_eq!((unwilling, small), (2, 2));
}

#[test]
fn a_side_that_only_has_to_move_is_seen_to_lose() {
    // The side to move loses in each of these positions, and a null move would make it win.
    for text in ["5/1W1W1/5/1b1b1/5", "2W2/5/4b/b1W2/5", "5/2W2/2W2/1bb2/2b2"] {
        for side in ["w", "b"] {
            let text = format!("{text} {side}");
            assert_eq!(node(&text, evaluation(&text) + 1, 3).0, lost_at(2), "{text}");
        }
    }
}

#[test]
fn only_paikas_come_late() {
    let effects = |text: &str| {
        let position: Position = text.parse().unwrap();
        RootMove::all(&position, &Ruleset::default()).into_iter().map(|root| root.effect)
    };
    let late = |effect| is_late(Kind::Riatra, effect, 1, 60, false);
    assert!(effects("b7b/9/9/9/WWWW1WWWW w").all(late));
    assert!(!effects("bW7/9/9/9/WWWW1WWWW w").any(late));
}
