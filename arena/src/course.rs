//! The course of a tournament along its schedule: which pairings are finished, who has been
//! withdrawn, and whether a test has ended the match.
//!
//! What is decided on the way is decided in schedule order, on the pairings from the first on that
//! are all finished, whatever else has been played by then. So it is the same however many games
//! are played at once, and in whichever order they end.

use fanorona_protocol::rules::{Player, Session, Side};

use crate::config::Tournament;
use crate::ending::{Fault, GameResult};
use crate::kind::Kind;
use crate::ratings::Score;
use crate::record::{Index, Summary};
use crate::schedule::{EngineId, GameId, Pairing, PairingId, Schedule, Shard};
use crate::sequential::Sequential;
use crate::sprt::Decision;

/// How many faults in a row are one engine's last.
const MOST_FAULTS: usize = 3;

/// An engine that is out of the tournament: no pairing after that of its last fault counts in which
/// it takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Withdrawal {
    /// Which one.
    pub engine: EngineId,
    /// The games it lost by a fault, with nothing else of its own between them.
    pub faults: [(GameId, Fault); MOST_FAULTS],
}

impl Withdrawal {
    /// The game it has been withdrawn after.
    pub fn after(&self) -> GameId {
        self.faults[MOST_FAULTS - 1].0
    }
}

/// What has been decided so far.
#[derive(Clone, Debug)]
pub struct Course {
    schedule: Schedule,
    /// How many pairings from the first on are finished, or not to be played.
    decided: u64,
    /// For every engine, the faults it has committed in a row.
    rows: Vec<Vec<(GameId, Fault)>>,
    withdrawals: Vec<Withdrawal>,
    test: Option<Sequential>,
    /// The pairing after which the test was decided.
    last: Option<PairingId>,
}

impl Course {
    /// The course of a tournament, or of a part of it, before its first game.
    pub fn new(tournament: &Tournament, shard: Shard) -> Course {
        Course {
            schedule: Schedule::new(tournament).part(shard),
            decided: 0,
            rows: vec![Vec::new(); tournament.engines.len()],
            withdrawals: Vec::new(),
            test: tournament.sprt.map(Sequential::new),
            last: None,
        }
    }

    /// What there is to play.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Goes on as far as pairings are finished. In a part of a tournament nothing is decided: only
    /// the whole can say what comes before what.
    pub fn advance(&mut self, tournament: &Tournament, index: &Index) {
        if !self.schedule.is_whole() {
            return;
        }
        while let Some(pairing) = self.schedule.pairing(self.decided).filter(|_| !self.is_stopped())
        {
            if !self.skips(&pairing) {
                let games = index.of(pairing.id);
                if !is_finished(tournament, &pairing, games) {
                    break;
                }
                games.iter().for_each(|game| self.judge(game));
                self.weigh(&pairing, score(tournament, &pairing, games));
            }
            self.decided += 1;
        }
    }

    /// Who has been withdrawn, in the order it was decided.
    pub fn withdrawals(&self) -> &[Withdrawal] {
        &self.withdrawals
    }

    /// The test that may end the match, if there is one.
    pub fn test(&self) -> Option<&Sequential> {
        self.test.as_ref()
    }

    /// Whether the test has ended the match: no pairing after that which decided it counts.
    pub fn is_stopped(&self) -> bool {
        self.last.is_some()
    }

    /// Whether a pairing is not to be played.
    pub fn skips(&self, pairing: &Pairing) -> bool {
        self.is_beyond(pairing.id, [pairing.first, pairing.second])
    }

    /// Whether a finished game is one of the tournament's.
    pub fn counts(&self, game: &Summary) -> bool {
        !self.is_beyond(game.id().pairing, [Side::White, Side::Black].map(|side| game.player(side)))
    }

    /// How many pairings some games finish.
    pub fn finished(&self, tournament: &Tournament, index: &Index) -> u64 {
        let pairings = index.games().chunk_by(|a, b| a.id().pairing == b.id().pairing);
        let finished = |games: &&[Summary]| {
            let pairing = self.schedule.get(games[0].id().pairing);
            pairing.is_some_and(|pairing| is_finished(tournament, &pairing, games))
        };
        pairings.filter(finished).count() as u64
    }

