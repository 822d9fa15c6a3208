//! The ids of engines, pairings, pairs and games, and the pairing itself.

use fanorona_protocol::rules::{Position, Side};
use fanorona_ratings::kind::Kind;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// An engine, by its position in the config, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EngineId(pub usize);

/// A pairing, by its position in the schedule, from 1: the number of its game or session.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PairingId(pub u64);

/// A pair: two pairings that differ only in which engine is first. The id is its position among all
/// pairs, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PairId(pub u64);

impl fmt::Display for PairingId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for PairId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number of a game in results: `17`, or `17.2` for the second game of session 17. Ordered like
/// the schedule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GameId {
    /// The pairing of the game or of its session.
    pub pairing: PairingId,
    /// The number of the game in its session, from 1; `None` for a game outside a session.
    pub of_session: Option<NonZeroU32>,
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.of_session {
            None => write!(f, "{}", self.pairing),
            Some(game) => write!(f, "{}.{game}", self.pairing),
        }
    }
}

/// The text is not the number of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a game number: expected a number from 1, or session and game like 17.2")]
pub struct ParseGameIdError(String);

impl FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<GameId, ParseGameIdError> {
        fn number<T: FromStr>(text: &str) -> Option<T> {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
            digits.then(|| text.parse().ok()).flatten()
        }
        let (pairing, game) = match text.split_once('.') {
            Some((pairing, game)) => (pairing, Some(number::<NonZeroU32>(game))),
            None => (text, None),
        };
        match (number(pairing).map(PairingId), game) {
            (Some(pairing), None) => Ok(GameId { pairing, of_session: None }),
            (Some(pairing), Some(Some(game))) => Ok(GameId { pairing, of_session: Some(game) }),
            _ => Err(ParseGameIdError(text.to_owned())),
        }
    }
}

/// One item of a schedule: a riatra game, a vela game, or a whole session between two engines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pairing {
    /// Its number in the schedule.
    pub id: PairingId,
    /// The pair it belongs to, with the same engines and round and, except for sessions, the same
    /// opening.
    pub pair: PairId,
    /// Its kind, one of the three.
    pub kind: Kind,
    /// The round, from 1; in a race that of its two engines.
    pub round: u32,
    /// White in a riatra, the debtor in a vela, the first player in a session.
    pub first: EngineId,
    /// The other engine.
    pub second: EngineId,
}

impl Pairing {
    /// The engine that plays a side of the game from this start: the first engine is the debtor in
    /// a vela, otherwise White. In a session, the session's state machine decides instead.
    pub fn player(&self, start: &Position, side: Side) -> EngineId {
        if side == start.debtor().unwrap_or(Side::White) { self.first } else { self.second }
    }

    /// The number of the pairing's game, or of a game in its session.
    pub fn game(&self, of_session: Option<NonZeroU32>) -> GameId {
        GameId { pairing: self.id, of_session }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_numbers_survive_a_round_trip() {
        for text in ["1", "17", "17.2", "18446744073709551615.4294967295"] {
            assert_eq!(text.parse::<GameId>().unwrap().to_string(), text);
        }
        for text in ["", "0", "01", "1.", "1.0", ".1", "+1", "1.2.3", "a", "18446744073709551616"] {
            assert!(text.parse::<GameId>().is_err(), "{text}");
        }
        let id = |text: &str| text.parse::<GameId>().unwrap();
        assert!(id("2") < id("10") && id("2.2") < id("2.10") && id("2.10") < id("3"));
    }
}
