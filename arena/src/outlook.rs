//! What a tournament will come to before anything is played: games, time and room on the disk.
//!
//! Games are counted; time and room are estimates, which say what they assume.

use fanorona_protocol::rules::Turn;
use serde::Serialize;

use crate::config::{Format, Limit, Tournament};
use crate::kind::Kind;
use crate::openings::Openings;
use crate::schedule::Schedule;

/// What is assumed where only playing would tell.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Assumptions {
    /// Plies of a riatra on 9×5; other boards in proportion to their points.
    pub riatra_plies: f64,
    /// Plies of a vela on 9×5.
    pub vela_plies: f64,
    /// Riatra games of a session.
    pub session_riatras: f64,
    /// Velas of a session.
    pub session_velas: f64,
    /// Nodes an engine searches in a second.
    pub nodes_per_second: f64,
    /// Seconds a turn takes under a limit of depth.
    pub depth_seconds: f64,
    /// Bytes a game takes in all files together.
    pub game_bytes: f64,
    /// Bytes a ply takes in all files together.
    pub ply_bytes: f64,
}

impl Default for Assumptions {
    /// Rounded from tournaments of the bots against each other.
    fn default() -> Assumptions {
        Assumptions {
            riatra_plies: 40.0,
            vela_plies: 60.0,
            session_riatras: 1.5,
            session_velas: 2.0,
            nodes_per_second: 500_000.0,
            depth_seconds: 0.1,
            game_bytes: 1000.0,
            ply_bytes: 60.0,
        }
    }
}

/// What a tournament will come to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Outlook {
    /// The tournament's name.
    pub name: String,
    /// Who meets whom.
    pub format: &'static str,
    /// Pairs per pairing and kind.
    pub rounds: u32,
    /// Games at once.
    pub concurrency: u64,
    /// Games, a session counted once.
    pub pairings: u64,
    /// The same by kind, in the order they are played.
    pub kinds: Vec<OfKind>,
    /// Every engine in the config's order.
    pub engines: Vec<OfEngine>,
    /// Seconds it takes if every engine uses its time up.
    pub seconds: f64,
    /// Bytes of the results.
    pub bytes: f64,
    /// What time and room follow from.
    pub assumptions: Assumptions,
    /// How the first games begin.
    pub openings: Vec<Begin>,
}

/// One kind of game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OfKind {
    /// The kind.
    pub kind: Kind,
    /// Games of it, or sessions.
    pub pairings: u64,
}

/// One engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OfEngine {
    /// Its name.
    pub name: String,
    /// Its limit.
    pub limit: String,
    /// Its games of every kind, in the order of [`Outlook::kinds`].
    pub pairings: Vec<u64>,
}

/// How a game begins.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Begin {
    /// Its number in the schedule.
    pub game: u64,
    /// Its kind.
    pub kind: Kind,
    /// White in a riatra, the debtor in a vela, the first player of a session.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The position it starts from.
    pub start: String,
    /// The turns that are played before anybody is asked, separated by blanks.
    pub turns: String,
}

/// How many beginnings are shown.
const SHOWN: usize = 6;

impl Outlook {
    /// Looks at a tournament. `cores` counts where the config does not say how many games are
    /// played at once.
    pub fn new(tournament: &Tournament, openings: &Openings, cores: u64) -> Outlook {
        let assumptions = Assumptions::default();
        let schedule = Schedule::new(tournament);
        // Every round has the same pairings; of a tournament with stages only the first is drawn,
        // and it is taken that everybody plays in all of them.
        let rounds = match tournament.format {
            Format::Swiss { .. } | Format::Knockout { .. } => {
                schedule.len() / (schedule.iter().count() as u64).max(1)
            }
            _ => u64::from(tournament.rounds.get()),
        };
        let round = || schedule.iter().take((schedule.len() / rounds) as usize);
        let kinds = tournament.kinds.iter().map(|&kind| {
            let pairings = round().filter(|pairing| pairing.kind == kind).count() as u64;
            OfKind { kind, pairings: pairings * rounds }
        });
        let engines = tournament.engines.iter().enumerate().map(|(place, engine)| {
            let plays = |kind: Kind| {
                let of_engine = round().filter(|pairing| {
                    pairing.kind == kind && [pairing.first.0, pairing.second.0].contains(&place)
                });
                of_engine.count() as u64 * rounds
            };
            OfEngine {
                name: engine.name.clone(),
                limit: tournament.limit_of(engine).to_string(),
                pairings: tournament.kinds.iter().map(|&kind| plays(kind)).collect(),
            }
        });
        let points = tournament.board.riatra().board().size().points() as f64 / 45.0;
        let limit = |place: usize| tournament.limit_of(&tournament.engines[place]);
        let (mut seconds, mut bytes) = (0.0, 0.0);
        for pairing in round() {
            for (games, plies) in assumptions.games(pairing.kind, points) {
                let both = [pairing.first.0, pairing.second.0];
                let time: f64 =
                    both.iter().map(|&place| assumptions.seconds(limit(place), plies / 2.0)).sum();
                seconds += games * time * rounds as f64;
                bytes += games
                    * (assumptions.game_bytes + plies * assumptions.ply_bytes)
                    * rounds as f64;
            }
        }
        let concurrency = tournament.concurrency.map_or(cores, |games| games.get().into());
        let name = |place: usize| tournament.engines[place].name.clone();
        let begins = schedule.iter().step_by(2).take(SHOWN).map(|pairing| {
            let opening = openings.of_pairing(&pairing);
            Begin {
                game: pairing.id.0,
                kind: pairing.kind,
                first: name(pairing.first.0),
                second: name(pairing.second.0),
                start: opening.start.to_string(),
                turns: opening.book.iter().map(Turn::to_string).collect::<Vec<_>>().join(" "),
            }
        });
        Outlook {
            name: tournament.name.clone(),
            format: tournament.format.word(),
            rounds: tournament.rounds.get(),
            concurrency,
            pairings: schedule.len(),
            kinds: kinds.collect(),
            engines: engines.collect(),
            seconds: seconds / concurrency.min(schedule.len()).max(1) as f64,
            bytes,
            assumptions,
            openings: begins.collect(),
        }
    }
}

