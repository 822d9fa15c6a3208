//! The games of `arena play`: reads input, draws the board and keeps the records.

use std::io::{self, BufRead, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Instant;

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{self, Move, Position, Ruleset, Side, VelaStarved};

use super::game_files::GameFiles;
use super::partner::Partner;
use crate::commands::error::CliError;
use crate::commands::exit::Exit;
use crate::terminal::move_prompt::{ChoiceError, MoveMenu};
use crate::terminal::output::{print_coloured, print_wrapped};
use crate::terminal::replay::Last;
use crate::terminal::{screen, stdout};
use fanorona_runner::play::by_failure;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::termination::{Ending, GameResult, Reason};
use fanorona_tournament::notation::board::{Style, draw};
use fanorona_tournament::notation::fgn::FileTags;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::plural::counted;

/// The user left, or the input ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PlayerQuit;

const WORDS: &str = "\
  e2e3Ad4W   a move; e2e3d4, e2 or its number work too if they are unambiguous
  moves      list the legal moves with their numbers
  hint       show the engine's best move
  undo       take back your last move and the engine's reply
  board      draw the board again
  flip       draw the board from the other side
  fen        print the position
  save FILE  save the games so far to a new file
  resign     resign the game
  quit       leave; --save keeps the games";

/// The user, the engine's settings and the games so far.
pub(super) struct Table<R> {
    input: R,
    rules: Ruleset,
    style: Style,
    name: String,
    save: Option<PathBuf>,
    files: GameFiles,
    about: FileTags,
    games: Vec<GameRecord>,
}

/// A game in progress.
struct Game {
    id: GameId,
    /// The user's side.
    side: Side,
    played: rules::Game,
    times: Vec<u64>,
    scores: Vec<String>,
    last: Option<Last>,
}

/// A decision of the user.
enum Choice {
    Move(Move),
    Undo,
    Resign,
}

impl<R: BufRead> Table<R> {
    /// Begins, and creates the file to save to.
    pub(super) fn new(
        input: R,
        rules: Ruleset,
        style: Style,
        name: String,
        save: Option<PathBuf>,
    ) -> Result<Table<R>, CliError> {
        let mut files = GameFiles::default();
        if let Some(path) = &save {
            files.create(path).map_err(|why| cannot_write(path, &why))?;
        }
        let about = FileTags { rules, ..FileTags::default() };
        Ok(Table { input, rules, style, name, save, files, about, games: Vec::new() })
    }

    pub(super) fn rules(&self) -> Ruleset {
        self.rules
    }

    /// Plays a game to its end and returns the result.
    pub(super) fn game(
        &mut self,
        partner: &mut Partner,
        id: GameId,
        start: Position,
        side: Side,
    ) -> Result<GameResult, PlayerQuit> {
        self.style.flipped = side == Side::Black;
        self.about.limits = [(partner.name().to_owned(), partner.limit().to_string())].into();
        let mut game = Game {
            id,
            side,
            played: rules::Game::new(self.rules, start),
            times: Vec::new(),
            scores: Vec::new(),
            last: None,
        };
        let mut over = partner.new_game(id).err().map(|failure| by_failure(&failure, !side));
        self.show(&game, partner);
        let ending = loop {
            if let Some(ending) = over.take() {
                break ending;
            }
            if let Some(ending) = game.played.ending() {
                break Ending::by_rules(ending);
            }
            if game.played.position().side_to_move() != side {
                over = self.engine_moves(&mut game, partner);
                continue;
            }
            let begin = Instant::now();
            match self.user_decides(&mut game, partner) {
                Err(PlayerQuit) => {
                    self.keep(&game, partner, GameResult::Void, Reason::Void, None, "");
                    return Err(PlayerQuit);
                }
                Ok(Choice::Resign) => break Ending::by_resignation(side),
                Ok(Choice::Undo) => {
                    game.take_back();
                    partner.take_back();
                    self.show(&game, partner);
                }
                Ok(Choice::Move(mv)) => {
                    let time = begin.elapsed().as_millis() as u64;
                    game.play(&mv, time, String::new());
                    self.show(&game, partner);
                }
            }
        };
        let Ending { result, reason, offender, detail, .. } = ending;
        self.keep(&game, partner, result, reason, offender, &detail);
        self.announce(&game, partner, result, reason, &detail);
        Ok(result)
    }

    /// Plays the engine's move. Returns how the game ends if the engine does not play a legal one.
    fn engine_moves(&mut self, game: &mut Game, partner: &mut Partner) -> Option<Ending> {
        let side = !game.side;
        let answer = match partner.answer(&game.played) {
            Ok(answer) => answer,
            Err(failure) => return Some(by_failure(&failure, side)),
        };
        let mv = match answer.best {
            BestMove::Resign => return Some(Ending::by_resignation(side)),
            BestMove::None => {
                let detail = "answered 0000 although there are legal moves";
                return Some(Ending::by_fault(Fault::Illegal, side, detail));
            }
            BestMove::Move(mv) => mv,
        };
        if let Err(why) = game.played.position().play(&self.rules, &mv) {
            let detail = format!("{mv} is not legal: {why}");
            return Some(Ending::by_fault(Fault::Illegal, side, detail));
        }
        let score = answer.score.map_or(String::new(), |score| score.to_string());
        game.play(&mv, answer.time.as_millis() as u64, score);
        self.show(game, partner);
        if let Some(error) = partner.take_error() {
            print_wrapped(format_args!("{} {error}", partner.name()));
        }
        None
    }

    /// Reads input until the user decides.
    fn user_decides(
        &mut self,
        game: &mut Game,
        partner: &mut Partner,
    ) -> Result<Choice, PlayerQuit> {
        // The program may be killed while it waits for input, so the game so far is saved first.
        let so_far = game.record(&self.name, partner.name(), GameResult::Void, Reason::Void);
        if let Err(why) = self.save(Some(so_far)) {
            print_wrapped(why.report);
        }
        let position = *game.played.position();
        let menu = MoveMenu::new(game.played.legal_moves());
        print_wrapped(menu.listed(screen::width().unwrap_or(80)).trim_end());
        loop {
            let line = self.line(&format!("{} to move> ", position.side_to_move()))?;
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match (word, rest.trim()) {
                ("help" | "?", "") => print_wrapped(WORDS),
                ("moves" | "m", "") => {
                    print_wrapped(menu.listed(screen::width().unwrap_or(80)).trim_end())
                }
                ("board", "") => self.show(game, partner),
                ("flip", "") => {
                    self.style.flipped = !self.style.flipped;
                    self.show(game, partner);
                }
                ("fen", "") => print_wrapped(position),
                ("hint", "") => self.hint(game, partner),
                ("resign", "") => return Ok(Choice::Resign),
                ("quit" | "q" | "exit", "") => return Err(PlayerQuit),
                ("undo" | "u", "") if game.can_take_back() => return Ok(Choice::Undo),
                ("undo" | "u", "") => print_wrapped("you have not played a move yet"),
                ("save", "") => print_wrapped("give a file name: `save FILE`"),
                ("save", path) => match self.write_with(Path::new(path), game, partner) {
                    Ok(games) => print_wrapped(format_args!("{games} in {path}")),
                    Err(why) => print_wrapped(cannot_write(Path::new(path), &why).report),
                },
                _ => match menu.choose(line) {
                    Ok(mv) => return Ok(Choice::Move(mv)),
                    Err(why) => {
                        print_wrapped(&why);
                        let fits = matches!(why, ChoiceError::Ambiguous { .. });
                        // For a complete move that is not legal the rules give a more precise reason.
                        if !fits
                            && let Ok(mv) = line.parse::<Move>()
                            && let Err(why) = position.play(&self.rules, &mv)
                        {
                            print_wrapped(format_args!("{why}"));
                        }
                    }
                },
            }
        }
    }

    fn line(&mut self, prompt: &str) -> Result<String, PlayerQuit> {
        stdout::write(prompt.as_bytes());
        stdout::flush();
        let mut line = Vec::new();
        match self.input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => Err(PlayerQuit),
            // Bytes that are not UTF-8 match no move, so the user is asked again.
            Ok(_) => Ok(String::from_utf8_lossy(&line).into_owned()),
        }
    }

    fn hint(&mut self, game: &Game, partner: &mut Partner) {
        match partner.ask(&game.played) {
            Ok(answer) => {
                let score = answer.score.map_or(String::new(), |score| format!(", score {score}"));
                print_wrapped(format_args!("{} would play {}{score}", partner.name(), answer.best));
            }
            Err(failure) => print_wrapped(format_args!("no hint: {} {failure}", partner.name())),
        }
    }

    /// Draws the board with each side's stone count and the last move.
    fn show(&self, game: &Game, partner: &Partner) {
        let position = game.played.position();
        let player = |side: Side| {
            let name = if side == game.side { &self.name } else { partner.name() };
            let debtor = if position.debtor() == Some(side) { " (debtor)" } else { "" };
            let stones = position.board().count(side);
            format!("{} {name} {stones}{debtor}", self.style.stone(side))
        };
        let trace = game.last.as_ref().map(|last| &last.trace);
        let last = game.last.as_ref().map_or(String::new(), Last::in_words);
        let players = format!("{} - {}", player(Side::White), player(Side::Black));
        print_wrapped(format_args!("\n{players}"));
        // Its colours are escape sequences of our own; all other text is made safe.
        print_coloured(draw(position.board(), trace, self.style).trim_end());
        if !last.is_empty() {
            print_wrapped(last.trim_end());
        }
    }

    /// Prints how the game ended.
    fn announce(
        &self,
        game: &Game,
        partner: &Partner,
        result: GameResult,
        reason: Reason,
        detail: &str,
    ) {
        let who = match result {
            GameResult::Won(side) if side == game.side => "you won".to_owned(),
            GameResult::Won(_) => format!("{} won", partner.name()),
            GameResult::Drawn => "draw".to_owned(),
            GameResult::Void => "no result".to_owned(),
        };
        let why = match reason {
            Reason::Rules(reason) => self.by_rules(game, reason),
            Reason::Resign => match result {
                GameResult::Won(side) if side == game.side => {
                    format!("{} resigned", partner.name())
                }
                _ => "you resigned".to_owned(),
            },
            reason => format!("{} was at fault, {reason}: {detail}", partner.name()),
        };
        print_wrapped(format_args!("{result}: {who}; {why}"));
    }

    /// The rule that ended the game, in words.
    fn by_rules(&self, game: &Game, reason: rules::Reason) -> String {
        let position = game.played.position();
        let side = position.side_to_move();
        match reason {
            rules::Reason::NoStones => {
                let loser = Side::BOTH.into_iter().find(|&side| position.board().count(side) == 0);
                format!("{} has no stones left", loser.unwrap_or(side))
            }
            rules::Reason::VelaStarved => match self.rules.vela_starved {
                VelaStarved::DebtorLoses => "the debtor cannot capture, and so loses".into(),
                VelaStarved::CreditorLoses | VelaStarved::Paika => {
                    "the debtor cannot capture, which the creditor must not allow".into()
                }
            },
            rules::Reason::NoMove => format!("{side} has no legal move"),
            rules::Reason::Repetition => {
                format!("the position occurred {} times", game.played.history().occurrences())
            }
            rules::Reason::Quiet => {
                format!("{} without a capture", counted(position.quiet_plies(), "ply", "plies"))
            }
            rules::Reason::MaxPlies => {
                format!("the game reached {} plies", game.played.history().plies())
            }
            reason => reason.to_string(),
        }
    }

    fn keep(
        &mut self,
        game: &Game,
        partner: &Partner,
        result: GameResult,
        reason: Reason,
        offender: Option<Side>,
        detail: &str,
    ) {
        let record = game.record(&self.name, partner.name(), result, reason);
        let offender = offender.map(Side::letter);
        self.games.push(GameRecord { offender, detail: detail.to_owned(), ..record });
    }

    /// Saves all games including the current one; returns their number in words.
    fn write_with(&mut self, path: &Path, game: &Game, partner: &Partner) -> io::Result<String> {
        let now = game.record(&self.name, partner.name(), GameResult::Void, Reason::Void);
        let games: Vec<&GameRecord> = self.games.iter().chain([&now]).collect();
        self.files.write(path, &games, &self.about)
    }

    /// Saves the games to the file of `--save`, with the current one, without games that have no move.
    /// Returns their number in words.
    fn save(&mut self, now: Option<GameRecord>) -> Result<String, CliError> {
        let Some(path) = &self.save else { return Ok(String::new()) };
        let games = self.games.iter().chain(&now).filter(|game| !game.moves.is_empty());
        let games: Vec<&GameRecord> = games.collect();
        let written = self.files.write(path, &games, &self.about);
        written.map_err(|why| cannot_write(path, &why))
    }

    /// Saves the games to the file of `--save` for the last time.
    pub(super) fn save_at_end(&mut self) -> Result<(), CliError> {
        let written = self.save(None)?;
        if let Some(path) = &self.save {
            print_wrapped(format_args!("{written} in {}", path.display()));
        }
        Ok(())
    }
}

