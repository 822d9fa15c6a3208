//! The index of finished games: a few bytes per game stay in memory while a tournament runs. The
//! rest is read from the journal when needed.

use std::collections::{BTreeSet, HashMap};
use std::num::NonZeroU32;

use fanorona_protocol::rules::Side;

use super::{Fingerprint, GameRecord};
use crate::game::fault::Fault;
use crate::game::termination::{GameResult, Reason};
use crate::pairing::ids::{EngineId, GameId, PairingId};

/// The summary of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    // The game's number in two fields, because a `GameId` would need more space.
    pairing: PairingId,
    of_session: Option<NonZeroU32>,
    players: [u32; 2],
    /// The score of both sides; void if the game has to be played again.
    pub result: GameResult,
    /// The fault that ended the game, and the side at fault.
    pub fault: Option<(Fault, Side)>,
    /// The fault of the other side, if both were at fault.
    other_fault: Option<Fault>,
    /// The fingerprint that identifies equal games, see [`GameRecord::fingerprint`].
    pub fingerprint: Option<Fingerprint>,
    /// The offset of its line in the journal.
    pub offset: u64,
}

// There can be millions of summaries.
const _: () = assert!(size_of::<Summary>() <= 40);

impl Summary {
    /// The number of the game.
    pub fn id(&self) -> GameId {
        GameId { pairing: self.pairing, of_session: self.of_session }
    }

    /// The engine of a side. An id beyond the tournament's engines means an engine that the config
    /// no longer contains.
    pub fn player(&self, side: Side) -> EngineId {
        EngineId(self.players[side as usize] as usize)
    }

    /// Whether the game is void because of the arena.
    pub fn is_void(&self) -> bool {
        self.result == GameResult::Void && self.fault.is_none()
    }

    /// The fault of a side's engine, if there is one.
    pub fn fault_of(&self, side: Side) -> Option<Fault> {
        match self.fault {
            Some((fault, offender)) if offender == side => Some(fault),
            Some(_) => self.other_fault,
            None => None,
        }
    }
}

/// The finished games of a tournament in schedule order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    places: HashMap<String, u32>,
    games: Vec<Summary>,
    /// The games that ended by a fault which a second worker did not see.
    doubted: BTreeSet<GameId>,
}

/// The games contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IndexError {
    /// A game occurs twice.
    #[error("game {0} occurs twice")]
    Twice(GameId),
    /// A game of a session occurs without the one before it.
    #[error("game {0} occurs without the previous game of its session")]
    Gap(GameId),
}

