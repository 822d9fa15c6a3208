//! The outcome of a tournament: who won, and how sure that is; or what is still missing. The one
//! answer that the terminal, the report, the pages and JSON give.
//!
//! An engine wins because the games prove that it is stronger, or because the rule of the format
//! says so: a knockout and a Swiss tournament always name a winner, whatever the games prove.

use serde::Serialize;

use super::candidates::Candidates;
use super::ranking;
use super::sprt_state::Test;
use super::stage_table::{Bracket, Seat, StageTable, SwissTable};
use super::standings::Standings;
use super::sweep::Sweep;
use super::verdict::{Sentence, Verdict, first_place, summary};
use crate::phrase::{Phrase, Word, Words, list};
use crate::words;
use fanorona_ratings::Estimate;
use fanorona_tournament::pairing::stages::WinReason;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::progress::race_run::RaceState;
use fanorona_tournament::tuning::{Recommendation, TuningRun};

/// The outcome of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Whether all games are played.
    pub is_over: bool,
    /// The answer.
    pub answer: Answer,
}

/// The answer of a tournament: the winner, or what is missing.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// The games prove it.
    Decided(Proof),
    /// The rule of the format names the winner.
    Settled(Settled),
    /// Not decided.
    Undecided(Missing),
}

/// A proof from the games.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// The ratings: the first engine is stronger than the second.
    Ratings(Lead),
    /// The SPRT accepted a hypothesis.
    Test(Test),
    /// Every candidate is decided.
    Candidates(Candidates),
    /// The race found the best engines.
    Race(RaceState),
    /// The tuning found better values.
    Tuning(Tuned),
    /// One setting of a family is better than the others.
    Sweep(Sweep),
}

/// The lead of the first engine over the second.
#[derive(Clone, PartialEq, Debug)]
pub struct Lead {
    /// The two engines, and how sure it is.
    pub verdict: Verdict,
    /// The lead in Elo; `None` if the two were not compared.
    pub elo: Option<Estimate>,
}

/// A winner by the rule of the format.
#[derive(Clone, PartialEq, Debug)]
pub struct Settled {
    /// The name of the engine.
    pub winner: String,
    /// The loser of the final, or the second of the table; `None` if nobody else is left.
    pub second: Option<String>,
    /// Why it is the winner.
    pub rule: Rule,
    /// The verdict of the games on the first two of the ranking; `None` if they cannot be compared.
    pub by_games: Option<Verdict>,
}

/// The rules by which a format names a winner. Points are half points, those of the winner first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The final of a knockout, with its points, and how many of the winner's encounters before it
    /// were decided by seed.
    Final {
        /// The reason why the final was won.
        by: WinReason,
        /// Its points.
        points: [u64; 2],
        /// The winner's earlier encounters that were decided by seed.
        seeds: usize,
    },
    /// More points in a Swiss tournament.
    Points([u64; 2]),
    /// Equal points in a Swiss tournament, and stronger opponents.
    Opponents {
        /// The points of both.
        points: u64,
        /// The points of their opponents.
        opponents: [u64; 2],
    },
    /// All other engines are withdrawn.
    Withdrawal,
}

/// The condition that is missing for an answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Missing {
    /// No game is finished.
    Games,
    /// All finished games are void: their number.
    Results(u64),
    /// The other shards.
    Shards,
    /// An engine that is not withdrawn.
    Engines,
    /// Games that connect the first two engines.
    Connection,
    /// More pairs of games.
    Pairs(Lead),
    /// The SPRT has accepted nothing.
    Decision(Test),
    /// Some candidates are open.
    Candidates(Candidates),
    /// The race has not found the best engines.
    Race(RaceState),
    /// More stages.
    Stages {
        /// The stages drawn so far.
        drawn: usize,
        /// All stages.
        of: usize,
        /// In a Swiss tournament: the leader and its half points.
        leader: Option<(String, u64)>,
    },
    /// A rule that separates these engines, which share the first place of a Swiss tournament.
    Tie {
        /// The engines.
        engines: Vec<String>,
        /// The half points of each.
        points: u64,
    },
    /// More iterations, or a proof that the values are better.
    Gain(Tuned),
    /// More pairs, which tell the settings of a family apart.
    Settings(Sweep),
}

