//! Tournaments in stages, Swiss and knockout: who meets in a stage follows from the results of the
//! stages before.
//!
//! A stage is drawn when every pairing of the one before is decided, by [`swiss`] or [`knockout`], from
//! the points of its encounters: two engines' results over all rounds and kinds, a win being a point,
//! a draw half of one, a void game nothing. A game that is not played because one of the two has been
//! withdrawn is won by the other here; in ratings it does not exist.
//!
//! In a knockout whoever has more points goes on, the opponent of a withdrawn engine whatever the
//! points. An encounter that is level has further rounds, up to a number; what is level then is won by
//! the engine that is earlier in the config.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use super::ids::{EngineId, Pairing};
use super::{knockout, swiss};
use crate::config::{Format, Tournament};
use crate::ratings::Score;

/// Two engines that meet in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// In which stage, from 1.
    pub stage: u32,
    /// Who, the one earlier in the config first.
    pub engines: [EngineId; 2],
    /// What they have got so far, in half points.
    pub points: [u64; 2],
    /// Who goes on, in a knockout, and by what; `None` until the stage is over.
    pub winner: Option<(EngineId, By)>,
    /// Whether it was level after its rounds.
    further: bool,
}

/// What an encounter of a knockout was won by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// More points in its rounds.
    Points,
    /// More points after further rounds.
    Tiebreak,
    /// The place in the config, after further rounds.
    Seed,
    /// The other one has been withdrawn.
    Withdrawal,
}

impl fmt::Display for By {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            By::Points => "points",
            By::Tiebreak => "tiebreak",
            By::Seed => "seed",
            By::Withdrawal => "withdrawal",
        })
    }
}

/// How an engine stands in a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which one.
    pub engine: EngineId,
    /// Its half points; those of a stage without an opponent are all there were to win.
    pub points: u64,
    /// The half points of its opponents, added up (Buchholz); a stage without an opponent counts as
    /// one with an opponent that stands as itself.
    pub opponents: u64,
    /// How many stages it has had no opponent in.
    pub byes: u32,
}

/// The stages of a tournament as far as they are drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Stages {
    engines: usize,
    /// The half points there are to win in the rounds of a stage.
    most: u64,
    /// How many stages have been drawn.
    drawn: u32,
    /// Of all stages, in their order.
    encounters: Vec<Encounter>,
    rest: Rest,
}

/// What differs between the formats.
#[derive(Clone, PartialEq, Debug)]
enum Rest {
    Swiss {
        stages: u32,
        /// In which stage, and who had no opponent there.
        byes: Vec<(u32, EngineId)>,
    },
    Knockout {
        tiebreaks: u32,
        further: u32,
        round: Option<knockout::Round>,
    },
}

/// Who meets in the next rounds, by the places of the schedule; nobody at some of them.
pub type Draw = Vec<Option<(EngineId, EngineId)>>;

impl Stages {
    /// The stages of a tournament, if it has any, none of them drawn.
    pub fn new(tournament: &Tournament) -> Option<Stages> {
        let engines = tournament.engines.len();
        let rest = match tournament.format {
            Format::Swiss { stages } => Rest::Swiss { stages: stages.get(), byes: Vec::new() },
            Format::Knockout { tiebreaks } => {
                let round = Some(knockout::Round::first(engines));
                Rest::Knockout { tiebreaks, further: 0, round }
            }
            Format::RoundRobin | Format::Gauntlet | Format::Match => return None,
        };
        // Two games a pair, two half points a game.
        let most = 4 * u64::from(tournament.rounds.get()) * tournament.kinds.len() as u64;
        Some(Stages { engines, most, drawn: 0, encounters: Vec::new(), rest })
    }

    /// All encounters so far, stage by stage.
    pub fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// How many stages have been drawn.
    pub fn drawn(&self) -> u32 {
        self.drawn
    }

    /// The half points there are to win in the rounds of a stage.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Who had no opponent in which stage of a Swiss tournament.
    pub fn byes(&self) -> &[(u32, EngineId)] {
        match &self.rest {
            Rest::Swiss { byes, .. } => byes,
            Rest::Knockout { .. } => &[],
        }
    }

    /// Whether it is a knockout.
    pub fn is_knockout(&self) -> bool {
        matches!(self.rest, Rest::Knockout { .. })
    }

    /// Takes in what the first engine of a pairing of this stage got; nobody gets anything out of a
    /// void one.
    pub fn add(&mut self, pairing: &Pairing, score: Option<Score>) {
        let halves = match score {
            Some(Score::Win) => [2, 0],
            Some(Score::Draw) => [1, 1],
            Some(Score::Loss) => [0, 2],
            None => [0, 0],
        };
        let players = [pairing.first, pairing.second];
        let (low, high) = (players[0].min(players[1]), players[0].max(players[1]));
        let mut current = self.encounters.iter_mut().rev();
        let Some(encounter) = current.find(|it| it.engines == [low, high]) else { return };
        for (engine, points) in encounter.engines.iter().zip(&mut encounter.points) {
            *points += if *engine == pairing.first { halves[0] } else { halves[1] };
        }
    }

