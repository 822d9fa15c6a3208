//! Writes games for other programs.

use std::io::{self, Write};

use fanorona_protocol::rules::{BoardSize, Position, Ruleset, Side, Start};

use super::foreign;
use super::write::{FileTags, tag_line, tag_lines, words, wrapped};
use crate::game::termination::{GameResult, Reason};
use crate::notation::fen::{self, Dialect};
use crate::notation::moves::Style;
use crate::record::GameRecord;

/// A notation for games that another program reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// The FGN of Fanorona-Engine: 9×5 and 5×5, velas on 9×5.
    Engine,
    /// FGN with moves as on Abstract Play, to be copied there: riatra from the usual start of 9×5.
    AbstractPlay,
    /// PGN without moves, for programs that rate players: players and results.
    Pgn,
}

/// The rules that the reader assumes for a game in the notation of Fanorona-Engine, which has no tag
/// for them.
pub fn assumed_rules(game: &GameRecord) -> Ruleset {
    match game.debtor() {
        None => Ruleset::default(),
        Some(_) => foreign::vela_rules(),
    }
}

/// Why a game was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The notation cannot express the game.
    #[error("{0}")]
    Unsupported(String),
}

/// Writes one game and a blank line. Games without a result are not written as PGN, because they do
/// not count.
pub fn write_as(
    out: impl Write,
    game: &GameRecord,
    about: &FileTags,
    notation: Notation,
) -> Result<(), WriteError> {
    match notation {
        Notation::Engine => engine(out, game, about),
        Notation::AbstractPlay => abstract_play(out, game, about),
        Notation::Pgn => Ok(pgn(out, game, about)?),
    }
}

fn start_of(game: &GameRecord) -> Result<Position, WriteError> {
    game.start.parse().map_err(|why| WriteError::Unsupported(format!("the start: {why}")))
}

fn engine(mut out: impl Write, game: &GameRecord, about: &FileTags) -> Result<(), WriteError> {
    let start = start_of(game)?;
    let size = start.board().size();
    let unsupported = |why: String| WriteError::Unsupported(format!("fanorona-engine {why}"));
    let Some(variant) = foreign::variant_name(size) else {
        return Err(unsupported(format!("does not support {size} boards")));
    };
    if start.debtor().is_some() && size != BoardSize::TSIVY {
        return Err(unsupported("has the vela on 9x5 alone".to_owned()));
    }
    let plain = start.with_debtor(None);
    let fen = fen::write(&plain, Dialect::Engine).map_err(|why| unsupported(why.to_string()))?;
    let usual = Start::Usual(size).riatra();
    // Without a FEN the debtor begins, so a debtor with Black needs one.
    let needs_fen = plain.to_string() != usual.to_string() || start.debtor() == Some(Side::Black);
    let result = match game.result {
        GameResult::Drawn => foreign::DRAW.to_owned(),
        result => result.to_string(),
    };
    // The program decides ends by the rules itself, and shows other ends as a sentence.
    let end = match game.reason {
        Reason::Rules(_) | Reason::Void => String::new(),
        reason => format!("{reason}"),
    };
    let tags = [
        ("Event", about.event.clone()),
        ("White", game.white.clone()),
        ("Black", game.black.clone()),
        ("Result", result.clone()),
        ("Variant", variant.to_owned()),
        ("Vela", start.debtor().map(foreign::side_name).unwrap_or_default().to_owned()),
        ("FEN", if needs_fen { fen } else { String::new() }),
        ("Termination", end),
    ];
    let kept = tags
        .iter()
        .filter(|(name, value)| !value.is_empty() || *name == "White" || *name == "Black");
    for (name, value) in kept {
        writeln!(out, "{}", tag_line(name, value))?;
    }
    writeln!(out)?;
    let untimed = GameRecord { times: Vec::new(), scores: Vec::new(), ..game.clone() };
    let mut words = words(&untimed, Style::Hyphens, &[]);
    words.pop();
    words.push(result);
    Ok(wrapped(out, words)?)
}

fn abstract_play(
    mut out: impl Write,
    game: &GameRecord,
    about: &FileTags,
) -> Result<(), WriteError> {
    if start_of(game)?.to_string() != Start::TSIVY.riatra().to_string() {
        let why = "Abstract Play has riatra from the usual start of 9x5 alone";
        return Err(WriteError::Unsupported(why.to_owned()));
    }
    let mut without_limits = about.rules;
    let usual = Ruleset::default();
    (without_limits.repetition, without_limits.quiet) = (usual.repetition, usual.quiet);
    if without_limits != usual {
        let why = format!("Abstract Play does not play by the rules `{}`", about.rules);
        return Err(WriteError::Unsupported(why));
    }
    writeln!(out, "{}", tag_lines(game, about))?;
    Ok(wrapped(out, words(game, Style::AbstractPlay, &[]))?)
}

fn pgn(mut out: impl Write, game: &GameRecord, about: &FileTags) -> io::Result<()> {
    if game.result == GameResult::Void {
        return Ok(());
    }
    // Rating programs know no escapes.
    let plain = |text: &str| {
        text.replace(|letter: char| letter == '"' || letter == '\\' || letter.is_control(), "'")
    };
    let event = if about.event.is_empty() { "?" } else { &about.event };
    for (name, value) in [
        ("Event", plain(event)),
        ("Site", "?".to_owned()),
        ("Date", "????.??.??".to_owned()),
        ("Round", game.id.to_string()),
        ("White", plain(&game.white)),
        ("Black", plain(&game.black)),
        ("Result", game.result.to_string()),
    ] {
        writeln!(out, "[{name} \"{value}\"]")?;
    }
    if let Some(clock) = about.pgn_time_control(game) {
        writeln!(out, "[TimeControl \"{clock}\"]")?;
    }
    write!(out, "\n{}\n\n", game.result)
}
