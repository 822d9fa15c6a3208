//! What is remembered of every game while a tournament goes on: a few bytes each. All the rest is
//! read back from the journal where it is wanted.

use std::collections::HashMap;
use std::num::NonZeroU32;

use fanorona_protocol::rules::Side;

use super::{Fingerprint, GameRecord};
use crate::engine::fault::Fault;
use crate::game::termination::{GameResult, Reason};
use crate::pairing::ids::{EngineId, GameId, PairingId};

/// A finished game in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    // A game's number in two fields, as one would take up more room.
    pairing: PairingId,
    of_session: Option<NonZeroU32>,
    players: [u32; 2],
    /// Who has won.
    pub result: GameResult,
    /// The fault that ended it, and the side at fault.
    pub fault: Option<(Fault, Side)>,
    /// The fault of the other side, where both were at fault.
    other_fault: Option<Fault>,
    /// What tells it from other games, see [`GameRecord::fingerprint`].
    pub fingerprint: Option<Fingerprint>,
    /// The byte of the journal at which its line begins.
    pub offset: u64,
}

// Millions of them are held.
const _: () = assert!(size_of::<Summary>() <= 40);

impl Summary {
    /// Its number.
    pub fn id(&self) -> GameId {
        GameId { pairing: self.pairing, of_session: self.of_session }
    }

    /// The engine with a side. An id beyond the tournament's engines is one the config no longer
    /// names.
    pub fn player(&self, side: Side) -> EngineId {
        EngineId(self.players[side as usize] as usize)
    }

    /// Whether it counts for nobody by a fault of the arena's own.
    pub fn is_void(&self) -> bool {
        self.result == GameResult::Void && self.fault.is_none()
    }

    /// What an engine with a side was at fault of, if of anything.
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
}

/// Games that cannot all be of one tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IndexError {
    /// A game is there twice.
    #[error("game {0} is there twice")]
    Twice(GameId),
    /// A game of a session is there, and not the one before it.
    #[error("game {0} is there without the game of the session before it")]
    Gap(GameId),
}

impl Index {
    /// No games yet between these engines, each name with the id of its place.
    pub fn new<'n>(engines: impl IntoIterator<Item = &'n str>) -> Index {
        let places = engines.into_iter().map(str::to_owned).zip(0..).collect();
        Index { places, games: Vec::new() }
    }

    /// All games.
    pub fn games(&self) -> &[Summary] {
        &self.games
    }

    /// The games of a pairing: one, or those of its session so far.
    pub fn of(&self, pairing: PairingId) -> &[Summary] {
        let begin = self.games.partition_point(|game| game.pairing < pairing);
        let length = self.games[begin..].partition_point(|game| game.pairing == pairing);
        &self.games[begin..begin + length]
    }

    /// Adds a game that has just been finished and lies at a byte of the journal.
    pub fn add(&mut self, game: &GameRecord, offset: u64) {
        let summary = self.summary(game, offset);
        // Games end nearly in the order they begin: the place is near the end.
        let place = self.games.partition_point(|game| game.id() < summary.id());
        self.games.insert(place, summary);
    }

    /// How many games have no result.
    pub fn without_result(&self) -> usize {
        self.games.iter().filter(|game| game.result == GameResult::Void).count()
    }

    /// Forgets void games, so that they are played again, but for those with a number up to this
    /// one; gives how many.
    pub fn forget_voids(&mut self, kept: Option<PairingId>) -> usize {
        let before = self.games.len();
        self.games.retain(|game| !game.is_void() || kept.is_some_and(|kept| game.pairing <= kept));
        before - self.games.len()
    }

    /// A game in short.
    pub(super) fn summary(&mut self, game: &GameRecord, offset: u64) -> Summary {
        let mut place = |name: &str| match self.places.get(name) {
            Some(&place) => place,
            None => {
                let place = self.places.len() as u32;
                self.places.insert(name.to_owned(), place);
                place
            }
        };
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

    /// Takes in games in any order. A game that was void by the arena's fault may have been played
    /// again: the last time counts.
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
    use crate::record::tests::game;

    fn drawn(games: &[Summary]) -> String {
        games.iter().map(|game| format!("{}@{} ", game.id(), game.offset)).collect()
    }

    #[test]
    fn games_are_in_schedule_order_in_whatever_order_they_end() {
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
    fn engines_are_known_by_their_places() {
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
    fn a_void_game_may_have_been_played_again() {
        let void = GameRecord { result: GameResult::Void, reason: Reason::Void, ..game("2") };
        let mut index = Index::new([]);
        let all = [void.clone(), game("1"), void.clone(), game("2"), game("3")];
        let games: Vec<_> = all.iter().zip(0..).map(|(game, at)| index.summary(game, at)).collect();
        index.fill(games.clone()).unwrap();
        assert_eq!(drawn(index.games()), "1@1 2@3 3@4 ");
        assert_eq!((index.without_result(), index.forget_voids(None)), (0, 0));
        // The other way about it is a game played twice.
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
    fn games_that_cannot_be_are_refused() {
        let fill = |ids: &[&str]| {
            let mut index = Index::new([]);
            let games = ids.iter().map(|id| index.summary(&game(id), 0)).collect();
            index.fill(games).map_err(|error| error.to_string())
        };
        assert_eq!(fill(&["2", "1", "4.2", "4.1", "5.1"]), Ok(()));
        assert!(fill(&["1", "2", "1"]).unwrap_err().contains("game 1 is there twice"));
        for gap in [&["4.2"][..], &["3.1", "4.2"], &["4.1", "4.3"]] {
            assert!(fill(gap).unwrap_err().contains("without"), "{gap:?}");
        }
    }
}
