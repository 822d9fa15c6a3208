//! The analysis of a game for readers: a table for a terminal, JSON, and annotations for FGN.

use std::fmt::Write;

use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Move, Position, Side};
use serde_json::{Value, json};

use super::figures;
use super::table::fit_to_width;
use fanorona_tournament::analysis::chance::chance;
use fanorona_tournament::analysis::{GameAnalysis, Line, PlyAnalysis, SideAnalysis};
use fanorona_tournament::notation::fgn::{Annotation, Annotations};
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::plural::counted;

/// The moves of a line that a table shows, and an annotation.
const SHORT_LINE: usize = 3;
const LONG_LINE: usize = 8;

/// The marked moves of a game and the accuracy of its sides.
pub fn text(game: &GameRecord, analysis: &GameAnalysis, width: Option<usize>) -> String {
    let GameRecord { id, kind, white, black, result, reason, .. } = game;
    let plies = counted(analysis.plies.len() as u64, "ply", "plies");
    let mut text = format!("game {id} {kind}: {white} – {black} {result} {reason}, {plies}\n");
    let start = game.start.parse::<Position>().ok();
    let row = |ply: &PlyAnalysis| {
        let score = |score: Option<Score>| score.map_or(String::new(), figures::score);
        vec![
            (ply.ply + 1).to_string(),
            format!("{}{}", numbered(start.as_ref(), ply), mark(ply)),
            ply.loss.map_or(String::new(), |loss| format!("{loss:.2}")),
            score(ply.before.score),
            score(ply.after),
            ply.better().map_or(String::new(), |line| moves(line, SHORT_LINE)),
        ]
    };
    let marked: Vec<_> = analysis.plies.iter().filter(|ply| ply.mark.is_some()).map(row).collect();
    // Writing to a string cannot fail.
    if !marked.is_empty() {
        let header = ["ply", "move", "lost", "before", "after", "better"];
        let width = width.unwrap_or(usize::MAX);
        let mut table = fit_to_width(&header, &marked, width, &[&["better"]]);
        if let Some(better) = table.column_mut(header.len() - 1) {
            better.set_cell_alignment(comfy_table::CellAlignment::Left);
        }
        let _ = writeln!(text, "{table}");
    }
    for (name, side) in [(white, Side::White), (black, Side::Black)] {
        let _ = writeln!(text, "{} {name}: {}", side_name(side), accuracy(analysis.side(side)));
    }
    text
}

/// The accuracy of a side in words.
fn accuracy(side: &SideAnalysis) -> String {
    let Some(accuracy) = side.accuracy else { return "no judged moves".to_owned() };
    let inaccuracies = counted(side.inaccuracies, "inaccuracy", "inaccuracies");
    let mistakes = counted(side.mistakes, "mistake", "mistakes");
    let blunders = counted(side.blunders, "blunder", "blunders");
    let moves = counted(side.judged, "judged move", "judged moves");
    format!("accuracy {accuracy:.1}; {inaccuracies}, {mistakes}, {blunders} in {moves}")
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

fn mark(ply: &PlyAnalysis) -> &'static str {
    ply.mark.map_or("", |mark| mark.suffix())
}

/// A move with its number: `12. e2e3A`, or `12... e5e4` for Black.
fn numbered(start: Option<&Position>, ply: &PlyAnalysis) -> String {
    let (first, black_first) = start.map_or((1, false), |start| {
        (u64::from(start.full_move()), start.side_to_move() == Side::Black)
    });
    let number = first + (ply.ply as u64 + u64::from(black_first)) / 2;
    let dots = if ply.side == Side::White { "." } else { "..." };
    format!("{number}{dots} {}", ply.played)
}

/// The first moves of a line.
fn moves(line: &Line, most: usize) -> String {
    let words: Vec<_> = line.moves.iter().take(most).map(Move::to_string).collect();
    words.join(" ")
}

/// A game's analysis as one JSON object.
pub fn json(game: &GameRecord, engine: &str, limit: &str, analysis: &GameAnalysis) -> Value {
    json!({
        "game": game.id.to_string(),
        "white": game.white,
        "black": game.black,
        "result": game.result.to_string(),
        "reason": game.reason.to_string(),
        "start": game.start,
        "book": game.book,
        "engine": engine,
        "limit": limit,
        "analysis": analysis,
    })
}

/// The annotations of a game: after every searched move its score and chance for its player, and
/// after a marked one also the mark, the loss and what was better.
pub fn annotations(game: &GameRecord, engine: &str, analysis: &GameAnalysis) -> Annotations {
    let annotation = |ply: &PlyAnalysis| {
        let Some(after) = ply.after.filter(|_| ply.ply >= game.book as usize) else {
            return Annotation::default();
        };
        let mut comment = format!("score {after}, chance {:.0} %", 100.0 * chance(after));
        if let (Some(mark), Some(loss)) = (ply.mark, ply.loss) {
            let _ = write!(comment, "; {}, loses {:.0} %", mark.word(), 100.0 * loss);
        }
        if let Some(better) = ply.better() {
            let _ = write!(comment, "; better {} ({})", moves(better, LONG_LINE), better.score);
        }
        Annotation { suffix: mark(ply), comment, ..Annotation::default() }
    };
    let moves = analysis.plies.iter().map(annotation).collect();
    Annotations { annotator: engine.to_owned(), moves }
}