/// The values of a tuning so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The recommended values.
    pub values: Vec<Recommendation>,
    /// Their lead over the start in Elo with its 95 % interval; `None` if unknown.
    pub lead: Option<[f64; 3]>,
    /// The number of finished iterations.
    pub iterations: usize,
}

/// The facts from which an outcome is computed.
#[derive(Clone, Copy, Debug)]
pub struct OutcomeInput<'r> {
    /// The ratings, with the withdrawn engines.
    pub standings: &'r Standings,
    /// In a tournament with stages: its table.
    pub table: Option<&'r StageTable>,
    /// In a match with an SPRT: its state.
    pub test: Option<&'r Test>,
    /// In a tournament of candidates: their tests.
    pub candidates: Option<&'r Candidates>,
    /// In a tuning: its state.
    pub tuning: Option<&'r TuningRun>,
    /// In a race: its state.
    pub race: Option<&'r RaceState>,
    /// The families of engines that differ in some options. With a single one, the tournament asks
    /// for its best setting.
    pub sweeps: &'r [Sweep],
    /// The extent to which it has been played.
    pub extent: &'r Extent,
    /// Whether nothing is left to be played.
    pub is_over: bool,
    /// Whether it is not a shard.
    pub is_whole: bool,
}

impl Outcome {
    /// The outcome of a tournament.
    pub fn new(played: &OutcomeInput<'_>) -> Outcome {
        let OutcomeInput { standings, table, test, candidates, tuning, race, sweeps, .. } = *played;
        let OutcomeInput { extent, is_over, is_whole, .. } = *played;
        let answer = match (tuning, table) {
            (Some(run), _) => of_tuning(run),
            _ if standings.all().games == 0 => Answer::Undecided(match extent.void {
                0 => Missing::Games,
                void => Missing::Results(void),
            }),
            _ if !is_whole => Answer::Undecided(Missing::Shards),
            _ if test.is_none() && candidates.is_none() && standings.contenders().len() < 2 => {
                alone(standings)
            }
            (None, Some(table)) => of_table(standings, table, is_over),
            (None, None) => match (test, candidates, race, sweeps) {
                (_, Some(candidates), ..) if candidates.is_decided() => {
                    Answer::Decided(Proof::Candidates(candidates.clone()))
                }
                (_, Some(candidates), ..) => {
                    Answer::Undecided(Missing::Candidates(candidates.clone()))
                }
                (Some(test), ..) if test.state.accepted().is_some() => {
                    Answer::Decided(Proof::Test(test.clone()))
                }
                (Some(test), ..) => Answer::Undecided(Missing::Decision(test.clone())),
                (None, None, Some(race), _) if race.is_decided => {
                    Answer::Decided(Proof::Race(race.clone()))
                }
                (None, None, Some(race), _) => Answer::Undecided(Missing::Race(race.clone())),
                (None, None, None, [sweep]) if sweep.candidates.len() == 1 => {
                    Answer::Decided(Proof::Sweep(sweep.clone()))
                }
                (None, None, None, [sweep]) => Answer::Undecided(Missing::Settings(sweep.clone())),
                (None, None, None, _) => of_ratings(standings),
            },
        };
        Outcome { is_over, answer }
    }

    /// The outcome of games without a tournament, such as those of a file.
    pub fn from_games(standings: &Standings) -> Outcome {
        let extent = Extent::default();
        Outcome::new(&OutcomeInput {
            standings,
            table: None,
            test: None,
            candidates: None,
            tuning: None,
            race: None,
            sweeps: &[],
            extent: &extent,
            is_over: true,
            is_whole: true,
        })
    }

    /// Whether the games prove the answer.
    pub fn is_decided(&self) -> bool {
        matches!(self.answer, Answer::Decided(_))
    }

    /// The lead that the answer is about; `None` if it is not about two engines' ratings.
    pub fn lead(&self) -> Option<&Lead> {
        match &self.answer {
            Answer::Decided(Proof::Ratings(lead)) | Answer::Undecided(Missing::Pairs(lead)) => {
                Some(lead)
            }
            _ => None,
        }
    }

    /// Returns the verdict of the games on the first two engines.
    fn by_games(&self) -> Option<&Verdict> {
        match &self.answer {
            Answer::Settled(settled) => settled.by_games.as_ref(),
            _ => self.lead().map(|lead| &lead.verdict),
        }
    }

