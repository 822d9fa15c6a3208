//! A run: works on both questions in turn until one answer, or both, settle the value of a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use fanorona_protocol::rules::{Move, Side};

use super::disproof::{DisproofSet, DisproofState};
use super::fortress::{Fortress, FortressState};
use super::game::{Game, Goal, Node};
use super::parallel_search::ParallelSearch;
use super::proof::{ProofSet, ProofState};
use super::search::Bounds;
use super::table::{NodeTable, Numbers, QuestionTable};
use fanorona_endgames::solution::{Claim, GameValue, Images, Proof, Record, Solution};

/// The state of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunStatus {
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
    /// The capacity of the table in nodes, for both questions.
    pub room: u64,
    /// The numbers of the start position.
    pub numbers: Numbers,
    /// The answer, once it is proven.
    pub answer: Option<bool>,
    /// Positions of the proof found so far.
    pub positions: u64,
    /// If a fortress is being built, the answers that are not refuted and the questions that wait.
    pub fortress: Option<(u64, u64)>,
}

/// A question with its search.
pub(super) struct Question<'g> {
    pub(super) search: ParallelSearch<'g>,
    pub(super) refuted: u64,
    pub(super) stage: Stage,
    /// The fortress that is built to find the answer, if proof numbers alone are not to find it.
    fortress: Option<Fortress>,
}

/// The stage of the work on a question.
pub(super) enum Stage {
    /// The answer is being searched for.
    Search,
    /// The answer is yes, and its proof is being collected.
    Yes(ProofSet),
    /// The answer is no, and its proof is being collected.
    No(DisproofSet),
    /// The question is settled.
    Proof(Proof),
}

impl Stage {
    fn proof(&self) -> Option<&Proof> {
        match self {
            Stage::Proof(proof) => Some(proof),
            _ => None,
        }
    }

    /// The number of positions of the proof found so far.
    fn positions(&self) -> u64 {
        match self {
            Stage::Search => 0,
            Stage::Yes(set) => set.positions(),
            Stage::No(set) => set.positions(),
            Stage::Proof(proof) => proof.records().len() as u64,
        }
    }
}

/// The search for the value of a game.
pub struct Run<'g> {
    game: &'g Game,
    pub(super) table: Arc<NodeTable>,
    /// White's question and Black's.
    pub(super) questions: [Question<'g>; 2],
    /// The only question to work on, by its attacker; both questions if there is none.
    only: Option<Side>,
    threads: usize,
}

