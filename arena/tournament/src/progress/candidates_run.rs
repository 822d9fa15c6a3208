//! Candidates against a base along their tournament: counts the pairs of each in schedule order until
//! it is decided. A decided candidate plays no more.
//!
//! Every pair of a candidate is a trial of its own SPRT, see [`sprt_run`](super::sprt_run). The error
//! of all of them together is that of the config, see [`Candidates`].

use crate::config::Tournament;
use crate::pairing::ids::{EngineId, Pairing, PairingId};
use crate::progress::sprt_run::SprtRun;
use crate::record::Fingerprint;
use fanorona_ratings::Score;
use fanorona_ratings::sprt::{Candidates, Decision, SprtOptions};

/// The state of the tests of a tournament of candidates.
#[derive(Clone, PartialEq, Debug)]
pub struct CandidatesRun {
    base: EngineId,
    tests: Candidates,
    /// In the order of the config.
    candidates: Vec<Candidate>,
}

/// A candidate and its test.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The engine.
    pub engine: EngineId,
    /// Its test.
    pub run: SprtRun,
    /// The pairing that decided it or, by an acceptance that gave it a larger error, another one's.
    pub decided: Option<PairingId>,
}

impl CandidatesRun {
    /// The tests of a tournament before its first game; `None` for other tournaments.
    pub fn new(tournament: &Tournament) -> Option<CandidatesRun> {
        let rules = tournament.candidates.as_ref()?;
        let base = EngineId(tournament.centre());
        let engines = (0..tournament.engines.len()).map(EngineId).filter(|engine| *engine != base);
        let engines: Vec<EngineId> = engines.collect();
        let tests = Candidates::new(rules.test, engines.len()).ok()?;
        let candidates = engines.into_iter().enumerate().map(|(place, engine)| {
            let run = SprtRun::new(*tests.test(place));
            Candidate { engine, run, decided: None }
        });
        Some(CandidatesRun { base, candidates: candidates.collect(), tests })
    }

    /// The base.
    pub fn base(&self) -> EngineId {
        self.base
    }

    /// The hypotheses and risks, with the error over all candidates.
    pub fn options(&self) -> &SprtOptions {
        self.tests.options()
    }

    /// The candidates, in the order of the config.
    pub fn candidates(&self) -> &[Candidate] {
        &self.candidates
    }

    /// The number of pairs so far, counted or repeated.
    pub fn complete_pairs(&self) -> u64 {
        self.candidates.iter().map(|it| it.run.complete_pairs()).sum()
    }

    /// The numbers of accepted, dropped and open candidates.
    pub fn counts(&self) -> [usize; 3] {
        [Decision::AcceptH1, Decision::AcceptH0, Decision::Continue].map(|decision| {
            self.candidates.iter().filter(|it| it.run.decision() == decision).count()
        })
    }

    /// Adds a finished pairing: the first engine's score, `None` without a result, and its
    /// fingerprint if the moves are known.
    pub fn add(&mut self, pairing: &Pairing, score: Option<Score>, game: Option<Fingerprint>) {
        let is_first = pairing.second == self.base;
        let engine = if is_first { pairing.first } else { pairing.second };
        let Some(place) = self.candidates.iter().position(|it| it.engine == engine) else { return };
        let score = score.map(|score| if is_first { score } else { score.of_opponent() });
        let run = &mut self.candidates[place].run;
        if !run.add(pairing.pair, score, game) {
            return;
        }
        self.tests.weigh(place, run.llr());
        for (place, candidate) in self.candidates.iter_mut().enumerate() {
            candidate.run.retest(*self.tests.test(place));
            if candidate.decided.is_none() && self.tests.decision(place) != Decision::Continue {
                candidate.decided = Some(pairing.id);
            }
        }
    }

    /// Whether a pairing of these engines follows the decision about one of them.
    pub fn is_beyond(&self, pairing: PairingId, players: [EngineId; 2]) -> bool {
        let decided = self.candidates.iter().filter(|it| players.contains(&it.engine));
        decided.filter_map(|it| it.decided).any(|decided| decided < pairing)
    }

    /// Whether no candidate is open that is not `out`, or the base is.
    pub fn is_over(&self, out: &[EngineId]) -> bool {
        let is_closed = |it: &Candidate| it.decided.is_some() || out.contains(&it.engine);
        out.contains(&self.base) || self.candidates.iter().all(is_closed)
    }

    /// The last pairing that decided a candidate.
    pub fn rests_on(&self) -> Option<PairingId> {
        self.candidates.iter().filter_map(|it| it.decided).max()
    }
}
