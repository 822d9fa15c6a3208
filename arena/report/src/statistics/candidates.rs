//! The candidates of a tournament against its base: which are better, which are not, which are open,
//! and the answer in a sentence.

use super::sprt_state::Test;
use super::verdict::two_digits;
use crate::phrase::{Phrase, Word, Words, list};
use crate::words;
use fanorona_ratings::sprt::{Decision, SprtOptions};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::progress::candidates_run;

/// The candidates of a tournament.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidates {
    /// The name of the engine that every candidate plays.
    pub base: String,
    /// Whether the base is withdrawn.
    pub is_base_out: bool,
    /// The hypotheses and risks; `alpha` is the error over all candidates.
    pub options: SprtOptions,
    /// The candidates: the accepted ones, the open ones, the dropped ones, then the withdrawn ones;
    /// among these, the greatest likelihood ratio first.
    pub candidates: Vec<Candidate>,
}

/// A candidate.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The SPRT over its pairs with the base.
    pub test: Test,
    /// Its standing.
    pub standing: Standing,
    /// The pairs that an open one takes if its lead is as it looks.
    pub more_pairs: Option<u64>,
}

/// The standing of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Its lead is above `elo0`.
    Accepted,
    /// Not decided.
    Open,
    /// Its lead is below `elo1`.
    Dropped,
    /// It failed before it was decided.
    Withdrawn,
}

/// The most names in the sentence.
const NAMED: usize = 8;

impl Candidates {
    /// The candidates of a tournament; `None` in other formats.
    pub fn new(tournament: &Tournament, progress: &Progress) -> Option<Candidates> {
        let run = progress.candidates()?;
        let is_out = |engine| progress.withdrawals().iter().any(|it| it.engine == engine);
        let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
        let candidate =
            |it| Candidate::new(it, name(it.engine), is_out(it.engine), midway(run.options()));
        let mut candidates: Vec<Candidate> = run.candidates().iter().map(candidate).collect();
        candidates.sort_by(|one, other| {
            let by_ratio = || other.test.state.llr.total_cmp(&one.test.state.llr);
            one.standing.cmp(&other.standing).then_with(by_ratio)
        });
        let (base, options) = (run.base(), *run.options());
        Some(Candidates { base: name(base), is_base_out: is_out(base), options, candidates })
    }

    /// Returns the candidates of this standing.
    pub fn of(&self, standing: Standing) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(move |it| it.standing == standing)
    }

    /// The number of those of which this is known.
    pub fn count(&self, standing: Standing) -> u64 {
        self.of(standing).count() as u64
    }

    /// Whether every candidate is decided that is not withdrawn.
    pub fn is_decided(&self) -> bool {
        let decided = self.count(Standing::Accepted) + self.count(Standing::Dropped);
        self.count(Standing::Open) == 0 && decided > 0
    }

    /// The unit of leads.
    pub fn unit(&self) -> Phrase {
        words::unit(self.options.model)
    }

    /// The answer.
    pub fn words(&self) -> Words {
        let SprtOptions { elo0, elo1, alpha, .. } = self.options;
        let all = || Phrase::new("candidates.all").text("n", self.candidates.len());
        let [accepted, dropped, open, out] =
            [Standing::Accepted, Standing::Dropped, Standing::Open, Standing::Withdrawn]
                .map(|it| self.count(it));
        let answer = match accepted {
            0 if dropped == self.candidates.len() as u64 => {
                Phrase::new("candidates.below").phrase("all", all()).text("elo", elo1)
            }
            0 if elo0 == 0.0 => Phrase::new("candidates.none"),
            0 => Phrase::new("candidates.none.above").text("elo", elo0),
            count => {
                let answer = match elo0 {
                    0.0 => Phrase::new("candidates.better").text("n", count),
                    elo0 => Phrase::new("candidates.above").text("elo", elo0),
                };
                let answer = answer.phrase("names", self.accepted(count)).phrase("all", all());
                answer.text("error", format!("{:.1}", 100.0 * alpha))
            }
        };
        let answer = answer.name("base", &self.base).phrase("unit", self.unit());
        let dropped = (dropped > 0 && dropped < self.candidates.len() as u64).then(|| {
            let dropped = Phrase::new("candidates.dropped").text("n", dropped);
            dropped.text("elo", elo1).phrase("unit", self.unit())
        });
        let open = (open > 0).then(|| {
            let pairs = self.of(Standing::Open).filter_map(|it| it.more_pairs).sum();
            let pairs = words::more_pairs(two_digits(pairs));
            Phrase::new("candidates.open").text("n", open).phrase("pairs", pairs)
        });
        let out = (out > 0).then(|| Phrase::new("candidates.withdrawn").text("n", out));
        let base = self
            .is_base_out
            .then(|| Phrase::new("candidates.base-withdrawn").name("base", &self.base));
        let more = [dropped, open, out, base].into_iter().flatten();
        std::iter::once(answer).chain(more).map(Word::from).collect()
    }

    /// The accepted ones by their names.
    fn accepted(&self, count: u64) -> Phrase {
        let mut names: Vec<Words> =
            self.of(Standing::Accepted).map(|it| vec![Word::name(&it.test.engine)]).collect();
        if count > NAMED as u64 {
            names.truncate(NAMED - 1);
            let more = count - names.len() as u64;
            return Phrase::new("list.more").words("list", list(names)).text("n", more);
        }
        let last = names.pop().unwrap_or_default();
        match names.is_empty() {
            true => Phrase::new("list.one").words("one", last),
            false => Phrase::new("list.and").words("list", list(names)).words("last", last),
        }
    }
}

