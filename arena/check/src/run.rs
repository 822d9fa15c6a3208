//! Runs a selection of checks and collects the results in a report.

use std::time::{Duration, Instant};

use super::catalogue::{Numbered, Selection};
use super::definition::{Check, Level};
use super::round_trip::RoundTrip;
use super::subject::{Page, Subject};
use super::verdict::Verdict;

/// The result of one check.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The check.
    pub numbered: Numbered,
    /// Whether it passed.
    pub verdict: Verdict,
    /// Its duration.
    pub time: Duration,
}

/// The results of all selected checks.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine's command line as given.
    pub command: String,
    /// The name the engine reported; empty if it reported none.
    pub name: String,
    /// The results in the order of the checks.
    pub entries: Vec<Entry>,
    /// Whether the engine completed a handshake.
    pub started: bool,
    /// The reason why the remaining checks were skipped, if they were.
    pub unfit: Option<&'static str>,
    /// The requested level.
    pub asked: Level,
    /// The level above it, and how many more checks that has.
    pub further: Option<(Level, usize)>,
    /// The time that a line and its answer take; `None` if the engine does not answer.
    pub round_trip: Option<RoundTrip>,
}

/// The numbers of passed, failed and skipped checks of a level, including lower levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// The number of passed checks.
    pub passed: usize,
    /// The number of failed checks.
    pub failed: usize,
    /// The number of skipped checks.
    pub skipped: usize,
}

impl Report {
    /// Counts the results of a level and the lower ones.
    pub fn tally(&self, level: Level) -> Tally {
        let mut tally = Tally::default();
        for entry in self.entries.iter().filter(|entry| entry.numbered.check.level <= level) {
            match entry.verdict {
                Verdict::Passed { .. } => tally.passed += 1,
                Verdict::Failed { .. } => tally.failed += 1,
                Verdict::Skipped { .. } => tally.skipped += 1,
            }
        }
        tally
    }

    /// The numbers of the failed checks of exactly this level.
    pub fn failures(&self, level: Level) -> Vec<u32> {
        let failed = |entry: &&Entry| {
            entry.numbered.check.level == level && matches!(entry.verdict, Verdict::Failed { .. })
        };
        self.entries.iter().filter(failed).map(|entry| entry.numbered.number).collect()
    }

    /// The numbers of the checks that were not run because of [`Report::unfit`].
    pub fn not_run(&self) -> Vec<u32> {
        let is_left = |entry: &&Entry| match (&entry.verdict, self.unfit) {
            (Verdict::Skipped { why }, Some(unfit)) => why == unfit,
            _ => false,
        };
        self.entries.iter().filter(is_left).map(|entry| entry.numbered.number).collect()
    }

    /// Whether the engine passes the requested level.
    pub fn passed(&self) -> bool {
        self.tally(self.asked).failed == 0
    }
}

/// Runs a selection of checks one after another and calls `watch` with each result. A failure does
/// not stop the other checks, except if the engine does not complete the handshake, does not answer
/// `isready`, or lets three checks in a row time out: the remaining checks are then skipped, without
/// calls of `watch`.
pub async fn run(
    mut subject: Subject,
    selection: &Selection,
    mut watch: impl FnMut(&Entry),
) -> Report {
    let mut report = Report {
        command: subject.command.clone(),
        name: String::new(),
        entries: Vec::new(),
        started: false,
        unfit: None,
        asked: selection.level.unwrap_or(Level::Full),
        further: selection.further(),
        round_trip: None,
    };
    for numbered in selection.checks() {
        let unfit = subject.unfit.is_some();
        let entry = one(&mut subject, numbered).await;
        if !unfit {
            watch(&entry);
        }
        report.entries.push(entry);
    }
    report.unfit = subject.unfit;
    if subject.unfit.is_none() {
        report.round_trip = RoundTrip::measure(&mut subject).await;
    }
    report.started = !subject.introduction.lines.is_empty();
    let name = subject.introduction.lines.iter().find_map(|line| line.strip_prefix("id name "));
    report.name = name.unwrap_or_default().trim().to_owned();
    subject.retire().await;
    report
}

async fn one(subject: &mut Subject, numbered: Numbered) -> Entry {
    let begin = Instant::now();
    let verdict = match subject.unfit {
        Some(why) => Verdict::Skipped { why: why.to_owned() },
        None => {
            subject.begin();
            let outcome = (numbered.check.run)(subject).await;
            subject.count(&outcome);
            match outcome {
                Ok(seen) => Verdict::Passed { seen },
                Err(failure) => {
                    let Check { section, fix_hint, .. } = *numbered.check;
                    subject.verdict(failure, Page { section, fix_hint }).await
                }
            }
        }
    };
    Entry { numbered, verdict, time: begin.elapsed() }
}
