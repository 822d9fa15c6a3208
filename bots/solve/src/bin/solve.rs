//! `solve`: solves games and checks solutions.

use std::io::ErrorKind;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use cpu_time::ProcessTime;
use fanorona_endgames::memory::Bytes;
use fanorona_endgames::program::{self, CliError, bar, eprint_line, print_line};
use fanorona_endgames::{FileError, FileProblem, Layer, MAX_STONES, Tables};
use fanorona_protocol::rules::{Position, Ruleset, Side, Start, VelaStarter};
use fanorona_solve::{
    self as solve, Claim, Game, GameValue, QuestionProgress, Run, RunStatus, Solution, State,
};
use signal_hook::consts::{SIGINT, SIGTERM};

/// Solve a game of Fanorona under perfect play, or check a solution
#[derive(Parser, Debug)]
#[command(name = "solve", version, propagate_version = true)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  endgames build --board 5x5 --stones 6
  solve --board 5x5
  solve check 5x5.solution
  solve --board 9x5 --state tsivy --memory 8G
  solve --fen \"bbb/b1W/WWW w\" --stones 0 --only black
  solve join --board 5x5 after-*.solution
  solve close 9x5.solution --stones 4 --out closed.solution

Exit codes: 0 solved, or the solution is correct; 1 the solution is wrong; 2 wrong usage or an
unusable file; 3 stopped before the game was solved; 74 the output could not be written.")]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    game: SolveArgs,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Check a solution using only the rules and the endgame tables
    Check {
        /// The solution file
        file: PathBuf,
        /// The directory of the endgame tables
        #[arg(long, value_name = "DIR", default_value = "tables")]
        tables: PathBuf,
    },
    /// Print a solution as text: a line with a JSON object, then for every position of the proof the
    /// side, the claim, the rank and the position in FEN
    Show {
        /// The solution file
        file: PathBuf,
    },
    /// Join solutions of positions to one of the start: of the position after a move by which a side
    /// wins or holds, of the positions after all moves of the other side, or of the start itself,
    /// each for a side
    Join {
        /// The solutions
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        start: StartArgs,
        /// The directory of the endgame tables
        #[arg(long, value_name = "DIR", default_value = "tables")]
        tables: PathBuf,
        /// The file to write the solution to [default: named after the board]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Close the sets of sides that hold through the endings, so that the solution needs tables of fewer
    /// stones, or none
    Close {
        /// The solution file
        file: PathBuf,
        /// The directory of the endgame tables that it needs
        #[arg(long, value_name = "DIR", default_value = "tables")]
        tables: PathBuf,
        /// The stones of the tables that the new solution may need; 0 for none
        #[arg(long, value_name = "N", default_value_t = 0)]
        stones: usize,
        /// The file to write the new solution to
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Print the progress of a saved run: proof and disproof numbers over time, as CSV
    Progress {
        /// The directory of the state
        dir: PathBuf,
    },
}

#[derive(Args, Debug)]
struct StartArgs {
    /// The board from its standard start, columns x rows, or from the other: left-right-5x5
    #[arg(long, value_name = "B", default_value = "9x5")]
    board: Start,
    /// Another start position in FEN, with its own board
    #[arg(long, value_name = "FEN", conflicts_with_all = ["board", "vela"])]
    fen: Option<Position>,
    /// The vela instead of the riatra
    #[arg(long)]
    vela: bool,
}

#[derive(Args, Debug)]
struct SolveArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Ask only whether this side can force a win, white or black. Otherwise both questions are
    /// asked
    #[arg(long, value_name = "SIDE", value_parser = side)]
    only: Option<Side>,
    /// Rule switches, for example "vela-starved=paika"
    #[arg(long, value_name = "RULES", default_value = "")]
    rules: Ruleset,
    /// The directory of the endgame tables
    #[arg(long, value_name = "DIR", default_value = "tables")]
    tables: PathBuf,
    /// Use tables up to this number of stones; 0 for no tables [default: all present]
    #[arg(long, value_name = "N")]
    stones: Option<usize>,
    /// Memory for the search, for example 500M or 20G; tables and the proof at the end need more
    #[arg(long, value_name = "M", default_value = "1G")]
    memory: Bytes,
    /// The file to write the solution to [default: named after the board]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Save the state of the run in this directory, and resume from it
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
    /// Minutes between two saves of the state; the first ones come sooner
    #[arg(long, value_name = "MINUTES", default_value_t = 10.0, requires = "state")]
    save_every: f64,
    /// Threads, for both questions and then together for the one that is left; with 1, a run
    /// always searches the same positions [default: one for each processor]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// Build a fortress for the side that would hold: search each of its moves for this many positions,
    /// keep the most promising one, and turn to another only when it loses
    #[arg(long, value_name = "N")]
    fortress: Option<NonZero<u64>>,
    /// Stop after this many positions; with several threads, after about as many
    #[arg(long, value_name = "N", default_value_t = u64::MAX, hide_default_value = true)]
    nodes: u64,
}

