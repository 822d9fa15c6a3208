//! Reads `sweep` in an `[[engine]]` table: one engine for every combination of option values.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::engine_option::check as option;
use super::table::{Errors, Pair, Table};
use super::tournament::EngineConfig;

/// The most engines of one sweep.
const MAX_ENGINES: usize = 1000;
/// The most values of a range.
const MAX_STEPS: u32 = 1000;

/// An option and its values as text.
type Axis = (String, Vec<String>);

/// The engines of a sweep over the options of `engine`, which is not among them; the engine itself
/// without a sweep.
pub(super) fn expanded<'c>(
    table: &mut Table<'c>,
    engine: EngineConfig,
    errors: &'c Errors,
) -> Vec<EngineConfig> {
    let expected = "a table of options with their values, like { Exploration = [50, 100, 200] }";
    if !table.has("sweep") {
        return vec![engine];
    }
    let Some(pairs) = table.pairs("sweep", expected) else { return vec![engine] };
    let mut axes: Vec<Axis> = Vec::new();
    for pair in &pairs {
        if let Err(reason) = option(pair.key, "") {
            table.refuse_at(pair.span.clone(), pair.key, reason);
            continue;
        }
        let is_set = |(name, _): &(String, String)| name.eq_ignore_ascii_case(pair.key);
        if engine.options.iter().any(is_set) {
            let reason = "the option is also in `options`: remove it there";
            table.refuse_at(pair.span.clone(), pair.key, reason);
        }
        if axes.iter().any(|(name, _)| name.eq_ignore_ascii_case(pair.key)) {
            let reason = "the option is swept twice (option names ignore case)";
            table.refuse_at(pair.span.clone(), pair.key, reason);
        }
        if let Some(values) = values(table, pair, errors) {
            axes.push((pair.key.to_owned(), values));
        }
    }
    if pairs.is_empty() {
        table.refuse("sweep", format!("there is nothing to sweep: expected {expected}"));
    }
    let count = axes.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > MAX_ENGINES) {
        table.refuse("sweep", format!("a sweep has at most {MAX_ENGINES} engines"));
        return vec![engine];
    }
    let mut settings: Vec<Vec<(String, String)>> = vec![Vec::new()];
    for (name, values) in &axes {
        let longer = |setting: &Vec<(String, String)>| {
            let with = |value: &String| [&setting[..], &[(name.clone(), value.clone())]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        };
        settings = settings.iter().flat_map(longer).collect();
    }
    let of_setting = |setting: Vec<(String, String)>| {
        let words = setting.iter().map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = words.collect();
        EngineConfig {
            name: format!("{} {}", engine.name, words.join(" ")),
            family: Some(engine.name.clone()),
            options: engine.options.iter().cloned().chain(setting).collect(),
            ..engine.clone()
        }
    };
    settings.into_iter().map(of_setting).collect()
}

/// The values of an option: a list, or a range.
fn values<'c>(outer: &Table<'c>, pair: &Pair<'c>, errors: &'c Errors) -> Option<Vec<String>> {
    let expected = "an array of values, or a table like { range = [50, 400], steps = 8 }";
    let values = match pair.value.get_ref() {
        DeValue::Array(elements) => listed(outer, pair, elements, expected)?,
        DeValue::Table(table) => ranged(pair, table, errors)?,
        _ => {
            outer.wrong_type(pair.key, pair.value, expected);
            return None;
        }
    };
    if values.is_empty() {
        outer.refuse_at(pair.span.clone(), pair.key, "the list is empty: name at least one value");
        return None;
    }
    for value in &values {
        if let Err(reason) = option(pair.key, value) {
            outer.refuse_at(pair.span.clone(), pair.key, reason);
        }
    }
    if let Some(twice) = values.iter().enumerate().find(|(place, it)| values[..*place].contains(it))
    {
        outer.refuse_at(pair.span.clone(), pair.key, format!("{} is listed twice", twice.1));
    }
    Some(values)
}

fn listed(
    outer: &Table<'_>,
    pair: &Pair<'_>,
    elements: &[Spanned<DeValue<'_>>],
    expected: &str,
) -> Option<Vec<String>> {
    let mut values = Vec::new();
    for element in elements {
        let value = Pair { key: pair.key, span: pair.span.clone(), value: element }.text();
        if value.is_none() {
            outer.wrong_type(pair.key, element, expected);
        }
        values.push(value?);
    }
    Some(values)
}

/// The values of `{ range = [low, high], steps = n }` or `{ log-range = [low, high], steps = n }`.
fn ranged<'c>(pair: &Pair<'c>, table: &'c DeTable<'c>, errors: &'c Errors) -> Option<Vec<String>> {
    let mut table =
        Table::new(format!("[sweep.{}]", pair.key), Some(pair.value.span()), table, errors);
    let (linear, geometric) = (ends(&mut table, "range"), ends(&mut table, "log-range"));
    let steps = table.small("steps", 2..=MAX_STEPS);
    if steps.is_none() && !table.has("steps") {
        table.missing("steps", "steps = 8, the number of values");
    }
    if table.has("range") == table.has("log-range") {
        let help =
            "write range = [50, 400] for equal steps, or log-range = [50, 400] for equal factors";
        table.conflict("range", "a range has equal steps or equal factors", help);
    }
    if geometric.is_some_and(|(low, _, _)| low <= 0.0) {
        table.refuse("log-range", "the ends must be above zero");
    }
    table.finish();
    let steps = steps?;
    let at = |low: f64, high: f64, step: u32| {
        let part = f64::from(step) / f64::from(steps - 1);
        match geometric {
            Some(_) => low * (high / low).powf(part),
            None => low + (high - low) * part,
        }
    };
    let (low, high, is_whole) = linear.or(geometric)?;
    let text = |value: f64| match is_whole {
        true => format!("{:.0}", value.round() + 0.0),
        false => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    let mut values: Vec<String> = (0..steps).map(|step| text(at(low, high, step))).collect();
    // Close values are the same whole number.
    values.dedup();
    Some(values)
}

/// Two numbers in order, and whether both are whole.
fn ends(table: &mut Table<'_>, key: &'static str) -> Option<(f64, f64, bool)> {
    let expected = "two numbers, like [50, 400]";
    let elements = table.array(key, expected)?;
    let number = |element: &Spanned<DeValue<'_>>| match element.get_ref() {
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).ok().map(|it| (it as f64, true))
        }
        DeValue::Float(number) => number.as_str().parse().ok().map(|it: f64| (it, false)),
        _ => None,
    };
    let numbers: Vec<(f64, bool)> = elements.iter().filter_map(number).collect();
    match numbers[..] {
        [(low, one), (high, other)] if elements.len() == 2 && low < high && high.is_finite() => {
            Some((low, high, one && other))
        }
        _ => {
            table.refuse(key, format!("expected {expected}, the smaller one first"));
            None
        }
    }
}
