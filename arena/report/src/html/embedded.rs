//! The games as data for the page's script: one short array each, so that a thousand games stay
//! small.

use std::borrow::Cow;
use std::collections::HashMap;

use fanorona_protocol::rules::Side;
use serde::Serialize;

use super::faults::in_lines;
use crate::statistics::accuracy::Blunder;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::notation::fgn;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::short_names::short_names;
use fanorona_tournament::text::short_score::short_score;

/// The maximal number of games in a page.
pub(super) const MAX_GAMES: usize = 1000;

/// The maximal size of the games in a page, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// Collects the games of a page. If there are more than `MAX_GAMES`, games with a fault come
/// first, then the earliest.
#[derive(Clone, Debug)]
pub struct Embedded {
    about: fgn::FileTags,
    /// The number of the tournament that the next games belong to, if there are several.
    tournament: Option<u32>,
    /// The number of games added.
    games: u64,
    faults: Chosen,
    others: Chosen,
}

/// Games to embed, up to the limits.
#[derive(Clone, Debug, Default)]
struct Chosen {
    games: Vec<(Place, Game)>,
    bytes: usize,
    /// Whether a game did not fit; later games are then left out as well.
    full: bool,
}

/// The tournament of a game, if there are several, and its number there.
type Place = (Option<u32>, GameId);

impl Chosen {
    fn add(&mut self, id: Place, game: impl FnOnce() -> Game) {
        if self.full || self.games.len() == MAX_GAMES {
            self.full = true;
            return;
        }
        let game = game();
        let bytes = game.bytes();
        self.full = self.bytes + bytes > MAX_BYTES;
        if !self.full {
            self.bytes += bytes;
            self.games.push((id, game));
        }
    }
}

/// A game in the page.
#[derive(Clone, Debug)]
struct Game {
    kind: u8,
    opening: &'static str,
    start: String,
    white: String,
    black: String,
    result: GameResult,
    reason: Reason,
    offender: Option<char>,
    book: u32,
    single: usize,
    moves: String,
    scores: String,
    times: String,
    detail: String,
    first_blunder: Option<Blunder>,
    /// Its tags in FGN.
    tags: String,
}

/// The data for the script.
#[derive(Serialize)]
struct Data<'g> {
    /// The index of the game to show first, and the key of the text that says why.
    first: usize,
    why: &'static str,
    engines: Vec<&'g str>,
    /// Their names in a form that shows what differs, for the list of games.
    short: Vec<Cow<'g, str>>,
    starts: Vec<&'g str>,
    games: Vec<Row<'g>>,
}

/// The characters of a name that the list of games has room for.
const ROOM: usize = 24;

/// A game: number; 1 for a vela; indices of opening, start and engines; index of the result in 1-0,
/// 0-1, 1/2-1/2, *; reason; offender; number of opening moves; number of moves in the first phase
/// of a vela; moves; scores; times; detail; number of the first blunder or 0; the blunder in words;
/// tags in FGN.
#[derive(Serialize)]
struct Row<'g>(
    String,
    u8,
    &'g str,
    usize,
    usize,
    usize,
    usize,
    String,
    String,
    u32,
    usize,
    &'g str,
    &'g str,
    &'g str,
    &'g str,
    usize,
    String,
    &'g str,
);

/// The games of a finished page.
pub struct Embedding {
    /// JSON without any text that could end a script element.
    pub json: String,
    /// The number of games in it.
    pub(super) games: usize,
    /// The total number of games.
    pub(super) of: u64,
}

impl Embedded {
    /// No game yet, of this tournament.
    pub fn new(tournament: &Tournament) -> Embedded {
        let (faults, others) = (Chosen::default(), Chosen::default());
        let about = fgn::FileTags::tournament(tournament);
        Embedded { about, tournament: None, games: 0, faults, others }
    }

    /// Begins one of several tournaments: the numbers of its games follow that of the tournament.
    pub fn begin(&mut self, number: u32, tournament: &Tournament) {
        self.tournament = Some(number);
        self.about = fgn::FileTags::tournament(tournament);
    }

    /// Adds a game, with the first blunder in it.
    pub fn add(&mut self, game: &GameRecord, first_blunder: Option<Blunder>) {
        self.games += 1;
        let chosen = match game.reason {
            Reason::Fault(_) | Reason::Void => &mut self.faults,
            _ => &mut self.others,
        };
        chosen.add((self.tournament, game.id), || Game::new(game, first_blunder, &self.about));
    }

