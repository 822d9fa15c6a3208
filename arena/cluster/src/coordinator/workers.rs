//! The workers that are there: what they said in their last signs of life.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use super::super::messages::Hello;
use super::super::signature::unique;

/// A worker that has been silent for this long is gone. Its jobs go to others.
const SILENCE: Duration = Duration::from_secs(10);

/// The most slots of one worker: more are a mistake or a lie.
const MAX_SLOTS: usize = 4096;

/// The workers of a tournament.
#[derive(Default)]
pub(super) struct Workers {
    /// By their names and processes.
    heard: BTreeMap<(String, u64), WorkerState>,
    /// The workers whose games were rejected.
    refused: BTreeSet<String>,
}

struct WorkerState {
    hello: Hello,
    at: Instant,
}

impl WorkerState {
    /// Whether a worker of this name plays games, as far as it is heard.
    fn plays(&self, name: &str, refused: &BTreeSet<String>) -> bool {
        self.hello.refused.is_empty() && !self.hello.leaving && !refused.contains(name)
    }
}

/// The change by a sign of life.
#[derive(PartialEq, Debug)]
pub(super) enum Change {
    Joined,
    /// It joined while another process of the same name was there.
    JoinedAnother,
    Refuses,
    Leaves,
    None,
}

impl Workers {
    /// The number of jobs that may be in flight: one for each slot, and a tenth more so that slots
    /// need not wait.
    pub(super) fn room(&self) -> usize {
        let slots = self.slots();
        slots + slots / 10
    }

    fn slots(&self) -> usize {
        self.playing().map(|(_, heard)| heard.hello.slots.min(MAX_SLOTS)).sum()
    }

    /// Whether another worker than this one plays games.
    pub(super) fn has_another(&self, name: &str) -> bool {
        self.another(name, None).is_some()
    }

    /// A worker other than `name` that plays games: `last` if it still does, else one by chance.
    pub(super) fn another(&self, name: &str, last: Option<&str>) -> Option<String> {
        let others: BTreeSet<&str> =
            self.playing().map(|(other, _)| other).filter(|&other| other != name).collect();
        let found = last.filter(|last| others.contains(last)).or_else(|| {
            let place = unique() as usize % others.len().max(1);
            others.into_iter().nth(place)
        });
        found.map(str::to_owned)
    }

    /// The workers that play games.
    fn playing(&self) -> impl Iterator<Item = (&str, &WorkerState)> {
        let plays = |((name, _), heard): &(&(String, u64), &WorkerState)| {
            heard.at.elapsed() < SILENCE && heard.plays(name, &self.refused)
        };
        self.heard.iter().filter(plays).map(|((name, _), heard)| (&**name, heard))
    }

    /// Takes a sign of life.
    pub(super) fn hear(&mut self, name: &str, hello: Hello) -> Change {
        let instance = hello.instance;
        let before = self.heard.get(&(name.to_owned(), instance)).map(|heard| &heard.hello);
        let is_another = |((known, process), heard): (&(String, u64), &WorkerState)| {
            known == name && *process != instance && !heard.hello.leaving
        };
        let change = match before {
            _ if self.refused.contains(name) => Change::None,
            Some(before) if before.refused == hello.refused && before.leaving == hello.leaving => {
                Change::None
            }
            _ if !hello.refused.is_empty() => Change::Refuses,
            _ if hello.leaving => Change::Leaves,
            _ if self.heard.iter().any(is_another) => Change::JoinedAnother,
            _ => Change::Joined,
        };
        self.heard.insert((name.to_owned(), instance), WorkerState { hello, at: Instant::now() });
        change
    }

    /// Forgets the workers that have been silent for too long, and returns the names of those that
    /// were expected to play: they had not said that they leave, and were not refused.
    pub(super) fn forget_silent(&mut self) -> BTreeSet<String> {
        let is_silent = |heard: &WorkerState| heard.at.elapsed() >= SILENCE;
        let missed = self
            .heard
            .iter()
            .filter(|((name, _), heard)| is_silent(heard) && heard.plays(name, &self.refused))
            .map(|((name, _), _)| name.clone())
            .collect();
        self.heard.retain(|_, heard| !is_silent(heard));
        missed
    }

