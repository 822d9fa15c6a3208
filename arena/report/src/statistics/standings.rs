//! The standings: one rating fit for every kind, and one over all kinds.

use std::collections::{BTreeMap, BTreeSet};

use super::accuracy::Accuracy;
use super::engine_accuracy::EngineAccuracy;
use super::results_reader::{GameResults, Repeats};
use super::search::EngineSearches;
use crate::phrase::{Phrase, Word, some_of};
use crate::reported;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::diagnostics::engine_reports::EngineReports;
use fanorona_tournament::progress::Withdrawal;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use fanorona_ratings::{
    Entrant, Estimate, Fit, FitCheck, FitError, FitOptions, FitProgress, MatchStatistics,
    Pentanomial, Rating, Sample, Scope, Tally, Z95, fit_watched, joint,
};

/// The standings of every scope with results, in the order of [`Scope::ALL`].
#[derive(Clone, Debug)]
pub struct Standings {
    /// The ratings of each scope that has results.
    pub fits: Vec<Fit>,
    /// The withdrawn engines, by name.
    pub withdrawn: Vec<(String, Withdrawal)>,
    /// The engines' accuracy in positions whose value an oracle knows.
    pub accuracy: Accuracy,
    /// The engines' accuracy by the judgement of an analysing engine.
    pub engine_accuracy: EngineAccuracy,
    /// The searches of the engines.
    pub searches: EngineSearches,
    /// The reports of the engines besides their moves.
    pub reported: EngineReports,
    /// The number of games, and of those that repeat earlier ones.
    pub played: Repeats,
    faults: BTreeMap<(String, Kind), u64>,
    sample: Sample,
    /// For every scope the engines with games, with the number of their group.
    groups: BTreeMap<Scope, BTreeMap<Entrant, usize>>,
}

/// Two engines of a ranking compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The engine with the higher rank.
    pub engine: String,
    /// The other engine.
    pub opponent: String,
    /// The lead of the first in Elo; empty if the two were not compared.
    #[serde(flatten)]
    pub lead: Estimate,
    /// The probability (0 to 1) that the first is stronger; `None` if the two were not compared.
    pub los: Option<f64>,
    /// Their pairs by the first engine's score, without repeated pairs.
    pub pentanomial: Pentanomial,
    /// The number of their pairs that repeat earlier ones.
    pub repeated_pairs: u64,
}

impl Standings {
    /// Rates the engines.
    ///
    /// # Errors
    /// Returns an error if an anchor is invalid.
    pub fn new(game_results: &GameResults, options: &FitOptions) -> Result<Standings, FitError> {
        Standings::watched(game_results, options, &|_| {})
    }

    /// The same as [`Standings::new`], and tells again and again how far it is.
    ///
    /// # Errors
    /// Returns an error if an anchor is invalid.
    pub fn watched(
        game_results: &GameResults,
        options: &FitOptions,
        watch: &dyn Fn(FitProgress),
    ) -> Result<Standings, FitError> {
        let sample = game_results.sample.clone();
        let mut fits: Vec<Fit> = Vec::new();
        for scope in Scope::ALL {
            if let (Scope::All, [only]) = (scope, &fits[..]) {
                // All results are of one kind.
                let mut all = only.clone();
                all.scope = scope;
                fits.push(all);
            } else if sample.has(scope) || scope == Scope::All {
                fits.push(fit_watched(&sample, scope, options, watch)?);
            }
        }
        let groups = fits.iter().map(|fit| (fit.scope, numbered(sample.groups(fit.scope))));
        let groups = groups.collect();
        let (withdrawn, accuracy) = (Vec::new(), Accuracy::default());
        let engine_accuracy = EngineAccuracy::default();
        let (played, faults) = (game_results.played, game_results.faults.clone());
        let reported = EngineReports::default();
        Ok(Standings {
            fits,
            withdrawn,
            accuracy,
            engine_accuracy,
            searches: EngineSearches::default(),
            reported,
            played,
            faults,
            sample,
            groups,
        })
    }

    /// Adds the withdrawn engines.
    pub(crate) fn with_withdrawn(self, withdrawn: Vec<(String, Withdrawal)>) -> Standings {
        Standings { withdrawn, ..self }
    }

    /// Adds the accuracy counts.
    pub(crate) fn with_accuracy(self, accuracy: Accuracy) -> Standings {
        Standings { accuracy, ..self }
    }

    /// Adds the judgement of an analysing engine.
    pub(crate) fn with_engine_accuracy(self, engine_accuracy: EngineAccuracy) -> Standings {
        Standings { engine_accuracy, ..self }
    }