impl Assumptions {
    /// How many games a pairing has, each kind of them with its plies.
    fn games(&self, kind: Kind, points: f64) -> Vec<(f64, f64)> {
        let (riatra, vela) = (self.riatra_plies * points, self.vela_plies * points);
        match kind {
            Kind::Riatra => vec![(1.0, riatra)],
            Kind::Vela => vec![(1.0, vela)],
            Kind::Session => vec![(self.session_riatras, riatra), (self.session_velas, vela)],
        }
    }

    /// Seconds so many turns take under a limit that is used up.
    fn seconds(&self, limit: Limit, turns: f64) -> f64 {
        match limit {
            Limit::MoveTime(time) => turns * time.as_secs_f64(),
            Limit::Clock { base, increment } => {
                base.as_secs_f64() + turns * increment.as_secs_f64()
            }
            Limit::Nodes(nodes) => turns * nodes as f64 / self.nodes_per_second,
            Limit::Depth(_) => turns * self.depth_seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineConfig, Format};
    use std::num::NonZeroU32;
    use std::time::Duration;

    fn outlook(change: impl FnOnce(&mut Tournament)) -> Outlook {
        let engines = ["a", "b", "c"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.rounds = NonZeroU32::new(5).unwrap();
        tournament.concurrency = NonZeroU32::new(2);
        tournament.limit = Limit::MoveTime(Duration::from_millis(100));
        change(&mut tournament);
        let openings = Openings::new(&tournament, "").unwrap();
        Outlook::new(&tournament, &openings, 8)
    }

    #[test]
    fn games_are_counted_by_kind_and_engine() {
        let outlook = outlook(|tournament| tournament.format = Format::Gauntlet);
        assert_eq!(outlook.pairings, 2 * 2 * 5 * 2);
        assert_eq!(outlook.kinds.iter().map(|kind| kind.pairings).collect::<Vec<_>>(), [20, 20]);
        let games: Vec<_> = outlook.engines.iter().map(|engine| engine.pairings.clone()).collect();
        assert_eq!(games, [[20, 20], [10, 10], [10, 10]]);
    }

    #[test]
    fn time_follows_from_limits_and_games_at_once() {
        // Three pairings of engines, two sides, five rounds; 40 and 60 plies of 0.1 s; two at once.
        let expected = 3.0 * 2.0 * 5.0 * (40.0 + 60.0) * 0.1 / 2.0;
        assert!((outlook(|_| {}).seconds - expected).abs() < 1e-9);
        let alone = outlook(|tournament| tournament.concurrency = NonZeroU32::new(1));
        assert!((alone.seconds - 2.0 * expected).abs() < 1e-9);
        let on_all_cores = outlook(|tournament| tournament.concurrency = None);
        assert_eq!(on_all_cores.concurrency, 8);
        let small = outlook(|tournament| tournament.board = "3x3".parse().unwrap());
        assert!((small.seconds - expected / 5.0).abs() < 1e-9);
        let clock = outlook(|tournament| tournament.limit = "10s+1s".parse().unwrap());
        let expected = 3.0 * 2.0 * 5.0 * (2.0 * 2.0 * 10.0 + 40.0 + 60.0) / 2.0;
        assert!((clock.seconds - expected).abs() < 1e-9);
    }

    #[test]
    fn the_first_games_of_pairs_are_shown() {
        let outlook = outlook(|_| {});
        let games: Vec<u64> = outlook.openings.iter().map(|begin| begin.game).collect();
        assert_eq!(games, [1, 3, 5, 7, 9, 11]);
        assert!(outlook.openings.iter().all(|begin| begin.turns.split(' ').count() == 4));
        assert_eq!(outlook.openings[3].kind, Kind::Vela);
    }
}
