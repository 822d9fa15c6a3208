//! Judges moves by the values before and after them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{Position, Side};

use fanorona_ratings::Scope;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::record::{GameRecord, GameValues};

/// An engine's moves in positions of known value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Its moves in such positions, including lost ones.
    pub known: u64,
    /// The moves in won positions.
    pub wins: u64,
    /// The wins it threw away.
    pub thrown_wins: u64,
    /// The moves in drawn positions.
    pub draws: u64,
    /// The draws it threw away.
    pub thrown_draws: u64,
}

impl Counts {
    /// The share of won and drawn positions whose value it kept; `None` if there were none.
    pub fn kept(&self) -> Option<f64> {
        let had = self.wins + self.draws;
        let thrown = self.thrown_wins + self.thrown_draws;
        (had > 0).then(|| (had - thrown) as f64 / had as f64)
    }

    fn add(&mut self, other: &Counts) {
        self.known += other.known;
        self.wins += other.wins;
        self.thrown_wins += other.thrown_wins;
        self.draws += other.draws;
        self.thrown_draws += other.thrown_draws;
    }
}

/// A move that threw away a win or a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Blunder {
    /// The number of the move in the game, from 1.
    pub mv: usize,
    /// The value before the move, for its player.
    pub before: Value,
    /// The value after the move, for its player.
    pub after: Value,
}

impl fmt::Display for Blunder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.before {
            Value::Win(plies) => write!(f, "throws away a win in {plies}, ")?,
            _ => f.write_str("throws away a draw, ")?,
        }
        match self.after {
            Value::Loss(plies) => write!(f, "now lost in {plies}"),
            _ => f.write_str("now drawn"),
        }
    }
}

/// The result of judging a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Judged {
    /// The counts of White and Black.
    pub counts: [Counts; 2],
    /// The first blunder of the game.
    pub first_blunder: Option<Blunder>,
}

/// Judges the moves that the engines chose themselves. A move counts as a blunder only if the
/// values before and after it are both known.
pub fn judge(game: &GameRecord, values: &GameValues) -> Judged {
    let mut judged = Judged::default();
    let Ok(start) = game.start.parse::<Position>() else { return judged };
    for before in game.book as usize..game.plies() {
        let Some(value) = values.after(before) else { continue };
        let side = if before % 2 == 0 { start.side_to_move() } else { !start.side_to_move() };
        let counts = &mut judged.counts[side as usize];
        counts.known += 1;
        let after = values.after(before + 1).map(for_the_other);
        let thrown = match value {
            Value::Win(_) => {
                counts.wins += 1;
                let thrown = matches!(after, Some(Value::Draw | Value::Loss(_)));
                counts.thrown_wins += u64::from(thrown);
                thrown
            }
            Value::Draw => {
                counts.draws += 1;
                let thrown = matches!(after, Some(Value::Loss(_)));
                counts.thrown_draws += u64::from(thrown);
                thrown
            }
            Value::Loss(_) => false,
        };
        if let Some(after) = after.filter(|_| thrown && judged.first_blunder.is_none()) {
            judged.first_blunder = Some(Blunder { mv: before + 1, before: value, after });
        }
    }
    judged
}

/// A value from the view of the other side.
fn for_the_other(value: Value) -> Value {
    match value {
        Value::Win(plies) => Value::Loss(plies),
        Value::Loss(plies) => Value::Win(plies),
        value => value,
    }
}

/// The counts over all games that an oracle has valued.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Accuracy {
    /// The number of these games.
    pub games: u64,
    /// The names of the oracles whose values count.
    pub oracles: BTreeSet<String>,
    counts: BTreeMap<(String, Kind), Counts>,
}

