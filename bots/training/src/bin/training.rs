//! `training`: plays games and trains the evaluations on them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use fanorona_bots::evaluation::Weights;
use fanorona_bots::evaluation::network::{Network, Role, numbers};
use fanorona_endgames::atomic_file;
use fanorona_endgames::program::{self, CliError, print_line};
use fanorona_protocol::rules::BoardSize;
use fanorona_training::Sample;
use fanorona_training::data::{Recipe, SampleReader, SampleWriter};
use fanorona_training::distinct::DistinctPositions;
use fanorona_training::generate::Generator;
use fanorona_training::handwritten;
use fanorona_training::network::{self, TrainingSchedule};

/// Generate self-play games of bot-alphabeta and train its evaluations on them
#[derive(Parser, Debug)]
#[command(name = "training", version, propagate_version = true)]
#[command(after_help = "\
Exit codes: 0 success; 2 wrong usage or an unusable file; 74 the output could not be written.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play games and save their positions. Appends to an existing file
    Generate(GenerateArgs),
    /// Train the network
    Network(NetworkArgs),
    /// Fit the hand-written evaluation and write its weights as Rust source
    Handwritten(HandwrittenArgs),
    /// Count the games and samples in files
    Count {
        /// The files of samples
        #[arg(required = true)]
        data: Vec<PathBuf>,
    },
}

#[derive(Args, Debug)]
struct GenerateArgs {
    /// The file to write the samples to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Total number of games in the file
    #[arg(long, value_name = "N")]
    games: u32,
    /// Size of the board
    #[arg(long, value_name = "SIZE", default_value_t = BoardSize::TSIVY)]
    board: BoardSize,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Number of nodes after which a search begins no new iteration
    #[arg(long, value_name = "N", default_value_t = 1000)]
    nodes: u64,
    /// Percentage of velas
    #[arg(long, value_name = "N", default_value_t = 35)]
    vela: u32,
    /// Number of random moves in a thousand after the opening
    #[arg(long, value_name = "N", default_value_t = 20)]
    random: u32,
    /// Directory of endgame tables that decide games (see the program endgames)
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// An option of bot-alphabeta, for example Evaluation=handwritten; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

#[derive(Args, Debug)]
struct NetworkArgs {
    /// The files of samples
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The file to write the weights to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Begin with the weights of this file instead of random ones; what has no samples keeps them
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Number of passes over the samples
    #[arg(long, value_name = "N", default_value_t = TrainingSchedule::default().epochs)]
    epochs: u32,
    /// Number of samples per step
    #[arg(long, value_name = "N", default_value_t = TrainingSchedule::default().batch)]
    batch: usize,
    /// Initial step length
    #[arg(long, value_name = "X", default_value_t = TrainingSchedule::default().rate)]
    rate: f32,
    /// Weight of the search's score in a target; the rest is the game's result
    #[arg(long, value_name = "X", default_value_t = TrainingSchedule::default().search)]
    search: f32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = TrainingSchedule::default().seed)]
    seed: u64,
    /// Use only positions without a capture for the side to move
    #[arg(long)]
    quiet: bool,
}

#[derive(Args, Debug)]
struct HandwrittenArgs {
    /// The files of samples
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The file to write the weights to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Weight of the search's score in a target; the rest is the game's result
    #[arg(long, value_name = "X", default_value_t = TrainingSchedule::default().search)]
    search: f32,
}

fn main() -> ExitCode {
    program::run("training", |cli: Cli| match cli.command {
        Command::Generate(args) => generate(args),
        Command::Network(args) => train(&args),
        Command::Handwritten(args) => fit(&args),
        Command::Count { data } => count(&data),
    })
}

type Done = Result<(), CliError>;

fn generate(args: GenerateArgs) -> Done {
    let GenerateArgs { out, games, board, seed, nodes, vela, random, tables, options } = args;
    let recipe = Recipe { board, seed, nodes, vela, random, tables: 0, options };
    let mut generator = Generator::new(recipe, tables.as_deref())
        .map_err(|error| CliError::usage(error.to_string()))?;
    let mut writer = SampleWriter::open(&out, generator.recipe())?;
    while writer.next() < games {
        let samples = generator.game(writer.next());
        writer.add(&samples)?;
    }
    Ok(())
}

