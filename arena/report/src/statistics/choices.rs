//! The choices of two engines in the same positions, and those that a judge prefers.
//!
//! A sample of the positions in which one of them had to move is taken from their games: those with
//! the smallest hashes, so that it is the same every time and needs little memory. The other engine
//! and the judge are asked by the caller.

use std::collections::BTreeMap;

use super::phase::Phase;
use fanorona_protocol::rules::{Game, Move, Position, Ruleset};
use serde::Serialize;

use fanorona_protocol::rules::Side;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::analysis::families;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::pairing::seeds;
use fanorona_tournament::record::GameRecord;

/// Below this difference of winning chance, two moves count as level.
pub const LEVEL: f64 = 0.02;

/// A position with what engines played in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Situation {
    /// The game that it was found in.
    pub game: GameId,
    /// Riatra or vela.
    pub kind: Kind,
    /// The start of the game.
    pub start: Position,
    /// The moves up to the position.
    pub moves: Vec<Move>,
    /// The position after these moves.
    pub position: Position,
    /// The moves of the two engines in it, as far as games tell.
    pub played: [Option<Move>; 2],
}

/// Collects a sample of positions from games.
#[derive(Clone, Debug)]
pub struct Sample {
    names: [String; 2],
    most: usize,
    seed: u64,
    /// By hash and key.
    found: BTreeMap<(u64, u64), Situation>,
}

impl Sample {
    /// A sample of this many positions for two engines.
    pub fn new(names: [&str; 2], most: usize, seed: u64) -> Sample {
        let names = names.map(str::to_owned);
        Sample { names, most, seed, found: BTreeMap::new() }
    }

    /// Adds the positions of a game in which one of the engines chose among several moves.
    pub fn add(&mut self, game: &GameRecord, rules: &Ruleset) {
        let Ok(start) = game.start.parse::<Position>() else { return };
        let mut replayed = Game::new(*rules, start);
        for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
            let Ok(mv) = word.parse::<Move>() else { return };
            let position = *replayed.position();
            let name = match position.side_to_move() {
                Side::White => &game.white,
                Side::Black => &game.black,
            };
            let who = self.names.iter().position(|known| known == name);
            if let Some(who) = who.filter(|_| index >= game.book as usize) {
                let situation = || Situation {
                    game: game.id,
                    kind: game.kind,
                    start,
                    moves: replayed.moves().to_vec(),
                    position,
                    played: [None, None],
                };
                self.note(who, mv, &position, rules, situation);
            }
            if replayed.play(&mv).is_err() {
                return;
            }
        }
    }

    fn note(
        &mut self,
        who: usize,
        mv: Move,
        position: &Position,
        rules: &Ruleset,
        situation: impl FnOnce() -> Situation,
    ) {
        let key = (seeds::mix(self.seed ^ position.key()), position.key());
        let is_full = self.found.len() >= self.most;
        if !self.found.contains_key(&key) {
            if is_full && self.found.last_key_value().is_none_or(|(last, _)| *last < key) {
                return;
            }
            if families(position, rules).len() < 2 {
                return;
            }
        }
        let found = self.found.entry(key).or_insert_with(situation);
        found.played[who].get_or_insert(mv);
        if self.found.len() > self.most {
            self.found.pop_last();
        }
    }

    /// The positions, in the order of their games.
    pub fn situations(self) -> Vec<Situation> {
        let mut found: Vec<Situation> = self.found.into_values().collect();
        found.sort_by_key(|it| (it.game, it.moves.len()));
        found
    }
}

/// A position in which both engines' choices are known and judged.
#[derive(Clone, PartialEq, Debug)]
pub struct Compared {
    /// The position.
    pub situation: Situation,
    /// The choices of the two engines.
    pub choices: [Move; 2],
    /// Whether the choices lead to different positions.
    pub differ: bool,
    /// Whether each choice leads to the same position as the judge's.
    pub agrees: [bool; 2],
    /// The judge's move.
    pub best: Option<Move>,
    /// The winning chances after both choices, for the player, if they differ and the judge knows.
    pub chances: Option<[f64; 2]>,
    /// Whether these are exact.
    pub exact: bool,
}

impl Compared {
    /// Returns the lead of the first engine's choice in winning chance.
    pub fn lead(&self) -> Option<f64> {
        self.chances.map(|[one, other]| one - other)
    }

    /// The phase of the position.
    pub fn phase(&self) -> Phase {
        Phase::from_position(&self.situation.position)
    }

    /// Returns the engine that is right: the first (`Some(0)`), the second, or neither.
    pub fn right(&self) -> Option<usize> {
        match self.lead()? {
            lead if lead >= LEVEL => Some(0),
            lead if lead <= -LEVEL => Some(1),
            _ => None,
        }
    }
}

/// Counts of compared positions.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Counts {
    /// The number of compared positions.
    pub positions: u64,
    /// The number in which the engines chose differently.
    pub differ: u64,
    /// The numbers in which the first, or the second engine's choice is better.
    pub right: [u64; 2],
    /// The number in which neither is.
    pub level: u64,
    /// The total losses of the first and the second engine's choices against the better one.
    pub lost: [f64; 2],
    /// The numbers in which each engine chose as the judge does.
    pub agrees: [u64; 2],
}

