//! Phrases shared by the terminal and the page.

use super::figures;
use crate::phrase::{Phrase, Word, Words, list};
use crate::statistics::sprt_state::Test;
use crate::statistics::standings::Standings;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::sprt::{Decision, Model};
use fanorona_ratings::{Advantage, Estimate, Fit, MatchStatistics, Scope};
use fanorona_tournament::config::Format;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::termination::Reason;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::progress::extent::{Counted, Extent};
use fanorona_tournament::progress::sprt_run::State;
use fanorona_tournament::progress::{Withdrawal, WithdrawalReason};
use fanorona_tournament::text::plural::counted;

/// The unit of a lead.
pub(super) fn unit(model: Model) -> Phrase {
    Phrase::new(match model {
        Model::Logistic => "unit.elo",
        Model::Normalized => "unit.normalized",
    })
}

/// Returns the lead by the accepted hypothesis; `None` if there is none.
pub(super) fn accepted(state: &State) -> Option<Phrase> {
    let (lead, elo) = match state.decision {
        Decision::AcceptH0 => ("lead.below", state.options.elo1),
        Decision::AcceptH1 => ("lead.above", state.options.elo0),
        Decision::Continue => return None,
    };
    Some(Phrase::new(lead).text("elo", elo).phrase("unit", unit(state.options.model)))
}

/// A number of pairs.
pub(super) fn pairs_alone(pairs: u64) -> Phrase {
    Phrase::new("count.pairs").text("n", pairs)
}

/// A number of pairs that are still to be played.
pub(super) fn more_pairs(pairs: u64) -> Phrase {
    Phrase::new("count.more-pairs").text("n", pairs)
}

/// Why a game ended.
pub fn reason(reason: Reason) -> Phrase {
    Phrase::new(format!("reason.{reason}"))
}

/// Why an engine was withdrawn, without its name.
pub(super) fn why_withdrawn(withdrawal: &Withdrawal) -> Phrase {
    let fault = |(game, fault): &(GameId, Fault)| {
        let said = Phrase::new("withdrawn.fault").text("game", game);
        vec![said.phrase("fault", reason(Reason::Fault(*fault))).into()]
    };
    match &withdrawal.why {
        WithdrawalReason::Broken(why) => {
            Phrase::new("withdrawn.broken").words("why", vec![Word::Text(why.to_string())])
        }
        WithdrawalReason::Faults(faults @ [.., (after, _)]) => {
            let said = Phrase::new("withdrawn.faults").text("game", after);
            said.words("faults", list(faults.iter().map(fault)))
        }
    }
}

/// The number of counted pairs, and of repeated ones.
pub fn pairs(state: &State) -> Phrase {
    match state.repeated_pairs {
        0 => pairs_alone(state.pairs),
        repeated => {
            let pairs = Phrase::new("count.pairs-repeated").text("n", state.pairs);
            pairs.text("repeated", repeated)
        }
    }
}

/// The lead with its interval; `None` without pairs.
pub fn estimate(test: &Test) -> Option<Phrase> {
    let Estimate { elo, elo_low, elo_high } = test.estimate;
    (test.state.pairs > 0).then(|| {
        let lead =
            Phrase::new("lead.estimate").words("elo", plain(elo)).words("low", plain(elo_low));
        lead.words("high", plain(elo_high)).phrase("unit", unit(test.state.options.model))
    })
}

/// The state of an SPRT: the accepted hypothesis, the ratio between its bounds, and the lead.
pub fn tested(test: &Test) -> Words {
    let Test { engine, state, .. } = test;
    let verdict = match (state.accepted(), accepted(state)) {
        (Some(hypothesis), Some(lead)) => {
            let said = Phrase::new("sprt.accepted").text("hypothesis", hypothesis);
            said.name("engine", engine).phrase("lead", lead)
        }
        _ => Phrase::new("sprt.undecided").name("engine", engine),
    };
    let verdict = verdict.phrase("pairs", pairs(state));
    let parts = [Some(verdict), Some(ratio(state)), estimate(test)].into_iter().flatten();
    let mut words = Words::new();
    for part in parts {
        words.extend((!words.is_empty()).then(|| Phrase::new("list.semicolon").into()));
        words.push(part.into());
    }
    words
}

/// The likelihood ratio of a test with its bounds.
pub fn ratio(state: &State) -> Phrase {
    let [llr, low, high] =
        [state.llr, state.lower, state.upper].map(|number| format!("{number:.2}"));
    Phrase::new("lead.ratio").text("llr", llr).text("low", low).text("high", high)
}

/// An Elo value to one decimal place, if the games bound it.
pub(super) fn plain(value: Option<f64>) -> Words {
    vec![match value {
        Some(_) => Word::Text(figures::elo(value)),
        None => Phrase::new("lead.unbounded").into(),
    }]
}

