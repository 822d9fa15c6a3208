//! What a tournament will come to before anything is played: games, time and room on the disk.
//!
//! Games are counted; time and room are estimates, which say what they assume.

use fanorona_protocol::rules::Move;
use serde::Serialize;

use super::progress::Progress;
use crate::config::{Format, Limit, Tournament, knockout_rounds};
use crate::pairing::ids::EngineId;
use crate::pairing::openings::{GameKind, Openings};
use crate::pairing::shard::Shard;
use crate::ratings::kind::Kind;
use crate::record::Index;

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
    /// Seconds a move takes under a limit of depth.
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
pub struct WorkEstimate {
    /// The tournament's name.
    pub name: String,
    /// Who meets whom.
    pub format: &'static str,
    /// Pairs per pairing and kind.
    pub rounds: u32,
    /// Games at once.
    pub concurrency: u64,
    /// Games, a session counted once; at most, where results decide how many.
    pub pairings: u64,
    /// How many it is at least; the same where results do not decide. Without engines that are
    /// withdrawn.
    pub at_least: u64,
    /// The same by kind, in the order they are played.
    pub kinds: Vec<KindEstimate>,
    /// Every engine in the config's order.
    pub engines: Vec<EngineEstimate>,
    /// Seconds it takes if every engine uses its time up and as many games are played as may be.
    pub seconds: f64,
    /// Bytes of the results of as many games.
    pub bytes: f64,
    /// What time and room follow from.
    pub assumptions: Assumptions,
    /// The openings of every kind that is played, in sessions or alone.
    pub lines: Vec<OfLines>,
    /// How many different ones two engines could meet with, one a round.
    pub lines_wanted: u64,
    /// How the first games begin.
    pub openings: Vec<Begin>,
}

/// One kind of game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KindEstimate {
    /// The kind.
    pub kind: Kind,
    /// Games of it, or sessions, at most.
    pub pairings: u64,
    /// How many it is at least.
    pub at_least: u64,
}

/// One engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineEstimate {
    /// Its name.
    pub name: String,
    /// Its limit.
    pub limit: String,
    /// Its games of every kind, in the order of [`WorkEstimate::kinds`], at most.
    pub pairings: Vec<u64>,
    /// How many it is at least.
    pub at_least: Vec<u64>,
}

/// What there is to begin with.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OfLines {
    /// Riatra or vela.
    pub kind: Kind,
    /// How many different openings there are before they come again; `None` where they are drawn as
    /// long as there are new ones.
    pub lines: Option<usize>,
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
    /// The moves that are played before anybody is asked, separated by blanks.
    pub moves: String,
}

/// How many beginnings are shown.
const SHOWN: usize = 6;

