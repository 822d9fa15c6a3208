//! Plays the tournament of a config into a new directory, and prints the standings.
//!
//! ```sh
//! cargo run --release -p fanorona-runner --example play -- configs/quick.toml results/mine
//! ```

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use fanorona_engine::{Supervisors, helper};
use fanorona_report::{terminal, write};
use fanorona_runner::{Event, Plan, Snapshot, session};
use fanorona_tournament::config::{self, Overrides};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    // Every engine is started by another process of this program.
    if let Some(code) = helper::run() {
        return Ok(code);
    }
    let paths: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [config, dir] = &paths[..] else { return Err("usage: play CONFIG DIRECTORY".into()) };
    let tournament = config::load(config, &Overrides::default())?;
    let plan = Arc::new(Plan::new(tournament, Supervisors::new(helper::own_program()?)?)?);
    let watch = |event| {
        if let Event::Game(game, _) = event {
            println!("game {}: {} - {} {}", game.id, game.white, game.black, game.result);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let Snapshot { index, progress } = runtime.block_on(session::play(dir, &plan, watch))?;
    let results = write::write_all_files(dir, &plan.tournament, &index, &progress, None, &|_| {})?;
    print!("{}", terminal::results(&results, Some(80)));
    Ok(ExitCode::SUCCESS)
}
