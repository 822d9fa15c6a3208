//! Reading `[adjudication]`.

use toml::de::{DeTable, DeValue};

use super::table::{Errors, Table};
use super::tournament::{Adjudication, EngineConfig};
use super::{DrawRule, ResignRule, ScoreRules, engine};

/// The most moves in a row a rule may ask for, and the most plies it may wait for.
const MOST_MOVES: u32 = 1000;
const MOST_PLIES: u32 = 100_000;

/// The largest score a rule may ask for, in hundredths of a stone.
const MOST_SCORE: u32 = 1_000_000;

/// Reads the table; `empty` stands in for the tables of rules that are just switched on.
pub(super) fn adjudication<'c>(
    mut table: Table<'c>,
    empty: &'c DeTable<'c>,
    errors: &'c Errors,
) -> Adjudication {
    let mut scores = ScoreRules::default();
    if let Some(mut draw) = rule(&mut table, "draw", empty, errors) {
        let mut rule = DrawRule::default();
        rule.moves = moves(&mut draw).unwrap_or(rule.moves);
        rule.score = draw.small("score", 0..=MOST_SCORE).unwrap_or(rule.score);
        rule.after = draw.small("after", 0..=MOST_PLIES).unwrap_or(rule.after);
        scores.draw = Some(rule);
        draw.finish();
    }
    if let Some(mut resign) = rule(&mut table, "resign", empty, errors) {
        let mut rule = ResignRule::default();
        rule.moves = moves(&mut resign).unwrap_or(rule.moves);
        rule.score = resign.small("score", 1..=MOST_SCORE).unwrap_or(rule.score);
        scores.resign = Some(rule);
        resign.finish();
    }
    let oracle = oracle(&mut table, errors);
    table.finish();
    Adjudication { scores, oracle }
}

/// The length of a row of moves; `turns` in configs of older versions.
fn moves(rule: &mut Table<'_>) -> Option<u32> {
    let range = 1..=MOST_MOVES;
    rule.small("moves", range.clone()).or_else(|| rule.small("turns", range))
}

/// The table of a rule that may also be switched on, with its defaults, or off.
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

/// An engine of its own, by its command or as a table like those of `[[engine]]`.
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
