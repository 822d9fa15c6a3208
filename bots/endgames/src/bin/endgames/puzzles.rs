//! `endgames puzzles`: a page of puzzles, as Markdown.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use fanorona_endgames::memory::Bytes;
use fanorona_endgames::program::{self, CliError};
use fanorona_endgames::{
    self as endgame, Census, Count, Layer, MAX_STONES, MIN_MOVES, Outcome, Part, Puzzle, SideStats,
    Tables,
};
use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{BoardSize, Move, Point, Position, Side};
use indicatif::ProgressBar;

use super::percent;

#[derive(Args, Debug)]
pub(super) struct PuzzlesArgs {
    /// The directory of the tables
    dir: PathBuf,
    /// The board, columns x rows
    #[arg(long, value_name = "B", default_value = "9x5")]
    board: BoardSize,
    /// Number of longest wins of each kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    wins: usize,
    /// Number of positions of each kind with a single right move
    #[arg(long, value_name = "N", default_value_t = 6)]
    single: usize,
    /// Number of random positions of three against five
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    sample: u64,
    /// Seed of the random positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of threads [default: one per processor]
    #[arg(long, value_name = "T", value_parser = super::count)]
    threads: Option<NonZeroUsize>,
    /// Memory limit for tables, for example 500M or 20G
    #[arg(long, value_name = "M", default_value = "4G")]
    memory: Bytes,
}

/// The numbers of stones of the longest wins: the winner's and the other side's.
const WINS: [(u32, u32); 2] = [(3, 3), (4, 3)];

/// The puzzles with a single right move: its outcome, and the stones of the side to move and of the
/// other side.
const SINGLE: [(Outcome, u32, u32); 4] =
    [(Outcome::Draw, 2, 3), (Outcome::Draw, 3, 3), (Outcome::Win, 3, 3), (Outcome::Draw, 3, 4)];

/// The search depth for positions of three against five without a capture, in plies.
const PLIES: u32 = 3;

/// The number of positions among which single right moves of three against five are looked for: to
/// look at each move of all of them takes hours.
const MANY: u64 = 250_000_000;

/// Generates the page.
pub(super) fn page(args: &PuzzlesArgs) -> Result<String, CliError> {
    let mut tables = Tables::open(&args.dir, args.board, MAX_STONES)?;
    let threads = super::threads(args.threads);
    let bar = program::bar("{elapsed} {msg}", None);
    bar.enable_steady_tick(Duration::from_millis(500));
    let mut page = format!(
        "# Puzzles\n\n\
         Endgame positions on {board}, solved by the [tables](ENDGAMES.md). It is always White's turn (○).\n\
         `╋` and `┼` are empty points with and without diagonals. Plies count the moves of both sides to\n\
         the end of the game under perfect play. Positions that are images of each other under a symmetry\n\
         of the board count as one.\n\n\
         Generated from tables of up to {stones} stones by\n\n\
         ```console\n$ endgames puzzles DIR{options}\n```\n",
        board = args.board,
        options = options(args),
        stones = tables.stones(),
    );
    for (own, enemy) in WINS {
        let Some(layer) = tables.layer_of(own, enemy) else { continue };
        bar.set_message(format!("{layer}: longest wins"));
        tables.unpack(layer, args.memory.0)?;
        let puzzles = endgame::longest_wins(&tables, (own, enemy), args.wins, threads)?;
        page += &format!(
            "\n\
             ## {} against {}: the longest wins\n\
             \n\
             The longest wins of all. Of equally long wins, those with the fewest winning moves come first.\n\
             The number after each move of a solution is the length of the win in plies.\n",
            capitalised(own),
            number_word(enemy),
        );
        page += &numbered(&format!("{own}–{enemy}"), &puzzles);
    }
    page += &format!(
        "\n\
         ## A single right move\n\
         \n\
         White has {MIN_MOVES} moves or more. One of them wins (or draws) and all others lose. The longer the\n\
         others hold out, the harder it is to find the right move: the hardest puzzles come first.\n",
    );
    for (outcome, own, enemy) in SINGLE {
        let Some(layer) = tables.layer_of(own, enemy) else { continue };
        bar.set_message(format!("{layer}: single right moves"));
        tables.unpack(layer, args.memory.0)?;
        let aim = if outcome == Outcome::Win { "wins" } else { "draws" };
        page +=
            &format!("\n### {} against {}: one move {aim}\n", capitalised(own), number_word(enemy));
        let part = Part::ALL;
        let [puzzles] =
            endgame::single_moves(&tables, (own, enemy), [outcome], args.single, part, threads)?;
        page += &numbered(&format!("{own}–{enemy} {aim},"), &puzzles);
    }
    page += &telo_noho_dimy(&mut tables, args, threads, &bar)?;
    bar.finish_and_clear();
    Ok(page)
}

/// The options that differ from their defaults.
fn options(args: &PuzzlesArgs) -> String {
    let mut text = String::new();
    if args.board != BoardSize::TSIVY {
        text += &format!(" --board {}", args.board);
    }
    for (name, value, usual) in [
        ("wins", args.wins as u64, 20),
        ("single", args.single as u64, 6),
        ("sample", args.sample, 100_000),
        ("seed", args.seed, 1),
    ] {
        if value != usual {
            text += &format!(" --{name} {value}");
        }
    }
    text
}

