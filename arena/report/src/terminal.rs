//! Standings for a terminal.

use std::borrow::Cow;
use std::fmt::Write;

use comfy_table::Table;

use super::figures;
use super::table::{drawn, fit_to_width, fits};
use super::words::{heading, in_words, why_withdrawn};
use super::{candidates, reported, sweep, tuning};
use crate::phrase::text_of;
use crate::statistics::outcome::Outcome;
use crate::statistics::results::Results;
use crate::statistics::sprt_state::Test;
use crate::statistics::stage_table::{Bracket, StageTable, SwissTable};
use crate::statistics::standings::Standings;
use crate::statistics::verdict::Sentence;
use crate::statistics::workers::WorkerRow;
use crate::statistics::{ranking, verdict};
use crate::words;
use fanorona_ratings::{Fit, Rating, Tally};
use fanorona_tournament::progress::Withdrawal;
use fanorona_tournament::text::short_names::short_names;

/// The results of a tournament: the standings, withdrawn engines, the standings of the others, the
/// table of a tournament with stages, and the state of an SPRT or of candidates.
pub fn results(results: &Results, width: Option<usize>) -> String {
    let Results { standings, without_withdrawn, table, test, candidates, .. } = results;
    // A tuned engine plays against itself: its standings say nothing.
    if let Some(run) = &results.tuning {
        let withdrawn = standings.withdrawn.iter().map(|(name, why)| withdrawn(name, why) + "\n");
        let withdrawn: String = withdrawn.collect();
        let errors = reported::errors(&standings.reported).into_iter();
        let errors: String = errors.map(|it| format!("note: {it}\n")).collect();
        let text = tuning::in_words(run) + &withdrawn + &errors + &reported(standings);
        return format!("{text}\n{}", result(&results.outcome));
    }
    let mut text = tables(standings, width, test.is_some() || candidates.is_some());
    text += &said(standings, results.outcome.beside(standings));
    text += &sweep::in_words(&results.sweeps, width);
    for (name, withdrawal) in &standings.withdrawn {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{}", withdrawn(name, withdrawal));
    }
    // A single engine cannot be compared.
    if let Some(others) = without_withdrawn.as_ref().filter(|it| it.all().engines.len() > 1) {
        let _ = write!(
            text,
            "\nWithout the games of withdrawn engines:\n{}",
            self::standings(others, width)
        );
    }
    if let Some(accuracy) = accuracy(standings, width) {
        let _ = write!(text, "\n{accuracy}");
    }
    if let Some(accuracy) = engine_accuracy(standings, width) {
        let _ = write!(text, "\n{accuracy}");
    }
    if let Some(table) = table {
        let _ = writeln!(text, "\n{}", stages(table));
    }
    if let Some(test) = test {
        let _ = writeln!(text, "\nSPRT: {}", tested(test));
    }
    if let Some(candidates) = candidates {
        let _ = write!(text, "\n{}", candidates::in_words(candidates, width));
    }
    if let Some(workers) = workers(&results.workers, width) {
        let _ = write!(text, "\n{workers}");
    }
    text += &reported(standings);
    let _ = writeln!(text, "\n{}", result(&results.outcome));
    text
}

/// The maximal number of engines whose first error is explained.
const MAX_EXPLAINED: usize = 3;

/// Returns the reports of engines besides their moves: the lines that explain their first errors,
/// and output on standard error; empty if there is nothing.
pub fn reported(standings: &Standings) -> String {
    let mut text = String::new();
    let errors = standings.reported.errors().filter(|(_, first)| !first.lines.is_empty());
    for (named, first) in errors.take(MAX_EXPLAINED) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\nstandard error of {} in game {}:", named.engine, first.game);
        first.lines.iter().for_each(|line| text += &format!("    {line}\n"));
    }
    let output = reported::output(&standings.reported);
    if !output.is_empty() {
        text += "\n";
    }
    output.iter().for_each(|it| text += &format!("note: {it}\n"));
    text
}

/// The line that says who won.
fn result(outcome: &Outcome) -> String {
    format!("result: {}", outcome.sentence())
}