impl Candidate {
    fn new(it: &candidates_run::Candidate, engine: String, is_out: bool, midway: f64) -> Candidate {
        let (state, estimate, history) = (it.run.state(), it.run.estimate(), it.run.history());
        let standing = match state.decision {
            Decision::AcceptH1 => Standing::Accepted,
            Decision::AcceptH0 => Standing::Dropped,
            Decision::Continue if is_out => Standing::Withdrawn,
            Decision::Continue => Standing::Open,
        };
        let lead = estimate.elo.unwrap_or(midway);
        let more_pairs = (standing == Standing::Open)
            .then(|| it.run.remaining(lead).pairs.round().max(1.0) as u64);
        Candidate { test: Test { engine, state, estimate, history }, standing, more_pairs }
    }

    /// Returns its standing, in a few words.
    pub fn in_words(&self) -> Phrase {
        match self.standing {
            Standing::Withdrawn => Phrase::new("candidate.withdrawn"),
            _ => words::accepted(&self.test.state).unwrap_or_else(|| Phrase::new("candidate.open")),
        }
    }
}

/// The lead at which a test is longest.
fn midway(options: &SprtOptions) -> f64 {
    0.5 * (options.elo0 + options.elo1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::verdict::Sentence;
    use fanorona_ratings::Score;
    use fanorona_ratings::sprt::{Model, Sprt};
    use fanorona_tournament::pairing::ids::PairId;
    use fanorona_tournament::progress::sprt_run::SprtRun;

    /// Candidates of these names and standings against `base`.
    fn candidates(elo0: f64, of: &[(&str, Standing)]) -> Candidates {
        let options =
            SprtOptions { elo0, elo1: 20.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
        let candidate = |(name, standing): &(&str, Standing)| {
            let mut run = SprtRun::new(Sprt::new(options).unwrap());
            for game in 0..8 {
                run.add(PairId(game / 2), Some(Score::Win), None);
            }
            let (state, estimate, history) = (run.state(), run.estimate(), run.history());
            let test = Test { engine: (*name).to_owned(), state, estimate, history };
            let more_pairs = (*standing == Standing::Open).then_some(123);
            Candidate { test, standing: *standing, more_pairs }
        };
        let candidates = of.iter().map(candidate).collect();
        Candidates { base: "base".to_owned(), is_base_out: false, options, candidates }
    }

    fn said(candidates: &Candidates) -> String {
        Sentence { decided: None, words: candidates.words() }.to_string()
    }

    #[test]
    fn the_answer_is_one_sentence() {
        use Standing::{Accepted, Dropped, Open, Withdrawn};
        for (of, expected, is_decided) in [
            (
                &[("a", Accepted), ("b", Accepted), ("c", Dropped), ("d", Open), ("e", Open)][..],
                "a and b are better than base (error at most 5.0 % over all 5 candidates); the lead of \
                 1 is below 20 Elo; 2 are open: about 250 more pairs",
                false,
            ),
            (
                &[("a", Accepted), ("b", Withdrawn)],
                "a is better than base (error at most 5.0 % over all 2 candidates); 1 is withdrawn",
                true,
            ),
            (
                &[("a", Dropped), ("b", Dropped)],
                "the lead of all 2 candidates over base is below 20 Elo",
                true,
            ),
            (
                &[("a", Open), ("b", Dropped)],
                "no candidate is proven better than base; the lead of 1 is below 20 Elo; 1 is open: \
                 about 130 more pairs",
                false,
            ),
            (&[("a", Withdrawn)], "no candidate is proven better than base; 1 is withdrawn", false),
        ] {
            let candidates = candidates(0.0, of);
            assert_eq!((&*said(&candidates), candidates.is_decided()), (expected, is_decided));
        }
        // Acceptance says no more than its hypothesis.
        let simpler = candidates(-10.0, &[("a", Accepted), ("b", Open)]);
        let expected = "the lead of a over base is above -10 Elo (error at most 5.0 % over all 2 \
                        candidates); 1 is open: about 130 more pairs";
        assert_eq!(said(&simpler), expected);
        let open = candidates(-10.0, &[("a", Open)]);
        assert!(said(&open).starts_with("no lead over base is proven to be above -10 Elo; 1 is"));
        // Long lists are cut.
        let names: Vec<String> = (0..20).map(|number| format!("e{number}")).collect();
        let many: Vec<_> = names.iter().map(|name| (name.as_str(), Accepted)).collect();
        let expected = "e0, e1, e2, e3, e4, e5, e6 and 13 more are better than base (error at most \
                        5.0 % over all 20 candidates)";
        assert_eq!(said(&candidates(0.0, &many)), expected);
    }
}