fn train(args: &NetworkArgs) -> Done {
    let &NetworkArgs { epochs, batch, rate, search, seed, quiet, .. } = args;
    let schedule = TrainingSchedule { seed, epochs, batch, rate, search };
    let (board, samples, validation) = read(&args.data, quiet)?;
    let from = args.from.as_deref().map(|path| weights_of(path, board)).transpose()?;
    let from = from.as_ref().map(|(rows, biases)| (&rows[..], &biases[..]));
    let file = network::train(board, from, &samples, &validation, &schedule, |progress| {
        let network::EpochReport { epoch, training_error, validation_error } = progress;
        print_line(format_args!(
            "epoch {epoch}: training error {training_error:.6}, validation error {validation_error:.6}"
        ));
    });
    let trained = Network::read(&file)?;
    print_line(format_args!(
        "validation error as integers: {:.6}",
        network::error(&trained, &validation, &schedule)
    ));
    atomic_file::write(&args.out, &file).map_err(|error| CliError::unwritten(&args.out, &error))
}

/// The numbers of a file of weights for a board.
fn weights_of(path: &Path, board: BoardSize) -> Result<(Vec<i16>, Vec<i32>), CliError> {
    let bytes = std::fs::read(path)
        .map_err(|error| CliError::usage(format!("cannot read {}: {error}", path.display())))?;
    let (own, rows, biases) =
        numbers(&bytes).map_err(|error| CliError::usage(format!("{}: {error}", path.display())))?;
    if own != board {
        let path = path.display();
        return Err(CliError::usage(format!(
            "{path} has weights for {own}, the games are on {board}"
        )));
    }
    Ok((rows, biases))
}

fn fit(args: &HandwrittenArgs) -> Done {
    let &HandwrittenArgs { ref data, ref out, search } = args;
    let (board, samples, validation) = read(data, false)?;
    let weights = handwritten::fit(board, &samples, search);
    for (name, debt) in [("riatra", false), ("vela's first phase", true)] {
        // As in the fit, the formula of riatra applies to positions without a capture.
        let matches = |sample: &&Sample| match sample.role {
            Role::Riatra | Role::Settled => !debt && !sample.capture,
            Role::Debtor | Role::Creditor => debt,
        };
        let error = |weights: &Weights, samples: &[Sample]| {
            let samples: Vec<Sample> = samples.iter().filter(matches).copied().collect();
            handwritten::error(board, weights, &samples, search)
        };
        let (training, new) = (error(&weights, &samples), error(&weights, &validation));
        let old = error(&Weights::SHIPPED, &validation);
        print_line(format_args!(
            "{name}: training error {training:.6}, validation error {new:.6}; built-in weights {old:.6}"
        ));
    }
    atomic_file::write(out, handwritten::source(&weights).as_bytes())
        .map_err(|error| CliError::unwritten(out, &error))
}

/// The board, the training samples and the validation samples of files, every position once.
fn read(data: &[PathBuf], quiet: bool) -> Result<(BoardSize, Vec<Sample>, Vec<Sample>), CliError> {
    let (mut samples, mut validation) = (Vec::new(), Vec::new());
    let mut repeated = 0u64;
    let first = data.first().expect("at least one file is required");
    let board = SampleReader::open(first)?.recipe().board;
    let mut distinct = DistinctPositions::new(board);
    for path in data {
        let mut reader = SampleReader::open(path)?;
        if reader.recipe().board != board {
            return Err(CliError::usage(format!(
                "{} has games on {}, {} on {board}: train one network for each board",
                path.display(),
                reader.recipe().board,
                first.display(),
            )));
        }
        while let Some((number, game)) = reader.next_game() {
            // Positions of one game are too similar to validate each other.
            let part = if number % VALIDATION == 0 { &mut validation } else { &mut samples };
            let wanted = game.into_iter().filter(|sample| !quiet || !sample.capture);
            part.extend(wanted.filter(|sample| {
                let new = distinct.add(sample);
                repeated += u64::from(!new);
                new
            }));
        }
    }
    if samples.is_empty() {
        return Err(CliError::usage("the files have no training samples: generate more games"));
    }
    print_line(format_args!(
        "{} training samples, {} validation samples; {repeated} repeated positions left out",
        samples.len(),
        validation.len()
    ));
    Ok((board, samples, validation))
}

/// One in this many games is used for validation.
const VALIDATION: u32 = 20;

fn count(data: &[PathBuf]) -> Done {
    for path in data {
        let mut reader = SampleReader::open(path)?;
        let (mut games, mut samples) = (0, 0);
        while let Some((_, game)) = reader.next_game() {
            games += 1;
            samples += game.len();
        }
        print_line(format_args!("{}: {games} games, {samples} samples", path.display()));
    }
    Ok(())
}
