//! Writes FGN games.

use std::borrow::{Borrow, Cow};
use std::collections::BTreeMap;
use std::io::{self, Write};

use fanorona_protocol::rules::{Board, Move, Position, Ruleset, Side, Start};

use super::text::escaped;
use crate::config::{Limit, Tournament};
use crate::notation::moves::{self, Style};
use crate::record::GameRecord;

/// Facts shared by all games of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FileTags {
    /// The tournament's name; empty if there is none.
    pub event: String,
    /// The rules of the games.
    pub rules: Ruleset,
    /// The limits of the players by name, where known.
    pub limits: BTreeMap<String, String>,
}

impl FileTags {
    /// The facts about a tournament's games.
    pub fn tournament(tournament: &Tournament) -> FileTags {
        let limit = |engine: &crate::config::EngineConfig| {
            (engine.name.clone(), tournament.limit_of(engine).to_string())
        };
        FileTags {
            event: tournament.title().to_owned(),
            rules: tournament.rules,
            limits: tournament.engines.iter().map(limit).collect(),
        }
    }

    /// The limit of a game's players in the notation of PGN, which has one clock for both and no
    /// other limit.
    pub fn pgn_time_control(&self, game: &GameRecord) -> Option<String> {
        let [white, black] = [&game.white, &game.black].map(|player| self.limits.get(player));
        match white.filter(|_| white == black)?.parse() {
            Ok(Limit::Clock(clock)) => Some(clock.pgn()),
            _ => None,
        }
    }
}

/// The maximal length of a line of moves in characters; a longer word gets a line of its own.
const WIDTH: usize = 80;

/// Writes games, each followed by a blank line.
pub fn write<G: Borrow<GameRecord>>(
    mut out: impl Write,
    games: impl IntoIterator<Item = G>,
    about: &FileTags,
) -> io::Result<()> {
    games.into_iter().try_for_each(|game| write_game(&mut out, game.borrow(), about))
}

/// The annotations of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotations {
    /// The annotator, for the tag of that name.
    pub annotator: String,
    /// The annotations of the moves. Moves beyond these have none.
    pub moves: Vec<Annotation>,
}

/// The judgements that may follow a move at once, in the order of the glyphs `$1` to `$6` of PGN.
pub const SUFFIXES: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// The annotation of a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Annotation {
    /// A judgement that follows the move at once: one of [`SUFFIXES`], or nothing.
    pub suffix: &'static str,
    /// A comment; empty if there is none. A closing brace in it is written as a bracket.
    pub comment: String,
    /// Variations: other moves in the place of this one, each with what follows it.
    pub variations: Vec<Vec<AnnotatedMove>>,
}

/// A move of a variation with what an annotator says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnnotatedMove {
    /// The move.
    pub mv: Move,
    /// Its annotation.
    pub note: Annotation,
}

/// Writes one game and a blank line.
pub fn write_game(out: impl Write, game: &GameRecord, about: &FileTags) -> io::Result<()> {
    write_annotated(out, game, about, &Annotations::default())
}

/// Writes one game with annotations, and a blank line.
pub fn write_annotated(
    mut out: impl Write,
    game: &GameRecord,
    about: &FileTags,
    annotations: &Annotations,
) -> io::Result<()> {
    out.write_all(tag_lines(game, about).as_bytes())?;
    if !annotations.annotator.is_empty() {
        writeln!(out, "{}", tag_line("Annotator", &annotations.annotator))?;
    }
    writeln!(out)?;
    wrapped(out, words(game, Style::Ugi, &annotations.moves))
}

/// Writes words in lines of limited length, and a blank line.
pub(super) fn wrapped(
    mut out: impl Write,
    words: impl IntoIterator<Item = String>,
) -> io::Result<()> {
    let mut used = 0;
    for word in words {
        let width = word.chars().count();
        match used {
            0 => {}
            used_up if used_up + 1 + width > WIDTH => {
                writeln!(out)?;
                used = 0;
            }
            _ => {
                write!(out, " ")?;
                used += 1;
            }
        }
        write!(out, "{word}")?;
        used += width;
    }
    write!(out, "\n\n")
}

/// The tags of a game, each on a line. The player tags identify the sides even if a name is empty;
/// other empty tags are left out.
pub fn tag_lines(game: &GameRecord, about: &FileTags) -> String {
    let kept = tags(game, about).into_iter();
    let kept = kept.filter(|(name, value)| !value.is_empty() || matches!(*name, "White" | "Black"));
    kept.map(|(name, value)| tag_line(name, &value) + "\n").collect()
}

/// A tag.
pub(super) fn tag_line(name: &str, value: &str) -> String {
    format!("[{name} \"{}\"]", escaped(value))
}

