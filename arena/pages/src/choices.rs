//! The boards and the rule switches among which a page lets people choose.

use fanorona_protocol::rules::{BoardSize, Start};
use serde::Serialize;

/// A board that games can begin on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BoardView {
    name: String,
    /// The name that players give it, if they give it one.
    named: Option<&'static str>,
    left_right: bool,
    columns: usize,
    rows: usize,
    /// The first position of a riatra.
    start: String,
}

/// `/api/boards`: every board, the usual ones first.
pub(crate) fn boards() -> Vec<BoardView> {
    const NAMED: [(BoardSize, &str); 3] =
        [(BoardSize::TSIVY, "Tsivy"), (BoardSize::DIMY, "Dimy"), (BoardSize::TELO, "Telo")];
    let name_of = |start| {
        NAMED.into_iter().find(|(size, _)| Start::Usual(*size) == start).map(|(_, name)| name)
    };
    let named = NAMED.map(|(size, _)| Start::Usual(size));
    let others = BoardSize::all().map(Start::Usual).filter(|start| !named.contains(start));
    let starts = named.into_iter().chain(others).chain(BoardSize::all().map(Start::LeftRight));
    let boards = starts.map(|start| {
        let size = start.riatra().board().size();
        BoardView {
            name: start.to_string(),
            named: name_of(start),
            left_right: matches!(start, Start::LeftRight(_)),
            columns: size.columns(),
            rows: size.rows(),
            start: start.riatra().to_string(),
        }
    });
    boards.collect()
}

/// A rule switch: its word and its values, the default first. The pages say what each does.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Switch {
    word: &'static str,
    values: &'static [&'static str],
    default: &'static str,
}

/// The rule switches that a person can choose (protocol/UGI.md, "Rule switches").
const SWITCHES: [Switch; 7] = [
    Switch { word: "forced-continuation", values: &["off", "on"], default: "off" },
    Switch { word: "single-first-capture", values: &["off", "on"], default: "off" },
    Switch { word: "blocked-is-draw", values: &["off", "on"], default: "off" },
    Switch {
        word: "vela-starved",
        values: &["creditor-loses", "debtor-loses", "paika"],
        default: "creditor-loses",
    },
    Switch { word: "vela-must-offer", values: &["off", "on"], default: "off" },
    Switch { word: "vela-starter", values: &["debtor", "creditor"], default: "debtor" },
    Switch { word: "repetition", values: &["3", "2", "4", "0"], default: "3" },
];

/// `/api/rule-switches`.
pub(crate) fn switches() -> &'static [Switch] {
    &SWITCHES
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Ruleset;

    #[test]
    fn every_switch_is_one_of_the_rules() {
        for Switch { word, values, default, .. } in SWITCHES {
            assert_eq!(values[0], default);
            for value in values {
                let text = match *value {
                    "off" => String::new(),
                    "on" => word.to_owned(),
                    value => format!("{word}={value}"),
                };
                let rules: Ruleset = text.parse().unwrap();
                let changed = rules != Ruleset::default();
                assert_eq!(changed, *value != default, "{text}");
            }
        }
    }
}
