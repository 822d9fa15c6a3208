//! The speed of a machine, measured by our own bot and never by a contestant. Time limits are
//! scaled by it, so that a slow machine does not change what engines play.

use std::io;
use std::path::PathBuf;
use std::thread;

use super::engine_set::Bench;
use super::{ClusterError, aside};

/// The program whose speed counts.
const BOT: &str = "bot-alphabeta";

/// The largest factor, and the inverse of the smallest: beyond it a machine is of no use here.
pub const MOST: f64 = 4.0;

/// The speed of this machine in nodes per second, with all its processors busy.
pub async fn speed_of_this_machine() -> Result<f64, ClusterError> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    speed(processors).await
}

/// The speed of this machine in nodes per second, measured by this many processes at once: the
/// slowest of them.
pub async fn speed(processes: usize) -> Result<f64, ClusterError> {
    aside(move || measure(processes)).await
}

fn measure(processes: usize) -> Result<f64, ClusterError> {
    let program = program()?;
    let failed = |why: String| {
        ClusterError::Usage(format!("cannot measure the speed with {}: {why}", program.display()))
    };
    let started: io::Result<Vec<_>> =
        (0..processes.max(1)).map(|_| Bench::start(&program, &[])).collect();
    let mut slowest = f64::INFINITY;
    for mut bench in started.map_err(|why| failed(why.to_string()))? {
        let (_, speed) = bench.result().map_err(failed)?;
        slowest = slowest.min(speed as f64);
    }
    Ok(slowest)
}

/// The bot beside the arena.
fn program() -> Result<PathBuf, ClusterError> {
    let beside = std::env::current_exe().ok().and_then(|arena| Some(arena.parent()?.join(BOT)));
    beside.filter(|path| path.is_file()).ok_or_else(|| {
        ClusterError::Usage(format!(
            "time limits are scaled by the speed of {BOT}, which is not beside the arena: build it \
             (cargo build --release -p fanorona-bots)"
        ))
    })
}

/// The factor for time limits on a machine of this speed.
///
/// # Errors
/// Returns the reason if the machine is too slow or too fast for the reference.
pub fn factor(reference: f64, speed: f64) -> Result<f64, String> {
    let factor = reference / speed;
    if (1.0 / MOST..=MOST).contains(&factor) {
        // Three digits are more than the measurement is worth.
        return Ok((factor * 1000.0).round() / 1000.0);
    }
    let how = if factor > 1.0 { "slower" } else { "faster" };
    let times = factor.max(1.0 / factor);
    Err(format!(
        "this machine searches {speed:.0} nodes per second, {times:.1} times {how} than the \
         reference of {reference:.0}: time limits are scaled by at most {MOST}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slower_machine_gets_more_time() {
        assert_eq!(factor(1000.0, 500.0), Ok(2.0));
        assert_eq!(factor(1000.0, 3000.0), Ok(0.333));
        let why = factor(1000.0, 100.0).unwrap_err();
        assert!(why.contains("10.0 times slower than the reference of 1000"), "{why}");
        assert!(factor(1000.0, 5000.0).unwrap_err().contains("5.0 times faster"));
    }
}
