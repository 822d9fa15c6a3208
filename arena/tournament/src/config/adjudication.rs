//! Reads the table `[adjudication]`.

use toml::de::{DeTable, DeValue};

use super::table::{Errors, Table};
use super::tournament::{Adjudication, EngineConfig};
use super::{DrawRule, ResignRule, ScoreRules, engine};

/// The maximum number of consecutive moves a rule can require, and of plies it can wait for.
const MAX_MOVES: u32 = 1000;
const MAX_PLIES: u32 = 100_000;

/// The largest score a rule can require, in hundredths of a stone.
const MAX_SCORE: u32 = 1_000_000;

/// Reads the table. A rule that is only switched on (`resign = true`) is read from `empty`.
pub(super) fn adjudication<'c>(
    mut table: Table<'c>,
    empty: &'c DeTable<'c>,
    errors: &'c Errors,
) -> Adjudication {
    let mut scores = ScoreRules::default();
    if let Some(mut draw) = rule(&mut table, "draw", empty, errors) {
        let mut rule = DrawRule::default();
        rule.moves = draw.small("moves", 1..=MAX_MOVES).unwrap_or(rule.moves);
        rule.score = draw.small("score", 0..=MAX_SCORE).unwrap_or(rule.score);
        rule.after = draw.small("after", 0..=MAX_PLIES).unwrap_or(rule.after);
        scores.draw = Some(rule);
        draw.finish();
    }
    if let Some(mut resign) = rule(&mut table, "resign", empty, errors) {
        let mut rule = ResignRule::default();
        rule.moves = resign.small("moves", 1..=MAX_MOVES).unwrap_or(rule.moves);
        rule.score = resign.small("score", 1..=MAX_SCORE).unwrap_or(rule.score);
        scores.resign = Some(rule);
        resign.finish();
    }
    let oracle = oracle(&mut table, errors);
    table.finish();
    Adjudication { scores, oracle }
}

/// The table of a rule: its own table, an empty one for `true` (all defaults), none for `false`.
fn rule<'c>(
    table: &mut Table<'c>,
    key: &'static str,
    empty: &'c DeTable<'c>,
    errors: &'c Errors,
) -> Option<Table<'c>> {
    let name = format!("[adjudication.{key}]");
    let value = table.take(key)?;
    match value.get_ref() {
        DeValue::Boolean(false) => None,
        DeValue::Boolean(true) => Some(Table::new(name, None, empty, errors)),
        DeValue::Table(inner) => Some(Table::new(name, Some(value.span()), inner, errors)),
        _ => {
            table.wrong_type(key, value, "true, false, or a table like { moves = 8, score = 20 }");
            None
        }
    }
}

/// The oracle engine: a command, or a table like those of `[[engine]]`.
fn oracle(table: &mut Table<'_>, errors: &Errors) -> Option<EngineConfig> {
    let value = table.take("oracle")?;
    match value.get_ref() {
        DeValue::String(command) if !command.is_empty() => {
            Some(EngineConfig::new(command.to_string(), command.to_string()))
        }
        DeValue::Table(inner) => {
            let mut table = Table::new("[adjudication.oracle]", Some(value.span()), inner, errors);
            let engine = engine::engine(&mut table);
            table.finish();
            Some(engine)
        }
        _ => {
            let expected = "a program, like \"bot-alphabeta\", or a table like those of [[engine]]";
            table.wrong_type("oracle", value, expected);
            None
        }
    }
}
