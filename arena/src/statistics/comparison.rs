//! Two tournaments side by side: what has become of the engines that played in both.
//!
//! The ratings of each tournament are fitted alone. A change is the difference of two independent
//! estimates, and its interval is recovered from theirs: each end lies as far out as the root of the
//! sum of the squares of the two distances that go its way (Zou and Donner 2008, "Construction of
//! confidence limits about effect measures: a general approach"; with symmetric intervals, variances
//! add).

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::results_reader::{GameResults, Thinking};
use super::standings::Standings;
use crate::ratings::{Estimate, Fit, Rating, Scope, Z95};

/// One of the two tournaments.
#[derive(Clone, Copy, Debug)]
pub struct Played<'t> {
    /// Its results.
    pub contests: &'t GameResults,
    /// What they say.
    pub standings: &'t Standings,
}

/// What has changed from one tournament to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// For every kind that was played in both, and over all, the engines that played it in both, in
    /// the order of the second ranking.
    pub changes: Vec<Change>,
    /// How long the engines of both thought, in the order of their names.
    pub time: Vec<TimeUse>,
    /// Engines of the first tournament alone.
    pub only_in_first: Vec<String>,
    /// Engines of the second tournament alone.
    pub only_in_second: Vec<String>,
    /// What readers should know before they believe it.
    pub notes: Vec<String>,
}

/// What has become of an engine in one kind, or over all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// In what.
    pub kind: Scope,
    /// The engine.
    pub engine: String,
    /// Its rating in the first tournament.
    pub first: Estimate,
    /// Its rating in the second.
    pub second: Estimate,
    /// The second less the first, in Elo; an open end is `None`.
    pub change: Estimate,
    /// The probability, 0 to 1, that it is stronger in the second; `None` where the ratings are
    /// unbounded, or decreed in both.
    pub stronger: Option<f64>,
    /// Results in each.
    pub games: [u64; 2],
    /// Games it lost by a fault in each.
    pub faults: [u64; 2],
}

/// How long an engine thought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeUse {
    /// The engine.
    pub engine: String,
    /// Milliseconds a move in each tournament; `None` where nothing is known of it.
    pub ms_per_move: [Option<f64>; 2],
}

impl Comparison {
    /// Compares the second with the first.
    pub fn new(first: Played<'_>, second: Played<'_>) -> Comparison {
        let names = [first, second].map(|it| it.names());
        let missing = |from: &[String], of: &[String]| -> Vec<String> {
            of.iter().filter(|name| !from.contains(name)).cloned().collect()
        };
        let only_in_first = missing(&names[1], &names[0]);
        let only_in_second = missing(&names[0], &names[1]);
        let mut notes = Vec::new();
        let same_field = only_in_first.is_empty() && only_in_second.is_empty();
        if !anchored(first, second) {
            let what = match same_field {
                true => {
                    "ratings are seen from the mean of the field, so an engine that gains moves \
                         all others down"
                }
                false => "the fields differ, and ratings are seen from the mean of each",
            };
            notes.push(format!(
                "{what}: hold an engine that is the same in both by --anchor NAME=0"
            ));
        }
        for (which, it) in [("first", first), ("second", second)] {
            notes.extend(it.standings.notes().into_iter().map(|note| format!("{which}: {note}")));
        }
        let mut changes = Vec::new();
        for scope in Scope::ALL {
            match [first, second].map(|it| it.fit(scope)) {
                [Some(one), Some(other)] => changes.extend(first.changes(one, second, other)),
                [None, None] => {}
                [one, _] => notes.push(format!(
                    "{scope} was played in the {} alone",
                    if one.is_some() { "first" } else { "second" }
                )),
            }
        }
        // What is the same as over a single kind need not be said again.
        if [first, second].iter().all(|it| it.standings.shown().count() == 1)
            && changes.iter().any(|change| change.kind != Scope::All)
        {
            changes.retain(|change| change.kind != Scope::All);
        }
        let both = names[0].iter().filter(|name| names[1].contains(name));
        let time = both.map(|name| TimeUse {
            engine: name.clone(),
            ms_per_move: [first, second].map(|it| it.ms_per_move(name)),
        });
        Comparison { changes, time: time.collect(), only_in_first, only_in_second, notes }
    }
}

