//! Scripts: ES modules in one text, as a page without a server cannot import them, and one request
//! is faster than forty.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use include_dir::{Dir, include_dir};

use crate::messages;

/// The modules, also those that only the pages use.
static MODULES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/src/html/script");

/// The module with which a report starts.
const ENTRY: &str = "main.js";

/// The text of a module that the pages share with the report.
pub fn module(name: &str) -> Option<&'static str> {
    if name == "en.json" {
        return Some(messages::ENGLISH);
    }
    MODULES.get_file(name)?.contents_utf8()
}

/// The script of the report.
pub(super) fn script() -> &'static str {
    static SCRIPT: LazyLock<String> =
        LazyLock::new(|| Modules::of([ENTRY], Needs::All, module).program(ENTRY));
    &SCRIPT
}

/// Loads a module once, when it is first needed. Those that are imported later may follow in the page, or be
/// in another script, which comes with a style sheet: the element of the program names them as its
/// `data-later` and `data-style`. They wait for `$beside`, too, if the program sets that.
const LOADER: &str = "const $loaded = new Map();
self.$load = (name) => {
if (!$loaded.has(name)) $loaded.set(name, $modules[name]());
return $loaded.get(name);
};
const $from = document.currentScript?.dataset;
const $add = (element) => new Promise((done, failed) => {
element.onload = done;
element.onerror = () => failed(new Error(`${element.src ?? element.href} cannot be loaded`));
document.head.append(element);
});
const $page = new Promise((done) => {
if (document.readyState !== 'loading') done();
addEventListener('DOMContentLoaded', done);
});
let $more = null;
self.$import = async (name) => {
if (!(name in $modules)) await $page;
if (!(name in $modules)) await ($more ??= Promise.all([
self.$beside,
$add(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: $from.style })),
$add(Object.assign(document.createElement('script'), { src: $from.later })),
]).catch((error) => {
$more = null;
throw error;
}));
return $load(name);
};
";

/// The modules that go with a module, among those that it imports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// All.
    All,
    /// The modules without which it cannot begin.
    AtOnce,
}

/// A module and those that it needs, as one text for a browser. Each becomes a function that returns its
/// exports. Imports are lines of their own, exports stand directly before a declaration and are never
/// assigned again, and only the entry of a program may wait at its top level; so lines are enough to tell
/// them apart. Comments and indentation stay behind. A module of JSON is its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Modules(BTreeMap<String, Cow<'static, str>>);

impl Modules {
    /// Modules with what they need.
    ///
    /// # Panics
    /// Panics if a module does not exist.
    pub fn of<'e>(
        entries: impl IntoIterator<Item = &'e str>,
        needs: Needs,
        text_of: impl Fn(&str) -> Option<&'static str>,
    ) -> Modules {
        let mut found = BTreeMap::new();
        let mut open: Vec<String> = entries.into_iter().map(str::to_owned).collect();
        while let Some(name) = open.pop() {
            if found.contains_key(&name) {
                continue;
            }
            let text = text_of(&name).unwrap_or_else(|| panic!("there is no module {name}"));
            open.extend(text.lines().flat_map(|line| needed(line, needs)).map(str::to_owned));
            found.insert(name, Cow::Borrowed(text));
        }
        Modules(found)
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Removes the modules that are among others.
    pub fn without(mut self, others: &Modules) -> Modules {
        self.0.retain(|name, _| !others.0.contains_key(name));
        self
    }

    /// The same with another text of one of them.
    pub fn with(mut self, name: &str, text: String) -> Modules {
        self.0.insert(name.to_owned(), Cow::Owned(text));
        self
    }

    /// The text of modules that are loaded after a program.
    pub fn part(&self) -> String {
        self.text(None)
    }

    /// The text of a program, which begins with its entry.
    pub fn program(&self, entry: &str) -> String {
        self.text(Some(entry)) + LOADER + &format!("$load('{entry}');\n")
    }

    fn text(&self, entry: Option<&str>) -> String {
        let mut out = String::from("'use strict';\nObject.assign(self.$modules ??= {}, {\n");
        for (name, text) in &self.0 {
            let waits = if Some(&**name) == entry { "async " } else { "" };
            out.push_str(&format!("{waits}'{name}'() {{\n"));
            match name.ends_with(".json") {
                true => out.push_str(&format!("return {};\n", text.trim())),
                false => body(text, &mut out),
            }
            out.push_str("},\n");
        }
        out + "});\n"
    }
}

