//! Clocks for a whole game: stages of moves, the time of each, and an increment.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::duration::{ParseDurationError, Written, duration, thinking_time, whole};

/// The most stages of a clock.
pub(super) const MAX_STAGES: usize = 4;

/// A clock for a whole game. Each stage gives its time at its beginning, on top of what is left of
/// the stage before. Stages but the last have a number of moves; if the last one has one too, it
/// begins again whenever its moves are made. The increment comes after every move.
///
/// ```
/// use std::time::Duration;
/// use fanorona_tournament::config::TimeControl;
///
/// let clock: TimeControl = "40/60s+20/30s+15s+0.1s".parse().unwrap();
/// assert_eq!(clock.given_after(40), Duration::from_secs(30));
/// assert_eq!(clock.moves_to_go(59), Some(1));
/// assert_eq!(clock.moves_to_go(60), None, "the rest of the game");
/// ```
///
/// In a text the last part is the increment, unless it has moves or is the only one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TimeControl {
    /// The stages, without a gap; each but the last one has moves.
    stages: [Option<Stage>; MAX_STAGES],
    increment: Duration,
}

/// A stage of a clock.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Stage {
    /// Its moves, at least one; `None` for the rest of the game.
    pub moves: Option<u32>,
    /// The time that it gives.
    pub time: Duration,
}

impl TimeControl {
    /// A clock with one time for the whole game.
    pub fn whole_game(base: Duration, increment: Duration) -> TimeControl {
        let mut stages = [None; MAX_STAGES];
        stages[0] = Some(Stage { moves: None, time: base });
        TimeControl { stages, increment }
    }

    /// The stages in order.
    pub fn stages(&self) -> impl Iterator<Item = Stage> {
        self.stages.into_iter().flatten()
    }

    /// The time added after each move.
    pub fn increment(&self) -> Duration {
        self.increment
    }

    /// The stage of the move after a number of moves, and the moves that have been made in it.
    fn at(&self, moves: u32) -> (Stage, u32) {
        let mut made = moves;
        let mut last = None;
        for stage in self.stages() {
            match stage.moves {
                Some(own) if made >= own => made -= own,
                _ => return (stage, made),
            }
            last = stage.moves.map(|own| (stage, own));
        }
        let (stage, own) = last.expect("a clock has a stage, and one without moves is returned");
        (stage, made % own)
    }

    /// The time that a side gains once it has made a number of moves, besides the increment: that
    /// of the stage which begins then.
    pub fn given_after(&self, moves: u32) -> Duration {
        match self.at(moves) {
            (stage, 0) => stage.time,
            _ => Duration::ZERO,
        }
    }

    /// The moves until the next stage for a side that has made a number of moves, the next one
    /// included; `None` in a stage for the rest of the game.
    pub fn moves_to_go(&self, moves: u32) -> Option<u32> {
        let (stage, made) = self.at(moves);
        stage.moves.map(|own| own - made)
    }

    /// All the time that a side has for a number of moves.
    pub fn total(&self, moves: u32) -> Duration {
        let given: Duration = (0..moves.max(1)).map(|made| self.given_after(made)).sum();
        given + self.increment * moves
    }

    /// The clock with every time changed by a function.
    pub(super) fn map(self, change: impl Fn(Duration) -> Duration) -> TimeControl {
        let changed = |stage: Stage| Stage { time: change(stage.time), ..stage };
        let stages = self.stages.map(|stage| stage.map(changed));
        TimeControl { stages, increment: change(self.increment) }
    }

    /// The clock in the notation of the tag TimeControl of PGN: `40/60:20/30:15`, in seconds. An
    /// increment stands in every stage.
    pub fn pgn(&self) -> String {
        let seconds = |time: Duration| time.as_secs_f64().to_string();
        let gain = match self.increment {
            Duration::ZERO => String::new(),
            increment => format!("+{}", seconds(increment)),
        };
        let stages = self.stages().map(|Stage { moves, time }| {
            let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
            format!("{moves}{}{gain}", seconds(time))
        });
        stages.collect::<Vec<_>>().join(":")
    }
}