impl Counts {
    /// Counts positions.
    pub fn of<'c>(compared: impl IntoIterator<Item = &'c Compared>) -> Counts {
        let mut counts = Counts::default();
        for it in compared {
            counts.positions += 1;
            counts.differ += u64::from(it.differ);
            for who in 0..2 {
                counts.agrees[who] += u64::from(it.agrees[who]);
            }
            if let Some(lead) = it.lead() {
                match it.right() {
                    Some(who) => counts.right[who] += 1,
                    None => counts.level += 1,
                }
                counts.lost[0] += (-lead).max(0.0);
                counts.lost[1] += lead.max(0.0);
            }
        }
        counts
    }
}

/// The counts by kind and phase, without empty ones, and of all positions.
pub fn table(compared: &[Compared]) -> Vec<(Option<(Kind, Phase)>, Counts)> {
    let mut rows = Vec::new();
    for kind in [Kind::Riatra, Kind::Vela] {
        for phase in Phase::ALL {
            let here = |it: &&Compared| it.situation.kind == kind && it.phase() == phase;
            let counts = Counts::of(compared.iter().filter(here));
            if counts.positions > 0 {
                rows.push((Some((kind, phase)), counts));
            }
        }
    }
    rows.push((None, Counts::of(compared)));
    rows
}

/// The positions with the largest differences, the largest first.
pub(crate) fn costliest(compared: &[Compared], most: usize) -> Vec<&Compared> {
    let mut found: Vec<&Compared> = compared.iter().filter(|it| it.right().is_some()).collect();
    let cost = |it: &Compared| it.lead().map_or(0.0, f64::abs);
    found.sort_by(|one, other| cost(other).total_cmp(&cost(one)));
    found.truncate(most);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;
    use fanorona_tournament::record::example::game;

    fn record(id: &str, white: &str, moves: &str) -> GameRecord {
        let start = Start::TSIVY.riatra().to_string();
        let (white, moves) = (white.to_owned(), moves.to_owned());
        GameRecord { start, white, moves, black: "c".to_owned(), ..game(id) }
    }

    #[test]
    fn the_same_position_is_found_once_with_both_choices() {
        let rules = Ruleset::default();
        let mut sample = Sample::new(["a", "b"], 9, 1);
        sample.add(&record("1", "a", "e2e3A"), &rules);
        sample.add(&record("2", "b", "d3e3A"), &rules);
        sample.add(&record("3", "b", "e2e3A"), &rules);
        let found = sample.situations();
        assert_eq!(found.len(), 1);
        let words = found[0].played.map(|mv| mv.unwrap().to_string());
        assert_eq!(
            (words, found[0].game),
            (["e2e3A".into(), "d3e3A".into()], "1".parse().unwrap())
        );
        // No engine chose the moves of the opening; moves of other engines do not count.
        let mut sample = Sample::new(["a", "b"], 9, 1);
        sample.add(&GameRecord { book: 1, ..record("1", "a", "e2e3A e5e4") }, &rules);
        assert!(sample.situations().is_empty());
    }

    #[test]
    fn a_sample_does_not_depend_on_the_order_of_games() {
        let rules = Ruleset::default();
        let games = [("1", "e2e3A e5e4"), ("2", "d3e3A"), ("3", "d2e3A")]
            .map(|(id, moves)| GameRecord { black: "b".to_owned(), ..record(id, "a", moves) });
        let of = |order: &[usize], most: usize| {
            let mut sample = Sample::new(["a", "b"], most, 5);
            order.iter().for_each(|&place| sample.add(&games[place], &rules));
            let keys = sample.situations().into_iter().map(|it| it.position.key());
            keys.collect::<Vec<_>>()
        };
        let all = of(&[0, 1, 2], 9);
        assert!(all.len() > 1, "{all:?}");
        assert_eq!(of(&[0, 1, 2], 1), of(&[2, 1, 0], 1));
        assert!(all.contains(&of(&[0, 1, 2], 1)[0]));
    }

    #[test]
    fn choices_are_counted_by_who_is_right() {
        let rules = Ruleset::default();
        let mut sample = Sample::new(["a", "b"], 9, 1);
        sample.add(&record("1", "a", "e2e3A"), &rules);
        let situation = sample.situations().pop().unwrap();
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let compared = |chances: Option<[f64; 2]>| Compared {
            situation: situation.clone(),
            choices: [mv("e2e3A"), mv("d3e3A")],
            differ: chances.is_some(),
            agrees: [true, chances.is_none()],
            best: Some(mv("e2e3A")),
            chances,
            exact: false,
        };
        let all = [Some([0.7, 0.4]), Some([0.5, 0.51]), Some([0.2, 0.3]), None].map(compared);
        let counts = Counts::of(&all);
        assert_eq!((counts.positions, counts.differ, counts.level), (4, 3, 1));
        assert_eq!((counts.right, counts.agrees), ([1, 1], [4, 1]));
        assert!((counts.lost[0] - 0.11).abs() < 1e-9 && (counts.lost[1] - 0.3).abs() < 1e-9);
        let rows = table(&all);
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].0, Some((Kind::Riatra, Phase::Opening)));
        let costly: Vec<_> = costliest(&all, 5).iter().map(|it| it.lead().unwrap()).collect();
        assert_eq!(costly.len(), 2);
        assert!(costly[0] > 0.29 && costly[1] < -0.09);
    }
}