/// The machines that played; `None` if the arena played all games itself.
fn workers(rows: &[WorkerRow], width: Option<usize>) -> Option<String> {
    if rows.is_empty() {
        return None;
    }
    let header =
        ["worker", "games", "faults", "on time", "no result", "compared", "alarms", "factor", "p"];
    let row = |row: &WorkerRow| {
        vec![
            row.worker.clone(),
            row.games.to_string(),
            row.faults.to_string(),
            row.time_losses.to_string(),
            row.without_result.to_string(),
            row.compared.to_string(),
            row.alarms.to_string(),
            row.time_factor.map_or(String::new(), |factor| format!("{factor:.2}")),
            row.results.p.map_or(String::new(), |p| format!("{p:.3}")),
        ]
    };
    let lines: Vec<_> = rows.iter().map(row).collect();
    let width = width.unwrap_or(usize::MAX);
    let table = fit_to_width(&header, &lines, width, &[&["no result"], &["factor"], &["on time"]]);
    let oddities = |row: &WorkerRow| [row.oddity(rows.len()), row.alarm()];
    let odd = rows.iter().flat_map(oddities).flatten();
    let odd: String = odd.map(|sentence| format!("warning: {sentence}\n")).collect();
    Some(format!("workers (p: how well their results fit those of the others):\n{table}\n{odd}"))
}

/// The engines' accuracy in positions of known value; `None` if no oracle has been asked.
pub fn accuracy(standings: &Standings, width: Option<usize>) -> Option<String> {
    let all = standings.all();
    let header = ["#", "engine", "known", "wins", "thrown", "draws", "thrown away", "kept"];
    let row = |(index, rating): (usize, &Rating)| {
        let counts = standings.accuracy.of(&rating.engine, all.scope)?;
        Some(vec![
            (index + 1).to_string(),
            rating.engine.clone(),
            counts.known.to_string(),
            counts.wins.to_string(),
            counts.thrown_wins.to_string(),
            counts.draws.to_string(),
            counts.thrown_draws.to_string(),
            counts.kept().map_or(String::new(), |share| format!("{:.1}%", 100.0 * share)),
        ])
    };
    let rows: Vec<_> = all.engines.iter().enumerate().map(row).collect::<Option<_>>()?;
    let width = width.unwrap_or(usize::MAX);
    let table = fit_to_width(&header, &rows, width, &[&["known"], &["#"]]);
    let oracles: Vec<_> = standings.accuracy.oracles.iter().map(String::as_str).collect();
    let games = standings.accuracy.games;
    let oracles = oracles.join(", ");
    Some(format!("accuracy in positions whose value {oracles} knows ({games} games):\n{table}\n"))
}

/// The engines' accuracy by the judgement of an analysing engine; `None` if no game has been
/// analysed.
pub fn engine_accuracy(standings: &Standings, width: Option<usize>) -> Option<String> {
    let all = standings.all();
    let header =
        ["#", "engine", "games", "moves", "accuracy", "?! per game", "? per game", "?? per game"];
    let row = |(index, rating): (usize, &Rating)| {
        let judged = standings.engine_accuracy.of(&rating.engine, all.scope)?;
        let mut row = vec![(index + 1).to_string(), rating.engine.clone()];
        row.extend([judged.games, judged.moves.judged].map(|count| count.to_string()));
        row.extend(figures::judgement(&judged));
        Some(row)
    };
    let rows: Vec<_> = all.engines.iter().enumerate().map(row).collect::<Option<_>>()?;
    let expendable: [&[&str]; 3] = [&["moves"], &["?! per game"], &["games"]];
    let table = fit_to_width(&header, &rows, width.unwrap_or(usize::MAX), &expendable);
    let analysts: Vec<_> = standings.engine_accuracy.analysts.iter().map(String::as_str).collect();
    let (analysts, games) = (analysts.join(", "), standings.engine_accuracy.games);
    Some(format!("accuracy by {analysts} ({games} games):\n{table}\n"))
}

/// The line about a withdrawn engine.
pub fn withdrawn(name: &str, withdrawal: &Withdrawal) -> String {
    format!("{name} {}", why_withdrawn(withdrawal))
}

/// The table of a tournament with stages, with its heading.
fn stages(table: &StageTable) -> String {
    let header = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    match table {
        StageTable::Swiss(SwissTable { rows, .. }) => {
            let header = header(&["#", "engine", "points", "opponents", "byes"]);
            let rows = rows.iter().enumerate().map(|(index, row)| {
                vec![
                    (index + 1).to_string(),
                    row.engine.clone(),
                    figures::points(row.points),
                    figures::points(row.opponents),
                    row.byes.to_string(),
                ]
            });
            format!("swiss:\n{}", drawn(header, rows))
        }
        StageTable::Bracket(Bracket { rows, .. }) => {
            let header = header(&["stage", "encounter", "points", "winner", "by"]);
            let rows = rows.iter().map(|row| {
                let [one, other] = row.points.map(figures::points);
                let (winner, by) = match &row.winner {
                    Some((winner, by)) => (winner.clone(), by.to_string()),
                    None => Default::default(),
                };
                let encounter = row.engines.join(" – ");
                vec![row.stage.to_string(), encounter, format!("{one}:{other}"), winner, by]
            });
            format!("knockout:\n{}", drawn(header, rows))
        }
    }
}