/// Whether some engine is held at the same rating in both, so that the scales are one.
fn anchored(first: Played<'_>, second: Played<'_>) -> bool {
    let held = |rating: &Rating| {
        let Estimate { elo, elo_low, elo_high } = rating.estimate;
        elo.is_some() && elo == elo_low && elo == elo_high
    };
    first.standings.all().engines.iter().filter(|rating| held(rating)).any(|one| {
        let others = &second.standings.all().engines;
        others.iter().any(|other| held(other) && other.engine == one.engine)
    })
}

impl<'t> Played<'t> {
    fn names(self) -> Vec<String> {
        self.contests.sample.engines().map(|(_, name)| name.to_owned()).collect()
    }

    fn fit(self, scope: Scope) -> Option<&'t Fit> {
        self.standings.fits.iter().find(|fit| fit.scope == scope && fit.games > 0)
    }

    fn ms_per_move(self, engine: &str) -> Option<f64> {
        let Thinking { moves, milliseconds } = *self.contests.thinking.get(engine)?;
        (moves > 0).then(|| milliseconds as f64 / moves as f64)
    }

    /// What has become of the engines that played in a fit of this and in one of another.
    fn changes(
        self,
        fit: &'t Fit,
        second: Played<'t>,
        other: &'t Fit,
    ) -> impl Iterator<Item = Change> {
        let played = |rating: &&Rating| rating.games > 0;
        other.engines.iter().filter(played).filter_map(move |after| {
            let mut engines = fit.engines.iter().filter(played);
            let before = engines.find(|before| before.engine == after.engine)?;
            let change = difference(&before.estimate, &after.estimate);
            Some(Change {
                kind: fit.scope,
                engine: after.engine.clone(),
                first: before.estimate,
                second: after.estimate,
                change,
                stronger: stronger(&change),
                games: [before.games, after.games],
                faults: [self, second].map(|it| it.standings.faults(&after.engine, fit.scope)),
            })
        })
    }
}

/// The second less the first, of independent estimates.
fn difference(first: &Estimate, second: &Estimate) -> Estimate {
    let Some((before, after)) = first.elo.zip(second.elo) else { return Estimate::default() };
    let change = after - before;
    let low = second.elo_low.zip(first.elo_high);
    let high = second.elo_high.zip(first.elo_low);
    Estimate {
        elo: Some(change),
        elo_low: low.map(|(low, high)| change - (after - low).hypot(high - before)),
        elo_high: high.map(|(high, low)| change + (high - after).hypot(before - low)),
    }
}

