//! Who won, or what is missing, as a code with its values: a page makes a sentence of it in its language.

use serde::Serialize;

use super::view::safe;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{Estimate, Scope};
use fanorona_report::statistics::outcome::{Answer, Lead, Missing, Outcome, Proof, Rule, Settled};
use fanorona_report::statistics::verdict::{HeadToHead, Verdict, more_pairs};
use fanorona_tournament::pairing::stages::By;

/// The facts of an answer. Points are whole games' points.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub(super) enum AnswerFacts {
    /// An engine is proven to be stronger than the next one.
    Stronger {
        #[serde(flatten)]
        two: Two,
        /// Whether games with others alone prove it.
        by_others: bool,
        /// The lead in Elo with its interval, as far as the games bound it.
        #[serde(flatten)]
        lead: Estimate,
    },
    /// The two have not met, and games with others decide nothing.
    NotMet(Two),
    /// Further pairs of the two would repeat others.
    Repeating(Two),
    /// The games of the two contradict those with others.
    Contrary {
        #[serde(flatten)]
        two: Two,
        /// The points of the first one in the games of the two.
        points: f64,
        games: u64,
    },
    /// About so many more pairs give an even chance of a decision.
    MorePairs {
        #[serde(flatten)]
        two: Two,
        pairs: u64,
    },
    /// The two show no measurable difference.
    Level(Two),
    /// The final of a knockout.
    Final {
        winner: String,
        second: String,
        /// `points`, `tiebreak`, `seed` or `withdrawal`.
        by: &'static str,
        points: [f64; 2],
        /// How many of the winner's encounters before it were decided by seed.
        seeds: usize,
    },
    /// More points in a Swiss tournament.
    Points { winner: String, second: String, points: [f64; 2] },
    /// Equal points in a Swiss tournament, and stronger opponents.
    Opponents { winner: String, second: String, points: f64, opponents: [f64; 2] },
    /// All other engines are withdrawn.
    Alone { winner: String },
    /// No game is finished.
    NoGames,
    /// All finished games are void.
    Void { games: u64 },
    /// The other shards are missing.
    Shards,
    /// All engines are withdrawn.
    NoEngines,
    /// No games connect the first two engines.
    Connection,
    /// An SPRT has accepted nothing.
    Test { engine: String, pairs: u64 },
    /// Stages are missing; in a Swiss tournament somebody leads.
    Stages { drawn: usize, of: usize, leader: Option<String>, points: f64 },
    /// Engines share the first place of a Swiss tournament.
    Tie { engines: Vec<String>, points: f64 },
}

/// Two neighbours in a ranking.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Two {
    ahead: String,
    behind: String,
    /// The kind of the games; `None` for all.
    kind: Option<Kind>,
    /// The probability (0 to 1) that the first one is stronger.
    certainty: f64,
}

impl AnswerFacts {
    /// The facts of an outcome; `None` if it has a sentence of its own, which is in English.
    pub(super) fn of(outcome: &Outcome) -> Option<AnswerFacts> {
        Some(match &outcome.answer {
            Answer::Decided(Proof::Ratings(lead)) | Answer::Undecided(Missing::Pairs(lead)) => {
                of_lead(lead)
            }
            Answer::Settled(settled) => of_settled(settled),
            Answer::Undecided(missing) => match missing {
                Missing::Games => AnswerFacts::NoGames,
                Missing::Results(games) => AnswerFacts::Void { games: *games },
                Missing::Shards => AnswerFacts::Shards,
                Missing::Engines => AnswerFacts::NoEngines,
                Missing::Connection => AnswerFacts::Connection,
                Missing::Decision(test) => {
                    AnswerFacts::Test { engine: safe(&test.engine), pairs: test.state.pairs }
                }
                Missing::Stages { drawn, of, leader } => AnswerFacts::Stages {
                    drawn: *drawn,
                    of: *of,
                    leader: leader.as_ref().map(|(leader, _)| safe(leader)),
                    points: leader.as_ref().map_or(0.0, |(_, halves)| points(*halves)),
                },
                Missing::Tie { engines, points: halves } => AnswerFacts::Tie {
                    engines: engines.iter().map(|name| safe(name)).collect(),
                    points: points(*halves),
                },
                Missing::Pairs(_)
                | Missing::Candidates(_)
                | Missing::Race(_)
                | Missing::Gain(_)
                | Missing::Settings(_) => return None,
            },
            Answer::Decided(_) => return None,
        })
    }
}

fn points(halves: u64) -> f64 {
    halves as f64 / 2.0
}

fn of_lead(Lead { verdict, elo }: &Lead) -> AnswerFacts {
    let Verdict { scope, ahead, behind, certainty, direct } = verdict;
    let kind = match scope {
        Scope::Kind(kind) => Some(*kind),
        Scope::All => None,
    };
    let two = Two { ahead: safe(ahead), behind: safe(behind), kind, certainty: *certainty };
    if verdict.is_decided() {
        let lead = elo.unwrap_or(Estimate { elo: None, elo_low: None, elo_high: None });
        return AnswerFacts::Stronger { two, by_others: *direct == HeadToHead::None, lead };
    }
    match *direct {
        HeadToHead::None => AnswerFacts::NotMet(two),
        HeadToHead::Repeating => AnswerFacts::Repeating(two),
        HeadToHead::Contrary { half_points, games } => {
            AnswerFacts::Contrary { two, points: points(half_points), games }
        }
        HeadToHead::Pairs(pairs) => match more_pairs(*certainty, pairs) {
            Some(pairs) => AnswerFacts::MorePairs { two, pairs },
            None => AnswerFacts::Level(two),
        },
    }
}

fn of_settled(settled: &Settled) -> AnswerFacts {
    let winner = safe(&settled.winner);
    let second = settled.second.as_deref().map(safe).unwrap_or_default();
    match settled.rule {
        Rule::Final { by, points: both, seeds } => {
            let by = match by {
                By::Points => "points",
                By::Tiebreak => "tiebreak",
                By::Seed => "seed",
                By::Withdrawal => "withdrawal",
            };
            AnswerFacts::Final { winner, second, by, points: both.map(points), seeds }
        }
        Rule::Points(both) => AnswerFacts::Points { winner, second, points: both.map(points) },
        Rule::Opponents { points: halves, opponents } => AnswerFacts::Opponents {
            winner,
            second,
            points: points(halves),
            opponents: opponents.map(points),
        },
        Rule::Withdrawal => AnswerFacts::Alone { winner },
    }
}
