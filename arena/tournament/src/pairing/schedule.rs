//! The schedule: which engines play each other, and when. It is a pure function of the tournament,
//! computed by index; for Swiss and knockout also of the draws.

use std::collections::HashMap;

use super::ids::{EngineId, PairId, Pairing, PairingId};
use super::shard::Shard;
use super::stages::Draw;
use crate::config::{EngineConfig, Format, Tournament, knockout_rounds};
use fanorona_ratings::kind::Kind;

/// Consecutive rounds with the same encounters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Block {
    /// The number of pairs before the block.
    pairs_before: u64,
    /// The number of rounds before the block.
    rounds_before: u64,
    /// The maximum number of encounters.
    encounters: u64,
}

/// All pairings of a tournament or of one of its shards, computed on demand.
///
/// They are ordered by round, so that an interrupted tournament has used every engine about
/// equally. Within a round they are ordered by kind as in the config, and within a kind by the
/// encounters of the format, each as two consecutive pairings with first and second swapped. A
/// round-robin orders its encounters with the circle method: every engine has played one opponent
/// before any has played two.
///
/// In a Swiss tournament or a knockout, the rounds of the first stage come first, then those of the
/// second, and so on. In a knockout, a stage ends with the extra rounds of tied encounters. Every
/// stage reserves places for the maximum number of encounters, so that all ids are known in
/// advance. The opponents are drawn block by block ([`Schedule::draw`]), and some places can stay
/// empty.
///
/// Without stages, additional rounds do not change the ids of earlier ones. Engines that joined later
/// play after all rounds of the others, so that they do not change these either. A pairing has the same
/// id in a shard as in the whole schedule. Shards consist of pairs: both pairings of a pair are in
/// the same shard.
#[derive(Clone, Debug)]
pub struct Schedule {
    format: Format,
    engines: u64,
    kinds: Vec<Kind>,
    /// The place of the engine that plays all others, in a gauntlet or as the base of candidates.
    centre: u64,
    /// The encounters of a later stage of a race.
    batch: u64,
    /// The encounters of a round of each block, if not every two engines meet, or some joined later.
    chosen: Option<Vec<Vec<(u64, u64)>>>,
    /// One block, or one for each drawn part of a stage.
    blocks: Vec<Block>,
    pairs: u64,
    rounds: u64,
    /// The draws of the blocks so far.
    drawn: Vec<Draw>,
    /// In a race, the number of times that two engines have met.
    met: HashMap<(EngineId, EngineId), u64>,
    /// The same, before each drawn encounter. Several encounters of a stage can be those of the same two.
    met_before: Vec<Vec<u64>>,
    /// The rounds of an encounter.
    rounds_together: u64,
    shard: Shard,
}

impl Schedule {
    /// The schedule of a tournament.
    pub fn new(tournament: &Tournament) -> Schedule {
        let mut schedule = Schedule {
            format: tournament.format,
            engines: tournament.engines.len() as u64,
            kinds: tournament.kinds.clone(),
            centre: tournament.centre() as u64,
            batch: tournament.race.map_or(0, |race| race.batch.get().into()),
            chosen: chosen(tournament),
            blocks: Vec::new(),
            pairs: 0,
            rounds: 0,
            drawn: Vec::new(),
            met: HashMap::new(),
            met_before: Vec::new(),
            rounds_together: tournament.rounds.get().into(),
            shard: Shard::WHOLE,
        };
        let (kinds, mut rounds_before) = (schedule.kinds.len() as u64, 0);
        for (rounds, encounters) in schedule.shape(u64::from(tournament.rounds.get())) {
            schedule.blocks.push(Block { pairs_before: schedule.pairs, rounds_before, encounters });
            schedule.pairs += rounds * kinds * encounters;
            rounds_before += rounds;
        }
        schedule.rounds = rounds_before;
        if schedule.chosen.is_some() {
            // All rounds of the engines of the beginning come first, and every encounter begins with
            // its first opening.
            schedule.blocks.iter_mut().for_each(|block| block.rounds_before = 0);
            schedule.rounds = tournament.rounds.get().into();
        }
        schedule
    }

