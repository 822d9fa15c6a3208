//! The card at the top of the page: who won, how sure that is, and by how much; or what is still
//! missing for an answer.

use maud::{Markup, Render, html};

use super::super::figures;
use super::numbers::{minus, signed};
use super::sprt;
use crate::phrase::{Phrase, Word, Words, in_markup, some_of};
use crate::statistics::candidates::{Candidates, Standing};
use crate::statistics::outcome::{Answer, Lead, Missing, Outcome, Proof, Rule, Tuned};
use crate::statistics::results::Results;
use crate::statistics::sprt_state::Test;
use crate::statistics::standings::Standings;
use crate::statistics::verdict::percent;
use crate::tuning::{self, CONFIRM};
use crate::words;
use fanorona_ratings::sprt::Decision;
use fanorona_ratings::{Estimate, Tally};
use fanorona_tournament::pairing::stages::WinReason;
use fanorona_tournament::tuning::Recommendation;

/// A number of the card with what it means.
struct Figure {
    name: Markup,
    value: Markup,
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
                (in_markup(&[outcome.basis().into()], true))
            }
            h2 id="result-title" { (in_markup(&headline(outcome), true)) }
            div class="answer" {
                p { (in_markup(&outcome.sentence().words, true)) "." }
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
                    summary { (Phrase::new("result.verdicts")) }
                    ul class="verdicts" {
                        @for sentence in rest {
                            @let decided = sentence.decided == Some(true);
                            li class=[decided.then_some("decided")] {
                                span class="sign" aria-hidden="true" { @if decided { "✓" } @else { "?" } }
                                (in_markup(&sentence.words, false))
                            }
                        }
                    }
                    @for remark in remarks { p class="soft" { (in_markup(&remark.words, true)) "." } }
                }
            } @else {
                @for remark in remarks { p class="soft" { (in_markup(&remark.words, true)) "." } }
            }
        }
        @for (name, withdrawal) in &standings.withdrawn {
            p class="note" { span { bdi { (name) } " " (words::why_withdrawn(withdrawal)) } }
        }
        @for note in standings.notes() { p class="note" { (in_markup(&[note.into()], true)) "." } }
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
fn headline(outcome: &Outcome) -> Words {
    let of_tuned = |tuned: &Tuned| {
        let value = |it: &Recommendation| {
            let value = format!(" {}", it.parameter.text(it.value));
            vec![Word::name(&it.parameter.name), Word::Text(value)]
        };
        some_of(tuned.values.iter().map(value), NAMED)
    };
    let said = |key: &'static str| Phrase::new(key);
    vec![Word::from(match &outcome.answer {
        Answer::Decided(Proof::Ratings(lead)) => {
            let key = if outcome.is_over { "outcome.title.won" } else { "outcome.title.leads" };
            said(key).name("engine", &lead.verdict.ahead)
        }
        Answer::Decided(Proof::Test(test)) => {
            let lead = words::accepted(&test.state).map(Word::from).into_iter().collect();
            said("outcome.title.accepted").name("engine", &test.engine).words("lead", lead)
        }
        Answer::Decided(Proof::Candidates(all)) | Answer::Undecided(Missing::Candidates(all)) => {
            of_candidates(all)
        }
        Answer::Decided(Proof::Race(race)) => match &race.leaders[..] {
            [best] => said("outcome.title.best").name("engine", best),
            leaders => said("outcome.title.bests").text("n", leaders.len()),
        },
        Answer::Decided(Proof::Tuning(tuned)) | Answer::Undecided(Missing::Gain(tuned)) => {
            return of_tuned(tuned);
        }
        Answer::Decided(Proof::Sweep(_)) => said("outcome.title.setting"),
        Answer::Settled(settled) => {
            let is_by_seed = matches!(settled.rule, Rule::Final { by: WinReason::Seed, .. });
            let key = if is_by_seed { "outcome.title.seed" } else { "outcome.title.won" };
            said(key).name("engine", &settled.winner)
        }
        Answer::Undecided(missing) => match missing {
            Missing::Games | Missing::Shards => said("outcome.title.no-games"),
            Missing::Results(_) => said("outcome.title.void"),
            Missing::Engines => said("outcome.title.no-engines"),
            Missing::Connection => said("outcome.title.connection"),
            Missing::Pairs(Lead { verdict, .. }) => {
                let two = said("outcome.title.two").name("ahead", &verdict.ahead);
                two.name("behind", &verdict.behind)
            }
            Missing::Decision(_) if outcome.is_over => said("outcome.title.test.ended"),
            Missing::Decision(_) => said("outcome.title.test"),
            Missing::Race(_) => said("outcome.title.race"),
            Missing::Settings(_) => said("outcome.title.settings"),
            Missing::Stages { leader: Some((leader, _)), .. } => {
                said("outcome.title.leads").name("engine", leader)
            }
            Missing::Stages { leader: None, .. } => said("outcome.title.stages"),
            Missing::Tie { engines, .. } => {
                let names = engines.iter().map(|name| vec![Word::name(name)]);
                said("outcome.title.tie").words("engines", some_of(names, NAMED))
            }
            Missing::Candidates(_) | Missing::Gain(_) => unreachable!("it is in an arm above"),
        },
    })]
}

