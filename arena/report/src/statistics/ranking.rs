//! Whether standings are a ranking at all: how well one line of ratings explains the results, which
//! engines beat each other in a cycle, and which tiers the games separate.

use std::collections::{BTreeSet, VecDeque};

use serde::Serialize;

use super::family::holm;
use super::standings::Standings;
use super::verdict::{CERTAIN, Sentence, percent, place};
use crate::phrase::{Phrase, Word, Words, list, some_of};
use fanorona_ratings::{Fit, FitCheck, MatchStatistics, Rating, nash_average};

/// The answers for one fit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranking {
    /// The engines in tiers: every engine is stronger than every engine of every later tier. All of
    /// that holds together with 95 %, however many engines there are (Holm). `None` if not every two
    /// engines were compared.
    pub tiers: Option<Vec<Tier>>,
    /// The points of every two engines against what their ratings expect; `None` if there is
    /// nothing to check.
    pub check: Option<FitCheck>,
    /// Cycles of engines, each of which beats the next one by their games alone.
    pub cycles: Vec<Cycle>,
    /// If there are cycles: the share of each engine in the mix of engines that no engine beats on
    /// average, in the order of the ranking (see [`nash_average`]).
    pub nash: Option<Vec<f64>>,
}

/// Engines that the games do not separate into two tiers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tier {
    /// The engines in the order of the ranking.
    pub engines: Vec<String>,
    /// Their comparison; `None` for a single engine.
    pub within: Option<TierComparison>,
}

/// The comparison of the engines of one tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TierComparison {
    /// No two of them are more than [`LEVEL`] apart, with 95 %.
    Level,
    /// No two of them are told apart, which does not show that they are equal.
    NotToldApart,
    /// Some two of them are told apart, but no line between them separates all others as well.
    Overlapping,
}

/// A cycle of engines.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cycle {
    /// The engines, each of which beats the next one, and the last one the first.
    pub engines: Vec<String>,
    /// The smallest of the probabilities, 0 to 1, that an engine is stronger than the next one.
    pub certainty: f64,
}

/// The remarks on the main ranking: tiers, fit, and cycles. Empty for two engines.
pub fn summary(standings: &Standings) -> Vec<Sentence> {
    let Some(fit) = standings.shown().last() else { return Vec::new() };
    Ranking::new(standings, fit).said(fit)
}

impl Ranking {
    /// Answers for a fit of the standings.
    pub fn new(standings: &Standings, fit: &Fit) -> Ranking {
        let cycles = cycles(standings, fit);
        let score = |one: &Rating, other: &Rating| standings.score(fit.scope, one, other)?.score();
        let scores = |one| fit.engines.iter().map(|other| score(one, other)).collect();
        let nash = (!cycles.is_empty())
            .then(|| nash_average(&fit.engines.iter().map(scores).collect::<Vec<_>>()))
            .flatten();
        Ranking { tiers: tiers(fit), check: standings.check(fit), cycles, nash }
    }

    /// The answers in sentences.
    fn said(&self, fit: &Fit) -> Vec<Sentence> {
        let tiers = self.tiers.as_ref().filter(|_| fit.engines.len() > 2);
        let tiers = tiers.map(|tiers| in_tiers(tiers, fit));
        let check = self.check.as_ref().map(|check| checked(check, fit));
        let cycles = self.cycles.iter().map(|cycle| cycle.said(fit));
        let nash = self.nash.as_ref().map(|shares| mixed(shares, fit));
        tiers.into_iter().chain(check).chain(cycles).chain(nash).collect()
    }
}