/// The section about three against five, or the closest endings in the tables.
fn telo_noho_dimy(
    tables: &mut Tables,
    args: &PuzzlesArgs,
    threads: usize,
    bar: &ProgressBar,
) -> Result<String, CliError> {
    let mut page =
        "\n## Telo noho dimy\n\nThe legendary endgame of three stones against five.\n".to_owned();
    if let Some(layer) = tables.layer_of(3, 5) {
        page += &every_ending(tables, layer, args, threads, bar)?;
        return Ok(page);
    }
    let stones = tables.stones();
    page += &format!(
        "It has eight stones, and these tables have up to {stones}. They show the following:\n\n",
    );
    if let Some(layer) = tables.layer_of(4, 3) {
        page += "**When one of the five is gone**, everything is known:\n\n";
        page += &sides(tables.sides(layer));
        page += "\n";
        tables.unpack(layer, args.memory.0)?;
    }
    if stones < 7 {
        page +=
            "**With all eight** on the board, tables with fewer than seven stones show nothing.\n";
        return Ok(page);
    }
    let sample = (args.sample, args.seed);
    let three = endgame::survey(tables, (3, 5), sample, PLIES, args.single)?;
    let five = endgame::survey(tables, (5, 3), sample, PLIES, 0)?;
    page += &format!(
        "**With all eight** on the board, captures are compulsory and the tables know the positions after them.\n\
         Positions without a capture are searched {PLIES} plies deep. The table is from {sample} random positions\n\
         for each side to move (seed {seed}, all equally likely). Shares are in per cent of the row, with 95 %\n\
         intervals in brackets:\n\n\
         | to move | | of all | wins | draws | losses | open |\n|---|---|---|---|---|---|---|\n",
        sample = args.sample,
        seed = args.seed,
    );
    for (name, survey) in [("three", &three), ("five", &five)] {
        for (kind, count) in [
            ("capture", survey.captures),
            ("no capture", survey.quiet),
            ("all", survey.captures.with(&survey.quiet)),
        ] {
            page += &survey_row(name, kind, count, args.sample);
        }
    }
    page += "\n\
         Open positions may be wins of either side or draws. Only tables of eight stones decide them\n\
         (`endgames build --stones 8 --layer 5v3`).\n";
    if !three.single_wins.is_empty() {
        page += "\n### Three against five: one move wins\n\n\
                 The hardest positions of the sample in which the three must capture.\n";
        page += &numbered("3–5 wins,", &three.single_wins);
    }
    Ok(page)
}

/// The results of the tables of three against five.
fn every_ending(
    tables: &mut Tables,
    layer: Layer,
    args: &PuzzlesArgs,
    threads: usize,
    bar: &ProgressBar,
) -> Result<String, CliError> {
    let mut page = "The tables have all its positions:\n\n".to_owned();
    page += &sides(tables.sides(layer));
    page += "\nCaptures are compulsory, so where there is one, much is already decided. Shares are in per cent\n\
             of the row:\n\n\
             | to move | | of all | wins | draws | losses | positions |\n|---|---|---|---|---|---|---|\n";
    bar.set_message("three against five: captures");
    let sides = endgame::census(tables, (3, 5), threads)?.expect("the layer is there");
    for (own, Census { captures, quiet }) in [3, 5].into_iter().zip(sides) {
        let all = captures.with(&quiet).positions();
        for (kind, count) in [("capture", captures), ("no capture", quiet)] {
            page += &census_row(number_word(own), kind, &count, all);
        }
    }
    bar.set_message("three against five: longest wins");
    tables.unpack(layer, args.memory.0)?;
    for (own, enemy) in [(3, 5), (5, 3)] {
        page += &format!(
            "\n### {} against {}: the longest wins\n",
            capitalised(own),
            number_word(enemy)
        );
        let puzzles = endgame::longest_wins(tables, (own, enemy), args.single, threads)?;
        page += &numbered(&format!("{own}–{enemy}"), &puzzles);
    }
    bar.set_message("three against five: single right moves");
    let part = Part::one_in(tables.len(layer) / MANY);
    let outcomes = [Outcome::Win, Outcome::Draw];
    let found = endgame::single_moves(tables, (3, 5), outcomes, args.single, part, threads)?;
    for (puzzles, aim) in found.iter().zip(["wins", "draws"]) {
        page += &format!("\n### Three against five: one move {aim}\n");
        if part != Part::ALL {
            page += &format!(
                "\nThe hardest of one position in {}, taken evenly from all.\n",
                part.every()
            );
        }
        page += &numbered(&format!("3–5 {aim},"), puzzles);
    }
    Ok(page)
}

/// A row with the outcomes of all positions of one kind.
fn census_row(name: String, kind: &str, count: &Count, of: u64) -> String {
    let all = count.positions();
    format!(
        "| {name} | {kind} | {:.4} | {:.4} | {:.4} | {:.4} | {all} |\n",
        percent(all, of),
        percent(count.wins, all),
        percent(count.draws, all),
        percent(count.losses, all),
    )
}

