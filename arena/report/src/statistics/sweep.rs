//! The dependence of strength on the options that a family of engines differs in: a smooth curve
//! through the ratings, the best setting, and the certainty of it.

use serde::Serialize;

use statrs::distribution::{ContinuousCDF, Normal};

use super::standings::Standings;
use super::verdict::{CERTAIN, MAX_LISTED, more_pairs};
use crate::phrase::{Phrase, Word, Words, list};
use crate::words;
use fanorona_ratings::{Estimate, Fit, PosteriorElo, SmoothCurve, Z95};
use fanorona_tournament::config::{EngineConfig, Tournament};

/// A family of engines that differ in some options.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sweep {
    /// Its name.
    pub family: String,
    /// The options in which its engines differ.
    pub parameters: Vec<Parameter>,
    /// The engines with games, the best first, by the curve if there is one and otherwise by rating.
    pub settings: Vec<Setting>,
    /// The engines that may be the best, the likeliest first. With a curve, one of them is the best
    /// with a probability of 95 %; without, the games have not told them from the first by rating.
    pub candidates: Vec<String>,
    /// About how many more pairs of games of the tournament give an even chance to tell the first
    /// two candidates apart; `None` if they show no measurable difference, or there is one candidate.
    pub more_pairs: Option<u64>,
    /// The curve along the first numeric parameter, for every combination of words; for two numeric
    /// parameters the values on a grid of both. Empty without a curve.
    pub curve: Vec<CurvePoint>,
}

/// An option in which the engines of a family differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The name of the option.
    pub name: String,
    /// Its values in the order of the config.
    pub values: Vec<String>,
    /// The smallest and the largest value; `None` if a value is not a number.
    pub range: Option<(f64, f64)>,
    /// Whether its values have equal factors rather than equal steps, so that the curve is drawn over
    /// their logarithm.
    pub is_logarithmic: bool,
}

/// An engine of a family.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// The name of the engine.
    pub engine: String,
    /// Its values, in the order of the parameters.
    pub values: Vec<String>,
    /// The number of its games.
    pub games: u64,
    /// Its rating.
    pub estimate: Estimate,
    /// Its strength on the curve; `None` without a curve.
    pub smoothed: Option<PosteriorElo>,
    /// The probability, 0 to 1, that it is the best of the settings; `None` without a curve.
    pub best: Option<f64>,
}

/// A point of a curve, or of a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The values of the parameters, which no engine need have.
    pub values: Vec<String>,
    /// The strength there.
    #[serde(flatten)]
    pub smoothed: PosteriorElo,
}

/// The families of a tournament, with at least two engines that differ in an option and have games.
pub fn sweeps(tournament: &Tournament, standings: &Standings) -> Vec<Sweep> {
    let mut names: Vec<&str> = Vec::new();
    for family in tournament.engines.iter().filter_map(|engine| engine.family.as_deref()) {
        if !names.contains(&family) {
            names.push(family);
        }
    }
    names.into_iter().filter_map(|family| Sweep::new(family, tournament, standings)).collect()
}

impl Sweep {
    fn new(family: &str, tournament: &Tournament, standings: &Standings) -> Option<Sweep> {
        let fit = standings.all();
        let is_member = |it: &&EngineConfig| it.family.as_deref() == Some(family);
        let members: Vec<&EngineConfig> = tournament.engines.iter().filter(is_member).collect();
        let parameters = parameters(&members);
        let mut settings: Vec<Setting> =
            members.iter().filter_map(|engine| setting(engine, &parameters, fit)).collect();
        if parameters.is_empty() || settings.len() < 2 {
            return None;
        }
        let smooth = smooth(&settings, &parameters, standings, fit);
        let mut curve = Vec::new();
        if let Some(smooth) = &smooth {
            let points: Vec<_> = settings.iter().map(|it| place(&it.values, &parameters)).collect();
            let best = smooth.best_of(&points);
            for ((setting, point), best) in settings.iter_mut().zip(&points).zip(best) {
                setting.smoothed = Some(smooth.at(point));
                setting.best = Some(best);
            }
            curve = grid(&settings, &parameters)
                .into_iter()
                .map(|values| {
                    let smoothed = smooth.at(&place(&values, &parameters));
                    CurvePoint { values, smoothed }
                })
                .collect();
        }
        let height = |it: &Setting| it.smoothed.map(|it| it.elo).or(it.estimate.elo);
        settings.sort_by(|one, other| {
            let [one, other] = [one, other].map(|it| height(it).unwrap_or(f64::NEG_INFINITY));
            other.total_cmp(&one)
        });
        let candidates = candidates(&settings, standings, fit);
        let certainty = match (&smooth, &candidates[..]) {
            (Some(smooth), [one, other, ..]) => {
                let [one, other] = [one, other].map(|it| place(&it.values, &parameters));
                let PosteriorElo { elo, deviation } = smooth.difference(&one, &other);
                Some(Normal::standard().cdf(elo / deviation))
            }
            (None, [one, other, ..]) => standings.superiority(fit, &one.engine, &other.engine),
            _ => None,
        };
        let more_pairs = certainty.and_then(|certainty| more_pairs(certainty, fit.pairs));
        let candidates = candidates.iter().map(|it| it.engine.clone()).collect();
        let family = family.to_owned();
        Some(Sweep { family, parameters, settings, candidates, more_pairs, curve })
    }

