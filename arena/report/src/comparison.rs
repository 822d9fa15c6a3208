//! The comparison of two tournaments as terminal tables and as JSON.

use std::fmt::Write;

use super::{figures, table};
use crate::statistics::comparison::{Change, Comparison};
use crate::statistics::verdict;
use crate::words;

/// The comparison as a JSON object; an open end of an interval is `null`.
pub fn json(comparison: &Comparison) -> String {
    serde_json::to_string_pretty(comparison).expect("changes are numbers and names")
}

/// For every kind a table and sentences about the changes, then the thinking times; for a terminal
/// of this width.
pub fn text(comparison: &Comparison, width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX);
    let mut text = String::new();
    // Writing to a string cannot fail.
    for changes in comparison.changes.chunk_by(|one, other| one.kind == other.kind) {
        let _ = writeln!(text, "{}:\n{}\n", words::title(changes[0].kind), table(changes, width));
        for change in changes {
            let _ = writeln!(text, "{}", in_words(change));
        }
        let _ = writeln!(text);
    }
    let tested = comparison.changes.iter().filter(|change| change.stronger.is_some()).count();
    if tested > 1 {
        let _ = writeln!(
            text,
            "of these {tested} comparisons, all that are decided are right with a probability of 95 % at \
             least (Holm)\n"
        );
    }
    comparison.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    for time in &comparison.time {
        let ms = |value: Option<f64>| value.map(|ms| format!("{ms:.1} ms"));
        if let [Some(before), Some(after)] = time.ms_per_move.map(ms) {
            let _ = writeln!(
                text,
                "{} thought for {before} per move before, and for {after} now",
                time.engine
            );
        }
    }
    for (engines, place) in
        [(&comparison.only_in_first, "first"), (&comparison.only_in_second, "second")]
    {
        if !engines.is_empty() {
            let _ = writeln!(text, "only in the {place} tournament: {}", engines.join(", "));
        }
    }
    text
}

/// The table of one kind, with faults if there are any.
fn table(changes: &[Change], width: usize) -> comfy_table::Table {
    let faulty = changes.iter().any(|change| change.faults != [0, 0]);
    let mut header = vec!["#", "engine", "Elo", "now", "change", "95 % interval", "stronger %"];
    if faulty {
        header.push("faults");
    }
    let rows = changes.iter().enumerate().map(|(index, change)| {
        let (low, high) = (change.change.elo_low, change.change.elo_high);
        let mut row = vec![
            (index + 1).to_string(),
            change.engine.clone(),
            figures::signed(change.first.elo),
            figures::signed(change.second.elo),
            figures::signed(change.change.elo),
            format!("{} … {}", figures::signed(low), figures::signed(high)),
            change.stronger.map_or(String::new(), figures::percent),
        ];
        if faulty {
            let [before, after] = change.faults;
            row.push(format!("{before} → {after}"));
        }
        row
    });
    table::fit_to_width(&header, &rows.collect::<Vec<_>>(), width, &EXPENDABLE)
}

/// The columns that a narrow terminal omits, the least important first. The sentences repeat the
/// probability.
const EXPENDABLE: [&[&str]; 4] =
    [&["stronger %"], &["Elo", "now"], &["faults"], &["95 % interval"]];

/// Whether an engine has changed.
fn in_words(change: &Change) -> String {
    let Change { engine, kind, .. } = change;
    let place = verdict::place(*kind);
    match change.stronger {
        None => format!("{engine}: a change {place} cannot be determined"),
        Some(stronger) if !change.is_certain => {
            let stronger = verdict::percent(stronger);
            format!("undecided whether {engine} has changed {place} (LOS {stronger})")
        }
        Some(stronger) => {
            let certainty = verdict::percent(stronger.max(1.0 - stronger));
            match (change.is_same_program, stronger > 0.5) {
                (false, true) => format!("{engine} is stronger than before {place} ({certainty})"),
                (false, false) => format!("{engine} is weaker than before {place} ({certainty})"),
                (true, up) => format!(
                    "{engine} is rated {} than before {place} ({certainty}), but is the same program \
                     with the same options: its field has changed, or it is chance",
                    if up { "higher" } else { "lower" }
                ),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::comparison::TimeChange;
    use fanorona_ratings::Estimate;
    use fanorona_ratings::kind::Kind;

    fn change(engine: &str, elo: f64, stronger: f64) -> Change {
        let around = |elo: f64| Estimate {
            elo: Some(elo),
            elo_low: Some(elo - 30.0),
            elo_high: Some(elo + 30.0),
        };
        Change {
            kind: Kind::Vela.into(),
            engine: engine.to_owned(),
            first: around(0.0),
            second: around(elo),
            change: around(elo),
            stronger: Some(stronger),
            is_certain: !(0.025..=0.975).contains(&stronger),
            is_same_program: engine == "field",
            games: [10, 10],
            faults: [0, 0],
        }
    }

    fn comparison() -> Comparison {
        Comparison {
            changes: vec![
                change("up", 50.0, 0.99),
                change("same", 1.0, 0.52),
                change("down", -51.0, 0.008),
                change("field", 60.0, 0.999),
            ],
            time: vec![TimeChange { engine: "up".into(), ms_per_move: [Some(49.96), Some(20.0)] }],
            only_in_first: vec!["gone".into()],
            only_in_second: Vec::new(),
            notes: Vec::new(),
        }
    }

    #[test]
    fn changed_files_are_named() {
        let text = text(&comparison(), None);
        for line in [
            "up is stronger than before in vela (99.0 %)",
            "undecided whether same has changed in vela (LOS 52.0 %)",
            "down is weaker than before in vela (99.2 %)",
            "field is rated higher than before in vela (99.9 %), but is the same program with the same \
             options: its field has changed, or it is chance",
            "up thought for 50.0 ms per move before, and for 20.0 ms now",
            "only in the first tournament: gone",
        ] {
            assert!(text.lines().any(|said| said == line), "{line}\n{text}");
        }
        assert!(text.contains("+20 … +80") && !text.contains("faults"), "{text}");
        let mut table = text.lines().take_while(|line| !line.is_empty());
        assert!(table.all(|line| line.chars().count() <= 80), "{text}");
    }

    #[test]
    fn a_narrow_terminal_has_the_change_alone() {
        let head = |width| {
            let text = text(&comparison(), width);
            text.lines().nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(head(Some(80)), head(None));
        assert_eq!(head(Some(55)), "# engine Elo now change 95 % interval");
        assert_eq!(head(Some(40)), "# engine change 95 % interval");
        assert_eq!(head(Some(20)), "# engine change");
    }

    #[test]
    fn programs_read_the_same() {
        let value: serde_json::Value = serde_json::from_str(&json(&comparison())).unwrap();
        assert_eq!(value["changes"][0]["kind"], "vela");
        assert_eq!(value["changes"][0]["change"]["elo_low"], 20.0);
        assert_eq!(value["only_in_first"][0], "gone");
    }
}
