//! The positions of a growing book and their values.
//!
//! A node is a position that has been searched. Its *moves* lead to other nodes. Its *rest* is the
//! best of all other moves, by a search without those that have a node. The value of a node is the
//! value of the best of them, so deep searches near the end of a line decide about its beginning.
//!
//! Different moves may lead to one position, so the nodes form a graph. It has no circle: a move
//! that would close one keeps the value that the search gave it.

use std::collections::HashMap;

use fanorona_bots::book::{Book, BookEntry, PositionId, children, value};
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Position, Ruleset, Side};

use super::search::{Answer, Question};

/// A move to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// The position after the move.
    pub(crate) child: PositionId,
    /// The node of that position.
    pub(crate) to: usize,
    /// The value of the search for a move that would close a circle.
    circle: Option<i32>,
}

/// The best move without a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemainingMove {
    /// The position after the move.
    pub(crate) child: PositionId,
    /// Its value for the side to move.
    pub(crate) value: i32,
}

/// A searched position.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) id: PositionId,
    /// Its value for the side to move.
    pub(crate) value: i32,
    /// The moves that have a node, in the order in which they were found.
    pub(crate) edges: Vec<Edge>,
    /// The best of the other moves; `None` if there is none.
    pub(crate) rest: Option<RemainingMove>,
    /// The number of stones, which never grows from move to move.
    stones: u32,
    /// The number of different positions after one move.
    children: usize,
}

/// The positions of a book.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    places: HashMap<PositionId, usize>,
}

impl Graph {
    /// The nodes, in the order in which they were added.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of a position.
    pub(crate) fn find(&self, id: PositionId) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// Adds a position with an exact value. The values of other nodes are not updated.
    pub(crate) fn add_exact(&mut self, id: PositionId, rules: &Ruleset, score: Score) -> usize {
        let place = self.add(id, rules, None);
        let node = &mut self.nodes[place];
        node.value = value::from_score(score);
        // It needs no moves.
        node.children = 0;
        place
    }

    /// Adds a position with the answer to its first question; `None` for a game that is over. The
    /// values of other nodes are not updated.
    pub(crate) fn add(&mut self, id: PositionId, rules: &Ruleset, answer: Option<Answer>) -> usize {
        let position = id.position().expect("the position comes from a game");
        let ended = rules.ending(&position);
        let rest = answer.filter(|_| ended.is_none()).map(rest);
        let value = match (ended.map(|ending| ending.winner), rest) {
            (Some(Some(Side::White)), _) => value::WIN,
            (Some(Some(Side::Black)), _) => -value::WIN,
            (_, Some(rest)) => rest.value,
            (_, None) => 0,
        };
        let (stones, children) = (stones(&position), children(&position, rules).len());
        let place = self.nodes.len();
        self.nodes.push(Node { id, value, edges: Vec::new(), rest, stones, children });
        self.places.insert(id, place);
        place
    }

    /// The question about the moves of a node other than those with a node and its rest; `None` if
    /// there are no others.
    pub(crate) fn next_question(&self, node: usize) -> Option<Question> {
        let Node { id, edges, rest, children, .. } = &self.nodes[node];
        let excluded = edges.len() + usize::from(rest.is_some());
        let question = Question { position: *id, excluded: u16::try_from(excluded).ok()? };
        (excluded < *children).then_some(question)
    }

    /// The positions after the moves of a node that its next question excludes.
    pub(crate) fn excluded(&self, node: usize) -> Vec<PositionId> {
        let Node { edges, rest, .. } = &self.nodes[node];
        edges.iter().map(|edge| edge.child).chain(rest.map(|rest| rest.child)).collect()
    }

    /// Turns the rest of a node into a move to another node. The answer to the next question is the
    /// new rest.
    pub(crate) fn link(&mut self, node: usize, to: usize, answer: Option<Answer>) {
        let Some(RemainingMove { child, value }) = self.nodes[node].rest else { return };
        let circle = self.reaches(to, node).then_some(value);
        let node = &mut self.nodes[node];
        node.edges.push(Edge { child, to, circle });
        node.rest = answer.map(rest);
    }

