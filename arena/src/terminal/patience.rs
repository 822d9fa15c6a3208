//! Says how far a rating is that takes longer than a moment, and who leads a large field.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::output::eprint_line;
use fanorona_ratings::{FitProgress, Scope};

/// Nothing is said before this time.
const FIRST: Duration = Duration::from_secs(1);

/// The time between two lines after the first.
const EVERY: Duration = Duration::from_secs(5);

/// From this many engines on, the first places are said as soon as they are known.
const MANY: usize = 1000;

/// The progress of ratings in lines: none in the first second, and then one every few seconds.
pub(crate) struct Patience<S: Fn(&str)> {
    say: S,
    /// The results whose first places have been said.
    known: Cell<Option<Scope>>,
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
        Patience { say, known: Cell::new(None), next: Cell::new(Instant::now() + FIRST) }
    }

    /// Takes note of how far a rating is.
    pub(crate) fn see(&self, progress: FitProgress) {
        let FitProgress { scope, engines, first, .. } = progress;
        if engines >= MANY && !first.is_empty() && self.known.replace(Some(scope)) != Some(scope) {
            (self.say)(&leaders(progress));
        }
        let now = Instant::now();
        if now >= self.next.get() {
            self.next.set(now + EVERY);
            (self.say)(&in_words(progress));
        }
    }
}

fn in_words(progress: FitProgress) -> String {
    let FitProgress { scope, engines, done, all, .. } = progress;
    let place = place(scope);
    match done {
        0 => format!("rating {engines} engines{place}"),
        _ => format!("rating {engines} engines{place}: {done} of {all} intervals"),
    }
}

fn leaders(progress: FitProgress) -> String {
    let FitProgress { scope, engines, first, .. } = progress;
    let rows = first
        .iter()
        .enumerate()
        .map(|(place, (name, elo))| format!("\n{:>3}   {elo:+6.0}   {name}", place + 1));
    let rows = rows.collect::<String>();
    format!("the first of {engines} engines{}, in Elo; intervals follow{rows}", place(scope))
}

fn place(scope: Scope) -> String {
    match scope {
        Scope::Kind(kind) => format!(" in {kind}"),
        Scope::All => String::new(),
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
        let first = [("a", 123.4), ("b", -5.6)];
        let of = |engines, done, first| FitProgress {
            scope: Scope::All,
            engines,
            done,
            all: 600,
            first,
        };
        patience.see(of(300, 0, &first));
        assert!(said.borrow().is_empty());
        patience.next.set(Instant::now());
        patience.see(of(300, 40, &first));
        patience.see(of(300, 41, &first));
        assert_eq!(*said.borrow(), ["rating 300 engines: 40 of 600 intervals"]);
        patience.see(of(2000, 0, &[]));
        patience.see(of(2000, 0, &first));
        patience.see(of(2000, 1, &first));
        let table = "the first of 2000 engines, in Elo; intervals follow\n  1     +123   a\n  2       -6   b";
        assert_eq!(said.borrow()[1..], [table]);
    }
}
