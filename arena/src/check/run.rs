//! From a selection of checks to a report.

use std::time::{Duration, Instant};

use super::catalogue::{Numbered, Selection};
use super::definition::Level;
use super::subject::Subject;
use super::verdict::Verdict;

/// What came of one check.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The check.
    pub numbered: Numbered,
    /// How it has ended.
    pub verdict: Verdict,
    /// How long it took.
    pub time: Duration,
}

/// What came of all checks that were wanted.
#[derive(Clone, Debug)]
pub struct Report {
    /// The engine as it was written.
    pub command: String,
    /// The name it gave itself; empty when it gave none.
    pub name: String,
    /// The checks in order.
    pub entries: Vec<Entry>,
    /// Whether the engine has once completed the handshake.
    pub started: bool,
    /// Why what came later could not be checked.
    pub unfit: Option<&'static str>,
    /// The level that was asked for.
    pub asked: Level,
}

/// How the checks of a level have ended, those of lower levels included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many have passed.
    pub passed: usize,
    /// How many have failed.
    pub failed: usize,
    /// How many did not apply.
    pub skipped: usize,
}

impl Report {
    /// How the checks of a level have ended.
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

    /// The numbers of the checks that have failed on a level and on none below.
    pub fn failures(&self, level: Level) -> Vec<u32> {
        let failed = |entry: &&Entry| {
            entry.numbered.check.level == level && matches!(entry.verdict, Verdict::Failed { .. })
        };
        self.entries.iter().filter(failed).map(|entry| entry.numbered.number).collect()
    }

    /// Whether the engine passes at the level that was asked for.
    pub fn passed(&self) -> bool {
        self.tally(self.asked).failed == 0
    }
}

/// Runs the checks of a selection one after another, showing each as it ends. A failure stops none
/// but those that cannot do without; these are skipped, and not shown.
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
            match (numbered.check.run)(subject).await {
                Ok(seen) => Verdict::Passed { seen },
                Err(miss) => subject.verdict(miss, numbered.check.mend).await,
            }
        }
    };
    Entry { numbered, verdict, time: begin.elapsed() }
}
