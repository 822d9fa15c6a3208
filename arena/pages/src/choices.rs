//! The boards and the rule switches among which a page lets people choose.

use fanorona_protocol::rules::{BoardSize, Start};
use serde::Serialize;

/// A board that games can begin on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BoardView {
    name: String,
    title: String,
    columns: usize,
    rows: usize,
}

/// `/api/boards`: every board, the usual ones first.
pub(crate) fn boards() -> Vec<BoardView> {
    let named = [BoardSize::TSIVY, BoardSize::DIMY, BoardSize::TELO].map(Start::Usual);
    let others = BoardSize::all().map(Start::Usual).filter(|start| !named.contains(start));
    let starts = named.into_iter().chain(others).chain(BoardSize::all().map(Start::LeftRight));
    let boards = starts.map(|start| {
        let size = start.riatra().board().size();
        let name = start.to_string();
        let shape = format!("{}×{}", size.columns(), size.rows());
        let title = match start {
            Start::LeftRight(_) => format!("Left-right {shape}"),
            Start::Usual(_) if named.contains(&start) => {
                format!("{}{} {shape}", name[..1].to_uppercase(), &name[1..])
            }
            Start::Usual(_) => shape,
        };
        BoardView { name, title, columns: size.columns(), rows: size.rows() }
    });
    boards.collect()
}

/// A rule switch: its word, its values (the default first), and what it does.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Switch {
    word: &'static str,
    values: &'static [&'static str],
    default: &'static str,
    text: &'static str,
}

/// The rule switches that a person can choose (protocol/UGI.md, "Rule switches").
const SWITCHES: [Switch; 7] = [
    Switch {
        word: "forced-continuation",
        values: &["off", "on"],
        default: "off",
        text: "A capturing stone has to continue while it can.",
    },
    Switch {
        word: "single-first-capture",
        values: &["off", "on"],
        default: "off",
        text: "Each side's first capturing move is a single step.",
    },
    Switch {
        word: "blocked-is-draw",
        values: &["off", "on"],
        default: "off",
        text: "A side without a legal move draws instead of losing.",
    },
    Switch {
        word: "vela-starved",
        values: &["creditor-loses", "debtor-loses", "paika"],
        default: "creditor-loses",
        text: "What happens when the debtor of a vela has nothing to capture.",
    },
    Switch {
        word: "vela-must-offer",
        values: &["off", "on"],
        default: "off",
        text: "The creditor of a vela has to leave a capture if it can.",
    },
    Switch {
        word: "vela-starter",
        values: &["debtor", "creditor"],
        default: "debtor",
        text: "Who has White and moves first in a vela.",
    },
    Switch {
        word: "repetition",
        values: &["3", "2", "4", "0"],
        default: "3",
        text: "The occurrence of a position that is a draw; 0 for never.",
    },
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