    /// Draws what comes next, everything drawn before being decided; `None` when it is all over.
    /// `out` are the engines that have been withdrawn.
    pub fn draw(&mut self, out: &[EngineId]) -> Option<Draw> {
        match &self.rest {
            Rest::Swiss { stages, .. } => (self.drawn < *stages).then(|| self.draw_swiss(out)),
            Rest::Knockout { .. } => self.draw_knockout(out),
        }
    }

    fn draw_swiss(&mut self, out: &[EngineId]) -> Draw {
        let mut table = swiss::Table::new(self.engines);
        for place in self.places() {
            table.scores[place.engine.0] = place.points;
            table.byes[place.engine.0] = place.byes;
        }
        for encounter in &self.encounters {
            *table.met.entry(encounter.engines.into()).or_default() += 1;
        }
        out.iter().for_each(|engine| table.out[engine.0] = true);
        let round = swiss::draw(&table);
        if let Rest::Swiss { byes, .. } = &mut self.rest {
            byes.extend(round.bye.map(|engine| (self.drawn + 1, engine)));
        }
        self.begin(&round.encounters)
    }

    fn draw_knockout(&mut self, out: &[EngineId]) -> Option<Draw> {
        let drawn = self.drawn;
        let Rest::Knockout { tiebreaks, further, round } = &mut self.rest else { return None };
        if drawn == 0 {
            let encounters = round.as_ref()?.encounters.clone();
            return Some(self.begin(&encounters));
        }
        let begin = self.encounters.partition_point(|encounter| encounter.stage < drawn);
        let current = &mut self.encounters[begin..];
        round.as_ref()?;
        if further < tiebreaks {
            *further += 1;
            let draw = current.iter_mut().map(|encounter| {
                let level = encounter.points[0] == encounter.points[1];
                let meet = level && !encounter.engines.iter().any(|engine| out.contains(engine));
                encounter.further |= meet;
                meet.then_some(encounter.engines.into())
            });
            return Some(draw.collect());
        }
        let winners = current.iter_mut().map(|encounter| {
            let (winner, by) = won(encounter, out);
            encounter.winner = Some((winner, by));
            winner
        });
        let winners: Vec<EngineId> = winners.collect();
        *further = 0;
        *round = round.as_ref().and_then(|round| round.next(&winners));
        let encounters = round.as_ref()?.encounters.clone();
        Some(self.begin(&encounters))
    }

    /// Begins a stage with these encounters.
    fn begin(&mut self, encounters: &[(EngineId, EngineId)]) -> Draw {
        self.drawn += 1;
        let stage = self.drawn;
        self.encounters.extend(encounters.iter().map(|&engines| Encounter {
            stage,
            engines: engines.into(),
            points: [0; 2],
            winner: None,
            further: false,
        }));
        encounters.iter().copied().map(Some).collect()
    }

    /// How the engines of a Swiss tournament stand, the best first: by points, then by their
    /// opponents' points, then by their place in the config.
    pub fn ranking(&self) -> Vec<Place> {
        let mut places = self.places();
        places.sort_by_key(|place| (Reverse((place.points, place.opponents)), place.engine));
        places
    }

    /// The same in the order of the config.
    fn places(&self) -> Vec<Place> {
        let engines = (0..self.engines).map(EngineId);
        let mut places: Vec<Place> =
            engines.map(|engine| Place { engine, points: 0, opponents: 0, byes: 0 }).collect();
        for Encounter { engines, points, .. } in &self.encounters {
            engines.iter().zip(points).for_each(|(engine, got)| places[engine.0].points += got);
        }
        if let Rest::Swiss { byes, .. } = &self.rest {
            for (_, engine) in byes {
                places[engine.0].points += self.most;
                places[engine.0].byes += 1;
            }
        }
        let points: Vec<u64> = places.iter().map(|place| place.points).collect();
        for Encounter { engines: [one, other], .. } in &self.encounters {
            places[one.0].opponents += points[other.0];
            places[other.0].opponents += points[one.0];
        }
        for place in &mut places {
            place.opponents += u64::from(place.byes) * place.points;
        }
        places
    }
}

/// Who has won an encounter of a knockout that is over, and by what.
fn won(encounter: &Encounter, out: &[EngineId]) -> (EngineId, By) {
    let [one, other] = encounter.engines;
    match (out.contains(&one), out.contains(&other)) {
        (true, false) => return (other, By::Withdrawal),
        (false, true) => return (one, By::Withdrawal),
        _ => {}
    }
    let by = if encounter.further { By::Tiebreak } else { By::Points };
    match encounter.points[0].cmp(&encounter.points[1]) {
        Ordering::Greater => (one, by),
        Ordering::Less => (other, by),
        Ordering::Equal => (one, By::Seed),
    }
}
