//! A run: both questions in turns until one answer, or both, settle the worth of a game.

use std::sync::atomic::AtomicBool;

use fanorona_protocol::rules::{Side, Turn};

use super::game::{Game, Node, Question};
use super::hold::{Held, hold};
use super::search::Search;
use super::solution::{Claim, Images, Proof, Solution, Worth};
use super::table::Numbers;
use super::win::{Won, win};

/// How far a run has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advance {
    /// The game is not solved yet.
    Open,
    /// It is.
    Solved(Solution),
}

/// How far one question has come: can this side force a win?
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The side.
    pub attacker: Side,
    /// Nodes looked at.
    pub nodes: u64,
    /// Disproofs that did not stand when they were taken apart.
    pub refuted: u64,
    /// Nodes in the table.
    pub used: u64,
    /// Nodes it has room for.
    pub room: u64,
    /// The numbers of the start.
    pub numbers: Numbers,
    /// The answer, once it is proven.
    pub answer: Option<bool>,
    /// Positions of the proof.
    pub positions: u64,
}

/// A question with its search.
pub(super) struct Asked<'g> {
    pub(super) search: Search<'g>,
    pub(super) refuted: u64,
    proof: Option<Proof>,
}

/// The search for the worth of a game.
pub struct Run<'g> {
    game: &'g Game,
    /// White's question and Black's.
    pub(super) asked: [Asked<'g>; 2],
}

impl<'g> Run<'g> {
    /// A run that has not begun. Its tables take so many bytes, half of them each; what it keeps
    /// for a proof at the end comes on top.
    pub fn new(game: &'g Game, memory: u64) -> Run<'g> {
        let asked = Side::BOTH.map(|attacker| {
            let search = Search::new(Question { game, attacker }, memory / 2);
            Asked { search, refuted: 0, proof: None }
        });
        Run { game, asked }
    }

    /// Looks at about so many nodes more, of the question with fewer nodes so far that is not
    /// answered; fewer if somebody says stop.
    pub fn advance(&mut self, nodes: u64, stop: &AtomicBool) -> Advance {
        let open = self.asked.iter_mut().filter(|asked| asked.proof.is_none());
        if let Some(asked) = open.min_by_key(|asked| asked.search.nodes) {
            asked.advance(nodes, stop);
        }
        let proofs: Vec<&Proof> = self.asked.iter().filter_map(|a| a.proof.as_ref()).collect();
        if let Some(proof) = proofs.iter().find(|proof| proof.claim == Claim::Wins) {
            return self.solved(Worth::won_by(proof.side));
        }
        if proofs.len() == self.asked.len() { self.solved(Worth::Draw) } else { Advance::Open }
    }

    fn solved(&self, worth: Worth) -> Advance {
        let proofs = self.asked.iter().filter_map(|asked| asked.proof.clone());
        // A side that wins needs no other set.
        let needed = |proof: &Proof| worth == Worth::Draw || proof.claim == Claim::Wins;
        Advance::Solved(Solution {
            start: *self.game.start(),
            rules: *self.game.rules(),
            stones: self.game.stones(),
            worth,
            proofs: proofs.filter(needed).collect(),
        })
    }

    pub(super) fn game(&self) -> &Game {
        self.game
    }

    /// How far the questions have come, White's first.
    pub fn standings(&self) -> [Standing; 2] {
        self.asked.each_ref().map(|Asked { search, refuted, proof }| Standing {
            attacker: search.question.attacker,
            nodes: search.nodes,
            refuted: *refuted,
            used: search.table.used(),
            room: search.table.room(),
            numbers: search.look_up(&search.question.root()).numbers,
            answer: proof.as_ref().map(|proof| proof.claim == Claim::Wins),
            positions: proof.as_ref().map_or(0, |proof| proof.records().len() as u64),
        })
    }

    /// The numbers of every first turn, White's question first.
    pub fn turns(&self) -> Vec<(Turn, [Numbers; 2])> {
        let (start, rules) = (self.game.start(), self.game.rules());
        let numbers = |turn: &Turn| {
            let next = start.play(rules, turn).expect("the turn is legal");
            self.asked
                .each_ref()
                .map(|Asked { search, .. }| search.look_up(&search.question.node(&next)).numbers)
        };
        start.turns(rules).iter().map(|turn| (*turn, numbers(turn))).collect()
    }
}

impl Asked<'_> {
    fn advance(&mut self, nodes: u64, stop: &AtomicBool) {
        let root = self.search.question.root();
        let until = self.search.nodes + nodes;
        match self.search.solve(&root, until, stop).answer() {
            None => {}
            Some(true) => {
                if let Won::Ranked(set) = win(&mut self.search, &root, stop) {
                    self.proof = Some(self.proof(self.attacker(), Claim::Wins, &set));
                }
            }
            Some(false) => match hold(&mut self.search, &root, stop) {
                Held::Closed(set) => {
                    let set: Vec<_> = set.into_iter().map(|node| (node, 0)).collect();
                    self.proof = Some(self.proof(!self.attacker(), Claim::Holds, &set));
                }
                Held::Refuted => self.refuted += 1,
                Held::Stopped => {}
            },
        }
    }

    fn attacker(&self) -> Side {
        self.search.question.attacker
    }

    fn proof(&self, side: Side, claim: Claim, set: &[(Node, u32)]) -> Proof {
        let images = Images::new(self.search.question.game.size());
        let records = set.iter().map(|(node, rank)| {
            let (attacker, other) = node.sides();
            let (white, black) = match self.attacker() {
                Side::White => (attacker, other),
                Side::Black => (other, attacker),
            };
            let turn = if node.attacks { self.attacker() } else { !self.attacker() };
            images.record(white, black, turn, *rank)
        });
        Proof::new(side, claim, records.collect())
    }
}