impl<'g> Run<'g> {
    /// A new run with a table of this many bytes, which both questions share. The proof at the end
    /// needs additional memory. With one thread, a run always searches the same nodes.
    pub fn new(game: &'g Game, memory: u64, threads: usize) -> Run<'g> {
        let table = Arc::new(NodeTable::new(memory));
        let questions = Side::BOTH.map(|attacker| {
            let part = QuestionTable::new(table.clone(), attacker);
            let search = ParallelSearch::new(Goal { game, attacker }, part);
            Question { search, refuted: 0, stage: Stage::Search, fortress: None }
        });
        Run { game, table, questions, only: None, threads: threads.max(1) }
    }

    /// Works only on whether this side can force a win. An answer of no settles the run, too, though
    /// not the value of the game: the other side does not lose.
    pub fn ask_only(&mut self, attacker: Side) {
        self.only = Some(attacker);
    }

    /// Looks for the answers by building fortresses: each move of the side that would hold is searched for
    /// this many nodes, and the most promising one is kept until it turns out to lose. To be called before a
    /// run resumes.
    pub fn build_fortresses(&mut self, effort: u64) {
        for question in &mut self.questions {
            question.fortress = Some(Fortress::new(question.search.goal.root(), effort));
        }
    }

    /// Whether the run works on the question of this side.
    pub fn asks(&self, attacker: Side) -> bool {
        self.only.is_none_or(|only| only == attacker)
    }

    /// Searches about this many more nodes for every open question; fewer if stopped. One thread
    /// works on the question with fewer nodes so far, several on both.
    pub fn advance(&mut self, nodes: u64, stop: &AtomicBool) -> RunStatus {
        let only = self.only;
        let open = self.questions.iter_mut().filter(|question| {
            question.stage.proof().is_none() && only.is_none_or(|side| side == question.attacker())
        });
        let mut open: Vec<&mut Question<'g>> = open.collect();
        open.sort_by_key(|question| question.search.nodes);
        if self.threads == 1 {
            open.truncate(1);
        }
        let (all, share) = (self.threads, self.threads.div_ceil(open.len().max(1)));
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            for (place, question) in open.into_iter().enumerate() {
                question.search.set_threads(if place == 0 { share } else { all - share });
                let over = &over;
                scope.spawn(move || {
                    question.advance(Bounds::new(question.search.nodes + nodes, stop, over));
                    over.store(true, Ordering::Relaxed);
                });
            }
        });
        let answered = |attacker: Side| self.questions[attacker as usize].stage.proof().is_some();
        match self.settled() {
            Some(solution)
                if !matches!(solution.value, GameValue::WhiteHolds | GameValue::BlackHolds)
                    || self.only.is_some_and(answered) =>
            {
                RunStatus::Solved(solution)
            }
            _ => RunStatus::Open,
        }
    }

    /// The value proven so far: that of the game, or that one side does not lose; `None` while no
    /// question is settled.
    pub fn settled(&self) -> Option<Solution> {
        let has = |&(side, claim): &(Side, Claim)| {
            self.proofs().any(|proof| (proof.side, proof.claim) == (side, claim))
        };
        let value = GameValue::ALL.into_iter().find(|value| value.sets().iter().all(has))?;
        // For a win, only the winner's set is needed.
        let needed = |proof: &&Proof| value.sets().contains(&(proof.side, proof.claim));
        Some(Solution {
            start: *self.game.start(),
            rules: *self.game.rules(),
            stones: self.game.stones(),
            value,
            proofs: self.proofs().filter(needed).cloned().collect(),
        })
    }

    fn proofs(&self) -> impl Iterator<Item = &Proof> {
        self.questions.iter().filter_map(|question| question.stage.proof())
    }

    pub(super) fn game(&self) -> &Game {
        self.game
    }

    /// The progress of both questions, White's first.
    pub fn progress(&self) -> [QuestionProgress; 2] {
        self.questions.each_ref().map(|Question { search, refuted, stage, fortress }| {
            QuestionProgress {
                attacker: search.goal.attacker,
                nodes: search.nodes,
                refuted: *refuted,
                used: search.table.used(),
                room: search.table.room(),
                numbers: match stage.proof() {
                    // The table has made room for the other question.
                    Some(proof) => Numbers::from_answer(proof.claim == Claim::Wins),
                    None => search.numbers(&search.goal.root()),
                },
                answer: stage.proof().map(|proof| proof.claim == Claim::Wins),
                positions: stage.positions(),
                fortress: fortress.as_ref().map(Fortress::size),
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
        if let Stage::Search = self.stage {
            let answer = match &mut self.fortress {
                None => self.search.solve(&root, bounds).answer(),
                Some(fortress) => match fortress.advance(&mut self.search, bounds) {
                    FortressState::Open => None,
                    FortressState::Holds => Some(false),
                    FortressState::Lost => Some(true),
                },
            };
            self.stage = match answer {
                None => return,
                Some(true) => Stage::Yes(ProofSet::new(root)),
                Some(false) => Stage::No(DisproofSet::new(root)),
            };
        }
        let proof = match &mut self.stage {
            Stage::Yes(proof) => match proof.advance(&mut self.search, bounds) {
                ProofState::Ranked(set) => self.proof(self.attacker(), Claim::Wins, &set),
                ProofState::Open => return,
            },
            Stage::No(disproof) => match disproof.advance(&mut self.search, bounds) {
                DisproofState::Closed(set) => {
                    let set: Vec<_> = set.into_iter().map(|node| (node, 0)).collect();
                    self.proof(!self.attacker(), Claim::Holds, &set)
                }
                DisproofState::Refuted => {
                    self.refuted += 1;
                    self.stage = Stage::Search;
                    if let Some(fortress) = &mut self.fortress {
                        fortress.begin_again();
                    }
                    return;
                }
                DisproofState::Open => return,
            },
            Stage::Search | Stage::Proof(_) => return,
        };
        self.settle(proof);
    }

    /// The question is settled; the memory of its search is for the other one.
    pub(super) fn settle(&mut self, proof: Proof) {
        self.stage = Stage::Proof(proof);
        self.search.table.settle();
    }

    /// The answer, whether its proof is complete, and the proof as bytes, as far as it is collected.
    pub(super) fn to_bytes(&self) -> Option<(bool, bool, Vec<u8>)> {
        match &self.stage {
            Stage::Search => None,
            Stage::Yes(set) => Some((true, false, set.to_bytes())),
            Stage::No(set) => Some((false, false, set.to_bytes())),
            Stage::Proof(proof) => {
                let records = proof.records().iter().flat_map(|record| record.to_bytes());
                Some((proof.claim == Claim::Wins, true, records.collect()))
            }
        }
    }

    /// The fortress as bytes, if one is being built.
    pub(super) fn fortress_to_bytes(&self) -> Option<Vec<u8>> {
        let fortress = self.fortress.as_ref().filter(|_| matches!(self.stage, Stage::Search));
        fortress.filter(|fortress| !fortress.is_new()).map(Fortress::to_bytes)
    }

    /// Goes on with a fortress of [`Question::fortress_to_bytes`], if one is to be built; `None` if the
    /// bytes are of no such fortress.
    pub(super) fn restore_fortress(&mut self, bytes: &[u8]) -> Option<()> {
        self.fortress.as_mut().map_or(Some(()), |fortress| fortress.restore(bytes))
    }

    /// Goes on with a proof of [`Question::to_bytes`]; `None` if the bytes are of no such proof.
    pub(super) fn restore(&mut self, wins: bool, complete: bool, bytes: &[u8]) -> Option<()> {
        if complete {
            let records = bytes.chunks(Record::BYTES);
            let records = records.map(|bytes| Some(Record::from_bytes(bytes.try_into().ok()?)));
            let (side, claim) = match wins {
                true => (self.attacker(), Claim::Wins),
                false => (!self.attacker(), Claim::Holds),
            };
            self.settle(Proof::new(side, claim, records.collect::<Option<_>>()?));
        } else if wins {
            let set = ProofSet::from_bytes(bytes)?;
            set.restore(&self.search);
            self.stage = Stage::Yes(set);
        } else {
            let set = DisproofSet::from_bytes(self.search.goal.root(), bytes)?;
            set.restore(&self.search);
            self.stage = Stage::No(set);
        }
        Some(())
    }

    fn attacker(&self) -> Side {
        self.search.goal.attacker
    }

    fn proof(&self, side: Side, claim: Claim, set: &[(Node, u32)]) -> Proof {
        let goal = self.search.goal;
        let images = Images::new(goal.game.size());
        // The positions of a set are those with the other side to move.
        let own = side == goal.attacker;
        let records = set.iter().filter(|(node, _)| node.attacks != own);
        let records = records.map(|(node, rank)| goal.record(&images, node, *rank));
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
            if let RunStatus::Solved(solution) = run.advance(1000, &AtomicBool::new(false)) {
                assert_eq!(check(&solution, None, || {}), Ok(()));
                return solution.value;
            }
        }
    }

    /// Two conditions may have the same hash, and then the search believes something false.
    #[test]
    fn a_wrong_disproof_is_corrected() {
        let wrong_entry = Entry::new(Numbers::DISPROVEN);
        let size = "3x3".parse().expect("a board");
        let game = Game::new(Position::start(size), Ruleset::default(), None);
        let mut run = Run::new(&game, 1 << 20, 1);
        let Question { search, .. } = &mut run.questions[0];
        let root = search.goal.root();
        search.table.set(&root, &wrong_entry, 1);
        assert_eq!(value(&mut run), GameValue::White);
        assert_eq!(run.progress()[0].refuted, 1);

        // Errors at nodes where White must win against any move of Black.
        let mut run = Run::new(&game, 1 << 20, 1);
        let Question { search, .. } = &mut run.questions[0];
        let (stop, over) = (&AtomicBool::new(false), &AtomicBool::new(false));
        let bounds = Bounds::new(u64::MAX, stop, over);
        let answer = search.solve(&root, bounds).answer();
        assert_eq!(answer, Some(true));
        let (mut children, mut replies, mut wrong) = (Vec::new(), Vec::new(), 0);
        search.goal.expand(&root, &mut children).expect("it is no end");
        children.retain(|child| search.answer(child) == Some(true));
        for child in &children {
            search.goal.expand(child, &mut replies).expect("nor is this");
            replies.retain(|reply| search.answer(reply) == Some(true));
            replies.iter().for_each(|reply| search.table.set(reply, &wrong_entry, 1));
            wrong += replies.len();
        }
        assert!(wrong > 0);
        assert_eq!(value(&mut run), GameValue::White);
    }
}