/// The tiers of a ranking.
fn tiers(fit: &Fit) -> Option<Vec<Tier>> {
    let rated: Vec<usize> =
        (0..fit.engines.len()).filter(|&it| fit.engines[it].games > 0).collect();
    let pairs = || {
        rated
            .iter()
            .enumerate()
            .flat_map(|(at, &one)| rated[at + 1..].iter().map(move |&other| (one, other)))
    };
    if rated.is_empty() || !fit.compares_all() {
        return None;
    }
    let order: Vec<(usize, usize)> = pairs().collect();
    let p_value = |&(one, other)| 2.0 * (1.0 - fit.los(one, other).unwrap_or(0.5));
    let told = holm(&order.iter().map(p_value).collect::<Vec<_>>());
    let told: BTreeSet<_> =
        order.iter().zip(told).filter_map(|(two, told)| told.then_some(*two)).collect();
    let mut tiers: Vec<Vec<usize>> = Vec::new();
    for (at, &engine) in rated.iter().enumerate() {
        let (before, after) = rated.split_at(at);
        let is_line =
            before.iter().all(|&one| after.iter().all(|&other| told.contains(&(one, other))));
        match tiers.last_mut().filter(|_| !is_line) {
            Some(tier) => tier.push(engine),
            None => tiers.push(vec![engine]),
        }
    }
    let tier = |ranks: Vec<usize>| {
        let mut inside =
            pairs().filter(|(one, other)| ranks.contains(one) && ranks.contains(other));
        let within = if ranks.len() == 1 {
            None
        } else if inside.clone().all(|(one, other)| is_level(fit, one, other)) {
            Some(TierComparison::Level)
        } else if inside.any(|(one, other)| fit.los(one, other).is_some_and(|it| it >= CERTAIN)) {
            Some(TierComparison::Overlapping)
        } else {
            Some(TierComparison::NotToldApart)
        };
        Tier {
            engines: ranks.iter().map(|&rank| fit.engines[rank].engine.clone()).collect(),
            within,
        }
    };
    Some(tiers.into_iter().map(tier).collect())
}

/// Whether the games show that two engines are level: the interval of the lead is within [`LEVEL`] of
/// zero on both sides. That all engines of a tier are level needs each of these intervals, so that it is
/// wrong with no more than the 5 % of one (Berger 1982, "Multiparameter hypothesis testing").
fn is_level(fit: &Fit, one: usize, other: usize) -> bool {
    let within = |end: Option<f64>| end.is_some_and(|end| end.abs() <= LEVEL);
    fit.lead(one, other).is_some_and(|lead| within(lead.elo_low) && within(lead.elo_high))
}

/// The shortest cycles of engines that beat each other by their pairs alone.
fn cycles(standings: &Standings, fit: &Fit) -> Vec<Cycle> {
    let count = fit.engines.len();
    if !(3..=MAX_SEARCHED).contains(&count) {
        return Vec::new();
    }
    let certainty: Vec<Vec<f64>> = fit
        .engines
        .iter()
        .map(|one| {
            let of = |other| {
                let pairs = standings.pentanomial(fit.scope, one, other);
                MatchStatistics::los_of_pairs(&pairs).unwrap_or(0.5)
            };
            fit.engines.iter().map(of).collect()
        })
        .collect();
    let beats = |one: usize, other: usize| one != other && certainty[one][other] >= CERTAIN;
    let mut found = BTreeSet::new();
    for start in 0..count {
        found.extend(way_back(start, count, beats).map(|way| (way.len(), way)));
    }
    let cycle = |way: &[usize]| Cycle {
        engines: way.iter().map(|&rank| fit.engines[rank].engine.clone()).collect(),
        certainty: way
            .iter()
            .zip(way.iter().cycle().skip(1))
            .map(|(&one, &next)| certainty[one][next])
            .fold(1.0, f64::min),
    };
    found.iter().take(MAX_CYCLES).map(|(_, way)| cycle(way)).collect()
}

/// The shortest way from a node back to itself, beginning at its smallest node.
fn way_back(
    start: usize,
    count: usize,
    leads: impl Fn(usize, usize) -> bool,
) -> Option<Vec<usize>> {
    let mut from = vec![None; count];
    let mut open = VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for next in (0..count).filter(|&next| leads(at, next)) {
            if next == start {
                let mut way = vec![at];
                while let Some(before) = from[way[way.len() - 1]] {
                    way.push(before);
                }
                way.reverse();
                let least =
                    (0..way.len()).min_by_key(|&place| way[place]).expect("a way has nodes");
                way.rotate_left(least);
                return Some(way);
            }
            if from[next].is_none() {
                from[next] = Some(at);
                open.push_back(next);
            }
        }
    }
    None
}

