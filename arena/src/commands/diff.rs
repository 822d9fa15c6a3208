//! `arena diff`: where two engines of a tournament choose differently, and which of them is right.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use fanorona_protocol::messages::{BestMove, Limits};
use fanorona_protocol::rules::{Move, Ruleset};
use indicatif::ProgressBar;
use tokio::runtime::Runtime;

use super::analyst::{Analyst, LimitArgs, no_scores};
use super::directory::load_results;
use super::error::CliError;
use super::exit::Exit;
use super::games::Games;
use super::prepare::{plan, runtime};
use crate::terminal::output::{eprint_line, print_coloured, print_line, print_wrapped};
use crate::terminal::screen;
use fanorona_engine::Engine;
use fanorona_report::choices::{DifferenceReport, explanation};
use fanorona_report::statistics::choices::{Compared, Sample, Situation};
use fanorona_report::statistics::style::Style;
use fanorona_runner::Plan;
use fanorona_runner::Role;
use fanorona_runner::analysis::choices::{Question, compare};
use fanorona_runner::play;
use fanorona_tournament::config::{EngineConfig, Limit, OpeningSource, Overrides, Tournament};
use fanorona_tournament::game::clock::Clocks;
use fanorona_tournament::pairing::seeds;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::record::storage::write_file;

pub(super) const HELP: &str = "\
Examples:
  arena diff results/full alphabeta mcts
  arena diff results/full alphabeta mcts --positions 1000 --nodes 200000
  arena diff results/full alphabeta mcts --option EndgameTables=tables

A sample of positions is taken from the games of both engines. Where games show the choice of only \
one of them, the other is asked, with its options and limit from the tournament. The judge searches \
the positions after both choices; with endgame tables its values can be exact. Choose a judge that is \
stronger than both engines, by its limit or by itself. diff.html, diff.md and diff.csv in the results \
directory have the tables, boards and positions. With limits by nodes or depth, and engines of one thread, the \
answer is the same every time. An engine with a clock has its whole time for each position.";

#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// The results directory
    dir: PathBuf,
    /// The first engine, by its name in the results
    first: String,
    /// The second engine
    second: String,
    /// The judging engine: a bot's name, or a command line in quotes
    #[arg(long, value_name = "ENGINE", default_value = "bot-alphabeta")]
    judge: String,
    /// Set an option of the judge; may be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    option: Vec<String>,
    #[command(flatten)]
    limit: LimitArgs,
    /// The number of positions to compare
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    positions: u32,
    /// The number of positions to draw
    #[arg(long, value_name = "N", default_value_t = 3)]
    boards: usize,
    /// Draw boards in ASCII only
    #[arg(long)]
    ascii: bool,
}

/// The default number of nodes per position of the judge.
const NODES: u64 = 100_000;

/// After this many failures in all an engine is not asked again.
const MAX_FAILURES: u32 = 3;

pub(super) fn diff(args: &DiffArgs) -> Result<Exit, CliError> {
    let limit = args.limit.limit(NODES)?;
    let tournament = load_results(&args.dir, &Overrides::default())?;
    let names = [&*args.first, &*args.second];
    let engines = two_engines(&tournament, names)?;
    let (situations, styles) = sampled(args, names, tournament.seed)?;
    let title = tournament.title().to_owned();
    let rules = tournament.rules;
    let alone = Tournament { engines, openings: OpeningSource::Start, ..tournament };
    let plan = plan(alone, Shard::WHOLE, Role::Plays)?;
    let supervisors = plan.supervisors.clone();
    let players = Players::new(plan)?;
    let mut judge = Analyst::start_beside(&args.judge, &args.option, rules, supervisors)?;
    let compared = compared(situations, players, &mut judge, rules, limit)?;
    let (judge, limit) = (judge.name().to_owned(), limit.to_string());
    write(
        args,
        &DifferenceReport {
            title: &title,
            names,
            judge: [&judge, &limit],
            compared: &compared,
            styles,
            boards: args.boards,
        },
    )
}

