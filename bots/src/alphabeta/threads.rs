//! Parallel search: all threads search the same root and share only the transposition table ("Lazy
//! SMP"). The results of one thread improve cutoffs and move ordering in the others. Since no two
//! threads are at the same place at the same time, they search different parts of the tree without
//! further coordination.
//!
//! The first thread leads: it reports, watches the clock and ends the others. A search with one
//! thread is reproducible. A search with several is not, because the system schedules the threads.

use std::thread;

use super::search::{Search, ThreadState};
use super::settings::Settings;
use super::shared::SharedSearch;
use super::table::TranspositionTable;
use crate::bot::{Choice, Observer, Task};
use crate::endgame_option::SearchTables;
use crate::platform;

/// Searches with one thread for each memory, of which there is at least one.
pub(super) fn search(
    task: &Task<'_>,
    settings: &Settings,
    tables: Option<SearchTables>,
    table: &TranspositionTable,
    memories: &mut [ThreadState],
    observer: &mut dyn Observer,
) -> Choice {
    let shared = SharedSearch::new(memories.len());
    let (first, others) = memories.split_first_mut().expect("there is always a thread");
    let leader = Search::new(task, settings, tables.clone(), table, first, &shared, 0);
    let (best, is_leaders) = thread::scope(|scope| {
        let mut helpers = Vec::with_capacity(others.len());
        for (index, memory) in others.iter_mut().enumerate() {
            let (shared, tables) = (&shared, tables.clone());
            let help = move || {
                Search::new(task, settings, tables, table, memory, shared, index + 1).assist()
            };
            // If the system has no more threads, fewer of them search.
            match platform::spawn_scoped(scope, help) {
                Some(helper) => helpers.push(helper),
                None => break,
            }
        }
        let guard = shared.stop_guard();
        let mut best = (leader.lead(observer), true);
        drop(guard);
        for helper in helpers {
            let found = helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // With several lines only the leader's result counts.
            if settings.lines == 1 && found.is_better_than(&best.0) {
                best = (found, false);
            }
        }
        best
    });
    let nodes = shared.nodes();
    if !is_leaders {
        observer.info(best.info(task, nodes));
    }
    Choice { mv: best.mv(), nodes }
}