/// The probability that a change is above zero: that of a normal variable whose standard deviation is
/// that of the side of the interval on which zero lies.
fn stronger(change: &Estimate) -> Option<f64> {
    let elo = change.elo?;
    let end = if elo > 0.0 { change.elo_low? } else { change.elo_high? };
    let deviation = (elo - end).abs() / Z95;
    (deviation > 0.0).then(|| Normal::standard().cdf(elo / deviation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ratings::kind::Kind;
    use crate::ratings::{Anchor, FitOptions, GameResult, PairId, Score};

    fn estimate(elo: f64, low: f64, high: f64) -> Estimate {
        Estimate { elo: Some(elo), elo_low: Some(low), elo_high: Some(high) }
    }

    #[test]
    fn variances_of_symmetric_intervals_add() {
        let change = difference(&estimate(10.0, 7.0, 13.0), &estimate(30.0, 26.0, 34.0));
        assert_eq!(change, estimate(20.0, 15.0, 25.0));
        // Five Elo are 1.96 standard deviations, and twenty four times as many.
        let expected = Normal::standard().cdf(4.0 * Z95);
        assert!((stronger(&change).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn each_end_has_the_distances_that_go_its_way() {
        let change = difference(&estimate(0.0, -5.0, 3.0), &estimate(0.0, -4.0, 12.0));
        assert_eq!(change, estimate(0.0, -5.0, 13.0));
        assert_eq!(stronger(&change), Some(0.5));
    }

    #[test]
    fn open_ends_stay_open_and_the_decreed_is_no_news() {
        let open = Estimate { elo_high: None, ..estimate(500.0, 300.0, 0.0) };
        let change = difference(&estimate(0.0, -10.0, 10.0), &open);
        assert_eq!((change.elo_low.is_some(), change.elo_high), (true, None));
        assert!(stronger(&change).unwrap() > 0.99);
        let nothing = difference(&Estimate::default(), &open);
        assert_eq!((nothing, stronger(&nothing)), (Estimate::default(), None));
        let held = estimate(5.0, 5.0, 5.0);
        assert_eq!(stronger(&difference(&held, &held)), None);
    }

    /// A match of two engines in one kind, of which the first wins this many of a hundred games.
    fn played(names: [&str; 2], kind: Kind, wins: u64) -> GameResults {
        let mut contests = GameResults::of_engines(names);
        let [one, other] = names.map(|name| contests.sample.engine(name).unwrap());
        for game in 0..100 {
            let won = game < wins;
            let (first, second) = if game % 2 == 0 { (one, other) } else { (other, one) };
            let score = if won == (first == one) { Score::Win } else { Score::Loss };
            let pair = PairId(game / 2);
            contests.sample.push(GameResult { first, second, kind, score, pair }).unwrap();
        }
        contests
    }

    fn compared(first: &GameResults, second: &GameResults, options: &FitOptions) -> Comparison {
        let [one, other] = [first, second].map(|it| Standings::new(it, options).unwrap());
        Comparison::new(
            Played { contests: first, standings: &one },
            Played { contests: second, standings: &other },
        )
    }

    #[test]
    fn an_engine_that_has_gained_is_stronger() {
        let mut before = played(["old", "new"], Kind::Vela, 50);
        let mut after = played(["old", "new"], Kind::Vela, 20);
        before.faults.insert(("new".to_owned(), Kind::Vela), 2);
        after.thinking.insert("new".to_owned(), Thinking { moves: 4, milliseconds: 10 });
        let comparison = compared(&before, &after, &FitOptions::default());
        // One gains exactly what the other loses: without an anchor nobody can tell which it was.
        assert!(comparison.notes[0].contains("moves all others down"), "{:?}", comparison.notes);
        // One kind alone: what holds over all is not said again.
        let [new, old] = &comparison.changes[..] else { panic!("{:?}", comparison.changes) };
        assert_eq!((&*new.engine, &*old.engine, new.kind), ("new", "old", Kind::Vela.into()));
        assert!(new.stronger.unwrap() > 0.99 && old.stronger.unwrap() < 0.01);
        assert!((new.change.elo.unwrap() + old.change.elo.unwrap()).abs() < 1e-6);
        assert_eq!((new.faults, new.games), ([2, 0], [100, 100]));
        let time: Vec<_> = comparison.time.iter().map(|it| (&*it.engine, it.ms_per_move)).collect();
        assert_eq!(time, [("new", [None, Some(2.5)]), ("old", [None, None])]);
    }

    #[test]
    fn other_fields_are_another_scale_unless_an_engine_is_held() {
        let before = played(["old", "base"], Kind::Riatra, 60);
        let after = played(["new", "base"], Kind::Riatra, 80);
        let comparison = compared(&before, &after, &FitOptions::default());
        assert_eq!(comparison.only_in_first, ["old"]);
        assert_eq!(comparison.only_in_second, ["new"]);
        assert!(comparison.notes[0].contains("--anchor"), "{:?}", comparison.notes);
        let anchors = vec![Anchor { engine: "base".to_owned(), elo: 0.0 }];
        let held = compared(&before, &after, &FitOptions { anchors, ..FitOptions::default() });
        assert!(held.notes.is_empty(), "{:?}", held.notes);
        assert_eq!(held.changes[0].change, estimate(0.0, 0.0, 0.0));
    }

    #[test]
    fn kinds_of_one_tournament_alone_are_named() {
        let before = played(["a", "b"], Kind::Riatra, 60);
        let after = played(["a", "b"], Kind::Vela, 60);
        let comparison = compared(&before, &after, &FitOptions::default());
        let expected =
            ["riatra was played in the first alone", "vela was played in the second alone"];
        assert_eq!(comparison.notes[1..], expected);
        assert!(comparison.changes.iter().all(|change| change.kind == Scope::All));
        assert_eq!(comparison.changes.len(), 2);
    }
}
