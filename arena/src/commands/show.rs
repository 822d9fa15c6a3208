//! `arena show`: shows a game in the terminal, move by move, or its dialogue.

use std::fmt::Write;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use console::Key;

use super::error::CliError;
use super::exit::Exit;
use super::games::Games;
use super::replay;
use crate::terminal::output::{eprint_line, print_line};
use crate::terminal::replay::Replay;
use crate::terminal::screen;
use fanorona_tournament::notation::board::Style;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::dialogues;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::text::input_file;

pub(super) const HELP: &str = "\
Examples:
  arena show results/full 17
  arena show results/full 17.2 --ply 30        the second game of session 17, from ply 30
  arena show games.fgn 1 --delay 800           plays automatically
  arena show results/full 17 | less            all positions
  arena show results/full 17 --dialogue        what the engines and the arena said

Keys: n, right, space: forward; p, left: back; f, home: start; l, end: end; b: flip the board; a: \
start or stop automatic play; q: quit. If keys cannot be read, the same words but `a` are read as lines, \
and a number jumps to that ply. If the output is not a terminal, the whole game is printed, or one \
position with --ply.";

#[derive(Args, Debug)]
pub(super) struct ShowArgs {
    /// A results directory, a games.csv file or an FGN file
    dir: PathBuf,
    /// The game's number in games.csv: 17, or 17.2 in a session
    game: GameId,
    /// Start after N plies
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Advance automatically every MS milliseconds
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
    /// Print the dialogue of both engines, which log = "all" in the config or `arena replay` keeps
    #[arg(long, conflicts_with_all = ["ply", "delay", "flip", "ascii"])]
    dialogue: bool,
    /// Draw the board in ASCII only
    #[arg(long)]
    ascii: bool,
    /// Draw the board from Black's side
    #[arg(long)]
    flip: bool,
}

pub(super) fn show(args: &ShowArgs) -> Result<Exit, CliError> {
    if args.dialogue {
        return dialogue(args);
    }
    let (game, rules) = Games::open(&args.dir)?.find(args.game)?;
    let replay = Replay::new(game, &rules).map_err(|why| CliError::new(Exit::Usage, why))?;
    let last = replay.frames().len() - 1;
    if let Some(ply) = args.ply.filter(|&ply| ply > last) {
        let why = format!("game {} has no ply {ply}: it has {last}", args.game);
        return Err(CliError::new(Exit::Usage, why));
    }
    let style = Style { flipped: args.flip, ..screen::style(args.ascii) };
    if !io::stdout().is_terminal() {
        let plies = args.ply.map_or(0..=last, |ply| ply..=ply);
        let mut text = String::new();
        for ply in plies {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", replay.screen(ply, style));
        }
        print_line(text.trim_end());
        return Ok(Exit::Done);
    }
    let mut show = Show { replay, ply: args.ply.unwrap_or(0), style };
    match screen::takes_keys() {
        true => show.by_keys(args.delay.map(Duration::from_millis)),
        false => show.by_lines(),
    }
    Ok(Exit::Done)
}

/// Prints the dialogue of a game.
fn dialogue(args: &ShowArgs) -> Result<Exit, CliError> {
    let ShowArgs { dir, game, .. } = args;
    let replayed = replay::dialogue(dir, *game);
    let kept = match dialogues::read(dir, *game)? {
        Some(text) if replayed.exists() => {
            let replayed = replayed.display();
            eprint_line(format_args!("note: the dialogue of its replay is in {replayed}"));
            Some(text)
        }
        None if replayed.exists() => {
            eprint_line("note: this is the dialogue of a replay; that of the game was not kept");
            let read = |why| CliError::from(storage("read", &replayed, why));
            Some(input_file::read_to_string(&replayed).map_err(read)?)
        }
        kept => kept,
    };
    match kept {
        Some(text) => {
            print_line(text.trim_end());
            Ok(Exit::Done)
        }
        None => {
            let why = format!("{} has no dialogue of game {game}", dir.display());
            let help = format!(
                "set log = \"all\" in the config before a tournament, or play the game again: arena \
                 replay {} {game}",
                dir.display()
            );
            Err(CliError::with_help(Exit::Usage, why, help))
        }
    }
}

/// The state of a replay.
struct Show {
    replay: Replay,
    ply: usize,
    style: Style,
}