    /// Whether the answer is about the ranking, or names a winner by it, so that more verdicts on the
    /// ranking add to it. A test, candidates, a race, a tuning and a family of settings ask something
    /// else of the same games, and have the only answer.
    fn is_of_ranking(&self) -> bool {
        !matches!(
            self.answer,
            Answer::Decided(
                Proof::Test(_)
                    | Proof::Candidates(_)
                    | Proof::Race(_)
                    | Proof::Tuning(_)
                    | Proof::Sweep(_)
            ) | Answer::Undecided(
                Missing::Decision(_)
                    | Missing::Candidates(_)
                    | Missing::Race(_)
                    | Missing::Gain(_)
                    | Missing::Settings(_)
            )
        )
    }

    /// Returns the sentences of the standings beside the answer: verdicts on the ranking, if the
    /// answer is about it, and remarks.
    pub fn beside(&self, standings: &Standings) -> Vec<Sentence> {
        let ranked = ranking::summary(standings);
        if !self.is_of_ranking() {
            return ranked.into_iter().filter(|it| it.decided.is_none()).collect();
        }
        let said = self.lead().map(|lead| lead.verdict.said());
        let verdicts = summary(standings).into_iter().filter(|it| Some(it) != said.as_ref());
        verdicts.chain(ranked).collect()
    }

    /// The engine that won, or in a tournament that is not over is proven to lead.
    pub fn winner(&self) -> Option<&str> {
        match &self.answer {
            Answer::Decided(Proof::Ratings(lead)) => Some(&lead.verdict.ahead),
            Answer::Decided(Proof::Race(race)) if race.leaders.len() == 1 => {
                race.leaders.first().map(String::as_str)
            }
            Answer::Decided(Proof::Sweep(sweep)) => sweep.candidates.first().map(String::as_str),
            Answer::Settled(settled) => Some(&settled.winner),
            _ => None,
        }
    }

    /// Returns the basis of the answer, in a few words.
    pub fn basis(&self) -> Phrase {
        let with = |basis: &str| {
            Phrase::new(format!(
                "outcome.basis.{basis}.{}",
                if self.is_over { "over" } else { "open" }
            ))
        };
        match &self.answer {
            Answer::Decided(Proof::Test(test)) => {
                let hypothesis = test.state.accepted().unwrap_or_default();
                Phrase::new("outcome.basis.accepted").text("hypothesis", hypothesis)
            }
            Answer::Decided(Proof::Tuning(_)) => with("better"),
            Answer::Decided(_) => with("decided"),
            Answer::Settled(settled) => {
                let by = Phrase::new(format!("outcome.by.{}", settled.rule.word()));
                Phrase::new("outcome.basis.settled").phrase("by", by)
            }
            Answer::Undecided(Missing::Decision(_)) => with("test"),
            Answer::Undecided(Missing::Gain(tuned)) => match tuned.lead {
                Some(_) => with("no-gain"),
                None => with("untested"),
            },
            Answer::Undecided(_) => with("undecided"),
        }
    }

    /// The answer in a sentence.
    pub fn sentence(&self) -> Sentence {
        let words = match &self.answer {
            Answer::Decided(proof) => proof.words(self.is_over),
            Answer::Settled(settled) => settled.words(),
            Answer::Undecided(missing) => missing.words(self.is_over),
        };
        Sentence { decided: Some(self.is_decided()), words }
    }

    /// The outcome as fields of JSON.
    pub fn fields(&self) -> OutcomeFields {
        let lead = self.lead();
        let (state, by) = match &self.answer {
            Answer::Decided(proof) => ("decided", Some(proof.word())),
            Answer::Settled(settled) => ("settled", Some(settled.rule.word())),
            Answer::Undecided(_) => ("undecided", None),
        };
        OutcomeFields {
            state,
            over: self.is_over,
            winner: self.winner().map(str::to_owned),
            by,
            certainty: self.by_games().map(|verdict| verdict.certainty),
            lead: match &self.answer {
                Answer::Decided(Proof::Test(test)) | Answer::Undecided(Missing::Decision(test)) => {
                    Some(test.estimate)
                }
                _ => lead.and_then(|lead| lead.elo),
            },
            missing: match &self.answer {
                Answer::Undecided(missing) => Some(missing.word()),
                _ => None,
            },
            sentence: self.sentence().to_string(),
        }
    }
}

