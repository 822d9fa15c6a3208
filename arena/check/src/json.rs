//! The report as JSON, for programs.

use serde::Serialize;

use super::catalogue::Group;
use super::definition::Level;
use super::round_trip::RoundTrip;
use super::run::{Entry, Report};
use super::verdict::Verdict;

/// The version of the format. It grows when a field is removed or changes its meaning.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'r> {
    version: u32,
    engine: Engine<'r>,
    /// The requested level, and whether the engine passes it.
    level: Level,
    passed: bool,
    levels: Vec<LevelEntry>,
    checks: Vec<CheckEntry<'r>>,
    round_trip: Option<RoundTripEntry>,
}

#[derive(Serialize)]
struct RoundTripEntry {
    #[serde(flatten)]
    measured: RoundTrip,
    /// The margin that a tournament should set; `null` if the default is enough.
    margin_ms: Option<u64>,
}

#[derive(Serialize)]
struct Engine<'r> {
    command: &'r str,
    name: &'r str,
    started: bool,
}

#[derive(Serialize)]
struct LevelEntry {
    level: Level,
    passed: usize,
    failed: usize,
    skipped: usize,
}

#[derive(Serialize)]
struct CheckEntry<'r> {
    number: u32,
    group: Group,
    level: Level,
    title: &'static str,
    section: &'static str,
    #[serde(flatten)]
    verdict: &'r Verdict,
    ms: u64,
}

/// The report as one JSON object. `arena/guides/check-your-bot.md` documents its fields.
pub fn report(report: &Report) -> String {
    let levels = Level::ALL.iter().copied().filter(|&level| level <= report.asked).map(|level| {
        let tally = report.tally(level);
        LevelEntry { level, passed: tally.passed, failed: tally.failed, skipped: tally.skipped }
    });
    let checks = report.entries.iter().map(|Entry { numbered, verdict, time }| CheckEntry {
        number: numbered.number,
        group: numbered.group,
        level: numbered.check.level,
        title: numbered.check.title,
        section: numbered.check.section,
        verdict,
        ms: time.as_millis() as u64,
    });
    let document = Document {
        version: VERSION,
        engine: Engine { command: &report.command, name: &report.name, started: report.started },
        level: report.asked,
        passed: report.passed(),
        levels: levels.collect(),
        checks: checks.collect(),
        round_trip: report
            .round_trip
            .map(|measured| RoundTripEntry { measured, margin_ms: measured.margin_ms() }),
    };
    serde_json::to_string_pretty(&document).expect("a report consists of texts and numbers")
}
