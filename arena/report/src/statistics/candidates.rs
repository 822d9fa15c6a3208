//! The candidates of a tournament against its base: which are better, which are not, which are open,
//! and the answer in a sentence.

use super::sprt_state::Test;
use super::verdict::{Word, two_digits};
use fanorona_ratings::sprt::{Decision, SprtOptions};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::progress::candidates_run;
use fanorona_tournament::text::plural::counted;

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
    /// What is known of it.
    pub standing: Standing,
    /// The pairs that an open one takes if its lead is as it looks.
    pub more_pairs: Option<u64>,
}

/// What is known of a candidate.
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

    /// Those of which this is known.
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
    pub fn unit(&self) -> &'static str {
        self.options.model.unit()
    }

    /// The answer in pieces.
    pub fn words(&self) -> Vec<Word<'static>> {
        let mut words = match self.count(Standing::Accepted) {
            0 => self.none(),
            count => self.accepted(count),
        };
        let mut add = |said: String| words.push(Word::Text(said));
        let [dropped, open, out] =
            [Standing::Dropped, Standing::Open, Standing::Withdrawn].map(|it| self.count(it));
        if dropped > 0 && dropped < self.candidates.len() as u64 {
            add(format!("; the lead of {dropped} is below {} {}", self.options.elo1, self.unit()));
        }
        if open > 0 {
            let are = if open == 1 { "is" } else { "are" };
            let pairs = self.of(Standing::Open).filter_map(|it| it.more_pairs).sum();
            let pairs = counted(two_digits(pairs), "more pair", "more pairs");
            add(format!("; {open} {are} open: about {pairs}"));
        }
        if out > 0 {
            add(format!("; {out} {} withdrawn", if out == 1 { "is" } else { "are" }));
        }
        if self.is_base_out {
            add("; ".to_owned());
            words.extend([self.base(), Word::Text(" is withdrawn".to_owned())]);
        }
        words
    }

    fn base(&self) -> Word<'static> {
        Word::Engine(self.base.clone().into())
    }

    /// How many of the candidates the error is over.
    fn all(&self) -> String {
        match self.candidates.len() {
            1 => "1 candidate".to_owned(),
            count => format!("all {count} candidates"),
        }
    }

    /// The accepted ones by their names.
    fn accepted(&self, count: u64) -> Vec<Word<'static>> {
        let SprtOptions { elo0, alpha, .. } = self.options;
        let text = |text: String| Word::Text(text);
        let named = if count <= NAMED as u64 { count } else { NAMED as u64 - 1 };
        let more = count - named;
        let mut words = Vec::new();
        if elo0 != 0.0 {
            words.push(text("the lead of ".to_owned()));
        }
        for (number, it) in (1..).zip(self.of(Standing::Accepted).take(named as usize)) {
            let joint = match number {
                1 => None,
                number if number == named && more == 0 => Some(" and "),
                _ => Some(", "),
            };
            words.extend(joint.map(|joint| text(joint.to_owned())));
            words.push(Word::Engine(it.test.engine.clone().into()));
        }
        words.extend((more > 0).then(|| text(format!(" and {more} more"))));
        let (is, end) = match (elo0, count) {
            (0.0, 1) => (" is better than ", String::new()),
            (0.0, _) => (" are better than ", String::new()),
            (elo0, _) => (" over ", format!(" is above {elo0} {}", self.unit())),
        };
        let error = 100.0 * alpha;
        words.extend([
            text(is.to_owned()),
            self.base(),
            text(format!("{end} (error at most {error:.1} % over {})", self.all())),
        ]);
        words
    }

    /// That no candidate is accepted.
    fn none(&self) -> Vec<Word<'static>> {
        let SprtOptions { elo0, elo1, .. } = self.options;
        let text = |text: String| Word::Text(text);
        if self.count(Standing::Dropped) == self.candidates.len() as u64 {
            let end = text(format!(" is below {elo1} {}", self.unit()));
            let begin = text(format!("the lead of {} over ", self.all()));
            return vec![begin, self.base(), end];
        }
        match elo0 {
            0.0 => vec![text("no candidate is proven better than ".to_owned()), self.base()],
            elo0 => vec![
                text("no lead over ".to_owned()),
                self.base(),
                text(format!(" is proven to be above {elo0} {}", self.unit())),
            ],
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

    /// What is known of it, in a few words.
    pub fn in_words(&self) -> String {
        match (self.standing, self.test.state.accepted()) {
            (Standing::Withdrawn, _) => "withdrawn".to_owned(),
            (_, Some((_, lead))) => lead,
            (_, None) => "open".to_owned(),
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
