//! The card at the top of the page: who won, how sure that is, and by how much; or what is still
//! missing for an answer.

use maud::{Markup, html};

use super::super::figures;
use super::numbers::{interval, minus, signed};
use super::sprt;
use crate::statistics::candidates::{Candidates, Standing};
use crate::statistics::outcome::{Answer, Missing, Outcome, Proof, Rule, Tuned};
use crate::statistics::results::{Results, Test};
use crate::statistics::standings::Standings;
use crate::statistics::verdict::{Sentence, Word, in_percent};
use crate::tuning::{self, CONFIRM};
use crate::words;
use fanorona_ratings::sprt::Decision;
use fanorona_ratings::{Estimate, Rating, Tally};
use fanorona_tournament::pairing::stages::By;
use fanorona_tournament::text::plural::counted;

/// A number of the card with what it means.
struct Figure {
    name: Markup,
    value: String,
    note: Markup,
}

/// The card, with the other verdicts below it.
pub(super) fn section(results: &Results) -> Markup {
    let Results { standings, outcome, .. } = results;
    // The two sides of a tuning are no engines.
    let said =
        if results.tuning.is_some() { Vec::new() } else { results.outcome.beside(standings) };
    let rest: Vec<_> = said.iter().filter(|it| it.decided.is_some()).collect();
    let remarks = said.iter().filter(|sentence| sentence.decided.is_none());
    let sign = match &outcome.answer {
        Answer::Decided(_) => "✓",
        Answer::Settled(_) => "§",
        Answer::Undecided(_) => "?",
    };
    let figures = figures(results);
    html! {
        section id="result" class=(class(outcome)) aria-labelledby="result-title" {
            p class="basis" {
                span class="sign" aria-hidden="true" { (sign) }
                span { (outcome.basis()) }
            }
            h2 id="result-title" { (headline(outcome)) }
            div class="answer" {
                p { (in_markup(&capital(outcome.sentence()))) "." }
                (more(results))
            }
            @if !figures.is_empty() {
                dl class="tiles" {
                    @for Figure { name, value, note } in &figures {
                        div { dt { (name) } dd { strong { (value) } small { (note) } } }
                    }
                }
            }
            @if !rest.is_empty() {
                details {
                    summary data-say="result.verdicts" { "All verdicts" }
                    ul class="verdicts" {
                        @for sentence in rest {
                            @let decided = sentence.decided == Some(true);
                            li class=[decided.then_some("decided")] {
                                span class="sign" aria-hidden="true" { @if decided { "✓" } @else { "?" } }
                                (in_markup(sentence))
                            }
                        }
                    }
                    @for remark in remarks { p class="soft" { (in_markup(remark)) "." } }
                }
            } @else {
                @for remark in remarks { p class="soft" { (in_markup(remark)) "." } }
            }
        }
        @for (name, withdrawal) in &standings.withdrawn {
            p class="note" { bdi { (name) } " " (words::why_withdrawn(withdrawal)) }
        }
        @for note in standings.notes() { p class="note" { (note) "." } }
    }
}

/// Only what the games prove looks like a proof.
fn class(outcome: &Outcome) -> &'static str {
    match &outcome.answer {
        Answer::Decided(_) => "winner decided",
        Answer::Settled(_) => "winner settled",
        Answer::Undecided(_) => "winner",
    }
}