    /// Takes no more games from a worker. Returns whether it was trusted before.
    pub(super) fn refuse(&mut self, name: &str) -> bool {
        self.refused.insert(name.to_owned())
    }

    /// Whether a worker's games do not count any more.
    pub(super) fn is_refused(&self, name: &str) -> bool {
        self.refused.contains(name)
    }

    /// Whether a worker plays the job that begins with this pairing.
    pub(super) fn plays(&self, pairing: u64) -> bool {
        self.heard.values().any(|heard| heard.hello.playing.contains(&pairing))
    }

    /// The factor that a worker's time limits are scaled by.
    pub(super) fn time_factor(&self, name: &str) -> Option<f64> {
        let heard = self.heard.iter().find(|((known, _), _)| known == name)?;
        heard.1.hello.time_factor
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::messages::VERSION;
    use super::*;

    fn hello(slots: usize) -> Hello {
        Hello {
            version: VERSION,
            tournament: "t".into(),
            computer: "c".into(),
            arena: "1".into(),
            instance: 1,
            slots,
            playing: vec![slots as u64],
            leaving: false,
            refused: Vec::new(),
            time_factor: None,
            undelivered: 0,
        }
    }

    #[test]
    fn there_is_room_for_a_tenth_more_jobs_than_slots() {
        let mut workers = Workers::default();
        assert_eq!(workers.room(), 0);
        assert_eq!(workers.hear("a", hello(1)), Change::Joined);
        assert_eq!(workers.room(), 1);
        assert_eq!(workers.hear("a", hello(1)), Change::None);
        workers.hear("b", hello(29));
        assert_eq!(workers.room(), 33);
        assert!(workers.has_another("a") && workers.has_another("c"));
        assert_eq!(workers.another("a", None).as_deref(), Some("b"));
        for last in ["a", "b"] {
            assert_eq!(workers.another("c", Some(last)).as_deref(), Some(last));
        }
        assert!(workers.plays(29) && !workers.plays(30));
        let refused = Hello { refused: vec!["other engines".into()], ..hello(29) };
        assert_eq!(workers.hear("b", refused), Change::Refuses);
        assert_eq!(workers.room(), 1);
        assert_eq!(workers.hear("b", hello(29)), Change::Joined);
        assert!(workers.refuse("b") && !workers.refuse("b"));
        assert!(!workers.has_another("a") && workers.has_another("b"));
        assert_eq!(workers.room(), 1);
        let another = Hello { instance: 2, ..hello(10) };
        assert_eq!(workers.hear("a", another.clone()), Change::JoinedAnother);
        assert_eq!(workers.hear("a", another.clone()), Change::None);
        assert_eq!(workers.room(), 12);
        assert_eq!(workers.hear("a", Hello { leaving: true, ..another }), Change::Leaves);
        let leaving = Hello { leaving: true, ..hello(1) };
        assert_eq!(workers.hear("a", leaving), Change::Leaves);
        assert_eq!(workers.room(), 0);
    }

    #[test]
    fn only_workers_that_were_to_play_are_missed_each_once() {
        let mut workers = Workers::default();
        workers.hear("crashed", hello(1));
        workers.hear("crashed", Hello { instance: 2, ..hello(1) });
        workers.hear("left", Hello { leaving: true, ..hello(1) });
        workers.hear("other", Hello { refused: vec!["other engines".into()], ..hello(1) });
        workers.hear("liar", hello(1));
        workers.refuse("liar");
        for heard in workers.heard.values_mut() {
            heard.at -= SILENCE;
        }
        workers.hear("here", hello(1));
        assert_eq!(workers.forget_silent(), BTreeSet::from(["crashed".to_owned()]));
        assert_eq!(workers.heard.len(), 1);
        assert_eq!(workers.forget_silent(), BTreeSet::new());
    }
}