fn main() -> ExitCode {
    program::run("solve", |cli: Cli| match &cli.command {
        None => solve(&cli.game),
        Some(Command::Check { file, tables }) => check(file, tables),
        Some(Command::Show { file }) => show(file),
        Some(Command::Join { files, start, tables, out }) => join(files, start, tables, out),
        Some(Command::Close { file, tables, stones, out }) => close(file, tables, *stones, out),
        Some(Command::Progress { dir }) => progress(dir),
    })
}

fn solve(args: &SolveArgs) -> Result<ExitCode, CliError> {
    let start = start(&args.start, &args.rules);
    let tables = match args.stones {
        Some(0) => None,
        stones => {
            let or = ", or solve without tables (--stones 0)";
            Some(open(&args.tables, &start, &args.rules, stones, or)?)
        }
    };
    let game = Game::new(start, args.rules, tables);
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // A second signal ends the program at once.
        signal_hook::flag::register_conditional_shutdown(signal, 130, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    let mut run = Run::new(&game, args.memory.0, threads(args));
    if let Some(side) = args.only {
        run.ask_only(side);
    }
    if let Some(effort) = args.fortress {
        run.build_fortresses(effort.get());
    }
    let mut clock = Clock::new();
    let mut state = None;
    if let Some(dir) = &args.state {
        let (opened, last) = State::open(dir, &mut run)?;
        if let Some(last) = last {
            clock.before = last.cpu_ms;
            eprint_line(format_args!("resuming after {} CPU seconds", last.cpu_ms / 1000));
        }
        state = Some(opened);
    }
    let solution = work(args, &mut run, &mut state, &clock, &stop)?;
    lines(&run).for_each(print_line);
    let is_stopped = solution.is_none();
    if is_stopped {
        print_line(format_args!("stopped after {}", clock.text()));
    }
    // A run that stops before its end may have settled one question.
    let Some(solution) = solution.or_else(|| run.settled()) else {
        return Ok(ExitCode::from(3));
    };
    let out = args.out.clone().unwrap_or_else(|| name(&solution));
    solution.write(&out)?;
    print_line(format_args!("{}: {}, found in {}", title(&solution), solution.value, clock.text()));
    let checked = verdict(&solution, game.tables(), &out)?;
    Ok(if is_stopped { ExitCode::from(3) } else { checked })
}

/// A side's name, in any case.
fn side(text: &str) -> Result<Side, String> {
    let side = Side::BOTH.into_iter().find(|side| side.to_string().eq_ignore_ascii_case(text));
    side.ok_or_else(|| "expected white or black".to_owned())
}

/// Joins solutions.
fn join(
    files: &[PathBuf],
    start_args: &StartArgs,
    tables: &Path,
    out: &Option<PathBuf>,
) -> Result<ExitCode, CliError> {
    let parts: Vec<Solution> =
        files.iter().map(|file| Solution::read(file)).collect::<Result<_, _>>()?;
    let start = start(start_args, &parts[0].rules);
    let stones = parts.iter().map(|part| part.stones).max().unwrap_or(0);
    let tables = opened(tables, &start, &parts[0].rules, stones)?;
    let joined = solve::join(&start, &parts, tables.as_ref());
    let solution = joined.map_err(|why| CliError::usage(why.to_string()))?;
    let out = out.clone().unwrap_or_else(|| name(&solution));
    solution.write(&out)?;
    verdict(&solution, tables.as_ref(), &out)
}

/// Closes the sets of a solution.
fn close(file: &Path, dir: &Path, stones: usize, out: &Path) -> Result<ExitCode, CliError> {
    let solution = Solution::read(file)?;
    if stones >= solution.stones {
        let file = file.display();
        let why = match solution.stones {
            0 => format!("{file}: it needs no tables: it is closed"),
            most => {
                format!("{file}: it needs tables of {most} stones, no more: name fewer in --stones")
            }
        };
        return Err(CliError::usage(why));
    }
    let needed = open(dir, &solution.start, &solution.rules, Some(solution.stones), "")?;
    let bar = bar("{elapsed} {wide_msg}", None);
    let mut looks = 0_u64;
    let closed = solve::close(&solution, needed, stones, |positions| {
        if looks.is_multiple_of(1 << 17) {
            bar.set_message(format!("{positions} positions"));
        }
        looks += 1;
    });
    bar.finish_and_clear();
    let closed = closed.map_err(|why| CliError::wrong(format!("{}: {why}", file.display())))?;
    closed.write(out)?;
    let left = opened(dir, &closed.start, &closed.rules, closed.stones)?;
    verdict(&closed, left.as_ref(), out)
}

/// The number of threads.
fn threads(args: &SolveArgs) -> usize {
    let threads = args.threads.or_else(|| available_parallelism().ok());
    threads.map_or(1, NonZero::get)
}

/// The time to the first save. A run that is killed often makes progress only if it saves soon; each
/// time until the next save is twice as long.
const FIRST_SAVE: Duration = Duration::from_secs(1);

/// Unless more frequent saves are asked for, saving takes one part in so many of the time.
const MOST_TIME_SAVING: u32 = 8;

/// Runs until the game is solved; `None` if it was stopped before.
fn work(
    args: &SolveArgs,
    run: &mut Run<'_>,
    state: &mut Option<State>,
    clock: &Clock,
    stop: &AtomicBool,
) -> Result<Option<Solution>, CliError> {
    const SLICE: u64 = 100_000;
    let bar = bar("{elapsed} {wide_msg}", None);
    let every = Duration::try_from_secs_f64(60.0 * args.save_every);
    let every = every.map_err(|_| CliError::usage("--save-every: expected a number of minutes"))?;
    let (mut saved, mut wait) = (Instant::now(), FIRST_SAVE.min(every));
    loop {
        let nodes = |run: &Run<'_>| run.progress().iter().map(|s| s.nodes).sum::<u64>();
        let left = args.nodes.saturating_sub(nodes(run));
        let solved = match left {
            0 => None,
            left => match run.advance(left.min(SLICE), stop) {
                RunStatus::Open => None,
                RunStatus::Solved(solution) => Some(solution),
            },
        };
        bar.set_message(lines(run).collect::<Vec<_>>().join("  "));
        let last = solved.is_some() || left == 0 || stop.load(Ordering::Relaxed);
        if last || saved.elapsed() >= wait {
            let begin = Instant::now();
            if let Some(state) = state {
                state.save(run, clock.millis())?;
                // A terminal shows the line in its bar already.
                if bar.is_hidden() && !last {
                    lines(run).for_each(eprint_line);
                }
            }
            saved = Instant::now();
            wait = (2 * wait).max(MOST_TIME_SAVING * begin.elapsed()).min(every);
        }
        if last {
            bar.finish_and_clear();
            return Ok(solved);
        }
    }
}

/// The start of the game.
fn start(args: &StartArgs, rules: &Ruleset) -> Position {
    let start = args.fen.unwrap_or_else(|| args.board.riatra());
    // White moves first, in either role.
    let debtor = match rules.vela_starter {
        VelaStarter::Debtor => Side::White,
        VelaStarter::Creditor => Side::Black,
    };
    if args.vela { start.with_debtor(Some(debtor)) } else { start }
}

/// The tables that a solution of a game relies on, those of this many stones, if there are to be any.
fn opened(
    dir: &Path,
    start: &Position,
    rules: &Ruleset,
    stones: usize,
) -> Result<Option<Tables>, CliError> {
    (stones > 0).then(|| open(dir, start, rules, Some(stones), "")).transpose()
}

/// Opens the tables for the board of a start and for rules: of this many stones, or all present. If
/// they are not there, the error names the command that builds them, or another way out.
fn open(
    dir: &Path,
    start: &Position,
    rules: &Ruleset,
    stones: Option<usize>,
    or: &str,
) -> Result<Tables, CliError> {
    let (board, here) = (start.board().size(), dir.display());
    let rules = Tables::rules_for(rules);
    let missing = |found: String, out: &Path| {
        let switches = rules.to_string();
        let switches = match &switches[..] {
            "" => switches,
            _ => format!(" --rules \"{switches}\""),
        };
        let stones = stones.unwrap_or(6);
        let out = out.display();
        CliError::usage(format!(
            "{here}: {found}: build them with `endgames build --board {board} --stones \
             {stones}{switches} --out {out}`{or}"
        ))
    };
    if let Some(stones) = stones.filter(|&stones| stones > MAX_STONES) {
        let why =
            format!("there are no endgame tables of {stones} stones, only up to {MAX_STONES}");
        return Err(CliError::usage(why));
    }
    let tables = match Tables::open(dir, board, stones.unwrap_or(MAX_STONES)) {
        Err(error) if is_absent(&error) => {
            return Err(missing(format!("no endgame tables for {board} here"), dir));
        }
        opened => opened?,
    };
    if *tables.rules() != rules {
        let named = |rules: &Ruleset| match &rules.to_string()[..] {
            "" => "the default rules".to_owned(),
            switches => format!("the rules `{switches}`"),
        };
        let (found, asked) = (named(tables.rules()), named(&rules));
        let found = format!("these endgame tables are for {found}, not for {asked}");
        // Each set of rules needs a directory of its own, because the files have the same names.
        let name = rules.to_string().replace(' ', "-");
        let name = if name.is_empty() { "default" } else { &name };
        return Err(missing(found, &dir.join(name)));
    }
    match stones {
        Some(stones) if tables.stones() < stones => {
            let there: Vec<Layer> = tables.layers().collect();
            let layers = (2..=stones).flat_map(Layer::with_stones);
            let layers = layers.filter(|layer| !there.contains(layer));
            let layers: Vec<String> = layers.map(|layer| layer.to_string()).collect();
            let layers = layers.join(", ");
            Err(missing(format!("no endgame tables for {board} of {layers} here"), dir))
        }
        _ => Ok(tables),
    }
}

/// Whether there is no table at all where one was looked for.
fn is_absent(error: &FileError) -> bool {
    matches!(&error.problem, FileProblem::Io(why) if why.kind() == ErrorKind::NotFound)
}

/// The name of a start's board: its size, or the left-right start of that size.
fn board_name(start: &Position) -> String {
    let size = start.board().size();
    match Start::LeftRight(size) {
        other if other.riatra().board() == start.board() => other.to_string(),
        _ => size.to_string(),
    }
}

/// The default file of a solution: named after board, kind and rules, and what is known if that is
/// not the value.
fn name(solution: &Solution) -> PathBuf {
    let Solution { start, rules, value, .. } = solution;
    let mut name = board_name(start);
    if start.debtor().is_some() {
        name.push_str("-vela");
    }
    for word in rules.to_string().split_whitespace() {
        name.push('-');
        name.push_str(word);
    }
    name.push_str(match value {
        GameValue::WhiteHolds => "-white-holds",
        GameValue::BlackHolds => "-black-holds",
        GameValue::White | GameValue::Black | GameValue::Draw => "",
    });
    PathBuf::from(name + ".solution")
}

fn check(file: &Path, tables: &Path) -> Result<ExitCode, CliError> {
    let solution = Solution::read(file)?;
    let tables = opened(tables, &solution.start, &solution.rules, solution.stones)?;
    verdict(&solution, tables.as_ref(), file)
}

/// Prints a solution as text.
fn show(file: &Path) -> Result<ExitCode, CliError> {
    let solution = Solution::read(file)?;
    print_line(serde_json::json!({
        "start": solution.start.to_string(),
        "rules": solution.rules.to_string(),
        "stones": solution.stones,
        "worth": solution.value,
    }));
    for proof in &solution.proofs {
        let claim = match proof.claim {
            Claim::Wins => "wins",
            Claim::Holds => "holds",
        };
        let name = format!("{} {claim}", proof.side).to_lowercase();
        for record in proof.records() {
            let position = solution.position(proof.side, *record);
            let position = position.ok_or_else(|| CliError::wrong("no position of this board"))?;
            print_line(format_args!("{name} {} {position}", record.rank()));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Checks a solution and prints the result.
fn verdict(
    solution: &Solution,
    tables: Option<&Tables>,
    file: &Path,
) -> Result<ExitCode, CliError> {
    let clock = Clock::new();
    let positions: usize = solution.proofs.iter().map(|proof| proof.records().len()).sum();
    if let Err(flaw) = solve::check(solution, tables, || {}) {
        let why = format!("{}: the proof does not hold: {flaw}", file.display());
        return Err(CliError::wrong(why));
    }
    let title = title(solution);
    print_line(format_args!(
        "{title}: {}; {positions} positions checked in {}",
        solution.value,
        clock.text()
    ));
    print_line(format_args!("{}", file.display()));
    Ok(ExitCode::SUCCESS)
}

/// The title of a solution: its board, kind and rules.
fn title(solution: &Solution) -> String {
    let mut title = board_name(&solution.start);
    let size = solution.start.board().size();
    let is_start = |start: Position| {
        [Start::Usual(size), Start::LeftRight(size)].iter().any(|named| named.riatra() == start)
    };
    match solution.start.debtor() {
        None if is_start(solution.start) => {}
        Some(debtor) if is_start(solution.start.with_debtor(None)) => {
            title.push_str(&format!(" vela, {debtor} the debtor"));
        }
        _ => title.push_str(&format!(" from {}", solution.start)),
    }
    let rules = solution.rules.to_string();
    if !rules.is_empty() {
        title.push_str(&format!(" ({rules})"));
    }
    title
}

/// A line about each question that a run works on.
fn lines(run: &Run<'_>) -> impl Iterator<Item = String> {
    let asked = run.progress().into_iter().filter(|progress| run.asks(progress.attacker));
    asked.map(|progress| line(&progress))
}

/// A line about the progress of a question.
fn line(progress: &QuestionProgress) -> String {
    let QuestionProgress {
        attacker,
        nodes,
        refuted,
        used,
        room,
        numbers,
        answer,
        positions,
        fortress,
    } = progress;
    let refuted = match refuted {
        0 => String::new(),
        refuted => format!(", {refuted} disproofs refuted"),
    };
    match answer {
        Some(yes) => {
            let answer = if *yes { "wins" } else { "does not win" };
            format!("{attacker} {answer}: {nodes} nodes{refuted}, {positions} positions")
        }
        None => {
            let full = 100 * used / room;
            let numbers = match (numbers.answer(), fortress) {
                (None, None) => format!("proof {}, disproof {}", numbers.proof, numbers.disproof),
                (None, Some((answers, left))) => {
                    format!("{answers} answers stand, {left} questions are left")
                }
                (Some(yes), _) => {
                    let yes = if yes { "yes" } else { "no" };
                    format!("{yes}, proof has {positions} positions so far")
                }
            };
            format!("{attacker} wins? {nodes} nodes, {numbers}, table {full} %{refuted}")
        }
    }
}

fn progress(dir: &Path) -> Result<ExitCode, CliError> {
    print_line("cpu_seconds,question,nodes,move,proof,disproof");
    for moment in State::history(dir)? {
        let seconds = moment.cpu_ms as f64 / 1000.0;
        for (side, point) in Side::BOTH.iter().zip(&moment.questions) {
            let nodes = point.nodes;
            let start = ("start".to_owned(), point.start);
            for (mv, [proof, disproof]) in [start].iter().chain(&point.moves) {
                print_line(format_args!(
                    "{seconds:.1},{side} wins,{nodes},{mv},{proof},{disproof}"
                ));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Processor time, including that of the run before it was resumed.
struct Clock {
    /// In milliseconds.
    before: u64,
    begin: u64,
}

impl Clock {
    fn new() -> Clock {
        Clock { before: 0, begin: Clock::now() }
    }

    /// Processor time of this process, in milliseconds.
    fn now() -> u64 {
        ProcessTime::now().as_duration().as_millis() as u64
    }

    fn millis(&self) -> u64 {
        self.before + Clock::now() - self.begin
    }

    fn text(&self) -> String {
        format!("{:.1} CPU seconds", self.millis() as f64 / 1000.0)
    }
}
