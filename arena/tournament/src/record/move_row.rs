//! The moves of a game as rows of `moves.csv`, for notebooks and other programs.

use fanorona_protocol::rules::{Position, Side};
use serde::Serialize;

use super::GameRecord;
use crate::text::table::plain_cell;

/// A move of a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct MoveRow {
    /// The number of the game.
    pub game: String,
    /// The number of the move in the game, from 1, including the opening.
    pub ply: usize,
    /// The side that moved, `w` or `b`.
    pub side: String,
    /// The name of the engine of that side.
    pub engine: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether it comes from the opening.
    pub book: bool,
    /// The time in milliseconds.
    pub ms: Option<u64>,
    /// The reported score in hundredths of a stone, from the player's view.
    pub score: Option<i64>,
    /// The plies to a reported end: positive for a win, negative for a loss.
    pub mate: Option<i64>,
    /// The reported depth in plies.
    pub depth: Option<u32>,
    /// The reported number of positions.
    pub nodes: Option<u64>,
    /// The reported number of positions per second.
    pub nps: Option<u64>,
    /// The reported number of positions found in tables.
    pub tbhits: Option<u64>,
    /// The first moves of the reported principal variation.
    pub pv: String,
}

/// The moves of a game.
pub fn move_rows(game: &GameRecord) -> impl Iterator<Item = MoveRow> + '_ {
    let start = game.start.parse::<Position>().ok();
    let mut side = start.map_or(Side::White, |start| start.side_to_move());
    game.moves.split_ascii_whitespace().enumerate().map(move |(place, mv)| {
        let mover = side;
        side = !side;
        let own = place.checked_sub(game.book as usize);
        let score = own.and_then(|own| game.scores.get(own)).map_or("", String::as_str);
        let (kind, number) = score.split_once(' ').unwrap_or_default();
        let number = number.parse::<i64>().ok();
        let search = own.and_then(|own| game.searches.get(own)).cloned().unwrap_or_default();
        MoveRow {
            game: game.id.to_string(),
            ply: place + 1,
            side: if mover == Side::White { "w" } else { "b" }.to_owned(),
            engine: if mover == Side::White { &game.white } else { &game.black }.clone(),
            mv: mv.to_owned(),
            book: own.is_none(),
            ms: own.and_then(|own| game.times.get(own)).copied(),
            score: number.filter(|_| kind == "cp"),
            mate: match kind {
                "win" => number,
                "loss" => number.map(|plies| -plies),
                _ => None,
            },
            depth: search.depth,
            nodes: search.nodes,
            nps: search.nps,
            tbhits: search.tbhits,
            pv: plain_cell(&search.pv).into_owned(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::search_note::SearchNote;
    use fanorona_protocol::rules::Start;

    #[test]
    fn every_move_is_a_row_with_what_its_engine_reported() {
        let (result, reason) = ("1-0".parse().unwrap(), "no-move".parse().unwrap());
        let search = SearchNote { depth: Some(3), pv: "d3d2".to_owned(), ..SearchNote::default() };
        let game = GameRecord {
            white: "a".to_owned(),
            black: "b".to_owned(),
            moves: "e2e3A e5e4 d3d2".to_owned(),
            book: 1,
            times: vec![7, 8],
            scores: vec!["cp -5".to_owned(), "loss 4".to_owned()],
            searches: vec![search, SearchNote::default()],
            ..GameRecord::new("2".parse().unwrap(), &Start::TSIVY.riatra(), result, reason)
        };
        let rows: Vec<_> = move_rows(&game).collect();
        assert_eq!(rows.len(), 3);
        assert!(rows[0].book && rows[0].ms.is_none() && rows[0].engine == "a");
        assert_eq!(
            (&*rows[1].side, rows[1].ms, rows[1].score, rows[1].depth),
            ("b", Some(7), Some(-5), Some(3))
        );
        assert_eq!((&*rows[1].pv, rows[2].mate, rows[2].score), ("d3d2", Some(-4), None));
    }
}