/// The error for a file that cannot be written.
fn cannot_write(path: &Path, why: &io::Error) -> CliError {
    let exit = match why.kind() {
        ErrorKind::AlreadyExists => Exit::Usage,
        _ => Exit::Storage,
    };
    CliError::new(exit, format!("cannot write {}: {why}", path.display()))
}

impl Game {
    /// Plays a legal move.
    fn play(&mut self, mv: &Move, time: u64, score: String) {
        let before = *self.played.position();
        if self.played.play(mv).is_ok() {
            let after = self.played.position();
            let said = (!score.is_empty()).then(|| score.clone());
            self.last = Some(Last::new(&before, mv, after).saying(Some(time), said));
            self.times.push(time);
            self.scores.push(score);
        }
    }

    fn can_take_back(&self) -> bool {
        // The user is to move, so the user's last move is two plies back.
        self.played.moves().len() >= 2
    }

    /// Takes back the engine's last move and the user's move before it.
    fn take_back(&mut self) {
        for _ in 0..2 {
            self.played.undo();
            self.times.pop();
            self.scores.pop();
        }
        self.last = self.played.moves().last().map(|mv| {
            let [.., before, after] = self.played.history().positions() else {
                unreachable!("there is a move")
            };
            let time = self.times.last().copied();
            let score = self.scores.last().filter(|score| !score.is_empty()).cloned();
            Last::new(before, mv, after).saying(time, score)
        });
    }

    fn record(&self, user: &str, engine: &str, result: GameResult, reason: Reason) -> GameRecord {
        let (white, black) = match self.side {
            Side::White => (user, engine),
            Side::Black => (engine, user),
        };
        let start = self.played.start();
        let thought = |side: Side| {
            let first = start.side_to_move();
            let of_side = move |ply: &usize| ply.is_multiple_of(2) == (side == first);
            (0..self.times.len()).filter(of_side).map(|ply| self.times[ply]).sum()
        };
        GameRecord {
            white: white.to_owned(),
            black: black.to_owned(),
            moves: self.played.moves().iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
            white_ms: thought(Side::White),
            black_ms: thought(Side::Black),
            times: self.times.clone(),
            scores: self.scores.clone(),
            ..GameRecord::new(self.id, start, result, reason)
        }
    }
}
