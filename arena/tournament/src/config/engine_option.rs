//! Checks the options that a config gives an engine.

/// Checks that an option fits on one line of the protocol, and that the arena does not set it
/// itself.
pub(super) fn check(name: &str, value: &str) -> Result<(), &'static str> {
    let one_line = |text: &str| !text.contains(char::is_control);
    if name.trim().is_empty() || !one_line(name) || name.split_whitespace().any(|w| w == "value") {
        Err("not a valid option name: a name is words on one line, without the word `value`")
    } else if !one_line(value) {
        Err("an option's value is one line without control characters")
    } else if name.eq_ignore_ascii_case("Seed") {
        Err("the arena sets it for every game, from the tournament's `seed`")
    } else if name.eq_ignore_ascii_case("Rules") {
        Err("the arena sets it, from the table [rules]")
    } else {
        Ok(())
    }
}
