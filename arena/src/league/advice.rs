//! What would make a bot stronger, read from its games: the most costly matter first.

use std::time::Duration;

use super::table::{BotRecord, ShortLoss};
use crate::config::Limit;
use crate::engine::fault::Fault;
use crate::ratings::Tally;
use crate::ratings::kind::Kind;
use crate::text::plural::counted;

/// A piece of advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// What was seen.
    pub seen: String,
    /// What to do about it.
    pub fix: String,
    /// Games that show it, by their numbers in the league.
    pub games: Vec<String>,
}

/// A difference in score that is worth a look, and that a few games do not show by chance.
const LARGE: f64 = 0.2;

/// The fewest games of each of two groups that are compared.
const ENOUGH: u64 = 8;

/// Advice for a bot with this record and this thinking limit.
pub fn advice(record: &BotRecord, limit: Limit) -> Vec<Advice> {
    let mut all: Vec<Advice> = Vec::new();
    let mut faults: Vec<_> = record.faults.iter().collect();
    faults.sort_by_key(|(fault, count)| (std::cmp::Reverse(**count), **fault));
    for (fault, count) in faults {
        all.push(Advice {
            seen: format!("{} lost by {}.", counted(*count, "game", "games"), in_words(*fault)),
            fix: of_fault(*fault).to_owned(),
            games: Vec::new(),
        });
    }
    all.extend(of_time(record, limit));
    all.extend(of_kinds(record));
    all.extend(of_sides(record));
    if record.illegal_lines > 0 {
        all.push(Advice {
            seen: format!("{} of `info … pv` contain illegal moves.", counted(record.illegal_lines, "line", "lines")),
            fix: "The search makes or undoes a move wrongly, or the line is not cut after a hit in the \
                  transposition table: replay the line with your own rules."
                .to_owned(),
            games: Vec::new(),
        });
    }
    if let [first, ..] = &record.shortest_losses[..] {
        let games = record.shortest_losses.iter().map(|loss| loss.game.clone()).collect();
        let ShortLoss { plies, opponent, .. } = first;
        all.push(Advice {
            seen: format!("The quickest loss took {} (against {opponent}).", counted(*plies, "ply", "plies")),
            fix: "Step through these games and find the first move after which it was lost: a search \
                  one ply deeper, or all captures at its end (quiescence), may already avoid it."
                .to_owned(),
            games,
        });
    }
    all
}

fn in_words(fault: Fault) -> &'static str {
    match fault {
        Fault::Time => "time",
        Fault::Stall => "silence",
        Fault::Crash => "a crash",
        Fault::Disconnect => "an early end of the program",
        Fault::Illegal => "an illegal move",
        Fault::Protocol => "a line against the protocol",
        Fault::Flood => "too much output",
        Fault::Start => "a failed restart",
    }
}

/// What to do about a fault.
fn of_fault(fault: Fault) -> &'static str {
    match fault {
        Fault::Time => {
            "Stop searching earlier: measure from the arrival of `go`, leave some milliseconds for \
             the way back, and look at the clock inside the search, not only between depths."
        }
        Fault::Stall => {
            "The bot was silent: it waits for something that does not come, or does not flush its \
             output. Print with flush, and answer `isready` during a search."
        }
        Fault::Crash => {
            "The end of its standard error, below, has the line of the program. Play the position of \
             the transcript again to reproduce it."
        }
        Fault::Disconnect => {
            "The bot ended or closed its output in the middle of a game: only `quit` and the end of \
             the input end it."
        }
        Fault::Illegal => {
            "Choose among the moves that `go` lists after `searchmoves`, or compare your own list with \
             `arena check … --only moves`."
        }
        Fault::Protocol => {
            "The answer to `go` is the one line `bestmove MOVE`; everything else goes to standard \
             error."
        }
        Fault::Flood => "Print less: an `info` line for each depth is enough.",
        Fault::Start => {
            "After a fault the bot is started again, and it did not answer in time: load large files \
             after `readyok`, or make them smaller."
        }
    }
}

/// A bot that uses little of its time could search deeper.
fn of_time(record: &BotRecord, limit: Limit) -> Option<Advice> {
    let Limit::MoveTime(limit) = limit else { return None };
    let moves = record.thinking.moves;
    let average = Duration::from_millis(record.thinking.milliseconds.checked_div(moves)?);
    (moves >= 20 && average * 3 < limit).then(|| Advice {
        seen: format!(
            "It thinks {} ms per move on average, of {} ms.",
            average.as_millis(),
            limit.as_millis()
        ),
        fix:
            "There is time to search deeper: search depth 1, then 2, and so on, until the time is \
              over, and play the best move of the last complete depth."
                .to_owned(),
        games: Vec::new(),
    })
}

