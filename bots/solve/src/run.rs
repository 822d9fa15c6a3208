//! A run: works on both questions in turn until one answer, or both, settle the value of a game.

use std::sync::atomic::AtomicBool;

use fanorona_protocol::rules::{Move, Side};

use super::disproof::{DisproofSet, Disproved};
use super::game::{Game, Goal, Node};
use super::proof::{ProofSet, Proved};
use super::search::{Bounds, Search};
use super::table::Numbers;
use fanorona_endgames::solution::{Claim, GameValue, Images, Proof, Solution};

/// The state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advance {
    /// The game is not solved yet.
    Open,
    /// The game is solved.
    Solved(Solution),
}

/// The progress of one question: can this side force a win?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuestionProgress {
    /// The side that would win.
    pub attacker: Side,
    /// Nodes searched.
    pub nodes: u64,
    /// Disproofs that turned out to be wrong.
    pub refuted: u64,
    /// Nodes in the table.
    pub used: u64,
    /// The capacity of the table in nodes.
    pub room: u64,
    /// The numbers of the start position.
    pub numbers: Numbers,
    /// The answer, once it is proven.
    pub answer: Option<bool>,
    /// Positions of the proof found so far.
    pub positions: u64,
}

/// A question with its search.
pub(super) struct Question<'g> {
    pub(super) search: Search<'g>,
    pub(super) refuted: u64,
    /// The answer, while its proof is being collected.
    unresolved: Option<Unresolved>,
    proof: Option<Proof>,
}

/// An answer whose proof is being collected.
enum Unresolved {
    Yes(ProofSet),
    No(DisproofSet),
}

impl Unresolved {
    fn positions(&self) -> u64 {
        match self {
            Unresolved::Yes(proof) => proof.positions(),
            Unresolved::No(disproof) => disproof.positions(),
        }
    }
}

/// The search for the value of a game.
pub struct Run<'g> {
    game: &'g Game,
    /// White's question and Black's.
    pub(super) questions: [Question<'g>; 2],
}

impl<'g> Run<'g> {
    /// A new run. Its two tables use this many bytes, half each. The proof at the end needs
    /// additional memory.
    pub fn new(game: &'g Game, memory: u64) -> Run<'g> {
        let questions = Side::BOTH.map(|attacker| {
            let search = Search::new(Goal { game, attacker }, memory / 2);
            Question { search, refuted: 0, unresolved: None, proof: None }
        });
        Run { game, questions }
    }

    /// Searches about this many more nodes for the open question with fewer nodes so far; fewer
    /// nodes if stopped.
    pub fn advance(&mut self, nodes: u64, stop: &AtomicBool) -> Advance {
        let open = self.questions.iter_mut().filter(|question| question.proof.is_none());
        if let Some(question) = open.min_by_key(|question| question.search.nodes) {
            let until = question.search.nodes + nodes;
            question.advance(Bounds { until, stop });
        }
        let proofs: Vec<&Proof> = self.questions.iter().filter_map(|a| a.proof.as_ref()).collect();
        if let Some(proof) = proofs.iter().find(|proof| proof.claim == Claim::Wins) {
            return self.solved(GameValue::won_by(proof.side));
        }
        if proofs.len() == self.questions.len() {
            self.solved(GameValue::Draw)
        } else {
            Advance::Open
        }
    }

    fn solved(&self, value: GameValue) -> Advance {
        let proofs = self.questions.iter().filter_map(|question| question.proof.clone());
        // For a win, only the winner's set is needed.
        let needed = |proof: &Proof| value == GameValue::Draw || proof.claim == Claim::Wins;
        Advance::Solved(Solution {
            start: *self.game.start(),
            rules: *self.game.rules(),
            stones: self.game.stones(),
            value,
            proofs: proofs.filter(needed).collect(),
        })
    }

    pub(super) fn game(&self) -> &Game {
        self.game
    }

    /// The progress of both questions, White's first.
    pub fn progress(&self) -> [QuestionProgress; 2] {
        self.questions.each_ref().map(|Question { search, refuted, unresolved, proof }| {
            QuestionProgress {
                attacker: search.goal.attacker,
                nodes: search.nodes,
                refuted: *refuted,
                used: search.table.used(),
                room: search.table.room(),
                numbers: search.numbers(&search.goal.root()),
                answer: proof.as_ref().map(|proof| proof.claim == Claim::Wins),
                positions: match proof {
                    Some(proof) => proof.records().len() as u64,
                    None => unresolved.as_ref().map_or(0, Unresolved::positions),
                },
            }
        })
    }

    /// The numbers of every first move, White's question first.
    pub fn moves(&self) -> Vec<(Move, [Numbers; 2])> {
        let (start, rules) = (self.game.start(), self.game.rules());
        let numbers = |mv: &Move| {
            let next = start.play(rules, mv).expect("the move is legal");
            self.questions
                .each_ref()
                .map(|Question { search, .. }| search.numbers(&search.goal.node(&next)))
        };
        start.legal_moves(rules).iter().map(|mv| (*mv, numbers(mv))).collect()
    }
}

impl Question<'_> {
    fn advance(&mut self, bounds: Bounds<'_>) {
        let root = self.search.goal.root();
        if self.unresolved.is_none() {
            self.unresolved = match self.search.solve(&root, bounds).answer() {
                None => return,
                Some(true) => Some(Unresolved::Yes(ProofSet::new(root))),
                Some(false) => Some(Unresolved::No(DisproofSet::new(root))),
            };
        }
        match self.unresolved.as_mut().expect("there is an answer") {
            Unresolved::Yes(proof) => {
                if let Proved::Ranked(set) = proof.advance(&mut self.search, bounds) {
                    self.proof = Some(self.proof(self.attacker(), Claim::Wins, &set));
                }
            }
            Unresolved::No(disproof) => match disproof.advance(&mut self.search, bounds) {
                Disproved::Closed(set) => {
                    let set: Vec<_> = set.into_iter().map(|node| (node, 0)).collect();
                    self.proof = Some(self.proof(!self.attacker(), Claim::Holds, &set));
                }
                Disproved::Refuted => {
                    self.refuted += 1;
                    self.unresolved = None;
                }
                Disproved::Open => {}
            },
        }
        if self.proof.is_some() {
            self.unresolved = None;
        }
    }