/// The answer in a few words.
fn headline(outcome: &Outcome) -> Markup {
    let of_tuned = |tuned: &Tuned| {
        let (first, more) = tuned.values.split_at(tuned.values.len().min(NAMED));
        html! {
            @for (place, it) in first.iter().enumerate() {
                @if place > 0 { ", " }
                bdi { (it.parameter.name) } " " (minus(&it.parameter.text(it.value)))
            }
            @if !more.is_empty() { " and " (counted(more.len() as u64, "more", "more")) }
        }
    };
    match &outcome.answer {
        Answer::Decided(Proof::Ratings(lead)) => html! {
            bdi { (lead.verdict.ahead) } @if outcome.is_over { " won" } @else { " leads" }
        },
        Answer::Decided(Proof::Test(test)) => html! {
            "The lead of " bdi { (test.engine) } " is "
            (minus(&test.state.accepted().unwrap_or_default().1))
        },
        Answer::Decided(Proof::Candidates(all)) => of_candidates(all),
        Answer::Decided(Proof::Race(race)) => match &race.leaders[..] {
            [best] => html! { bdi { (best) } " is the best" },
            leaders => html! { "The best " (leaders.len()) " are known" },
        },
        Answer::Decided(Proof::Tuning(tuned)) => of_tuned(tuned),
        Answer::Decided(Proof::Sweep(_)) => html! { "The best setting is known" },
        Answer::Settled(settled) => html! {
            bdi { (settled.winner) } " won"
            @if matches!(settled.rule, Rule::Final { by: By::Seed, .. }) { " by seed" }
        },
        Answer::Undecided(missing) => match missing {
            Missing::Games | Missing::Shards => html! { "No result yet" },
            Missing::Results(_) => html! { "No result" },
            Missing::Engines => html! { "No winner" },
            Missing::Connection => html! { "No answer" },
            Missing::Pairs(lead) => html! {
                bdi { (lead.verdict.ahead) } " or " bdi { (lead.verdict.behind) } "?"
            },
            Missing::Decision(_) if outcome.is_over => html! { "The test ended undecided" },
            Missing::Decision(_) => html! { "The test is not decided yet" },
            Missing::Candidates(all) => of_candidates(all),
            Missing::Race(_) => html! { "The best is not known yet" },
            Missing::Settings(_) => html! { "The best setting is not known yet" },
            Missing::Stages { leader: Some((leader, _)), .. } => html! {
                bdi { (leader) } " leads"
            },
            Missing::Stages { leader: None, .. } => html! { "The final is not decided" },
            Missing::Gain(tuned) => of_tuned(tuned),
            Missing::Tie { engines, .. } => html! {
                @for (place, name) in engines.iter().take(NAMED).enumerate() {
                    @if place > 0 { ", " }
                    bdi { (name) }
                }
                @if engines.len() > NAMED { " and " (engines.len() - NAMED) " more" }
                " share the first place"
            },
        },
    }
}

/// What the sentence does not say.
fn more(results: &Results) -> Markup {
    let Results { test, outcome, .. } = results;
    match (&outcome.answer, test) {
        (_, Some(test)) => of_test(test, outcome.is_over),
        (Answer::Undecided(Missing::Pairs(lead)), _) => match lead.elo {
            Some(elo) => html! { p { (lead_in_words(&lead.verdict.ahead, elo)) } },
            None => html! {},
        },
        (Answer::Undecided(Missing::Games), _) => {
            html! { p data-say="result.first" { "The first finished game gives a first answer." } }
        }
        (Answer::Decided(Proof::Tuning(tuned)) | Answer::Undecided(Missing::Gain(tuned)), _)
            if outcome.is_over && tuned.values.iter().any(tuning::is_changed) =>
        {
            html! {
                p {
                    "Test them on other openings: " code { "arena run " (CONFIRM) }
                    " in the results directory."
                }
            }
        }
        _ => html! {},
    }
}

fn figures(results: &Results) -> Vec<Figure> {
    match (&results.test, &results.outcome.answer) {
        (Some(test), _) => figures_of_test(test),
        (_, Answer::Decided(Proof::Tuning(tuned)) | Answer::Undecided(Missing::Gain(tuned))) => {
            figures_of_tuning(tuned)
        }
        (
            _,
            Answer::Decided(Proof::Candidates(all)) | Answer::Undecided(Missing::Candidates(all)),
        ) => figures_of_candidates(all),
        // The lead of the first two in the ranking would be a second answer.
        (_, Answer::Decided(Proof::Race(_) | Proof::Sweep(_))) => Vec::new(),
        (_, Answer::Undecided(Missing::Race(_) | Missing::Settings(_))) => Vec::new(),
        (_, Answer::Undecided(Missing::Shards | Missing::Engines | Missing::Connection)) => {
            Vec::new()
        }
        _ => of_leader(&results.standings),
    }
}

/// The most options in the card of a tuning, and of engines in its headline; tables have all.
const NAMED: usize = 3;

/// The first two engines of the main ranking.
pub(super) fn first_two(standings: &Standings) -> Option<(&str, &str)> {
    let [first, second, ..] = &standings.main().engines[..] else { return None };
    Some((&first.engine, &second.engine))
}

