//! The threads that search for the answer to one question.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::estimate::Estimator;
use super::game::{Goal, Node};
use super::path_occupancy::PathOccupancy;
use super::search::{Bounds, Search};
use super::table::{Numbers, QuestionTable};

/// The number of nodes that one thread searches before the others join: most searches while a proof
/// is collected are shorter than it takes to start a thread.
const ALONE: u64 = 2000;

/// The search for the answer to one question, by one or more threads with one table.
pub(super) struct ParallelSearch<'g> {
    pub(super) goal: Goal<'g>,
    pub(super) table: QuestionTable,
    /// The number of nodes searched by all threads.
    pub(super) nodes: u64,
    searches: Vec<Search<'g>>,
}

impl<'g> ParallelSearch<'g> {
    /// A search by one thread.
    pub(super) fn new(goal: Goal<'g>, table: QuestionTable) -> ParallelSearch<'g> {
        let searches = vec![Search::new(goal, table.clone(), Arc::default())];
        ParallelSearch { goal, table, nodes: 0, searches }
    }

    /// Sets the number of threads from now on.
    pub(super) fn set_threads(&mut self, threads: usize) {
        if threads == self.searches.len() {
            return;
        }
        let occupancy =
            Arc::new(if threads > 1 { PathOccupancy::shared() } else { PathOccupancy::default() });
        let search = || Search::new(self.goal, self.table.clone(), occupancy.clone());
        self.searches = std::iter::repeat_with(search).take(threads.max(1)).collect();
    }

    /// The numbers of a node as far as they are known without a search, regardless of conditions.
    pub(super) fn numbers(&self, node: &Node) -> Numbers {
        match self.goal.known(node) {
            Some(yes) => Numbers::from_answer(yes),
            None => match self.table.get(node) {
                Some(entry) => entry.numbers,
                None => Estimator::new(self.goal).numbers(node),
            },
        }
    }

    /// Whether the attacker wins at a node that tables do not know, if the search knows it for
    /// every path.
    pub(super) fn answer(&self, node: &Node) -> Option<bool> {
        self.table.get(node).filter(|entry| entry.condition == 0)?.numbers.answer()
    }

    /// Whether the search has reached its bounds.
    pub(super) fn is_at(&self, bounds: Bounds<'_>) -> bool {
        self.nodes >= bounds.until || bounds.are_flagged()
    }

    /// Solves a node within bounds; when they are reached, the numbers are those of an open node.
    pub(super) fn solve(&mut self, root: &Node, bounds: Bounds<'_>) -> Numbers {
        let alone = match self.searches.len() {
            1 => u64::MAX,
            _ => ALONE,
        };
        let first = self.searches[..1].iter_mut();
        let numbers = ParallelSearch::share(&mut self.nodes, first, root, bounds, alone);
        if numbers.answer().is_some() || self.searches.len() == 1 || self.is_at(bounds) {
            return numbers;
        }
        ParallelSearch::share(&mut self.nodes, self.searches.iter_mut(), root, bounds, u64::MAX)
    }

    /// Lets some threads solve a node together, within bounds and at most a number of nodes.
    fn share<'s>(
        nodes: &mut u64,
        searches: impl ExactSizeIterator<Item = &'s mut Search<'g>>,
        root: &Node,
        bounds: Bounds<'_>,
        at_most: u64,
    ) -> Numbers
    where
        'g: 's,
    {
        let left = bounds.until.saturating_sub(*nodes).min(at_most);
        let each = left.div_ceil(searches.len() as u64);
        let over = AtomicBool::new(false);
        let solve = |search: &mut Search<'g>| {
            let before = search.nodes;
            let until = before.saturating_add(each);
            let numbers = search.solve(root, bounds.for_thread(until, &over));
            over.store(true, Ordering::Relaxed);
            (numbers, search.nodes - before)
        };
        let found: Vec<(Numbers, u64)> = thread::scope(|scope| {
            let solve = &solve;
            let mut searches = searches;
            let first = searches.next().expect("a search has a thread");
            let others: Vec<_> =
                searches.map(|search| scope.spawn(move || solve(search))).collect();
            let own = solve(first);
            let others = others.into_iter().map(|thread| thread.join().expect("it does not panic"));
            std::iter::once(own).chain(others).collect()
        });
        *nodes += found.iter().map(|(_, nodes)| nodes).sum::<u64>();
        let answer = found.iter().find(|(numbers, _)| numbers.answer().is_some());
        answer.unwrap_or(&found[0]).0
    }
}
