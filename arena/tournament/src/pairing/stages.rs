//! The stages of Swiss and knockout tournaments. The opponents of a stage depend on the results of
//! the earlier ones.
//!
//! A stage is drawn when every pairing of the previous one is decided, by [`swiss`] or
//! [`knockout`], from the points of its encounters. An encounter's points are the results of two
//! engines over all rounds and kinds: a point for a win, half a point for a draw, nothing for a
//! void game. If a game is not played because one engine was withdrawn, the other one wins it here;
//! ratings ignore it.
//!
//! In a knockout, the engine with more points advances; the opponent of a withdrawn engine advances
//! in any case. A tied encounter has a limited number of extra rounds; if it is still tied, the
//! engine that is earlier in the config advances.

use std::cmp::{Ordering, Reverse};
use std::fmt;

use super::ids::{EngineId, Pairing};
use super::{knockout, swiss};
use crate::config::{Format, Tournament};
use fanorona_ratings::Score;

/// Two engines that play each other in a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encounter {
    /// The stage, from 1.
    pub stage: u32,
    /// The engines, the one earlier in the config first.
    pub engines: [EngineId; 2],
    /// Their points so far, in half points.
    pub points: [u64; 2],
    /// The winner in a knockout, with the reason; `None` until the stage is over.
    pub winner: Option<(EngineId, WinReason)>,
    /// Whether it was tied after its regular rounds.
    further: bool,
}

/// The reason why an encounter of a knockout was won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WinReason {
    /// More points in the regular rounds.
    Points,
    /// More points after extra rounds.
    Tiebreak,
    /// The earlier position in the config, after extra rounds.
    Seed,
    /// The opponent was withdrawn.
    Withdrawal,
}

impl fmt::Display for WinReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            WinReason::Points => "points",
            WinReason::Tiebreak => "tiebreak",
            WinReason::Seed => "seed",
            WinReason::Withdrawal => "withdrawal",
        })
    }
}

/// An engine's standing in a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwissStanding {
    /// The engine.
    pub engine: EngineId,
    /// Its half points. A stage with a bye counts as fully won.
    pub points: u64,
    /// The sum of the half points of its opponents (Buchholz). A bye counts as an opponent with the
    /// engine's own points.
    pub opponents: u64,
    /// The number of its byes.
    pub byes: u32,
}

/// The stages of a tournament drawn so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Stages {
    engines: usize,
    /// The maximum half points of an engine in a stage.
    most: u64,
    /// The number of drawn stages.
    drawn: u32,
    /// The encounters of all stages, in order.
    encounters: Vec<Encounter>,
    rest: FormatState,
}

/// The state specific to the format.
#[derive(Clone, PartialEq, Debug)]
enum FormatState {
    Swiss {
        stages: u32,
        /// The stages and engines of byes.
        byes: Vec<(u32, EngineId)>,
    },
    Knockout {
        tiebreaks: u32,
        further: u32,
        round: Option<knockout::Round>,
    },
}

/// The opponents at each schedule place of the next rounds; `None` is an empty place.
pub type Draw = Vec<Option<(EngineId, EngineId)>>;

impl Stages {
    /// The stages of a tournament, none of them drawn; `None` for other formats.
    pub fn new(tournament: &Tournament) -> Option<Stages> {
        let engines = tournament.engines.len();
        let rest = match tournament.format {
            Format::Swiss { stages } => {
                FormatState::Swiss { stages: stages.get(), byes: Vec::new() }
            }
            Format::Knockout { tiebreaks } => {
                let round = Some(knockout::Round::first(engines));
                FormatState::Knockout { tiebreaks, further: 0, round }
            }
            Format::RoundRobin
            | Format::Gauntlet
            | Format::Match
            | Format::Candidates
            | Format::Race { .. }
            | Format::Tune { .. } => {
                return None;
            }
        };
        // Two games per pair, two half points per game.
        let most = 4 * u64::from(tournament.rounds.get()) * tournament.kinds.len() as u64;
        Some(Stages { engines, most, drawn: 0, encounters: Vec::new(), rest })
    }

    /// The encounters so far, by stage.
    pub fn encounters(&self) -> &[Encounter] {
        &self.encounters
    }

    /// The number of drawn stages.
    pub fn drawn(&self) -> u32 {
        self.drawn
    }

    /// The maximum half points of an engine in a stage.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// The byes of a Swiss tournament, as stages and engines.
    pub fn byes(&self) -> &[(u32, EngineId)] {
        match &self.rest {
            FormatState::Swiss { byes, .. } => byes,
            FormatState::Knockout { .. } => &[],
        }
    }

    /// Whether it is a knockout.
    pub fn is_knockout(&self) -> bool {
        matches!(self.rest, FormatState::Knockout { .. })
    }

    /// Adds the score of a pairing of this stage, from the first engine's view; a void pairing
    /// gives no points.
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

    /// Draws the next rounds, after everything drawn before is decided; `None` at the end of the
    /// tournament. `out` are the withdrawn engines.
    pub fn draw(&mut self, out: &[EngineId]) -> Option<Draw> {
        match &self.rest {
            FormatState::Swiss { stages, .. } => {
                (self.drawn < *stages).then(|| self.draw_swiss(out))
            }
            FormatState::Knockout { .. } => self.draw_knockout(out),
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
        if let FormatState::Swiss { byes, .. } = &mut self.rest {
            byes.extend(round.bye.map(|engine| (self.drawn + 1, engine)));
        }
        self.begin(&round.encounters)
    }

    fn draw_knockout(&mut self, out: &[EngineId]) -> Option<Draw> {
        let drawn = self.drawn;
        let FormatState::Knockout { tiebreaks, further, round } = &mut self.rest else {
            return None;
        };
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

    /// Starts a stage with these encounters.
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

    /// The ranking of a Swiss tournament: by points, then by the opponents' points, then by
    /// position in the config.
    pub fn ranking(&self) -> Vec<SwissStanding> {
        let mut places = self.places();
        places.sort_by_key(|place| (Reverse((place.points, place.opponents)), place.engine));
        places
    }

    /// The standings in the order of the config.
    fn places(&self) -> Vec<SwissStanding> {
        let engines = (0..self.engines).map(EngineId);
        let mut places: Vec<SwissStanding> = engines
            .map(|engine| SwissStanding { engine, points: 0, opponents: 0, byes: 0 })
            .collect();
        for Encounter { engines, points, .. } in &self.encounters {
            engines.iter().zip(points).for_each(|(engine, got)| places[engine.0].points += got);
        }
        if let FormatState::Swiss { byes, .. } = &self.rest {
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

/// The winner of a finished encounter of a knockout, with the reason.
fn won(encounter: &Encounter, out: &[EngineId]) -> (EngineId, WinReason) {
    let [one, other] = encounter.engines;
    match (out.contains(&one), out.contains(&other)) {
        (true, false) => return (other, WinReason::Withdrawal),
        (false, true) => return (one, WinReason::Withdrawal),
        _ => {}
    }
    let by = if encounter.further { WinReason::Tiebreak } else { WinReason::Points };
    match encounter.points[0].cmp(&encounter.points[1]) {
        Ordering::Greater => (one, by),
        Ordering::Less => (other, by),
        Ordering::Equal => (one, WinReason::Seed),
    }
}
