//! Building a fortress: a hold found by commitment.
//!
//! The search by proof numbers keeps weighing all moves of the defender, and where several are about as
//! good it goes back and forth between them. Here the defender commits itself. Every position with the
//! defender to move is a question: each of its moves is searched for some nodes, the most promising
//! one becomes its answer, and the positions after all replies of the attacker are the next questions,
//! the most dangerous one first. An answer is given up only when a question after it is lost, and then
//! whatever rested on it is asked again.
//!
//! So the answers that stand shrink from "all that are not refuted" to a set that is closed (a greatest
//! fixpoint, computed only where play from the start leads). When no question is left, the attacker
//! cannot leave it, also where answers lead back to each other: endless play is a draw. A lost question
//! is a proof for the attacker, because it rests only on moves that were refuted before.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::disproof::WON;
use super::game::Node;
use super::parallel_search::ParallelSearch;
use super::proof::take;
use super::search::Bounds;
use super::table::{Entry, NodeTable, Numbers};

/// The state of a fortress.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FortressState {
    /// There are questions left.
    Open,
    /// Every question has an answer, and the table knows it.
    Holds,
    /// The attacker wins, and the table knows it.
    Lost,
}

/// A position with the defender to move.
struct Question {
    node: Node,
    state: QuestionState,
    /// The answers after which the attacker can ask it.
    askers: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum QuestionState {
    Open,
    /// By the answer with this number.
    Answered(u32),
    /// The tables or the search know that it is not lost.
    Held,
    Lost,
}

/// A position with the attacker to move, to which a move of the defender leads.
struct Answer {
    node: Node,
    is_refuted: bool,
    /// The questions that it answers.
    answered: Vec<u32>,
}

/// The lowest bits of a state and of a number above a node in a file.
const STATE: u32 = 91;
const NUMBER: u32 = 93;

/// A fortress that is being built.
pub(super) struct Fortress {
    root: Node,
    /// The nodes for which each move of the defender is searched.
    effort: u64,
    questions: Vec<Question>,
    answers: Vec<Answer>,
    /// Both by their positions.
    question_of: HashMap<Node, u32>,
    answer_of: HashMap<Node, u32>,
    /// Questions to look at, the next one last.
    waiting: Vec<u32>,
    refuted: u64,
}

impl Fortress {
    /// A fortress from a position on.
    pub(super) fn new(root: Node, effort: u64) -> Fortress {
        Fortress {
            root,
            effort: effort.max(1),
            questions: Vec::new(),
            answers: Vec::new(),
            question_of: HashMap::new(),
            answer_of: HashMap::new(),
            waiting: Vec::new(),
            refuted: 0,
        }
    }

    /// The fortress as bytes, to go on with another time: 4 for the number of questions, 4 for that of
    /// answers; 16 for each question, with its state and its answer above the node; for each answer 16,
    /// with whether it is refuted and the number of questions after it above the node, and 4 for each of
    /// them; 4 for each question that waits.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut after = vec![Vec::new(); self.answers.len()];
        for (number, question) in (0u32..).zip(&self.questions) {
            question.askers.iter().for_each(|&answer| after[answer as usize].push(number));
        }
        let count = |count: usize| u32::to_le_bytes(count as u32);
        let above = |node: &Node, state: u8, number: u32| {
            node.to_bits() | u128::from(state) << STATE | u128::from(number) << NUMBER
        };
        let mut bytes = [count(self.questions.len()), count(self.answers.len())].concat();
        for Question { node, state, .. } in &self.questions {
            let bits = match *state {
                QuestionState::Open => above(node, 0, 0),
                QuestionState::Answered(answer) => above(node, 1, answer),
                QuestionState::Held => above(node, 2, 0),
                QuestionState::Lost => above(node, 3, 0),
            };
            bytes.extend(bits.to_le_bytes());
        }
        for (Answer { node, is_refuted, .. }, after) in self.answers.iter().zip(after) {
            bytes.extend(above(node, u8::from(*is_refuted), after.len() as u32).to_le_bytes());
            bytes.extend(after.into_iter().flat_map(u32::to_le_bytes));
        }
        bytes.extend(self.waiting.iter().copied().flat_map(u32::to_le_bytes));
        bytes
    }

