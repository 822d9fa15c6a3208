//! How engines stand: one fit for every kind that was played, and one over all.

use std::collections::BTreeMap;

use super::accuracy::Accuracy;
use super::results_reader::{GameResults, Repeats};
use crate::ratings::kind::Kind;
use crate::tournament::progress::Withdrawal;
use serde::Serialize;

use crate::ratings::{
    EngineId, Estimate, Fit, FitError, FitOptions, MatchStatistics, Pentanomial, Rating, Sample,
    Scope, Tally, fit,
};

/// The standings of every scope in which something was played, in the order of [`Scope::ALL`].
#[derive(Clone, Debug)]
pub struct Standings {
    /// The fits.
    pub fits: Vec<Fit>,
    /// Who has been withdrawn, by name.
    pub withdrawn: Vec<(String, Withdrawal)>,
    /// What they did in positions whose value an oracle knows.
    pub accuracy: Accuracy,
    /// How many games repeat others.
    pub played: Repeats,
    faults: BTreeMap<(String, Kind), u64>,
    sample: Sample,
}

/// One engine of a ranking beside another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The engine that is higher in the ranking.
    pub engine: String,
    /// The other one.
    pub opponent: String,
    /// By how much the former leads, in Elo; nothing where the two were not compared.
    #[serde(flatten)]
    pub lead: Estimate,
    /// The probability, 0 to 1, that the former is the stronger one; `None` where the two were not
    /// compared.
    pub los: Option<f64>,
    /// Their pairs by what they gave the former, without those that only repeat others.
    pub pentanomial: Pentanomial,
    /// How many more pairs only repeat those.
    pub repeated_pairs: u64,
}

impl Standings {
    /// Rates the engines.
    ///
    /// # Errors
    /// When an anchor makes no sense.
    pub fn new(contests: &GameResults, options: &FitOptions) -> Result<Standings, FitError> {
        let sample = contests.sample.clone();
        let mut fits = Vec::new();
        for scope in Scope::ALL {
            if sample.has(scope) || scope == Scope::All {
                fits.push(fit(&sample, scope, options)?);
            }
        }
        let (withdrawn, accuracy) = (Vec::new(), Accuracy::default());
        let (played, faults) = (contests.played, contests.faults.clone());
        Ok(Standings { fits, withdrawn, accuracy, played, faults, sample })
    }

    /// The same with what is known of engines that were withdrawn on the way.
    pub fn with_withdrawn(self, withdrawn: Vec<(String, Withdrawal)>) -> Standings {
        Standings { withdrawn, ..self }
    }

    /// The same with what an oracle has said of the games.
    pub fn with_accuracy(self, accuracy: Accuracy) -> Standings {
        Standings { accuracy, ..self }
    }

    /// When and why an engine has been withdrawn, if it has.
    pub fn withdrawal(&self, engine: &str) -> Option<&Withdrawal> {
        self.withdrawn.iter().find(|(name, _)| name == engine).map(|(_, withdrawal)| withdrawal)
    }

    /// The fit over everything.
    pub fn all(&self) -> &Fit {
        self.fits.last().expect("there is always a fit over all")
    }

    /// The fits worth showing: of a single kind and all together, which are the same, only the
    /// former.
    pub fn shown(&self) -> impl Iterator<Item = &Fit> {
        let twice = self.fits.len() == 2;
        self.fits.iter().filter(move |fit| !(twice && fit.scope == Scope::All))
    }

    /// Games an engine lost by a fault. In the scope of sessions, those of their games.
    pub fn faults(&self, engine: &str, scope: Scope) -> u64 {
        let of_engine = self.faults.iter().filter(|((name, _), _)| name == engine);
        of_engine.filter(|((_, kind), _)| scope.holds(*kind)).map(|(_, count)| count).sum()
    }