    /// The numeric parameters, by their places.
    pub fn numeric(&self) -> Vec<usize> {
        (0..self.parameters.len()).filter(|&it| self.parameters[it].range.is_some()).collect()
    }

    /// The settings that may be the best, the likeliest first.
    fn open(&self) -> impl Iterator<Item = &Setting> {
        self.candidates
            .iter()
            .filter_map(|name| self.settings.iter().find(|setting| setting.engine == *name))
    }

    /// The parameters whose likeliest value is at an end of their range.
    fn at_edges(&self) -> Vec<&Parameter> {
        let Some(best) = self.open().next() else { return Vec::new() };
        let is_at_edge = |(parameter, value): &(&Parameter, &String)| {
            let value: Option<f64> = value.parse().ok();
            parameter.range.zip(value).is_some_and(|((low, high), it)| it <= low || it >= high)
        };
        let pairs = self.parameters.iter().zip(&best.values);
        pairs.filter(is_at_edge).map(|(parameter, _)| parameter).collect()
    }

    /// Returns the verdict of the games on the best setting.
    pub fn words(&self) -> Words {
        let named = |setting: &Setting| {
            let words = self.parameters.iter().zip(&setting.values);
            let words = words
                .map(|(it, value)| vec![Word::name(&it.name), Word::Text(format!(" = {value}"))]);
            let mut words = list(words);
            words.extend(setting.best.map(|it| {
                let share = format!("{:.0}", 100.0 * it);
                Word::from(Phrase::new("sweep.share").text("share", share))
            }));
            words
        };
        let open: Vec<&Setting> = self.open().collect();
        let said = match &open[..] {
            [] => return Words::new(),
            [best] => Phrase::new("sweep.best").words("setting", named(best)),
            open => {
                let mut shown = Words::new();
                for (place, it) in open.iter().take(MAX_LISTED).enumerate() {
                    shown.extend((place > 0).then(|| Phrase::new("sweep.or").into()));
                    shown.extend(named(it));
                }
                let more = open.len().saturating_sub(MAX_LISTED);
                let more = (more > 0).then(|| Phrase::new("sweep.or-more").text("n", more).into());
                shown.extend(more);
                let cost = match self.more_pairs {
                    Some(pairs) => {
                        Phrase::new("sweep.cost").phrase("pairs", words::more_pairs(pairs))
                    }
                    None => Phrase::new("sweep.level"),
                };
                Phrase::new("sweep.open").words("settings", shown).phrase("cost", cost)
            }
        };
        vec![said.name("family", &self.family).into()]
    }

    /// Returns the doubts about the answer, in sentences.
    pub fn warnings(&self) -> Vec<Phrase> {
        let warning = |it: &Parameter| Phrase::new("sweep.edge").name("option", &it.name);
        self.at_edges().into_iter().map(warning).collect()
    }
}

/// The settings that may be the best, the likeliest first.
fn candidates<'s>(settings: &'s [Setting], standings: &Standings, fit: &Fit) -> Vec<&'s Setting> {
    let Some(first) = settings.first() else { return Vec::new() };
    let is_told = |it: &Setting| {
        standings.superiority(fit, &first.engine, &it.engine).is_some_and(|los| los >= CERTAIN)
    };
    let mut ranked: Vec<&Setting> = settings.iter().collect();
    if first.best.is_none() {
        ranked.retain(|it| it.engine == first.engine || !is_told(it));
        return ranked;
    }
    let share = |it: &Setting| it.best.unwrap_or_default();
    ranked.sort_by(|one, other| share(other).total_cmp(&share(one)));
    let mut sum = 0.0;
    let mut is_open = |it: &&Setting| {
        let before = sum;
        sum += share(it);
        before < SURE
    };
    ranked.retain(|it| is_open(it));
    ranked
}

