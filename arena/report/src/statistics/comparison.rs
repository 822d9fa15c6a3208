//! Compares two tournaments: rating changes of the engines they share.
//!
//! The ratings of each tournament are fitted separately. A change is the difference of two
//! independent estimates, and its interval is derived from theirs: the distance to each end is the
//! root of the sum of squares of the corresponding two distances (Zou and Donner 2008,
//! "Construction of confidence limits about effect measures: a general approach"). For symmetric
//! intervals this adds the variances.

use std::collections::BTreeSet;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::family::holm;
use super::results_reader::{GameResults, Thinking};
use super::standings::Standings;
use fanorona_ratings::{Estimate, Fit, Rating, Scope, Z95};

/// One of the two tournaments.
#[derive(Clone, Copy, Debug)]
pub struct RatedTournament<'t> {
    /// The results of its games, as they were read.
    pub game_results: &'t GameResults,
    /// The standings that follow from them.
    pub standings: &'t Standings,
}

/// The differences between two tournaments.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The rating changes, for every kind that both played and for all kinds together, in the order
    /// of the second ranking.
    pub changes: Vec<Change>,
    /// The thinking times of shared engines, in alphabetical order.
    pub time: Vec<TimeChange>,
    /// Engines that played only in the first tournament.
    pub only_in_first: Vec<String>,
    /// Engines that played only in the second tournament.
    pub only_in_second: Vec<String>,
    /// Caveats for readers.
    pub notes: Vec<String>,
}

/// The change of an engine in one kind, or over all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// The scope.
    pub kind: Scope,
    /// The name of the engine in both tournaments.
    pub engine: String,
    /// Its rating in the first tournament.
    pub first: Estimate,
    /// Its rating in the second.
    pub second: Estimate,
    /// The second rating minus the first, in Elo; an open end is `None`.
    pub change: Estimate,
    /// The probability (0 to 1) that it is stronger in the second tournament; `None` if the ratings
    /// are unbounded, or fixed in both.
    pub stronger: Option<f64>,
    /// Whether a change is certain: of all changes of the comparison, some engine that has not changed
    /// is among the certain ones with a probability of 5 % at most (Holm 1979, "A simple sequentially
    /// rejective multiple test procedure").
    pub is_certain: bool,
    /// Whether the engine is known to be the same program with the same options in both, so that its
    /// change is that of its field, or chance.
    pub is_same_program: bool,
    /// The number of results in each tournament.
    pub games: [u64; 2],
    /// The number of games lost by a fault in each tournament.
    pub faults: [u64; 2],
}

/// The thinking time of an engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TimeChange {
    /// The name of the engine in both tournaments.
    pub engine: String,
    /// Milliseconds per move in each tournament; `None` if unknown.
    pub ms_per_move: [Option<f64>; 2],
}

impl Comparison {
    /// Compares the second tournament with the first. Some engines are known to be the same programs
    /// with the same options in both.
    pub fn new(
        first: RatedTournament<'_>,
        second: RatedTournament<'_>,
        same: &BTreeSet<String>,
    ) -> Comparison {
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
                    "ratings are relative to the mean of the field, so an engine that gains \
                     lowers all others"
                }
                false => "the fields differ, and ratings are relative to the mean of each field",
            };
            notes.push(format!(
                "{what}: fix an engine that is the same in both with --anchor NAME=0"
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
                    "{scope} was played only in the {} tournament",
                    if one.is_some() { "first" } else { "second" }
                )),
            }
        }
        // With a single kind, the changes over all kinds are the same.
        if [first, second].iter().all(|it| it.standings.shown().count() == 1)
            && changes.iter().any(|change| change.kind != Scope::All)
        {
            changes.retain(|change| change.kind != Scope::All);
        }
        let p_values: Vec<_> = changes.iter().filter_map(Change::p_value).collect();
        let tested = changes.iter_mut().filter(|change| change.stronger.is_some());
        for (change, is_certain) in tested.zip(holm(&p_values)) {
            change.is_certain = is_certain;
        }
        for change in &mut changes {
            change.is_same_program = same.contains(&change.engine);
        }
        let both = names[0].iter().filter(|name| names[1].contains(name));
        let time = both.map(|name| TimeChange {
            engine: name.clone(),
            ms_per_move: [first, second].map(|it| it.ms_per_move(name)),
        });
        Comparison { changes, time: time.collect(), only_in_first, only_in_second, notes }
    }
}

