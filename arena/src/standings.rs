//! How engines stand: one fit for every kind that was played, and one over all.

use std::collections::BTreeMap;

use crate::accuracy::Accuracy;
use crate::contests::Contests;
use crate::course::Withdrawal;
use crate::kind::Kind;
use crate::ratings::{
    Fit, FitError, FitOptions, MatchStatistics, Pentanomial, Rating, Sample, Scope, Tally, fit,
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
    faults: BTreeMap<(String, Kind), u64>,
    sample: Sample,
}

impl Standings {
    /// Rates the engines.
    ///
    /// # Errors
    /// When an anchor makes no sense.
    pub fn new(contests: &Contests, options: &FitOptions) -> Result<Standings, FitError> {
        let sample = contests.sample.clone();
        let mut fits = Vec::new();
        for scope in Scope::ALL {
            if sample.has(scope) || scope == Scope::All {
                fits.push(fit(&sample, scope, options)?);
            }
        }
        let (withdrawn, accuracy) = (Vec::new(), Accuracy::default());
        Ok(Standings { fits, withdrawn, accuracy, faults: contests.faults.clone(), sample })
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

    /// How many pairs two engines of a ranking have finished with each other.
    pub fn pairs(&self, scope: Scope, engine: &Rating, opponent: &Rating) -> u64 {
        let place = |rating: &Rating| self.sample.engine(&rating.engine);
        let pairs = |one, other| self.sample.pentanomial(one, other, scope).pairs();
        place(engine).zip(place(opponent)).map_or(0, |(one, other)| pairs(one, other))
    }

    /// What the pairs of two engines alone say, from the first one's view. Only where there are
    /// two engines in all; `None` where they have finished no pair.
    pub fn of_two(&self, scope: Scope) -> Option<(String, MatchStatistics)> {
        let (name, pairs) = self.pairs_of_two(scope)?;
        Some((name, MatchStatistics::of_pairs(&pairs)?))
    }

    /// The first engine's pairs by what they gave it, where there are two engines in all.
    pub fn pairs_of_two(&self, scope: Scope) -> Option<(String, Pentanomial)> {
        let engines: Vec<_> = self.sample.engines().collect();
        let [(one, name), (other, _)] = engines[..] else { return None };
        Some((name.to_owned(), self.sample.pentanomial(one, other, scope)))
    }
}
