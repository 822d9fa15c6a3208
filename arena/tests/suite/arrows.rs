//! The arrows between the arena's packages, which Cargo holds, are those of the plan; and no modules of
//! a package use each other in a circle, which the compiler allows.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::modules::Modules;
use crate::sources::{self, forbid};

/// The packages of the arena, each with those that it may use.
const MAY_USE: [(&str, &[&str]); 11] = [
    (
        ".",
        &[
            "serve",
            "pages",
            "league",
            "cluster",
            "check",
            "runner",
            "report",
            "engine",
            "tournament",
            "ratings",
            "protocol",
        ],
    ),
    ("serve", &["pages", "runner", "report", "engine", "tournament", "ratings", "protocol"]),
    ("pages", &["report", "tournament", "ratings", "protocol"]),
    ("league", &["report", "tournament", "ratings", "protocol"]),
    ("cluster", &["runner", "engine", "tournament", "ratings", "protocol"]),
    ("check", &["engine", "tournament", "protocol"]),
    ("runner", &["engine", "tournament", "ratings", "protocol"]),
    ("report", &["tournament", "ratings", "protocol"]),
    ("engine", &["tournament", "protocol"]),
    ("tournament", &["ratings", "protocol"]),
    ("ratings", &[]),
];

/// Crates that only one package may use, as they are about what a system can do to a process.
const OF_ENGINE: [&str; 4] = ["landlock", "seccompiler", "close_fds", "command-fds"];

/// The dependencies of a package of the arena, without those of its tests.
fn dependencies(package: &str) -> BTreeSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(package).join("Cargo.toml");
    let manifest: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
    manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
}

#[test]
fn packages_use_only_those_below_them() {
    for (package, allowed) in MAY_USE {
        for used in dependencies(package) {
            let Some(name) = used.strip_prefix("fanorona-") else { continue };
            assert!(allowed.contains(&name), "{package} may not use {name}");
        }
    }
}

#[test]
fn only_the_engine_package_knows_the_sandbox() {
    for (package, _) in MAY_USE.iter().filter(|(package, _)| *package != "engine") {
        let used = dependencies(package);
        let wrong: Vec<_> = OF_ENGINE.iter().filter(|name| used.contains(**name)).collect();
        assert!(wrong.is_empty(), "{package} uses {wrong:?}");
    }
}

#[test]
fn results_are_read_without_a_process_or_a_runtime() {
    for package in ["fanorona-tournament", "fanorona-report", "fanorona-pages"] {
        let arguments = ["tree", "--offline", "--edges", "normal", "--prefix", "none", "--package"];
        let tree = Command::new(env!("CARGO"))
            .args(arguments)
            .arg(package)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let text = String::from_utf8(tree.stdout).unwrap();
        let names: BTreeSet<&str> =
            text.lines().filter_map(|line| line.split(' ').next()).collect();
        assert!(names.contains("fanorona-ratings"), "{text}{:?}", tree.stderr);
        for name in ["tokio", "nix", "fanorona-engine"] {
            assert!(!names.contains(name), "{package} depends on {name}");
        }
    }
}

#[test]
fn only_main_exits_and_only_commands_and_terminal_output_print() {
    for (package, _) in MAY_USE {
        let exceptions = ["arena/src/commands/", "arena/src/terminal/output.rs"];
        let words = ["println!", "print!", "process::exit"];
        forbid(&format!("{package}/src"), &exceptions, &words);
    }
}

#[test]
fn pages_need_no_file_of_one_system() {
    // Wine finds some of Linux's under the same names, so that no test would notice.
    let words = ["\"/dev/", "\"/proc/", "\"/sys/"];
    for package in ["serve", "league", "report", "pages", "ratings"] {
        forbid(&format!("{package}/src"), &[], &words);
    }
}

#[test]
fn no_modules_use_each_other_in_a_circle() {
    for (package, _) in MAY_USE {
        let sources = sources::texts(&format!("{package}/src"));
        let texts = sources.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let circles = Modules::read(texts).circles();
        assert!(circles.is_empty(), "{package}: {}", circles.join("\n"));
    }
}

#[test]
fn a_circle_is_found() {
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