impl WorkEstimate {
    /// Looks at a tournament. `cores` counts where the config does not say how many games are
    /// played at once.
    pub fn new(tournament: &Tournament, openings: &Openings, cores: u64) -> WorkEstimate {
        let assumptions = Assumptions::default();
        // Of a tournament with stages the first is drawn before any game.
        let mut course = Progress::new(tournament, Shard::WHOLE);
        course.advance(tournament, &Index::new(tournament.names()));
        let schedule = course.schedule();
        let pairs = Pairs::new(tournament);
        let several = tournament.kinds.len() as u64;
        // The test of a match may be decided by its first pair, of whichever kind that is.
        let (least, least_of) = match (&tournament.sprt, several) {
            (Some(_), 1) => (1, Some(1)),
            (Some(_), _) => (1, Some(0)),
            (None, _) => (several * pairs.all.least, None),
        };
        let kinds = tournament.kinds.iter().map(|&kind| KindEstimate {
            kind,
            pairings: 2 * pairs.all.most,
            at_least: 2 * least_of.unwrap_or(pairs.all.least),
        });
        let engines = tournament.engines.iter().zip(&pairs.engines).map(|(engine, of_engine)| {
            let of_each = |pairs: u64| vec![2 * pairs; tournament.kinds.len()];
            EngineEstimate {
                name: engine.name.clone(),
                limit: tournament.limit_of(engine).to_string(),
                pairings: of_each(of_engine.most),
                at_least: of_each(least_of.unwrap_or(of_engine.least)),
            }
        });
        let points = tournament.board.riatra().board().size().points() as f64 / 45.0;
        // In a knockout not everybody can come as far as each of them may.
        let seats: u64 = pairs.engines.iter().map(|of_engine| of_engine.most).sum();
        let share = 2.0 * pairs.all.most as f64 / seats.max(1) as f64;
        let (mut seconds, mut bytes) = (0.0, 0.0);
        for &kind in &tournament.kinds {
            for (games, plies) in assumptions.games(kind, points) {
                let of_one = assumptions.game_bytes + plies * assumptions.ply_bytes;
                bytes += 2.0 * pairs.all.most as f64 * games * of_one;
                for (engine, of_engine) in tournament.engines.iter().zip(&pairs.engines) {
                    let time = assumptions.seconds(tournament.limit_of(engine), plies / 2.0);
                    seconds += 2.0 * of_engine.most as f64 * share * games * time;
                }
            }
        }
        let concurrency = tournament.concurrency.map_or(cores, |games| games.get().into());
        let begins = schedule.iter().step_by(2).take(SHOWN).map(|pairing| {
            let opening = openings.of_pairing(&pairing);
            let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
            Begin {
                game: pairing.id.0,
                kind: pairing.kind,
                first: name(pairing.first),
                second: name(pairing.second),
                start: opening.start.to_string(),
                moves: opening.book.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
            }
        });
        let sessions = tournament.kinds.contains(&Kind::Session);
        let played = GameKind::ALL
            .into_iter()
            .filter(|&kind| sessions || tournament.kinds.contains(&kind.into()));
        WorkEstimate {
            name: tournament.name.clone(),
            format: tournament.format.word(),
            rounds: tournament.rounds.get(),
            concurrency,
            pairings: 2 * several * pairs.all.most,
            at_least: 2 * least,
            kinds: kinds.collect(),
            engines: engines.collect(),
            seconds: seconds / concurrency.min(schedule.len()).max(1) as f64,
            bytes,
            assumptions,
            lines: played
                .map(|kind| OfLines { kind: kind.into(), lines: openings.count(kind) })
                .collect(),
            lines_wanted: schedule.rounds(),
            openings: begins.collect(),
        }
    }
}

/// So many at least and at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    least: u64,
    most: u64,
}

/// The pairs of games of each kind that are played if nobody is withdrawn.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pairs {
    all: Span,
    /// Those of every engine, in the config's order.
    engines: Vec<Span>,
}