    /// The rounds and the maximum encounters of every block.
    fn shape(&self, rounds: u64) -> Vec<(u64, u64)> {
        if let Some(chosen) = &self.chosen {
            return chosen.iter().map(|block| (rounds, block.len() as u64)).collect();
        }
        match self.format {
            Format::RoundRobin => {
                vec![(rounds, self.engines * self.engines.saturating_sub(1) / 2)]
            }
            Format::Gauntlet | Format::Candidates => {
                vec![(rounds, self.engines.saturating_sub(1))]
            }
            Format::Match => vec![(rounds, self.engines / 2)],
            Format::Swiss { stages } => vec![(rounds, self.engines / 2); stages.get() as usize],
            Format::Race { stages } => {
                // First everybody plays in a ring.
                let first = (rounds, if self.engines > 2 { self.engines } else { 1 });
                let later = std::iter::repeat_n((rounds, self.batch), stages.get() as usize);
                std::iter::once(first).chain(later).collect()
            }
            Format::Tune { iterations } => vec![(rounds, 1); iterations.get() as usize],
            Format::Knockout { tiebreaks } => {
                let stages = knockout_rounds(self.engines as usize);
                let seats = |stage: u32| 1 << (stages - stage);
                let stage = |stage: u32| {
                    let after = seats(stage + 1);
                    let encounters = if stage == 0 { self.engines - after } else { after };
                    let further = std::iter::repeat_n((1, encounters), tiebreaks as usize);
                    std::iter::once((rounds, encounters)).chain(further)
                };
                (0..stages).flat_map(stage).collect()
            }
        }
    }

    /// Restricts the schedule to a shard.
    pub fn part(self, shard: Shard) -> Schedule {
        Schedule { shard, ..self }
    }

    /// Whether this is the whole schedule and not a shard.
    pub fn is_whole(&self) -> bool {
        self.shard.is_whole()
    }

    /// The number of pairings; with stages, the maximum.
    pub fn len(&self) -> u64 {
        self.shard.share(self.pairs) * 2
    }

    /// The number of rounds; with stages, the maximum over all of them. Every pairing of engines
    /// uses this number of openings per kind.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// The number of pairings, from the first on, whose opponents are known or known to be none.
    pub fn drawn(&self) -> u64 {
        match self.blocks.get(self.drawn.len()) {
            Some(next) if self.has_stages() => self.shard.share(next.pairs_before) * 2,
            _ => self.len(),
        }
    }

    /// The number of encounters of the next block; `None` after the last one.
    pub fn places(&self) -> Option<usize> {
        self.blocks.get(self.drawn.len()).map(|block| block.encounters as usize)
    }

    /// Sets the encounters of the next block.
    pub fn draw(&mut self, draw: Draw) {
        if matches!(self.format, Format::Race { .. }) {
            let before = draw.iter().map(|encounter| {
                let times = self.met.entry((*encounter)?).or_default();
                *times += 1;
                Some(*times - 1)
            });
            self.met_before.push(before.map(Option::unwrap_or_default).collect());
        }
        self.drawn.push(draw);
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pairing at an index, from 0; `None` if the place is empty or not drawn yet. In the whole
    /// schedule, its id is one more.
    pub fn pairing(&self, index: u64) -> Option<Pairing> {
        if index >= self.len() {
            return None;
        }
        let (pair, half) = (self.shard.number(index / 2), index % 2);
        let place =
            self.blocks.partition_point(|block| block.pairs_before <= pair).checked_sub(1)?;
        let Block { pairs_before, encounters, .. } = self.blocks[place];
        let (group, encounter) =
            ((pair - pairs_before) / encounters, (pair - pairs_before) % encounters);
        let kinds = self.kinds.len() as u64;
        let (first, second) = self.encounter(place, encounter)?;
        let (first, second) = if half == 0 { (first, second) } else { (second, first) };
        Some(Pairing {
            id: PairingId(2 * pair + half + 1),
            pair: PairId(pair + 1),
            kind: self.kinds[(group % kinds) as usize],
            round: (self.rounds_before(place, encounter) + group / kinds) as u32 + 1,
            first,
            second,
        })
    }

    /// The number of rounds before those of an encounter. In a race it is that of its two engines, who
    /// have a new opening whenever they meet.
    fn rounds_before(&self, block: usize, encounter: u64) -> u64 {
        match self.met_before.get(block).and_then(|block| block.get(encounter as usize)) {
            Some(times) => times * self.rounds_together,
            None => self.blocks[block].rounds_before,
        }
    }

    /// The pairing with an id, if it is in this shard.
    pub fn get(&self, id: PairingId) -> Option<Pairing> {
        let number = id.0.checked_sub(1)?;
        let (pair, half) = (number / 2, number % 2);
        // Its index among the pairs of this shard.
        let place = self.shard.holds(pair).then(|| self.shard.share(pair))?;
        self.pairing(place * 2 + half)
    }

    /// An iterator over the pairings in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Pairing> + '_ {
        (0..self.len()).filter_map(|index| self.pairing(index))
    }