/// Whether an engine is fixed at the same rating in both, so that the ratings share one scale.
fn anchored(first: RatedTournament<'_>, second: RatedTournament<'_>) -> bool {
    let held = |rating: &Rating| {
        let Estimate { elo, elo_low, elo_high } = rating.estimate;
        elo.is_some() && elo == elo_low && elo == elo_high
    };
    first.standings.all().engines.iter().filter(|rating| held(rating)).any(|one| {
        let others = &second.standings.all().engines;
        others.iter().any(|other| held(other) && other.engine == one.engine)
    })
}

impl<'t> RatedTournament<'t> {
    fn names(self) -> Vec<String> {
        self.game_results.sample.engines().map(|(_, name)| name.to_owned()).collect()
    }

    fn fit(self, scope: Scope) -> Option<&'t Fit> {
        self.standings.fits.iter().find(|fit| fit.scope == scope && fit.games > 0)
    }

    fn ms_per_move(self, engine: &str) -> Option<f64> {
        let Thinking { moves, milliseconds } = *self.game_results.thinking.get(engine)?;
        (moves > 0).then(|| milliseconds as f64 / moves as f64)
    }

    /// The changes of engines that appear in both fits.
    fn changes(
        self,
        fit: &'t Fit,
        second: RatedTournament<'t>,
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
                is_certain: false,
                is_same_program: false,
                games: [before.games, after.games],
                faults: [self, second].map(|it| it.standings.faults(&after.engine, fit.scope)),
            })
        })
    }
}

impl Change {
    /// The probability of at least such a change in an engine that has not changed; `None` if it is
    /// not known how sure the change is.
    fn p_value(&self) -> Option<f64> {
        self.stronger.map(|stronger| 2.0 * stronger.min(1.0 - stronger))
    }
}

/// The difference of two independent estimates, the second minus the first.
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

/// The probability that a change is above zero, from a normal distribution whose standard deviation
/// is that of the side of the interval on which zero lies.
fn stronger(change: &Estimate) -> Option<f64> {
    let elo = change.elo?;
    let end = if elo > 0.0 { change.elo_low? } else { change.elo_high? };
    let deviation = (elo - end).abs() / Z95;
    (deviation > 0.0).then(|| Normal::standard().cdf(elo / deviation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_ratings::kind::Kind;
    use fanorona_ratings::{Anchor, FitOptions, PairKey, Score, ScoredGame};

    fn estimate(elo: f64, low: f64, high: f64) -> Estimate {
        Estimate { elo: Some(elo), elo_low: Some(low), elo_high: Some(high) }
    }

    #[test]
    fn variances_of_symmetric_intervals_add() {
        let change = difference(&estimate(10.0, 7.0, 13.0), &estimate(30.0, 26.0, 34.0));
        assert_eq!(change, estimate(20.0, 15.0, 25.0));
        // 5 Elo are 1.96 standard deviations; 20 Elo are four times as many.
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

    /// A match of two engines in one kind; the first wins this many of a hundred games.
    fn played(names: [&str; 2], kind: Kind, wins: u64) -> GameResults {
        let mut game_results = GameResults::of_engines(names);
        let [one, other] = names.map(|name| game_results.sample.engine(name).unwrap());
        for game in 0..100 {
            let won = game < wins;
            let (first, second) = if game % 2 == 0 { (one, other) } else { (other, one) };
            let score = if won == (first == one) { Score::Win } else { Score::Loss };
            let pair = PairKey(game / 2);
            game_results.sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
        }
        game_results
    }

    fn compared(first: &GameResults, second: &GameResults, options: &FitOptions) -> Comparison {
        let [one, other] = [first, second].map(|it| Standings::new(it, options).unwrap());
        Comparison::new(
            RatedTournament { game_results: first, standings: &one },
            RatedTournament { game_results: second, standings: &other },
            &BTreeSet::new(),
        )
    }

    #[test]
    fn an_engine_that_has_gained_is_stronger() {
        let mut before = played(["old", "new"], Kind::Vela, 50);
        let mut after = played(["old", "new"], Kind::Vela, 20);
        before.faults.insert(("new".to_owned(), Kind::Vela), 2);
        after.thinking.insert("new".to_owned(), Thinking { moves: 4, milliseconds: 10 });
        let comparison = compared(&before, &after, &FitOptions::default());
        // One gains exactly what the other loses: without an anchor the cause is unknown.
        assert!(comparison.notes[0].contains("lowers all others"), "{:?}", comparison.notes);
        // With one kind there are no separate changes over all kinds.
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
        let expected = [
            "riatra was played only in the first tournament",
            "vela was played only in the second tournament",
        ];
        assert_eq!(comparison.notes[1..], expected);
        assert!(comparison.changes.iter().all(|change| change.kind == Scope::All));
        assert_eq!(comparison.changes.len(), 2);
    }
}
