//! The card at the top of the page: who won, how sure that is, and by how much; or what is still
//! missing for an answer.

use maud::{Markup, html};

use super::super::figures;
use super::numbers::{interval, minus, signed};
use super::{sprt, stages};
use crate::ratings::sprt::Decision;
use crate::ratings::{Estimate, Fit, Rating, Scope, Tally};
use crate::report::tuning::{self, CONFIRM};
use crate::report::words;
use crate::statistics::ranking;
use crate::statistics::results::{Results, Test};
use crate::statistics::standings::Standings;
use crate::statistics::verdict::{
    Sentence, Verdict, Word, first_place, in_percent, place, summary,
};
use crate::text::plural::counted;
use crate::tuning::TuningRun;

/// An answer to the question of the tournament.
struct Answer {
    decided: bool,
    /// What the answer rests on, in one or two words.
    basis: String,
    title: Markup,
    sentences: Markup,
    figures: Vec<Figure>,
}

/// A number of the card with what it means.
struct Figure {
    name: Markup,
    value: String,
    note: Markup,
}

/// The card, with the other verdicts below it.
pub(super) fn section(results: &Results) -> Markup {
    let standings = &results.standings;
    let said = match (&results.test, &results.tuning) {
        // The test uses the same games, and the two sides of a tuning are no engines.
        (Some(_), _) | (_, Some(_)) => Vec::new(),
        (None, None) => [summary(standings), ranking::summary(standings)].concat(),
    };
    let of_stages = results.table.as_ref().and_then(stages::verdict);
    let answer = match (&results.test, &results.tuning, of_stages) {
        (Some(test), _, _) => of_test(test, results.extent.missing == 0),
        (None, Some(run), _) => of_tuning(run, results.extent.missing == 0),
        (None, None, Some((decided, title))) => of_table(results, decided, title),
        (None, None, None) => of_ranking(results),
    };
    // The card says the first of these itself.
    let is_told = |index: usize| index == 0 && results.table.is_none();
    let rest =
        said.iter().enumerate().filter(|(index, it)| !is_told(*index) && it.decided.is_some());
    let rest: Vec<_> = rest.map(|(_, sentence)| sentence).collect();
    let remarks = said.iter().filter(|sentence| sentence.decided.is_none());
    let Answer { decided, basis, title, sentences, figures } = answer;
    html! {
        section id="result" class=(if decided { "winner decided" } else { "winner" }) aria-labelledby="result-title" {
            p class="basis" {
                span class="sign" aria-hidden="true" { @if decided { "✓" } @else { "?" } }
                (basis)
            }
            h2 id="result-title" { (title) }
            div class="answer" { (sentences) }
            @if !figures.is_empty() {
                dl class="tiles" {
                    @for Figure { name, value, note } in &figures {
                        div { dt { (name) } dd { strong { (value) } small { (note) } } }
                    }
                }
            }
            @if !rest.is_empty() {
                details {
                    summary { "All verdicts" }
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
        @if let Some(race) = &results.race { p class="note" { "Race: " (words::race(race)) "." } }
        @for (name, withdrawal) in &standings.withdrawn {
            p class="note" { bdi { (name) } " " (words::why_withdrawn(withdrawal)) }
        }
        @for note in standings.notes() { p class="note" { (note) "." } }
    }
}

/// The fit that the page is about: over all kinds, or of the only one.
fn main_fit(standings: &Standings) -> Option<&Fit> {
    standings.shown().last()
}

/// The first two engines of the main ranking.
pub(super) fn first_two(standings: &Standings) -> Option<(&str, &str)> {
    let [first, second, ..] = &main_fit(standings)?.engines[..] else { return None };
    Some((&first.engine, &second.engine))
}

/// The answer of a test, in the words of its hypotheses.
fn of_test(test: &Test, is_over: bool) -> Answer {
    let Test { engine, state, estimate, .. } = test;
    let unit = words::unit(state);
    let pairs = words::pairs(state);
    let llr = minus(&format!("{:.2}", state.llr));
    let [lower, upper] = [state.lower, state.upper].map(|bound| minus(&format!("{bound:.2}")));
    let (basis, title) = match words::accepted(state) {
        Some((hypothesis, lead)) => (
            format!("SPRT: {hypothesis} accepted"),
            html! { "The lead of " bdi { (engine) } " is " (minus(&lead)) },
        ),
        None if is_over => ("SPRT: undecided".to_owned(), html! { "The test ended undecided" }),
        None => ("SPRT: in progress".to_owned(), html! { "The test is not decided yet" }),
    };
    let sentences = html! {
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
    };
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
    Answer { decided: state.decision != Decision::Continue, basis, title, sentences, figures }
}

/// The answer of a tuning: the recommended values.
fn of_tuning(run: &TuningRun, is_over: bool) -> Answer {
    let (recommended, lead) = run.recommendation();
    let decided = lead.is_some_and(|[_, low, _]| low > 0.0);
    let basis = match (is_over, lead) {
        (false, _) => "Tuning in progress",
        (true, Some(_)) if decided => "Tuned: better than the start",
        (true, Some(_)) => "Tuned: no proven gain",
        (true, None) => "Tuned: not tested yet",
    };
    let done = counted(run.iterations().len() as u64, "iteration", "iterations");
    let games = counted(tuning::games(run), "game", "games");
    let (first, more) = recommended.split_at(recommended.len().min(NAMED));
    let mut figures: Vec<Figure> = first
        .iter()
        .map(|it| Figure {
            name: html! { bdi { (it.parameter.name) } },
            value: minus(&it.parameter.text(it.value)),
            note: html! { "start " (minus(&it.parameter.text(it.parameter.start))) },
        })
        .collect();
    if let Some([elo, low, high]) = lead {
        figures.push(Figure {
            name: html! { "Estimated lead over the start" },
            value: format!("{} Elo", signed(Some(elo))),
            note: html! { "95 %: " (interval(Some(low), Some(high))) },
        });
    }
    Answer {
        decided,
        basis: basis.to_owned(),
        title: html! {
            @for (place, it) in first.iter().enumerate() {
                @if place > 0 { ", " }
                bdi { (it.parameter.name) } " " (minus(&it.parameter.text(it.value)))
            }
            @if !more.is_empty() { " and " (counted(more.len() as u64, "more", "more")) }
        },
        sentences: html! {
            p {
                "These values are recommended after " (done) " with " (games) "."
                @if is_over && recommended.iter().any(tuning::is_changed) {
                    " Test them on other openings: " code { "arena run " (CONFIRM) }
                    " in the results directory."
                }
            }
        },
        figures,
    }
}

/// The most options in the card of a tuning; the table has all.
const NAMED: usize = 3;

/// The answer of a Swiss table or a bracket; the ratings say how sure it is.
fn of_table(results: &Results, decided: bool, title: Markup) -> Answer {
    let standings = &results.standings;
    let basis = if decided { "Decided" } else { "Not decided" };
    let sentences = html! {
        @if let Some(verdict) = first_place(standings) {
            p { "By the ratings: " (in_markup(&verdict.said())) "." }
        }
    };
    Answer { decided, basis: basis.to_owned(), title, sentences, figures: of_leader(standings) }
}

/// The answer of the ratings.
fn of_ranking(results: &Results) -> Answer {
    let standings = &results.standings;
    let figures = of_leader(standings);
    let is_over = results.extent.missing == 0;
    let open = |title: &str, sentence: &str| Answer {
        decided: false,
        basis: "Undecided".to_owned(),
        title: html! { (title) },
        sentences: html! { p { (sentence) } },
        figures: Vec::new(),
    };
    let Some(fit) = main_fit(standings).filter(|fit| fit.games > 0) else {
        return open("No result yet", "The first finished game gives a first answer.");
    };
    let Some(verdict) = first_place(standings) else {
        return open(
            "No answer",
            "The first two engines of the ranking cannot be compared: no games connect them.",
        );
    };
    let Verdict { ahead, behind, certainty, scope, .. } = &verdict;
    if !verdict.is_decided() {
        return Answer {
            decided: false,
            basis: if is_over { "Undecided" } else { "In progress, undecided" }.to_owned(),
            title: html! { bdi { (ahead) } " or " bdi { (behind) } "?" },
            sentences: html! {
                p { "The result is " (in_markup(&verdict.said())) "." }
                @if let Some(lead) = lead(fit) { p { (lead_in_words(ahead, lead)) } }
            },
            figures,
        };
    }
    let others = match fit.engines.len() {
        2 => String::new(),
        engines => format!(", the second of {engines} engines,"),
    };
    let in_kind = match scope {
        Scope::All => String::new(),
        scope => format!(" {}", place(*scope)),
    };
    Answer {
        decided: true,
        basis: if is_over { "Decided" } else { "In progress, already decided" }.to_owned(),
        title: html! { bdi { (ahead) } @if is_over { " won" } @else { " leads" } },
        sentences: html! {
            p {
                "It is stronger than " bdi { (behind) } (others) (in_kind) " with a probability of "
                (in_percent(*certainty)) "."
            }
            @if let Some(lead) = lead(fit) { p { (lead_in_words(ahead, lead)) } }
        },
        figures,
    }
}

/// The lead of the first engine of a ranking over the second.
fn lead(fit: &Fit) -> Option<Estimate> {
    *fit.leads.first()?.get(1)?
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

/// The figures about the first engine of the main ranking.
fn of_leader(standings: &Standings) -> Vec<Figure> {
    let Some(fit) = main_fit(standings).filter(|fit| fit.games > 0) else { return Vec::new() };
    let [first, second, ..] = &fit.engines[..] else { return Vec::new() };
    let mut figures = Vec::new();
    if let Some(lead) = lead(fit) {
        figures.push(Figure {
            name: html! { "Lead over " bdi { (second.engine) } },
            value: format!("{} Elo", signed(lead.elo)),
            note: html! { "95 %: " (interval(lead.elo_low, lead.elo_high)) },
        });
    }
    if let Some(los) = first.los {
        figures.push(Figure {
            name: html! { "Probability that it is stronger" },
            value: in_percent(los),
            note: html! { "certain from 97.5 % on" },
        });
    }
    if let Some(direct) =
        standings.score(fit.scope, first, second).filter(|_| fit.engines.len() > 2)
    {
        figures.push(scored(html! { "Against " bdi { (second.engine) } }, direct));
    }
    figures.push(overall(first));
    figures
}

fn overall(rating: &Rating) -> Figure {
    scored(html! { "Points of " bdi { (rating.engine) } }, rating.tally)
}

fn scored(name: Markup, tally: Tally) -> Figure {
    let Tally { wins, draws, losses } = tally;
    Figure {
        name,
        value: format!("{} of {}", figures::points(2 * wins + draws), tally.games()),
        note: html! { (wins) " won, " (draws) " drawn, " (losses) " lost" },
    }
}

fn in_markup(said: &Sentence) -> Markup {
    html! {
        @for word in &said.words {
            @match word {
                Word::Engine(name) => bdi { (name) },
                Word::Text(text) => (text),
            }
        }
    }
}
