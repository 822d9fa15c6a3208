//! The lock files of the workspaces beside this one, which other checks build with `--locked`, name the
//! dependencies that the packages of this one have now.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use toml::Table;

/// The workspaces with lock files of their own.
const OTHERS: [&str; 5] =
    [".ci/fuzz", ".ci/instructions", "arena/pages/web", "bots/python", "bots/web"];

fn read(path: &str) -> Table {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap().parse().unwrap()
}

/// The dependencies of a package, those of tests aside: all, and those that are not optional.
fn dependencies(manifest: &Table) -> [BTreeSet<String>; 2] {
    let of = |table: Option<&toml::Value>| table.and_then(toml::Value::as_table).cloned();
    let targets = of(manifest.get("target")).unwrap_or_default();
    let targets = targets.values().map(|target| of(target.get("dependencies")));
    let own = ["dependencies", "build-dependencies"].map(|kind| of(manifest.get(kind)));
    let tables = own.into_iter().chain(targets).flatten();
    let all: Vec<(String, toml::Value)> = tables.flatten().collect();
    let is_needed =
        |value: &toml::Value| value.get("optional").and_then(toml::Value::as_bool) != Some(true);
    let needed = all.iter().filter(|(_, value)| is_needed(value)).map(|(name, _)| name.clone());
    [all.iter().map(|(name, _)| name.clone()).collect(), needed.collect()]
}

#[test]
fn lock_files_of_other_workspaces_are_current() {
    let workspace = read("Cargo.toml");
    let mut compared = 0;
    for other in OTHERS {
        let lock = read(&format!("{other}/Cargo.lock"));
        for package in lock["package"].as_array().unwrap() {
            let name = package["name"].as_str().unwrap();
            let path = workspace["workspace"]["dependencies"].get(name);
            let Some(path) = path.and_then(|it| it.get("path")?.as_str()) else { continue };
            let listed = package.get("dependencies").and_then(toml::Value::as_array);
            let listed = listed.into_iter().flatten().map(|it| it.as_str().unwrap());
            let listed: BTreeSet<_> =
                listed.map(|it| it.split(' ').next().unwrap().to_owned()).collect();
            let [all, needed] = dependencies(&read(&format!("{path}/Cargo.toml")));
            assert!(
                needed.is_subset(&listed) && listed.is_subset(&all),
                "{other}/Cargo.lock is not current for {name}: run `cargo update --workspace` there"
            );
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}
