//! Several threads, one search: all search the same root and share the transposition table alone
//! ("Lazy SMP"). What one has found lets the others cut and order better, and as no two are at the
//! same place at the same time, they look at different parts of the tree by themselves.
//!
//! The first thread leads: it reports, watches the clock and ends the others. One thread alone
//! always does the same; several do not, for the system decides who is first.

use std::sync::Arc;
use std::thread;

use fanorona_endgames::Tables;

use super::search::{Search, ThreadState};
use super::settings::Settings;
use super::shared::SharedSearch;
use super::table::Table;
use crate::bot::{Choice, Observer, Task};
use crate::platform;

/// Searches with as many threads as there are memories, at least one.
pub(super) fn search(
    task: &Task<'_>,
    settings: &Settings,
    tables: Option<Arc<Tables>>,
    table: &Table,
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
            // Where the system has no more threads, fewer do.
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
            // Several lines are the leader's to tell.
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
