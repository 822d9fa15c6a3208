//! Estimates of a tournament before anything is played: games, time and disk space.
//!
//! The number of games is exact; time and disk space are estimates with stated assumptions.

use fanorona_protocol::rules::Move;
use serde::Serialize;

use crate::config::{EngineConfig, Format, Limit, Tournament, knockout_rounds};
use crate::pairing::ids::EngineId;
use crate::pairing::openings::{GameKind, Openings};
use crate::pairing::shard::Shard;
use crate::progress::Progress;
use crate::progress::candidates_run::CandidatesRun;
use crate::record::Index;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::{Remaining, SprtOptions, THIRD_DRAWN};

/// Assumptions about what only playing can tell.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Assumptions {
    /// Plies of a riatra on 9×5; other boards in proportion to their number of points.
    pub riatra_plies: f64,
    /// Plies of a vela on 9×5.
    pub vela_plies: f64,
    /// Riatra games per session.
    pub session_riatras: f64,
    /// Velas per session.
    pub session_velas: f64,
    /// Nodes an engine searches per second.
    pub nodes_per_second: f64,
    /// Seconds per move under a depth limit.
    pub depth_seconds: f64,
    /// Bytes per game in all files together.
    pub game_bytes: f64,
    /// Bytes per ply in all files together.
    pub ply_bytes: f64,
}

impl Default for Assumptions {
    /// Rounded figures from tournaments between the bots.
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

/// The estimate for a tournament.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WorkEstimate {
    /// The tournament's name.
    pub name: String,
    /// The word of the format in configs, such as `round-robin`.
    pub format: &'static str,
    /// Pairs per pairing and kind.
    pub rounds: u32,
    /// Games played at once.
    pub concurrency: u64,
    /// Why `arena run` refuses the tournament on this machine: too many timed games at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// The number of games, a session counted once; the maximum if results decide it.
    pub pairings: u64,
    /// The minimum number of games if no engine is withdrawn; equal to `pairings` if results do not
    /// decide it.
    pub at_least: u64,
    /// The same numbers by kind, in playing order.
    pub kinds: Vec<KindEstimate>,
    /// Every engine in the config's order.
    pub engines: Vec<EngineEstimate>,
    /// The maximum duration in seconds: every engine uses its full time, and the maximum number of
    /// games is played.
    pub seconds: f64,
    /// The mean length of an SPRT, or of the test of a candidate, in pairs, if the lead is `elo0`, half
    /// way, or `elo1`, and a third of the games are drawn. It can be longer than the match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub test: Vec<Remaining>,
    /// The size of the results in bytes for the maximum number of games.
    pub bytes: f64,
    /// The assumptions behind time and size.
    pub assumptions: Assumptions,
    /// The number of openings of every kind that is played, in sessions or alone.
    pub lines: Vec<OpeningCount>,
    /// The number of different openings that two engines can use, one per round.
    pub lines_wanted: u64,
    /// The openings of the first games.
    pub openings: Vec<FirstGame>,
}

/// The estimate for one kind of game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct KindEstimate {
    /// The kind.
    pub kind: Kind,
    /// The maximum number of games or sessions of this kind.
    pub pairings: u64,
    /// The minimum number.
    pub at_least: u64,
}

/// The speed of an engine on this machine.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Speed {
    /// The mean time to prepare a game.
    pub seconds_per_game: f64,
    /// The mean time of a move.
    pub seconds_per_move: f64,
}

/// The estimate for one engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EngineEstimate {
    /// The name of the engine in the config.
    pub name: String,
    /// Its limit as configs write it, like `100ms` or `depth=1`.
    pub limit: String,
    /// Its speed, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<Speed>,
    /// The maximum number of its games of each kind, in the order of [`WorkEstimate::kinds`].
    pub pairings: Vec<u64>,
    /// The minimum number.
    pub at_least: Vec<u64>,
}

/// The number of openings of one kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OpeningCount {
    /// Riatra or vela.
    pub kind: Kind,
    /// The number of different openings before they repeat; `None` if random openings are drawn as
    /// long as there are new ones.
    pub lines: Option<usize>,
}

