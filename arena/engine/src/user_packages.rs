//! Packages that users have installed for themselves. Languages look for them below `HOME`, which
//! is private for an engine, or where a variable of the user's shell says, which an engine does not
//! get unless the config passes it on.

use std::ffi::OsString;
use std::path::PathBuf;

use fanorona_tournament::config::EngineConfig;

/// The variable that names the user's home.
const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// The directory of `pip install --user` below it.
const OF_PYTHON: &str = if cfg!(windows) { "AppData/Roaming/Python" } else { ".local" };

/// The variables that name a directory of packages, each with the directory below the user's home
/// that the language takes without the variable: Python and Node.js.
const DIRECTORIES: [(&str, &str); 2] =
    [("PYTHONUSERBASE", OF_PYTHON), ("NODE_PATH", ".node_modules")];

/// The variables with which an engine finds the packages below the real home in spite of its private
/// one; none if the config gives it another home. `variable` looks one up in the arena's environment.
pub(super) fn variables(
    engine: &EngineConfig,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<(OsString, OsString)> {
    let is_home = |name: &String| name == HOME;
    if engine.inherit_env.iter().any(is_home) || engine.env.iter().any(|(name, _)| is_home(name)) {
        return Vec::new();
    }
    let home = variable(HOME).map(PathBuf::from).filter(|home| home.is_absolute());
    let default =
        |below: &str| Some(home.as_ref()?.join(below)).filter(|directory| directory.is_dir());
    let found = |(name, below): (&str, &str)| {
        let value = variable(name).or_else(|| default(below).map(OsString::from))?;
        Some((name.into(), value))
    };
    DIRECTORIES.into_iter().filter_map(found).collect()
}

/// The beginnings of messages about a package that is not found, up to its name, and the variable
/// with which the language is told where it is.
const MESSAGES: [(&str, &str); 10] = [
    ("No module named ", "PYTHONPATH"),
    ("Cannot find module ", "NODE_PATH"),
    ("Cannot find package ", "NODE_PATH"),
    ("Can't locate ", "PERL5LIB"),
    ("cannot load such file -- ", "GEM_PATH"),
    ("there is no package called ", "R_LIBS_USER"),
    ("Could not find or load main class ", "CLASSPATH"),
    ("ClassNotFoundException: ", "CLASSPATH"),
    ("error while loading shared libraries: ", "LD_LIBRARY_PATH"),
    // Lua, whose messages are like `module 'lpeg' not found:`.
    ("module '", "LUA_PATH"),
];

/// Advice for an engine whose standard error names a package that it does not find; `None` for
/// every other.
pub fn advice(stderr: &str) -> Option<String> {
    let (rest, variable) = MESSAGES.iter().find_map(|(begin, variable)| {
        let (_, rest) = stderr.split_once(begin)?;
        (*variable != "LUA_PATH" || rest.contains("' not found:")).then_some((rest, variable))
    })?;
    let is_around = |letter: char| letter.is_whitespace() || "'\"`‘’:;,".contains(letter);
    let package = rest.trim_start_matches(is_around).split(is_around).next().unwrap_or_default();
    // A path is a file that the command or the engine itself names wrongly.
    if package.is_empty() || package.starts_with(['/', '.']) {
        return None;
    }
    Some(format!(
        "the engine does not find `{package}`. If it does when you start it by hand, a variable or \
         the home directory of your shell makes the difference: an engine gets PATH, LANG, a private \
         HOME and what its table in the config says. Pass the variable on \
         (inherit_env = [\"{variable}\"]), set it (env = {{ {variable} = \"/…\" }}), or give the \
         program that has the package, like that of a virtual environment, as the command"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(engine: &EngineConfig, environment: &[(&str, &str)]) -> Vec<(String, String)> {
        let of = |name: &str| environment.iter().find(|(it, _)| *it == name).map(|(_, it)| it);
        let text = |text: OsString| text.into_string().unwrap();
        let found = variables(engine, |name| of(name).map(OsString::from));
        found.into_iter().map(|(name, value)| (text(name), text(value))).collect()
    }

    #[test]
    fn directories_of_the_real_home_are_named_where_they_exist() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().to_str().unwrap();
        let mut engine = EngineConfig::new("a", "bot");
        assert_eq!(found(&engine, &[("HOME", path)]), []);
        std::fs::create_dir(home.path().join(".local")).unwrap();
        let local = format!("{path}/.local");
        let base = |value: &str| ("PYTHONUSERBASE".to_owned(), value.to_owned());
        assert_eq!(found(&engine, &[("HOME", path)]), [base(&local)]);
        // The user's own variable counts more than the default.
        let own = [("HOME", path), ("PYTHONUSERBASE", "/base")];
        assert_eq!(found(&engine, &own), [base("/base")]);
        assert_eq!(found(&engine, &[]), []);
        // An engine with the home of the config finds its packages there.
        engine.inherit_env = vec!["HOME".to_owned()];
        assert_eq!(found(&engine, &own), []);
        engine.inherit_env.clear();
        engine.env = vec![("HOME".to_owned(), "/elsewhere".to_owned())];
        assert_eq!(found(&engine, &own), []);
    }

    #[test]
    fn a_missing_package_is_named_with_the_variable_of_its_language() {
        for (stderr, package, variable) in [
            ("ModuleNotFoundError: No module named 'numpy.linalg'", "numpy.linalg", "PYTHONPATH"),
            ("/usr/bin/python3: No module named mybot\n", "mybot", "PYTHONPATH"),
            ("Error: Cannot find module 'chalk'\nRequire stack:\n- /b.js", "chalk", "NODE_PATH"),
            ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'a' imported", "a", "NODE_PATH"),
            ("Can't locate Moose/Role.pm in @INC (you may", "Moose/Role.pm", "PERL5LIB"),
            ("cannot load such file -- nokogiri (LoadError)", "nokogiri", "GEM_PATH"),
            ("there is no package called \u{2018}data.table\u{2019}", "data.table", "R_LIBS_USER"),
            ("Error: Could not find or load main class Bot\n", "Bot", "CLASSPATH"),
            ("java.lang.ClassNotFoundException: org.x.Y\n\tat", "org.x.Y", "CLASSPATH"),
            (
                "b: error while loading shared libraries: libx.so.1: cannot",
                "libx.so.1",
                "LD_LIBRARY",
            ),
            ("lua: b.lua:1: module 'lpeg' not found:\n\tno field", "lpeg", "LUA_PATH"),
        ] {
            let advice = advice(stderr).unwrap_or_else(|| panic!("no advice for {stderr}"));
            assert!(advice.contains(&format!("`{package}`")), "{advice}");
            assert!(advice.contains(&format!("inherit_env = [\"{variable}")), "{advice}");
        }
        for stderr in [
            "",
            "in the module 'a' the table is empty",
            "Permission denied",
            "Error: Cannot find module '/home/ada/bot.js'",
            "Error: Cannot find module './search'",
            "No module named ",
        ] {
            assert_eq!(advice(stderr), None, "{stderr}");
        }
    }
}
