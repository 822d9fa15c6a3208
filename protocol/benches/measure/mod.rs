//! Times pieces of work, for the benchmarks of every package.
//!
//! Each piece is repeated for some seconds. Its line has the median time of one repetition, half the
//! distance between the quartiles in per cent, and the throughput at the median. `cargo bench -- TEXT`
//! times the pieces whose names contain the text.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The time of one sample, in which a short piece is repeated many times.
const SAMPLE: Duration = Duration::from_millis(50);

/// The time of all samples of a piece, but for the fewest of them.
const ALL: Duration = Duration::from_secs(4);

/// The fewest samples of a piece.
const FEWEST: usize = 10;

/// The texts of which a name has to contain one, unless there are none.
pub(crate) struct Benchmarks(Vec<String>);

impl Benchmarks {
    /// Those that the command line asks for. `cargo bench` adds an option of its own.
    pub(crate) fn asked() -> Benchmarks {
        Benchmarks(std::env::args().skip(1).filter(|text| !text.starts_with('-')).collect())
    }

    /// Times a piece of work that handles this many of something.
    pub(crate) fn time<T>(&self, name: &str, number: u64, mut work: impl FnMut() -> T) {
        self.time_each(name, number, || (), |()| work());
    }

    /// The same with something to work on that is made anew for each repetition, outside the measured time.
    pub(crate) fn time_each<I, T>(
        &self,
        name: &str,
        number: u64,
        mut make: impl FnMut() -> I,
        mut work: impl FnMut(&mut I) -> T,
    ) {
        if !self.0.is_empty() && !self.0.iter().any(|text| name.contains(text)) {
            return;
        }
        let mut sample = |repetitions: usize| {
            let mut made: Vec<I> = (0..repetitions).map(|_| make()).collect();
            let begin = Instant::now();
            made.iter_mut().for_each(|made| drop(black_box(work(black_box(made)))));
            begin.elapsed()
        };
        // These first ones also warm the caches up.
        let mut repetitions = 1;
        while sample(repetitions) < SAMPLE {
            repetitions *= 2;
        }
        let (begin, mut seconds) = (Instant::now(), Vec::new());
        while seconds.len() < FEWEST || begin.elapsed() < ALL {
            seconds.push(sample(repetitions).as_secs_f64() / repetitions as f64);
        }
        seconds.sort_by(f64::total_cmp);
        let [low, median, high] = [1, 2, 3].map(|quarter| seconds[quarter * seconds.len() / 4]);
        let spread = 50.0 * (high - low) / median;
        let rate = number as f64 / median;
        println!("{name:<45} {} ± {spread:>4.1} % {} per second", time(median), count(rate));
    }
}

/// A time in the unit that fits.
fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:>7.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:>7.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:>7.1} ms", s * 1e3),
        s => format!("{s:>7.2} s "),
    }
}

/// A number in the unit that fits.
fn count(number: f64) -> String {
    match number {
        n if n < 1e3 => format!("{n:>7.2}"),
        n if n < 1e6 => format!("{:>7.1} thousand", n / 1e3),
        n => format!("{:>7.1} million", n / 1e6),
    }
}