    /// Goes on with a fortress of [`Fortress::to_bytes`]; `None` if the bytes are of nothing like it.
    pub(super) fn restore(&mut self, mut bytes: &[u8]) -> Option<()> {
        let mut fortress = Fortress::new(self.root, self.effort);
        let mut counts = [0, 0];
        for count in &mut counts {
            *count = u32::from_le_bytes(take(&mut bytes)?);
        }
        let [questions, answers] = counts;
        let below = |number: u32, count: u32| (number < count).then_some(number);
        let mut answered = Vec::new();
        for number in 0..questions {
            let bits = u128::from_le_bytes(take(&mut bytes)?);
            let node = Node::from_bits(bits);
            let state = match bits >> STATE & 3 {
                0 => QuestionState::Open,
                1 => {
                    let answer = below((bits >> NUMBER) as u32, answers)?;
                    answered.push((answer, number));
                    QuestionState::Answered(answer)
                }
                2 => QuestionState::Held,
                _ => QuestionState::Lost,
            };
            fortress.questions.push(Question { node, state, askers: Vec::new() });
            fortress.question_of.insert(node, number);
        }
        for number in 0..answers {
            let bits = u128::from_le_bytes(take(&mut bytes)?);
            let (node, is_refuted) = (Node::from_bits(bits), bits >> STATE & 1 == 1);
            fortress.answers.push(Answer { node, is_refuted, answered: Vec::new() });
            fortress.answer_of.insert(node, number);
            fortress.refuted += u64::from(is_refuted);
            for _ in 0..(bits >> NUMBER) as u32 {
                let question = u32::from_le_bytes(take(&mut bytes)?);
                fortress.questions.get_mut(question as usize)?.askers.push(number);
            }
        }
        for (answer, question) in answered {
            fortress.answers[answer as usize].answered.push(question);
        }
        while !bytes.is_empty() {
            fortress.waiting.push(below(u32::from_le_bytes(take(&mut bytes)?), questions)?);
        }
        let root = (!self.root.attacks).then(|| fortress.questions.first().map(|it| it.node));
        let root = root.unwrap_or_else(|| fortress.answers.first().map(|it| it.node));
        *self = fortress;
        (root == Some(self.root)).then_some(())
    }

    /// Forgets all but the table, which has turned out to be wrong about something.
    pub(super) fn begin_again(&mut self) {
        *self = Fortress::new(self.root, self.effort);
    }

    /// The numbers of answers that are not refuted and of questions that wait, some of which may turn out
    /// to be settled.
    pub(super) fn size(&self) -> (u64, u64) {
        (self.answers.len() as u64 - self.refuted, self.waiting.len() as u64)
    }

    /// Goes on within the bounds of the search, which are looked at between two questions.
    pub(super) fn advance(
        &mut self,
        search: &mut ParallelSearch<'_>,
        bounds: Bounds<'_>,
    ) -> FortressState {
        if self.is_new() {
            match self.root.attacks {
                true => drop(self.stand(self.root, search)),
                false => {
                    let first = self.question(self.root);
                    self.waiting.push(first);
                }
            }
        }
        while !self.is_lost() {
            if search.is_at(bounds) {
                return FortressState::Open;
            }
            let Some(question) = self.waiting.pop() else {
                self.note(search);
                return FortressState::Holds;
            };
            self.settle(question, search, bounds);
        }
        FortressState::Lost
    }

    /// Whether nothing was done yet.
    pub(super) fn is_new(&self) -> bool {
        self.questions.is_empty() && self.answers.is_empty()
    }

    fn is_lost(&self) -> bool {
        match self.root.attacks {
            true => self.answers[0].is_refuted,
            false => self.questions[0].state == QuestionState::Lost,
        }
    }

    /// Looks for an answer to a question that still needs one.
    fn settle(&mut self, number: u32, search: &mut ParallelSearch<'_>, bounds: Bounds<'_>) {
        let Question { node, state, .. } = self.questions[number as usize];
        if state != QuestionState::Open || !self.is_asked(number) {
            return;
        }
        let mut children = Vec::new();
        let is_over = search.goal.expand(&node, &mut children);
        let says = |search: &ParallelSearch<'_>, node: &Node| known(search, node) == Some(false);
        if is_over == Err(false)
            || says(search, &node)
            || children.iter().any(|it| says(search, it))
        {
            self.questions[number as usize].state = QuestionState::Held;
            return;
        }
        // Answers of other questions: one that stands answers this one as well.
        let refuted = |answer: u32| self.answers[answer as usize].is_refuted;
        let answers = children.iter().filter_map(|child| self.answer_of.get(child).copied());
        if let Some(answer) = answers.clone().find(|&answer| !refuted(answer)) {
            self.answer(number, answer);
            return;
        }
        children.retain(|child| !self.answer_of.contains_key(child));
        let mut moves: Vec<(Numbers, Node)> = Vec::new();
        for child in children {
            if known(search, &child) == Some(true) {
                continue;
            }
            let until = search.nodes + self.effort;
            let numbers = search.solve(&child, bounds.with_nodes(until));
            if bounds.are_flagged() {
                self.waiting.push(number);
                return;
            }
            match known(search, &child) {
                Some(true) => {}
                Some(false) => {
                    self.questions[number as usize].state = QuestionState::Held;
                    return;
                }
                None => moves.push((numbers, child)),
            }
        }
        // Far from a proof and near a disproof: by the square of the disproof number over the other.
        moves.sort_by(|(one, _), (other, _)| {
            let weight = |this: &Numbers, that: &Numbers| {
                u128::from(this.disproof).pow(2) * u128::from(that.proof)
            };
            weight(one, other).cmp(&weight(other, one))
        });
        for (_, child) in moves {
            if let Some(answer) = self.stand(child, search) {
                self.answer(number, answer);
                return;
            }
        }
        self.lose(number, search);
    }