    /// How many pairings are still to be played.
    pub fn missing(&self, tournament: &Tournament, index: &Index) -> u64 {
        let missing = |pairing: &Pairing| {
            !self.skips(pairing) && !is_finished(tournament, pairing, index.of(pairing.id))
        };
        match self.is_stopped() {
            true => 0,
            false => self.schedule.iter().filter(missing).count() as u64,
        }
    }

    fn is_beyond(&self, pairing: PairingId, players: [EngineId; 2]) -> bool {
        self.last.is_some_and(|last| last < pairing)
            || self.withdrawals.iter().any(|withdrawal| {
                players.contains(&withdrawal.engine) && withdrawal.after().pairing < pairing
            })
    }

    fn judge(&mut self, game: &Summary) {
        // A game that counts for nobody says nothing of anybody.
        if game.result == GameResult::Void {
            return;
        }
        for engine in [Side::White, Side::Black].map(|side| game.player(side)) {
            // One that the config no longer names takes part in nothing that is to come.
            let Some(row) = self.rows.get_mut(engine.0).filter(|row| row.len() < MOST_FAULTS)
            else {
                continue;
            };
            match game.offender() {
                Some((offender, fault)) if offender == engine => row.push((game.id(), fault)),
                _ => row.clear(),
            }
            if let Ok(faults) = row[..].try_into() {
                self.withdrawals.push(Withdrawal { engine, faults });
            }
        }
    }

    /// Puts what the first engine of a pairing got on the scales of the test.
    fn weigh(&mut self, pairing: &Pairing, score: Option<Score>) {
        let Some(test) = &mut self.test else { return };
        let of_first = pairing.first < pairing.second;
        let score = score.map(|score| if of_first { score } else { score.of_opponent() });
        if test.add(pairing.pair, score) && test.decision() != Decision::Continue {
            self.last = Some(pairing.id);
        }
    }
}

/// Whether a pairing has no game left to play.
pub fn is_finished(tournament: &Tournament, pairing: &Pairing, games: &[Summary]) -> bool {
    match pairing.kind {
        Kind::Riatra | Kind::Vela => !games.is_empty(),
        Kind::Session => session_of(tournament, games.iter().map(|game| game.result))
            .is_none_or(|session| session.is_over()),
    }
}

/// What the first engine of a finished pairing got; `None` where it was void, or between others.
fn score(tournament: &Tournament, pairing: &Pairing, games: &[Summary]) -> Option<Score> {
    let winner = match pairing.kind {
        Kind::Riatra | Kind::Vela => {
            let game = games.first()?;
            match game.result {
                GameResult::Won(side) => Some(game.player(side)),
                GameResult::Drawn => None,
                GameResult::Void => return None,
            }
        }
        Kind::Session => {
            let session = session_of(tournament, games.iter().map(|game| game.result))?;
            session.winner().map(|winner| player(pairing, winner))
        }
    };
    match winner {
        None => Some(Score::Draw),
        Some(winner) if winner == pairing.first => Some(Score::Win),
        Some(winner) if winner == pairing.second => Some(Score::Loss),
        Some(_) => None,
    }
}

/// A session as far as its games have brought it; `None` once a game of it is void, which ends it
/// without a result.
pub fn session_of(
    tournament: &Tournament,
    results: impl IntoIterator<Item = GameResult>,
) -> Option<Session> {
    let mut session = Session::new(tournament.session, tournament.rules.vela_starter);
    for result in results {
        let next = session.next()?;
        session.record(match result {
            GameResult::Won(side) => Some(next.player(side)),
            GameResult::Drawn => None,
            GameResult::Void => return None,
        });
    }
    Some(session)
}

