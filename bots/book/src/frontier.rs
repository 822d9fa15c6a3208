//! The choice of the moves to examine next.
//!
//! The *cost* of a move is the cost of the way to it. Each ply of the way has a cost, and so has each
//! hundredth of a stone that a move loses against the best move of its position: 1 for the opponent of
//! the player who uses the book, and four times as much for that player, who knows the best moves. The
//! book serves both sides, so the cheaper of both counts. The cheapest moves are examined first,
//! whether the way to them is short and bad or long and good.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::graph::{Graph, Node};

/// The weight of a loss of the player who uses the book, against a loss of the opponent.
const OWN: i64 = 4;

/// A position with a value beyond this is won; its book is not worth more searches.
const DECIDED: i32 = 1500;

/// The nodes whose rest is examined next, the best first: at most `count` of them, from each of the
/// roots in turn. A root that is there twice has two turns. A ply of the way costs as much as the
/// loss of `ply` hundredths of a stone.
pub(crate) fn next(graph: &Graph, roots: &[usize], ply: i64, count: usize) -> Vec<usize> {
    let mut queues: HashMap<usize, _> = HashMap::new();
    for &root in roots {
        queues.entry(root).or_insert_with(|| cheapest(graph, root, ply, count).into_iter());
    }
    let mut chosen = Vec::new();
    loop {
        let before = chosen.len();
        for root in roots {
            // Two roots may lead to one node.
            let mut queue = queues.get_mut(root).into_iter().flatten();
            if let Some(node) = queue.find(|node| !chosen.contains(node)) {
                chosen.push(node);
            }
            if chosen.len() == count {
                return chosen;
            }
        }
        if chosen.len() == before {
            return chosen;
        }
    }
}

/// The nodes below a root whose rest is worth a search, the cheapest first, at most `count`.
fn cheapest(graph: &Graph, root: usize, ply: i64, count: usize) -> Vec<usize> {
    let nodes = graph.nodes();
    let mut costs: HashMap<usize, i64> = HashMap::new();
    for owner in [0, 1] {
        // A node may be reached with either side to move, because images with exchanged colours are
        // one position. The first number of a place is the side to move: 0 is that of the root.
        let mut best = vec![[i64::MAX; 2]; nodes.len()];
        let mut open = BinaryHeap::from([Reverse((0, root, 0))]);
        // The costs of `count` nodes at most, the dearest on top. Behind it nothing cheaper comes:
        // ways are taken in the order of their cost.
        let mut found: HashSet<usize> = HashSet::new();
        let mut dearest = BinaryHeap::new();
        best[root][0] = 0;
        while let Some(Reverse((cost, place, side))) = open.pop() {
            if dearest.len() == count && dearest.peek().is_some_and(|&dearest| dearest < cost) {
                break;
            }
            if cost > best[place][side] {
                continue;
            }
            let node = &nodes[place];
            let factor = if side == owner { OWN } else { 1 };
            let step = |value: i32| ply + factor * i64::from((node.value - value).max(0));
            if let Some(rest) = node.rest {
                let of_rest =
                    if place == root { Some(0) } else { worth(node).then(|| step(rest.value)) };
                if let Some(step) = of_rest {
                    let known = costs.entry(place).or_insert(i64::MAX);
                    *known = (*known).min(cost + step);
                    if found.insert(place) {
                        dearest.push(cost + step);
                        if dearest.len() > count {
                            dearest.pop();
                        }
                    }
                }
            }
            for edge in &node.edges {
                let (next, other) = (cost + step(graph.value_of(edge)), 1 - side);
                if next < best[edge.to][other] {
                    best[edge.to][other] = next;
                    open.push(Reverse((next, edge.to, other)));
                }
            }
        }
    }
    let mut open: Vec<(i64, usize)> = costs.into_iter().map(|(node, cost)| (cost, node)).collect();
    open.sort_unstable();
    open.into_iter().take(count).map(|(_, node)| node).collect()
}

/// Whether the rest of a node below the root is worth a search: neither the position nor the move
/// decides the game.
fn worth(node: &Node) -> bool {
    node.value.abs() < DECIDED && node.rest.is_some_and(|rest| rest.value.abs() < DECIDED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Answer;
    use fanorona_bots::book::{PositionId, children};
    use fanorona_protocol::messages::Score;
    use fanorona_protocol::rules::{Ruleset, Start};

    /// Adds the rest of a node as a node. Its best move is worth `value` and the next best move of
    /// the old node is worth `rest`.
    fn examine(graph: &mut Graph, node: usize, value: i32, rest: Option<i32>) -> usize {
        let rules = Ruleset::default();
        let answer = |id: PositionId, excluded: &[PositionId], score| {
            let children = children(&id.position().unwrap(), &rules);
            let child = children.iter().map(|(id, _)| *id).find(|id| !excluded.contains(id));
            child.map(|child| Answer { child, score: Score::Cp(score) })
        };
        let child = graph.nodes()[node].rest.unwrap().child;
        let to = graph.add(child, &rules, answer(child, &[], value));
        let id = graph.nodes()[node].id;
        let excluded = graph.excluded(node);
        let rest = rest.and_then(|rest| answer(id, &excluded, rest));
        graph.link(node, to, rest);
        graph.update();
        to
    }

    #[test]
    fn a_short_bad_way_and_a_long_good_one_cost_the_same() {
        let rules = Ruleset::default();
        let start = PositionId::new(&Start::TSIVY.riatra());
        let first = children(&start.position().unwrap(), &rules)[0].0;
        let mut graph = Graph::default();
        let root = graph.add(start, &rules, Some(Answer { child: first, score: Score::Cp(0) }));
        // The first move of the root is best, all others lose half a stone.
        let best = examine(&mut graph, root, 0, Some(-50));
        let bad = examine(&mut graph, root, 50, None);
        assert_eq!(next(&graph, &[root], 20, 9), [best, bad]);
        // A ply costs as much as 20 hundredths, so the third ply of the best line comes before the
        // second one of the bad line, which costs 20 + 20 + 50.
        let second = examine(&mut graph, best, 0, None);
        assert_eq!(next(&graph, &[root], 20, 9), [second, bad]);
        let third = examine(&mut graph, second, 0, None);
        assert_eq!(next(&graph, &[root], 20, 9), [third, bad]);
        let fourth = examine(&mut graph, third, 0, None);
        assert_eq!(next(&graph, &[root], 20, 9), [bad, fourth]);
        assert_eq!(next(&graph, &[root], 10, 9), [fourth, bad]);
        assert_eq!(next(&graph, &[root], 20, 1), [bad]);
    }

    #[test]
    fn every_first_move_is_examined_before_anything_else() {
        let rules = Ruleset::default();
        let start = PositionId::new(&Start::TSIVY.riatra());
        let first = children(&start.position().unwrap(), &rules)[0].0;
        let mut graph = Graph::default();
        let root = graph.add(start, &rules, Some(Answer { child: first, score: Score::Cp(0) }));
        for _ in 0..5 {
            assert_eq!(next(&graph, &[root], 20, 1), [root]);
            examine(&mut graph, root, 0, Some(-3000));
        }
        assert!(graph.nodes()[root].rest.is_none());
        assert_ne!(next(&graph, &[root], 20, 1), [root]);
    }
}
