//! Fingerprints of games and sessions in 64 bits, which detect repeated games.
//!
//! Deterministic engines that play an opening twice play the same game twice. The second one is not
//! a new observation, so ratings and tests must recognise it without storing its moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use crate::game::termination::GameResult;
use fanorona_ratings::kind::Kind;

/// A game or a session in 64 bits. Equal fingerprints mean equal games. Among a million different
/// games, two have the same one with a probability of 1 in 37 million.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(NonZeroU64);

/// The properties that make two games the same.
#[derive(Clone, Copy, Hash, Debug)]
pub struct GameIdentity<'g> {
    /// White and Black.
    pub players: [&'g str; 2],
    /// Riatra or vela.
    pub kind: Kind,
    /// The start position, as text.
    pub start: &'g str,
    /// The result: an adjudicated game can have the same moves as one that was played to its end.
    pub result: GameResult,
    /// Every move from the start, as text; empty if there was none.
    pub moves: &'g str,
}

impl GameIdentity<'_> {
    /// The fingerprint.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(self)
    }
}

impl Fingerprint {
    /// The fingerprint of a session with one more game. Sessions are equal if they have equal games
    /// in the same order.
    pub fn followed_by(self, game: Fingerprint) -> Fingerprint {
        Fingerprint::of((self, game))
    }

    fn of(what: impl Hash) -> Fingerprint {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Fingerprint(NonZeroU64::new(hasher.finish()).unwrap_or(NonZeroU64::MIN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: GameIdentity<'static> = GameIdentity {
        players: ["a", "b"],
        kind: Kind::Riatra,
        start: "bbb/b1W/WWW w - 0 1",
        result: GameResult::Drawn,
        moves: "c1b2A",
    };

    #[test]
    fn every_property_distinguishes_games() {
        let others = [
            GameIdentity { players: ["b", "a"], ..GAME },
            GameIdentity { kind: Kind::Vela, ..GAME },
            GameIdentity { start: "bbb/b1W/WWW b - 0 1", ..GAME },
            GameIdentity { result: GameResult::Void, ..GAME },
            GameIdentity { moves: "c1b2W", ..GAME },
            GameIdentity { moves: "", ..GAME },
        ];
        assert!(others.iter().all(|other| other.fingerprint() != GAME.fingerprint()));
        assert_eq!(GAME.fingerprint(), GAME.fingerprint());
    }

    #[test]
    fn the_order_of_games_distinguishes_sessions() {
        let [one, other] =
            ["c1b2A", "c1b2W"].map(|moves| GameIdentity { moves, ..GAME }.fingerprint());
        assert_ne!(one.followed_by(other), other.followed_by(one));
        assert_ne!(one.followed_by(one), one);
    }
}
