//! The bracket of a knockout, in the order of the config, so that the first two engines can meet
//! only in the final. It is a pure function of the earlier rounds.

use super::ids::EngineId;

/// The seats of the first round, in order. Two neighbours play each other; an empty seat is a bye.
/// The first engine is next to the last one, and so on.
pub fn seats(engines: usize) -> Vec<Option<EngineId>> {
    let mut order = vec![0];
    while order.len() < engines {
        let last = 2 * order.len() - 1;
        order = order.into_iter().flat_map(|seat| [seat, last - seat]).collect();
    }
    order.into_iter().map(|seat| (seat < engines).then_some(EngineId(seat))).collect()
}

/// A round: its encounters, the better seed first, and the byes, in bracket order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Round {
    /// The two engines of each encounter, the better seed first.
    pub encounters: Vec<(EngineId, EngineId)>,
    /// The bracket: the winner of an encounter by its index, or an engine with a bye.
    seats: Vec<Seat>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seat {
    Winner(usize),
    Bye(EngineId),
}

impl Round {
    /// The first round.
    pub fn first(engines: usize) -> Round {
        Round::from_places(&seats(engines))
    }

    /// The next round, given the winners of the encounters; `None` if only one engine is left.
    pub fn next(&self, winners: &[EngineId]) -> Option<Round> {
        let left: Vec<Option<EngineId>> = self
            .seats
            .iter()
            .map(|seat| match seat {
                Seat::Winner(encounter) => Some(winners[*encounter]),
                Seat::Bye(engine) => Some(*engine),
            })
            .collect();
        (left.len() > 1).then(|| Round::from_places(&left))
    }

    fn from_places(places: &[Option<EngineId>]) -> Round {
        let mut round = Round::default();
        for pair in places.chunks(2) {
            round.seats.push(match *pair {
                [Some(one), Some(other)] => {
                    round.encounters.push((one.min(other), one.max(other)));
                    Seat::Winner(round.encounters.len() - 1)
                }
                [Some(engine), None] | [None, Some(engine)] | [Some(engine)] => Seat::Bye(engine),
                _ => {
                    unreachable!("fewer than half of the seats are empty, and empty seats are never neighbours")
                }
            });
        }
        round
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::knockout_rounds;

    fn drawn(round: &Round) -> String {
        let name = |EngineId(index): EngineId| char::from(b'a' + index as u8);
        let words: Vec<String> =
            round.encounters.iter().map(|&(a, b)| format!("{}{}", name(a), name(b))).collect();
        words.join(" ")
    }

    /// All rounds, where always the earlier engine wins, or always the later one.
    fn played(engines: usize, earlier: bool) -> Vec<String> {
        let mut drawn_rounds = Vec::new();
        let mut next = Some(Round::first(engines));
        while let Some(round) = next {
            drawn_rounds.push(drawn(&round));
            let winners: Vec<EngineId> = round
                .encounters
                .iter()
                .map(|&(one, other)| if earlier { one } else { other })
                .collect();
            next = round.next(&winners);
        }
        assert_eq!(drawn_rounds.len(), knockout_rounds(engines) as usize);
        drawn_rounds
    }

    #[test]
    fn the_best_engines_meet_last() {
        assert_eq!(played(2, true), ["ab"]);
        assert_eq!(played(4, true), ["ad bc", "ab"]);
        assert_eq!(played(8, true), ["ah de bg cf", "ad bc", "ab"]);
        assert_eq!(played(8, false), ["ah de bg cf", "eh fg", "gh"]);
    }

    #[test]
    fn the_best_engines_have_the_byes() {
        assert_eq!(played(3, true), ["bc", "ab"]);
        assert_eq!(played(5, true), ["de", "ad bc", "ab"]);
        assert_eq!(played(6, false), ["de cf", "ae bf", "ef"]);
        assert_eq!(played(7, true), ["de bg cf", "ad bc", "ab"]);
        assert_eq!(
            [
                knockout_rounds(2),
                knockout_rounds(3),
                knockout_rounds(4),
                knockout_rounds(5),
                knockout_rounds(9)
            ],
            [1, 2, 2, 3, 4]
        );
    }

    #[test]
    fn every_engine_but_one_loses_once() {
        for engines in 2..=40 {
            let mut encounters = 0;
            let mut next = Some(Round::first(engines));
            while let Some(round) = next {
                encounters += round.encounters.len();
                let winners: Vec<EngineId> = round.encounters.iter().map(|&(one, _)| one).collect();
                next = round.next(&winners);
            }
            assert_eq!(encounters, engines - 1);
        }
    }
}
