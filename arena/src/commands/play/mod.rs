//! `arena play`: a person against an engine, in the terminal.

mod partner;
mod table;

use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use fanorona_protocol::rules::{
    NextGame, Player, Position, Ruleset, Session, SessionRules, Side, Start,
};

use super::exit::Exit;
use super::refusal::CliError;
use crate::config::Limit;
use crate::game::termination::GameResult;
use crate::pairing::ids::{GameId, PairingId};
use crate::ratings::kind::Kind;
use crate::terminal::board::Style;
use crate::terminal::output::prose;
use crate::terminal::screen;
use partner::Partner;
use table::Table;

pub(super) const HELP: &str = "\
Examples:
  arena play bot-greedy
  arena play bot-alphabeta --side black --limit 3s
  arena play bot-mcts --kind session --board dimy --save games.fgn
  arena play 'python3 bot.py'

A move is typed as the protocol writes it, or shorter as long as it is clear: its number, its points \
without the marks of captures (e2e3), its beginning (e2). Words: moves, hint, undo, board, flip, fen, \
save FILE, resign, quit, help. An engine that is given by a path or with arguments is told the legal \
moves.";

#[derive(Args, Debug)]
pub(super) struct PlayArgs {
    /// A bot's name, or a command line in quotes
    engine: String,
    /// Your side; in a session that of the first riatra, in a vela White is the debtor's
    #[arg(long, value_name = "SIDE", default_value = "white")]
    side: SideArg,
    /// What is played: riatra, vela or session
    #[arg(long, value_name = "KIND", default_value = "riatra")]
    kind: Kind,
    /// The board: tsivy, dimy, telo, left-right, 7x5 …
    #[arg(long, value_name = "BOARD", default_value = "tsivy")]
    board: Start,
    /// How long the engine thinks: 1s, 10s+0.1s for a whole game, nodes=10000, depth=6
    #[arg(long, value_name = "LIMIT", default_value = "1s")]
    limit: Limit,
    /// Begin with a position; one with a debtor is a vela
    #[arg(long, value_name = "FEN", conflicts_with_all = ["kind", "board"])]
    fen: Option<Position>,
    /// Switches that differ from the usual rules, as the option Rules writes them
    #[arg(long, value_name = "WORDS")]
    rules: Option<Ruleset>,
    /// The seed of the engine's random choices [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Tell the engine the legal moves though it is named alone, as for one that knows no rules
    #[arg(long)]
    legal_moves: bool,
    /// Write the games to a file of FGN at the end
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Your name in the file
    #[arg(long, value_name = "NAME", default_value = "person")]
    name: String,
    /// Draw the board with ASCII characters alone
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
        return Err(CliError::with_help(Exit::Usage, why, "choose another name by --name"));
    }
    let side = match args.side {
        SideArg::White => Side::White,
        SideArg::Black => Side::Black,
    };
    prose(format_args!("{} (seed {seed}); `help` says what can be typed", partner.identity()));
    let style: Style = screen::style(args.ascii);
    let input = io::stdin().lock();
    let mut table = Table::new(input, rules, style, args.name.clone(), args.save.clone());
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
    // Whoever leaves has left everything in order.
    if let Err(table::PlayerQuit) = played {
        prose("");
    }
    table.save_at_end()?;
    Ok(Exit::Done)
}

/// Plays riatra games and the velas they lead to, until the session is over.
fn session<R: io::BufRead>(
    table: &mut Table<R>,
    partner: &mut Partner,
    board: Start,
    side: Side,
) -> Result<(), table::PlayerQuit> {
    let rules = table.rules();
    let person = if side == Side::White { Player::First } else { Player::Second };
    let mut session = Session::new(SessionRules::default(), rules.vela_starter);
    let mut number = NonZeroU32::MIN;
    while let Some(next) = session.next_game() {
        let NextGame { white, debtor } = next;
        let side = if white == person { Side::White } else { Side::Black };
        let name = |player: Player| if player == person { "you" } else { partner.name() };
        let (start, what) = match debtor {
            None => (board.riatra(), "riatra".to_owned()),
            Some(debtor) => {
                let owes = if debtor == person {
                    "you owe".into()
                } else {
                    name(debtor).to_owned() + " owes"
                };
                (board.vela(rules.vela_starter), format!("vela, {owes} it"))
            }
        };
        prose(format_args!(
            "\ngame {number} of the session: {what}; sets {}",
            score(&session, person)
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
        Some(winner) if winner == person => "you have won it".to_owned(),
        Some(_) => format!("{} has won it", partner.name()),
        None => "it is a draw".to_owned(),
    };
    let velas = session.velas();
    prose(format_args!(
        "\nthe session is over: {outcome}, sets {}, velas {velas}",
        score(&session, person)
    ));
    Ok(())
}

/// The sets as the person sees them.
fn score(session: &Session, person: Player) -> String {
    let halves = |player: Player| f64::from(session.score().halves(player)) / 2.0;
    format!("{} for you, {} against", halves(person), halves(!person))
}
