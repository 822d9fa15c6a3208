//! The search depth of bot-alphabeta over time: a table for a fixed suite of positions.
//!
//! ```console
//! $ cargo run --release -p fanorona-bots --example depths -- 0.1 1 10
//! ```
//!
//! The arguments are seconds in increasing order. Every position is searched once, after
//! `new_game`, with the default options. For each time, the table has the last iteration completed
//! by then and its node count.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, Observer, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_protocol::messages::{Info, Limits};
use fanorona_protocol::rules::{Game, Position, Ruleset};

/// The descriptions of the positions, and the positions.
const SUITE: [(&str, &str); 12] = [
    ("opening", "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1"),
    ("opening", "bbbb1b1bb/bbbbbWbbb/bW3b1bW/WWWW1WW1W/WWWWWWWW1 b - 0 4"),
    ("middle game", "b1bb1b1bb/b3b1b2/1W2b1b1W/W1WW2W1W/WW1W1WW1W w - 3 14"),
    ("middle game", "1b1b2b1b/b2b1b3/2W1b2W1/1W2W1WW1/W1W3W2 b - 0 20"),
    ("middle game", "b1b1bb1b1/1b1b2b1b/b3W3b/W1W2W1W1/1WW1W2WW w - 0 12"),
    ("ending", "b7b/2b6/4W4/6W2/W6W1 w - 12 33"),
    ("ending", "4b4/9/2b1b4/9/1W2W2W1 w - 20 41"),
    ("telo noho dimy", "2b3b2/9/4b4/9/W1W1W1W1W b - 0 40"),
    ("vela, phase one", "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1"),
    ("vela, phase one", "bbbbbbbbb/b1bb1bbbb/b1b3WbW/1b2bb2W/1W2W1WWW b b 0 8"),
    ("vela, phase one", "3b1b2b/1b1Wb1b1b/1W2WW2W/WW1WWWWWW/WWWWWWWWW w w 0 16"),
    ("vela, phase two", "b7b/2b6/4WW3/3W1WW1b/WWWW1WWWW b w 2 30"),
];

/// Records when each iteration was completed.
struct IterationTimes {
    start: Instant,
    reports: Vec<(Duration, u32, u64)>,
}

impl Observer for IterationTimes {
    fn info(&mut self, info: Info) {
        if let Some((depth, nodes)) = info.depth.zip(info.nodes) {
            self.reports.push((self.start.elapsed(), depth, nodes));
        }
    }
}

fn main() -> ExitCode {
    let times: Result<Vec<f64>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let times = match times {
        Ok(times) if !times.is_empty() && times.iter().all(|&time| time > 0.0) => times,
        _ => {
            eprintln!("usage: depths SECONDS...   for example: depths 0.1 1 10");
            return ExitCode::FAILURE;
        }
    };
    let rules = Ruleset::default();
    let mut bot = AlphaBeta::new();
    bot.set_option("Book", "none").expect("it is a value of the option");
    let heads: Vec<String> = times.iter().map(|time| format!("{time} s")).collect();
    println!("| position | | {} |", heads.join(" | "));
    println!("|---|---|{}", "---|".repeat(times.len()));
    for (name, fen) in SUITE {
        let position: Position = fen.parse().expect("the positions are legal");
        let game = Game::new(rules, position);
        let moves = RootMove::all(&position, &rules);
        bot.new_game();
        let longest = times.iter().copied().fold(0.0, f64::max);
        let start = Instant::now();
        let limits = {
            let mut limits = Limits::default();
            limits.move_time = Some((longest * 1000.0) as u64);
            limits
        };
        let budget = Budget::new(&limits, &position, Duration::ZERO, start, Arc::default());
        let task = Task { game: &game, moves: &moves, budget: &budget };
        let mut watch = IterationTimes { start, reports: Vec::new() };
        bot.choose(&task, &mut watch);
        let cells: Vec<String> = times
            .iter()
            .map(|&time| {
                let by_then = |report: &&(Duration, u32, u64)| report.0.as_secs_f64() <= time;
                match watch.reports.iter().rfind(by_then) {
                    Some((_, depth, nodes)) => format!("{depth} ({})", thousands(*nodes)),
                    None => "–".to_owned(),
                }
            })
            .collect();
        println!("| {name} | `{fen}` | {} |", cells.join(" | "));
    }
    ExitCode::SUCCESS
}

/// A number of nodes in thousands or millions.
fn thousands(nodes: u64) -> String {
    if nodes < 1_000_000 {
        format!("{:.0} k", nodes as f64 / 1e3)
    } else {
        format!("{:.1} M", nodes as f64 / 1e6)
    }
}