/// Puzzles one after the other, each with the name of their kind and its number.
fn numbered(kind: &str, puzzles: &[Puzzle]) -> String {
    let numbered = puzzles.iter().enumerate();
    numbered
        .map(|(index, puzzle)| puzzle_text(&format!("{kind} no. {}", index + 1), puzzle))
        .collect()
}

/// A row with the outcomes of a sample's positions of one kind.
fn survey_row(name: &str, kind: &str, count: Count, sample: u64) -> String {
    let of = |part: u64, all: u64| {
        if part == 0 || part == all {
            return if part == 0 { "0".to_owned() } else { "100".to_owned() };
        }
        // Wilson's score interval (1927).
        let (n, z) = (all.max(1) as f64, 1.96);
        let p = part as f64 / n;
        let centre = (p + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half = z / (1.0 + z * z / n) * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let low = (100.0 * (centre - half)).max(0.0);
        format!("{:.2} [{low:.2}, {:.2}]", 100.0 * p, 100.0 * (centre + half))
    };
    let all = count.positions();
    format!(
        "| {name} | {kind} | {} | {} | {} | {} | {} |\n",
        of(all, sample),
        of(count.wins, all),
        of(count.draws, all),
        of(count.losses, all),
        of(count.open, all),
    )
}

/// The statistics of a layer as a table.
fn sides(sides: &[SideStats]) -> String {
    let mut text = "| to move | against | wins | draws | losses | positions | longest win |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for side in sides {
        let all = side.wins + side.draws + side.losses;
        let longest = side.longest.map_or("–".to_owned(), |longest| longest.plies.to_string());
        text += &format!(
            "| {} | {} | {:.4} % | {:.4} % | {:.4} % | {all} | {longest} plies |\n",
            number_word(side.own),
            number_word(side.enemy),
            percent(side.wins, all),
            percent(side.draws, all),
            percent(side.losses, all),
        );
    }
    text
}

/// A puzzle: its number, its task, the board, and the solution below it.
fn puzzle_text(number: &str, puzzle: &Puzzle) -> String {
    let moves = puzzle.moves.len();
    let solutions: Vec<String> = puzzle.solutions().map(solution_move).collect();
    let (task, wins) = match puzzle.value {
        Value::Win(plies) => (format!("White wins in {plies} plies"), true),
        _ => ("White draws".to_owned(), false),
    };
    let by = match (solutions.len(), wins) {
        (1, true) => format!("one of {moves} moves wins"),
        (1, false) => format!("one of {moves} moves holds"),
        (count, _) => format!("{count} of {moves} moves win"),
    };
    let wrong = match puzzle.refutation() {
        Some(plies) if solutions.len() == 1 => {
            format!(" All others lose, in at least {plies} plies.")
        }
        _ => String::new(),
    };
    let line: Vec<String> = puzzle.line.iter().map(Move::to_string).collect();
    let line = match line.len() {
        0 | 1 => String::new(),
        _ => format!("\n\nContinuation: `{}` …", line.join(" ")),
    };
    format!(
        "\n**{number}.** {task}; {by}.\n\n```text\n{}```\n\n`{}`\n\n\
         <details><summary>Solution</summary>\n\n{}.{wrong}{line}\n\n</details>\n",
        board_text(&puzzle.position),
        puzzle.position,
        solutions.join(", "),
    )
}

/// A move of a solution with its plies.
fn solution_move((mv, value): &(Move, Value)) -> String {
    match value {
        Value::Win(plies) => format!("`{mv}` ({plies})"),
        _ => format!("`{mv}`"),
    }
}

fn number_word(count: u32) -> String {
    match count {
        2 => "two".to_owned(),
        3 => "three".to_owned(),
        4 => "four".to_owned(),
        5 => "five".to_owned(),
        count => count.to_string(),
    }
}

fn capitalised(count: u32) -> String {
    let number_word = number_word(count);
    let mut letters = number_word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// A board as text with its lines.
fn board_text(position: &Position) -> String {
    let board = position.board();
    let (columns, rows) = (board.size().columns(), board.size().rows());
    let mut text = String::new();
    for row in (0..rows).rev() {
        let sign = |column: usize| {
            let point = Point::new(column, row).expect("it is on the board");
            match (board.at(point), point.is_strong()) {
                (Some(Side::White), _) => "○",
                (Some(Side::Black), _) => "●",
                (None, true) => "╋",
                (None, false) => "┼",
            }
        };
        let points: Vec<_> = (0..columns).map(sign).collect();
        text += &format!("{} {}\n", row + 1, points.join("───"));
        if row > 0 {
            // From a strong point on the upper left a diagonal falls, else one rises.
            let falls = |column: usize| (row + column).is_multiple_of(2);
            let between = |column: usize| if falls(column) { " ╲ │" } else { " ╱ │" };
            text += &format!("  │{}\n", (0..columns - 1).map(between).collect::<String>());
        }
    }
    let names: Vec<_> = (b'a'..).take(columns).map(|name| char::from(name).to_string()).collect();
    text + &format!("  {}\n", names.join("   "))
}