    /// The data for the script, which shows first the game that tells most about the first two
    /// engines of the ranking.
    pub fn finish(self, first_two: Option<(&str, &str)>) -> Embedding {
        let mut chosen = self.faults;
        for (id, game) in self.others.games {
            chosen.add(id, || game);
        }
        chosen.games.sort_by_key(|(id, _)| *id);
        let (mut engines, mut starts) = (Places::default(), Places::default());
        let rows = chosen.games.iter().map(|(id, game)| {
            let number = match id {
                (None, id) => id.to_string(),
                (Some(tournament), id) => format!("{tournament}-{id}"),
            };
            Row(
                number,
                game.kind,
                game.opening,
                starts.of(&game.start),
                engines.of(&game.white),
                engines.of(&game.black),
                place_of(game.result),
                game.reason.to_string(),
                game.offender.map_or(String::new(), String::from),
                game.book,
                game.single,
                &game.moves,
                &game.scores,
                &game.times,
                &game.detail,
                game.first_blunder.map_or(0, |blunder| blunder.mv),
                game.first_blunder.map_or(String::new(), |blunder| blunder.to_string()),
                &game.tags,
            )
        });
        let games: Vec<_> = rows.collect();
        let (first, why) = most_telling(&chosen.games, first_two);
        let short = short_names(&engines.names, ROOM);
        let (engines, starts) = (engines.names, starts.names);
        let data = Data { first, why, engines, short, starts, games };
        let json = serde_json::to_string(&data).expect("games are texts and numbers");
        Embedding { json: inert(&json), games: chosen.games.len(), of: self.games }
    }
}

/// The index of the game to show first, and why: the latest that the first of two engines won
/// against the second, the latest between them, or the last one. Games with a fault tell little.
fn most_telling(games: &[(Place, Game)], two: Option<(&str, &str)>) -> (usize, &'static str) {
    let last = |wanted: &dyn Fn(&Game, &str, &str) -> bool| {
        let (one, other) = two?;
        games.iter().rposition(|(_, game)| {
            let is_fault = matches!(game.reason, Reason::Fault(_) | Reason::Void);
            !is_fault && wanted(game, one, other)
        })
    };
    let won = last(&|game, one, other| {
        let (winner, loser) = match game.result {
            GameResult::Won(Side::White) => (&game.white, &game.black),
            GameResult::Won(Side::Black) => (&game.black, &game.white),
            _ => return false,
        };
        winner == one && loser == other
    });
    let met = || {
        last(&|game, one, other| {
            (game.white == one && game.black == other) || (game.white == other && game.black == one)
        })
    };
    let won = won.map(|index| (index, "games.first.won"));
    let met = || met().map(|index| (index, "games.first.met"));
    won.or_else(met).unwrap_or((games.len().saturating_sub(1), "games.first.last"))
}

impl Game {
    fn new(game: &GameRecord, first_blunder: Option<Blunder>, about: &fgn::FileTags) -> Game {
        let times = game.times.iter().map(u64::to_string).collect::<Vec<_>>();
        let scores = game.scores.iter().map(|score| short_score(score)).collect::<Vec<_>>();
        Game {
            kind: u8::from(game.kind == Kind::Vela),
            opening: game.opening().map_or("", |opening| opening.name()),
            start: game.start.clone(),
            white: game.white.clone(),
            black: game.black.clone(),
            result: game.result,
            reason: game.reason,
            offender: game.offender,
            book: game.book,
            single: game.first_phase(&about.rules),
            moves: game.moves.clone(),
            scores: scores.join(","),
            times: times.join(","),
            detail: in_lines(&game.detail),
            first_blunder,
            tags: fgn::tag_lines(game, about),
        }
    }

    /// The approximate size of the game's data.
    fn bytes(&self) -> usize {
        let texts = [&self.moves, &self.scores, &self.times, &self.detail, &self.tags];
        100 + texts.into_iter().map(String::len).sum::<usize>()
    }
}

fn place_of(result: GameResult) -> usize {
    let results = ["1-0", "0-1", "1/2-1/2"];
    results.iter().position(|word| *word == result.to_string()).unwrap_or(results.len())
}

/// Distinct texts, indexed in the order of appearance.
#[derive(Default)]
struct Places<'t> {
    names: Vec<&'t str>,
    known: HashMap<&'t str, usize>,
}

impl<'t> Places<'t> {
    fn of(&mut self, text: &'t str) -> usize {
        *self.known.entry(text).or_insert_with(|| {
            self.names.push(text);
            self.names.len() - 1
        })
    }
}

/// Escapes JSON for a script element: the characters that could end it, open another one or break a
/// line occur only within its texts, where they can be escaped (WHATWG HTML, "Restrictions for
/// contents of script elements").
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for letter in json.chars() {
        match letter {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                out.push_str(&format!("\\u{:04x}", letter as u32));
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_in_a_script_stays_data() {
        let hostile = "</script><!--<script>\u{2028}&amp;\"\u{2029}";
        let json = inert(&serde_json::to_string(hostile).unwrap());
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), hostile);
    }
}