/// The state of an SPRT: the accepted hypothesis, the ratio between its bounds, and the lead.
pub fn tested(test: &Test) -> String {
    text_of(&words::tested(test))
}

/// The standings in full: a table and a crosstable for every scope, the advantage of the first
/// move, and verdicts. For a terminal of this width, tables omit their least important columns, and
/// a crosstable that does not fit is left out: the CSV files are complete.
pub fn standings(standings: &Standings, width: Option<usize>) -> String {
    let verdicts = verdict::summary(standings).into_iter().chain(ranking::summary(standings));
    tables(standings, width, false) + &said(standings, verdicts.collect())
}

/// Notes for readers about the ratings, and verdicts.
fn said(standings: &Standings, verdicts: Vec<Sentence>) -> String {
    let notes = standings.notes().into_iter().map(|note| format!("note: {note}"));
    let lines = notes.chain(verdicts.iter().map(Sentence::to_string));
    let lines: String = lines.map(|line| line + "\n").collect();
    if lines.is_empty() { lines } else { format!("\n{lines}") }
}

/// The tables of every scope, and the advantage of the first move. After a test there are no ratings:
/// they would be a second answer, as if the number of games had been fixed before.
fn tables(standings: &Standings, width: Option<usize>, is_tested: bool) -> String {
    let width = width.unwrap_or(usize::MAX);
    let mut text = String::new();
    for fit in standings.shown() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{}", heading(fit));
        let _ = writeln!(text, "{}", table(standings, fit, width, is_tested));
        let crosstable =
            (fit.engines.len() <= MAX_CROSSED).then(|| crosstable(standings, fit, width));
        if let Some(crosstable) = crosstable.filter(|table| fits(table, width)) {
            let _ = writeln!(text, "\n{crosstable}");
        }
        let _ = writeln!(text);
        for advantage in &fit.advantages {
            let _ = writeln!(text, "{}", in_words(advantage));
        }
    }
    text
}

/// The maximal number of engines in a crosstable; `crosstable.csv` is complete.
const MAX_CROSSED: usize = 8;

/// The table of a scope: rank, rating with its interval, results, and faults if there are any. If
/// space is short, only rank, name and rating are certain to stay.
fn table(standings: &Standings, fit: &Fit, width: usize, is_tested: bool) -> Table {
    let faults = |engine: &str| standings.faults(engine, fit.scope);
    let faulty = fit.engines.iter().any(|rating| faults(&rating.engine) > 0);
    let rating_columns: [&[&str]; 2] =
        if is_tested { [&[], &[]] } else { [&["Elo", "95 % interval"], &["LOS %"]] };
    let [rating, superiority] = rating_columns;
    let faults_column: &[&str] = if faulty { &["faults"] } else { &[] };
    let header = [
        &["#", "engine"],
        rating,
        &["games", "W", "D", "L", "score %"],
        superiority,
        faults_column,
    ]
    .concat();
    let names = names(fit, width);
    let rows = fit.engines.iter().enumerate().map(|(index, rating)| {
        let estimate = &rating.estimate;
        let (low, high) = (figures::signed(estimate.elo_low), figures::signed(estimate.elo_high));
        let mut row = vec![(index + 1).to_string(), names[index].to_string()];
        if !is_tested {
            row.extend([figures::signed(estimate.elo), format!("{low} … {high}")]);
        }
        let Tally { wins, draws, losses } = rating.tally;
        row.extend([rating.games, wins, draws, losses].map(|count| count.to_string()));
        row.push(rating.score.map_or(String::new(), figures::percent));
        if !is_tested {
            row.push(rating.los.map_or(String::new(), figures::los));
        }
        if faulty {
            row.push(faults(&rating.engine).to_string());
        }
        row
    });
    fit_to_width(&header, &rows.collect::<Vec<_>>(), width, &EXPENDABLE)
}

/// The names of a ranking, in a form that leaves room for the numbers.
fn names(fit: &Fit, width: usize) -> Vec<Cow<'_, str>> {
    let names: Vec<&str> = fit.engines.iter().map(|rating| &*rating.engine).collect();
    short_names(&names, width / 3)
}

/// The columns that a narrow terminal omits, the least important first: the verdicts also give the
/// LOS of neighbours.
const EXPENDABLE: [&[&str]; 6] =
    [&["LOS %"], &["W", "D", "L"], &["games"], &["score %"], &["95 % interval"], &["faults"]];

