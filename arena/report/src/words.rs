//! Phrases shared by the terminal and the page.

use super::figures;
use crate::statistics::results::Test;
use crate::statistics::standings::Standings;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{Advantage, Estimate, Fit, MatchStatistics, Scope};
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::progress::sprt_run::State;
use fanorona_tournament::progress::{Withdrawal, WithdrawalReason};
use fanorona_tournament::text::plural::counted;

/// Why an engine was withdrawn, without its name.
pub(super) fn why_withdrawn(withdrawal: &Withdrawal) -> String {
    let fault = |(game, fault): &(GameId, Fault)| format!("{fault} in game {game}");
    match &withdrawal.why {
        WithdrawalReason::Broken(why) => format!("did not start and plays no game: {why}"),
        WithdrawalReason::Faults(faults @ [.., (after, _)]) => {
            let faults = faults.each_ref().map(fault).join(", ");
            format!(
                "is withdrawn after game {after} because of faults in three games in a row: {faults}"
            )
        }
    }
}

/// The number of counted pairs, and of repeated ones.
pub fn pairs(state: &State) -> String {
    let pairs = counted(state.pairs, "pair", "pairs");
    match state.repeated_pairs {
        0 => pairs,
        repeated => format!("{pairs} ({repeated} more repeat earlier ones)"),
    }
}

/// The lead with its interval; `None` without pairs.
pub fn estimate(test: &Test) -> Option<String> {
    let Estimate { elo, elo_low, elo_high } = test.estimate;
    let unit = test.state.unit();
    (test.state.pairs > 0).then(|| {
        let [elo, low, high] = [elo, elo_low, elo_high].map(figures::elo);
        format!("lead {elo} {unit} [{low}, {high}]")
    })
}

/// The likelihood ratio of a test with its bounds.
pub fn ratio(state: &State) -> String {
    format!("LLR {:.2} [{:.2}, {:.2}]", state.llr, state.lower, state.upper)
}

/// The state of a running test: its ratio, and how many pairs it does not count, because the ratio
/// stands still while openings that have been played return.
pub fn running(state: &State) -> String {
    let ratio = ratio(state);
    match state.repeated_pairs {
        0 => ratio,
        repeated => {
            format!("{ratio}; repeated and not counted: {}", counted(repeated, "pair", "pairs"))
        }
    }
}

/// The numbers of accepted, dropped and open candidates while they play.
pub fn running_candidates([accepted, dropped, open]: [usize; 3]) -> String {
    format!("accepted {accepted}, dropped {dropped}, open {open}")
}

pub(super) fn heading(fit: &Fit) -> String {
    let kind = title(fit.scope);
    let (one, more) = match fit.scope {
        Scope::Kind(Kind::Session) => ("session", "sessions"),
        Scope::All => ("result", "results"),
        Scope::Kind(_) => ("game", "games"),
    };
    let games = counted(fit.games, one, more);
    format!("{kind}: {games} in {}", counted(fit.pairs, "pair", "pairs"))
}

/// The heading of a scope.
pub(super) fn title(scope: Scope) -> &'static str {
    match scope {
        Scope::Kind(kind) => kind.name(),
        Scope::All => "all together",
    }
}

/// The advantage of moving first, or of being the debtor.
pub(super) fn in_words(advantage: &Advantage) -> String {
    let who = match advantage.kind {
        Kind::Riatra => "White in riatra",
        Kind::Vela => "the debtor in vela",
        Kind::Session => "the first player in sessions",
    };
    let estimate = &advantage.estimate;
    let tally = &advantage.tally;
    format!(
        "{who}: {} Elo [{}, {}] with these openings, won {} drawn {} lost {}",
        figures::signed(estimate.elo),
        figures::signed(estimate.elo_low),
        figures::signed(estimate.elo_high),
        tally.wins,
        tally.draws,
        tally.losses,
    )
}

/// Statistics over pairs only, without the engine's name.
pub(super) fn over_pairs(two: &MatchStatistics) -> String {
    format!(
        "over pairs alone: Elo {} [{}, {}], normalized Elo {} [{}, {}], LOS {} %, draws {} %",
        figures::elo(two.elo),
        figures::elo(two.elo_low),
        figures::elo(two.elo_high),
        figures::elo(two.nelo),
        figures::elo(two.nelo_low),
        figures::elo(two.nelo_high),
        figures::los(two.los),
        figures::percent(two.draw_ratio),
    )
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