/// The two engines of a tournament with these names.
fn two_engines(tournament: &Tournament, names: [&str; 2]) -> Result<Vec<EngineConfig>, CliError> {
    let named = |name: &&str| {
        let found = tournament.engines.iter().find(|engine| engine.name == **name).cloned();
        found.ok_or_else(|| {
            let known: Vec<&str> = tournament.names().collect();
            let help = format!("the engines are {}", known.join(", "));
            CliError::with_help(Exit::Usage, format!("no engine is named `{name}`"), help)
        })
    };
    let engines = names.iter().map(named).collect::<Result<_, _>>()?;
    if names[0] == names[1] {
        let why = "an engine does not differ from itself";
        return Err(CliError::with_help(Exit::Usage, why, "name two engines"));
    }
    Ok(engines)
}

/// A sample of the positions in which the engines chose a move, and their styles in all games.
fn sampled(
    args: &DiffArgs,
    names: [&str; 2],
    seed: u64,
) -> Result<(Vec<Situation>, [Style; 2]), CliError> {
    let mut sample = Sample::new(names, args.positions as usize, seed);
    let mut styles = [Style::default(); 2];
    for game in Games::open(&args.dir)?.all()? {
        let (game, rules) = game?;
        sample.add(&game, &rules);
        for (style, name) in styles.iter_mut().zip(names) {
            style.add(name, &game, &rules);
        }
    }
    let situations = sample.situations();
    if situations.is_empty() {
        let why = format!("neither {} nor {} has chosen any move", names[0], names[1]);
        return Err(CliError::new(Exit::Usage, why));
    }
    Ok((situations, styles))
}

/// The choices of both players in the situations, with the opinion of the judge. A situation in
/// which a player or the judge fails is left out.
fn compared(
    situations: Vec<Situation>,
    mut players: Players,
    judge: &mut Analyst,
    rules: Ruleset,
    limit: Limit,
) -> Result<Vec<Compared>, CliError> {
    let bar = ProgressBar::new(situations.len() as u64);
    let mut compared = Vec::new();
    let mut failures = 0;
    for situation in situations {
        bar.inc(1);
        let Some(choices) = players.choices(&situation)? else { continue };
        let Situation { start, moves, .. } = &situation;
        let question = Question { rules, start: *start, moves, choices, limit };
        let opinion = judge.with(rules, async |engine| compare(engine, &question).await)?;
        match opinion {
            Ok(opinion) => {
                let after = |mv: &Move| situation.position.play(&rules, mv).ok();
                let differ = after(&choices[0]) != after(&choices[1]);
                if differ && opinion.chances.is_none() {
                    return Err(no_scores(judge.name()));
                }
                let best = opinion.best.and_then(|best| after(&best));
                let agrees = choices.map(|mv| best.is_some() && after(&mv) == best);
                let (best, chances, exact) = (opinion.best, opinion.chances, opinion.exact);
                compared.push(Compared {
                    situation,
                    choices,
                    differ,
                    agrees,
                    best,
                    chances,
                    exact,
                });
            }
            Err(why) => {
                failures += 1;
                bar.suspend(|| eprint_line(format_args!("the judge failed: {why}")));
                if failures == MAX_FAILURES {
                    let why = format!("{} failed {failures} times", judge.name());
                    return Err(CliError::new(Exit::EngineStart, why));
                }
            }
        }
    }
    bar.finish_and_clear();
    players.quit();
    Ok(compared)
}

