//! Who meets whom in a round of a Swiss tournament: engines with about the same score, if they have
//! not met. A pure function of the rounds before.

use std::collections::BTreeMap;

use super::ids::EngineId;

/// What the rounds before have brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// Half points of every engine, a bye counting as winning everything.
    pub scores: Vec<u64>,
    /// How often two engines have met, the one earlier in the config first.
    pub met: BTreeMap<(EngineId, EngineId), u32>,
    /// How many byes every engine has had.
    pub byes: Vec<u32>,
    /// Who takes part no longer.
    pub out: Vec<bool>,
}

impl Table {
    /// Nothing has been played yet.
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

/// One round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// Who meets, the engine that is earlier in the config first; the leaders' encounter first.
    pub encounters: Vec<(EngineId, EngineId)>,
    /// Who does not play, when the number of engines is odd.
    pub bye: Option<EngineId>,
}

/// How many ways of pairing are tried before another meeting of the same two is put up with. Fields
/// that have not played for nearly as many rounds as there are engines need a handful.
const MOST_TRIES: u32 = 100_000;

/// Draws a round.
///
/// Engines are ranked by score, then by their place in the config. Whoever has had the fewest byes
/// and stands last gets the bye. Of equal scores the upper half meets the lower half, in order, as
/// in the Dutch system; where two have met, the next opponent is taken, and only when there is no
/// way without it may two meet again, those who have met least.
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
        let mut tries = MOST_TRIES;
        if let Some(encounters) = pair(table, &ranked, allowed, &mut tries) {
            return Round { encounters, bye };
        }
    }
    unreachable!("everybody may meet everybody when meetings do not count")
}

/// Pairs the ranked engines so that no two meet who have met more than `allowed` times.
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

/// The opponents of whoever stands first, the most fitting first: of its own score those from the
/// middle down, then those above the middle from below; then the lower scores in order.
fn opponents(table: &Table, first: EngineId, rest: &[EngineId]) -> Vec<EngineId> {
    let score = table.scores[first.0];
    let equals = rest.iter().take_while(|engine| table.scores[engine.0] == score).count();
    let (equal, lower) = rest.split_at(equals);
    // With the first one they are one more; the upper half ends before its opponent.
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

    /// Plays a round in which the earlier engine always wins by two half points.
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
    fn byes_go_round_from_below() {
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
    fn who_is_out_is_not_paired() {
        let mut table = Table::new(5);
        table.out[1] = true;
        assert_eq!(drawn(&draw(&table)), "ad ce");
        table.out[4] = true;
        assert_eq!(drawn(&draw(&table)), "ac d-");
        table.out = vec![true; 5];
        assert_eq!(draw(&table), Round::default());
    }

    #[test]
    fn nobody_meets_twice_while_there_is_another_way() {
        for engines in 2..=13usize {
            let mut table = Table::new(engines);
            let rounds = if engines % 2 == 0 { engines - 1 } else { engines };
            for round in 0..rounds * 2 {
                let drawn = draw(&table);
                let mut seen: Vec<EngineId> =
                    drawn.encounters.iter().flat_map(|&(a, b)| [a, b]).chain(drawn.bye).collect();
                seen.sort();
                assert_eq!(seen, (0..engines).map(EngineId).collect::<Vec<_>>());
                // In the first half of a round-robin there is always somebody new.
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
    fn a_large_field_is_paired_at_once() {
        let mut table = Table::new(200);
        for _ in 0..12 {
            let round = draw(&table);
            play(&mut table, &round);
        }
        assert_eq!(table.met.values().max(), Some(&1));
    }
}
