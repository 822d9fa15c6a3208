//! Reads the table `[openings]`.

use fanorona_protocol::rules::{Opening, Position, Start};

use super::table::Table;
use super::tournament::{OpeningSource, Tournament};
use fanorona_ratings::kind::Kind;

/// Reads the table. Without one, the default openings are used.
pub(super) fn source(table: &mut Table) -> OpeningSource {
    #[derive(Clone, Copy, PartialEq, strum::IntoStaticStr, strum::VariantArray)]
    #[strum(serialize_all = "lowercase")]
    enum Word {
        Start,
        Named,
        Random,
        File,
    }
    let written = table.choice("source");
    let wrong_source = written.is_none() && table.has("source");
    let source = written.unwrap_or(Word::Random);
    let plies = table.small("plies", 0..=OpeningSource::MAX_PLIES);
    let path = table.string("path", "a string, the path of a file");
    let order = table.choice("order");
    if !wrong_source {
        for (key, owner, its) in [
            ("plies", Word::Random, "random"),
            ("path", Word::File, "file"),
            ("order", Word::File, "file"),
        ] {
            if table.has(key) && source != owner {
                let help = format!("set source = {its:?}, or remove `{key}`");
                table.conflict(
                    key,
                    format!("`{key}` requires source = {its:?} in [openings]"),
                    help,
                );
            }
        }
    }
    match source {
        Word::Start => OpeningSource::Start,
        Word::Named => OpeningSource::Named,
        Word::Random => {
            plies.map_or_else(OpeningSource::default, |plies| OpeningSource::Random { plies })
        }
        Word::File => {
            match &path {
                None if !table.has("path") => {
                    table.missing("path", "path = \"openings.txt\", relative to the config");
                }
                Some(path) if path.is_empty() || path.contains('\0') => {
                    table.refuse("path", "not a valid path of a file");
                }
                _ => {}
            }
            OpeningSource::File {
                path: path.unwrap_or_default().into(),
                order: order.unwrap_or_default(),
            }
        }
    }
}

/// Reports openings that cannot be played on the board or under the rules.
pub(super) fn check(table: &Table, it: &Tournament) {
    match it.openings {
        OpeningSource::Named if it.board != Start::TSIVY => table.conflict(
            "source",
            format!("the named openings require the board tsivy, but the board is {}", it.board),
            "use source = \"random\"",
        ),
        OpeningSource::Named => {
            for (start, kind) in starts(it) {
                let all = Opening::ALL.into_iter();
                let illegal =
                    all.filter_map(|o| Some((o, start.play(&it.rules, &o.first_move()).err()?)));
                if let Some((opening, why)) = illegal.into_iter().next() {
                    let what = format!(
                        "{opening}, {}, is not legal in {kind}: {why}",
                        opening.first_move()
                    );
                    table.conflict("source", what, "use source = \"random\", or change [rules]");
                }
            }
        }
        OpeningSource::Random { plies } if (1..=plies).contains(&it.rules.max_plies) => table
            .conflict(
                "plies",
                format!(
                    "max-plies = {} ends games within their opening of {plies} plies",
                    it.rules.max_plies
                ),
                "set plies in [openings] to less",
            ),
        _ => {}
    }
}

/// The start positions of the configured kinds of game.
fn starts(it: &Tournament) -> Vec<(Position, Kind)> {
    let plays = |kind| it.kinds.iter().any(|&k| k == kind || k == Kind::Session);
    let mut starts = Vec::new();
    if plays(Kind::Riatra) {
        starts.push((it.board.riatra(), Kind::Riatra));
    }
    if plays(Kind::Vela) {
        starts.push((it.board.vela(it.rules.vela_starter), Kind::Vela));
    }
    starts
}