    /// Adds what the engines searched.
    pub(crate) fn with_searches(self, searches: EngineSearches) -> Standings {
        Standings { searches, ..self }
    }

    /// Adds what the engines reported besides their moves.
    pub(crate) fn with_reports(self, reported: EngineReports) -> Standings {
        Standings { reported, ..self }
    }

    /// The withdrawal of an engine, if it was withdrawn.
    pub fn withdrawal(&self, engine: &str) -> Option<&Withdrawal> {
        self.withdrawn.iter().find(|(name, _)| name == engine).map(|(_, withdrawal)| withdrawal)
    }

    /// The fit that a tournament is about: over all kinds, or of the only one.
    pub fn main(&self) -> &Fit {
        self.shown().last().expect("there is always a fit")
    }

    /// The engines of the main ranking that can still win: those with games that are not withdrawn.
    pub fn contenders(&self) -> Vec<&Rating> {
        let is_in = |it: &&Rating| it.games > 0 && self.withdrawal(&it.engine).is_none();
        self.main().engines.iter().filter(is_in).collect()
    }

    /// The probability that one engine of a ranking is stronger than another, 0 to 1. Where a large
    /// field was compared by neighbours only, it is that of a normal variable. `None` if one has no
    /// games.
    pub fn superiority(&self, fit: &Fit, one: &str, other: &str) -> Option<f64> {
        let place =
            |name: &str| fit.engines.iter().position(|it| it.engine == name && it.games > 0);
        if let Some(los) = fit.los(place(one)?, place(other)?) {
            return Some(los);
        }
        let (elo, covariance) = self.joint(fit, &[one, other])?;
        let variance = covariance[0][0] + covariance[1][1] - 2.0 * covariance[0][1];
        let z = (elo[0] - elo[1]) / variance.max(f64::MIN_POSITIVE).sqrt();
        Some(Normal::standard().cdf(z))
    }

    /// The lead of one engine of the main ranking over a lower one; `None` if the two were not
    /// compared.
    pub fn lead(&self, one: &str, other: &str) -> Option<Estimate> {
        let fit = self.main();
        let place = |name: &str| fit.engines.iter().position(|it| it.engine == name);
        fit.lead(place(one)?, place(other)?)
    }

    /// The fit over all kinds.
    pub fn all(&self) -> &Fit {
        self.fits.last().expect("there is always a fit over all")
    }

    /// The fits to show: if only one kind was played, the fit over all kinds is the same and is
    /// omitted.
    pub fn shown(&self) -> impl Iterator<Item = &Fit> {
        let twice = self.fits.len() == 2;
        self.fits.iter().filter(move |fit| !(twice && fit.scope == Scope::All))
    }

    /// The number of games an engine lost by a fault. In the scope of sessions, the faults in their
    /// games.
    pub fn faults(&self, engine: &str, scope: Scope) -> u64 {
        let kinds = Kind::ALL.iter().filter(|kind| scope.holds(**kind));
        kinds.filter_map(|&kind| self.faults.get(&(engine.to_owned(), kind))).sum()
    }