/// An [`Outcome`] as JSON.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct OutcomeFields {
    /// `decided` by the games, `settled` by the format's rule, or `undecided`.
    pub state: &'static str,
    /// Whether all games are played.
    pub over: bool,
    /// The engine that won, or is proven to lead; `null` if there is none.
    pub winner: Option<String>,
    /// By what: `ratings`, `sprt`, `candidates`, `race`, `tuning` or `sweep`; `points`, `tie-break`, `seed` or `withdrawal`.
    pub by: Option<&'static str>,
    /// The probability, 0 to 1, that the first engine of the ranking is stronger than the second.
    pub certainty: Option<f64>,
    /// Its lead in Elo; that of an SPRT is in the unit of its hypotheses.
    pub lead: Option<Estimate>,
    /// The condition that is missing: `games`, `results`, `shards`, `engines`, `connection`,
    /// `pairs`, `decision`, `stages`, `rule` or `gain`.
    pub missing: Option<&'static str>,
    /// The sentence that all reports show.
    pub sentence: String,
}

fn of_ratings(standings: &Standings) -> Answer {
    let Some(verdict) = first_place(standings) else {
        return Answer::Undecided(Missing::Connection);
    };
    let elo = standings.lead(&verdict.ahead, &verdict.behind);
    let lead = Lead { elo, verdict };
    match lead.verdict.is_decided() {
        true => Answer::Decided(Proof::Ratings(lead)),
        false => Answer::Undecided(Missing::Pairs(lead)),
    }
}

/// The answer if at most one engine with games is not withdrawn.
fn alone(standings: &Standings) -> Answer {
    match &standings.contenders()[..] {
        [winner] => Answer::Settled(Settled {
            winner: winner.engine.clone(),
            second: None,
            rule: Rule::Withdrawal,
            by_games: None,
        }),
        _ => Answer::Undecided(Missing::Engines),
    }
}

fn of_tuning(run: &TuningRun) -> Answer {
    let (values, lead) = run.recommendation();
    let tuned = Tuned { values, lead, iterations: run.iterations().len() };
    match tuned.lead {
        Some([_, low, _]) if low > 0.0 => Answer::Decided(Proof::Tuning(tuned)),
        _ => Answer::Undecided(Missing::Gain(tuned)),
    }
}

fn of_table(standings: &Standings, table: &StageTable, is_over: bool) -> Answer {
    match table {
        StageTable::Bracket(bracket) => of_bracket(standings, bracket),
        StageTable::Swiss(table) => of_swiss(standings, table, is_over),
    }
}

fn of_bracket(standings: &Standings, bracket: &Bracket) -> Answer {
    let last = bracket.stages.last().and_then(|seats| seats.first());
    let row = match last {
        Some(Seat::Encounter(row)) => Some(&bracket.rows[*row]),
        _ => None,
    };
    let Some((row, (winner, by))) = row.and_then(|row| Some((row, row.winner.as_ref()?))) else {
        let drawn = bracket.rows.last().map_or(0, |row| row.stage as usize);
        let of = bracket.stages.len();
        return Answer::Undecided(Missing::Stages { drawn, of, leader: None });
    };
    if standings.withdrawal(winner).is_some() {
        return Answer::Undecided(Missing::Engines);
    }
    let is_first = row.engines[0] == *winner;
    let ([one, other], [loser, _]) = match (is_first, &row.engines) {
        (true, [_, loser]) => (row.points, [loser, loser]),
        (false, [loser, _]) => ([row.points[1], row.points[0]], [loser, loser]),
    };
    let by_seed = (winner.clone(), WinReason::Seed);
    let before = bracket.rows.iter().filter(|it| it.stage < row.stage);
    Answer::Settled(Settled {
        winner: winner.clone(),
        second: Some(loser.clone()),
        rule: Rule::Final {
            by: *by,
            points: [one, other],
            seeds: before.filter(|it| it.winner.as_ref() == Some(&by_seed)).count(),
        },
        by_games: first_place(standings),
    })
}

