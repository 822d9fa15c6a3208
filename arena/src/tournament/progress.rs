//! The course of a tournament along its schedule: which pairings are finished, who has been
//! withdrawn, who meets in the stages to come, and whether a test has ended the match.
//!
//! What is decided on the way is decided in schedule order, on the pairings from the first on that
//! are all finished, whatever else has been played by then. So it is the same however many games
//! are played at once, and in whichever order they end.

use fanorona_protocol::rules::{Player, Session, Side};

use super::sprt_run::Sequential;
use crate::config::Tournament;
use crate::engine::fault::Fault;
use crate::game::termination::GameResult;
use crate::pairing::ids::{EngineId, GameId, Pairing, PairingId};
use crate::pairing::schedule::Schedule;
use crate::pairing::shard::Shard;
use crate::pairing::stages::Stages;
use crate::ratings::Score;
use crate::ratings::kind::Kind;
use crate::ratings::sprt::Decision;
use crate::record::{Fingerprint, Header, Index, Summary};

/// How many faults in a row are one engine's last.
const MOST_FAULTS: usize = 3;

/// An engine that is out of the tournament: no pairing after that of its last fault counts in which
/// it takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Withdrawal {
    /// Which one.
    pub engine: EngineId,
    /// Why.
    pub why: WithdrawalReason,
}

/// Why an engine is out of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WithdrawalReason {
    /// The games it was at fault in, with nothing else of its own between them.
    Faults([(GameId, Fault); MOST_FAULTS]),
    /// It did not start before the first game, for this reason, and the others play without it.
    Broken(String),
}

impl Withdrawal {
    /// The game it has been withdrawn after; `None` where that is before the first.
    pub fn after(&self) -> Option<GameId> {
        match &self.why {
            WithdrawalReason::Faults(faults) => Some(faults[MOST_FAULTS - 1].0),
            WithdrawalReason::Broken(_) => None,
        }
    }
}

/// What has been decided so far.
#[derive(Clone, Debug)]
pub struct Progress {
    schedule: Schedule,
    /// How many pairings from the first on are finished, or not to be played.
    decided: u64,
    /// For every engine, the faults it has committed in a row.
    rows: Vec<Vec<(GameId, Fault)>>,
    withdrawals: Vec<Withdrawal>,
    stages: Option<Stages>,
    test: Option<Sequential>,
    /// The pairing after which the test was decided.
    last: Option<PairingId>,
    /// How many pairings were decided when the present stage was drawn.
    drawn_after: u64,
}

impl Progress {
    /// The course of a tournament, or of a part of it, before its first game.
    pub fn new(tournament: &Tournament, shard: Shard) -> Progress {
        Progress {
            schedule: Schedule::new(tournament).part(shard),
            decided: 0,
            rows: vec![Vec::new(); tournament.engines.len()],
            withdrawals: Vec::new(),
            stages: Stages::new(tournament),
            test: tournament.sprt.map(Sequential::new),
            last: None,
            drawn_after: 0,
        }
    }

    /// The same for the tournament a journal says it is of: a part of it, perhaps, and without the
    /// engines that did not start before its first game.
    pub fn of_journal(tournament: &Tournament, header: &Header) -> Progress {
        let course = Progress::new(tournament, header.shard);
        let broken = header.broken.iter().filter_map(|broken| {
            let place = tournament.names().position(|name| name == broken.engine)?;
            Some((EngineId(place), broken.why.clone()))
        });
        course.without(broken)
    }

    /// The same without engines that did not start, each with the reason.
    fn without(mut self, broken: impl IntoIterator<Item = (EngineId, String)>) -> Progress {
        let withdrawal = |(engine, why)| Withdrawal { engine, why: WithdrawalReason::Broken(why) };
        self.withdrawals.extend(broken.into_iter().map(withdrawal));
        self
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
        loop {
            while self.decided < self.schedule.drawn() && !self.is_stopped() {
                if let Some(pairing) = self.schedule.pairing(self.decided)
                    && !self.decide(tournament, &pairing, index.of(pairing.id))
                {
                    return;
                }
                self.decided += 1;
            }
            // What was drawn is decided: it says what is drawn next.
            let out: Vec<EngineId> = self.withdrawals.iter().map(|it| it.engine).collect();
            match self.stages.as_mut().and_then(|stages| stages.draw(&out)) {
                Some(draw) => {
                    self.drawn_after = self.decided;
                    self.schedule.draw(draw);
                }
                None => return,
            }
        }
    }

