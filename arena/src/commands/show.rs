//! `arena show`: a game replayed in the terminal.

use std::fmt::Write;
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use console::Key;

use super::exit::Exit;
use super::games::Games;
use super::refusal::CliError;
use crate::pairing::ids::GameId;
use crate::terminal::board::Style;
use crate::terminal::output::say;
use crate::terminal::replay::Film;
use crate::terminal::screen;

pub(super) const HELP: &str = "\
Examples:
  arena show results/full 17
  arena show results/full 17.2 --ply 30        the second game of session 17, from ply 30 on
  arena show games.fgn 1 --delay 800           plays by itself
  arena show results/full 17 | less            every position

Keys: n, right, space forward; p, left back; f, home to the start; l, end to the end; b the board \
from the other side; a by itself or not; q quits. Where keys cannot be read the same words are read \
from lines, and a number goes to that ply. Where the output is no terminal the whole game is printed, \
or with --ply one position.";

#[derive(Args, Debug)]
pub(super) struct ShowArgs {
    /// A results directory, a games.csv or a file of FGN
    dir: PathBuf,
    /// The number of the game, as games.csv has it: 17, or 17.2 in a session
    game: GameId,
    /// Begin after so many plies
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Go on by itself after so many milliseconds
    #[arg(long, value_name = "MS")]
    delay: Option<u64>,
    /// Draw the board with ASCII characters alone
    #[arg(long)]
    ascii: bool,
    /// Draw the board from Black's side
    #[arg(long)]
    flip: bool,
}

pub(super) fn show(args: &ShowArgs) -> Result<Exit, CliError> {
    let (game, rules) = Games::open(&args.dir)?.find(args.game)?;
    let film = Film::new(game, &rules).map_err(|why| CliError::new(Exit::Usage, why))?;
    let last = film.frames().len() - 1;
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
            let _ = writeln!(text, "{}", film.screen(ply, style));
        }
        say(text.trim_end());
        return Ok(Exit::Done);
    }
    let mut show = Show { film, ply: args.ply.unwrap_or(0), style };
    match screen::takes_keys() {
        true => show.by_keys(args.delay.map(Duration::from_millis)),
        false => show.by_lines(),
    }
    Ok(Exit::Done)
}

/// A game that is being looked at.
struct Show {
    film: Film,
    ply: usize,
    style: Style,
}

/// What can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    Next,
    Back,
    First,
    Last,
    Ply(usize),
    Flip,
    Quit,
}

impl Wish {
    /// What a word asks for.
    fn of_word(word: &str) -> Option<Wish> {
        Some(match word {
            "" | "n" | "next" => Wish::Next,
            "p" | "back" => Wish::Back,
            "f" | "first" => Wish::First,
            "l" | "last" => Wish::Last,
            "b" | "board" | "flip" => Wish::Flip,
            "q" | "quit" => Wish::Quit,
            number => Wish::Ply(number.parse().ok()?),
        })
    }

    fn of_key(key: &Key) -> Option<Wish> {
        Some(match key {
            Key::Char(' ') | Key::Enter | Key::ArrowRight | Key::ArrowDown | Key::PageDown => {
                Wish::Next
            }
            Key::ArrowLeft | Key::ArrowUp | Key::Backspace | Key::PageUp => Wish::Back,
            Key::Home => Wish::First,
            Key::End => Wish::Last,
            Key::Escape | Key::CtrlC | Key::Char('\x03' | '\x04') => Wish::Quit,
            Key::Char(letter) => return Wish::of_word(&letter.to_string()),
            _ => return None,
        })
    }
}

impl Show {
    fn last(&self) -> usize {
        self.film.frames().len() - 1
    }

    /// Does what is asked for; `false` to quit.
    fn follow(&mut self, wish: Wish) -> bool {
        match wish {
            Wish::Next => self.ply = (self.ply + 1).min(self.last()),
            Wish::Back => self.ply = self.ply.saturating_sub(1),
            Wish::First => self.ply = 0,
            Wish::Last => self.ply = self.last(),
            Wish::Ply(ply) => self.ply = ply.min(self.last()),
            Wish::Flip => self.style.flipped = !self.style.flipped,
            Wish::Quit => return false,
        }
        true
    }

    fn by_keys(&mut self, mut delay: Option<Duration>) {
        let pace = delay.unwrap_or(Duration::from_secs(1));
        let mut keys = screen::Keys::new();
        loop {
            screen::clear();
            say(cut(&self.film.screen(self.ply, self.style)));
            let playing = delay.filter(|_| self.ply < self.last());
            say("n p first last board auto quit");
            let wish = loop {
                match keys.next(playing) {
                    // The terminal has gone.
                    Err(_) => return,
                    Ok(None) => break Some(Wish::Next),
                    Ok(Some(Key::Char('a'))) => {
                        delay = if delay.is_some() { None } else { Some(pace) };
                        break None;
                    }
                    Ok(Some(key)) => {
                        if let Some(wish) = Wish::of_key(&key) {
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
        say(self.film.screen(self.ply, self.style));
        say("n, p, first, last, a number, board, quit");
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            match Wish::of_word(line.trim()) {
                None => say("there are: n, p, first, last, a number, board, quit"),
                Some(wish) if !self.follow(wish) => return,
                Some(_) => say(self.film.screen(self.ply, self.style)),
            }
        }
    }
}

/// Lines no longer than the terminal is wide: wrapped ones would push the board away. Lines with
/// colours are those of the board, which every terminal has room for.
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
            assert_eq!(Wish::of_key(&key), Wish::of_word(word));
        }
        assert_eq!(Wish::of_word("17"), Some(Wish::Ply(17)));
        assert_eq!((Wish::of_word("x"), Wish::of_key(&Key::Del)), (None, None));
    }
}
