//! The losses of games in a format that has no place for some of their parts.

use fanorona_protocol::rules::Ruleset;

use super::form::{Form, Found};
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::notation::fgn::{Notation, assumed_rules};
use fanorona_tournament::text::plural::counted;

/// The parts that the games of a file have.
#[derive(Debug, Default)]
pub(super) struct Losses {
    /// Rules other than the default ones.
    rules: Option<Ruleset>,
    /// Rules other than those that Fanorona-Engine plays by.
    not_assumed: Option<Ruleset>,
    pairs: bool,
    book: bool,
    times: bool,
    totals: bool,
    scores: bool,
    searches: bool,
    details: bool,
    event: bool,
    limits: bool,
    /// Limits that PGN cannot express.
    limits_of_moves: bool,
    more: bool,
    void: u64,
}

impl Losses {
    /// Adds a game with the rules it was played by.
    pub(super) fn see(&mut self, found: &Found, rules: &Ruleset) {
        let game = &found.game;
        let is_other = |assumed: Ruleset| (*rules != assumed).then_some(*rules);
        self.rules = self.rules.or(is_other(Ruleset::default()));
        self.not_assumed = self.not_assumed.or(is_other(assumed_rules(game)));
        self.pairs |= game.pair.is_some() || game.id.of_session.is_some();
        self.book |= game.book > 0;
        self.times |= game.times.iter().any(|&time| time > 0);
        self.totals |= game.white_ms + game.black_ms > 0;
        self.scores |= game.scores.iter().any(|score| !score.is_empty());
        self.searches |= !game.searches.is_empty();
        self.details |= !game.detail.is_empty();
        self.event |= !found.about.event.is_empty();
        let has_limits = !found.about.limits.is_empty();
        self.limits |= has_limits;
        self.limits_of_moves |= has_limits && found.about.pgn_time_control(game).is_none();
        self.more |= found.has_more;
        self.void += u64::from(game.result == GameResult::Void);
    }

    /// Returns the parts that a format leaves out, in words.
    pub(super) fn in_words(&self, to: Form) -> Vec<String> {
        let (is_row, is_fgn) = (to == Form::Row, to == Form::Fgn);
        let keeps_tags = is_fgn || to == Form::Other(Notation::AbstractPlay);
        let is_engine = to == Form::Other(Notation::Engine);
        let is_pgn = to == Form::Other(Notation::Pgn);
        let rules = if is_engine { self.not_assumed } else { self.rules };
        let of_rules = rules.filter(|_| !keeps_tags).map(|rules| match rules.to_string() {
            text if text.is_empty() => {
                "the rules of velas, for which that program has its own".to_owned()
            }
            text => format!("the rules `{text}`"),
        });
        let parts = [
            (is_pgn, "moves and start positions"),
            (self.pairs && (is_engine || is_pgn), "pairs and sessions"),
            (self.book && is_engine, "which moves come from an opening"),
            (self.times && !keeps_tags, "times of moves"),
            (self.totals && (is_engine || is_pgn) && !self.times, "times"),
            (self.scores && !keeps_tags, "scores"),
            (self.searches, "what engines reported beside scores (`--to moves` has it)"),
            (self.details && !keeps_tags, "details of faults and ends"),
            (self.event && is_row, "the name of the tournament"),
            (if is_pgn { self.limits_of_moves } else { self.limits && !keeps_tags }, "time limits"),
            (self.more, "comments, judgements and tags of other programs"),
        ];
        let mut lost: Vec<String> = parts
            .into_iter()
            .filter(|(is_lost, _)| *is_lost)
            .map(|(_, what)| what.to_owned())
            .collect();
        lost.extend(of_rules);
        if is_pgn && self.void > 0 {
            lost.push(format!("{} without a result", counted(self.void, "game", "games")));
        }
        lost
    }
}