impl Pairs {
    fn new(tournament: &Tournament) -> Pairs {
        let count = tournament.engines.len() as u64;
        let rounds = u64::from(tournament.rounds.get());
        let exactly = |pairs: u64| Span { least: pairs, most: pairs };
        let others = count.saturating_sub(1);
        let (all, of_engine): (Span, Box<dyn Fn(u64) -> Span>) = match tournament.format {
            Format::RoundRobin => {
                (exactly(count * others / 2 * rounds), Box::new(|_| exactly(others * rounds)))
            }
            Format::Gauntlet => (
                exactly(others * rounds),
                Box::new(|place| exactly(if place == 0 { others * rounds } else { rounds })),
            ),
            Format::Match => (exactly(rounds), Box::new(|_| exactly(rounds))),
            Format::Swiss { stages } => {
                let stages = u64::from(stages.get());
                // With an odd number one sits out, everybody about as often.
                let (odd, of_each) = (count % 2 == 1, stages / count.max(1));
                let most = if odd { stages - of_each } else { stages };
                let more = u64::from(odd && stages % count != 0);
                let span = Span { least: (most - more) * rounds, most: most * rounds };
                (exactly(count / 2 * stages * rounds), Box::new(move |_| span))
            }
            Format::Knockout { tiebreaks } => {
                let stages = knockout_rounds(tournament.engines.len());
                // Everybody but one is beaten once; whoever is first in the config begins later.
                let byes = (1 << stages) - count;
                let further = rounds + u64::from(tiebreaks);
                let span = move |encounters| Span { least: rounds, most: encounters * further };
                (
                    Span { least: others * rounds, most: others * further },
                    Box::new(move |place| span(u64::from(stages) - u64::from(place < byes))),
                )
            }
        };
        Pairs { all, engines: (0..count).map(of_engine).collect() }
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

    /// Seconds so many moves take under a limit that is used up.
    fn seconds(&self, limit: Limit, moves: f64) -> f64 {
        match limit {
            Limit::MoveTime(time) => moves * time.as_secs_f64(),
            Limit::Clock { base, increment } => {
                base.as_secs_f64() + moves * increment.as_secs_f64()
            }
            Limit::Nodes(nodes) => moves * nodes as f64 / self.nodes_per_second,
            Limit::Depth(_) => moves * self.depth_seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineConfig, Format};
    use std::num::NonZeroU32;
    use std::time::Duration;

    fn outlook(change: impl FnOnce(&mut Tournament)) -> WorkEstimate {
        let engines = ["a", "b", "c"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.rounds = NonZeroU32::new(5).unwrap();
        tournament.concurrency = NonZeroU32::new(2);
        tournament.limit = Limit::MoveTime(Duration::from_millis(100));
        change(&mut tournament);
        let openings = Openings::new(&tournament, "").unwrap();
        WorkEstimate::new(&tournament, &openings, 8)
    }

    #[test]
    fn games_are_counted_by_kind_and_engine() {
        let outlook = outlook(|tournament| tournament.format = Format::Gauntlet);
        assert_eq!(outlook.pairings, 2 * 2 * 5 * 2);
        assert_eq!(outlook.kinds.iter().map(|kind| kind.pairings).collect::<Vec<_>>(), [20, 20]);
        let games: Vec<_> = outlook.engines.iter().map(|engine| engine.pairings.clone()).collect();
        assert_eq!(games, [[20, 20], [10, 10], [10, 10]]);
    }

    /// What is at least and at most played in all and by every engine.
    fn spans(outlook: &WorkEstimate) -> Vec<(u64, u64)> {
        let all = (outlook.at_least, outlook.pairings);
        let of_engine = |engine: &EngineEstimate| (engine.at_least[0], engine.pairings[0]);
        std::iter::once(all).chain(outlook.engines.iter().map(of_engine)).collect()
    }

    fn of_five(format: Format, change: impl FnOnce(&mut Tournament)) -> WorkEstimate {
        outlook(|tournament| {
            tournament.format = format;
            let more = ["d", "e"].map(|name| EngineConfig::new(name, "x"));
            tournament.engines.extend(more);
            tournament.kinds = vec![Kind::Vela];
            change(tournament);
        })
    }

    #[test]
    fn a_swiss_is_counted_whoever_meets() {
        let stages = NonZeroU32::new(3).unwrap();
        let swiss = of_five(Format::Swiss { stages }, |_| {});
        // Two encounters a stage, five pairs each; whoever sits out once plays in two of three.
        let each = (2 * 2 * 5, 3 * 2 * 5);
        assert_eq!(spans(&swiss), [(60, 60), each, each, each, each, each]);
        assert_eq!(swiss.openings.len(), 6);
        assert_eq!((&*swiss.openings[0].first, &*swiss.openings[0].second), ("a", "c"));
        let even = of_five(Format::Swiss { stages }, |tournament| drop(tournament.engines.pop()));
        assert_eq!(spans(&even)[..2], [(60, 60), (30, 30)]);
        // Sixty games of sixty plies, a tenth of a second each, two at once.
        assert!((even.seconds - 60.0 * 60.0 * 0.1 / 2.0).abs() < 1e-9, "{}", even.seconds);
        assert!((even.seconds - swiss.seconds).abs() < 1e-9);
    }

    #[test]
    fn a_knockout_is_counted_from_the_least_to_the_most() {
        let knockout = of_five(Format::Knockout { tiebreaks: 2 }, |_| {});
        // Four encounters of five pairs, or seven where they stay level; three begin a stage later.
        let (late, early) = ((10, 2 * 7 * 2), (10, 3 * 7 * 2));
        assert_eq!(spans(&knockout), [(40, 56), late, late, late, early, early]);
        assert_eq!((&*knockout.openings[0].first, &*knockout.openings[0].second), ("d", "e"));
        // All engines have one limit, so it does not matter who plays the most.
        assert!((knockout.seconds - 56.0 * 60.0 * 0.1 / 2.0).abs() < 1e-9);
        let certain = of_five(Format::Knockout { tiebreaks: 0 }, |_| {});
        assert_eq!(spans(&certain)[0], (40, 40));
    }

    #[test]
    fn a_test_may_be_decided_by_its_first_pair() {
        use crate::ratings::sprt::{Model, Sprt, SprtOptions};
        let (elo0, elo1, model) = (0.0, 5.0, Model::Logistic);
        let outlook = outlook(|tournament| {
            tournament.format = Format::Match;
            tournament.engines.pop();
            let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
            tournament.sprt = Some(Sprt::new(options).unwrap());
        });
        assert_eq!((outlook.at_least, outlook.pairings), (2, 20));
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
        assert!(outlook.openings.iter().all(|begin| begin.moves.split(' ').count() == 4));
        assert_eq!(outlook.openings[3].kind, Kind::Vela);
    }
}