/// The text is not a clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseClockError {
    /// A part of it is not a duration.
    #[error(transparent)]
    Time(#[from] ParseDurationError),
    /// The text before `/` is not a number of moves.
    #[error(
        "`{0}` has no number of moves: write moves/time with a whole number of moves from 1 to 1000000, like 40/10s"
    )]
    Moves(String),
    /// Nothing comes after `/`.
    #[error("`{0}` has no time: write moves/time, like 40/10s")]
    Untimed(String),
    /// A stage comes after one for the rest of the game.
    #[error(
        "`{next}` comes after `{whole}`, which is for the rest of the game: write every stage but the last as moves/time, like 40/10s"
    )]
    AfterTheRest {
        /// The stage without a number of moves.
        whole: String,
        /// The one after it.
        next: String,
    },
    /// There are more than four stages.
    #[error(
        "`{0}` has {1} stages: write at most {MAX_STAGES}; the last one repeats if it has a number of moves"
    )]
    Stages(String, usize),
}

impl FromStr for TimeControl {
    type Err = ParseClockError;

    fn from_str(text: &str) -> Result<TimeControl, ParseClockError> {
        let (stages, increment) = match text.rsplit_once('+') {
            Some((stages, last)) if !last.contains('/') => (stages, duration(last)?),
            _ => (text, Duration::ZERO),
        };
        let parts: Vec<&str> = stages.split('+').collect();
        if parts.len() > MAX_STAGES {
            return Err(ParseClockError::Stages(text.to_owned(), parts.len()));
        }
        let read = parts.iter().map(|part| stage(part)).collect::<Result<Vec<_>, _>>()?;
        let endless = |place: &usize| read[*place].moves.is_none() && *place + 1 < read.len();
        if let Some(place) = (0..read.len()).find(endless) {
            let [whole, next] = [parts[place], parts[place + 1]].map(str::to_owned);
            return Err(ParseClockError::AfterTheRest { whole, next });
        }
        let mut stages = [None; MAX_STAGES];
        stages.iter_mut().zip(read).for_each(|(place, stage)| *place = Some(stage));
        Ok(TimeControl { stages, increment })
    }
}

/// Parses `40/60s` or `60s`.
fn stage(text: &str) -> Result<Stage, ParseClockError> {
    let (moves, time) = match text.split_once('/') {
        None => (None, text),
        Some((moves, time)) => {
            let count = whole(moves).and_then(|count| u32::try_from(count).ok());
            let count = count.filter(|&count| count <= MAX_MOVES);
            let count = count.ok_or_else(|| ParseClockError::Moves(text.to_owned()))?;
            if time.is_empty() {
                return Err(ParseClockError::Untimed(text.to_owned()));
            }
            (Some(count), time)
        }
    };
    Ok(Stage { moves, time: thinking_time(time)? })
}

