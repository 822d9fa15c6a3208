//! The page's script: ES modules, which the web server serves as they are, in one inline script.

use std::sync::LazyLock;

/// The modules of the page, each after those that it imports.
const MODULES: [(&str, &str); 16] = [
    ("dom.js", include_str!("script/dom.js")),
    ("position.js", include_str!("script/position.js")),
    ("board.js", include_str!("script/board.js")),
    ("motion.js", include_str!("script/motion.js")),
    ("moves.js", include_str!("script/moves.js")),
    ("graph.js", include_str!("script/graph.js")),
    ("viewer_parts.js", include_str!("script/viewer_parts.js")),
    ("viewer.js", include_str!("script/viewer.js")),
    ("files.js", include_str!("script/files.js")),
    ("fgn.js", include_str!("script/fgn.js")),
    ("list.js", include_str!("script/list.js")),
    ("cells.js", include_str!("script/cells.js")),
    ("tabs.js", include_str!("script/tabs.js")),
    ("frame.js", include_str!("script/frame.js")),
    ("theme.js", include_str!("script/theme.js")),
    ("main.js", include_str!("script/main.js")),
];

/// A module that the page lacks, because only a person's own moves need it.
const POINTS: (&str, &str) = ("points.js", include_str!("script/points.js"));

/// The text of a module that the pages of the web server share with the report.
pub fn module(name: &str) -> Option<&'static str> {
    MODULES.iter().chain([&POINTS]).find(|(file, _)| *file == name).map(|(_, text)| *text)
}

/// The script of the page.
pub(super) fn script() -> &'static str {
    static SCRIPT: LazyLock<String> = LazyLock::new(|| bundle(MODULES.map(|(_, text)| text)));
    &SCRIPT
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
        for (file, text) in MODULES {
            for line in text.lines() {
                if let Some((_, from)) = line.split_once(" from './") {
                    let from = from.trim_end_matches("';");
                    assert!(line.starts_with("import {") && files.contains(from), "{file}: {line}");
                    assert!(!line.contains(" as "), "{file}: {line}");
                }
                if let Some(name) = declared(line) {
                    assert!(names.insert(name), "{file} declares {name} once more");
                }
            }
            files.insert(file);
        }
        assert!(names.contains("Board") && names.contains("$"), "{names:?}");
        let script = script();
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
    }
}