impl Index {
    /// An empty index for these engines; an engine's id is its position.
    pub fn new<'n>(engines: impl IntoIterator<Item = &'n str>) -> Index {
        let places = engines.into_iter().map(str::to_owned).zip(0..).collect();
        Index { places, games: Vec::new(), doubted: BTreeSet::new() }
    }

    /// All games.
    pub fn games(&self) -> &[Summary] {
        &self.games
    }

    /// The games of a pairing: one, or the finished ones of its session.
    pub fn of(&self, pairing: PairingId) -> &[Summary] {
        let begin = self.games.partition_point(|game| game.pairing < pairing);
        let length = self.games[begin..].partition_point(|game| game.pairing == pairing);
        &self.games[begin..begin + length]
    }

    /// The games of the pairings before one.
    pub fn before(&self, pairing: PairingId) -> Index {
        let games = self.games.iter().filter(|game| game.pairing < pairing).copied();
        let (places, doubted) = (self.places.clone(), self.doubted.clone());
        Index { places, games: games.collect(), doubted }
    }

    /// Whether a game ended by a fault which a second worker did not see when it played the game.
    pub(crate) fn is_doubted(&self, game: GameId) -> bool {
        self.doubted.contains(&game)
    }

    /// Adds a game that was just finished, with its offset in the journal.
    pub fn add(&mut self, game: &GameRecord, offset: u64) {
        let summary = self.summary(game, offset);
        // Games end nearly in the order in which they begin, so the place is near the end.
        let place = self.games.partition_point(|game| game.id() < summary.id());
        self.games.insert(place, summary);
    }

    /// The number of games without a result.
    pub fn without_result(&self) -> usize {
        self.games.iter().filter(|game| game.result == GameResult::Void).count()
    }

    /// Removes void games, so that they are played again, except those with numbers up to `kept`.
    /// Returns the number of removed games.
    pub fn forget_voids(&mut self, kept: Option<PairingId>) -> usize {
        let before = self.games.len();
        self.games.retain(|game| !game.is_void() || kept.is_some_and(|kept| game.pairing <= kept));
        before - self.games.len()
    }

    /// The summary of a game.
    pub(super) fn summary(&mut self, game: &GameRecord, offset: u64) -> Summary {
        let mut place = |name: &str| match self.places.get(name) {
            Some(&place) => place,
            None => {
                let place = self.places.len() as u32;
                self.places.insert(name.to_owned(), place);
                place
            }
        };
        if game.second_opinion.as_ref().is_some_and(|second| !second.agrees) {
            self.doubted.insert(game.id);
        }
        Summary {
            pairing: game.id.pairing,
            of_session: game.id.of_session,
            players: [place(&game.white), place(&game.black)],
            result: game.result,
            fault: match (game.reason, game.offender) {
                (Reason::Fault(fault), Some('w')) => Some((fault, Side::White)),
                (Reason::Fault(fault), Some(_)) => Some((fault, Side::Black)),
                _ => None,
            },
            other_fault: game.other_fault,
            fingerprint: game.fingerprint(),
            offset,
        }
    }

    /// Replaces the games by these, in any order. A game that was void because of the arena may
    /// have been played again; the last one counts.
    pub(super) fn fill(&mut self, games: Vec<Summary>) -> Result<(), IndexError> {
        self.games = games;
        self.games.sort_unstable_by_key(|game| (game.id(), game.offset));
        let mut twice = None;
        self.games.dedup_by(|later, earlier| {
            let again = later.id() == earlier.id() && earlier.is_void();
            if later.id() == earlier.id() && !again {
                twice = twice.or(Some(later.id()));
            }
            if again {
                *earlier = *later;
            }
            again
        });
        if let Some(game) = twice {
            return Err(IndexError::Twice(game));
        }
        let mut before: Option<GameId> = None;
        for game in self.games.iter().map(Summary::id) {
            let of_session = |id: GameId| id.of_session.map_or(0, NonZeroU32::get);
            let last = before.filter(|before| before.pairing == game.pairing).map_or(0, of_session);
            if game.of_session.is_some() && of_session(game) != last + 1 {
                return Err(IndexError::Gap(game));
            }
            before = Some(game);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example::game;

    fn drawn(games: &[Summary]) -> String {
        games.iter().map(|game| format!("{}@{} ", game.id(), game.offset)).collect()
    }

    #[test]
    fn games_are_in_schedule_order() {
        let mut index = Index::new(["a", "b"]);
        for (offset, id) in ["3", "1", "12.1", "2", "12.2", "13"].into_iter().enumerate() {
            index.add(&game(id), offset as u64);
        }
        assert_eq!(drawn(index.games()), "1@1 2@3 3@0 12.1@2 12.2@4 13@5 ");
        assert_eq!(drawn(index.of(PairingId(12))), "12.1@2 12.2@4 ");
        assert_eq!(drawn(index.of(PairingId(4))), "");
        let mut filled = Index::new(["a", "b"]);
        let mut games = index.games().to_vec();
        games.reverse();
        filled.fill(games).unwrap();
        assert_eq!(filled.games(), index.games());
    }

    #[test]
    fn engine_ids_are_their_positions() {
        let mut index = Index::new(["b", "a"]);
        let lost = GameRecord {
            white: "a".into(),
            black: "stranger".into(),
            result: "1-0".parse().unwrap(),
            reason: "crash".parse().unwrap(),
            offender: Some('b'),
            ..game("1")
        };
        let summary = index.summary(&lost, 0);
        assert_eq!(summary.player(Side::White), EngineId(1));
        assert_eq!(summary.player(Side::Black), EngineId(2));
        let faults = |summary: Summary| Side::BOTH.map(|side| summary.fault_of(side));
        assert_eq!(faults(summary), [None, Some(Fault::Crash)]);
        assert_eq!(faults(index.summary(&game("2"), 0)), [None, None]);
        let both = GameRecord { offender: Some('w'), other_fault: Some(Fault::Start), ..lost };
        assert_eq!(faults(index.summary(&both, 0)), [Some(Fault::Crash), Some(Fault::Start)]);
    }

    #[test]
    fn a_void_game_can_be_played_again() {
        let void = GameRecord { result: GameResult::Void, reason: Reason::Void, ..game("2") };
        let mut index = Index::new([]);
        let all = [void.clone(), game("1"), void.clone(), game("2"), game("3")];
        let games: Vec<_> = all.iter().zip(0..).map(|(game, at)| index.summary(game, at)).collect();
        index.fill(games.clone()).unwrap();
        assert_eq!(drawn(index.games()), "1@1 2@3 3@4 ");
        assert_eq!((index.without_result(), index.forget_voids(None)), (0, 0));
        // In the opposite order it is a game played twice.
        let mut index = Index::new([]);
        let again = [game("2"), void.clone()];
        let games = again.iter().zip(0..).map(|(game, at)| index.summary(game, at)).collect();
        assert_eq!(index.fill(games), Err(IndexError::Twice("2".parse().unwrap())));
        let mut index = Index::new([]);
        let lost = [void, GameRecord { id: "4".parse().unwrap(), ..all[0].clone() }];
        let games = lost.iter().zip(0..).map(|(game, at)| index.summary(game, at)).collect();
        index.fill(games).unwrap();
        assert_eq!((index.without_result(), index.forget_voids(Some(PairingId(2)))), (2, 1));
        assert_eq!(drawn(index.games()), "2@0 ");
    }

    #[test]
    fn contradictory_games_are_rejected() {
        let fill = |ids: &[&str]| {
            let mut index = Index::new([]);
            let games = ids.iter().map(|id| index.summary(&game(id), 0)).collect();
            index.fill(games).map_err(|error| error.to_string())
        };
        assert_eq!(fill(&["2", "1", "4.2", "4.1", "5.1"]), Ok(()));
        assert!(fill(&["1", "2", "1"]).unwrap_err().contains("game 1 occurs twice"));
        for gap in [&["4.2"][..], &["3.1", "4.2"], &["4.1", "4.3"]] {
            assert!(fill(gap).unwrap_err().contains("without"), "{gap:?}");
        }
    }
}