/// The most moves of a stage.
const MAX_MOVES: u32 = 1_000_000;

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        let mut repeats = true;
        for Stage { moves, time } in self.stages() {
            f.write_str(between)?;
            if let Some(moves) = moves {
                write!(f, "{moves}/")?;
            }
            write!(f, "{}", Written(time))?;
            (between, repeats) = ("+", moves.is_some());
        }
        // Without it the time for the rest of the game would be read as the increment.
        match self.increment {
            Duration::ZERO if repeats => Ok(()),
            increment => write!(f, "+{}", Written(increment)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(text: &str) -> TimeControl {
        text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    /// The moves after which a side gains time, with the seconds.
    fn gifts(text: &str) -> Vec<(u32, u64)> {
        let clock = clock(text);
        let given = (0..=100).map(|moves| (moves, clock.given_after(moves).as_secs()));
        given.filter(|&(_, seconds)| seconds > 0).collect()
    }

    #[test]
    fn every_stage_gives_its_time_once_and_the_last_one_with_moves_again_and_again() {
        assert_eq!(gifts("10s+0.1s"), [(0, 10)]);
        assert_eq!(gifts("40/10s"), [(0, 10), (40, 10), (80, 10)]);
        assert_eq!(gifts("40/60s+20/30s+15s+0.1s"), [(0, 60), (40, 30), (60, 15)]);
        assert_eq!(gifts("40/60s+25/5s+0.1s"), [(0, 60), (40, 5), (65, 5), (90, 5)]);
        assert_eq!(gifts("1/2s+15s+0s"), [(0, 2), (1, 15)]);
    }

    #[test]
    fn moves_to_go_count_down_to_the_next_stage() {
        let staged = clock("3/60s+2/30s+15s+0.1s");
        let to_go: Vec<_> = (0..7).map(|moves| staged.moves_to_go(moves)).collect();
        assert_eq!(to_go, [Some(3), Some(2), Some(1), Some(2), Some(1), None, None]);
        let repeated = clock("3/60s+2/30s");
        let to_go: Vec<_> = (0..8).map(|moves| repeated.moves_to_go(moves).unwrap()).collect();
        assert_eq!(to_go, [3, 2, 1, 2, 1, 2, 1, 2]);
        assert_eq!(clock("10s+0.1s").moves_to_go(7), None);
    }

    #[test]
    fn the_last_part_without_moves_is_the_increment() {
        let of = |text: &str| (clock(text).stages().count(), clock(text).increment().as_millis());
        assert_eq!(of("40/60s+15s"), (1, 15_000));
        assert_eq!(of("40/60s+15s+0s"), (2, 0));
        assert_eq!(of("40/60s+20/15s"), (2, 0));
        for text in ["40/10s", "10s+0ms", "40/10s+100ms", "1/1s+2/2s+3/3s+4s+5ms", "9/1s+15s+0ms"] {
            assert_eq!(clock(text).to_string(), text);
        }
    }

    #[test]
    fn the_time_of_a_number_of_moves_holds_all_stages_and_increments() {
        let total = |moves| clock("40/60s+20/30s+15s+0.1s").total(moves).as_millis();
        assert_eq!([0, 1, 39, 40, 80].map(total), [60_000, 60_100, 63_900, 64_000, 113_000]);
        assert_eq!(clock("2/10s").total(5), Duration::from_secs(30));
    }

    #[test]
    fn pgn_writes_stages_in_its_own_notation() {
        for (text, pgn) in [
            ("10s+0s", "10"),
            ("10s+0.1s", "10+0.1"),
            ("40/10s", "40/10"),
            ("40/90m+30m+30s", "40/5400+30:1800+30"),
            ("40/60s+20/30s+15s+0s", "40/60:20/30:15"),
        ] {
            assert_eq!(clock(text).pgn(), pgn);
        }
    }

    #[test]
    fn an_invalid_clock_gives_the_reason_and_the_remedy() {
        for (text, parts) in [
            ("40/", ["`40/` has no time", "40/10s"]),
            ("0/10s", ["`0/10s` has no number of moves", "from 1 to 1000000"]),
            ("/10s", ["`/10s` has no number of moves", "40/10s"]),
            ("-3/10s", ["`-3/10s` has no number of moves", "40/10s"]),
            ("1000001/10s", ["has no number of moves", "from 1 to 1000000"]),
            ("40/0s", ["`0s` leaves no time", ""]),
            ("40/10", ["`10` is not a duration", "a number and a unit"]),
            ("40/10s/5s", ["`10s/5s` is not a duration", ""]),
            ("40/10s+", ["`` is not a duration", ""]),
            ("15s+40/60s", ["`40/60s` comes after `15s`", "the rest of the game"]),
            ("40/1s+15s+20s+1s", ["`20s` comes after `15s`", "moves/time"]),
            ("1/1s+1/1s+1/1s+1/1s+1s+1s", ["has 5 stages", "at most 4"]),
        ] {
            let error = text.parse::<TimeControl>().expect_err(text).to_string();
            assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
        }
    }
}
