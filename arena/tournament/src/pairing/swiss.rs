//! The draw of a round in a Swiss tournament: engines with similar scores that have not met yet. It
//! is a pure function of the earlier rounds.

use std::collections::BTreeMap;

use super::ids::EngineId;

/// The results of the earlier rounds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The half points of every engine. A bye counts as fully won.
    pub scores: Vec<u64>,
    /// The number of encounters of two engines, the one earlier in the config first.
    pub met: BTreeMap<(EngineId, EngineId), u32>,
    /// The number of byes of every engine.
    pub byes: Vec<u32>,
    /// Whether an engine was withdrawn.
    pub out: Vec<bool>,
}

impl Table {
    /// The table before the first round.
    pub fn new(engines: usize) -> Table {
        Table {
            scores: vec![0; engines],
            met: BTreeMap::new(),
            byes: vec![0; engines],
            out: vec![false; engines],
        }
    }

    fn meetings(&self, one: EngineId, other: EngineId) -> u32 {
        self.met.get(&(one.min(other), one.max(other))).copied().unwrap_or_default()
    }
}

/// A round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The encounters, the engine earlier in the config first; the leaders' encounter comes first.
    pub encounters: Vec<(EngineId, EngineId)>,
    /// The engine with a bye, if the number of engines is odd.
    pub bye: Option<EngineId>,
}

/// The maximum number of pairings tried before repeated encounters are allowed. Usually a handful
/// is enough, unless nearly as many rounds as engines have been played.
const MAX_TRIES: u32 = 100_000;

/// Draws a round.
///
/// Engines are ranked by score, then by position in the config. Among the engines with the fewest
/// byes, the last one gets the bye. Within equal scores, the upper half plays the lower half, in
/// order, as in the Dutch system. If two engines have already met, the next opponent is tried. Only
/// if there is no other way are repeated encounters allowed, first between the engines that have
/// met least often.
pub fn draw(table: &Table) -> Round {
    let engines = (0..table.scores.len()).map(EngineId);
    let mut ranked: Vec<EngineId> = engines.filter(|engine| !table.out[engine.0]).collect();
    ranked.sort_by_key(|engine| (std::cmp::Reverse(table.scores[engine.0]), engine.0));
    let mut bye = None;
    if ranked.len() % 2 == 1 {
        let fewest = ranked.iter().map(|engine| table.byes[engine.0]).min().unwrap_or_default();
        let place = ranked.iter().rposition(|engine| table.byes[engine.0] == fewest);
        bye = place.map(|place| ranked.remove(place));
    }
    let most_met = table.met.values().max().copied().unwrap_or_default();
    for allowed in 0..=most_met {
        let mut tries = MAX_TRIES;
        if let Some(encounters) = pair(table, &ranked, allowed, &mut tries) {
            return Round { encounters, bye };
        }
    }
    unreachable!("without a limit of encounters every pairing is allowed")
}

/// Pairs the ranked engines so that no two of them have met more than `allowed` times.
fn pair(
    table: &Table,
    ranked: &[EngineId],
    allowed: u32,
    tries: &mut u32,
) -> Option<Vec<(EngineId, EngineId)>> {
    let Some((&first, rest)) = ranked.split_first() else { return Some(Vec::new()) };
    for opponent in opponents(table, first, rest) {
        if table.meetings(first, opponent) > allowed {
            continue;
        }
        *tries = tries.checked_sub(1)?;
        let left: Vec<EngineId> = rest.iter().copied().filter(|&e| e != opponent).collect();
        if let Some(mut encounters) = pair(table, &left, allowed, tries) {
            encounters.insert(0, (first.min(opponent), first.max(opponent)));
            return Some(encounters);
        }
    }
    None
}

/// The possible opponents of the first engine, in order of preference: those with its own score
/// from the middle downwards, then those above the middle upwards, then the lower scores in order.
fn opponents(table: &Table, first: EngineId, rest: &[EngineId]) -> Vec<EngineId> {
    let score = table.scores[first.0];
    let equals = rest.iter().take_while(|engine| table.scores[engine.0] == score).count();
    let (equal, lower) = rest.split_at(equals);
    // Including the first engine there is one more; the upper half ends before its opponent.
    let (upper, half) = equal.split_at(equals / 2);
    half.iter().chain(upper.iter().rev()).chain(lower).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(round: &Round) -> String {
        let name = |EngineId(index): EngineId| char::from(b'a' + index as u8);
        let mut words: Vec<String> =
            round.encounters.iter().map(|&(a, b)| format!("{}{}", name(a), name(b))).collect();
        words.extend(round.bye.map(|engine| format!("{}-", name(engine))));
        words.join(" ")
    }

    /// Plays a round in which the earlier engine always wins with two half points.
    fn play(table: &mut Table, round: &Round) {
        for &(one, other) in &round.encounters {
            table.scores[one.0] += 2;
            *table.met.entry((one, other)).or_default() += 1;
        }
        if let Some(engine) = round.bye {
            table.scores[engine.0] += 2;
            table.byes[engine.0] += 1;
        }
    }

    #[test]
    fn the_upper_half_meets_the_lower_half_of_equal_scores() {
        let mut table = Table::new(8);
        let mut rounds = Vec::new();
        for _ in 0..4 {
            let round = draw(&table);
            rounds.push(drawn(&round));
            play(&mut table, &round);
        }
        assert_eq!(rounds[0], "ae bf cg dh");
        assert_eq!(rounds[1], "ac bd eg fh");
        assert_eq!(rounds[2], "ab ce df gh");
        assert_eq!(rounds[3], "ad bc eh fg");
    }

    #[test]
    fn byes_rotate_from_the_last_engine() {
        let mut table = Table::new(3);
        let mut rounds = Vec::new();
        for _ in 0..3 {
            let round = draw(&table);
            rounds.push(drawn(&round));
            play(&mut table, &round);
        }
        assert_eq!(rounds, ["ab c-", "ac b-", "bc a-"]);
        assert_eq!(table.byes, [1; 3]);
    }

    #[test]
    fn withdrawn_engines_are_not_paired() {
        let mut table = Table::new(5);
        table.out[1] = true;
        assert_eq!(drawn(&draw(&table)), "ad ce");
        table.out[4] = true;
        assert_eq!(drawn(&draw(&table)), "ac d-");
        table.out = vec![true; 5];
        assert_eq!(draw(&table), Round::default());
    }

    #[test]
    fn encounters_do_not_repeat_if_avoidable() {
        for engines in 2..=13usize {
            let mut table = Table::new(engines);
            let rounds = if engines % 2 == 0 { engines - 1 } else { engines };
            for round in 0..rounds * 2 {
                let drawn = draw(&table);
                let mut seen: Vec<EngineId> =
                    drawn.encounters.iter().flat_map(|&(a, b)| [a, b]).chain(drawn.bye).collect();
                seen.sort();
                assert_eq!(seen, (0..engines).map(EngineId).collect::<Vec<_>>());
                // In the first half of a round-robin there is always a new opponent.
                if round < rounds / 2 {
                    assert!(drawn.encounters.iter().all(|pair| !table.met.contains_key(pair)));
                }
                play(&mut table, &drawn);
            }
            let byes = table.byes.iter().max().unwrap() - table.byes.iter().min().unwrap();
            assert!(byes <= 1, "{:?}", table.byes);
        }
    }

    #[test]
    fn a_large_field_is_paired_quickly() {
        let mut table = Table::new(200);
        for _ in 0..12 {
            let round = draw(&table);
            play(&mut table, &round);
        }
        assert_eq!(table.met.values().max(), Some(&1));
    }
}
