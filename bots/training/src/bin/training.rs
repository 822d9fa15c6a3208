//! `training`: plays games and finds the weights of evaluations from them.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use fanorona_bots::evaluation::Weights;
use fanorona_bots::evaluation::network::{Network, Role};
use fanorona_endgames::atomic_file;
use fanorona_endgames::program::{self, CliError, print_line};
use fanorona_training::Sample;
use fanorona_training::data::{Reader, Recipe, Writer};
use fanorona_training::generate::Generator;
use fanorona_training::handwritten;
use fanorona_training::network::{self, TrainingSchedule};

/// The weights of bot-alphabeta's evaluations: games it plays against itself, and what they teach.
#[derive(Parser, Debug)]
#[command(name = "training", version, propagate_version = true)]
#[command(after_help = "Exit codes: 0 done; 2 usage, or a file that cannot be used.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play games and keep their positions; a file that is there already is gone on with
    Generate(GenerateArgs),
    /// Find the weights of the network
    Network(NetworkArgs),
    /// Find the weights of the hand-written evaluation, as Rust to build bot-alphabeta with
    Handwritten(HandwrittenArgs),
    /// What files of samples hold
    Count {
        /// The files
        #[arg(required = true)]
        data: Vec<PathBuf>,
    },
}

#[derive(Args, Debug)]
struct GenerateArgs {
    /// The file the samples go to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Games to have in the file at last
    #[arg(long, value_name = "N")]
    games: u32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Nodes after which a search goes no deeper
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Velas in a hundred games
    #[arg(long, value_name = "N", default_value_t = 35)]
    vela: u32,
    /// Random moves in a thousand after the opening
    #[arg(long, value_name = "N", default_value_t = 20)]
    random: u32,
    /// Endgame tables that decide games (see the program endgames)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// An option of bot-alphabeta, like Evaluation=handwritten; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

#[derive(Args, Debug)]
struct NetworkArgs {
    /// Files of samples
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The file the weights go to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How often every sample is seen
    #[arg(long, value_name = "N", default_value_t = TrainingSchedule::default().epochs)]
    epochs: u32,
    /// Samples between two steps
    #[arg(long, value_name = "N", default_value_t = TrainingSchedule::default().batch)]
    batch: usize,
    /// The length of the first steps
    #[arg(long, value_name = "X", default_value_t = TrainingSchedule::default().rate)]
    rate: f32,
    /// The part of a target that is the search's score; the rest is the game's result
    #[arg(long, value_name = "X", default_value_t = TrainingSchedule::default().search)]
    search: f32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = TrainingSchedule::default().seed)]
    seed: u64,
    /// Only positions without a capture for the side to move
    #[arg(long)]
    quiet: bool,
}

#[derive(Args, Debug)]
struct HandwrittenArgs {
    /// Files of samples
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The file the weights go to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The part of a target that is the search's score; the rest is the game's result
    #[arg(long, value_name = "X", default_value_t = TrainingSchedule::default().search)]
    search: f32,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Generate(args) => generate(args),
        Command::Network(args) => train(&args),
        Command::Handwritten(args) => fit(&args),
        Command::Count { data } => count(&data),
    };
    program::exit("training", done.map(|()| ExitCode::SUCCESS))
}

type Done = Result<(), CliError>;

fn generate(args: GenerateArgs) -> Done {
    let GenerateArgs { out, games, seed, nodes, vela, random, tables, options } = args;
    let recipe = Recipe { seed, nodes, vela, random, tables: 0, options };
    let mut generator = Generator::new(recipe, tables.as_deref())
        .map_err(|error| CliError::usage(error.to_string()))?;
    let mut writer = Writer::open(&out, generator.recipe())?;
    while writer.next() < games {
        let samples = generator.game(writer.next());
        writer.add(&samples)?;
    }
    Ok(())
}

fn train(args: &NetworkArgs) -> Done {
    let &NetworkArgs { epochs, batch, rate, search, seed, quiet, .. } = args;
    let schedule = TrainingSchedule { seed, epochs, batch, rate, search };
    let (samples, unseen) = read(&args.data, quiet)?;
    print_line(format_args!("{} samples, {} unseen", samples.len(), unseen.len()));
    let file = network::train(&samples, &unseen, &schedule, |progress| {
        let network::Progress { epoch, learned, unseen } = progress;
        print_line(format_args!(
            "epoch {epoch}: error {learned:.6}, of unseen samples {unseen:.6}"
        ));
    });
    let trained = Network::read(&file)?;
    print_line(format_args!("as integers: {:.6}", network::error(&trained, &unseen, &schedule)));
    atomic_file::write(&args.out, &file)
        .map_err(|error| CliError::usage(format!("{}: {error}", args.out.display())))
}

fn fit(args: &HandwrittenArgs) -> Done {
    let &HandwrittenArgs { ref data, ref out, search } = args;
    let (samples, unseen) = read(data, false)?;
    print_line(format_args!("{} samples, {} unseen", samples.len(), unseen.len()));
    let weights = handwritten::fit(&samples, search);
    for (name, debt) in [("riatra", false), ("vela's first phase", true)] {
        // The formula of riatra is for positions without a capture, as in the fit.
        let matches = |sample: &&Sample| match sample.role {
            Role::None => !debt && !sample.capture,
            Role::Debtor | Role::Creditor => debt,
        };
        let error = |weights: &Weights, samples: &[Sample]| {
            let samples: Vec<Sample> = samples.iter().filter(matches).copied().collect();
            handwritten::error(weights, &samples, search)
        };
        let (learned, new) = (error(&weights, &samples), error(&weights, &unseen));
        let old = error(&Weights::SHIPPED, &unseen);
        print_line(format_args!(
            "{name}: error {learned:.6}, of unseen samples {new:.6}; of the weights that ship {old:.6}"
        ));
    }
    atomic_file::write(out, handwritten::source(&weights).as_bytes())
        .map_err(|error| CliError::usage(format!("{}: {error}", out.display())))
}

/// The samples of files to learn from, and those kept aside.
fn read(data: &[PathBuf], quiet: bool) -> Result<(Vec<Sample>, Vec<Sample>), CliError> {
    let (mut samples, mut unseen) = (Vec::new(), Vec::new());
    for path in data {
        let mut reader = Reader::open(path)?;
        while let Some((number, game)) = reader.next_game() {
            // Positions of one game are too much alike to judge each other.
            let part = if number % UNSEEN == 0 { &mut unseen } else { &mut samples };
            part.extend(game.into_iter().filter(|sample| !quiet || !sample.capture));
        }
    }
    if samples.is_empty() {
        return Err(CliError::usage(
            "the files have no samples to learn from: generate more games",
        ));
    }
    Ok((samples, unseen))
}

/// Of so many games one is not learned from.
const UNSEEN: u32 = 20;

fn count(data: &[PathBuf]) -> Done {
    for path in data {
        let mut reader = Reader::open(path)?;
        let (mut games, mut samples) = (0, 0);
        while let Some((_, game)) = reader.next_game() {
            games += 1;
            samples += game.len();
        }
        print_line(format_args!("{}: {games} games, {samples} samples", path.display()));
    }
    Ok(())
}