    /// Whether later games depend on earlier ones: on their opponents, or on the values of their
    /// options.
    pub fn has_stages(&self) -> bool {
        use Format::{Knockout, Race, Swiss, Tune};
        matches!(self.format, Swiss { .. } | Knockout { .. } | Race { .. } | Tune { .. })
    }

    /// The engines of an encounter of a block, the one earlier in the config first.
    fn encounter(&self, block: usize, index: u64) -> Option<(EngineId, EngineId)> {
        let chosen = self.chosen.as_ref().map(|chosen| chosen.get(block)?.get(index as usize));
        let (a, b) = match self.format {
            Format::RoundRobin | Format::Gauntlet if chosen.is_some() => *chosen??,
            Format::RoundRobin => circle(self.engines, index),
            Format::Gauntlet | Format::Candidates => {
                (self.centre, index + u64::from(index >= self.centre))
            }
            Format::Match => (0, 1),
            Format::Swiss { .. }
            | Format::Knockout { .. }
            | Format::Race { .. }
            | Format::Tune { .. } => {
                return self.drawn.get(block)?.get(index as usize).copied().flatten();
            }
        };
        Some((EngineId(a.min(b) as usize), EngineId(a.max(b) as usize)))
    }
}

/// The encounters of a round-robin or gauntlet in which some engines play only some others, or some
/// joined later; `None` for other tournaments. Each block has those of the engines that joined at one
/// time, with each other and with all earlier ones. It does not depend on engines that join later.
fn chosen(tournament: &Tournament) -> Option<Vec<Vec<(u64, u64)>>> {
    let engines = &tournament.engines;
    let is_plain = |it: &EngineConfig| it.only.is_empty() && it.joined == 0;
    let is_ring = tournament.format == Format::RoundRobin;
    if !(is_ring || tournament.format == Format::Gauntlet) || engines.iter().all(is_plain) {
        return None;
    }
    let meet = |&(one, other): &(u64, u64)| engines[one as usize].meets(&engines[other as usize]);
    let mut before = 0;
    let mut blocks = Vec::new();
    for together in engines.chunk_by(|one, other| one.joined == other.joined) {
        let count = before + together.len() as u64;
        let is_new = |&(one, other): &(u64, u64)| one.max(other) >= before;
        let all: Vec<_> = match is_ring {
            true => (0..count * (count - 1) / 2).map(|index| circle(count, index)).collect(),
            false => (1..count).map(|other| (0, other)).collect(),
        };
        blocks.push(all.into_iter().filter(is_new).filter(meet).collect::<Vec<_>>());
        before = count;
    }
    blocks.retain(|block| !block.is_empty());
    Some(blocks)
}