/// The options in which engines differ.
fn parameters(members: &[&EngineConfig]) -> Vec<Parameter> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in members.iter().flat_map(|engine| &engine.options) {
        if !names.contains(&&**name) {
            names.push(name);
        }
    }
    let value = |engine: &EngineConfig, name: &str| {
        let mut options = engine.options.iter();
        options.find(|(option, _)| option == name).map(|(_, value)| value.clone())
    };
    let parameter = |name: &str| {
        let mut values: Vec<String> = Vec::new();
        for engine in members {
            // An option that only some engines set has no value to compare.
            let value = value(engine, name)?;
            if !values.contains(&value) {
                values.push(value);
            }
        }
        if values.len() < 2 {
            return None;
        }
        let numbers: Option<Vec<f64>> = values.iter().map(|it| it.parse().ok()).collect();
        let numbers = numbers.filter(|numbers| numbers.iter().all(|it| it.is_finite()));
        let range = numbers.map(|numbers| {
            let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            (low, numbers.into_iter().fold(f64::NEG_INFINITY, f64::max))
        });
        let is_logarithmic =
            range.is_some_and(|(low, high)| low > 0.0 && high / low >= LOGARITHMIC);
        Some(Parameter { name: name.to_owned(), values, range, is_logarithmic })
    };
    names.into_iter().filter_map(parameter).collect()
}

fn setting(engine: &EngineConfig, parameters: &[Parameter], fit: &Fit) -> Option<Setting> {
    let rating = fit.engines.iter().find(|it| it.engine == engine.name && it.games > 0)?;
    let value = |parameter: &Parameter| {
        let mut options = engine.options.iter();
        options.find(|(name, _)| *name == parameter.name).map(|(_, value)| value.clone())
    };
    Some(Setting {
        engine: engine.name.clone(),
        values: parameters.iter().map(value).collect::<Option<_>>()?,
        games: rating.games,
        estimate: rating.estimate,
        smoothed: None,
        best: None,
    })
}

/// The coordinates of values, from 0 to 1.
fn place(values: &[String], parameters: &[Parameter]) -> Vec<f64> {
    let place = |(value, parameter): (&String, &Parameter)| match (parameter.range, value.parse()) {
        (Some((low, high)), Ok(number)) => {
            let number: f64 = number;
            match parameter.is_logarithmic {
                true => (number / low).ln() / (high / low).ln(),
                false => (number - low) / (high - low),
            }
        }
        _ => parameter.values.iter().position(|it| it == value).unwrap_or_default() as f64,
    };
    values.iter().zip(parameters).map(place).collect()
}

fn smooth(
    settings: &[Setting],
    parameters: &[Parameter],
    standings: &Standings,
    fit: &Fit,
) -> Option<SmoothCurve> {
    if settings.len() > MAX_SETTINGS || parameters.iter().all(|it| it.range.is_none()) {
        return None;
    }
    let names: Vec<&str> = settings.iter().map(|it| &*it.engine).collect();
    let (elo, covariance) = standings.joint(fit, &names)?;
    let points: Vec<_> = settings.iter().map(|it| place(&it.values, parameters)).collect();
    let is_word: Vec<bool> = parameters.iter().map(|it| it.range.is_none()).collect();
    SmoothCurve::fit(&points, &is_word, &elo, &within_family(&covariance))
}

/// The covariance of the ratings relative to the mean of the family. The error that all share, such
/// as that of a reference they play, does not matter for their comparison.
fn within_family(covariance: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let count = covariance.len() as f64;
    let means: Vec<f64> = covariance.iter().map(|row| row.iter().sum::<f64>() / count).collect();
    let mean = means.iter().sum::<f64>() / count;
    let centred = |(row, of_row): (&Vec<f64>, &f64)| {
        row.iter().zip(&means).map(|(cell, of_column)| cell - of_row - of_column + mean).collect()
    };
    covariance.iter().zip(&means).map(centred).collect()
}