fn of_swiss(standings: &Standings, table: &SwissTable, is_over: bool) -> Answer {
    let rows = table.rows.iter().filter(|row| standings.withdrawal(&row.engine).is_none());
    let rows: Vec<_> = rows.collect();
    let Some(first) = rows.first() else { return Answer::Undecided(Missing::Engines) };
    if !is_over {
        return Answer::Undecided(Missing::Stages {
            drawn: table.stages.first().map_or(0, Vec::len),
            of: table.of as usize,
            leader: Some((first.engine.clone(), first.points)),
        });
    }
    let place = |at: usize| rows.get(at).map(|row| (row.points, row.opponents));
    let level = rows.iter().take_while(|row| Some((row.points, row.opponents)) == place(0));
    let level: Vec<String> = level.map(|row| row.engine.clone()).collect();
    if level.len() > 1 {
        return Answer::Undecided(Missing::Tie { engines: level, points: first.points });
    }
    let second = rows.get(1);
    let rule = match second {
        None => Rule::Withdrawal,
        Some(second) if second.points == first.points => {
            Rule::Opponents { points: first.points, opponents: [first.opponents, second.opponents] }
        }
        Some(second) => Rule::Points([first.points, second.points]),
    };
    Answer::Settled(Settled {
        winner: first.engine.clone(),
        second: second.map(|row| row.engine.clone()),
        rule,
        by_games: first_place(standings),
    })
}

/// Half points as points.
fn points(halves: u64) -> String {
    format!("{}", halves as f64 / 2.0)
}

impl Proof {
    /// The word of JSON.
    fn word(&self) -> &'static str {
        match self {
            Proof::Ratings(_) => "ratings",
            Proof::Test(_) => "sprt",
            Proof::Candidates(_) => "candidates",
            Proof::Race(_) => "race",
            Proof::Tuning(_) => "tuning",
            Proof::Sweep(_) => "sweep",
        }
    }

    fn words(&self, is_over: bool) -> Words {
        match self {
            Proof::Ratings(Lead { verdict, elo }) => {
                let begin = if is_over { "outcome.won" } else { "outcome.leads" };
                let begin = Phrase::new(begin).name("ahead", &verdict.ahead);
                let by = elo.and_then(by);
                [begin, verdict.stronger()].into_iter().chain(by).map(Word::from).collect()
            }
            Proof::Test(test) => {
                let hypothesis = test.state.accepted().unwrap_or_default();
                let said = Phrase::new("outcome.test.accepted").name("engine", &test.engine);
                let said = said.words(
                    "lead",
                    words::accepted(&test.state).map(Word::from).into_iter().collect(),
                );
                let said = said.text("hypothesis", hypothesis);
                vec![said.phrase("pairs", words::pairs_alone(test.state.pairs)).into()]
            }
            Proof::Candidates(candidates) => candidates.words(),
            Proof::Race(race) => vec![of_race(race).into()],
            Proof::Tuning(tuned) => tuned.words(),
            Proof::Sweep(sweep) => sweep.words(),
        }
    }
}

/// By how much, as the end of a sentence; `None` if the games do not bound the lead below.
fn by(Estimate { elo, elo_low, elo_high }: Estimate) -> Option<Phrase> {
    // Adding zero turns -0 into 0.
    let signed = |elo: f64| format!("{:+.0}", elo.round() + 0.0);
    match (elo, elo_low, elo_high) {
        (Some(elo), Some(low), Some(high)) => {
            let by = Phrase::new("outcome.by").text("elo", signed(elo));
            Some(by.text("low", signed(low)).text("high", signed(high)))
        }
        (_, Some(low), None) => Some(Phrase::new("outcome.by-least").text("low", signed(low))),
        _ => None,
    }
}

/// Returns the findings of a race.
fn of_race(race: &RaceState) -> Phrase {
    let RaceState { leaders, is_decided, margin, options } = race;
    let names = list(leaders.iter().map(|name| vec![Word::name(name)]));
    let best = Phrase::new("race.best").words("names", names).text("n", leaders.len());
    if !is_decided {
        let share = format!("{:.0}", 100.0 * margin.max(0.0));
        return Phrase::new("race.open").phrase("best", best).text("share", share);
    }
    let decided = match options.within {
        0.0 => Phrase::new("race.decided"),
        elo => Phrase::new("race.decided.within").text("elo", elo),
    };
    decided.phrase("best", best).text("error", format!("{:.1}", 100.0 * options.error))
}