    /// Lets a new position stand as an answer: the attacker's replies become questions. `None` if one of
    /// them is lost.
    fn stand(&mut self, node: Node, search: &ParallelSearch<'_>) -> Option<u32> {
        let number = self.answers.len() as u32;
        self.answers.push(Answer { node, is_refuted: false, answered: Vec::new() });
        self.answer_of.insert(node, number);
        let mut replies = Vec::new();
        let mut is_won = search.goal.expand(&node, &mut replies) == Err(true);
        let mut open: Vec<(u32, u32)> = Vec::new();
        for reply in replies {
            match known(search, &reply) {
                Some(won) => is_won |= won,
                None => {
                    let question = self.question(reply);
                    let Question { state, askers, .. } = &mut self.questions[question as usize];
                    askers.push(number);
                    is_won |= *state == QuestionState::Lost;
                    if *state == QuestionState::Open {
                        open.push((search.numbers(&reply).proof, question));
                    }
                }
            }
        }
        if is_won {
            self.refute(number, search);
            return None;
        }
        open.sort_by_key(|&(proof, _)| Reverse(proof));
        self.waiting.extend(open.into_iter().map(|(_, question)| question));
        Some(number)
    }

    fn question(&mut self, node: Node) -> u32 {
        let next = self.questions.len() as u32;
        let number = *self.question_of.entry(node).or_insert(next);
        if number == next {
            let state = QuestionState::Open;
            self.questions.push(Question { node, state, askers: Vec::new() });
        }
        number
    }

    fn answer(&mut self, question: u32, answer: u32) {
        self.questions[question as usize].state = QuestionState::Answered(answer);
        self.answers[answer as usize].answered.push(question);
    }

    /// Whether an answer that stands allows the attacker to ask a question.
    fn is_asked(&self, question: u32) -> bool {
        let Question { node, askers, .. } = &self.questions[question as usize];
        let stands = |&answer: &u32| !self.answers[answer as usize].is_refuted;
        *node == self.root || askers.iter().any(stands)
    }

    fn lose(&mut self, question: u32, search: &ParallelSearch<'_>) {
        let Question { node, state, askers } = &mut self.questions[question as usize];
        *state = QuestionState::Lost;
        search.table.set(node, &WON, NodeTable::TO_STAY);
        for answer in std::mem::take(askers) {
            self.refute(answer, search);
        }
    }

    fn refute(&mut self, answer: u32, search: &ParallelSearch<'_>) {
        let Answer { node, is_refuted, answered } = &mut self.answers[answer as usize];
        if std::mem::replace(is_refuted, true) {
            return;
        }
        self.refuted += 1;
        search.table.set(node, &WON, NodeTable::TO_STAY);
        // In an order that does not depend on when they were answered, so that a run that resumes goes
        // the same way.
        let mut answered = std::mem::take(answered);
        answered.sort_unstable();
        for question in answered {
            self.questions[question as usize].state = QuestionState::Open;
            self.waiting.push(question);
        }
    }

    /// Puts what play from the root can reach into the table.
    fn note(&self, search: &ParallelSearch<'_>) {
        let disproven = Entry::new(Numbers::DISPROVEN);
        let (mut waiting, mut replies) = (vec![self.root], Vec::new());
        let mut seen = HashSet::from([self.root]);
        while let Some(node) = waiting.pop() {
            search.table.set(&node, &disproven, NodeTable::TO_STAY);
            if node.attacks {
                let _ = search.goal.expand(&node, &mut replies);
                replies.retain(|reply| {
                    let question = self.question_of.get(reply);
                    let state = question.map(|&question| self.questions[question as usize].state);
                    matches!(state, Some(QuestionState::Answered(_)))
                });
            } else if let QuestionState::Answered(answer) =
                self.questions[self.question_of[&node] as usize].state
            {
                replies.push(self.answers[answer as usize].node);
            }
            waiting.extend(replies.drain(..).filter(|reply| seen.insert(*reply)));
        }
    }
}

