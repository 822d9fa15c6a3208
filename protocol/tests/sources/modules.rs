//! The modules of a package and the dependencies between them, read from its sources. A module has
//! an arrow to another module if it names something from it, in a `use` or in a path.
//!
//! The parser understands only paths: `crate::`, `super::`, `self::` and modules declared in the
//! same file. A re-exported name leads to the module that defines it.

use std::collections::{BTreeMap, BTreeSet};

/// The path of a module below the crate root, like `["rules", "board"]`; empty for `lib.rs`.
type Path = Vec<String>;

/// Returns the display name of a module, like `rules::board`.
fn display_name(module: &[String]) -> String {
    if module.is_empty() { "lib.rs".to_owned() } else { module.join("::") }
}

/// The arrows of a package: each module with the modules from which it names something.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    /// For each module its targets, each with whether only tests use it.
    arrows: BTreeMap<Path, BTreeMap<Path, bool>>,
}

impl Modules {
    /// Parses sources, each with its path below the source folder, like `rules/board.rs`.
    pub(crate) fn read<'s>(sources: impl IntoIterator<Item = (&'s str, &'s str)>) -> Modules {
        let files: BTreeMap<Path, File> =
            sources.into_iter().map(|(name, text)| (module_of(name), File::read(text))).collect();
        let package = Package { files };
        let mut modules = Modules::default();
        for (module, file) in &package.files {
            let in_test_file = module.last().is_some_and(|name| name == "tests");
            let arrows = modules.arrows.entry(module.clone()).or_default();
            for named in &file.paths {
                let Some(target) = package.target(module, named) else { continue };
                // A module is the table of contents of the modules below it, so a re-export of
                // their names is not a dependency.
                let re_exported = named.exported && target.starts_with(module);
                if target != *module && !re_exported {
                    let only_tests = arrows.entry(target).or_insert(true);
                    *only_tests &= named.in_tests || in_test_file;
                }
            }
        }
        modules
    }

    /// Returns every arrow from one room to another with an example. A room is a folder of the
    /// source folder, or a file in it.
    #[allow(dead_code, reason = "only some packages check their rooms")]
    pub(crate) fn between_rooms(&self) -> BTreeMap<(String, String), String> {
        let mut found = BTreeMap::new();
        for (from, arrows) in &self.arrows {
            for to in arrows.keys() {
                if let (Some(one), Some(other)) = (from.first(), to.first())
                    && one != other
                {
                    let example = format!("{} names {}", display_name(from), display_name(to));
                    found.entry((one.clone(), other.clone())).or_insert(example);
                }
            }
        }
        found
    }

    /// Returns all rooms.
    #[allow(dead_code, reason = "only some packages check their rooms")]
    pub(crate) fn rooms(&self) -> BTreeSet<String> {
        self.arrows.keys().filter_map(|module| module.first().cloned()).collect()
    }

    /// Returns the groups of modules that depend on each other outside tests, one text for each
    /// group.
    pub(crate) fn circles(&self) -> Vec<String> {
        let reachable: BTreeMap<&Path, BTreeSet<&Path>> =
            self.arrows.keys().map(|module| (module, self.reachable(module))).collect();
        let mut circles = BTreeSet::new();
        for (module, others) in &reachable {
            if others.contains(module) {
                let circle = others.iter().filter(|other| reachable[**other].contains(module));
                let names: Vec<String> = circle.map(|module| display_name(module)).collect();
                circles.insert(names.join(" <-> "));
            }
        }
        circles.into_iter().collect()
    }

    /// Returns the modules that a module depends on outside tests, directly or through others.
    fn reachable(&self, from: &Path) -> BTreeSet<&Path> {
        let (mut found, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            for (target, only_tests) in &self.arrows[module] {
                if !only_tests && found.insert(target) {
                    open.push(target);
                }
            }
        }
        found
    }
}

/// Returns the module of a file: `rules/board.rs` and `rules/board/mod.rs` are `rules::board`.
fn module_of(file: &str) -> Path {
    let mut path: Path = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib")) {
        path.pop();
    }
    path
}

/// A path in a source.
#[derive(Clone, Debug)]
struct NamedPath {
    segments: Vec<String>,
    /// The local name, if a `use` introduces the path.
    name: Option<String>,
    /// The number of inline modules (`mod tests { … }`) around the path.
    depth: usize,
    exported: bool,
    in_tests: bool,
}

/// The paths in one file.
#[derive(Debug)]
struct File {
    paths: Vec<NamedPath>,
}

/// All files, to resolve paths.
struct Package {
    files: BTreeMap<Path, File>,
}

impl Package {
    /// Returns the module a path leads to, or `None` for other crates and for names of the file
    /// itself.
    fn target(&self, module: &[String], named: &NamedPath) -> Option<Path> {
        self.follow(&self.absolute(module, named)?, 0)
    }

    /// Returns the path from the crate root.
    fn absolute(&self, module: &[String], named: &NamedPath) -> Option<Path> {
        let first = named.segments.first()?;
        let supers = named.segments.iter().take_while(|segment| *segment == "super").count();
        let rest = |from: usize| named.segments[from..].iter().cloned();
        match first.as_str() {
            "crate" => Some(rest(1).collect()),
            "super" => {
                // The first `super`s leave inline modules, which are part of their file.
                let up = supers.saturating_sub(named.depth);
                (supers >= named.depth && up <= module.len()).then(|| {
                    module[..module.len() - up].iter().cloned().chain(rest(supers)).collect()
                })
            }
            "self" => (named.depth == 0).then(|| module.iter().cloned().chain(rest(1)).collect()),
            _ => {
                let child: Path = module.iter().chain([first]).cloned().collect();
                let is_child = named.depth == 0 && self.files.contains_key(&child);
                is_child.then(|| module.iter().cloned().chain(rest(0)).collect())
            }
        }
    }

