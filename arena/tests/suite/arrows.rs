//! The arrows of the package: between its rooms they lead down, and never round in a circle; the
//! arena never knows the bots, and waits only where it must.

use crate::modules::Modules;
use crate::sources::{self, forbid};

#[test]
fn the_arena_never_knows_the_bots() {
    forbid("src", &[], &["fanorona_bots"]);
}

#[test]
fn only_who_plays_and_who_asks_an_engine_waits() {
    let waiting = [
        "src/tournament/oracle.rs",
        "src/analysis/ask/",
        "src/tournament/runner/",
        "src/game/play.rs",
        "src/engine/",
        "src/check/groups/",
        "src/check/run.rs",
        "src/check/round_trip.rs",
        "src/check/subject.rs",
        "src/check/conversation.rs",
        "src/terminal/out",
        "src/serve/",
        "src/cluster/",
        // It handles scripts, in which the same words occur.
        "src/report/html/script.rs",
        "src/commands/",
    ];
    forbid("src", &waiting, &["tokio", ".await", "async "]);
}

#[test]
fn only_main_exits_and_only_commands_and_terminal_output_print() {
    forbid(
        "src",
        &["src/commands/", "src/terminal/output.rs"],
        &["println!", "print!", "process::exit"],
    );
}

/// The rooms by floors, the top one first. A room may use those on the floors below it.
const FLOORS: [&[&str]; 12] = [
    &["main"],
    &["commands"],
    &["serve"],
    &["report"],
    &["league"],
    &["statistics", "cluster"],
    &["terminal", "notation", "tournament", "analysis"],
    &["record"],
    &["game", "check", "tuning"],
    &["engine", "pairing"],
    &["config"],
    &["text"],
];

/// The rooms that use fewer than their floor allows, with all they may use.
const FEWER: [(&str, &[&str]); 1] = [("check", &["engine", "pairing", "text"])];

/// Every arrow that does not lead down.
fn forbidden(modules: &Modules) -> Vec<String> {
    let floor = |room: &str| FLOORS.iter().position(|rooms| rooms.contains(&room));
    let mut found: Vec<String> =
        modules.rooms().into_iter().filter(|room| floor(room).is_none()).collect();
    found.iter_mut().for_each(|room| room.push_str(" is on no floor"));
    for ((from, to), example) in modules.between_rooms() {
        let few = FEWER.iter().find(|(room, _)| *room == from);
        let may = few.is_none_or(|(_, others)| others.contains(&&*to)) && floor(&from) < floor(&to);
        if !may {
            found.push(format!("{from} may not use {to}: {example}"));
        }
    }
    found
}

#[test]
fn rooms_use_only_those_below_them() {
    let found = forbidden(&modules());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    let circles = modules().circles();
    assert!(circles.is_empty(), "{}", circles.join("\n"));
}

#[test]
fn what_is_forbidden_is_found() {
    let read = |name: &'static str, text: &'static str| {
        let others = [("report/csv.rs", "pub struct Row;"), ("game/play.rs", "")];
        Modules::read(others.into_iter().chain([(name, text)]))
    };
    let ways = [
        "use crate::report::csv::Row;",
        "use crate::{game::play, report::csv::{self, Row}};",
        "use super::super::report::csv as table;",
        "fn row() -> crate::report::csv::Row { crate::report::csv::Row }",
        "mod inner { fn row() { super::super::super::report::csv::row() } }",
        "const LETTER: char = '\"'; use crate::report::csv::Row;",
    ];
    for text in ways {
        let found = forbidden(&read("game/clock.rs", text));
        assert_eq!(found, ["game may not use report: game::clock names report::csv"], "{text}");
    }
    for text in
        ["// crate::report::csv", "const A: &str = \"crate::report::csv\";", "use super::play;"]
    {
        assert_eq!(forbidden(&read("game/clock.rs", text)), [""; 0], "{text}");
    }
    let on_no_floor = forbidden(&read("attic/box.rs", ""));
    assert_eq!(on_no_floor, ["attic is on no floor"]);
    let of_check = forbidden(&read("check/run.rs", "use crate::game::play;"));
    assert_eq!(of_check.len(), 1, "{of_check:?}");
    let circle = Modules::read([
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a/mod.rs", "mod inner; pub use inner::Inner;"),
        ("a/inner.rs", "use crate::b::Beta; pub struct Inner;"),
        ("b.rs", "use crate::c;"),
        ("c.rs", "mod tests { use crate::b::Beta; } fn inner(_: crate::a::Inner) {}"),
    ]);
    assert_eq!(circle.circles(), ["a::inner <-> b <-> c"]);
    let only_tests =
        Modules::read([("b.rs", "use crate::c;"), ("c.rs", "mod tests { use crate::b::Beta; }")]);
    assert_eq!(only_tests.circles(), [""; 0]);
}

/// The modules of the arena.
fn modules() -> Modules {
    let sources = sources::texts("src");
    Modules::read(sources.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}