/// The tiers in a sentence.
fn in_tiers(tiers: &[Tier], fit: &Fit) -> Sentence {
    let place = place(fit.scope);
    if tiers.iter().all(|tier| tier.engines.len() == 1) {
        let all = Phrase::new("ranking.all").phrase("where", place);
        return Sentence { decided: Some(true), words: vec![all.into()] };
    }
    let begin = match tiers.len() {
        1 => Phrase::new("ranking.one-tier"),
        _ => Phrase::new("ranking.tiers"),
    };
    let mut words: Words = vec![begin.phrase("where", place).into()];
    for (number, tier) in tiers.iter().enumerate() {
        words.extend((number > 0).then(|| Word::Text(" > ".to_owned())));
        let most = if tier.engines.len() > MAX_SHOWN { MAX_SHOWN - 1 } else { MAX_SHOWN };
        words.extend(some_of(tier.engines.iter().map(|name| vec![Word::name(name)]), most));
        words.extend(tier.within.map(|within| {
            Word::from(match within {
                TierComparison::Level => Phrase::new("ranking.level").text("elo", LEVEL),
                TierComparison::NotToldApart => Phrase::new("ranking.not-told-apart"),
                TierComparison::Overlapping => Phrase::new("ranking.overlapping"),
            })
        }));
    }
    Sentence { decided: Some(tiers.len() > 1), words }
}

/// The check of the fit in a sentence.
fn checked(check: &FitCheck, fit: &Fit) -> Sentence {
    let p = match check.p {
        p if p < 0.001 => Phrase::new("ranking.p-below").text("p", 0.001),
        p => Phrase::new("ranking.p").text("p", format!("{p:.3}")),
    };
    let worst = check.worst().and_then(|worst| {
        let z = format!("{:+.1}", worst.z?);
        let scored = Phrase::new("ranking.worst").name("engine", &worst.engine);
        let scored = scored.text("points", worst.points).text("games", worst.games);
        let scored = scored.name("opponent", &worst.opponent);
        Some(scored.text("expected", format!("{:.1}", worst.expected)).text("z", z))
    });
    let said = Phrase::new(match (check.p >= DOUBT, &worst) {
        (true, None) => "ranking.fits",
        (true, Some(_)) => "ranking.fits.worst",
        (false, None) => "ranking.doubt",
        (false, Some(_)) => "ranking.doubt.worst",
    });
    let said = said.phrase("where", place(fit.scope)).phrase("p", p);
    let said = match worst {
        Some(worst) => said.phrase("worst", worst),
        None => said,
    };
    Sentence { decided: None, words: vec![said.into()] }
}

impl Cycle {
    fn said(&self, fit: &Fit) -> Sentence {
        let mut words = Words::new();
        for engine in self.engines.iter().chain(self.engines.first()) {
            match words.len() {
                0 => {}
                1 => words.push(Phrase::new("ranking.beats").into()),
                _ => words.push(Phrase::new("ranking.beats-next").into()),
            }
            words.push(Word::name(engine));
        }
        let circle = Phrase::new("ranking.circle").phrase("where", place(fit.scope));
        words.push(circle.phrase("percent", percent(self.certainty)).into());
        Sentence { decided: Some(true), words }
    }
}

/// The Nash average in a sentence.
fn mixed(shares: &[f64], fit: &Fit) -> Sentence {
    let played = fit.engines.iter().zip(shares).filter(|(_, share)| **share >= SHOWN_SHARE);
    let played = list(played.map(|(engine, share)| {
        let share = format!("{:.0}", 100.0 * share);
        let share = Phrase::new("outcome.percent").text("number", share);
        vec![Word::name(&engine.engine), Word::Text(" ".to_owned()), share.into()]
    }));
    let words = vec![Phrase::new("ranking.nash").words("mix", played).into()];
    Sentence { decided: None, words }
}

