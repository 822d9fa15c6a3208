//! The search of a tuning: the table `[tune]`.

use std::num::NonZeroU32;

use serde::ser::{Serialize, SerializeMap, Serializer};
use toml::de::{DeTable, DeValue};

use super::engine_option::check as option;
use super::table::{Errors, Pair, Table};
use fanorona_ratings::gaussian_process::Space;

/// A search for good values of an engine's options (see [`crate::tuning`]).
#[derive(Clone, PartialEq, Debug)]
pub struct Tuning {
    /// The number of iterations. In each, the engine plays [`rounds`](super::Tournament::rounds)
    /// pairs of each kind against itself with other values.
    pub iterations: NonZeroU32,
    /// The method that chooses the values.
    pub method: Method,
    /// The options and their ranges.
    pub parameters: Vec<Parameter>,
}

/// The method by which a tuning chooses values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Method {
    /// Small steps towards the winner, for any number of options.
    Spsa(StepSizes),
    /// Comparisons of the values that a smooth function through all results makes most interesting,
    /// for a few options.
    GaussianProcess,
}

/// The step sizes of SPSA.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepSizes {
    /// The share of all pairs that the step sizes are damped by at the beginning, from 0 to 1.
    pub stability: f64,
    /// The exponent by which steps shrink.
    pub alpha: f64,
    /// The exponent by which perturbations shrink.
    pub gamma: f64,
}

/// The word for a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum MethodWord {
    #[default]
    Spsa,
    GaussianProcess,
}

impl Default for StepSizes {
    fn default() -> StepSizes {
        StepSizes { stability: Tuning::STABILITY, alpha: Tuning::ALPHA, gamma: Tuning::GAMMA }
    }
}

/// An option that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// The option's name.
    pub name: String,
    /// Whether its values are whole numbers.
    pub number: Number,
    /// The value to start from.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// In SPSA, the perturbation at the end: how far apart from the middle the two values are that
    /// play each other.
    pub c_end: f64,
    /// In SPSA, the step at the end for one point more, as a share of `c_end`.
    pub r_end: f64,
}

/// The values of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[derive(strum::IntoStaticStr, strum::VariantArray, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Number {
    /// Whole numbers.
    #[default]
    Int,
    /// Numbers with decimals.
    Float,
}

impl Serialize for Tuning {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let mut table = out.serialize_map(None)?;
        table.serialize_entry("iterations", &self.iterations)?;
        match self.method {
            Method::Spsa(StepSizes { stability, alpha, gamma }) => {
                table.serialize_entry("A", &stability)?;
                table.serialize_entry("alpha", &alpha)?;
                table.serialize_entry("gamma", &gamma)?;
            }
            Method::GaussianProcess => table.serialize_entry("method", "gaussian-process")?,
        }
        table.serialize_entry("parameters", &Parameters(self))?;
        table.end()
    }
}

/// The table of a tuning's parameters.
struct Parameters<'t>(&'t Tuning);

/// The entry of a parameter. Only SPSA has step sizes.
#[derive(serde::Serialize)]
struct Range {
    #[serde(rename = "type")]
    number: Number,
    start: f64,
    min: f64,
    max: f64,
    c_end: Option<f64>,
    r_end: Option<f64>,
}

impl Serialize for Parameters<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let is_spsa = matches!(self.0.method, Method::Spsa(_));
        out.collect_map(self.0.parameters.iter().map(|parameter| {
            let Parameter { ref name, number, start, min, max, c_end, r_end } = *parameter;
            let (c_end, r_end) = (is_spsa.then_some(c_end), is_spsa.then_some(r_end));
            (name, Range { number, start, min, max, c_end, r_end })
        }))
    }
}

impl Tuning {
    /// The most iterations.
    pub const MAX_ITERATIONS: u32 = 100_000;
    /// The most iterations of a Gaussian process: the time to choose values grows with the square of
    /// their number, and more games fit into each iteration.
    pub(crate) const MAX_COMPARISONS: u32 = 300;

    /// The damping of the steps at the beginning, as used by fishtest.
    pub(crate) const STABILITY: f64 = 0.1;
    /// The exponent of the steps (Spall 1998, "Implementation of the simultaneous perturbation
    /// algorithm for stochastic optimization").
    pub(crate) const ALPHA: f64 = 0.602;
    /// The exponent of the perturbations, from the same source.
    pub(crate) const GAMMA: f64 = 0.101;
    /// The step at the end, as used by fishtest.
    pub(crate) const R_END: f64 = 0.002;
}

impl Tuning {
    /// Why the method cannot have so many iterations; `None` if it can.
    pub(super) fn too_long(&self) -> Option<String> {
        let is_long = self.iterations.get() > Tuning::MAX_COMPARISONS;
        (self.method == Method::GaussianProcess && is_long).then(|| {
            format!(
                "{} are too many for a Gaussian process: the maximum is {}; set `rounds` for more \
                 games in each",
                self.iterations,
                Tuning::MAX_COMPARISONS
            )
        })
    }
}

impl Parameter {
    /// A parameter with the usual perturbation, a twentieth of the range, and the usual step.
    pub fn new(name: impl Into<String>, start: f64, min: f64, max: f64) -> Parameter {
        let (number, name) = (Number::Int, name.into());
        let c_end = (max - min) / 20.0;
        Parameter { name, number, start, min, max, c_end, r_end: Tuning::R_END }
    }

