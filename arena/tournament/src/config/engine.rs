//! Reads the `[[engine]]` tables.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

use toml::de::DeValue;

use fanorona_protocol::messages::Dialect;

use super::engine_option::check as option;
use super::error::Problem;
use super::limit::{EXAMPLES, Limit};
use super::sweep;
use super::table::{Errors, Pair, Table};
use super::tournament::EngineConfig;
use crate::text::safe_text;
use crate::text::table::FORMULA;

/// The maximum length of a name, in characters.
const MAX_NAME: usize = 100;

/// The most times that engines can be added to a tournament.
const MAX_JOINED: u32 = 1000;

/// The expected values of `memory`, `disk` and `cpus`, for engines and for the tournament.
pub(super) const MEMORY: &str = "a string, like \"512MB\", \"2GiB\" or \"none\"";
pub(super) const CPUS: &str = "a string, like \"0-3,6\" or \"any\"";

/// The ranges of `max_processes` and `max_files`, for engines and for the tournament. A program in
/// a language with its own runtime has dozens of threads and several open files.
pub(super) const PROCESSES: RangeInclusive<u32> = 1..=4_194_304;
pub(super) const FILES: RangeInclusive<u32> = 64..=1_000_000_000;

/// The engines, in the order of the text. `others` take part as well.
pub(super) fn engines<'c>(
    top: &mut Table<'c>,
    others: &[EngineConfig],
    errors: &'c Errors,
) -> Vec<EngineConfig> {
    let each = "an [[engine]] table with name and command for each of at least two engines";
    let Some(value) = top.take("engine") else {
        top.missing("[[engine]]", each);
        return Vec::new();
    };
    let DeValue::Array(array) = value.get_ref() else {
        top.wrong_type("engine", value, "an array of tables, [[engine]] with two brackets");
        return Vec::new();
    };
    if array.is_empty() {
        top.missing("[[engine]]", each);
    }
    let mut engines: Vec<EngineConfig> = Vec::new();
    let mut names: HashSet<String> = others.iter().map(|engine| engine.name.clone()).collect();
    let mut only: Vec<(String, Option<Range<usize>>)> = Vec::new();
    for (index, entry) in array.iter().enumerate() {
        let DeValue::Table(table) = entry.get_ref() else {
            top.wrong_type("engine", entry, "a table, [[engine]]");
            continue;
        };
        let number = format!("[[engine]] {}", index + 1);
        let mut table = Table::new(number, Some(entry.span()), table, errors);
        let mut engine = engine(&mut table);
        engine.family = table.parsed("family", "a string, the name of a family", name);
        let opponents = "an array of strings, names of engines or families";
        engine.only = table.strings("only", opponents).unwrap_or_default();
        engine.joined = table.small("joined", 0..=MAX_JOINED).unwrap_or_default();
        only.extend(engine.only.iter().map(|name| (name.clone(), table.span_of("only"))));
        for engine in sweep::expanded(&mut table, engine, errors) {
            if !engine.name.is_empty() && !names.insert(engine.name.clone()) {
                let reason =
                    format!("two engines are named {:?}: give each a unique name", engine.name);
                table.refuse("name", reason);
            }
            engines.push(engine);
        }
        table.finish();
    }
    for (name, span) in only {
        if !others.iter().chain(&engines).any(|engine| engine.is_called(&name)) {
            let reason = format!("no engine or family is named {name:?}");
            errors.add(span, Problem::Refused { key: "only".into(), reason });
        }
    }
    engines
}