    /// The score of one engine against another; `None` if they have not met.
    pub fn score(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> Option<Tally> {
        let (one, other) =
            (self.sample.engine(&engine.engine)?, self.sample.engine(&opponent.engine)?);
        let tally = self.sample.tally(one, other, scope);
        (one != other && tally.games() > 0).then_some(tally)
    }

    /// The finished pairs between two engines by the first one's score, without repeated pairs.
    pub fn pentanomial(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> Pentanomial {
        let both = self.both(engine, opponent);
        both.map_or_else(Pentanomial::default, |(one, other)| {
            self.sample.pentanomial(one, other, scope)
        })
    }

    /// The number of pairs between two engines that repeat earlier ones.
    pub fn repeated_pairs(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> u64 {
        let both = self.both(engine, opponent);
        both.map_or(0, |(one, other)| self.sample.repeated_pairs(one, other, scope))
    }

    fn both(&self, engine: &Rating, opponent: &Rating) -> Option<(Entrant, Entrant)> {
        let place = |rating: &Rating| self.sample.engine(&rating.engine);
        place(engine).zip(place(opponent))
    }

    /// The ratings of some engines of a fit, and the covariance of their errors in Elo; `None` if one
    /// has no games or an unbounded rating.
    pub fn joint(&self, fit: &Fit, engines: &[&str]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let ids: Option<Vec<Entrant>> =
            engines.iter().map(|name| self.sample.engine(name)).collect();
        let (elo, mut covariance) = joint(&self.sample, fit.scope, &ids?)?;
        for (place, name) in engines.iter().enumerate() {
            let rating = fit.engines.iter().find(|rating| rating.engine == *name)?;
            let Estimate { elo_low, elo_high, .. } = rating.estimate;
            // Few games determine some ratings: their intervals are wider.
            let deviation = (elo_high? - elo_low?) / (2.0 * Z95);
            let variance = covariance[place][place].max(deviation.powi(2));
            covariance[place][place] = variance;
        }
        Some((elo, covariance))
    }

    /// The points of every two engines against what the ratings expect; `None` if there is nothing
    /// to check.
    pub fn check(&self, fit: &Fit) -> Option<FitCheck> {
        FitCheck::new(&self.sample, fit)
    }

    /// Every two engines of a ranking that have met or were compared, the higher-ranked first; in a
    /// large field only neighbours.
    pub fn differences(&self, fit: &Fit) -> Vec<Difference> {
        let count = fit.engines.len();
        let ids: Vec<_> = fit.engines.iter().map(|it| self.sample.engine(&it.engine)).collect();
        let met = if count > MAX_LISTED { BTreeSet::new() } else { self.sample.met(fit.scope) };
        let have_met = |rank: usize, lower: usize| {
            let both = ids[rank].zip(ids[lower]);
            both.is_some_and(|(one, other)| met.contains(&(one.min(other), one.max(other))))
        };
        let reach = if count > MAX_LISTED { 1 } else { count };
        let lower = |rank: usize| (rank + 1..count).take(reach).map(move |lower| (rank, lower));
        let difference = |(rank, lower): (usize, usize)| {
            let los = fit.los(rank, lower);
            let (engine, opponent) = (&fit.engines[rank], &fit.engines[lower]);
            (los.is_some() || have_met(rank, lower)).then(|| Difference {
                engine: engine.engine.clone(),
                opponent: opponent.engine.clone(),
                lead: fit.lead(rank, lower).unwrap_or_default(),
                los,
                pentanomial: self.pentanomial(fit.scope, engine, opponent),
                repeated_pairs: self.repeated_pairs(fit.scope, engine, opponent),
            })
        };
        (0..count).flat_map(lower).filter_map(difference).collect()
    }

    /// Statistics of the pairs of the only two engines, from the view of the higher-ranked one.
    /// `None` if there are more engines, or no finished pairs.
    pub fn of_two(&self, fit: &Fit) -> Option<(String, MatchStatistics)> {
        let (name, pairs) = self.pairs_of_two(fit)?;
        Some((name, MatchStatistics::from_pairs(&pairs)?))
    }

    /// The pairs of the only two engines by the score of the higher-ranked one; `None` if there are
    /// more engines.
    pub(crate) fn pairs_of_two(&self, fit: &Fit) -> Option<(String, Pentanomial)> {
        let [one, other] = &fit.engines[..] else { return None };
        Some((one.engine.clone(), self.pentanomial(fit.scope, one, other)))
    }

    /// Whether two engines are connected by games, directly or through others.
    pub fn connected(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> bool {
        self.both(engine, opponent).zip(self.groups.get(&scope)).is_some_and(|(both, groups)| {
            groups.contains_key(&both.0) && groups.get(&both.0) == groups.get(&both.1)
        })
    }

    /// Caveats about the ratings: engines that reported errors and played on, games that repeat
    /// others, and groups of engines without games between them.
    pub fn notes(&self) -> Vec<Phrase> {
        let mut notes = reported::errors(&self.reported);
        let Repeats { games, repeated } = self.played;
        if repeated > 0 {
            notes
                .push(Phrase::new("note.repeated").text("repeated", repeated).text("games", games));
        }
        let groups = self.sample.groups(Scope::All);
        if groups.len() > 1 {
            let names: BTreeMap<_, _> = self.sample.engines().collect();
            let group = |group: &Vec<Entrant>| {
                let names = group.iter().map(|id| vec![Word::name(names[id])]);
                let names = some_of(names, MAX_NAMED);
                [vec![Word::Text("(".to_owned())], names, vec![Word::Text(")".to_owned())]].concat()
            };
            let note = Phrase::new("note.groups").text("n", groups.len());
            notes.push(note.words("groups", some_of(groups.iter().map(group), MAX_NAMED)));
        }
        notes
    }
}

/// The engines of groups, with the number of their group.
fn numbered(groups: Vec<Vec<Entrant>>) -> BTreeMap<Entrant, usize> {
    let groups = groups.into_iter().enumerate();
    groups.flat_map(|(number, group)| group.into_iter().map(move |it| (it, number))).collect()
}

/// The largest field in which the differences of all engines that have met are listed.
const MAX_LISTED: usize = 200;
/// The maximal number of groups, and of engines of a group, that are named.
const MAX_NAMED: usize = 5;
