//! Which games repeat others: games and sessions in 64 bits.
//!
//! Deterministic engines that play an opening twice play the same game twice. The second is no new
//! observation, so ratings and tests have to recognise it without holding its moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use crate::game::termination::GameResult;
use crate::ratings::kind::Kind;

/// A game or a session in 64 bits: two with the same fingerprint are taken for the same. Of a million
/// different games two share one with a probability of 1 in 37 million.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fingerprint(NonZeroU64);

/// What makes two games the same.
#[derive(Clone, Copy, Hash, Debug)]
pub struct GameIdentity<'g> {
    /// White and Black.
    pub players: [&'g str; 2],
    /// Riatra or vela.
    pub kind: Kind,
    /// The position it began with, as text.
    pub start: &'g str,
    /// Who won: an adjudicated game and one that was played on may have the same moves.
    pub result: GameResult,
    /// Every move from the start, as text.
    pub moves: &'g str,
}

impl GameIdentity<'_> {
    /// The fingerprint; `None` where the moves are not known.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        (!self.moves.is_empty()).then(|| Fingerprint::of(self))
    }
}

impl Fingerprint {
    /// The fingerprint of a session with one more game. Equal sessions have equal games in the same
    /// order.
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
    fn every_part_makes_another_game() {
        let others = [
            GameIdentity { players: ["b", "a"], ..GAME },
            GameIdentity { kind: Kind::Vela, ..GAME },
            GameIdentity { start: "bbb/b1W/WWW b - 0 1", ..GAME },
            GameIdentity { result: GameResult::Void, ..GAME },
            GameIdentity { moves: "c1b2W", ..GAME },
        ];
        assert!(others.iter().all(|other| other.fingerprint() != GAME.fingerprint()));
        assert_eq!(GAME.fingerprint(), GAME.fingerprint());
        assert_eq!(GameIdentity { moves: "", ..GAME }.fingerprint(), None);
    }

    #[test]
    fn the_order_of_games_makes_another_session() {
        let [one, other] = ["c1b2A", "c1b2W"]
            .map(|moves| GameIdentity { moves, ..GAME }.fingerprint().expect("there are moves"));
        assert_ne!(one.followed_by(other), other.followed_by(one));
        assert_ne!(one.followed_by(one), one);
    }
}