fn of_kinds(record: &BotRecord) -> Option<Advice> {
    let of = |kind| record.tally(|it, _| it == kind);
    let (riatra, vela) = (of(Kind::Riatra), of(Kind::Vela));
    let lower = lower(riatra, vela)?;
    let (worse, better) = if lower { ("riatra", "vela") } else { ("vela", "riatra") };
    Some(Advice {
        seen: format!(
            "It scores less in {worse} ({}) than in {better} ({}).",
            percent(if lower { riatra } else { vela }),
            percent(if lower { vela } else { riatra })
        ),
        fix: match lower {
            true => "Look at its riatra games: the first captures decide most of them.".to_owned(),
            false => {
                "In a vela one side gives up stones first and may not capture: the value of a \
                 position differs from riatra's. Let the evaluation know which phase it is in."
                    .to_owned()
            }
        },
        games: Vec::new(),
    })
}

fn of_sides(record: &BotRecord) -> Option<Advice> {
    let of = |is_first| record.tally(|kind, first| kind == Kind::Riatra && first == is_first);
    let (first, second) = (of(true), of(false));
    // White is better off: only the contrary says something about the bot.
    (lower(first, second)?).then(|| Advice {
        seen: format!(
            "In riatra it scores less with White ({}) than with Black ({}).",
            percent(first),
            percent(second)
        ),
        fix:
            "White has the advantage of the first capture. Check that the evaluation is seen from \
              the side to move, and that its sign changes with every ply."
                .to_owned(),
        games: Vec::new(),
    })
}

/// Whether the first score is much lower; `None` if neither is, or the games are few.
fn lower(one: Tally, other: Tally) -> Option<bool> {
    let (score, than) = (one.score()?, other.score()?);
    let is_clear = one.games().min(other.games()) >= ENOUGH && (score - than).abs() >= LARGE;
    is_clear.then_some(score < than)
}

fn percent(tally: Tally) -> String {
    format!("{:.0} %", 100.0 * tally.score().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::results_reader::Thinking;

    fn tally(wins: u64, losses: u64) -> Tally {
        Tally { wins, draws: 0, losses }
    }

    fn seen(record: &BotRecord) -> Vec<String> {
        advice(record, Limit::MoveTime(Duration::from_millis(100)))
            .into_iter()
            .map(|it| it.seen)
            .collect()
    }

    #[test]
    fn a_clean_record_needs_no_advice() {
        assert_eq!(seen(&BotRecord::default()), [""; 0]);
        let even = BotRecord {
            results: [true, false].map(|first| ((Kind::Riatra, first), tally(9, 9))).into(),
            thinking: Thinking { moves: 100, milliseconds: 9000 },
            ..BotRecord::default()
        };
        assert_eq!(seen(&even), [""; 0]);
    }

    #[test]
    fn the_most_frequent_fault_comes_first() {
        let faults = [(Fault::Time, 1), (Fault::Crash, 3), (Fault::Illegal, 1)].into();
        let record = BotRecord { faults, ..BotRecord::default() };
        let expected =
            ["3 games lost by a crash.", "1 game lost by time.", "1 game lost by an illegal move."];
        assert_eq!(seen(&record), expected);
    }

    #[test]
    fn unused_time_and_weak_sides_are_seen() {
        let record = BotRecord {
            results: [
                ((Kind::Riatra, true), tally(4, 8)),
                ((Kind::Riatra, false), tally(8, 4)),
                ((Kind::Vela, true), tally(0, 12)),
            ]
            .into(),
            thinking: Thinking { moves: 100, milliseconds: 300 },
            shortest_losses: vec![ShortLoss {
                plies: 9,
                game: "1-3".into(),
                opponent: "bea v1".into(),
            }],
            illegal_lines: 2,
            ..BotRecord::default()
        };
        let all = seen(&record);
        assert_eq!(all[0], "It thinks 3 ms per move on average, of 100 ms.");
        assert_eq!(all[1], "It scores less in vela (0 %) than in riatra (50 %).");
        assert_eq!(all[2], "In riatra it scores less with White (33 %) than with Black (67 %).");
        assert!(all[3].starts_with("2 lines of"), "{all:?}");
        assert_eq!(all[4], "The quickest loss took 9 plies (against bea v1).");
        // Under a node limit, time says nothing.
        assert!(!advice(&record, Limit::Nodes(7)).iter().any(|it| it.seen.contains("ms")));
    }
}