/// The engine that is a player of a session.
pub fn player(pairing: &Pairing, player: Player) -> EngineId {
    match player {
        Player::First => pairing.first,
        Player::Second => pairing.second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineConfig, Format};
    use crate::ratings::Pentanomial;
    use crate::record::{GameRecord, tests::game};
    use crate::sprt::{Model, Sprt, SprtOptions};
    use std::num::NonZeroU32;

    /// A match of `a` and `b`, or a round-robin of more, one round of each kind a round.
    fn tournament(engines: &str, kinds: &[Kind], rounds: u32) -> Tournament {
        let engines: Vec<_> = engines.chars().map(|name| EngineConfig::new(name, "x")).collect();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.format = Format::RoundRobin;
        tournament.kinds = kinds.to_vec();
        tournament.rounds = NonZeroU32::new(rounds).unwrap();
        tournament
    }

    /// The whole course of a tournament, as far as some games have come.
    fn course(tournament: &Tournament, index: &Index) -> Course {
        let mut course = Course::new(tournament, Shard::WHOLE);
        course.advance(tournament, index);
        course
    }

    /// A game as text: `id white black` and `=` for a draw, `*` for none, who was at fault, or who
    /// has won, like `+a`.
    fn finished_game(line: &str) -> GameRecord {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [id, white, black, end] = words[..] else { panic!("{line}") };
        let (result, reason, offender) = match end {
            "=" => ("1/2-1/2", "quiet", None),
            "*" => ("*", "void", None),
            name if name.strip_prefix('+') == Some(white) => ("1-0", "no-stones", None),
            name if name.starts_with('+') => ("0-1", "no-stones", None),
            name if name == white => ("0-1", "crash", Some('w')),
            _ => ("1-0", "time", Some('b')),
        };
        GameRecord {
            white: white.into(),
            black: black.into(),
            result: result.parse().unwrap(),
            reason: reason.parse().unwrap(),
            offender,
            ..game(id)
        }
    }

    fn index(engines: &str, games: &[&str]) -> Index {
        let names: Vec<String> = engines.chars().map(String::from).collect();
        let mut index = Index::new(names.iter().map(String::as_str));
        games.iter().for_each(|line| index.add(&finished_game(line), 0));
        index
    }

    /// Who is withdrawn after which game, and how many pairings are decided.
    fn decided(engines: &str, kinds: &[Kind], rounds: u32, games: &[&str]) -> (String, u64) {
        let tournament = tournament(engines, kinds, rounds);
        let course = course(&tournament, &index(engines, games));
        let name = |withdrawal: &Withdrawal| {
            format!("{}@{}", tournament.engines[withdrawal.engine.0].name, withdrawal.after())
        };
        let withdrawn: Vec<_> = course.withdrawals().iter().map(name).collect();
        (withdrawn.join(" "), course.decided)
    }

    const RIATRA: [Kind; 1] = [Kind::Riatra];

    #[test]
    fn three_faults_in_a_row_are_the_last() {
        let games = ["1 a b a", "2 b a a", "3 a b a", "4 b a b"];
        assert_eq!(decided("ab", &RIATRA, 3, &games[..2]), (String::new(), 2));
        // Whatever follows in which it takes part is not to be played.
        assert_eq!(decided("ab", &RIATRA, 3, &games[..3]), ("a@3".into(), 6));
        assert_eq!(decided("ab", &RIATRA, 3, &games), ("a@3".into(), 6));
    }

    #[test]
    fn any_game_without_a_fault_breaks_the_row_and_a_void_one_does_not() {
        let broken = ["1 a b a", "2 b a a", "3 a b =", "4 b a a", "5 a b a"];
        assert_eq!(decided("ab", &RIATRA, 3, &broken), (String::new(), 5));
        let opponent = ["1 a b a", "2 b a a", "3 a b b", "4 b a a", "5 a b a"];
        assert_eq!(decided("ab", &RIATRA, 3, &opponent), (String::new(), 5));
        let void = ["1 a b a", "2 b a a", "3 a b *", "4 b a *", "5 a b a"];
        assert_eq!(decided("ab", &RIATRA, 3, &void), ("a@5".into(), 6));
    }

    #[test]
    fn the_row_goes_on_across_kinds() {
        let games = ["1 a b a", "2 b a a", "3 a b a"];
        let kinds = [Kind::Riatra, Kind::Vela];
        assert_eq!(decided("ab", &kinds, 1, &games), ("a@3".into(), 4));
    }

    #[test]
    fn only_what_comes_before_all_that_is_missing_decides() {
        // Of three engines in one round: b-c, c-b, a-c, c-a, a-b, b-a.
        let games = ["1 b c =", "2 c b =", "3 a c a", "4 c a a", "5 a b a", "6 b a ="];
        let without = |missing: usize| {
            let mut games = games.to_vec();
            games.remove(missing - 1);
            decided("abc", &RIATRA, 1, &games)
        };
        assert_eq!(decided("abc", &RIATRA, 1, &games), ("a@5".into(), 6));
        // Its own three games are in, yet the first pairing is not.
        assert_eq!(without(1), (String::new(), 0));
        assert_eq!(without(3), (String::new(), 2));
        // What is beyond the end is not waited for.
        assert_eq!(without(6), ("a@5".into(), 6));
    }

    #[test]
    fn both_may_be_withdrawn_and_others_go_on() {
        let games = [
            "1 b c c", "2 c b c", "3 a c c", "4 c a =", "5 a b =", "6 b a =", "7 b c =", "9 a c a",
            "11 a b a", "12 b a a",
        ];
        let tournament = tournament("abc", &RIATRA, 3);
        let index = index("abc", &games);
        let course = course(&tournament, &index);
        let [out] = course.withdrawals() else { panic!("{course:?}") };
        let faults = out.faults.map(|(id, fault)| format!("{id} {}", fault.word()));
        assert_eq!(faults, ["1 time", "2 crash", "3 time"]);
        // What was played beyond that is none of the tournament's, and is no fault of a's either.
        let counting = index.games().iter().filter(|game| course.counts(game));
        let counting: Vec<_> = counting.map(|game| game.id().to_string()).collect();
        assert_eq!(counting, ["1", "2", "3", "5", "6", "11", "12"]);
        // In the third round 17 is waited for; the pairings of c before it are passed over.
        assert_eq!(course.decided, 16);
        assert!(course.skips(&course.schedule().pairing(12).unwrap()));
        assert!(!course.skips(&course.schedule().pairing(16).unwrap()));
        assert_eq!(course.finished(&tournament, &index), 10);
        assert_eq!(course.missing(&tournament, &index), 2);
    }

    #[test]
    fn in_a_part_nothing_is_decided() {
        let tournament = tournament("ab", &RIATRA, 4);
        let index = index("ab", &["1 a b a", "2 b a a", "5 a b a", "6 b a a"]);
        let mut course = Course::new(&tournament, "1/2".parse().unwrap());
        course.advance(&tournament, &index);
        assert_eq!(course.withdrawals(), []);
        assert_eq!(course.finished(&tournament, &index), 4);
        assert_eq!(course.missing(&tournament, &index), 0);
    }

    #[test]
    fn going_on_step_by_step_is_going_on_at_once() {
        let games = ["1 b c =", "2 c b =", "3 a c a", "4 c a a", "5 a b a", "6 b a =", "7 b c c"];
        let tournament = tournament("abc", &RIATRA, 2);
        let at_once = course(&tournament, &index("abc", &games));
        // They end in another order.
        let order = [3, 0, 6, 4, 2, 1, 5];
        let mut course = Course::new(&tournament, Shard::WHOLE);
        for count in 0..=order.len() {
            let so_far: Vec<_> = order[..count].iter().map(|&place| games[place]).collect();
            course.advance(&tournament, &index("abc", &so_far));
        }
        assert_eq!(course.withdrawals(), at_once.withdrawals());
        assert_eq!((course.decided, &course.rows), (at_once.decided, &at_once.rows));
    }

    #[test]
    fn a_session_is_finished_before_it_decides() {
        let mut tournament = tournament("ab", &[Kind::Session], 1);
        // Whoever loses the riatra owes a vela, and has licked the lakabe after three.
        tournament.session.vela_attempts = 3;
        let withdrawn = |games: &[&str]| {
            let course = course(&tournament, &index("ab", games));
            course.withdrawals().iter().map(|w| w.after().to_string()).collect::<Vec<_>>()
        };
        let games = ["1.1 a b a", "1.2 a b a", "1.3 a b a", "1.4 a b a"];
        assert_eq!(withdrawn(&games[..3]), [""; 0]);
        assert_eq!(withdrawn(&games), ["1.3"]);
        // A void game ends it, and the faults before it stand.
        assert_eq!(withdrawn(&["1.1 a b a", "1.2 a b a", "1.3 a b a", "1.4 a b *"]), ["1.3"]);
    }

    /// A match of `a` and `b` under a test; against a lead of 400 Elo two pairs won decide it.
    fn tested(kinds: &[Kind], rounds: u32, elo1: f64) -> Tournament {
        let options =
            SprtOptions { elo0: 0.0, elo1, alpha: 0.25, beta: 0.25, model: Model::Logistic };
        let mut tournament = tournament("ab", kinds, rounds);
        tournament.format = Format::Match;
        tournament.sprt = Some(Sprt::new(options).unwrap());
        tournament
    }

    #[test]
    fn a_test_ends_the_match_after_the_pair_that_decides_it() {
        let tournament = tested(&[Kind::Riatra, Kind::Vela], 3, 400.0);
        let games = ["1 a b +a", "2 b a +a", "3 a b +a", "4 b a +a", "5 a b +b", "6 b a +b"];
        let whole = index("ab", &games);
        let course = course(&tournament, &whole);
        let state = course.test().unwrap().state();
        assert_eq!((state.decision, state.pairs), (Decision::AcceptH1, 2));
        assert!(course.is_stopped());
        // What has been played beyond is none of the match's.
        let counting: Vec<_> = whole.games().iter().map(|game| course.counts(game)).collect();
        assert_eq!(counting, [true, true, true, true, false, false]);
        assert!(course.skips(&course.schedule().pairing(4).unwrap()));
        assert_eq!(course.missing(&tournament, &whole), 0);
    }

    #[test]
    fn a_test_looks_at_no_pair_before_those_missing_ahead_of_it() {
        let tournament = tested(&RIATRA, 4, 100.0);
        let games = ["1 a b +a", "2 b a =", "3 a b +b", "4 b a +a", "5 a b +a", "6 b a +a"];
        let at_once = course(&tournament, &index("ab", &games));
        let mut course = Course::new(&tournament, Shard::WHOLE);
        let pairs = |course: &Course| course.test().unwrap().state().pairs;
        for (finished, expected) in [(&[5, 4][..], 0), (&[5, 4, 0, 2], 0), (&[5, 4, 0, 2, 1], 1)] {
            let so_far: Vec<_> = finished.iter().map(|&place| games[place]).collect();
            course.advance(&tournament, &index("ab", &so_far));
            assert_eq!(pairs(&course), expected);
        }
        course.advance(&tournament, &index("ab", &games));
        assert_eq!(course.test(), at_once.test());
        assert_eq!((pairs(&course), course.is_stopped()), (3, false));
        assert_eq!(course.missing(&tournament, &index("ab", &games)), 2);
    }

    #[test]
    fn sessions_are_trials_by_their_results() {
        let mut tournament = tested(&[Kind::Session], 1, 400.0);
        tournament.session.vela_attempts = 1;
        let pairs = |games: &[&str]| {
            let course = course(&tournament, &index("ab", games));
            course.test().unwrap().state().pentanomial
        };
        // Whoever loses the riatra loses the vela, and with it the session.
        let games = ["1.1 a b +b", "1.2 a b +b", "2.1 b a +b", "2.2 a b +b"];
        assert_eq!(pairs(&games[..3]), Pentanomial::default());
        assert_eq!(pairs(&games), Pentanomial { ll: 1, ..Default::default() });
        let void = ["1.1 a b *", "2.1 b a +b", "2.2 a b +b"];
        assert_eq!(pairs(&void), Pentanomial::default());
    }
}