    fn attacker(&self) -> Side {
        self.search.goal.attacker
    }

    fn proof(&self, side: Side, claim: Claim, set: &[(Node, u32)]) -> Proof {
        let images = Images::new(self.search.goal.game.size());
        let records = set.iter().map(|(node, rank)| {
            let (attacker, other) = node.sides();
            let (white, black) = match self.attacker() {
                Side::White => (attacker, other),
                Side::Black => (other, attacker),
            };
            let side_to_move = if node.attacks { self.attacker() } else { !self.attacker() };
            images.record(white, black, side_to_move, *rank)
        });
        Proof::new(side, claim, records.collect())
    }
}

#[cfg(test)]
mod tests {
    use fanorona_protocol::rules::{Position, Ruleset};

    use super::super::check::check;
    use super::super::table::Entry;
    use super::*;

    fn value(run: &mut Run<'_>) -> GameValue {
        loop {
            if let Advance::Solved(solution) = run.advance(1000, &AtomicBool::new(false)) {
                assert_eq!(check(&solution, None, || {}), Ok(()));
                return solution.value;
            }
        }
    }

    /// Two conditions may have the same hash, and then the search believes something false.
    #[test]
    fn a_search_that_was_mistaken_is_put_right() {
        let mistaken = Entry::of(Numbers::DISPROVEN);
        let size = "3x3".parse().expect("a board");
        let game = Game::new(Position::start(size), Ruleset::default(), None);
        let mut run = Run::new(&game, 1 << 20);
        let Question { search, .. } = &mut run.questions[0];
        let root = search.goal.root();
        search.table.put(&root, &mistaken, 1);
        assert_eq!(value(&mut run), GameValue::White);
        assert_eq!(run.progress()[0].refuted, 1);

        // Errors at nodes where White must win against any move of Black.
        let mut run = Run::new(&game, 1 << 20);
        let Question { search, .. } = &mut run.questions[0];
        let bounds = Bounds { until: u64::MAX, stop: &AtomicBool::new(false) };
        let answer = search.solve(&root, bounds).answer();
        assert_eq!(answer, Some(true));
        let (mut children, mut replies, mut wrong) = (Vec::new(), Vec::new(), 0);
        search.goal.expand(&root, &mut children).expect("it is no end");
        children.retain(|child| search.answer(child) == Some(true));
        for child in &children {
            search.goal.expand(child, &mut replies).expect("nor is this");
            replies.retain(|reply| search.answer(reply) == Some(true));
            replies.iter().for_each(|reply| search.table.put(reply, &mistaken, 1));
            wrong += replies.len();
        }
        assert!(wrong > 0);
        assert_eq!(value(&mut run), GameValue::White);
    }
}
