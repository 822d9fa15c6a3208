//! The candidates of a tournament: a table with the test of each.

use maud::{Markup, html};

use super::super::figures;
use super::numbers::{interval, minus, signed};
use super::table::{Table, titles};
use crate::phrase::Phrase;
use crate::statistics::candidates::{Candidate, Candidates, Standing};
use crate::words;

/// The hypotheses and risks.
pub(super) fn asked(candidates: &Candidates) -> Phrase {
    let options = &candidates.options;
    let [alpha, beta] = [options.alpha, options.beta].map(figures::percent);
    let asked = Phrase::new("candidates.asked").name("base", &candidates.base);
    let asked = asked.text("zero", options.elo0).text("one", options.elo1);
    asked.phrase("unit", candidates.unit()).text("alpha", alpha).text("beta", beta)
}

pub(super) fn section(candidates: &Candidates) -> Markup {
    let table = Table::new(Phrase::new("candidates.heading"))
        .texts(titles(["table.candidate", "table.decision"]))
        .numbers(titles(["table.pairs"]))
        .numbers(["LLR"])
        .numbers(titles(["table.bounds"]))
        .numbers([Phrase::new("table.lead-in").phrase("unit", candidates.unit())])
        .numbers(["95 %"]);
    html! {
        section id="candidates" aria-labelledby="candidates-title" {
            h2 id="candidates-title" { (Phrase::new("candidates.heading")) }
            (table.rows(html! { @for it in &candidates.candidates { (row(it)) } }))
            p class="soft" {
                (asked(candidates)) ". " (Phrase::new("candidates.about"))
            }
        }
    }
}

fn row(it: &Candidate) -> Markup {
    let (state, estimate) = (&it.test.state, &it.test.estimate);
    let two = |number: f64| minus(&format!("{number:.2}"));
    html! {
        tr {
            th scope="row" { bdi { (it.test.engine) } }
            td {
                @if it.standing == Standing::Accepted { strong { (it.in_words()) } }
                @else if let (Standing::Open, Some(more)) = (it.standing, it.more_pairs) {
                    (Phrase::new("candidate.open-about").phrase("pairs", words::more_pairs(more)))
                }
                @else { (it.in_words()) }
            }
            td class="number" {
                (state.pairs)
                @if state.repeated_pairs > 0 {
                    small { " (" (Phrase::new("result.repeated").text("n", state.repeated_pairs)) ")" }
                }
            }
            td class="number" { (two(state.llr)) }
            td class="number" { (two(state.lower)) " … " (two(state.upper)) }
            td class="number" { (signed(estimate.elo)) }
            td class="number" { (interval(estimate.elo_low, estimate.elo_high)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::plain;
    use crate::statistics::sprt_state::Test;
    use fanorona_ratings::Score;
    use fanorona_ratings::sprt::{Model, Sprt, SprtOptions};
    use fanorona_tournament::pairing::ids::PairId;
    use fanorona_tournament::progress::sprt_run::SprtRun;

    #[test]
    fn every_candidate_has_a_row_and_names_stay_text() {
        let (elo0, elo1, model) = (-5.0, 20.0, Model::Normalized);
        let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.1, model };
        let candidate = |pairs: u64, standing| {
            let mut run = SprtRun::new(Sprt::new(options).unwrap());
            for game in 0..2 * pairs {
                run.add(PairId(game / 2), Some(Score::Win), None);
            }
            let (state, estimate, history) = (run.state(), run.estimate(), run.history());
            let engine = "<script>".to_owned();
            let test = Test { engine, state, estimate, history };
            Candidate { test, standing, more_pairs: (pairs < 9).then_some(7) }
        };
        let base = "<base>".to_owned();
        let candidates = vec![
            candidate(90, Standing::Accepted),
            candidate(0, Standing::Open),
            candidate(0, Standing::Withdrawn),
        ];
        let page = section(&Candidates { base, is_base_out: false, options, candidates });
        let page = plain(&page.into_string());
        assert!(!page.contains("<script>") && !page.contains("NaN"), "{page}");
        assert_eq!(
            page.matches("<th scope=\"row\"><bdi>&lt;script&gt;</bdi></th>").count(),
            3,
            "{page}"
        );
        assert!(page.contains("<strong>above −5 normalized Elo</strong>"), "{page}");
        assert!(page.contains("open, about 7 more pairs") && page.contains("withdrawn"), "{page}");
        let asked =
            "H0: a lead over <bdi>&lt;base&gt;</bdi> of −5 normalized Elo or less, H1: 20 or more";
        assert!(page.contains(asked), "{page}");
    }
}
