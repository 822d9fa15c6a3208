//! A race along its tournament: chooses the pairings of every stage from the results so far, in
//! schedule order, until the best engines are known.

use std::collections::HashSet;

use crate::config::Tournament;
use crate::pairing::ids::{EngineId, Pairing};
use crate::pairing::seeds;
use crate::pairing::stages::Draw;
use crate::record::Fingerprint;
use fanorona_ratings::{Entrant, PairKey, Race, RaceOptions, Sample, Scope, Score, ScoredGame};

/// The state of a race.
#[derive(Clone, Debug)]
pub struct RaceRun {
    options: RaceOptions,
    seed: u64,
    /// The encounters of a stage.
    batch: usize,
    /// By [`EngineId`].
    entrants: Vec<Entrant>,
    names: Vec<String>,
    sample: Sample,
    /// The fingerprints of the games so far: a game that repeats another tells nothing new.
    known: HashSet<Fingerprint>,
    /// The number of drawn stages.
    drawn: u32,
    is_decided: bool,
}

/// The state of a race.
#[derive(Clone, PartialEq, Debug)]
pub struct RaceState {
    /// The best engines as far as the games tell, the strongest first.
    pub leaders: Vec<String>,
    /// Whether they are the best with the error that is asked for.
    pub is_decided: bool,
    /// The smallest lead of a leader over another engine, as a share of the lead that decides it.
    pub margin: f64,
    /// The options of the race.
    pub options: RaceOptions,
}

impl RaceState {
    /// The state in a sentence.
    pub fn in_words(&self) -> String {
        let RaceState { leaders, is_decided, margin, options } = self;
        let error = 100.0 * options.error;
        let names = leaders.join(", ");
        let best = match leaders.len() {
            1 => format!("{names} is the best"),
            count => format!("{names} are the best {count}"),
        };
        let within = match options.within {
            0.0 => String::new(),
            elo => format!(", within {elo} Elo"),
        };
        match is_decided {
            true => format!("{best} (error at most {error:.1} %{within})"),
            false => format!(
                "undecided: so far {best}, with {:.0} % of the lead that would decide it",
                100.0 * margin.max(0.0)
            ),
        }
    }
}

impl RaceRun {
    /// The race of a tournament before its first game; `None` for other tournaments.
    pub fn new(tournament: &Tournament) -> Option<RaceRun> {
        let rules = tournament.race?;
        let names: Vec<String> = tournament.names().map(str::to_owned).collect();
        let sample = Sample::new(names.iter().map(String::as_str)).ok()?;
        let entrants = names.iter().map(|name| sample.engine(name)).collect::<Option<_>>()?;
        let best = rules.best.get() as usize;
        let options = RaceOptions { best, error: rules.error, within: rules.within };
        Some(RaceRun {
            options,
            seed: tournament.seed,
            batch: rules.batch.get() as usize,
            entrants,
            names,
            sample,
            known: HashSet::new(),
            drawn: 0,
            is_decided: false,
        })
    }

    /// Adds a finished pairing: the first engine's score, `None` without a result, and its
    /// fingerprint if the moves are known.
    pub fn add(&mut self, pairing: &Pairing, score: Option<Score>, game: Option<Fingerprint>) {
        let Some(score) = score else { return };
        let [first, second] = [pairing.first, pairing.second].map(|id| self.entrants[id.0]);
        let (kind, pair) = (pairing.kind, PairKey(pairing.pair.0));
        let game_of_pair = ScoredGame { first, second, kind, score, pair };
        let is_new = game.is_none_or(|game| self.known.insert(game));
        let added = match is_new {
            true => self.sample.push(game_of_pair),
            false => self.sample.push_repeat(game_of_pair),
        };
        added.expect("the engines of a pairing are two of the sample");
    }

    /// The encounters of the next stage; `None` once the race is decided. `places` is the number of
    /// encounters in the schedule's stage, and engines that are `out` play no more.
    pub fn draw(&mut self, places: usize, out: &[EngineId]) -> Option<Draw> {
        let is_in = |id: &EngineId| !out.contains(id);
        let number = self.drawn;
        self.drawn += 1;
        if number == 0 {
            // In the first stage everybody plays two others, in a ring.
            let left: Vec<EngineId> = (0..self.names.len()).map(EngineId).filter(is_in).collect();
            let next = left.iter().cycle().skip(1);
            let ring = left.iter().zip(next).filter(|(one, other)| one != other);
            let mut draw: Draw = ring.map(|(&one, &other)| Some(ordered(one, other))).collect();
            draw.resize(places, None);
            return Some(draw);
        }
        let race = self.race(out)?;
        self.is_decided = race.is_decided();
        if self.is_decided {
            return None;
        }
        let mut random = seeds::generator(self.seed, &["race", &number.to_string()]);
        let id = |entrant: Entrant| {
            let place = self.entrants.iter().position(|it| *it == entrant);
            EngineId(place.expect("the race knows only these"))
        };
        let mut draw: Draw = (0..self.batch)
            .map(|_| race.choose(&mut random))
            .map(|(one, other)| Some(ordered(id(one), id(other))))
            .collect();
        draw.resize(places, None);
        Some(draw)
    }

    fn race(&self, out: &[EngineId]) -> Option<Race> {
        let out: Vec<Entrant> = out.iter().map(|id| self.entrants[id.0]).collect();
        Race::without(&self.sample, Scope::All, self.options, &out)
    }

    /// Whether the best engines are known.
    pub fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// Returns the state of the race; `None` before its first games.
    pub fn state(&self, out: &[EngineId]) -> Option<RaceState> {
        let race = self.race(out)?;
        let name = |entrant: Entrant| {
            let place = self.entrants.iter().position(|it| *it == entrant)?;
            Some(self.names[place].clone())
        };
        Some(RaceState {
            leaders: race.leaders().into_iter().filter_map(name).collect(),
            is_decided: race.is_decided(),
            margin: race.weakest_margin(),
            options: self.options,
        })
    }
}

/// Two engines, the one earlier in the config first.
fn ordered(one: EngineId, other: EngineId) -> (EngineId, EngineId) {
    (one.min(other), one.max(other))
}
