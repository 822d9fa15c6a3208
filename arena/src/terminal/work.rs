//! The progress of work that takes long and is no tournament, on standard error.

use std::fmt::Display;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::output::eprint_line;
use super::screen;

/// The time between two lines where no bar can be drawn.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A bar with words below it, or where nobody watches a line from time to time.
pub(crate) struct WorkProgress {
    bar: Option<ProgressBar>,
    told: Instant,
}

impl WorkProgress {
    /// The progress of a number of steps.
    pub(crate) fn new(steps: u64) -> WorkProgress {
        let bar = screen::stderr_draws().then(|| {
            let style =
                ProgressStyle::with_template("{bar:30} {pos}/{len} {elapsed_precise}\n{msg}");
            let bar = ProgressBar::new(steps);
            bar.set_style(style.expect("the template is well formed"));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        WorkProgress { bar, told: Instant::now() }
    }

    /// Says how many steps are done, and what is going on.
    pub(crate) fn at(&mut self, steps: u64, words: impl Display) {
        match &self.bar {
            Some(bar) => {
                bar.set_position(steps);
                bar.set_message(words.to_string());
            }
            None if self.told.elapsed() >= BETWEEN_LINES => {
                eprint_line(words);
                self.told = Instant::now();
            }
            None => {}
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
