//! Finds a key's line in a config that was read before, for error messages about it.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The line, from 1, that sets an engine's option. `None` if the config does not set it.
pub fn option_line(text: &str, engine: &str, option: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let options = value(engine_table(document.get_ref(), engine)?, "options").and_then(table)?;
    line(text, options, |key| key.eq_ignore_ascii_case(option))
}

/// The line, from 1, that sets a key for an engine: in its own table, or else for all engines. `None`
/// if the config sets it for neither.
pub fn key_line(text: &str, engine: &str, key: &str) -> Option<usize> {
    let document = DeTable::parse(text).ok()?;
    let top = document.get_ref();
    let tables = engine_table(top, engine).into_iter().chain([top]);
    tables.into_iter().find_map(|table| line(text, table, |found| found == key))
}

/// The table of the engine, or of the oracle, with a name.
fn engine_table<'t>(top: &'t DeTable<'_>, engine: &str) -> Option<&'t DeTable<'t>> {
    let engines = value(top, "engine").and_then(|value| match value {
        DeValue::Array(tables) => Some(tables.iter().map(Spanned::get_ref).collect()),
        _ => None,
    });
    let engines: Vec<&DeValue> = engines.unwrap_or_default();
    let oracle = value(top, "adjudication").and_then(table).and_then(|it| value(it, "oracle"));
    let mut tables = engines.into_iter().chain(oracle).filter_map(table);
    let is_named =
        |it: &&DeTable| matches!(value(it, "name"), Some(DeValue::String(name)) if name == engine);
    tables.find(is_named)
}

/// The line of the key in a table that fits.
fn line(text: &str, table: &DeTable<'_>, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let (key, _) = table.iter().find(|(key, _)| fits(key.get_ref()))?;
    Some(1 + text[..key.span().start].matches('\n').count())
}

fn value<'t>(table: &'t DeTable<'_>, key: &str) -> Option<&'t DeValue<'t>> {
    table.iter().find(|(found, _)| *found.get_ref() == key).map(|(_, value)| value.get_ref())
}

fn table<'t>(value: &'t DeValue<'t>) -> Option<&'t DeTable<'t>> {
    match value {
        DeValue::Table(table) => Some(table),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_found_in_every_form() {
        let text = "\
# a comment
[[engine]]
name = \"a\"
options = { Hash = 1, Threads = 2 }
[[engine]]
name = \"b\"
[engine.options]
Hash = 1
\"Multi PV\" = 3
[adjudication.oracle]
name = \"sage\"
options = { EndgameTables = \"x\" }
";
        assert_eq!(option_line(text, "a", "Threads"), Some(4));
        assert_eq!(option_line(text, "b", "hash"), Some(8));
        assert_eq!(option_line(text, "b", "Multi PV"), Some(9));
        assert_eq!(option_line(text, "sage", "EndgameTables"), Some(12));
        for (engine, option) in [("b", "Threads"), ("c", "Hash")] {
            assert_eq!(option_line(text, engine, option), None);
        }
        assert_eq!(option_line("no toml", "a", "Hash"), None);
    }

    #[test]
    fn keys_are_found_for_one_engine_and_for_all() {
        let text = "cpus = \"0\"\nsandbox = \"none\"\n[[engine]]\nname = \"a\"\ncpus = \"1\"\n";
        assert_eq!(key_line(text, "a", "cpus"), Some(5));
        assert_eq!(key_line(text, "b", "cpus"), Some(1));
        assert_eq!(key_line(text, "a", "sandbox"), Some(2));
        assert_eq!(key_line(text, "a", "suspend"), None);
    }
}
