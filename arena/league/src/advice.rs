//! Advice that would make a bot stronger, read from its games: the most costly matter first.

use std::time::Duration;

use super::table::{BotRecord, ShortLoss};
use fanorona_ratings::Tally;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::Limit;
use fanorona_tournament::diagnostics::engine_reports::EngineReport;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::text::plural::counted;

/// A piece of advice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The observation.
    pub seen: String,
    /// The advice on what to do about it.
    pub fix: String,
    /// Games that show it, by their numbers in the league.
    pub games: Vec<String>,
    /// Lines of its standard error that show it.
    pub lines: Vec<String>,
}

impl Advice {
    /// Advice without games and lines that show what was seen.
    fn new(seen: impl Into<String>, fix: impl Into<String>) -> Advice {
        Advice { seen: seen.into(), fix: fix.into(), games: Vec::new(), lines: Vec::new() }
    }
}

/// A difference in score that is worth a look, and that a few games do not show by chance.
const LARGE: f64 = 0.2;

/// The fewest games of each of two groups that are compared.
const ENOUGH: u64 = 8;

/// Advice for a bot with this record and this thinking limit.
pub fn advice(record: &BotRecord, limit: Limit) -> Vec<Advice> {
    let mut all: Vec<Advice> = of_errors(&record.reported).into_iter().collect();
    let mut faults: Vec<_> = record.faults.iter().collect();
    faults.sort_by_key(|(fault, count)| (std::cmp::Reverse(**count), **fault));
    for (fault, count) in faults {
        let seen = format!("{} lost by {}.", counted(*count, "game", "games"), in_words(*fault));
        all.push(Advice::new(seen, of_fault(*fault)));
    }
    all.extend(of_time(record, limit));
    all.extend(of_kinds(record));
    all.extend(of_sides(record));
    if record.illegal_lines > 0 {
        let lines = counted(record.illegal_lines, "line", "lines");
        all.push(Advice::new(
            format!("{lines} of `info … pv` contain illegal moves."),
            "The search makes or undoes a move wrongly, or the line is not cut after a hit in the \
             transposition table: replay the line with your own rules.",
        ));
    }
    if let [first, ..] = &record.shortest_losses[..] {
        let games = record.shortest_losses.iter().map(|loss| loss.game.clone()).collect();
        let ShortLoss { plies, opponent, .. } = first;
        let seen = format!(
            "The quickest loss took {} (against {opponent}).",
            counted(*plies, "ply", "plies")
        );
        let fix = "Step through these games and find the first move after which it was lost: a search \
                   one ply deeper, or all captures at its end (quiescence), may already avoid it.";
        all.push(Advice { games, ..Advice::new(seen, fix) });
    }
    all
}

/// A bot that reports errors plays moves that nobody chose.
fn of_errors(reported: &EngineReport) -> Option<Advice> {
    let first = reported.first_error.as_ref()?;
    let seen = format!("It {}: {}", reported.errors_in_words(), first.text);
    let fix =
        "Correct this first: it plays on after an error, but with a move that it did not choose.";
    let (games, lines) = (vec![first.game.clone()], first.lines.clone());
    Some(Advice { games, lines, ..Advice::new(seen, fix) })
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

/// Returns advice on what to do about a fault.
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

/// A bot that reports errors in this share of its moves does not choose how long it thinks.
const MANY_ERRORS: f64 = 0.1;

/// A bot that uses little of its time could search deeper.
fn of_time(record: &BotRecord, limit: Limit) -> Option<Advice> {
    let Limit::MoveTime(limit) = limit else { return None };
    let EngineReport { moves: asked, error_moves, .. } = record.reported;
    if error_moves as f64 > MANY_ERRORS * asked as f64 {
        return None;
    }
    let moves = record.thinking.moves;
    let average = Duration::from_millis(record.thinking.milliseconds.checked_div(moves)?);
    (moves >= 20 && average * 3 < limit).then(|| {
        let (average, limit) = (average.as_millis(), limit.as_millis());
        Advice::new(
            format!("It thinks {average} ms per move on average, of {limit} ms."),
            "There is time to search deeper: search depth 1, then 2, and so on, until the time is \
             over, and play the best move of the last complete depth.",
        )
    })
}

fn of_kinds(record: &BotRecord) -> Option<Advice> {
    let of = |kind| record.tally(|it, _| it == kind);
    let (riatra, vela) = (of(Kind::Riatra), of(Kind::Vela));
    let lower = lower(riatra, vela)?;
    let (worse, better) = if lower { ("riatra", "vela") } else { ("vela", "riatra") };
    Some(Advice::new(
        format!(
            "It scores less in {worse} ({}) than in {better} ({}).",
            percent(if lower { riatra } else { vela }),
            percent(if lower { vela } else { riatra })
        ),
        match lower {
            true => "Look at its riatra games: the first captures decide most of them.",
            false => {
                "In a vela one side gives up stones first and may not capture: the value of a \
                 position differs from riatra's. Let the evaluation know which phase it is in."
            }
        },
    ))
}

fn of_sides(record: &BotRecord) -> Option<Advice> {
    let of = |is_first| record.tally(|kind, first| kind == Kind::Riatra && first == is_first);
    let (first, second) = (of(true), of(false));
    // White is better off: only the contrary says something about the bot.
    (lower(first, second)?).then(|| {
        Advice::new(
            format!(
                "In riatra it scores less with White ({}) than with Black ({}).",
                percent(first),
                percent(second)
            ),
            "White has the advantage of the first capture. Check that the evaluation is seen from \
             the side to move, and that its sign changes with every ply.",
        )
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
    use fanorona_report::statistics::results_reader::Thinking;
    use fanorona_tournament::diagnostics::engine_reports::Excerpt;

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
    fn errors_come_first_and_say_what_and_where() {
        let first = Excerpt {
            game: "1-3".to_owned(),
            text: "KeyError: 7 (bot.py, line 4)".to_owned(),
            lines: vec!["Traceback".to_owned()],
        };
        let with = |error_moves| BotRecord {
            thinking: Thinking { moves: 100, milliseconds: 100 },
            reported: EngineReport {
                moves: 100,
                error_moves,
                first_error: Some(first.clone()),
                ..EngineReport::default()
            },
            ..BotRecord::default()
        };
        let all = advice(&with(100), Limit::MoveTime(Duration::from_millis(100)));
        let [only] = &all[..] else { panic!("{all:?}") };
        assert_eq!(
            only.seen,
            "It reported an error in 100 of 100 moves: KeyError: 7 (bot.py, line 4)"
        );
        assert_eq!((&*only.games[0], &*only.lines[0]), ("1-3", "Traceback"));
        // A rare error leaves the other advice as it is.
        let rare = seen(&with(2));
        assert!(rare.len() == 2 && rare[1].starts_with("It thinks 1 ms per move"), "{rare:?}");
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