/// The opening of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FirstGame {
    /// The game's number in the schedule.
    pub game: u64,
    /// The game's kind.
    pub kind: Kind,
    /// White in a riatra, the debtor in a vela, the first player of a session.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// The start position.
    pub start: String,
    /// The moves of the opening, separated by spaces.
    pub moves: String,
}

/// The number of games whose openings are shown.
const SHOWN: usize = 6;

impl WorkEstimate {
    /// Estimates a tournament. `cores` is used if the config does not set the number of concurrent
    /// games; `speeds` has those of the engines that were measured, in the config's order, or
    /// nothing.
    pub fn new(
        tournament: &Tournament,
        openings: &Openings,
        cores: u64,
        speeds: &[Option<Speed>],
    ) -> WorkEstimate {
        let speed = |place: usize| speeds.get(place).copied().flatten();
        let assumptions = Assumptions::default();
        // In a tournament with stages the first stage is drawn before any game.
        let mut progress = Progress::new(tournament, Shard::WHOLE);
        progress.advance(tournament, &Index::new(tournament.names()));
        let schedule = progress.schedule();
        let pairs = Pairs::new(tournament);
        let several = tournament.kinds.len() as u64;
        // A test can be decided by its first pair, of any kind.
        let tests = tests(tournament);
        let (least, least_of_kind) = match (tests.is_empty(), several) {
            (true, _) => (several * pairs.all.least, None),
            (false, 1) => (pairs.all.least, None),
            (false, _) => (pairs.all.least, Some(0)),
        };
        let kinds = tournament.kinds.iter().map(|&kind| KindEstimate {
            kind,
            pairings: 2 * pairs.all.most,
            at_least: 2 * least_of_kind.unwrap_or(pairs.all.least),
        });
        let engines = tournament.engines.iter().zip(&pairs.engines);
        let engines = engines.enumerate().map(|(place, (engine, of_engine))| {
            let of_each = |pairs: u64| vec![2 * pairs; tournament.kinds.len()];
            EngineEstimate {
                name: engine.name.clone(),
                limit: tournament.limit_of(engine).to_string(),
                measured: speed(place),
                pairings: of_each(of_engine.most),
                at_least: of_each(least_of_kind.unwrap_or(of_engine.least)),
            }
        });
        let points = tournament.board.riatra().board().size().points() as f64 / 45.0;
        // In a knockout not all engines can reach their maximum.
        let seats: u64 = pairs.engines.iter().map(|of_engine| of_engine.most).sum();
        let share = 2.0 * pairs.all.most as f64 / seats.max(1) as f64;
        let (mut seconds, mut bytes) = (0.0, 0.0);
        for &kind in &tournament.kinds {
            for (games, plies) in assumptions.games(kind, points) {
                let of_one = assumptions.game_bytes + plies * assumptions.ply_bytes;
                bytes += 2.0 * pairs.all.most as f64 * games * of_one;
                let engines = tournament.engines.iter().zip(&pairs.engines);
                for (place, (engine, of_engine)) in engines.enumerate() {
                    let moves = plies / 2.0;
                    let time = match speed(place) {
                        Some(speed) => speed.seconds_per_game + moves * speed.seconds_per_move,
                        None => assumptions.seconds(tournament.limit_of(engine), moves),
                    };
                    seconds += 2.0 * of_engine.most as f64 * share * games * time;
                }
            }
        }
        let concurrency = tournament.concurrency.map_or(cores, |games| games.get().into());
        let begins = schedule.iter().step_by(2).take(SHOWN).map(|pairing| {
            let opening = openings.of_pairing(&pairing);
            let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
            FirstGame {
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
            refused: None,
            pairings: 2 * several * pairs.all.most,
            at_least: 2 * least,
            kinds: kinds.collect(),
            engines: engines.collect(),
            test: tests,
            seconds: seconds / concurrency.min(schedule.len()).max(1) as f64,
            bytes,
            assumptions,
            lines: played
                .map(|kind| OpeningCount { kind: kind.into(), lines: openings.count(kind) })
                .collect(),
            lines_wanted: schedule.rounds(),
            openings: begins.collect(),
        }
    }
}

/// The mean lengths of the SPRT of a match, or of a candidate before any other is accepted; empty in
/// other tournaments.
fn tests(tournament: &Tournament) -> Vec<Remaining> {
    let of_candidate = CandidatesRun::new(tournament)
        .and_then(|run| run.candidates().first().map(|it| *it.run.sprt()));
    let Some(sprt) = tournament.sprt.or(of_candidate) else { return Vec::new() };
    let SprtOptions { elo0, elo1, .. } = *sprt.options();
    [elo0, 0.5 * (elo0 + elo1), elo1].map(|lead| sprt.length(&THIRD_DRAWN, lead)).to_vec()
}

/// A minimum and a maximum.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    least: u64,
    most: u64,
}

/// The number of pairs of games of each kind if no engine is withdrawn.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Pairs {
    all: Span,
    /// The pairs of each engine, in the config's order.
    engines: Vec<Span>,
}