/// An encounter of a round-robin by the circle method: one seat stays fixed and the others rotate
/// by one after every turn of the circle; opposite seats play each other. With an odd number of
/// engines the fixed seat is empty.
fn circle(engines: u64, index: u64) -> (u64, u64) {
    let odd = engines % 2;
    let moving = engines - 1 + odd;
    let per_move = engines / 2;
    let (mv, seat) = (index / per_move, index % per_move + odd);
    match seat {
        0 => (engines - 1, mv),
        seat => ((mv + seat) % moving, (mv + moving - seat) % moving),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{CandidateRules, RaceRules};
    use fanorona_protocol::rules::Position;
    use fanorona_protocol::rules::Side;
    use fanorona_protocol::rules::{Start, VelaStarter};
    use fanorona_ratings::sprt::{Model, SprtOptions};
    use std::collections::BTreeMap;
    use std::num::NonZeroU32;

    fn schedule(format: Format, engines: &str, kinds: &[Kind], rounds: u32) -> Schedule {
        let engines = engines.chars().map(|name| EngineConfig::new(name, "x")).collect();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.format = format;
        tournament.kinds = kinds.to_vec();
        tournament.rounds = NonZeroU32::new(rounds).unwrap();
        Schedule::new(&tournament)
    }

    /// Every pairing as a line `id pair round kind first-second`.
    fn drawn(schedule: &Schedule) -> String {
        let name = |EngineId(index)| (b'a' + index as u8) as char;
        let line = |p: Pairing| {
            let (first, second) = (name(p.first), name(p.second));
            format!("{} {} {} {} {first}-{second}\n", p.id, p.pair, p.round, p.kind)
        };
        schedule.iter().map(line).collect()
    }

    #[test]
    fn a_round_robin_is_ordered_by_round_and_kind() {
        let schedule = schedule(Format::RoundRobin, "abc", &[Kind::Riatra, Kind::Vela], 2);
        let expected = "\
1 1 1 riatra b-c
2 1 1 riatra c-b
3 2 1 riatra a-c
4 2 1 riatra c-a
5 3 1 riatra a-b
6 3 1 riatra b-a
7 4 1 vela b-c
8 4 1 vela c-b
9 5 1 vela a-c
10 5 1 vela c-a
11 6 1 vela a-b
12 6 1 vela b-a
13 7 2 riatra b-c
14 7 2 riatra c-b
15 8 2 riatra a-c
16 8 2 riatra c-a
17 9 2 riatra a-b
18 9 2 riatra b-a
19 10 2 vela b-c
20 10 2 vela c-b
21 11 2 vela a-c
22 11 2 vela c-a
23 12 2 vela a-b
24 12 2 vela b-a
";
        assert_eq!(drawn(&schedule), expected);
        assert_eq!(schedule.len(), 24);
    }

    #[test]
    fn every_engine_plays_before_any_plays_again() {
        let expected = "\
1 1 1 riatra a-d
2 1 1 riatra d-a
3 2 1 riatra b-c
4 2 1 riatra c-b
5 3 1 riatra b-d
6 3 1 riatra d-b
7 4 1 riatra a-c
8 4 1 riatra c-a
9 5 1 riatra c-d
10 5 1 riatra d-c
11 6 1 riatra a-b
12 6 1 riatra b-a
";
        assert_eq!(drawn(&schedule(Format::RoundRobin, "abcd", &[Kind::Riatra], 1)), expected);
    }

    #[test]
    fn in_a_gauntlet_the_first_engine_plays_the_others() {
        let expected = "\
1 1 1 vela a-b
2 1 1 vela b-a
3 2 1 vela a-c
4 2 1 vela c-a
5 3 1 vela a-d
6 3 1 vela d-a
7 4 1 session a-b
8 4 1 session b-a
9 5 1 session a-c
10 5 1 session c-a
11 6 1 session a-d
12 6 1 session d-a
";
        let kinds = [Kind::Vela, Kind::Session];
        assert_eq!(drawn(&schedule(Format::Gauntlet, "abcd", &kinds, 1)), expected);
    }

    #[test]
    fn every_candidate_plays_the_base() {
        let engines = ["a", "b", "c"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        (tournament.format, tournament.kinds) = (Format::Candidates, vec![Kind::Riatra]);
        let test =
            SprtOptions { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        tournament.candidates = Some(CandidateRules { base: "b".to_owned(), test });
        let expected = "1 1 1 riatra a-b\n2 1 1 riatra b-a\n3 2 1 riatra b-c\n4 2 1 riatra c-b\n";
        assert_eq!(drawn(&Schedule::new(&tournament)), expected);
    }

    #[test]
    fn engines_that_joined_later_play_after_the_others() {
        let joined = |format, engines: &str, times: &[u32]| {
            let mut tournament = Tournament::new("t", "", Vec::new());
            let engine = |(name, &joined): (char, &u32)| EngineConfig {
                joined,
                ..EngineConfig::new(name, "x")
            };
            tournament.engines = engines.chars().zip(times).map(engine).collect();
            (tournament.format, tournament.kinds) = (format, vec![Kind::Riatra]);
            tournament.rounds = NonZeroU32::new(2).unwrap();
            Schedule::new(&tournament)
        };
        let before = drawn(&schedule(Format::RoundRobin, "abc", &[Kind::Riatra], 2));
        let later = "\
13 7 1 riatra a-d
14 7 1 riatra d-a
15 8 1 riatra b-d
16 8 1 riatra d-b
17 9 1 riatra c-d
18 9 1 riatra d-c
19 10 2 riatra a-d
20 10 2 riatra d-a
21 11 2 riatra b-d
22 11 2 riatra d-b
23 12 2 riatra c-d
24 12 2 riatra d-c
";
        let four = joined(Format::RoundRobin, "abcd", &[0, 0, 0, 1]);
        assert_eq!(drawn(&four), before.clone() + later);
        assert_eq!((four.len(), four.drawn(), four.rounds()), (24, 24, 2));
        // A third step leaves the first two as they are.
        let six = joined(Format::RoundRobin, "abcdef", &[0, 0, 0, 1, 2, 2]);
        assert!(drawn(&six).starts_with(&(before + later)));
        assert_eq!(six.len(), 6 * 5 * 2);
        let mut met: Vec<_> = six.iter().map(|p| (p.round, p.first.0, p.second.0)).collect();
        met.sort();
        met.dedup();
        assert_eq!(met.len(), 60);
        let gauntlet = joined(Format::Gauntlet, "abc", &[0, 0, 1]);
        let expected = "1 1 1 riatra a-b\n2 1 1 riatra b-a\n3 2 2 riatra a-b\n4 2 2 riatra b-a\n\
                        5 3 1 riatra a-c\n6 3 1 riatra c-a\n7 4 2 riatra a-c\n8 4 2 riatra c-a\n";
        assert_eq!(drawn(&gauntlet), expected);
    }

    #[test]
    fn a_match_has_two_engines() {
        let expected = "\
1 1 1 riatra a-b
2 1 1 riatra b-a
3 2 2 riatra a-b
4 2 2 riatra b-a
";
        assert_eq!(drawn(&schedule(Format::Match, "ab", &[Kind::Riatra], 2)), expected);
    }

    fn draw(encounters: &str) -> Draw {
        let engine = |name: u8| EngineId((name - b'a') as usize);
        let meet = |pair: &[u8]| (pair != b"--").then(|| (engine(pair[0]), engine(pair[1])));
        encounters.split(' ').map(|pair| meet(pair.as_bytes())).collect()
    }

    #[test]
    fn two_engines_of_a_race_have_a_new_opening_whenever_they_meet() {
        let format = Format::Race { stages: NonZeroU32::new(3).unwrap() };
        let engines = "abc".chars().map(|name| EngineConfig::new(name, "x")).collect();
        let mut tournament = Tournament::new("t", "", engines);
        (tournament.format, tournament.kinds) = (format, vec![Kind::Riatra]);
        tournament.rounds = NonZeroU32::new(2).unwrap();
        let [best, batch, stages] = [1, 3, 3].map(|number| NonZeroU32::new(number).unwrap());
        tournament.race = Some(RaceRules { best, error: 0.05, within: 0.0, batch, stages });
        let mut schedule = Schedule::new(&tournament);
        for encounters in ["ab bc ac", "ab ab ac", "bc -- ab"] {
            schedule.draw(draw(encounters));
        }
        let mut rounds: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        for pairing in schedule.iter().filter(|pairing| pairing.first < pairing.second) {
            rounds.entry((pairing.first, pairing.second)).or_default().push(pairing.round);
        }
        let [ab, ac, bc] = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| (EngineId(a), EngineId(b)));
        let mut of = |pair| {
            let mut rounds = rounds.remove(&pair).unwrap();
            rounds.sort_unstable();
            rounds
        };
        assert_eq!(of(ab), (1..=8).collect::<Vec<_>>());
        assert_eq!((of(ac), of(bc)), ((1..=4).collect(), (1..=4).collect()));
    }

    #[test]
    fn a_swiss_is_ordered_by_its_draws() {
        let format = Format::Swiss { stages: NonZeroU32::new(2).unwrap() };
        let mut schedule = schedule(format, "abcde", &[Kind::Riatra, Kind::Vela], 2);
        assert_eq!((schedule.len(), schedule.drawn(), drawn(&schedule)), (32, 0, String::new()));
        schedule.draw(draw("ac bd"));
        assert_eq!(schedule.drawn(), 16);
        assert!(drawn(&schedule).ends_with("\n16 8 2 vela d-b\n"));
        // One engine was withdrawn: its place stays empty.
        schedule.draw(draw("ab"));
        let expected = "\
17 9 3 riatra a-b
18 9 3 riatra b-a
21 11 3 vela a-b
22 11 3 vela b-a
25 13 4 riatra a-b
26 13 4 riatra b-a
29 15 4 vela a-b
30 15 4 vela b-a
";
        assert_eq!(drawn(&schedule).split_once("d-b\n17").unwrap().1, &expected[2..]);
        assert_eq!((schedule.len(), schedule.drawn()), (32, 32));
        assert_eq!(schedule.get(PairingId(19)), None);
        assert_eq!(schedule.get(PairingId(21)), schedule.pairing(20));
    }

    #[test]
    fn a_knockout_reserves_extra_rounds() {
        let format = Format::Knockout { tiebreaks: 1 };
        let mut schedule = schedule(format, "abcde", &[Kind::Riatra], 2);
        // One encounter, then two, then one: each twice, and once more if it is tied.
        assert_eq!(schedule.len(), (2 + 1) * (1 + 2 + 1) * 2);
        for encounters in ["de", "--", "ae bc", "-- bc", "ab", "ab"] {
            assert!(schedule.drawn() < schedule.len());
            schedule.draw(draw(encounters));
        }
        assert_eq!(schedule.drawn(), schedule.len());
        let expected = "\
1 1 1 riatra d-e
2 1 1 riatra e-d
3 2 2 riatra d-e
4 2 2 riatra e-d
7 4 4 riatra a-e
8 4 4 riatra e-a
9 5 4 riatra b-c
10 5 4 riatra c-b
11 6 5 riatra a-e
12 6 5 riatra e-a
13 7 5 riatra b-c
14 7 5 riatra c-b
17 9 6 riatra b-c
18 9 6 riatra c-b
19 10 7 riatra a-b
20 10 7 riatra b-a
21 11 8 riatra a-b
22 11 8 riatra b-a
23 12 9 riatra a-b
24 12 9 riatra b-a
";
        assert_eq!(drawn(&schedule), expected);
    }

    #[test]
    fn shards_consist_of_pairs_and_cover_the_schedule() {
        let whole = schedule(Format::RoundRobin, "abc", &[Kind::Riatra, Kind::Vela], 2);
        let part = |text: &str| whole.clone().part(text.parse().unwrap());
        let expected = "\
3 2 1 riatra a-c
4 2 1 riatra c-a
13 7 2 riatra b-c
14 7 2 riatra c-b
23 12 2 vela a-b
24 12 2 vela b-a
";
        assert_eq!(drawn(&part("2/5")), expected);
        assert_eq!(part("2/5").len(), 6);
        for parts in [1, 2, 5, 12, 13] {
            let mut all = Vec::new();
            for number in 1..=parts {
                let part = part(&format!("{number}/{parts}"));
                let pairings: Vec<_> = part.iter().collect();
                assert_eq!(pairings.len() as u64, part.len());
                for pairing in whole.iter() {
                    let own = pairings.contains(&pairing).then_some(pairing);
                    assert_eq!(part.get(pairing.id), own, "{number}/{parts}");
                }
                all.extend(pairings);
            }
            all.sort_by_key(|pairing| pairing.id);
            assert_eq!(all, whole.iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_two_engines_meet_once_per_round() {
        for engines in 2..=9 {
            let names: String = ('a'..='z').take(engines).collect();
            let schedule = schedule(Format::RoundRobin, &names, &[Kind::Riatra], 1);
            let mut met: Vec<_> = schedule.iter().map(|p| (p.first.0, p.second.0)).collect();
            met.sort();
            let all = (0..engines).flat_map(|a| (0..engines).map(move |b| (a, b)));
            assert_eq!(met, all.filter(|(a, b)| a != b).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_large_schedule_is_computed_on_demand() {
        let names: String = ('a'..='t').collect();
        let schedule = schedule(Format::RoundRobin, &names, Kind::ALL, 1_000_000);
        assert_eq!(schedule.len(), 20 * 19 * 3 * 1_000_000);
        let last = schedule.iter().next_back().unwrap();
        assert_eq!((last.id.0, last.round, last.kind), (schedule.len(), 1_000_000, Kind::Session));
        assert_eq!(schedule.get(last.id), Some(last));
        assert_eq!(schedule.get(PairingId(0)), None);
        assert_eq!(schedule.pairing(schedule.len()), None);
    }

    #[test]
    fn the_first_engine_is_white_or_the_debtor() {
        let schedule = schedule(Format::Match, "ab", &[Kind::Vela], 1);
        let pairing = schedule.pairing(0).unwrap();
        let white = |start: Position| pairing.player(&start, Side::White).0;
        assert_eq!(white(Start::TSIVY.riatra()), 0);
        assert_eq!(white(Start::TSIVY.vela(VelaStarter::Debtor)), 0);
        assert_eq!(white(Start::TSIVY.vela(VelaStarter::Creditor)), 1);
        let black = pairing.player(&Start::TSIVY.vela(VelaStarter::Creditor), Side::Black);
        assert_eq!(black, EngineId(0));
    }
}