/// An Elo difference with its sign, if the games bound it.
pub(super) fn signed(value: Option<f64>) -> Words {
    vec![match value {
        Some(_) => Word::Text(figures::signed(value)),
        None => Phrase::new("lead.unbounded").into(),
    }]
}

/// The state of a running test: its ratio, and how many pairs it does not count, because the ratio
/// stands still while openings that have been played return.
pub fn running(state: &State) -> String {
    let ratio = ratio(state);
    match state.repeated_pairs {
        0 => ratio.to_string(),
        repeated => {
            format!("{ratio}; repeated and not counted: {}", counted(repeated, "pair", "pairs"))
        }
    }
}

/// The name of a kind of games.
pub(super) fn kind(kind: Kind) -> Phrase {
    Phrase::new(format!("kind.{kind}"))
}

/// The name of a format.
pub(super) fn format(format: Format) -> Phrase {
    Phrase::new(format!("format.{}", format.word()))
}

/// Returns the extent to which a tournament has been played.
pub(super) fn extent(extent: &Extent) -> Words {
    let Extent { finished, missing, void, stages, iterations, counted } = extent;
    let (played, played_of) = match counted {
        Counted::Games => ("extent.games", "extent.games.of"),
        Counted::Sessions => ("extent.sessions", "extent.sessions.of"),
        Counted::Both => ("extent.both", "extent.both.of"),
    };
    let games = match missing {
        0 => Phrase::new(played).text("n", finished),
        _ => Phrase::new(played_of).text("n", finished + missing).text("done", finished),
    };
    let stages = stages.map(|stages| Phrase::new("extent.stages").text("n", stages));
    let iterations = iterations
        .map(|(done, all)| Phrase::new("extent.iterations").text("done", done).text("n", all));
    let void = (*void > 0).then(|| Phrase::new("extent.void").text("n", void));
    [Some(games), stages, iterations, void].into_iter().flatten().map(Word::from).collect()
}

/// The numbers of accepted, dropped and open candidates while they play.
pub fn running_candidates([accepted, dropped, open]: [usize; 3]) -> String {
    format!("accepted {accepted}, dropped {dropped}, open {open}")
}

pub(super) fn heading(fit: &Fit) -> Phrase {
    let key = match fit.scope {
        Scope::Kind(Kind::Riatra) => "heading.riatra",
        Scope::Kind(Kind::Vela) => "heading.vela",
        Scope::Kind(Kind::Session) => "heading.session",
        Scope::All => "heading.all",
    };
    Phrase::new(key).text("n", fit.games).phrase("pairs", pairs_alone(fit.pairs))
}

/// The heading of a scope.
pub(super) fn title(scope: Scope) -> &'static str {
    match scope {
        Scope::Kind(kind) => kind.name(),
        Scope::All => "all together",
    }
}

/// A 95 % interval.
pub(super) fn interval(low: Words, high: Words) -> Phrase {
    Phrase::new("result.interval").words("low", low).words("high", high)
}

/// The advantage of moving first, or of being the debtor.
pub(super) fn in_words(advantage: &Advantage) -> Phrase {
    let who = match advantage.kind {
        Kind::Riatra => "advantage.riatra",
        Kind::Vela => "advantage.vela",
        Kind::Session => "advantage.session",
    };
    let estimate = &advantage.estimate;
    let tally = &advantage.tally;
    let said = Phrase::new("advantage.elo").phrase("who", Phrase::new(who));
    let said = said.words("elo", signed(estimate.elo)).words("low", signed(estimate.elo_low));
    let said = said.words("high", signed(estimate.elo_high)).text("won", tally.wins);
    said.text("drawn", tally.draws).text("lost", tally.losses)
}

/// Statistics over pairs only, without the engine's name.
pub(super) fn over_pairs(two: &MatchStatistics) -> Phrase {
    let estimate = |elo, low, high| {
        let estimate = Phrase::new("lead.interval").words("elo", plain(elo));
        estimate.words("low", plain(low)).words("high", plain(high))
    };
    let said = Phrase::new("standings.over-pairs");
    let said = said.phrase("elo", estimate(two.elo, two.elo_low, two.elo_high));
    let said = said.phrase("normalized", estimate(two.nelo, two.nelo_low, two.nelo_high));
    said.text("los", figures::los(two.los)).text("draws", figures::percent(two.draw_ratio))
}

/// Points and games, like `3.5/6`; empty if two engines have not met.
pub(super) fn cell(
    standings: &Standings,
    scope: Scope,
    rating: &fanorona_ratings::Rating,
    opponent: &fanorona_ratings::Rating,
) -> String {
    standings.score(scope, rating, opponent).map_or(String::new(), |tally| {
        let points = figures::points(2 * tally.wins + tally.draws);
        format!("{points}/{}", tally.games())
    })
}