impl Settled {
    fn words(&self) -> Words {
        let said = |key: &'static str, [one, other]: [u64; 2]| {
            let said = Phrase::new(key).name("winner", &self.winner);
            let said = said.name("second", self.second.as_deref().unwrap_or_default());
            said.text("one", points(one)).text("other", points(other))
        };
        match self.rule {
            Rule::Final { by, points, seeds } => {
                let key = match by {
                    WinReason::Points => "outcome.final.points",
                    WinReason::Tiebreak => "outcome.final.tiebreak",
                    WinReason::Seed => "outcome.final.seed",
                    WinReason::Withdrawal => "outcome.final.withdrawal",
                };
                let before = (seeds > 0).then(|| Phrase::new("outcome.seeds").text("n", seeds));
                [said(key, points)].into_iter().chain(before).map(Word::from).collect()
            }
            Rule::Points(points) => vec![said("outcome.points", points).into()],
            Rule::Opponents { points: both, opponents } => {
                vec![said("outcome.opponents", opponents).text("points", points(both)).into()]
            }
            Rule::Withdrawal => {
                vec![Phrase::new("outcome.alone").name("winner", &self.winner).into()]
            }
        }
    }
}

impl Rule {
    /// The word of JSON and of the headline.
    fn word(self) -> &'static str {
        match self {
            Rule::Final { by: WinReason::Points, .. } | Rule::Points(_) => "points",
            Rule::Final { by: WinReason::Tiebreak, .. } | Rule::Opponents { .. } => "tie-break",
            Rule::Final { by: WinReason::Seed, .. } => "seed",
            Rule::Final { by: WinReason::Withdrawal, .. } | Rule::Withdrawal => "withdrawal",
        }
    }
}

impl Missing {
    /// The word of JSON.
    fn word(&self) -> &'static str {
        match self {
            Missing::Games => "games",
            Missing::Results(_) => "results",
            Missing::Shards => "shards",
            Missing::Engines => "engines",
            Missing::Connection => "connection",
            Missing::Pairs(_)
            | Missing::Candidates(_)
            | Missing::Race(_)
            | Missing::Settings(_) => "pairs",
            Missing::Decision(_) => "decision",
            Missing::Stages { .. } => "stages",
            Missing::Tie { .. } => "rule",
            Missing::Gain(_) => "gain",
        }
    }

    fn words(&self, is_over: bool) -> Words {
        let so_far = |words: Words| match is_over {
            true => words,
            false => [vec![Phrase::new("outcome.so-far").into()], words].concat(),
        };
        let said = match self {
            Missing::Games => Phrase::new("outcome.no-games"),
            Missing::Results(void) => Phrase::new("outcome.void").text("n", void),
            Missing::Shards => Phrase::new("outcome.shards"),
            Missing::Engines => Phrase::new("outcome.no-engines"),
            Missing::Connection => Phrase::new("outcome.connection"),
            Missing::Pairs(lead) => return so_far(lead.verdict.said().words),
            Missing::Decision(test) => {
                let key = if is_over { "outcome.test.ended" } else { "outcome.test" };
                Phrase::new(key).name("engine", &test.engine).text("n", test.state.pairs)
            }
            Missing::Candidates(candidates) => return so_far(candidates.words()),
            Missing::Race(race) => of_race(race),
            Missing::Stages { drawn, of, leader } => {
                let said = match leader {
                    Some((leader, halves)) => {
                        let said = Phrase::new("outcome.stages.leader").name("leader", leader);
                        said.text("points", points(*halves))
                    }
                    None => Phrase::new("outcome.stages"),
                };
                said.text("drawn", drawn).text("of", of)
            }
            Missing::Tie { engines, points: halves } => {
                let names = list(engines.iter().map(|name| vec![Word::name(name)]));
                let said = Phrase::new("outcome.tie").words("names", names);
                said.text("points", points(*halves))
            }
            Missing::Gain(tuned) => return tuned.words(),
            Missing::Settings(sweep) => return so_far(sweep.words()),
        };
        vec![said.into()]
    }
}

impl Tuned {
    fn words(&self) -> Words {
        let value = |it: &Recommendation| {
            let value = format!(" {}", it.parameter.text(it.value));
            vec![Word::name(&it.parameter.name), Word::Text(value)]
        };
        let values = list(self.values.iter().map(value));
        let after = Phrase::new("count.iterations").text("n", self.iterations);
        let gain = match self.lead {
            Some([elo, low, high]) => {
                let signed = |elo: f64| format!("{elo:+.0}");
                let lead = Phrase::new("tuning.lead").text("elo", signed(elo));
                lead.text("low", signed(low)).text("high", signed(high))
            }
            None => Phrase::new("tuning.untested"),
        };
        let tuned = Phrase::new("tuning.after").phrase("iterations", after).words("values", values);
        vec![tuned.into(), gain.into()]
    }
}
