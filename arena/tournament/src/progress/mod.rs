//! The progress of a tournament along its schedule: which pairings are finished, which engines are
//! withdrawn, the pairings of later stages, the values of a tuning, which candidates are decided, and
//! whether an SPRT has ended the match.
//!
//! Decisions are made in schedule order, based on the leading pairings that are all finished, no
//! matter what else has been played. The decisions therefore do not depend on the number of
//! concurrent games or the order in which they end.

pub mod candidates_run;
pub mod estimate;
pub mod extent;
pub mod race_run;
pub mod sprt_run;
mod withdrawals;

pub use withdrawals::{Withdrawal, WithdrawalReason};

use fanorona_protocol::rules::{Player, Session, Side};

use crate::config::Tournament;
use crate::game::termination::GameResult;
use crate::pairing::ids::{EngineId, Pairing, PairingId};
use crate::pairing::schedule::Schedule;
use crate::pairing::shard::Shard;
use crate::pairing::stages::Stages;
use crate::progress::candidates_run::CandidatesRun;
use crate::progress::race_run::{RaceRun, RaceState};
use crate::progress::sprt_run::SprtRun;
use crate::progress::withdrawals::Withdrawals;
use crate::record::{Fingerprint, Header, Index, Summary};
use crate::tuning::TuningRun;
use fanorona_ratings::Score;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::Decision;

/// The decisions so far.
#[derive(Clone, Debug)]
pub struct Progress {
    schedule: Schedule,
    /// The number of leading pairings that are finished or skipped.
    decided: u64,
    withdrawals: Withdrawals,
    stages: Option<Stages>,
    test: Option<SprtRun>,
    candidates: Option<CandidatesRun>,
    tuning: Option<TuningRun>,
    race: Option<RaceRun>,
    /// The pairing that decided the SPRT, or the last candidate.
    last: Option<PairingId>,
    /// The number of decided pairings when the current stage was drawn.
    drawn_after: u64,
}

impl Progress {
    /// The progress of a tournament, or of a shard of it, before its first game.
    pub fn new(tournament: &Tournament, shard: Shard) -> Progress {
        Progress {
            schedule: Schedule::new(tournament).part(shard),
            decided: 0,
            withdrawals: Withdrawals::none(tournament.engines.len()),
            stages: Stages::new(tournament),
            test: tournament.sprt.map(SprtRun::new),
            candidates: CandidatesRun::new(tournament),
            tuning: TuningRun::new(tournament),
            race: RaceRun::new(tournament),
            last: None,
            drawn_after: 0,
        }
    }

    /// The progress before the first game, as a journal's header describes the tournament: possibly
    /// a shard, and without the engines that did not start.
    pub fn from_journal(tournament: &Tournament, header: &Header) -> Progress {
        let mut progress = Progress::new(tournament, header.shard);
        for broken in &header.broken {
            if let Some(place) = tournament.names().position(|name| name == broken.engine) {
                progress.withdrawals.add_broken(EngineId(place), broken.why.clone());
            }
        }
        progress
    }

    /// The schedule.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Processes pairings as far as they are finished. A shard decides nothing: decisions need all
    /// pairings in order.
    pub fn advance(&mut self, tournament: &Tournament, index: &Index) {
        if !self.schedule.is_whole() {
            return;
        }
        loop {
            while self.decided < self.schedule.drawn() && !self.is_stopped() {
                if let Some(pairing) = self.schedule.pairing(self.decided)
                    && !self.decide(tournament, &pairing, index)
                {
                    return;
                }
                self.decided += 1;
            }
            if self.decided < self.schedule.drawn() {
                return;
            }
            // The results of the drawn stages decide the next one.
            let out = self.withdrawals.engines();
            let draw = match &mut self.tuning {
                // An engine cannot play against itself without itself.
                Some(_) if !out.is_empty() => None,
                Some(tuning) => tuning.advance().then(|| vec![Some((EngineId(0), EngineId(1)))]),
                None => match (&mut self.race, self.schedule.places()) {
                    (Some(race), Some(places)) => race.draw(places, &out),
                    (Some(_), None) => None,
                    (None, _) => self.stages.as_mut().and_then(|stages| stages.draw(&out)),
                },
            };
            match draw {
                Some(draw) => {
                    self.drawn_after = self.decided;
                    self.schedule.draw(draw);
                }
                None => return,
            }
        }
    }

    /// Processes the next pairing; returns `false` if it is not finished.
    fn decide(&mut self, tournament: &Tournament, pairing: &Pairing, index: &Index) -> bool {
        let games = index.of(pairing.id);
        if self.skips(pairing) {
            self.forfeit(pairing);
            return true;
        }
        if !is_finished(tournament, pairing, games) {
            return false;
        }
        for game in games {
            self.withdrawals.judge(game, index.is_doubted(game.id()));
        }
        let score = score(tournament, pairing, games);
        let game = fingerprint(games);
        self.weigh(pairing, score, game);
        let out = self.withdrawals.engines();
        if let Some(candidates) = &mut self.candidates {
            candidates.add(pairing, score, game);
            self.last = candidates.is_over(&out).then_some(pairing.id);
        }
        if let Some(race) = &mut self.race {
            race.add(pairing, score, game);
        }
        if let Some(stages) = &mut self.stages {
            stages.add(pairing, score);
        }
        if let Some(tuning) = &mut self.tuning {
            let of_plus = pairing.first < pairing.second;
            tuning.add(score.map(|score| if of_plus { score } else { score.of_opponent() }));
        }
        true
    }