/// The tags of a game; some are empty.
fn tags(game: &GameRecord, about: &FileTags) -> Vec<(&'static str, String)> {
    let position = game.start.parse::<Position>().ok();
    let optional = |text: Option<String>| text.unwrap_or_default();
    let limit = |name: &str| optional(about.limits.get(name).cloned());
    let (white, black) = (limit(&game.white), limit(&game.black));
    let one_limit = white == black;
    let number = |number: u64| if number == 0 { String::new() } else { number.to_string() };
    vec![
        ("Event", about.event.clone()),
        ("Game", game.id.to_string()),
        ("Pair", optional(game.pair.map(|pair| pair.to_string()))),
        ("White", game.white.clone()),
        ("Black", game.black.clone()),
        ("Result", game.result.to_string()),
        ("Variant", optional(position.as_ref().map(variant))),
        ("Rules", about.rules.to_string()),
        ("FEN", game.start.clone()),
        ("Vela", optional(game.debtor().map(|side| side.letter().to_string()))),
        ("Opening", optional(game.opening().map(|opening| opening.to_string()))),
        ("Book", number(game.book.into())),
        ("Termination", game.reason.to_string()),
        ("Offender", optional(game.offender_name().map(Cow::into_owned))),
        ("Detail", game.detail.clone()),
        ("AdjudicatedBy", optional(game.adjudicated_by.clone())),
        ("TimeControl", if one_limit { white.clone() } else { String::new() }),
        ("WhiteTimeControl", if one_limit { String::new() } else { white }),
        ("BlackTimeControl", if one_limit { String::new() } else { black }),
        ("WhiteMs", number(game.white_ms)),
        ("BlackMs", number(game.black_ms)),
    ]
}

/// The name of the board in configs.
fn variant(start: &Position) -> String {
    let size = start.board().size();
    let is_other = *start.board() == Board::left_right(size);
    if is_other { Start::LeftRight(size) } else { Start::Usual(size) }.to_string()
}

/// The place of a move: its number and its player.
#[derive(Clone, Copy)]
struct Place {
    number: u64,
    side: Side,
}

impl Place {
    /// A move with its number. That of Black has one where a line begins.
    fn word(self, mv: &str, begins: bool) -> String {
        match self.side {
            Side::White => format!("{}. {mv}", self.number),
            Side::Black if begins => format!("{}... {mv}", self.number),
            Side::Black => mv.to_owned(),
        }
    }

    fn next(self) -> Place {
        let number = self.number + u64::from(self.side == Side::Black);
        Place { number, side: !self.side }
    }
}

/// Move numbers, moves, comments, variations and the result, in order. A comment is one word, so that
/// it is not wrapped.
pub(super) fn words(game: &GameRecord, style: Style, annotations: &[Annotation]) -> Vec<String> {
    let start = game.start.parse::<Position>();
    let mut at = start.map_or(Place { number: 1, side: Side::White }, |start| Place {
        number: u64::from(start.full_move()),
        side: start.side_to_move(),
    });
    let mut words = Vec::new();
    let mut begins = true;
    for (index, mv) in game.moves.split_ascii_whitespace().enumerate() {
        let annotation = annotations.get(index);
        let mv = match mv.parse() {
            Ok(parsed) => moves::write(&parsed, style),
            Err(_) => mv.to_owned(),
        };
        let suffix = annotation.map_or("", |annotation| annotation.suffix);
        words.push(at.word(&format!("{mv}{suffix}"), begins));
        let own = index.checked_sub(game.book as usize);
        if let Some(time) = own.and_then(|own| game.times.get(own)) {
            let score = own.and_then(|own| game.scores.get(own)).filter(|text| !text.is_empty());
            let score = score.map_or(String::new(), |score| format!(" {score}"));
            words.push(format!("{{{time}ms{score}}}"));
        }
        if let Some(annotation) = annotation {
            add_note(&mut words, annotation, at, style);
        }
        // After a variation the number of the next move is said again.
        begins = annotation.is_some_and(|annotation| !annotation.variations.is_empty());
        at = at.next();
    }
    words.push(game.result.to_string());
    words
}

/// Adds the comment on a move and the variations of it.
fn add_note(words: &mut Vec<String>, note: &Annotation, at: Place, style: Style) {
    let comment = note.comment.replace('}', ")");
    let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    if !comment.is_empty() {
        words.push(format!("{{{comment}}}"));
    }
    for variation in note.variations.iter().filter(|variation| !variation.is_empty()) {
        let first = words.len();
        let (mut at, mut begins) = (at, true);
        for AnnotatedMove { mv, note } in variation {
            let mv = format!("{}{}", moves::write(mv, style), note.suffix);
            words.push(at.word(&mv, begins));
            add_note(words, note, at, style);
            begins = !note.variations.is_empty();
            at = at.next();
        }
        words[first].insert(0, '(');
        words.last_mut().expect("a variation has moves").push(')');
    }
}