/// A command of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Action {
    Next,
    Back,
    First,
    Last,
    Ply(usize),
    Flip,
    Quit,
}

impl Action {
    /// The command for a word.
    fn from_word(word: &str) -> Option<Action> {
        Some(match word {
            "" | "n" | "next" | "right" | "space" => Action::Next,
            "p" | "back" | "left" => Action::Back,
            "f" | "first" | "home" | "start" => Action::First,
            "l" | "last" | "end" => Action::Last,
            "b" | "board" | "flip" => Action::Flip,
            "q" | "quit" => Action::Quit,
            number => Action::Ply(number.parse().ok()?),
        })
    }

    fn from_key(key: &Key) -> Option<Action> {
        Some(match key {
            Key::Char(' ') | Key::Enter | Key::ArrowRight | Key::ArrowDown | Key::PageDown => {
                Action::Next
            }
            Key::ArrowLeft | Key::ArrowUp | Key::Backspace | Key::PageUp => Action::Back,
            Key::Home => Action::First,
            Key::End => Action::Last,
            Key::Escape | Key::CtrlC | Key::Char('\x03' | '\x04') => Action::Quit,
            Key::Char(letter) => return Action::from_word(&letter.to_string()),
            _ => return None,
        })
    }
}

impl Show {
    fn last(&self) -> usize {
        self.replay.frames().len() - 1
    }

    /// Executes a command; returns `false` to quit.
    fn follow(&mut self, wish: Action) -> bool {
        match wish {
            Action::Next => self.ply = (self.ply + 1).min(self.last()),
            Action::Back => self.ply = self.ply.saturating_sub(1),
            Action::First => self.ply = 0,
            Action::Last => self.ply = self.last(),
            Action::Ply(ply) => self.ply = ply.min(self.last()),
            Action::Flip => self.style.flipped = !self.style.flipped,
            Action::Quit => return false,
        }
        true
    }

    fn by_keys(&mut self, mut delay: Option<Duration>) {
        let pace = delay.unwrap_or(Duration::from_secs(1));
        let mut keys = screen::Keys::new();
        loop {
            screen::clear();
            print_line(cut(&self.replay.screen(self.ply, self.style)));
            let playing = delay.filter(|_| self.ply < self.last());
            print_line("n p first last board auto quit");
            let wish = loop {
                match keys.next(playing) {
                    // The terminal is closed.
                    Err(_) => return,
                    Ok(None) => break Some(Action::Next),
                    Ok(Some(Key::Char('a'))) => {
                        delay = if delay.is_some() { None } else { Some(pace) };
                        break None;
                    }
                    Ok(Some(key)) => {
                        if let Some(wish) = Action::from_key(&key) {
                            break Some(wish);
                        }
                    }
                }
            };
            if wish.is_some_and(|wish| !self.follow(wish)) {
                return;
            }
        }
    }

    fn by_lines(&mut self) {
        print_line(self.replay.screen(self.ply, self.style));
        print_line("n, p, first, last, a number, board, quit");
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            match Action::from_word(line.trim()) {
                None => print_line("unknown word; type n, p, first, last, a number, board, quit"),
                Some(wish) if !self.follow(wish) => return,
                Some(_) => print_line(self.replay.screen(self.ply, self.style)),
            }
        }
    }
}

/// Truncates lines to the width of the terminal, since wrapped lines would push the board away.
/// Lines with colours belong to the board, which fits every terminal.
fn cut(text: &str) -> String {
    let width = screen::width().unwrap_or(usize::MAX);
    let fits = |line: &str| line.contains('\x1b') || line.chars().count() <= width;
    let cut = |line: &str| match fits(line) {
        true => line.to_owned() + "\n",
        false => line.chars().take(width.saturating_sub(1)).chain("…\n".chars()).collect(),
    };
    text.lines().map(cut).collect::<String>().trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_words_mean_the_same() {
        for (key, word) in [
            (Key::ArrowRight, "n"),
            (Key::ArrowLeft, "p"),
            (Key::Home, "first"),
            (Key::End, "last"),
            (Key::Char('q'), "quit"),
        ] {
            assert_eq!(Action::from_key(&key), Action::from_word(word));
        }
        assert_eq!(Action::from_word("17"), Some(Action::Ply(17)));
        assert_eq!((Action::from_word("x"), Action::from_key(&Key::Del)), (None, None));
    }
}