    /// Whether moves lead from one node to another one.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let mut seen = vec![false; self.nodes.len()];
        let mut open = vec![from];
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            // With fewer stones than the target has, no move leads back.
            if self.nodes[node].stones >= self.nodes[to].stones
                && !std::mem::replace(&mut seen[node], true)
            {
                let edges = self.nodes[node].edges.iter();
                open.extend(edges.filter(|edge| edge.circle.is_none()).map(|edge| edge.to));
            }
        }
        false
    }

    /// The value of a move for the side that plays it.
    pub(crate) fn value_of(&self, edge: &Edge) -> i32 {
        edge.circle.unwrap_or_else(|| value::before(self.nodes[edge.to].value))
    }

    /// Updates the values of all nodes.
    pub(crate) fn update(&mut self) {
        let mut done = vec![false; self.nodes.len()];
        for root in 0..self.nodes.len() {
            // Children first. A node is on the stack again after its children.
            let mut stack = vec![(root, false)];
            while let Some((node, ready)) = stack.pop() {
                if done[node] {
                    continue;
                }
                let edges = &self.nodes[node].edges;
                let waiting = edges.iter().filter(|edge| edge.circle.is_none() && !done[edge.to]);
                let waiting: Vec<_> = waiting.map(|edge| (edge.to, false)).collect();
                if !ready && !waiting.is_empty() {
                    stack.push((node, true));
                    stack.extend(waiting);
                    continue;
                }
                let rest = self.nodes[node].rest.map(|rest| rest.value);
                let moves = edges.iter().map(|edge| self.value_of(edge));
                if let Some(best) = moves.chain(rest).max() {
                    self.nodes[node].value = best;
                }
                done[node] = true;
            }
        }
    }

    /// The book of all positions with a move that has a node.
    pub(crate) fn book(&self, nodes: u64, rules: &Ruleset) -> Book {
        let inner = self.nodes.iter().filter(|node| !node.edges.is_empty());
        let entries = inner.map(|node| {
            let position = node.id.position().expect("the position comes from a game");
            let children = children(&position, rules);
            let place = |child: PositionId| {
                let place = children.binary_search_by_key(&child, |(id, _)| *id);
                place.expect("a move leads to one of the positions") as u16
            };
            let mut moves: Vec<(u16, i32)> =
                node.edges.iter().map(|edge| (place(edge.child), self.value_of(edge))).collect();
            // Among equals, moves with a node come first: more is known about them.
            moves.extend(node.rest.map(|rest| (place(rest.child), rest.value)));
            moves.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
            let moves = moves.into_iter().map(|(place, value)| (place, value::score(value)));
            BookEntry { id: node.id, moves: moves.collect() }
        });
        Book::new(nodes, entries.collect())
    }
}

fn rest(answer: Answer) -> RemainingMove {
    RemainingMove { child: answer.child, value: value::from_score(answer.score) }
}

/// Stones of both sides.
fn stones(position: &Position) -> u32 {
    Side::BOTH.iter().map(|&side| position.board().count(side)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> PositionId {
        PositionId::new(&text.parse().unwrap())
    }

    fn answer(child: PositionId, score: i32) -> Option<Answer> {
        Some(Answer { child, score: Score::Cp(score) })
    }

    #[test]
    fn the_end_of_a_line_decides_about_its_beginning() {
        let rules = Ruleset::default();
        let start = "bbb/b1W/WWW w";
        let position: Position = start.parse().unwrap();
        let moves: Vec<PositionId> =
            children(&position, &rules).iter().map(|(id, _)| *id).collect();
        assert!(moves.len() >= 2);
        let mut graph = Graph::default();
        let root = graph.add(id(start), &rules, answer(moves[0], 30));
        assert_eq!(graph.nodes()[root].value, 30);
        let question = graph.next_question(root).unwrap();
        assert_eq!((question.position, question.excluded), (id(start), 1));

        let reply = children(&moves[0].position().unwrap(), &rules)[0].0;
        let child = graph.add(moves[0], &rules, answer(reply, -10));
        graph.link(root, child, answer(moves[1], 4));
        graph.update();
        assert_eq!(graph.nodes()[root].value, 10);
        assert_eq!(graph.excluded(root), [moves[0], moves[1]]);

        // The opponent has something better, so the other move is the best now.
        let leaf = graph.add(reply, &rules, None);
        graph.nodes[leaf].value = -70;
        graph.link(child, leaf, None);
        graph.update();
        assert_eq!((graph.nodes()[child].value, graph.nodes()[root].value), (70, 4));
        let book = graph.book(1, &rules);
        assert_eq!(book.len(), 2);
        let best = book.moves(&position, &rules)[0];
        assert_eq!(PositionId::new(&position.apply_unchecked(best.effect)), moves[1]);
    }

    #[test]
    fn a_move_that_closes_a_circle_keeps_the_value_of_its_search() {
        let rules = Ruleset::default();
        // Both sides move to and fro.
        let line = ["b4/5/4W w", "b4/5/3W1 b", "1b3/5/3W1 w", "1b3/5/4W b"].map(id);
        let mut graph = Graph::default();
        let nodes: Vec<usize> = (0..4)
            .map(|at| graph.add(line[at], &rules, answer(line[(at + 1) % 4], 5 + at as i32)))
            .collect();
        for at in 0..4 {
            graph.link(nodes[at], nodes[(at + 1) % 4], None);
        }
        graph.update();
        let last = &graph.nodes()[nodes[3]];
        assert_eq!(graph.value_of(&last.edges[0]), 8, "the search's value");
        let values: Vec<i32> = nodes.iter().map(|&node| graph.nodes()[node].value).collect();
        assert_eq!(values, [-8, 8, -8, 8]);
    }

    #[test]
    fn a_game_that_is_over_has_its_result() {
        let rules = Ruleset::default();
        let mut graph = Graph::default();
        let over = graph.add(id("3/1b1/3 w"), &rules, None);
        assert_eq!(value::score(graph.nodes()[over].value), Score::Loss(0));
        assert_eq!(graph.next_question(over), None);
    }
}