impl Pairs {
    fn new(tournament: &Tournament) -> Pairs {
        let count = tournament.engines.len() as u64;
        let rounds = u64::from(tournament.rounds.get());
        let exactly = |pairs: u64| Span { least: pairs, most: pairs };
        let others = count.saturating_sub(1);
        let (all, of_engine): (Span, Box<dyn Fn(u64) -> Span>) = match tournament.format {
            Format::RoundRobin if tournament.engines.iter().any(|it| !it.only.is_empty()) => {
                let engines = tournament.engines.iter();
                let opponents = |engine: &EngineConfig| {
                    let others = tournament.engines.iter().filter(|it| it.name != engine.name);
                    others.filter(|other| engine.meets(other)).count() as u64
                };
                let opponents: Vec<u64> = engines.map(opponents).collect();
                let all = exactly(opponents.iter().sum::<u64>() / 2 * rounds);
                (all, Box::new(move |place| exactly(opponents[place as usize] * rounds)))
            }
            Format::RoundRobin => {
                (exactly(count * others / 2 * rounds), Box::new(|_| exactly(others * rounds)))
            }
            Format::Gauntlet => (
                exactly(others * rounds),
                Box::new(|place| exactly(if place == 0 { others * rounds } else { rounds })),
            ),
            Format::Match => {
                let least = if tournament.sprt.is_some() { 1 } else { rounds };
                let span = Span { least, most: rounds };
                (span, Box::new(move |_| span))
            }
            Format::Candidates => {
                let base = tournament.centre() as u64;
                let of = move |candidates| Span { least: candidates, most: candidates * rounds };
                (of(others), Box::new(move |place| of(if place == base { others } else { 1 })))
            }
            Format::Race { stages } => {
                let first = if count > 2 { count } else { 1 };
                let batch = tournament.race.map_or(0, |race| race.batch.get().into());
                let most = (first + u64::from(stages.get()) * batch) * rounds;
                let least = 2.min(others) * rounds;
                (Span { least: first * rounds, most }, Box::new(move |_| Span { least, most }))
            }
            Format::Tune { iterations } => {
                let pairs = u64::from(iterations.get()) * rounds;
                (exactly(pairs), Box::new(move |_| exactly(pairs)))
            }
            Format::Swiss { stages } => {
                let stages = u64::from(stages.get());
                // With an odd number of engines one sits out, each about equally often.
                let (odd, of_each) = (count % 2 == 1, stages / count.max(1));
                let most = if odd { stages - of_each } else { stages };
                let more = u64::from(odd && stages % count != 0);
                let span = Span { least: (most - more) * rounds, most: most * rounds };
                (exactly(count / 2 * stages * rounds), Box::new(move |_| span))
            }
            Format::Knockout { tiebreaks } => {
                let stages = knockout_rounds(tournament.engines.len());
                // Every engine but the winner loses one encounter; engines early in the config may
                // have a bye.
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
    /// The games of a pairing, each as a number of games and their plies.
    fn games(&self, kind: Kind, points: f64) -> Vec<(f64, f64)> {
        let (riatra, vela) = (self.riatra_plies * points, self.vela_plies * points);
        match kind {
            Kind::Riatra => vec![(1.0, riatra)],
            Kind::Vela => vec![(1.0, vela)],
            Kind::Session => vec![(self.session_riatras, riatra), (self.session_velas, vela)],
        }
    }

    /// The seconds that a number of moves takes if they use the full limit.
    fn seconds(&self, limit: Limit, moves: f64) -> f64 {
        match limit {
            Limit::MoveTime(time) => moves * time.as_secs_f64(),
            Limit::Clock(clock) => clock.total(moves.round() as u32).as_secs_f64(),
            Limit::Nodes(nodes) => moves * nodes as f64 / self.nodes_per_second,
            Limit::Depth(_) => moves * self.depth_seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineConfig, Format};
    use fanorona_ratings::sprt::Sprt;
    use std::num::NonZeroU32;
    use std::time::Duration;

    fn estimate(change: impl FnOnce(&mut Tournament)) -> WorkEstimate {
        let engines = ["a", "b", "c"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.rounds = NonZeroU32::new(5).unwrap();
        tournament.concurrency = NonZeroU32::new(2);
        tournament.limit = Limit::MoveTime(Duration::from_millis(100));
        change(&mut tournament);
        let openings = Openings::new(&tournament, "").unwrap();
        WorkEstimate::new(&tournament, &openings, 8, &[])
    }

    #[test]
    fn games_are_counted_by_kind_and_engine() {
        let estimate = estimate(|tournament| tournament.format = Format::Gauntlet);
        assert_eq!(estimate.pairings, 2 * 2 * 5 * 2);
        assert_eq!(estimate.kinds.iter().map(|kind| kind.pairings).collect::<Vec<_>>(), [20, 20]);
        let games: Vec<_> = estimate.engines.iter().map(|engine| engine.pairings.clone()).collect();
        assert_eq!(games, [[20, 20], [10, 10], [10, 10]]);
    }

    /// The minimum and maximum number of games in total and per engine.
    fn spans(estimate: &WorkEstimate) -> Vec<(u64, u64)> {
        let all = (estimate.at_least, estimate.pairings);
        let of_engine = |engine: &EngineEstimate| (engine.at_least[0], engine.pairings[0]);
        std::iter::once(all).chain(estimate.engines.iter().map(of_engine)).collect()
    }

    fn of_five(format: Format, change: impl FnOnce(&mut Tournament)) -> WorkEstimate {
        estimate(|tournament| {
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
        // Two encounters per stage with five pairs each; an engine that sits out once plays in two
        // of three.
        let each = (2 * 2 * 5, 3 * 2 * 5);
        assert_eq!(spans(&swiss), [(60, 60), each, each, each, each, each]);
        assert_eq!(swiss.openings.len(), 6);
        assert_eq!((&*swiss.openings[0].first, &*swiss.openings[0].second), ("a", "c"));
        let even = of_five(Format::Swiss { stages }, |tournament| drop(tournament.engines.pop()));
        assert_eq!(spans(&even)[..2], [(60, 60), (30, 30)]);
        // 60 games of 60 plies at 0.1 s each, two at once.
        assert!((even.seconds - 60.0 * 60.0 * 0.1 / 2.0).abs() < 1e-9, "{}", even.seconds);
        assert!((even.seconds - swiss.seconds).abs() < 1e-9);
    }

    #[test]
    fn a_knockout_is_counted_from_the_least_to_the_most() {
        let knockout = of_five(Format::Knockout { tiebreaks: 2 }, |_| {});
        // Four encounters of five pairs, or seven with tiebreaks; three engines begin a stage
        // later.
        let (late, early) = ((10, 2 * 7 * 2), (10, 3 * 7 * 2));
        assert_eq!(spans(&knockout), [(40, 56), late, late, late, early, early]);
        assert_eq!((&*knockout.openings[0].first, &*knockout.openings[0].second), ("d", "e"));
        // All engines have the same limit, so the time does not depend on who plays the most.
        assert!((knockout.seconds - 56.0 * 60.0 * 0.1 / 2.0).abs() < 1e-9);
        let certain = of_five(Format::Knockout { tiebreaks: 0 }, |_| {});
        assert_eq!(spans(&certain)[0], (40, 40));
    }

    #[test]
    fn a_test_may_be_decided_by_its_first_pair() {
        use fanorona_ratings::sprt::{Model, SprtOptions};
        let (elo0, elo1, model) = (0.0, 5.0, Model::Logistic);
        let estimate = estimate(|tournament| {
            tournament.format = Format::Match;
            tournament.engines.pop();
            let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
            tournament.sprt = Some(Sprt::new(options).unwrap());
        });
        assert_eq!((estimate.at_least, estimate.pairings), (2, 20));
    }

    #[test]
    fn every_candidate_may_be_decided_by_its_first_pair() {
        use crate::config::CandidateRules;
        use fanorona_ratings::sprt::{Model, SprtOptions};
        let (elo0, elo1, model) = (0.0, 5.0, Model::Logistic);
        let test = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let candidates = of_five(Format::Candidates, |tournament| {
            tournament.candidates = Some(CandidateRules { base: "b".to_owned(), test });
        });
        let one = (2, 10);
        assert_eq!(spans(&candidates), [(8, 40), one, (8, 40), one, one, one]);
        // A quarter of the error for each: longer than a test with all of it.
        let sprt = Sprt::new(test).unwrap();
        let [at_elo0, ..] = &candidates.test[..] else { panic!("{candidates:?}") };
        assert!(at_elo0.pairs > sprt.length(&THIRD_DRAWN, elo0).pairs, "{at_elo0:?}");
    }

    #[test]
    fn time_follows_from_limits_and_games_at_once() {
        // Three pairings, two sides, five rounds; 40 and 60 plies of 0.1 s; two at once.
        let expected = 3.0 * 2.0 * 5.0 * (40.0 + 60.0) * 0.1 / 2.0;
        assert!((estimate(|_| {}).seconds - expected).abs() < 1e-9);
        let alone = estimate(|tournament| tournament.concurrency = NonZeroU32::new(1));
        assert!((alone.seconds - 2.0 * expected).abs() < 1e-9);
        let on_all_cores = estimate(|tournament| tournament.concurrency = None);
        assert_eq!(on_all_cores.concurrency, 8);
        let small = estimate(|tournament| tournament.board = "3x3".parse().unwrap());
        assert!((small.seconds - expected / 5.0).abs() < 1e-9);
        let clock = estimate(|tournament| tournament.limit = "10s+1s".parse().unwrap());
        let expected = 3.0 * 2.0 * 5.0 * (2.0 * 2.0 * 10.0 + 40.0 + 60.0) / 2.0;
        assert!((clock.seconds - expected).abs() < 1e-9);
    }

    #[test]
    fn a_measured_engine_takes_its_time() {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "x")).to_vec();
        let mut tournament = Tournament::new("t", "", engines);
        (tournament.format, tournament.kinds) = (Format::Match, vec![Kind::Riatra]);
        tournament.rounds = NonZeroU32::new(5).unwrap();
        tournament.concurrency = NonZeroU32::new(1);
        tournament.limit = Limit::Nodes(1_000_000);
        let openings = Openings::new(&tournament, "").unwrap();
        let seconds =
            |speeds: &[Option<Speed>]| WorkEstimate::new(&tournament, &openings, 8, speeds).seconds;
        // Ten games of 40 plies; by default half a million nodes a second.
        assert!((seconds(&[]) - 10.0 * 40.0 * 2.0).abs() < 1e-9);
        let slow = Speed { seconds_per_game: 3.0, seconds_per_move: 7.0 };
        let expected = 10.0 * (20.0 * 2.0 + 3.0 + 20.0 * 7.0);
        assert!((seconds(&[None, Some(slow)]) - expected).abs() < 1e-9);
    }

    #[test]
    fn the_first_games_of_pairs_are_shown() {
        let estimate = estimate(|_| {});
        let games: Vec<u64> = estimate.openings.iter().map(|begin| begin.game).collect();
        assert_eq!(games, [1, 3, 5, 7, 9, 11]);
        assert!(estimate.openings.iter().all(|begin| begin.moves.split(' ').count() == 4));
        assert_eq!(estimate.openings[3].kind, Kind::Vela);
    }
}
