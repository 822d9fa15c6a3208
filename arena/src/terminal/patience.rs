//! Says how far a rating is that takes longer than a moment.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::output::eprint_line;
use fanorona_ratings::{FitProgress, Scope};

/// Nothing is said before this time.
const FIRST: Duration = Duration::from_secs(1);

/// The time between two lines after the first.
const EVERY: Duration = Duration::from_secs(5);

/// The progress of ratings in lines: none in the first second, and then one every few seconds.
pub(crate) struct Patience<S: Fn(&str)> {
    say: S,
    next: Cell<Instant>,
}

impl Patience<fn(&str)> {
    /// Says it on standard error.
    pub(crate) fn on_stderr() -> Patience<fn(&str)> {
        let say: fn(&str) = |text| eprint_line(text);
        Patience::new(say)
    }
}

impl<S: Fn(&str)> Patience<S> {
    /// Says it by a function.
    pub(crate) fn new(say: S) -> Patience<S> {
        Patience { say, next: Cell::new(Instant::now() + FIRST) }
    }

    /// Takes note of how far a rating is.
    pub(crate) fn see(&self, progress: FitProgress) {
        let now = Instant::now();
        if now >= self.next.get() {
            self.next.set(now + EVERY);
            (self.say)(&in_words(progress));
        }
    }
}

fn in_words(progress: FitProgress) -> String {
    let FitProgress { scope, engines, done, all } = progress;
    let place = match scope {
        Scope::Kind(kind) => format!(" in {kind}"),
        Scope::All => String::new(),
    };
    match done {
        0 => format!("rating {engines} engines{place}"),
        _ => format!("rating {engines} engines{place}: {done} of {all} intervals"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn only_what_takes_a_while_is_said() {
        let said = RefCell::new(Vec::new());
        let patience = Patience::new(|text: &str| said.borrow_mut().push(text.to_owned()));
        let at = |done| FitProgress { scope: Scope::All, engines: 300, done, all: 600 };
        patience.see(at(0));
        assert!(said.borrow().is_empty());
        patience.next.set(Instant::now());
        patience.see(at(40));
        patience.see(at(41));
        assert_eq!(*said.borrow(), ["rating 300 engines: 40 of 600 intervals"]);
    }
}