    /// The withdrawn engines, in the order of the decisions.
    pub fn withdrawals(&self) -> &[Withdrawal] {
        self.withdrawals.list()
    }

    /// The stages, if the format has any.
    pub fn stages(&self) -> Option<&Stages> {
        self.stages.as_ref()
    }

    /// Whether nothing is left to decide.
    pub fn is_over(&self) -> bool {
        self.race.as_ref().is_some_and(RaceRun::is_decided)
            || self.is_stopped()
            || self.decided == self.schedule.len()
    }

    /// The SPRT, if the match has one.
    pub fn test(&self) -> Option<&SprtRun> {
        self.test.as_ref()
    }

    /// The tests of the candidates, if the tournament has any.
    pub fn candidates(&self) -> Option<&CandidatesRun> {
        self.candidates.as_ref()
    }

    /// The tuning, if the tournament is one.
    pub fn tuning(&self) -> Option<&TuningRun> {
        self.tuning.as_ref()
    }

    /// Returns the state of a race; `None` for other tournaments, and before its first games.
    pub fn race(&self) -> Option<RaceState> {
        let out = self.withdrawals.engines();
        self.race.as_ref()?.state(&out)
    }

    /// The options of the engines in the pairings drawn last, by [`EngineId`], besides those of the
    /// config; empty unless the tournament is a tuning.
    pub fn options(&self) -> Vec<Vec<(String, String)>> {
        self.tuning.as_ref().and_then(TuningRun::options).map_or(Vec::new(), Vec::from)
    }

    /// Whether the SPRT, or the decision about the last candidate, has ended the tournament: later
    /// pairings do not count.
    pub fn is_stopped(&self) -> bool {
        self.last.is_some()
    }

    /// Whether a pairing is skipped.
    pub fn skips(&self, pairing: &Pairing) -> bool {
        self.is_beyond(pairing.id, [pairing.first, pairing.second])
    }

    /// Whether a finished game counts.
    pub fn counts(&self, game: &Summary) -> bool {
        !self.is_beyond(game.id().pairing, [Side::White, Side::Black].map(|side| game.player(side)))
    }

    /// The last pairing that a decision depends on: the SPRT, a candidate, a withdrawal, or the draw of
    /// a stage. Void games up to there are not played again.
    pub fn rests_on(&self) -> Option<PairingId> {
        let withdrawn = self.withdrawals().iter().filter_map(|it| Some(it.after()?.pairing));
        // Some slots of the schedule are empty.
        let drawn = (0..self.drawn_after).rev().find_map(|place| self.schedule.pairing(place));
        let candidates = self.candidates.iter().filter_map(CandidatesRun::rests_on);
        let decided = self.last.into_iter().chain(candidates);
        withdrawn.chain(decided).chain(drawn.map(|pairing| pairing.id)).max()
    }

    /// The number of pairings that are finished.
    pub fn finished(&self, tournament: &Tournament, index: &Index) -> u64 {
        let pairings = index.games().chunk_by(|a, b| a.id().pairing == b.id().pairing);
        let finished = |games: &&[Summary]| {
            let pairing = self.schedule.get(games[0].id().pairing);
            pairing.is_some_and(|pairing| is_finished(tournament, &pairing, games))
        };
        pairings.filter(finished).count() as u64
    }

    /// The number of pairings still to be played; in formats with stages, only those of drawn
    /// stages.
    pub fn missing(&self, tournament: &Tournament, index: &Index) -> u64 {
        let missing = |pairing: &Pairing| {
            !self.skips(pairing) && !is_finished(tournament, pairing, index.of(pairing.id))
        };
        if self.is_stopped() {
            return 0;
        }
        // Then no pairing is skipped and no place is empty, and millions of pairings need not be visited.
        let is_plain = !self.schedule.has_stages()
            && self.candidates.is_none()
            && self.withdrawals.list().is_empty();
        match is_plain {
            true => self.schedule.len() - self.finished(tournament, index),
            false => self.schedule.iter().filter(missing).count() as u64,
        }
    }

    fn is_beyond(&self, pairing: PairingId, players: [EngineId; 2]) -> bool {
        self.last.is_some_and(|last| last < pairing)
            || self.candidates.as_ref().is_some_and(|it| it.is_beyond(pairing, players))
            || self.withdrawals.is_beyond(pairing, players)
    }

    /// Awards a skipped pairing to the engine that is not withdrawn.
    fn forfeit(&mut self, pairing: &Pairing) {
        let Some(stages) = &mut self.stages else { return };
        let out = self.withdrawals.engines();
        let score = match (out.contains(&pairing.first), out.contains(&pairing.second)) {
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

/// The fingerprint of a game or session; `None` if that of any of its games is unknown.
fn fingerprint(games: &[Summary]) -> Option<Fingerprint> {
    let mut games = games.iter().map(|game| game.fingerprint);
    let first = games.next()??;
    games.try_fold(first, |session, game| Some(session.followed_by(game?)))
}

/// The first engine's score in a finished pairing; `None` if it was void or between other engines.
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

/// The session after its games so far; `None` once a game is void, which ends the session without a
/// result.
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

/// The engine that plays as `player` in a session.
pub fn player(pairing: &Pairing, player: Player) -> EngineId {
    match player {
        Player::First => pairing.first,
        Player::Second => pairing.second,
    }
}

#[cfg(test)]
mod tests;