    /// Returns the module that defines the name at the end of a path.
    fn follow(&self, path: &[String], hops: usize) -> Option<Path> {
        let length = (0..=path.len()).rev().find(|&n| self.files.contains_key(&path[..n]))?;
        let module = &path[..length];
        let Some(name) = path.get(length) else { return Some(module.to_vec()) };
        let is_it = |named: &&NamedPath| named.exported && named.name.as_ref() == Some(name);
        if let Some(export) = self.files[module].paths.iter().find(is_it)
            && let Some(mut on) = self.absolute(module, export)
            && hops < 9
        {
            on.extend(path[length + 1..].iter().cloned());
            return self.follow(&on, hops + 1);
        }
        Some(module.to_vec())
    }
}

impl File {
    fn read(text: &str) -> File {
        let tokens = tokens(text);
        let mut paths = Vec::new();
        // The inline modules around the current token: the depth of braces at which each ends, and
        // whether it contains tests.
        let (mut inline, mut braces) = (Vec::<(usize, bool)>::new(), 0usize);
        let at = |index: usize| tokens.get(index).map_or("", String::as_str);
        let mut index = 0;
        while index < tokens.len() {
            match at(index) {
                "{" => braces += 1,
                "}" => {
                    braces = braces.saturating_sub(1);
                    inline.pop_if(|(end, _)| *end == braces);
                }
                "mod" if at(index + 2) == "{" => inline.push((braces, at(index + 1) == "tests")),
                "use" => {
                    let end = (index..tokens.len()).find(|&i| at(i) == ";").unwrap_or(tokens.len());
                    let exported = matches!(at(index.wrapping_sub(1)), "pub" | ")");
                    let named = NamedPath {
                        segments: Vec::new(),
                        name: None,
                        depth: inline.len(),
                        exported,
                        in_tests: inline.iter().any(|(_, tests)| *tests),
                    };
                    tree(&tokens[index + 1..end], &named, &mut paths);
                    index = end;
                }
                word if is_name(word)
                    && at(index + 1) == "::"
                    && at(index.wrapping_sub(1)) != "::" =>
                {
                    let mut segments = vec![word.to_owned()];
                    while at(index + 1) == "::" && is_name(at(index + 2)) {
                        segments.push(at(index + 2).to_owned());
                        index += 2;
                    }
                    paths.push(NamedPath {
                        segments,
                        name: None,
                        depth: inline.len(),
                        exported: false,
                        in_tests: inline.iter().any(|(_, tests)| *tests),
                    });
                }
                _ => {}
            }
            index += 1;
        }
        File { paths }
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// Collects the paths of a `use`: those of `a::{b, c::d}` are `a::b` and `a::c::d`. Returns the
/// number of tokens it has consumed.
fn tree(tokens: &[String], begun: &NamedPath, found: &mut Vec<NamedPath>) -> usize {
    let mut named = begun.clone();
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match token.as_str() {
            "," | "}" => break,
            "{" => {
                while tokens.get(index).is_some_and(|token| token != "}") {
                    index += 1;
                    index += tree(&tokens[index..], &named, found);
                }
                return index + 1;
            }
            "self" if !named.segments.is_empty() => {}
            "as" => {
                named.name = tokens.get(index + 1).cloned();
                index += 1;
            }
            word if is_name(word) => {
                named.segments.push(word.to_owned());
                named.name = Some(word.to_owned());
            }
            _ => {}
        }
        index += 1;
    }
    if named.segments.len() > begun.segments.len() || index > 0 {
        found.push(named);
    }
    index
}

/// Returns the words and signs of a source without comments, strings and character literals.
fn tokens(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let at = |index: usize| letters.get(index).copied().unwrap_or('\0');
    let mut tokens = Vec::new();
    let mut index = 0;
    while index < letters.len() {
        let letter = at(index);
        if letter == '/' && at(index + 1) == '/' {
            while index < letters.len() && at(index) != '\n' {
                index += 1;
            }
        } else if letter == 'r'
            && (at(index + 1) == '"' || at(index + 1) == '#' && matches!(at(index + 2), '"' | '#'))
        {
            let signs = (index + 1..).take_while(|&i| at(i) == '#').count();
            index += signs + 2;
            while index < letters.len()
                && !(at(index) == '"' && (1..=signs).all(|sign| at(index + sign) == '#'))
            {
                index += 1;
            }
            index += signs + 1;
        } else if letter == '"' {
            index += 1;
            while index < letters.len() && at(index) != '"' {
                index += if at(index) == '\\' { 2 } else { 1 };
            }
            index += 1;
        } else if letter == '\'' && (at(index + 1) == '\\' || at(index + 2) == '\'') {
            index += if at(index + 1) == '\\' { 3 } else { 2 };
            while index < letters.len() && at(index) != '\'' {
                index += 1;
            }
            index += 1;
        } else if letter.is_alphanumeric() || letter == '_' {
            let begin = index;
            while at(index).is_alphanumeric() || at(index) == '_' {
                index += 1;
            }
            tokens.push(letters[begin..index].iter().collect());
        } else if letter == ':' && at(index + 1) == ':' {
            tokens.push("::".to_owned());
            index += 2;
        } else {
            if !letter.is_whitespace() {
                tokens.push(letter.to_string());
            }
            index += 1;
        }
    }
    tokens
}