/// Engines are level if they are no more than this many Elo apart, 53 % of the points.
pub const LEVEL: f64 = 20.0;
/// Below this p, the fit is called into doubt.
const DOUBT: f64 = 0.01;
/// The most engines among which cycles are searched.
const MAX_SEARCHED: usize = 40;
/// The most cycles that are reported, the shortest first.
const MAX_CYCLES: usize = 3;
/// The most engines of a tier that are named.
const MAX_SHOWN: usize = 6;
/// Smaller shares of a mix are not shown.
const SHOWN_SHARE: f64 = 0.01;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::results_reader::GameResults;
    use fanorona_ratings::kind::Kind;
    use fanorona_ratings::{FitOptions, PairKey, Score, ScoredGame, Superiority};

    /// Standings from pairs in riatra: two engines, the scores of the first, and how often.
    fn standings(names: &[&str], pairs: &[(usize, usize, [Score; 2], u64)]) -> Standings {
        let mut results = GameResults::of_engines(names.iter().copied());
        let mut number = 0;
        for &(one, other, scores, times) in pairs {
            for _ in 0..times {
                number += 1;
                for (turned, score) in [(false, scores[0]), (true, scores[1])] {
                    let of = |place: usize| results.sample.engine(names[place]).unwrap();
                    let (first, second) = if turned { (other, one) } else { (one, other) };
                    let score = if turned { score.of_opponent() } else { score };
                    let (first, second, kind) = (of(first), of(second), Kind::Riatra);
                    let pair = PairKey(number);
                    let game = ScoredGame { first, second, kind, score, pair };
                    results.sample.push(game).unwrap();
                }
            }
        }
        let superiority = Superiority::OfAll;
        Standings::new(&results, &FitOptions { superiority, ..FitOptions::default() }).unwrap()
    }

    const WON: [Score; 2] = [Score::Win; 2];
    const SPLIT: [Score; 2] = [Score::Win, Score::Loss];
    const LOST: [Score; 2] = [Score::Loss; 2];

    fn said(standings: &Standings) -> Vec<String> {
        summary(standings).iter().map(Sentence::to_string).collect()
    }

    /// Each of these scores this many of a hundred pairs' points against the next.
    fn match_of(
        one: usize,
        other: usize,
        won: u64,
        lost: u64,
    ) -> [(usize, usize, [Score; 2], u64); 3] {
        [(one, other, WON, won), (one, other, LOST, lost), (one, other, SPLIT, 100 - won - lost)]
    }

    #[test]
    fn level_engines_share_a_tier() {
        let pairs = [
            match_of(0, 1, 10, 10),
            match_of(0, 2, 50, 4),
            match_of(1, 2, 52, 4),
            match_of(0, 3, 50, 5),
            match_of(1, 3, 48, 4),
            match_of(2, 3, 9, 10),
        ];
        let standings = standings(&["a", "b", "c", "d"], &pairs.concat());
        let ranking = Ranking::new(&standings, standings.shown().last().unwrap());
        let tiers = ranking.tiers.unwrap();
        let names: Vec<BTreeSet<&str>> =
            tiers.iter().map(|tier| tier.engines.iter().map(String::as_str).collect()).collect();
        assert_eq!(names, [BTreeSet::from(["a", "b"]), BTreeSet::from(["c", "d"])]);
        assert!(tiers.iter().all(|tier| tier.within == Some(TierComparison::NotToldApart)));
        assert!(ranking.cycles.is_empty() && ranking.nash.is_none());
        let said = said(&standings);
        assert!(
            said[0]
                .starts_with("tiers in riatra, each above all later ones (95 % for all together"),
            "{said:?}"
        );
        assert!(said[1].starts_with("one line of ratings explains the results"), "{said:?}");
    }

    #[test]
    fn only_a_shown_equivalence_is_called_level() {
        let tier_of = |pairs: u64| {
            let two = |one, other| {
                [
                    (one, other, WON, pairs),
                    (one, other, LOST, pairs),
                    (one, other, SPLIT, 8 * pairs),
                ]
            };
            let standings =
                standings(&["a", "b", "c"], &[two(0, 1), two(1, 2), two(0, 2)].concat());
            Ranking::new(&standings, standings.shown().last().unwrap()).tiers.unwrap().remove(0)
        };
        assert_eq!(tier_of(5).within, Some(TierComparison::NotToldApart));
        assert_eq!(tier_of(200).within, Some(TierComparison::Level));
    }

    #[test]
    fn tiers_hold_together() {
        // Two engines that are told apart alone are not among so many.
        let names: Vec<String> = (0..6).map(|number| format!("e{number}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut pairs = Vec::new();
        for (one, other) in [(0, 1), (2, 3), (4, 5)] {
            pairs.extend(match_of(one, other, 14, 4));
        }
        for (one, other) in [(1, 2), (3, 4)] {
            pairs.extend(match_of(one, other, 10, 10));
        }
        let standings = standings(&names, &pairs);
        let fit = standings.shown().last().unwrap();
        let rank = |name| fit.engines.iter().position(|engine| engine.engine == name).unwrap();
        let alone = fit.los(rank("e0"), rank("e1")).unwrap();
        assert!((CERTAIN..0.998).contains(&alone), "{alone}");
        let ranking = Ranking::new(&standings, fit);
        let [tier] = &ranking.tiers.unwrap()[..] else { panic!() };
        assert_eq!(tier.within, Some(TierComparison::Overlapping));
    }

    #[test]
    fn tiers_that_no_line_separates_overlap() {
        // The first is above the last, and the middle one is above and below nobody.
        let pairs = [match_of(0, 1, 13, 8), match_of(1, 2, 13, 8), match_of(0, 2, 24, 8)];
        let standings = standings(&["a", "b", "c"], &pairs.concat());
        let tiers = Ranking::new(&standings, standings.shown().last().unwrap()).tiers.unwrap();
        assert_eq!((tiers.len(), tiers[0].within), (1, Some(TierComparison::Overlapping)));
        assert!(said(&standings)[0].ends_with("a, b, c (overlapping)"), "{:?}", said(&standings));
    }

    #[test]
    fn cycles_are_found_and_named() {
        let mut pairs =
            [match_of(0, 1, 40, 5), match_of(1, 2, 40, 5), match_of(2, 0, 40, 5)].concat();
        for engine in 0..3 {
            pairs.extend(match_of(engine, 3, 60, 0));
        }
        let standings = standings(&["a", "b", "c", "d"], &pairs);
        let ranking = Ranking::new(&standings, standings.shown().last().unwrap());
        let [cycle] = &ranking.cycles[..] else { panic!("{:?}", ranking.cycles) };
        let at = cycle.engines.iter().position(|engine| engine == "a").unwrap();
        let turned: Vec<&str> = (0..3).map(|step| &*cycle.engines[(at + step) % 3]).collect();
        assert_eq!(turned, ["a", "b", "c"]);
        assert!(cycle.certainty > 0.999);
        let check = ranking.check.unwrap();
        assert!(check.p < 1e-6, "{check:?}");
        let nash = ranking.nash.unwrap();
        assert!(nash[..3].iter().all(|share| (share - 1.0 / 3.0).abs() < 0.02) && nash[3] < 0.01);
        let said = said(&standings);
        assert!(said.iter().any(|said| said.starts_with("ratings do not explain")), "{said:?}");
        assert!(said.iter().any(|said| said.contains("beats") && said.contains("a circle")));
        assert!(said.last().unwrap().starts_with("Nash average"), "{said:?}");
    }

    #[test]
    fn two_engines_have_nothing_to_add() {
        let standings = standings(&["a", "b"], &match_of(0, 1, 40, 5));
        assert_eq!(said(&standings), [""; 0]);
    }
}