    /// Takes in the next pairing; `false` where it is not finished.
    fn decide(&mut self, tournament: &Tournament, pairing: &Pairing, games: &[Summary]) -> bool {
        if self.skips(pairing) {
            self.forfeit(pairing);
            return true;
        }
        if !is_finished(tournament, pairing, games) {
            return false;
        }
        games.iter().for_each(|game| self.judge(game));
        let score = score(tournament, pairing, games);
        self.weigh(pairing, score, fingerprint(games));
        if let Some(stages) = &mut self.stages {
            stages.add(pairing, score);
        }
        true
    }

    /// Who has been withdrawn, in the order it was decided.
    pub fn withdrawals(&self) -> &[Withdrawal] {
        &self.withdrawals
    }

    /// The stages of the tournament, if it has any.
    pub fn stages(&self) -> Option<&Stages> {
        self.stages.as_ref()
    }

    /// Whether nothing is left to be decided.
    pub fn is_over(&self) -> bool {
        self.is_stopped() || self.decided == self.schedule.len()
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

    /// The last pairing on which something that has been decided rests: a test, a withdrawal, or who
    /// meets in a stage that has been drawn. What happened up to there is not played again.
    pub fn rests_on(&self) -> Option<PairingId> {
        let withdrawn = self.withdrawals.iter().filter_map(|it| Some(it.after()?.pairing));
        // Some places of the schedule have no pairing.
        let drawn = (0..self.drawn_after).rev().find_map(|place| self.schedule.pairing(place));
        withdrawn.chain(self.last).chain(drawn.map(|pairing| pairing.id)).max()
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

    /// How many pairings are still to be played, in formats with stages of those drawn.
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
                let is_over = withdrawal.after().is_none_or(|after| after.pairing < pairing);
                players.contains(&withdrawal.engine) && is_over
            })
    }

    fn judge(&mut self, game: &Summary) {
        for side in Side::BOTH {
            let engine = game.player(side);
            // One that the config no longer names takes part in nothing that is to come.
            let Some(row) = self.rows.get_mut(engine.0).filter(|row| row.len() < MOST_FAULTS)
            else {
                continue;
            };
            match game.fault_of(side) {
                Some(fault) => row.push((game.id(), fault)),
                // An opponent's fault, or one of the arena's, says nothing of this engine: it may
                // never have been asked for a move.
                None if game.fault.is_some() || game.result == GameResult::Void => {}
                None => row.clear(),
            }
            if let Ok(faults) = row[..].try_into() {
                self.withdrawals.push(Withdrawal { engine, why: WithdrawalReason::Faults(faults) });
            }
        }
    }

    /// Gives a pairing that is not played to whoever of the two is still there.
    fn forfeit(&mut self, pairing: &Pairing) {
        let Some(stages) = &mut self.stages else { return };
        let out = |engine| self.withdrawals.iter().any(|it| it.engine == engine);
        let score = match (out(pairing.first), out(pairing.second)) {
            (false, true) => Some(Score::Win),
            (true, false) => Some(Score::Loss),
            _ => None,
        };
        stages.add(pairing, score);
    }

    /// Adds a pairing's score, from the first engine's view, to the test.
    fn weigh(&mut self, pairing: &Pairing, score: Option<Score>, game: Option<Fingerprint>) {
        let Some(test) = &mut self.test else { return };
        let of_first = pairing.first < pairing.second;
        let score = score.map(|score| if of_first { score } else { score.of_opponent() });
        if test.add(pairing.pair, score, game) && test.decision() != Decision::Continue {
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

/// What tells a game or a session from others; `None` where that of one of its games is not known.
fn fingerprint(games: &[Summary]) -> Option<Fingerprint> {
    let mut games = games.iter().map(|game| game.fingerprint);
    let first = games.next()??;
    games.try_fold(first, |session, game| Some(session.followed_by(game?)))
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
        let next = session.next_game()?;
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
mod tests;