    /// A value as text for the engine.
    pub fn text(&self, value: f64) -> String {
        match self.number {
            // Adding zero turns negative zero into zero.
            Number::Int => format!("{:.0}", value.round() + 0.0),
            Number::Float => {
                let text = format!("{value:.DECIMALS$}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                if text == "-0" { "0".to_owned() } else { text.to_owned() }
            }
        }
    }
}

/// Why a key is wrong beside a Gaussian process.
const ONLY_SPSA: &str = "it is a step size of SPSA: remove it, or set method = \"spsa\"";
/// The decimals of a value that an engine is sent.
const DECIMALS: usize = 6;

/// Reads the table. `None` if it is wrong.
pub(super) fn tuning<'c>(table: &mut Table<'c>, errors: &'c Errors) -> Option<Tuning> {
    let share = "a number from 0 to 1, like 0.1";
    let iterations =
        table.small("iterations", 1..=Tuning::MAX_ITERATIONS).and_then(NonZeroU32::new);
    if iterations.is_none() && !table.has("iterations") {
        table.missing("iterations", "iterations = 500, how often the values are changed");
    }
    let method = table.choice::<MethodWord>("method").unwrap_or_default();
    let is_spsa = method == MethodWord::Spsa;
    let mut between = |key, default| match table.number(key, share) {
        Some(number) if (0.0..=1.0).contains(&number) => Some(number),
        None if !table.has(key) => Some(default),
        None => None,
        Some(_) => {
            table.refuse(key, format!("expected {share}"));
            None
        }
    };
    let stability = between("A", Tuning::STABILITY);
    let alpha = between("alpha", Tuning::ALPHA);
    let gamma = between("gamma", Tuning::GAMMA);
    if !is_spsa {
        let of_spsa = ["A", "alpha", "gamma"].into_iter().filter(|key| table.has(key));
        of_spsa.for_each(|key| table.refuse(key, ONLY_SPSA));
    }
    let example = "parameters = { Name = { start = 100, min = 50, max = 200 } }";
    let pairs = match table.has("parameters") {
        true => table.pairs("parameters", &format!("a table of tables, like {example}"))?,
        false => {
            table.missing("parameters", example);
            return None;
        }
    };
    if pairs.is_empty() {
        table.refuse("parameters", format!("there is nothing to tune: write {example}"));
        return None;
    }
    for (place, pair) in pairs.iter().enumerate() {
        if let Err(reason) = option(pair.key, "") {
            table.refuse_at(pair.span.clone(), pair.key, reason);
        } else if pairs[..place].iter().any(|other| other.key.eq_ignore_ascii_case(pair.key)) {
            let reason = "the option is tuned twice (option names ignore case)";
            table.refuse_at(pair.span.clone(), pair.key, reason);
        }
    }
    let parameters: Vec<Option<Parameter>> =
        pairs.iter().map(|pair| parameter(table, pair, is_spsa, errors)).collect();
    if !is_spsa && parameters.len() > Space::MAX_DIMENSIONS {
        let reason = format!(
            "{} are too many for a Gaussian process: the maximum is {}, or set method = \"spsa\"",
            parameters.len(),
            Space::MAX_DIMENSIONS
        );
        table.refuse("parameters", reason);
    }
    let step_sizes = StepSizes { stability: stability?, alpha: alpha?, gamma: gamma? };
    let tuning = Tuning {
        iterations: iterations?,
        method: if is_spsa { Method::Spsa(step_sizes) } else { Method::GaussianProcess },
        parameters: parameters.into_iter().collect::<Option<_>>()?,
    };
    if let Some(reason) = tuning.too_long() {
        table.refuse("iterations", reason);
    }
    Some(tuning)
}

/// Reads one parameter.
fn parameter<'c>(
    outer: &Table<'c>,
    pair: &Pair<'c>,
    is_spsa: bool,
    errors: &'c Errors,
) -> Option<Parameter> {
    let table: &'c DeTable<'c> = match pair.value.get_ref() {
        DeValue::Table(table) => table,
        _ => {
            let expected = "a table, like { start = 100, min = 50, max = 200 }";
            outer.wrong_type(pair.key, pair.value, expected);
            return None;
        }
    };
    let name = format!("[tune.parameters.{}]", pair.key);
    let mut table = Table::new(name, Some(pair.value.span()), table, errors);
    let number = table.choice("type");
    let mut given = |key: &'static str| {
        let value = table.number(key, "a number");
        if value.is_none() && !table.has(key) {
            table.missing(key, &format!("{key} = …, a number"));
        }
        value
    };
    let (start, min, max) = (given("start"), given("min"), given("max"));
    let mut positive = |key: &'static str| {
        let value = table.number(key, "a number above zero");
        if value.is_some_and(|value| value <= 0.0) {
            table.refuse(key, "expected a number above zero");
        }
        value
    };
    let (c_end, r_end) = (positive("c_end"), positive("r_end"));
    if !is_spsa {
        let of_spsa = ["c_end", "r_end"].into_iter().filter(|key| table.has(key));
        of_spsa.for_each(|key| table.refuse(key, ONLY_SPSA));
    }
    let read = start.zip(min).zip(max).map(|((start, min), max)| {
        let usual = Parameter::new(pair.key, start, min, max);
        Parameter {
            number: number.unwrap_or_default(),
            c_end: c_end.unwrap_or(usual.c_end),
            r_end: r_end.unwrap_or(usual.r_end),
            ..usual
        }
    });
    let is_whole = |it: &Parameter| [it.start, it.min, it.max].iter().all(|it| it.fract() == 0.0);
    match &read {
        Some(it) if it.min >= it.max => table.refuse("max", "max must be greater than min"),
        Some(it) if !(it.min..=it.max).contains(&it.start) => {
            table.refuse("start", "start must be from min to max");
        }
        Some(it) if it.number == Number::Int && !is_whole(it) => {
            table.refuse(
                "start",
                "start, min and max must be whole numbers, or set type = \"float\"",
            );
        }
        _ => {}
    }
    table.finish();
    read
}