/// The modules that a module imports later, when they are asked for.
pub fn imported_later(text: &str) -> impl Iterator<Item = &str> {
    let at_once = |line, name| needed(line, Needs::AtOnce).any(|other| other == name);
    text.lines()
        .flat_map(move |line| needed(line, Needs::All).filter(move |name| !at_once(line, *name)))
}

/// The modules that a line imports.
fn needed(line: &str, needs: Needs) -> impl Iterator<Item = &str> {
    let is_comment = ["//", "*", "/*"].iter().any(|start| line.trim_start().starts_with(start));
    let now = line.strip_prefix("import ").and_then(|line| line.split_once(" from './"));
    let later =
        line.split("import('./").skip(1).filter(move |_| !is_comment && needs == Needs::All);
    now.map(|(_, rest)| rest)
        .into_iter()
        .chain(later)
        .filter_map(|rest| Some(rest.split_once('\'')?.0))
}

/// Appends a module's text as the body of a function.
fn body(text: &str, out: &mut String) {
    let mut exports = Vec::new();
    let mut in_comment = false;
    for line in text.lines().map(str::trim) {
        // A type in a comment may stand before code.
        if line.starts_with("/*") && line.find("*/").is_none_or(|end| end + 2 == line.len()) {
            in_comment = true;
        }
        let skipped = in_comment || line.is_empty() || line.starts_with("//");
        if line.ends_with("*/") {
            in_comment = false;
        }
        if skipped {
            continue;
        }
        let import = line.strip_prefix("import ").and_then(|line| line.split_once(" from './"));
        if let Some((names, from)) = import {
            let names = names.replace(" as ", ": ");
            let from = from.split('\'').next().unwrap_or(from);
            out.push_str(&format!("const {names} = $load('{from}');\n"));
            continue;
        }
        let line = match line.strip_prefix("export ") {
            Some(declaration) => {
                exports.push(declared(declaration));
                declaration
            }
            None => line,
        };
        let parts: Vec<&str> = line.split("import('./").collect();
        out.push_str(parts[0]);
        for part in &parts[1..] {
            let (name, rest) = part.split_once("')").expect("an import names a module");
            out.push_str(&format!("$import('{name}'){rest}"));
        }
        out.push('\n');
    }
    out.push_str(&format!("return {{ {} }};\n", exports.join(", ")));
}

/// The name that a declaration declares.
fn declared(declaration: &str) -> &str {
    let words =
        declaration.split(|letter: char| !(letter.is_alphanumeric() || "_$".contains(letter)));
    let is_name = |word: &&str| !["", "async", "const", "class", "function"].contains(word);
    words.into_iter().find(is_name).expect("a declaration has a name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_functions_of_one_text() {
        let text = |name: &str| match name {
            "one.js" => Some(
                "// One.\nexport const ONE = 1;\n/**\n * @param {number} of\n */\nexport async \
                 function two(of) {\n  return of;\n}\n",
            ),
            "entry.js" => Some(
                "import { ONE, two as second } from './one.js';\n\nconst later = () => \
                 import('./three.js');\nawait second(ONE);",
            ),
            "three.js" => Some(
                "import VALUE from './value.json' with { type: 'json' };\nexport class $Three {}\n",
            ),
            "value.json" => Some("{\n  \"a\": 1\n}\n"),
            _ => None,
        };
        let all = Modules::of(["entry.js"], Needs::All, text);
        let one = "'one.js'() {\nconst ONE = 1;\nasync function two(of) {\nreturn of;\n}\nreturn { ONE, two \
                   };\n},\n";
        let entry = "async 'entry.js'() {\nconst { ONE, two: second } = $load('one.js');\nconst later = () => \
                     $import('three.js');\nawait second(ONE);\nreturn {  };\n},\n";
        let three = "'three.js'() {\nconst VALUE = $load('value.json');\nclass $Three {}\nreturn { $Three \
                     };\n},\n'value.json'() {\nreturn {\n  \"a\": 1\n};\n},\n";
        let begin = "'use strict';\nObject.assign(self.$modules ??= {}, {\n";
        assert_eq!(
            all.program("entry.js"),
            format!("{begin}{entry}{one}{three}}});\n{LOADER}$load('entry.js');\n")
        );
        let first = Modules::of(["entry.js"], Needs::AtOnce, text);
        assert_eq!(all.without(&first).part(), format!("{begin}{three}}});\n"));
    }

    #[test]
    fn the_report_has_its_modules_and_no_other() {
        let script = script();
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
        assert!(script.contains("'board.js'() {"));
        // Only a person's own moves need it.
        assert!(module("points.js").is_some() && !script.contains("points.js"));
    }
}
