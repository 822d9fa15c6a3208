//! The tables of tournaments with stages: the table of a Swiss tournament, or the bracket of a
//! knockout.

use super::rows::{BracketRow, SwissRow};
use fanorona_tournament::config::{Format, Tournament, knockout_rounds};
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::pairing::knockout;
use fanorona_tournament::pairing::stages::{Encounter, Stages, SwissStanding};

/// The table of a tournament with stages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageTable {
    /// A Swiss tournament.
    Swiss(SwissTable),
    /// A knockout.
    Bracket(Bracket),
}

/// The table of a Swiss tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SwissTable {
    /// The engines, the best first.
    pub rows: Vec<SwissRow>,
    /// Each engine's outcome in every stage drawn so far.
    pub stages: Vec<Vec<StageOutcome>>,
    /// The total number of stages.
    pub of: u32,
    /// The maximal number of half points in a stage.
    pub most: u64,
    /// Whether all stages are over.
    pub is_over: bool,
}

/// An engine's outcome in a stage of a Swiss tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StageOutcome {
    /// It played an opponent.
    Met {
        /// The opponent's row, from 0.
        opponent: usize,
        /// The half points it got.
        points: u64,
    },
    /// A bye with full points.
    Bye,
    /// It was withdrawn.
    Out,
}

/// The bracket of a knockout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bracket {
    /// The encounters stage by stage.
    pub rows: Vec<BracketRow>,
    /// All stages including later ones. Each stage has half as many seats as the one before: two
    /// neighbouring seats lead to one.
    pub stages: Vec<Vec<Seat>>,
}

/// A seat in a stage of the bracket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seat {
    /// The encounter in this row.
    Encounter(usize),
    /// An engine that advances without playing.
    Bye(String),
    /// Not decided yet.
    Open,
}

impl Bracket {
    /// The winner of the final, if decided.
    pub fn winner(&self) -> Option<&str> {
        match self.stages.last()?.first()? {
            Seat::Encounter(row) => self.rows[*row].winner.as_ref().map(|(name, _)| &**name),
            Seat::Bye(name) => Some(name),
            Seat::Open => None,
        }
    }
}

impl StageTable {
    /// The table of a tournament after the stages so far; `is_over` if nothing is left to play.
    pub fn new(tournament: &Tournament, stages: &Stages, is_over: bool) -> StageTable {
        match stages.is_knockout() {
            true => StageTable::Bracket(bracket(tournament, stages)),
            false => StageTable::Swiss(swiss(tournament, stages, is_over)),
        }
    }
}

fn swiss(tournament: &Tournament, stages: &Stages, is_over: bool) -> SwissTable {
    let ranking = stages.ranking();
    let row = |&SwissStanding { engine, points, opponents, byes }: &SwissStanding| SwissRow {
        engine: tournament.engines[engine.0].name.clone(),
        points,
        opponents,
        byes,
    };
    let place_of = |engine: EngineId| ranking.iter().position(|place| place.engine == engine);
    let in_stage = |engine: EngineId, stage: u32| {
        let encounters = stages.encounters().iter();
        let mut met = encounters.filter(|it| it.stage == stage && it.engines.contains(&engine));
        match met.next() {
            Some(Encounter { engines: [one, other], points, .. }) => {
                let (opponent, points) =
                    if *one == engine { (*other, points[0]) } else { (*one, points[1]) };
                StageOutcome::Met { opponent: place_of(opponent).unwrap_or_default(), points }
            }
            None if stages.byes().contains(&(stage, engine)) => StageOutcome::Bye,
            None => StageOutcome::Out,
        }
    };
    let of_engine = |place: &SwissStanding| {
        (1..=stages.drawn()).map(|stage| in_stage(place.engine, stage)).collect()
    };
    SwissTable {
        rows: ranking.iter().map(row).collect(),
        stages: ranking.iter().map(of_engine).collect(),
        of: match tournament.format {
            Format::Swiss { stages } => stages.get(),
            _ => stages.drawn(),
        },
        most: stages.most(),
        is_over,
    }
}