/// The crosstable of a scope: each engine's points against each other one.
fn crosstable(standings: &Standings, fit: &Fit, width: usize) -> Table {
    let names = names(fit, width);
    let mut header = vec!["#".to_owned(), "engine".to_owned()];
    header.extend((1..=fit.engines.len()).map(|rank| format!("vs {rank}")));
    let rows = fit.engines.iter().enumerate().map(|(index, rating)| {
        let mut row = vec![(index + 1).to_string(), names[index].to_string()];
        let cell = |opponent| words::cell(standings, fit.scope, rating, opponent);
        row.extend(fit.engines.iter().map(cell));
        row
    });
    drawn(header, rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::results_reader::GameResults;
    use fanorona_ratings::sprt::{Model, Sprt, SprtOptions};
    use fanorona_ratings::{FitOptions, Score};
    use fanorona_tournament::pairing::ids::PairId;
    use fanorona_tournament::progress::sprt_run::{SprtRun, State};

    /// The text for a lead after this many pairs of two equal scores.
    fn said(elo0: f64, elo1: f64, model: Model, pairs: u64, score: Score) -> String {
        let options = SprtOptions { elo0, elo1, alpha: 0.05, beta: 0.05, model };
        let mut test = SprtRun::new(Sprt::new(options).unwrap());
        for pair in 1..=2 * pairs {
            test.add(PairId(pair.div_ceil(2)), Some(score), None);
        }
        let (state, estimate, history) = (test.state(), test.estimate(), test.history());
        tested(&Test { engine: "a".to_owned(), state, estimate, history })
    }

    #[test]
    fn a_running_test_says_when_it_plays_what_it_has_played() {
        let options =
            SprtOptions { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
        let state = SprtRun::new(Sprt::new(options).unwrap()).state();
        assert_eq!(words::running(&state), words::ratio(&state).to_string());
        let state = State { repeated_pairs: 3, ..state };
        let expected = "LLR 0.00 [-2.94, 2.94]; repeated and not counted: 3 pairs";
        assert_eq!(words::running(&state), expected);
    }

    #[test]
    fn a_test_says_what_it_rejects() {
        let none = said(0.0, 5.0, Model::Logistic, 0, Score::Win);
        assert_eq!(none, "the lead of a is undecided after 0 pairs; LLR 0.00 [-2.94, 2.94]");
        let ends = |elo0, elo1, model, score| {
            let said = said(elo0, elo1, model, 3000, score);
            assert!(said.contains("; lead "), "{said}");
            said.split(" after ").next().unwrap().to_owned()
        };
        use Model::{Logistic, Normalized};
        let (win, loss) = (Score::Win, Score::Loss);
        for (elo0, elo1, model, score, expected) in [
            (0.0, 5.0, Logistic, win, "H1 accepted: the lead of a is above 0 Elo"),
            (0.0, 5.0, Logistic, loss, "H0 accepted: the lead of a is below 5 Elo"),
            (-5.0, 0.0, Logistic, win, "H1 accepted: the lead of a is above -5 Elo"),
            (-5.0, 0.0, Normalized, loss, "H0 accepted: the lead of a is below 0 normalized Elo"),
        ] {
            assert_eq!(ends(elo0, elo1, model, score), expected);
        }
    }

    #[test]
    fn a_table_has_the_columns_there_is_room_for() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("games.csv");
        let games = "white,black,result,offender\nalphabeta,greedy,1-0,greedy\n\
                     greedy,alphabeta,1/2-1/2,\n";
        std::fs::write(&file, games).unwrap();
        let mut game_results = GameResults::default();
        game_results.read(&file).unwrap();
        let standings = Standings::new(&game_results, &FitOptions::default()).unwrap();
        let heads = |width: Option<usize>| -> Vec<String> {
            let text = super::standings(&standings, width);
            text.lines().filter(|line| line.contains("engine")).map(str::to_owned).collect()
        };
        let [table, crosstable] = &heads(None)[..] else { panic!("{:?}", heads(None)) };
        assert!(table.contains("LOS %") && crosstable.contains("vs 2"));
        assert_eq!(heads(Some(120)), heads(None));
        // Faults take precedence over columns that the verdicts repeat.
        let usual = &heads(Some(80))[0];
        assert!(usual.contains("faults") && usual.contains("score %") && !usual.contains("LOS"));
        let narrow = &heads(Some(50))[0];
        assert!(narrow.contains("faults") && narrow.contains("interval"), "{narrow}");
        assert!(!narrow.contains(" W "), "{narrow}");
        for width in [60, 40, 30] {
            for head in heads(Some(width)) {
                assert!(head.contains("#   engine") && head.trim_end().chars().count() <= width);
            }
        }
        let narrow = heads(Some(10));
        assert_eq!(narrow.len(), 1, "{narrow:?}");
        assert!(narrow[0].contains("Elo") && !narrow[0].contains("interval"), "{narrow:?}");
    }
}