/// Writes the details that the sentence leaves out.
fn more(results: &Results) -> Markup {
    let Results { test, outcome, .. } = results;
    match (&outcome.answer, test) {
        (_, Some(test)) => of_test(test, outcome.is_over),
        (Answer::Undecided(Missing::Pairs(lead)), _) => match lead.elo {
            Some(elo) => html! { p { (lead_in_words(&lead.verdict.ahead, elo)) } },
            None => html! {},
        },
        (Answer::Undecided(Missing::Games), _) => {
            html! { p { (Phrase::new("result.first")) } }
        }
        (Answer::Decided(Proof::Tuning(tuned)) | Answer::Undecided(Missing::Gain(tuned)), _)
            if outcome.is_over && tuned.values.iter().any(tuning::is_changed) =>
        {
            html! {
                p { (Phrase::new("tuning.confirm").name("command", &format!("arena run {CONFIRM}"))) }
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
    let (elo0, elo1) = (state.options.elo0, state.options.elo1);
    let two = |number: f64| format!("{number:.2}");
    let said = |key: &'static str| {
        let said = Phrase::new(key).phrase("pairs", words::pairs(state)).name("engine", engine);
        let said = said.text("llr", two(state.llr)).text("lower", two(state.lower));
        said.text("upper", two(state.upper))
    };
    let said = match state.decision {
        Decision::Continue => {
            let said = said(if is_over { "sprt.over" } else { "sprt.running" });
            said.text("zero", elo0)
                .text("one", elo1)
                .phrase("unit", words::unit(state.options.model))
        }
        Decision::AcceptH0 | Decision::AcceptH1 => said("sprt.ended"),
    };
    html! { p { (said) } }
}

fn figures_of_test(test: &Test) -> Vec<Figure> {
    let Test { engine, state, estimate, .. } = test;
    let [llr, lower, upper] =
        [state.llr, state.lower, state.upper].map(|number| format!("{number:.2}"));
    let mut figures = Vec::new();
    if state.pairs > 0 {
        let Estimate { elo, elo_low, elo_high } = *estimate;
        let unit = words::unit(state.options.model);
        figures.push(Figure {
            name: Phrase::new("result.lead-of").name("engine", engine).render(),
            value: html! { (in_markup(&words::plain(elo), false)) " " (unit) },
            note: words::interval(words::plain(elo_low), words::plain(elo_high)).render(),
        });
    }
    figures.push(Figure {
        name: Phrase::new("result.ratio").render(),
        value: html! { (minus(&llr)) },
        note: Phrase::new("result.bounds").text("low", lower).text("high", upper).render(),
    });
    figures.push(Figure {
        name: Phrase::new("table.pairs").render(),
        value: html! { (state.pairs) },
        note: match state.repeated_pairs {
            0 => sprt::risks(test).render(),
            repeated => Phrase::new("result.repeated").text("n", repeated).render(),
        },
    });
    figures
}

/// Returns the number of accepted candidates, in a few words.
fn of_candidates(all: &Candidates) -> Phrase {
    let accepted: Vec<&str> = all.of(Standing::Accepted).map(|it| &*it.test.engine).collect();
    let said = |key: &'static str| Phrase::new(key);
    match (&accepted[..], all.options.elo0 == 0.0) {
        ([], _) if all.is_decided() => said("candidates.title.none"),
        ([], _) => said("candidates.title.none-yet"),
        ([one], true) => {
            said("candidates.title.better").name("engine", one).name("base", &all.base)
        }
        ([one], false) => said("candidates.title.accepted").name("engine", one),
        (many, is_from_zero) => {
            let key = match is_from_zero {
                true => "candidates.title.many-better",
                false => "candidates.title.many-accepted",
            };
            let said = said(key).text("n", many.len()).text("all", all.candidates.len());
            said.name("base", &all.base)
        }
    }
}

fn figures_of_candidates(all: &Candidates) -> Vec<Figure> {
    let (elo0, elo1) = (all.options.elo0, all.options.elo1);
    let [accepted, dropped, open] =
        [Standing::Accepted, Standing::Dropped, Standing::Open].map(|it| all.count(it));
    let [alpha, beta] = [all.options.alpha, all.options.beta].map(figures::percent);
    let pairs: u64 = all.candidates.iter().map(|it| it.test.state.pairs).sum();
    let figure = |name: &'static str, count: u64, note: Phrase| Figure {
        name: Phrase::new(name).render(),
        value: html! { (count) },
        note: note.phrase("unit", all.unit()).render(),
    };
    let note = |key: &'static str| Phrase::new(key);
    vec![
        figure(
            "candidates.count.accepted",
            accepted,
            note("candidates.note.accepted").text("elo", elo0).text("error", alpha),
        ),
        figure(
            "candidates.count.dropped",
            dropped,
            note("candidates.note.dropped").text("elo", elo1).text("error", beta),
        ),
        figure(
            "candidates.count.open",
            open,
            note("candidates.note.open").text("n", all.candidates.len()),
        ),
        figure("table.pairs", pairs, note("candidates.note.pairs")),
    ]
}

fn figures_of_tuning(tuned: &Tuned) -> Vec<Figure> {
    let mut figures: Vec<Figure> = tuned
        .values
        .iter()
        .take(NAMED)
        .map(|it| Figure {
            name: html! { bdi { (it.parameter.name) } },
            value: html! { (minus(&it.parameter.text(it.value))) },
            note: Phrase::new("tuning.start")
                .text("start", it.parameter.text(it.parameter.start))
                .render(),
        })
        .collect();
    if let Some([elo, low, high]) = tuned.lead {
        figures.push(Figure {
            name: Phrase::new("tuning.lead-over-start").render(),
            value: html! { (signed(Some(elo))) " Elo" },
            note: interval_note(Some(low), Some(high)),
        });
    }
    figures
}

/// The 95 % interval below a figure.
fn interval_note(low: Option<f64>, high: Option<f64>) -> Markup {
    words::interval(words::signed(low), words::signed(high)).render()
}

/// A lead in a sentence; an end that the games do not bound is not named.
fn lead_in_words(engine: &str, lead: Estimate) -> Phrase {
    let Estimate { elo, elo_low, elo_high } = lead;
    let said = Phrase::new(match (elo, elo_low, elo_high) {
        (Some(_), Some(_), Some(_)) => "result.lead.between",
        (_, Some(_), _) => "result.lead.least",
        (_, _, Some(_)) => "result.lead.most",
        _ => "result.lead.unbounded",
    });
    let said = said.name("engine", engine).words("elo", words::signed(elo));
    said.words("low", words::signed(elo_low)).words("high", words::signed(elo_high))
}

/// The figures about the first two engines of the main ranking that are not withdrawn.
fn of_leader(standings: &Standings) -> Vec<Figure> {
    let contenders = standings.contenders();
    let [first, second, ..] = contenders[..] else { return Vec::new() };
    let fit = standings.main();
    let mut figures = Vec::new();
    if let Some(lead) = standings.lead(&first.engine, &second.engine) {
        let name = Phrase::new("result.lead").name("ahead", &first.engine);
        figures.push(Figure {
            name: name.name("behind", &second.engine).render(),
            value: html! { (signed(lead.elo)) " Elo" },
            note: interval_note(lead.elo_low, lead.elo_high),
        });
    }
    if let Some(los) = standings.superiority(fit, &first.engine, &second.engine) {
        figures.push(Figure {
            name: Phrase::new("result.los").render(),
            value: percent(los).render(),
            note: Phrase::new("result.certain").render(),
        });
    }
    if let Some(direct) =
        standings.score(fit.scope, first, second).filter(|_| fit.engines.len() > 2)
    {
        figures.push(scored(Phrase::new("result.against").name("engine", &second.engine), direct));
    }
    figures.push(scored(Phrase::new("result.points").name("engine", &first.engine), first.tally));
    figures
}

fn scored(name: Phrase, tally: Tally) -> Figure {
    let Tally { wins, draws, losses } = tally;
    let points = Phrase::new("result.of").text("points", figures::points(2 * wins + draws));
    let counts = Phrase::new("result.counts").text("won", wins).text("drawn", draws);
    Figure {
        name: name.render(),
        value: points.text("games", tally.games()).render(),
        note: counts.text("lost", losses).render(),
    }
}
