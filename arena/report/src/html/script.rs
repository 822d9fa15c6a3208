//! The page's script: ES modules, which the web server serves as they are, in one inline script.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};

/// The modules, also those that only the pages of the web server use.
static MODULES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/html/script");

/// The module with which a report starts.
const ENTRY: &str = "main.js";

/// The text of a module that the pages of the web server share with the report.
pub fn module(name: &str) -> Option<&'static str> {
    MODULES.get_file(name)?.contents_utf8()
}

/// The script of the page.
pub(super) fn script() -> &'static str {
    static SCRIPT: LazyLock<String> =
        LazyLock::new(|| bundle(in_order(ENTRY).into_iter().map(|(_, text)| text)));
    &SCRIPT
}

/// A module and all that it needs, each after those that it imports.
fn in_order(entry: &'static str) -> Vec<(&'static str, &'static str)> {
    fn add(name: &'static str, found: &mut Vec<(&'static str, &'static str)>) {
        if found.iter().any(|(known, _)| *known == name) {
            return;
        }
        let text = module(name).unwrap_or_else(|| panic!("there is no module {name}"));
        for imported in text.lines().filter_map(imported) {
            add(imported, found);
        }
        found.push((name, text));
    }
    let mut found = Vec::new();
    add(entry, &mut found);
    found
}

/// The module from which a line imports.
fn imported(line: &str) -> Option<&str> {
    let (_, from) = line.strip_prefix("import ")?.split_once(" from './")?;
    from.strip_suffix("';")
}

/// Joins modules in one scope. A page without a server cannot import modules, because a browser
/// treats every file as an origin of its own. Imports are lines of their own, and exports stand
/// directly before a declaration, so lines are enough to tell them apart.
fn bundle<'m>(modules: impl IntoIterator<Item = &'m str>) -> String {
    let mut out = String::from("(() => {\n'use strict';\n");
    for line in modules.into_iter().flat_map(str::lines) {
        if !line.starts_with("import ") {
            out.push_str(line.strip_prefix("export ").unwrap_or(line));
            out.push('\n');
        }
    }
    out.push_str("})();\n");
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn modules_share_one_scope() {
        let first = "// One.\nexport const ONE = 1;\nexport function two() {\n  return 2;\n}\n";
        let second = "import { ONE, two } from './first.js';\n\nconsole.log(ONE, two());";
        assert_eq!(
            bundle([first, second]),
            "(() => {\n'use strict';\n// One.\nconst ONE = 1;\nfunction two() {\n  return 2;\n}\n\n\
             console.log(ONE, two());\n})();\n"
        );
    }

    /// The name that a line declares in the scope of its module.
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let line = line.strip_prefix("async ").unwrap_or(line);
        let mut words =
            line.split(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter)));
        let is_declaration = ["const", "let", "class", "function"].contains(&words.next()?);
        words.next().filter(|name| is_declaration && !name.is_empty())
    }

    #[test]
    fn the_modules_fit_into_one_scope() {
        let (mut files, mut names) = (HashSet::new(), HashSet::new());
        for (file, text) in in_order(ENTRY) {
            for line in text.lines() {
                if line.starts_with("import ") {
                    let from = imported(line).unwrap_or_else(|| panic!("{file}: {line}"));
                    assert!(line.starts_with("import {") && files.contains(from), "{file}: {line}");
                    assert!(!line.contains(" as "), "{file}: {line}");
                }
                if let Some(name) = declared(line) {
                    assert!(names.insert(name), "{file} declares {name} once more");
                }
            }
            assert!(files.insert(file), "{file} comes twice");
        }
        assert!(names.contains("Board") && names.contains("$"), "{names:?}");
        // Only a person's own moves need it.
        assert!(module("points.js").is_some() && !files.contains("points.js"), "{files:?}");
        let script = script();
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
    }
}
