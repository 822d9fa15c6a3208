//! The next tournament of a league, with the engines that have to meet: a pure function of its
//! members and games.

use std::collections::{BTreeMap, HashMap};
use std::num::NonZeroU32;

use super::played::Played;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::{EngineConfig, Tournament};
use fanorona_tournament::progress::is_finished;

/// The number of pairs that every two engines have finished in each kind, by their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FinishedPairs(HashMap<(String, String), BTreeMap<Kind, u32>>);

fn key(one: &str, other: &str) -> (String, String) {
    let [first, second] = if one < other { [one, other] } else { [other, one] };
    (first.to_owned(), second.to_owned())
}

impl FinishedPairs {
    /// Counts the complete pairs of tournaments. A pair with a game that has no result because of
    /// the arena does not count: it is played again.
    pub fn new(played: &[Played]) -> FinishedPairs {
        let mut met = FinishedPairs::default();
        for Played { tournament, index, progress, .. } in played {
            // Both games of a pair have the same number.
            let mut done: BTreeMap<_, (u32, _)> = BTreeMap::new();
            for pairing in progress.schedule().iter() {
                let games = index.of(pairing.id);
                let has_result = is_finished(tournament, &pairing, games)
                    && games.iter().all(|game| !game.is_void() && progress.counts(game));
                if has_result {
                    done.entry(pairing.pair).or_insert((0, pairing)).0 += 1;
                }
            }
            for (_, pairing) in done.into_values().filter(|(games, _)| *games == 2) {
                let name = |engine: fanorona_tournament::pairing::ids::EngineId| {
                    &*tournament.engines[engine.0].name
                };
                met.add(name(pairing.first), name(pairing.second), pairing.kind);
            }
        }
        met
    }

    fn add(&mut self, one: &str, other: &str, kind: Kind) {
        *self.0.entry(key(one, other)).or_default().entry(kind).or_default() += 1;
    }

    /// The pairs that two engines have finished in every one of these kinds.
    fn pairs(&self, one: &str, other: &str, kinds: &[Kind]) -> u32 {
        let Some(counts) = self.0.get(&key(one, other)) else { return 0 };
        kinds.iter().map(|kind| counts.get(kind).copied().unwrap_or(0)).min().unwrap_or(0)
    }

    /// The pairs that are missing between these engines.
    pub fn missing(&self, engines: &[EngineConfig], settings: &Tournament) -> u64 {
        encounters(self, engines, settings).iter().map(|(_, _, missing)| u64::from(*missing)).sum()
    }
}

/// Every two engines that have to meet, and how many pairs are missing.
fn encounters(
    met: &FinishedPairs,
    engines: &[EngineConfig],
    settings: &Tournament,
) -> Vec<(usize, usize, u32)> {
    let mut encounters = Vec::new();
    for (index, one) in engines.iter().enumerate() {
        for (place, other) in engines.iter().enumerate().skip(index + 1) {
            let pairs = met.pairs(&one.name, &other.name, &settings.kinds);
            match settings.rounds.get().saturating_sub(pairs) {
                0 => {}
                missing => encounters.push((index, place, missing)),
            }
        }
    }
    encounters
}