/// A test in the words of its hypotheses.
fn of_test(test: &Test, is_over: bool) -> Markup {
    let Test { engine, state, .. } = test;
    let unit = state.unit();
    let pairs = words::pairs(state);
    let llr = minus(&format!("{:.2}", state.llr));
    let [lower, upper] = [state.lower, state.upper].map(|bound| minus(&format!("{bound:.2}")));
    html! {
        p {
            @match state.decision {
                Decision::Continue => {
                    "After " (pairs) " the log-likelihood ratio is " (llr) ". H1, a lead of "
                    bdi { (engine) } " of " (minus(&state.options.elo1.to_string())) " " (unit)
                    " or more, is accepted at " (upper) "; H0, a lead of "
                    (minus(&state.options.elo0.to_string())) " or less, at " (lower) "."
                    @if is_over { " All rounds are played; more of them may decide it." }
                }
                Decision::AcceptH0 | Decision::AcceptH1 => {
                    "The test ended after " (pairs) ", when the log-likelihood ratio reached "
                    (llr) ": the bounds are " (lower) " and " (upper) ". "
                    "A decision rejects one hypothesis; the lead below says how large it may be."
                }
            }
        }
    }
}

fn figures_of_test(test: &Test) -> Vec<Figure> {
    let Test { engine, state, estimate, .. } = test;
    let unit = state.unit();
    let [llr, lower, upper] =
        [state.llr, state.lower, state.upper].map(|number| minus(&format!("{number:.2}")));
    let mut figures = Vec::new();
    if state.pairs > 0 {
        let Estimate { elo, elo_low, elo_high } = estimate;
        figures.push(Figure {
            name: html! { "Lead of " bdi { (engine) } },
            value: minus(&format!("{} {unit}", figures::elo(*elo))),
            note: html! {
                "95 %: " (minus(&figures::elo(*elo_low))) " … " (minus(&figures::elo(*elo_high)))
            },
        });
    }
    figures.push(Figure {
        name: html! { "Likelihood ratio" },
        value: llr,
        note: html! { "bounds " (lower) " and " (upper) },
    });
    figures.push(Figure {
        name: html! { "Pairs" },
        value: state.pairs.to_string(),
        note: html! {
            @if state.repeated_pairs > 0 { (state.repeated_pairs) " more repeat earlier ones" }
            @else { (sprt::risks(test)) }
        },
    });
    figures
}

/// How many candidates are accepted, in a few words.
fn of_candidates(all: &Candidates) -> Markup {
    let accepted: Vec<&str> = all.of(Standing::Accepted).map(|it| &*it.test.engine).collect();
    let is_from_zero = all.options.elo0 == 0.0;
    html! {
        @match &accepted[..] {
            [] if all.is_decided() => "No candidate is accepted",
            [] => "No candidate is accepted yet",
            [one] if is_from_zero => { bdi { (one) } " is better than " bdi { (all.base) } },
            [one] => { bdi { (one) } " is accepted" },
            many if is_from_zero => {
                (many.len()) " of " (all.candidates.len()) " are better than " bdi { (all.base) }
            },
            many => { (many.len()) " of " (all.candidates.len()) " are accepted" },
        }
    }
}

fn figures_of_candidates(all: &Candidates) -> Vec<Figure> {
    let (elo0, elo1, unit) = (all.options.elo0, all.options.elo1, all.unit());
    let [accepted, dropped, open] =
        [Standing::Accepted, Standing::Dropped, Standing::Open].map(|it| all.count(it));
    let [alpha, beta] = [all.options.alpha, all.options.beta].map(figures::percent);
    let pairs: u64 = all.candidates.iter().map(|it| it.test.state.pairs).sum();
    let figure = |name: &str, count: u64, note: String| Figure {
        name: html! { (name) },
        value: count.to_string(),
        note: html! { (minus(&note)) },
    };
    vec![
        figure("Accepted", accepted, format!("lead above {elo0} {unit}; error {alpha} % over all")),
        figure("Dropped", dropped, format!("lead below {elo1} {unit}; error {beta} % for each")),
        figure("Open", open, format!("of {} candidates", all.candidates.len())),
        figure("Pairs", pairs, "of all candidates together".to_owned()),
    ]
}

