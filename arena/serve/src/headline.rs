//! The first line about a tournament: the leaders, how far it is, and the engines that are out. The
//! card of the first page and the tournament's own page get the same, and one script makes words of
//! it.

use serde::Serialize;

use super::view::safe;
use fanorona_report::phrase::{Words, with_names};
use fanorona_report::statistics::results::Results;
use fanorona_report::statistics::stage_table::StageTable;
use fanorona_report::statistics::standings::Standings;
use fanorona_tournament::progress::{Withdrawal, WithdrawalReason};

/// The facts of the first line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Headline {
    /// The engines with the most points that can still win; empty before the first result, and where
    /// points say nothing.
    leaders: Vec<String>,
    /// The points that they have more than the next engine; `null` if there is none.
    ahead: Option<f64>,
    /// The engines that play no more, in the order of the decisions.
    withdrawn: Vec<Withdrawn>,
    /// The winner, or what is missing.
    answer: Words,
}

/// An engine that plays no more.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Withdrawn {
    engine: String,
    /// Its consecutive faults; 0: it did not start.
    faults: usize,
    /// The word of these faults, as in results, if all are the same.
    fault: Option<&'static str>,
}

impl Headline {
    /// The headline of these results.
    pub(super) fn new(results: &Results) -> Headline {
        let standings = &results.standings;
        // Elsewhere points are not the goal: both sides of a tuning are the same engine, and in the
        // others the opponents are not the same.
        let Results { table, candidates, tuning, race, .. } = results;
        let is_knockout = matches!(table, Some(StageTable::Bracket(_)));
        let by_points = !is_knockout && candidates.is_none() && tuning.is_none() && race.is_none();
        let (leaders, ahead) = if by_points { lead(standings) } else { (Vec::new(), None) };
        let withdrawn = standings.withdrawn.iter().map(Withdrawn::new).collect();
        let answer = with_names(results.outcome.sentence().words, &safe);
        Headline { leaders, ahead, withdrawn, answer }
    }
}

impl Withdrawn {
    fn new((engine, withdrawal): &(String, Withdrawal)) -> Withdrawn {
        let (faults, fault) = match &withdrawal.why {
            WithdrawalReason::Broken(_) => (0, None),
            WithdrawalReason::Faults(faults) => {
                let first = faults[0].1;
                let is_same = faults.iter().all(|(_, fault)| *fault == first);
                (faults.len(), is_same.then(|| first.word()))
            }
        };
        Withdrawn { engine: safe(engine), faults, fault }
    }
}

/// The engines with the most points, and their distance to the next.
fn lead(standings: &Standings) -> (Vec<String>, Option<f64>) {
    let mut contenders: Vec<(f64, &str)> = standings
        .contenders()
        .iter()
        .map(|rating| (rating.tally.points(), &*rating.engine))
        .collect();
    contenders.sort_by(|a, b| b.0.total_cmp(&a.0));
    let most = contenders.first().map_or(0.0, |it| it.0);
    let leaders = contenders.iter().take_while(|it| it.0 == most);
    let leaders: Vec<String> = leaders.map(|it| safe(it.1)).collect();
    let next = contenders.get(leaders.len()).map(|it| most - it.0);
    (leaders, next)
}
