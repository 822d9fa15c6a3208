//! The report as text: one line per check, the details of each failure, and a summary.

use super::catalogue::{Numbered, all};
use super::definition::Level;
use super::run::{Entry, Report, Tally};
use super::verdict::{FailureDetails, Verdict};
use fanorona_tournament::text::plural::counted;
use fanorona_tournament::text::safe_text;

/// The maximum length of a sent or received line in the report, in characters.
const WIDTH: usize = 160;

/// The maximum number of lines of standard error in the report: most exceptions take no more.
const MAX_STDERR: usize = 12;

/// The result of one check as one line, or several if it failed, without a newline at the end.
pub fn entry(entry: &Entry) -> String {
    let Entry { numbered, verdict, .. } = entry;
    let Numbered { number, group, check } = numbered;
    let line = |word: &str, rest: &str| {
        let rest = if rest.is_empty() { String::new() } else { format!(" ({rest})") };
        format!("{number:>5}  {word:<7}  {group:<9}  {}{rest}", check.title)
    };
    match verdict {
        Verdict::Passed { seen } => line("ok", &abridged(seen)),
        Verdict::Skipped { why } => line("skipped", &safe_text::line(why)),
        Verdict::Failed { finding } => {
            let mut text = line("FAILED", "");
            text.push_str(&details(finding));
            text.push_str(&row("see", &format!("protocol/UGI.md, {}", check.section)));
            text
        }
    }
}

fn details(finding: &FailureDetails) -> String {
    let FailureDetails { sent, expected, got, fix, stderr } = finding;
    let mut text = String::new();
    let last = sent.len().saturating_sub(8);
    for (index, line) in sent[last..].iter().enumerate() {
        text.push_str(&row(if index == 0 { "sent" } else { "" }, &abridged(line)));
    }
    text.push_str(&row("expected", expected));
    for (index, line) in got.iter().enumerate() {
        text.push_str(&row(if index == 0 { "got" } else { "" }, &abridged(line)));
    }
    let stderr: Vec<&str> = stderr.lines().filter(|line| !line.trim().is_empty()).collect();
    for (index, line) in stderr[stderr.len().saturating_sub(MAX_STDERR)..].iter().enumerate() {
        text.push_str(&row(if index == 0 { "stderr" } else { "" }, &abridged(line)));
    }
    for line in fix {
        text.push_str(&row("fix", line));
    }
    text
}

fn row(name: &str, text: &str) -> String {
    format!("\n{:14}{name:<9} {}", "", safe_text::lines(text))
}

/// A line that is safe to print, shortened to [`WIDTH`].
fn abridged(line: &str) -> String {
    let first: String = line.chars().take(WIDTH).collect();
    let rest = if line.chars().nth(WIDTH).is_some() { " …" } else { "" };
    format!("{}{rest}", safe_text::line(&first))
}

/// The summary: one line per level up to the requested one, what the next level asks, and the next
/// step.
pub fn summary(report: &Report) -> String {
    let mut lines = vec![String::new()];
    if !report.name.is_empty() {
        lines.push(format!("{} ({})", abridged(&report.name), report.command));
    }
    for level in Level::ALL.iter().copied().filter(|&level| level <= report.asked) {
        lines.push(level_line(report, level));
    }
    // An engine that fails a level has to mend that first.
    if let Some((level, more)) =
        report.further.filter(|_| report.passed() && report.unfit.is_none())
    {
        let checks = counted(more as u64, "more check", "more checks");
        lines.push(format!("{level:<5}  asks {checks}: --level {level}"));
    }
    if let Some(why) = report.unfit {
        let range = match report.not_run()[..] {
            [] => String::new(),
            [one] => format!(" ({one})"),
            [first, .., last] => format!(" ({first} to {last})"),
        };
        let fix = "Fix this first, or choose checks by --only";
        lines.push(format!("{why}; the remaining checks were skipped{range}. {fix}"));
    }
    lines.extend(report.round_trip.map(|it| it.in_words()));
    lines.join("\n")
}

fn level_line(report: &Report, level: Level) -> String {
    let Tally { passed, failed, skipped } = report.tally(level);
    let skipped = match skipped {
        0 => String::new(),
        skipped => format!(", {skipped} skipped"),
    };
    if failed == 0 && passed == 0 {
        return format!("{level:<5}  nothing checked{skipped}");
    }
    if failed == 0 {
        let all = if passed > 1 { "all " } else { "" };
        let checks = counted(passed, "check", "checks");
        return format!("{level:<5}  passed: {all}{checks}{skipped}");
    }
    let numbers: Vec<String> = Level::ALL
        .iter()
        .copied()
        .filter(|&lower| lower <= level)
        .flat_map(|level| report.failures(level))
        .map(|number| number.to_string())
        .collect();
    let of = counted(passed + failed, "check", "checks");
    format!("{level:<5}  failed: {failed} of {of}{skipped}: {}", numbers.join(" "))
}

/// The list of all checks, one line each.
pub fn list() -> String {
    let line = |Numbered { number, group, check }: Numbered| {
        format!("{number:>5}  {:<5}  {group:<9}  {}", check.level, check.title)
    };
    all().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shortened_and_control_characters_are_escaped() {
        assert_eq!(abridged("a\x1b[31mb\r"), "a\\u{1b}[31mb\\u{d}");
        let long = abridged(&"é".repeat(500));
        assert!(long.ends_with("é …") && long.chars().count() < 200);
    }
}