fn figures_of_tuning(tuned: &Tuned) -> Vec<Figure> {
    let mut figures: Vec<Figure> = tuned
        .values
        .iter()
        .take(NAMED)
        .map(|it| Figure {
            name: html! { bdi { (it.parameter.name) } },
            value: minus(&it.parameter.text(it.value)),
            note: html! { "start " (minus(&it.parameter.text(it.parameter.start))) },
        })
        .collect();
    if let Some([elo, low, high]) = tuned.lead {
        figures.push(Figure {
            name: html! { "Estimated lead over the start" },
            value: format!("{} Elo", signed(Some(elo))),
            note: html! { "95 %: " (interval(Some(low), Some(high))) },
        });
    }
    figures
}

/// A lead in a sentence; an end that the games do not bound is not named.
fn lead_in_words(engine: &str, lead: Estimate) -> Markup {
    let Estimate { elo, elo_low, elo_high } = lead;
    html! {
        "The lead of " bdi { (engine) }
        @match (elo, elo_low, elo_high) {
            (Some(_), Some(_), Some(_)) => {
                " is " (signed(elo)) " Elo, with 95 % confidence between " (signed(elo_low))
                " and " (signed(elo_high)) "."
            }
            (_, Some(_), _) => {
                " is at least " (signed(elo_low)) " Elo with 95 % confidence; these games do not \
                 bound it above."
            }
            (_, _, Some(_)) => {
                " is at most " (signed(elo_high)) " Elo with 95 % confidence; these games do not \
                 bound it below."
            }
            _ => " is not bounded by these games.",
        }
    }
}

/// The figures about the first two engines of the main ranking that are not withdrawn.
fn of_leader(standings: &Standings) -> Vec<Figure> {
    let contenders = standings.contenders();
    let [first, second, ..] = contenders[..] else { return Vec::new() };
    let fit = standings.main();
    let mut figures = Vec::new();
    if let Some(lead) = standings.lead(&first.engine, &second.engine) {
        figures.push(Figure {
            name: html! {
                span data-say="result.lead" {
                    "Lead of " bdi data-value="ahead" { (first.engine) } " over " bdi data-value="behind" { (second.engine) }
                }
            },
            value: format!("{} Elo", signed(lead.elo)),
            note: html! { "95 %: " (interval(lead.elo_low, lead.elo_high)) },
        });
    }
    if let Some(los) = standings.superiority(fit, &first.engine, &second.engine) {
        figures.push(Figure {
            name: html! { span data-say="result.los" { "Probability that it is stronger" } },
            value: in_percent(los),
            note: html! { span data-say="result.certain" { "certain from 97.5 % on" } },
        });
    }
    if let Some(direct) =
        standings.score(fit.scope, first, second).filter(|_| fit.engines.len() > 2)
    {
        figures.push(scored(html! { span data-say="result.against" { "Against " bdi data-value="engine" { (second.engine) } } }, direct));
    }
    figures.push(overall(first));
    figures
}

fn overall(rating: &Rating) -> Figure {
    scored(
        html! { span data-say="result.points" { "Points of " bdi data-value="engine" { (rating.engine) } } },
        rating.tally,
    )
}

fn scored(name: Markup, tally: Tally) -> Figure {
    let Tally { wins, draws, losses } = tally;
    Figure {
        name,
        value: format!("{} of {}", figures::points(2 * wins + draws), tally.games()),
        note: html! {
            span data-say="result.counts" data-won=(wins) data-drawn=(draws) data-lost=(losses) {
                (wins) " won, " (draws) " drawn, " (losses) " lost"
            }
        },
    }
}

/// A sentence with a capital, unless it begins with a name.
pub fn capital(mut sentence: Sentence<'static>) -> Sentence<'static> {
    if let Some(Word::Text(text)) = sentence.words.first_mut() {
        *text = super::standings::capital(text);
    }
    sentence
}

/// A sentence with its names set apart.
pub fn in_markup(said: &Sentence) -> Markup {
    html! {
        @for word in &said.words {
            @match word {
                Word::Engine(name) => bdi { (name) },
                Word::Text(text) => (text),
            }
        }
    }
}
