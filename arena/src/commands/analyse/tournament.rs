//! Judges all games of a results directory by an engine.

use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::super::analyst::{Analyst, no_scores, replayed};
use super::super::error::CliError;
use super::super::recorded::RecordedTournament;
use super::arguments::AnalyseArgs;
use crate::terminal::output::eprint_line;
use fanorona_runner::analysis::{Request, analyse as analyse_game};
use fanorona_tournament::analysis::file::{Analyses, Stored};
use fanorona_tournament::record;
use fanorona_tournament::text::plural::counted;

/// The default number of nodes per position of an analysing engine.
const NODES: u64 = 20_000;

/// Analyses are saved this often, so that an interruption costs little.
const SAVE_EVERY: Duration = Duration::from_secs(60);

/// After this many failures in a row the analysing engine is not asked again.
const MAX_FAILURES: u32 = 3;

/// Analyses every game that counts and has no analysis by this engine with this limit yet. What is
/// known already stays, even after a failure.
pub(super) fn analyse(
    dir: &Path,
    recorded: &RecordedTournament,
    engine: &str,
    args: &AnalyseArgs,
) -> Result<(), CliError> {
    let limit = args.limit.limit(NODES)?;
    let rules = recorded.tournament.rules;
    let mut analyst = Analyst::start(engine, &args.option, rules)?;
    let mut journal = record::Reader::open(dir)?;
    let mut analyses = Analyses::read(dir)?;
    let (name, limit_text) = (analyst.name().to_owned(), limit.to_string());
    let games = recorded.games();
    let bar = ProgressBar::new(games.len() as u64);
    let (mut failures, mut missing) = (0, 0_u64);
    let (mut saved, mut is_saved) = (Instant::now(), true);
    for game in games {
        bar.inc(1);
        let game = journal.game(game.offset)?;
        let is_known = |known: &Stored| known.engine == name && known.limit == limit_text;
        let book = game.book as usize;
        if game.plies() <= book || analyses.of(&game).is_some_and(is_known) {
            continue;
        }
        if failures >= MAX_FAILURES {
            missing += 1;
            continue;
        }
        let (start, moves) = replayed(&game, &rules)?;
        let request = Request { rules, start, moves: &moves, book, limit, lines: 1 };
        let asked =
            analyst.with(rules, async |engine| analyse_game(engine, &request, |_| {}).await)?;
        match asked {
            Ok(analysis) if !analysis.has_scores() => return Err(no_scores(&name)),
            Ok(analysis) => {
                failures = 0;
                analyses.add(&game, &name, &limit_text, &analysis);
                is_saved = false;
            }
            Err(why) => {
                failures += 1;
                missing += 1;
                bar.suspend(|| eprint_line(format_args!("game {}: {why}", game.id)));
            }
        }
        if !is_saved && saved.elapsed() >= SAVE_EVERY {
            analyses.write(dir)?;
            (saved, is_saved) = (Instant::now(), true);
        }
    }
    bar.finish_and_clear();
    if !is_saved {
        analyses.write(dir)?;
    }
    if missing > 0 {
        let games = counted(missing, "game", "games");
        eprint_line(format_args!(
            "no analysis of {games} in which the engine failed; run the command again to retry"
        ));
    }
    Ok(())
}