/// Writes the files and prints the tables.
fn write(args: &DiffArgs, difference: &DifferenceReport<'_>) -> Result<Exit, CliError> {
    let file = |name: &str| args.dir.join(name);
    let (page, text, table) = (file("diff.html"), file("diff.md"), file("diff.csv"));
    write_file(&page, difference.html().as_bytes())?;
    write_file(&text, format!("{}\n{}.\n", difference.markdown(), explanation()).as_bytes())?;
    write_file(&table, difference.csv().as_bytes())?;
    print_coloured(difference.terminal(screen::style(args.ascii), screen::width()));
    print_wrapped(explanation());
    print_line(format_args!("page: {}", page.display()));
    Ok(Exit::Done)
}

/// The two engines, started when they are first asked.
struct Players {
    plan: Plan,
    runtime: Arc<Runtime>,
    running: [Option<Engine>; 2],
    failures: [u32; 2],
}

impl Players {
    fn new(plan: Plan) -> Result<Players, CliError> {
        let runtime = Arc::new(runtime()?);
        Ok(Players { plan, runtime, running: [None, None], failures: [0; 2] })
    }

    /// Asks for the choices of both engines in a position; `None` if one of them fails.
    fn choices(&mut self, situation: &Situation) -> Result<Option<[Move; 2]>, CliError> {
        let mut choices = situation.played;
        for (who, choice) in choices.iter_mut().enumerate() {
            if choice.is_none() {
                *choice = self.ask(who, situation)?;
            }
        }
        let [one, other] = choices;
        Ok(one.zip(other).map(|(one, other)| [one, other]))
    }

    /// Asks an engine as in a game.
    fn ask(&mut self, who: usize, situation: &Situation) -> Result<Option<Move>, CliError> {
        let name = self.plan.launches[who].name.clone();
        if self.failures[who] == MAX_FAILURES {
            let why = format!("{name} failed {MAX_FAILURES} times");
            return Err(CliError::new(Exit::EngineStart, why));
        }
        let runtime = self.runtime.clone();
        runtime.block_on(async {
            let engine = match self.running[who].take() {
                Some(engine) => engine,
                None => Engine::start(&self.plan.launches[who]).await.map_err(|why| {
                    CliError::from_start(format_args!("engine `{name}`: {why}"), &why)
                })?,
            };
            let engine = self.running[who].insert(engine);
            let asked = asked(&self.plan.tournament, engine, who, situation).await;
            match asked {
                Ok(mv) => Ok(mv),
                Err(why) => {
                    self.failures[who] += 1;
                    eprint_line(format_args!("{name} failed: {why}"));
                    if let Some(engine) = self.running[who].take() {
                        engine.kill().await;
                    }
                    Ok(None)
                }
            }
        })
    }

    /// Ends the engines.
    fn quit(mut self) {
        let runtime = self.runtime.clone();
        runtime.block_on(async {
            for engine in self.running.iter_mut().filter_map(Option::take) {
                engine.quit().await;
            }
        });
    }
}

/// Asks an engine for its move in a position of a game; `None` if it is not legal or it resigns.
async fn asked(
    tournament: &Tournament,
    engine: &mut Engine,
    who: usize,
    situation: &Situation,
) -> Result<Option<Move>, fanorona_engine::Failure> {
    let config = &tournament.engines[who];
    let seed = seeds::engine_seed(tournament.seed, situation.game, &config.name);
    engine.new_game(seed, &[]).await?;
    let Situation { start, moves, position, .. } = situation;
    let mut line = play::position_line(start, moves);
    if line.len() > play::MAX_POSITION {
        line = format!("position fen {position}");
    }
    let clocks = Clocks::new([tournament.limit_of(config); 2]);
    let side = position.side_to_move();
    let words: Limits = clocks.words(side);
    let allowance = clocks.loose_allowance(side);
    let rules = tournament.rules;
    let legal = || position.legal_moves(&rules).iter().map(Move::to_string).collect();
    let reply = engine.ask(&line, words, allowance, None, legal).await?;
    Ok(match reply.best {
        BestMove::Move(mv) => Some(mv).filter(|mv| position.play(&rules, mv).is_ok()),
        BestMove::None | BestMove::Resign => None,
    })
}
