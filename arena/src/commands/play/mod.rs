//! `arena play`: play against an engine in the terminal.

mod game_files;
mod partner;
mod table;

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fanorona_protocol::rules::{
    NextGame, Player, Position, Ruleset, Session, SessionRules, Side, Start,
};

use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::print_wrapped;
use crate::terminal::screen;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::Limit;
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::notation::board::Style;
use fanorona_tournament::pairing::ids::{GameId, PairingId};
use partner::Partner;
use table::Table;

pub(super) const HELP: &str = "\
Examples:
  arena play bot-greedy
  arena play bot-alphabeta --side black --limit 3s
  arena play bot-mcts --kind session --board dimy --save games.fgn
  arena play 'python3 bot.py'

Type a move as the protocol writes it, or any unambiguous shorter form: its number, its points \
without capture marks (e2e3), or its beginning (e2). Commands: moves, hint, undo, board, flip, \
fen, save FILE, resign, quit, help. An engine given by a path or with arguments receives the list \
of legal moves.";

#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// The engine: a bot's name, or a command line in quotes
    engine: String,
    /// Your side: in a session the side of the first riatra; in a vela White is the debtor's
    #[arg(long, value_name = "SIDE", default_value = "white")]
    side: SideArg,
    /// The kind of game: riatra, vela or session
    #[arg(long, value_name = "KIND", default_value = "riatra")]
    kind: Kind,
    /// The board: tsivy, dimy, telo, left-right, 7x5 …
    #[arg(long, value_name = "BOARD", default_value = "tsivy")]
    board: Start,
    /// The engine's limit: 1s per move, 10s+0.1s per game, 40/60s for every 40 moves, nodes=10000,
    /// depth=6
    #[arg(long, value_name = "LIMIT", default_value = "1s")]
    limit: Limit,
    /// Start from a position; a position with a debtor is a vela
    #[arg(long, value_name = "FEN", conflicts_with_all = ["kind", "board"])]
    fen: Option<Position>,
    /// Rules that differ from the default, in the notation of the engine option Rules
    #[arg(long, value_name = "WORDS")]
    rules: Option<Ruleset>,
    /// Seed for the engine's random choices [default: a new one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Send the engine the legal moves even if it is given by name only
    #[arg(long)]
    legal_moves: bool,
    /// Save the games to a new FGN file, after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Your name in the file
    #[arg(long, value_name = "NAME", default_value = "person")]
    name: String,
    /// Draw the board in ASCII only
    #[arg(long)]
    ascii: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SideArg {
    White,
    Black,
}

pub(super) fn play(args: &PlayArgs) -> Result<Exit, CliError> {
    let rules = args.rules.unwrap_or_default();
    let seed = args.seed.unwrap_or_else(|| jiff::Timestamp::now().as_nanosecond() as u64 >> 1);
    let mut partner = Partner::start(&args.engine, args.limit, rules, args.legal_moves, seed)?;
    if partner.name() == args.name {
        let why = format!("two players cannot both be called {}", args.name);
        return Err(CliError::with_help(Exit::Usage, why, "choose another name with --name"));
    }
    let side = match args.side {
        SideArg::White => Side::White,
        SideArg::Black => Side::Black,
    };
    print_wrapped(format_args!(
        "{} (seed {seed}); type `help` for the commands",
        partner.identity()
    ));
    let style: Style = screen::style(args.ascii);
    let input = io::stdin().lock();
    let mut table = Table::new(input, rules, style, args.name.clone(), args.save.clone())?;
    let played = match (args.kind, args.fen) {
        (Kind::Session, None) => session(&mut table, &mut partner, args.board, side),
        (kind, fen) => {
            let start = fen.unwrap_or(match kind {
                Kind::Vela => args.board.vela(rules.vela_starter),
                _ => args.board.riatra(),
            });
            let id = GameId { pairing: PairingId(1), of_session: None };
            table.game(&mut partner, id, start, side).map(|_| ())
        }
    };
    partner.quit();
    // Leaving is a normal end: the game so far is kept.
    if let Err(table::PlayerQuit) = played {
        print_wrapped("");
    }
    table.save_at_end()?;
    Ok(Exit::Done)
}

/// Plays riatra games and the velas they lead to, until the session ends.
fn session<R: io::BufRead>(
    table: &mut Table<R>,
    partner: &mut Partner,
    board: Start,
    side: Side,
) -> Result<(), table::PlayerQuit> {
    let rules = table.rules();
    let user = if side == Side::White { Player::First } else { Player::Second };
    let mut session = Session::new(SessionRules::default(), rules.vela_starter);
    let mut number = NonZeroU32::MIN;
    while let Some(next) = session.next_game() {
        let NextGame { white, debtor } = next;
        let side = if white == user { Side::White } else { Side::Black };
        let name = |player: Player| if player == user { "you" } else { partner.name() };
        let (start, what) = match debtor {
            None => (board.riatra(), "riatra".to_owned()),
            Some(debtor) => {
                let owes = if debtor == user {
                    "you owe".into()
                } else {
                    name(debtor).to_owned() + " owes"
                };
                (board.vela(rules.vela_starter), format!("vela, {owes} it"))
            }
        };
        print_wrapped(format_args!(
            "\ngame {number} of the session: {what}; sets {}",
            score(&session, user)
        ));
        let id = GameId { pairing: PairingId(1), of_session: Some(number) };
        let winner = match table.game(partner, id, start, side)? {
            GameResult::Won(side) => Some(next.player(side)),
            GameResult::Drawn | GameResult::Void => None,
        };
        session.record(winner);
        number = number.saturating_add(1);
    }
    let outcome = match session.winner() {
        Some(winner) if winner == user => "you won".to_owned(),
        Some(_) => format!("{} won", partner.name()),
        None => "a draw".to_owned(),
    };
    let velas = session.velas();
    print_wrapped(format_args!(
        "\nthe session is over: {outcome}, sets {}, velas {velas}",
        score(&session, user)
    ));
    Ok(())
}

/// The set score from the user's view.
fn score(session: &Session, user: Player) -> String {
    let halves = |player: Player| f64::from(session.score().halves(player)) / 2.0;
    format!("{} for you, {} against", halves(user), halves(!user))
}