/// The next tournament: everyone meets whom it has not met often enough. `None` if no one needs
/// anyone. If engines lack different numbers of pairs, it takes a further tournament.
pub fn tournament(
    settings: &Tournament,
    engines: &[EngineConfig],
    met: &FinishedPairs,
    number: u32,
) -> Option<Tournament> {
    let encounters = encounters(met, engines, settings);
    let rounds =
        encounters.iter().map(|(_, _, missing)| *missing).min().and_then(NonZeroU32::new)?;
    let opponents = |place: usize| -> Vec<String> {
        let other = |&(one, other, _): &(usize, usize, u32)| match place {
            place if place == one => Some(engines[other].name.clone()),
            place if place == other => Some(engines[one].name.clone()),
            _ => None,
        };
        encounters.iter().filter_map(other).collect()
    };
    let mut entrants: Vec<EngineConfig> = Vec::new();
    for (place, engine) in engines.iter().enumerate() {
        let only = opponents(place);
        if !only.is_empty() {
            entrants.push(EngineConfig { only, ..engine.clone() });
        }
    }
    if encounters.len() == entrants.len() * (entrants.len() - 1) / 2 {
        // All meet all: nothing has to be said.
        entrants.iter_mut().for_each(|engine| engine.only.clear());
    }
    Some(Tournament {
        name: format!("{}-{number}", settings.name),
        title: Some(format!("{}, tournament {number}", settings.title())),
        // Later tournaments between the same engines begin with other openings.
        seed: settings.seed.wrapping_add(u64::from(number) - 1) & i64::MAX as u64,
        rounds,
        engines: entrants,
        ..settings.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::pairing::schedule::Schedule;

    fn engines(names: &str) -> Vec<EngineConfig> {
        names.chars().map(|name| EngineConfig::new(name, "x")).collect()
    }

    fn settings(rounds: u32) -> Tournament {
        let rounds = NonZeroU32::new(rounds).unwrap();
        Tournament { rounds, ..Tournament::new("l", "", Vec::new()) }
    }

    /// The encounters of the next tournament with its rounds.
    fn drawn(rounds: u32, names: &str, met: &FinishedPairs) -> String {
        let Some(next) = tournament(&settings(rounds), &engines(names), met, 3) else {
            return "none".to_owned();
        };
        let mut pairs: Vec<String> = Schedule::new(&next)
            .iter()
            .map(|it| {
                let name =
                    |id: fanorona_tournament::pairing::ids::EngineId| &*next.engines[id.0].name;
                format!("{}{}", name(it.first.min(it.second)), name(it.first.max(it.second)))
            })
            .collect();
        pairs.sort();
        pairs.dedup();
        format!("{}: {}", next.rounds, pairs.join(" "))
    }

    fn met(pairs: &[(&str, u32)]) -> FinishedPairs {
        let mut met = FinishedPairs::default();
        for (names, count) in pairs {
            for _ in 0..*count {
                for kind in [Kind::Riatra, Kind::Vela] {
                    met.add(&names[1..], &names[..1], kind);
                }
            }
        }
        met
    }

    #[test]
    fn everyone_meets_whom_it_needs() {
        assert_eq!(drawn(2, "abc", &FinishedPairs::default()), "2: ab ac bc");
        let all = [("ab", 2), ("ac", 2), ("bc", 2)];
        assert_eq!(drawn(2, "abc", &met(&all)), "none");
        // A newcomer meets all; a larger number of rounds plays on.
        assert_eq!(drawn(2, "abcd", &met(&all)), "2: ad bd cd");
        assert_eq!(drawn(3, "abc", &met(&all)), "1: ab ac bc");
        // First as much as all of them lack, then the rest in a further tournament.
        assert_eq!(drawn(3, "abd", &met(&all)), "1: ab ad bd");
        // Who has left is not missed, and one bot has no opponent.
        assert_eq!(drawn(2, "ab", &met(&all)), "none");
        assert_eq!(drawn(2, "a", &FinishedPairs::default()), "none");
    }

    #[test]
    fn a_pair_counts_when_all_kinds_are_played() {
        let mut met = met(&[("ab", 1)]);
        met.add("a", "b", Kind::Riatra);
        assert_eq!(drawn(2, "ab", &met), "1: ab");
        assert_eq!(met.missing(&engines("abc"), &settings(2)), 1 + 2 + 2);
    }

    #[test]
    fn the_next_tournament_follows_from_the_games() {
        let next = |number| {
            tournament(&settings(1), &engines("ab"), &FinishedPairs::default(), number).unwrap()
        };
        assert_eq!(next(3), next(3));
        assert_eq!((next(3).name.as_str(), next(3).seed), ("l-3", 3));
        assert_ne!(next(3).seed, next(4).seed);
    }
}