    /// What one engine of a ranking scored against another; `None` where they have not met.
    pub fn score(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> Option<Tally> {
        let (one, other) =
            (self.sample.engine(&engine.engine)?, self.sample.engine(&opponent.engine)?);
        let tally = self.sample.tally(one, other, scope);
        (one != other && tally.games() > 0).then_some(tally)
    }

    /// The pairs that two engines of a ranking have finished with each other, by what they gave the
    /// first; without those that only repeat others.
    pub fn pentanomial(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> Pentanomial {
        let both = self.both(engine, opponent);
        both.map_or_else(Pentanomial::default, |(one, other)| {
            self.sample.pentanomial(one, other, scope)
        })
    }

    /// How many more of their pairs only repeat those.
    pub fn repeated_pairs(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> u64 {
        let both = self.both(engine, opponent);
        both.map_or(0, |(one, other)| self.sample.repeated_pairs(one, other, scope))
    }

    fn both(&self, engine: &Rating, opponent: &Rating) -> Option<(EngineId, EngineId)> {
        let place = |rating: &Rating| self.sample.engine(&rating.engine);
        place(engine).zip(place(opponent))
    }

    /// Every two engines of a ranking that have met or were compared, the higher one first.
    pub fn differences(&self, fit: &Fit) -> Vec<Difference> {
        let mut differences = Vec::new();
        for (rank, engine) in fit.engines.iter().enumerate() {
            for (lower, opponent) in fit.engines.iter().enumerate().skip(rank + 1) {
                let met = self.score(fit.scope, engine, opponent).is_some();
                let los = fit.los[rank][lower];
                if met || los.is_some() {
                    differences.push(Difference {
                        engine: engine.engine.clone(),
                        opponent: opponent.engine.clone(),
                        lead: fit.leads[rank][lower].unwrap_or_default(),
                        los,
                        pentanomial: self.pentanomial(fit.scope, engine, opponent),
                        repeated_pairs: self.repeated_pairs(fit.scope, engine, opponent),
                    });
                }
            }
        }
        differences
    }

    /// What the pairs of two engines alone say, from the view of the one that is higher in the
    /// ranking. Only where there are two engines in all; `None` where they have finished no pair.
    pub fn of_two(&self, fit: &Fit) -> Option<(String, MatchStatistics)> {
        let (name, pairs) = self.pairs_of_two(fit)?;
        Some((name, MatchStatistics::of_pairs(&pairs)?))
    }

    /// The pairs of the engine that is higher in the ranking by what they gave it, where there are two
    /// engines in all.
    pub fn pairs_of_two(&self, fit: &Fit) -> Option<(String, Pentanomial)> {
        let [one, other] = &fit.engines[..] else { return None };
        Some((one.engine.clone(), self.pentanomial(fit.scope, one, other)))
    }

    /// Whether games connect two engines of a ranking, directly or through others.
    pub fn connected(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> bool {
        self.both(engine, opponent).is_some_and(|(one, other)| {
            let groups = self.sample.groups(scope);
            groups.iter().any(|group| group.contains(&one) && group.contains(&other))
        })
    }

    /// What readers have to know before they believe the ratings: games that repeat others, and engines
    /// that no game connects.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let Repeats { games, repeated } = self.played;
        if repeated > 0 {
            notes.push(format!(
                "{repeated} of {games} games repeat an earlier one move for move; a repeated pair is \
                 no new observation, so ratings and intervals count it once"
            ));
        }
        let groups = self.sample.groups(Scope::All);
        if groups.len() > 1 {
            let names: BTreeMap<_, _> = self.sample.engines().collect();
            let group = |group: &Vec<EngineId>| {
                let shown = group.iter().take(MOST_NAMED).map(|id| names[id]);
                let more = group.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                format!("({}{more})", shown.collect::<Vec<_>>().join(", "))
            };
            let shown: Vec<_> = groups.iter().take(MOST_NAMED).map(group).collect();
            let more = groups.len().saturating_sub(MOST_NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            notes.push(format!(
                "{} groups of engines never met: {}{more}. Ratings are comparable within a group only: \
                 between groups no result says anything, and the prior alone puts the mean of each \
                 group at the same place",
                groups.len(),
                shown.join(", ")
            ));
        }
        notes
    }
}

/// The most groups, and engines of a group, that are named.
const MOST_NAMED: usize = 5;