/// Reads one engine table.
pub(super) fn engine(table: &mut Table) -> EngineConfig {
    let mut engine = EngineConfig::new("", "");
    match table.parsed("name", "a string", name) {
        Some(name) => engine.name = name,
        None if !table.has("name") => {
            table.missing("name", "name = \"…\", the engine's name in results")
        }
        None => {}
    }
    match table.parsed("command", "a string, the program", command) {
        Some(command) => engine.command = command,
        None if !table.has("command") => {
            table.missing("command", "command = \"…\", a bot's name or the path of a program");
        }
        None => {}
    }
    engine.args = table.strings("args", "an array of strings").unwrap_or_default();
    if engine.args.iter().any(|arg| arg.contains('\0')) {
        table.refuse("args", "an argument cannot contain a NUL character");
    }
    engine.dir = table.parsed("dir", "a string, the path of a directory", directory);
    engine.env = env(table);
    let names = "an array of strings, names of environment variables";
    engine.inherit_env = table.strings("inherit_env", names).unwrap_or_default();
    if let Some(name) = engine.inherit_env.iter().find(|name| !is_variable(name)) {
        table.refuse(
            "inherit_env",
            format!("{name:?} is not a valid name of an environment variable"),
        );
    }
    let directories = "an array of strings, paths of directories";
    for dir in table.strings("writable", directories).unwrap_or_default() {
        match directory(&dir) {
            Ok(dir) => engine.writable.push(dir),
            Err(_) => {
                table.refuse("writable", format!("{dir:?} is not a valid path of a directory"))
            }
        }
    }
    let files = "an array of strings, paths of files";
    for file in table.strings("files", files).unwrap_or_default() {
        match directory(&file) {
            Ok(file) => engine.files.push(file),
            Err(_) => table.refuse("files", format!("{file:?} is not a valid path of a file")),
        }
    }
    engine.memory = table.parsed("memory", MEMORY, str::parse);
    engine.cpus = table.parsed("cpus", CPUS, str::parse);
    engine.sandbox = table.choice("sandbox");
    engine.sandbox_network = table.boolean("sandbox_network");
    engine.suspend = table.choice("suspend");
    engine.ponder = table.boolean("ponder");
    engine.identity = table.choice("identity");
    engine.max_processes = table.small("max_processes", PROCESSES);
    engine.max_files = table.small("max_files", FILES);
    engine.disk = table.parsed("disk", MEMORY, str::parse);
    engine.options = options(table);
    engine.limit = table.parsed("limit", EXAMPLES, str::parse::<Limit>);
    engine.legal_moves = table.boolean("legal_moves").unwrap_or(false);
    let dialect = table.word("dialect", &Dialect::ALL, Dialect::handshake);
    engine.dialect = dialect.unwrap_or_default();
    engine
}

fn name(name: &str) -> Result<String, String> {
    let problem = if name.is_empty() {
        "the name is empty".to_owned()
    } else if name.chars().count() > MAX_NAME {
        format!("the name is too long: use at most {MAX_NAME} characters")
    } else if name.contains(safe_text::is_unsafe) {
        "a name cannot contain line breaks, control characters or invisible characters".to_owned()
    } else if name.trim() != name {
        "a name cannot begin or end with a space".to_owned()
    } else if name.starts_with(FORMULA) {
        "a name cannot begin with =, +, - or @: spreadsheets take such cells of the results for \
         formulas"
            .to_owned()
    } else {
        return Ok(name.to_owned());
    };
    Err(problem)
}

fn command(command: &str) -> Result<String, &'static str> {
    match command {
        "" => Err("the command is empty: name a program"),
        _ if command.contains('\0') => Err("a path cannot contain a NUL character"),
        _ => Ok(command.to_owned()),
    }
}

fn directory(dir: &str) -> Result<std::path::PathBuf, &'static str> {
    match dir {
        "" => Err(
            "the path is empty: name a directory, or remove `dir` to use the config's directory",
        ),
        _ if dir.contains('\0') => Err("a path cannot contain a NUL character"),
        _ => Ok(dir.into()),
    }
}

fn is_variable(name: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0'])
}

fn env(table: &mut Table) -> Vec<(String, String)> {
    let expected = "a table of strings, like { LANG = \"C\" }";
    let mut env = Vec::new();
    for pair in table.pairs("env", expected).unwrap_or_default() {
        let Pair { key, .. } = pair;
        match pair.value.get_ref() {
            DeValue::String(_) if !is_variable(key) => {
                table.refuse(
                    "env",
                    format!("{key:?} is not a valid name of an environment variable"),
                );
            }
            DeValue::String(text) if text.contains('\0') => {
                table.refuse("env", format!("the value of {key} contains a NUL character, which environment variables cannot"));
            }
            DeValue::String(text) => env.push((key.to_owned(), text.to_string())),
            _ => table.wrong_type(key, pair.value, "a string"),
        }
    }
    env
}

fn options(table: &mut Table) -> Vec<(String, String)> {
    let expected = "a table of options, like { Hash = 64 }";
    let mut options: Vec<(String, String)> = Vec::new();
    for pair in table.pairs("options", expected).unwrap_or_default() {
        let Pair { key, .. } = pair;
        let Some(text) = pair.text() else {
            table.wrong_type(key, pair.value, "a string, a number, true or false");
            continue;
        };
        match option(key, &text) {
            Err(reason) => table.refuse_at(pair.span, key, reason),
            Ok(()) if options.iter().any(|(other, _)| other.eq_ignore_ascii_case(key)) => {
                table.refuse_at(
                    pair.span,
                    key,
                    "the option is set twice (option names ignore case)",
                );
            }
            Ok(()) => options.push((key.to_owned(), text)),
        }
    }
    options
}