/// Whether the attacker wins at a node, if the tables or the search know it for every path.
fn known(search: &ParallelSearch<'_>, node: &Node) -> Option<bool> {
    search.goal.known(node).or_else(|| search.answer(node))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use fanorona_protocol::rules::{Position, Ruleset, Side};

    use super::super::game::{Game, Goal};
    use super::super::table::QuestionTable;
    use super::*;

    /// Builds a fortress, some nodes at a time, and compares its end with the answer of the search.
    fn built(start: &str, attacker: Side, effort: u64) -> Fortress {
        let start: Position = start.parse().expect("a position");
        let game = Game::new(start, Ruleset::default(), None);
        let goal = Goal { game: &game, attacker };
        let search = || {
            let table = QuestionTable::new(Arc::new(NodeTable::new(1 << 24)), attacker);
            ParallelSearch::new(goal, table)
        };
        let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let is_won = search().solve(&goal.root(), Bounds::new(u64::MAX, &stop, &over)).answer();
        let (mut search, mut fortress) = (search(), Fortress::new(goal.root(), effort));
        loop {
            let until = search.nodes + 1000;
            let state = fortress.advance(&mut search, Bounds::new(until, &stop, &over));
            if state != FortressState::Open {
                assert_eq!(
                    Some(state == FortressState::Lost),
                    is_won,
                    "{start} {attacker} {effort}"
                );
                assert_eq!(search.answer(&goal.root()), is_won);
                return fortress;
            }
        }
    }

    const STARTS: [&str; 4] = [
        "bbb/b1W/WWW w",
        "bbb/bbb/b1W/WWW/WWW w",
        "bbbbbbb/bWb1WbW/WWWWWWW w",
        "bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w",
    ];

    #[test]
    fn a_fortress_says_what_the_search_says() {
        let mut refuted = 0;
        for start in &STARTS[..3] {
            for attacker in Side::BOTH {
                for effort in [10, 1000] {
                    refuted += built(start, attacker, effort).refuted;
                }
            }
        }
        assert!(refuted > 10, "{refuted}");
    }

    /// After the last question, every answer that play can reach stands, and so do those to all replies.
    #[test]
    fn every_reachable_answer_of_a_finished_fortress_stands() {
        for attacker in Side::BOTH {
            let fortress = built(STARTS[3], attacker, 100);
            let (answers, waiting) = fortress.size();
            assert!(waiting == 0 && answers > 0);
            let mut answered = 0;
            for (number, question) in fortress.questions.iter().enumerate() {
                match question.state {
                    QuestionState::Answered(answer) => {
                        assert!(!fortress.answers[answer as usize].is_refuted);
                        answered += 1;
                    }
                    QuestionState::Open => assert!(!fortress.is_asked(number as u32)),
                    QuestionState::Held | QuestionState::Lost => {}
                }
            }
            assert!(answered > 0);
        }
    }

    #[test]
    fn a_fortress_comes_back_from_its_bytes() {
        let start: Position = STARTS[3].parse().expect("a position");
        let game = Game::new(start, Ruleset::default(), None);
        let goal = Goal { game: &game, attacker: Side::Black };
        let table = QuestionTable::new(Arc::new(NodeTable::new(1 << 24)), goal.attacker);
        let mut search = ParallelSearch::new(goal, table);
        let (stop, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let mut fortress = Fortress::new(goal.root(), 5);
        let state = fortress.advance(&mut search, Bounds::new(30_000, &stop, &over));
        let (refuted, (answers, waiting)) = (fortress.refuted, fortress.size());
        assert_eq!(state, FortressState::Open);
        assert!(refuted > 0 && answers > 0 && waiting > 0, "{refuted} {answers} {waiting}");
        let bytes = fortress.to_bytes();
        let restored = |bytes: &[u8]| {
            let mut other = Fortress::new(goal.root(), 5);
            other.restore(bytes).map(|()| other.to_bytes())
        };
        assert_eq!(restored(&bytes).as_ref(), Some(&bytes));
        assert_eq!(restored(&bytes[..bytes.len() - 1]), None);
        assert_eq!(restored(&bytes[..bytes.len() / 2]), None);
        let nowhere = [&bytes[..], &[255; 4]].concat();
        assert_eq!(restored(&nowhere), None);
        let elsewhere = Fortress::new(Node { own: 1, enemy: 2, attacks: false }, 5).restore(&bytes);
        assert_eq!(elsewhere, None);
    }
}