/// The settings at which the curve is computed: along one numeric parameter, or over two, for every
/// combination of words that was played. With more, there is no picture.
fn grid(settings: &[Setting], parameters: &[Parameter]) -> Vec<Vec<String>> {
    let numeric: Vec<usize> =
        (0..parameters.len()).filter(|&it| parameters[it].range.is_some()).collect();
    let steps = match numeric.len() {
        1 => CURVE_STEPS,
        2 => MAP_STEPS,
        _ => return Vec::new(),
    };
    let mut combinations: Vec<Vec<String>> = Vec::new();
    for setting in settings {
        let mut values = setting.values.clone();
        numeric.iter().for_each(|&place| values[place].clear());
        if !combinations.contains(&values) {
            combinations.push(values);
        }
    }
    for &at in &numeric {
        let (low, high) = parameters[at].range.unwrap_or_default();
        let value = |step: u32| {
            let part = f64::from(step) / f64::from(steps);
            let value = match parameters[at].is_logarithmic {
                true => low * (high / low).powf(part),
                false => low + (high - low) * part,
            };
            format!("{value:.4}")
        };
        let with = |values: &Vec<String>| {
            let at_step = |step| {
                let mut values = values.clone();
                values[at] = value(step);
                values
            };
            (0..=steps).map(at_step).collect::<Vec<_>>()
        };
        combinations = combinations.iter().flat_map(with).collect();
    }
    combinations
}

/// The ends of the 95 % band.
pub fn band(smoothed: &PosteriorElo) -> (f64, f64) {
    let PosteriorElo { elo, deviation } = smoothed;
    (elo - Z95 * deviation, elo + Z95 * deviation)
}

/// The probability that the best setting is among the candidates.
const SURE: f64 = 0.95;
/// From this ratio of the largest to the smallest value, a parameter is drawn over its logarithm.
const LOGARITHMIC: f64 = 16.0;
/// The most settings of a curve.
const MAX_SETTINGS: usize = 100;
/// The steps of a curve, and of each side of a map.
const CURVE_STEPS: u32 = 60;
const MAP_STEPS: u32 = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::text_of;

    fn sweep(shares: &[f64], open: usize, more_pairs: Option<u64>) -> Sweep {
        let engine = |place: usize| format!("e{place}");
        let setting = |(place, &share): (usize, &f64)| Setting {
            engine: engine(place),
            values: vec![(10 * place).to_string()],
            games: 10,
            estimate: Estimate::default(),
            smoothed: None,
            best: Some(share),
        };
        let parameter = Parameter {
            name: "Aim".to_owned(),
            values: vec!["0".to_owned(), "990".to_owned()],
            range: Some((0.0, 990.0)),
            is_logarithmic: false,
        };
        Sweep {
            family: "aims".to_owned(),
            parameters: vec![parameter],
            settings: shares.iter().enumerate().map(setting).collect(),
            candidates: (1..=open).map(engine).collect(),
            more_pairs,
            curve: Vec::new(),
        }
    }

    #[test]
    fn a_best_setting_is_named_only_when_the_games_tell_it_from_the_others() {
        let decided = sweep(&[0.01, 0.97, 0.02], 1, None);
        assert_eq!(text_of(&decided.words()), "best setting of aims: Aim = 10 (97 %)");
        let open = sweep(&[0.01, 0.5, 0.3, 0.19], 3, Some(1200));
        assert_eq!(
            text_of(&open.words()),
            "undecided between settings of aims: Aim = 10 (50 %); or Aim = 20 (30 %); or Aim = 30 (19 %): \
             about 1200 more pairs for an even chance to tell the first two apart"
        );
        let flat = sweep(&[0.0, 0.2, 0.2, 0.2, 0.2, 0.2], 5, None);
        assert!(
            text_of(&flat.words())
                .ends_with("; or 1 more: no measurable difference between the first two")
        );
    }

    #[test]
    fn an_error_that_all_share_is_left_out() {
        let own = [4.0, 9.0, 1.0];
        let cell = |row: usize, column: usize| if row == column { own[row] } else { 0.0 };
        let rows = |shared: f64| -> Vec<Vec<f64>> {
            (0..3).map(|row| (0..3).map(|column| cell(row, column) + shared).collect()).collect()
        };
        let (with, without) = (within_family(&rows(100.0)), within_family(&rows(0.0)));
        for (row, expected) in with.iter().flatten().zip(without.iter().flatten()) {
            assert!((row - expected).abs() < 1e-9);
        }
        // The variance of a difference stays the same.
        assert!((with[0][0] + with[1][1] - 2.0 * with[0][1] - 13.0).abs() < 1e-9);
    }
}