impl Accuracy {
    /// Adds a judged game.
    pub fn add(&mut self, game: &GameRecord, oracle: &str, judged: &Judged) {
        self.games += 1;
        if !self.oracles.contains(oracle) {
            self.oracles.insert(oracle.to_owned());
        }
        let kind = if game.id.of_session.is_some() { Kind::Session } else { game.kind };
        for side in Side::BOTH {
            let name = if side == Side::White { &game.white } else { &game.black };
            let counts = self.counts.entry((name.clone(), kind)).or_default();
            counts.add(&judged.counts[side as usize]);
        }
    }

    /// An engine's counts in a scope. Games of a session count for the session. `None` if no oracle
    /// has valued any game.
    pub fn of(&self, engine: &str, scope: Scope) -> Option<Counts> {
        let mut sum = Counts::default();
        let mine =
            self.counts.iter().filter(|((name, kind), _)| name == engine && scope.holds(*kind));
        mine.for_each(|(_, counts)| sum.add(counts));
        (self.games > 0).then_some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::record::example::game;

    /// A game of six moves, White's first; the first two are the opening.
    fn judged(values: &str) -> Judged {
        let game = GameRecord { moves: "a b c d e f".into(), book: 2, ..game("1") };
        judge(&game, &values.parse().unwrap())
    }

    #[test]
    fn a_move_is_judged_by_the_values_around_it() {
        // White wins in 9 and keeps the win; Black cannot avoid it.
        let kept = judged("2:w9 3:l8 4:w7 5:l6 6:w5");
        let [white, black] = kept.counts;
        assert_eq!((white.known, white.wins, white.thrown_wins), (2, 2, 0));
        assert_eq!((black.known, black.wins, black.draws), (2, 0, 0));
        assert_eq!(kept.first_blunder, None);

        // White throws away the win, Black the draw, White the win again.
        let thrown = judged("2:w9 3:d 4:w7 5:w6 6:l5");
        let [white, black] = thrown.counts;
        assert_eq!((white.wins, white.thrown_wins, white.draws), (2, 2, 0));
        assert_eq!((black.draws, black.thrown_draws, black.wins, black.thrown_wins), (1, 1, 1, 0));
        let blunder = thrown.first_blunder.unwrap();
        assert_eq!(
            (blunder.mv, blunder.to_string()),
            (3, "throws away a win in 9, now drawn".into())
        );

        let lost = judged("3:d 4:w7").first_blunder.unwrap();
        assert_eq!(lost.to_string(), "throws away a draw, now lost in 7");
        let turned = judged("2:w9 3:w4").first_blunder.unwrap();
        assert_eq!(turned.to_string(), "throws away a win in 9, now lost in 4");
    }

    #[test]
    fn unknown_waiting_is_not_charged() {
        assert_eq!(judged(""), Judged::default());
        // Opening moves are not judged.
        assert_eq!(judged("0:w9 1:d 2:d"), judged("2:d"));
        let unknown_after = judged("2:w9 4:w7");
        assert_eq!(unknown_after.counts[0].wins, 2);
        assert_eq!(unknown_after.first_blunder, None);
    }

    #[test]
    fn games_are_counted_by_engine_and_kind() {
        let mut accuracy = Accuracy::default();
        assert_eq!(accuracy.of("b", Scope::All), None);
        let game = |id: &str| GameRecord { moves: "a b c d".into(), book: 0, ..game(id) };
        for id in ["1", "2", "7.1"] {
            let game = game(id);
            accuracy.add(&game, "sage", &judge(&game, &"1:d 2:w5 3:l4".parse().unwrap()));
        }
        let of = |scope| accuracy.of("b", scope).unwrap();
        assert_eq!((of(Scope::All).draws, of(Scope::All).thrown_draws), (3, 3));
        assert_eq!(of(Scope::Kind(Kind::Riatra)).known, 4);
        assert_eq!(of(Scope::Kind(Kind::Session)).known, 2);
        assert_eq!(of(Scope::Kind(Kind::Vela)), Counts::default());
        assert_eq!(accuracy.of("nobody", Scope::All), Some(Counts::default()));
        assert_eq!(accuracy.games, 3);
    }
}