fn bracket(tournament: &Tournament, stages: &Stages) -> Bracket {
    let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
    let encounters = stages.encounters();
    let of_stage = encounters.chunk_by(|a, b| a.stage == b.stage);
    let row = |(index, encounter): (usize, &Encounter)| BracketRow {
        stage: encounter.stage,
        encounter: index + 1,
        engines: encounter.engines.map(name),
        points: encounter.points,
        winner: encounter.winner.map(|(winner, by)| (name(winner), by)),
    };
    let seats = knockout::seats(tournament.engines.len());
    let seat = |stage: u32, among: &[Option<EngineId>]| {
        let mut engines = among.iter().flatten();
        // Only the first stage can have fewer engines than seats.
        if let (1, Some(&alone), None) = (stage, engines.next(), engines.next()) {
            return Seat::Bye(name(alone));
        }
        let here = |it: &Encounter| it.stage == stage && among.contains(&Some(it.engines[0]));
        encounters.iter().position(here).map_or(Seat::Open, Seat::Encounter)
    };
    let count = knockout_rounds(tournament.engines.len());
    let stage = |stage: u32| seats.chunks(1 << stage).map(|among| seat(stage, among)).collect();
    Bracket {
        rows: of_stage.flat_map(|stage| stage.iter().enumerate().map(row)).collect(),
        stages: (1..=count).map(stage).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_ratings::Score;
    use fanorona_ratings::kind::Kind;
    use fanorona_tournament::config::EngineConfig;
    use fanorona_tournament::pairing::ids::{PairId, Pairing, PairingId};
    use std::num::NonZeroU32;

    fn tournament(engines: &str, format: Format) -> Tournament {
        let engines = engines.chars().map(|name| EngineConfig::new(name, "x")).collect();
        let mut tournament = Tournament::new("t", "", engines);
        tournament.format = format;
        tournament.kinds = vec![Kind::Riatra];
        tournament
    }

    /// Draws the next stage; the engine earlier in the config wins all its games.
    fn play(stages: &mut Stages) {
        let draw = stages.draw(&[]).expect("it is not over");
        for (first, second) in draw.into_iter().flatten() {
            let (id, pair, kind, round) = (PairingId(1), PairId(1), Kind::Riatra, 1);
            stages.add(&Pairing { id, pair, kind, round, first, second }, Some(Score::Win));
            let (first, second) = (second, first);
            stages.add(&Pairing { id, pair, kind, round, first, second }, Some(Score::Loss));
        }
    }

    fn drawn(bracket: &Bracket) -> Vec<String> {
        let seat = |seat: &Seat| match seat {
            Seat::Encounter(row) => bracket.rows[*row].engines.concat(),
            Seat::Bye(name) => format!("{name}-"),
            Seat::Open => "?".to_owned(),
        };
        let stage = |seats: &Vec<Seat>| seats.iter().map(seat).collect::<Vec<_>>().join(" ");
        bracket.stages.iter().map(stage).collect()
    }

    #[test]
    fn a_bracket_has_a_seat_for_everybody_who_may_come() {
        let tournament = tournament("abcdef", Format::Knockout { tiebreaks: 0 });
        let mut stages = Stages::new(&tournament).unwrap();
        let bracket = |stages: &Stages| match StageTable::new(&tournament, stages, false) {
            StageTable::Bracket(bracket) => bracket,
            StageTable::Swiss(_) => panic!("it is a knockout"),
        };
        assert_eq!(drawn(&bracket(&stages)), ["a- ? b- ?", "? ?", "?"]);
        play(&mut stages);
        assert_eq!(drawn(&bracket(&stages)), ["a- de b- cf", "? ?", "?"]);
        play(&mut stages);
        let found = bracket(&stages);
        assert_eq!(drawn(&found), ["a- de b- cf", "ad bc", "?"]);
        assert_eq!((found.rows[0].winner.is_some(), found.winner()), (true, None));
        play(&mut stages);
        assert_eq!(stages.draw(&[]), None);
        let found = bracket(&stages);
        assert_eq!(drawn(&found)[2], "ab");
        assert_eq!(found.winner(), Some("a"));
    }

    #[test]
    fn a_swiss_says_who_met_whom() {
        let stages = NonZeroU32::new(3).unwrap();
        let tournament = tournament("abc", Format::Swiss { stages });
        let mut stages = Stages::new(&tournament).unwrap();
        play(&mut stages);
        play(&mut stages);
        let StageTable::Swiss(table) = StageTable::new(&tournament, &stages, false) else {
            panic!("it is a Swiss tournament");
        };
        let names: Vec<&str> = table.rows.iter().map(|row| &*row.engine).collect();
        assert_eq!((names, table.most, table.of), (vec!["a", "b", "c"], 4, 3));
        let met = |opponent, points| StageOutcome::Met { opponent, points };
        assert_eq!(table.stages[0], [met(1, 4), met(2, 4)]);
        assert_eq!(table.stages[1], [met(0, 0), StageOutcome::Bye]);
        assert_eq!(table.stages[2], [StageOutcome::Bye, met(0, 0)]);
    }
}
