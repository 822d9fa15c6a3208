//! The engine of the tests: plays legal moves at once, and has every vice on demand.
//!
//! What it does is said in words by the environment variable [`SCRIPT`]. Without any it is honest:
//! it introduces itself, takes `Seed` and `Rules`, and answers `go` with a move that follows from
//! the seed and the number of moves played.
//!
//! Words that are always at work:
//!
//! - `first`: plays the first legal move instead.
//! - `blind`: knows no rules and plays the first of `searchmoves`.
//! - `uci`: understands UCI's words alone.
//! - `bare`: declares no options.
//! - `log=FILE`: writes down every line it reads.
//! - `think=MS`: takes that long for every move.
//! - `slow-start=MS`: takes that long to say anything.
//! - `mute`: never answers the handshake.
//! - `dies`: exits at once, with last words. `dies-after=FILE`: once there is such a file.
//! - `deaf-after-handshake`: stops reading then.
//! - `stubborn`: neither `quit`, nor the end of its input, nor SIGTERM makes it go.
//! - `noise`: fills standard error with every move.
//! - `eager`: says a `bestmove` before every `readyok`, and every answer twice.
//! - `repeats-ready`: says `readyok` twice.
//! - `reversed`: answers `isready` in a game only after the `go` that follows it.
//! - `knows=VALUE`: answers `query value` with it, like `win-3`, once its time has come;
//!   `tables`: declares the option of engines that are asked; `answers-nothing`: never answers it; `chokes`: dies of it, once its time has come.
//! - `hasty`: says one upon `position`. `again=MS`: says every answer again after so long.
//! - `scores=hash`: reports a score that follows from the seed and the position; `scores=none`: none.
//! - `greedy`: plays what gains most after the best reply, and reports it with the line.
//! - `aim=N`: has an option `Aim`, and plays the worse the farther it is from there.
//! - `book`: has an option `Book`.
//! - `absurd`: reports what cannot be. `garbled`: reports what is no text.
//! - `odd-name`: calls itself by more than letters.
//! - `many-options=N`: declares so many more, `Extra1` and so on.
//! - `many-choices=N`: declares as many options more, each with a thousand choices.
//! - `long-handshake=N`: says as many mebibytes before it ends its handshake.
//! - `responds`: answers queries nobody has made. `floods-stderr`: says a megabyte there every move.
//! - `daemon-at-start`: begins by starting a process that belongs to nobody.
//! - `sleeps`: does nothing. `grows-at-start`: takes memory without end, and does nothing else.
//! - `litters=N`: begins by making as many files where it may write.
//! - `tells=FILE`: writes down there how it finds itself placed, before anything else.
//! - `trespasses=FILE` with `outside=DIR` and `port=N`: does with every move what the
//!   sandbox forbids, and writes down what came of it.
//! - `expects`: names the reply it expects after its move, as engines that speak UCI do.
//! - `ponders`: keeps processors busy from its first move on, during its opponent's moves too;
//!   `may-ponder`: declares that it can.
//! - `foresees`: names the first legal reply as the one that it expects, `misjudges` the last one,
//!   and ponders on it; `moves-early`: answers while it does; `leaves`: exits while it does.
//! - `works=MS`: uses a processor for that long for every move; `crowds=N`: meanwhile as many threads
//!   of it do too, `hires=N`: as many processes. `clocks=FILE`: writes down there how long its moves
//!   took, each in milliseconds.
//! - `falls-over`: dies when a game is to begin.
//! - `picky`: cannot use any value of its option `Notes`, and says so.
//! - `silent-when-asked`: rests instead of saying `readyok`.
//! - `unready`: never says `readyok` once a game is to begin.
//!
//! Any other word is a vice (see [`Engine::vice`]) that breaks out on a `go` after `at=N` moves or
//! more; with `patient=FILE` not in the first game, after which there is such a file; with `once=FILE`
//! in one game only, whose `Seed` it writes there: again when the arena has to play that game again,
//! because the machine stood still.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, Write};
use std::process::{self, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

use fanorona_protocol::messages::{Command, Limits, Query, StartText};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset, Start};

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(not(target_os = "linux"))]
use portable as system;

/// The variable that says what the engine does.
const SCRIPT: &str = "SCRIPTED_ENGINE";

fn main() {
    exit(Engine::new(std::env::var(SCRIPT).unwrap_or_default()).run());
}

struct Engine {
    script: String,
    log: Option<File>,
    rules: Ruleset,
    seed: u64,
    /// The value of the option `Aim`.
    aim: u64,
    game: Option<Game>,
    begun: bool,
    /// The limits of a search in the opponent's time, while there is one.
    pondering: Option<Limits>,
    /// Whether a `readyok` is still to be sent.
    owed: bool,
    /// Whether no misbehaviour is triggered in this game.
    patient: bool,
}

impl Engine {
    fn new(script: String) -> Engine {
        let mut engine = Engine {
            script,
            log: None,
            rules: Ruleset::default(),
            seed: 0,
            aim: 0,
            game: None,
            begun: false,
            pondering: None,
            owed: false,
            patient: false,
        };
        engine.log = engine
            .value("log")
            .map(|path| OpenOptions::new().append(true).create(true).open(path).unwrap());
        engine
    }

    fn has(&self, word: &str) -> bool {
        self.script.split(' ').any(|found| found == word)
    }

    fn value(&self, name: &str) -> Option<&str> {
        let mut words = self.script.split(' ').filter_map(|word| word.split_once('='));
        words.find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    fn number(&self, name: &str) -> Option<u64> {
        self.value(name).map(|number| number.parse().expect("a number"))
    }

    fn has_aim(&self) -> bool {
        self.value("aim").is_some()
    }

    /// Whether it plays any move instead of a good one: the more often, the farther its option is
    /// from the best value.
    fn misses(&self) -> bool {
        let (Some(best), Some(game)) = (self.number("aim"), &self.game) else { return false };
        let hash = (game.position().key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        hash % 100 < 2 * best.abs_diff(self.aim)
    }

    fn pause(&self, name: &str) {
        if let Some(time) = self.number(name) {
            sleep(Duration::from_millis(time));
        }
    }

    /// Plays until `quit`; returns the exit code.
    fn run(mut self) -> i32 {
        let ruined = self.value("dies-after").is_some_and(|path| std::fs::exists(path).unwrap());
        if self.has("dies") || ruined {
            cry("the engine's last words\n");
            return 7;
        }
        if self.has("sleeps") {
            rest();
        }
        if self.has("grows-at-start") {
            grow();
        }
        for number in 0..self.number("litters").unwrap_or(0) {
            let home = std::env::var("TMPDIR").unwrap();
            File::create(format!("{home}/{number}")).unwrap();
        }
        if self.has("daemon-at-start") {
            system::daemonize();
        }
        if self.has("stubborn") {
            system::block_terminate();
        }
        if let Some(file) = self.value("tells") {
            system::tell(file);
        }
        self.pause("slow-start");
        for line in io::stdin().lock().lines() {
            let line = line.expect("the arena writes text");
            if let Some(log) = &mut self.log {
                // In one write, because two engines can share a log.
                log.write_all(format!("{line}\n").as_bytes()).unwrap();
            }
            if line == "quit" && !self.has("stubborn") {
                return 0;
            }
            self.read(&line);
        }
        if self.has("stubborn") {
            rest();
        }
        0
    }

    fn read(&mut self, line: &str) {
        if line == if self.has("uci") { "uci" } else { "ugi" } {
            return self.introduce(line);
        }
        match line.parse::<Command>() {
            Ok(Command::IsReady) if self.begun && self.has("unready") && self.breaks_out() => {}
            Ok(Command::IsReady) if self.has("silent-when-asked") && self.breaks_out() => rest(),
            Ok(Command::IsReady) if self.game.is_some() && self.has("reversed") => {
                self.owed = true;
            }
            Ok(Command::IsReady) if self.begun && self.has("eager") => {
                say("bestmove a1a2\nreadyok\n");
            }
            Ok(Command::IsReady) if self.has("repeats-ready") => say("readyok\nreadyok\n"),
            Ok(Command::IsReady) => say("readyok\n"),
            Ok(Command::NewGame) if self.has("falls-over") && self.breaks_out() => {
                std::process::abort();
            }
            Ok(Command::NewGame) => {
                self.begun = true;
                self.patient =
                    self.value("patient").is_some_and(|path| File::create_new(path).is_ok());
            }
            Ok(Command::SetOption { name, value }) => match (&*name, value) {
                ("Aim", value) => self.aim = value.unwrap().parse().unwrap(),
                ("Seed", value) => self.seed = value.unwrap().parse().unwrap(),
                ("Notes", Some(value)) if self.has("picky") => {
                    say(&format!("info string option Notes keeps its value: no \x1b{value}\n"));
                }
                ("Rules", value) => self.rules = value.unwrap_or_default().parse().unwrap(),
                _ => {}
            },
            Ok(Command::Position { start, moves }) if !self.has("blind") => {
                let start = match start {
                    StartText::Startpos => Start::TSIVY.riatra(),
                    StartText::Fen(fen) => fen.parse().expect("the arena sends positions"),
                };
                let mut game = Game::new(self.rules, start);
                for mv in moves {
                    game.play(&mv.parse().unwrap()).expect("only legal moves");
                }
                self.game = Some(game);
                if self.has("hasty") {
                    say("bestmove a1a2\n");
                }
            }
            Ok(Command::Go(limits)) if limits.ponder && !self.has("moves-early") => {
                if self.has("leaves") {
                    exit(0);
                }
                self.pondering = Some(limits);
            }
            Ok(Command::PonderHit) => {
                let limits = self.pondering.take().expect("the arena ponders before it hits");
                self.go(&limits);
            }
            Ok(Command::Stop) => {
                if let (Some(_), Some(game)) = (self.pondering.take(), &self.game) {
                    say(&format!("bestmove {}\n", game.legal_moves()[0]));
                }
            }
            Ok(Command::Go(limits)) => {
                self.go(&limits);
                if std::mem::take(&mut self.owed) {
                    say("readyok\n");
                }
            }
            Ok(Command::Query(Query::Value)) if !self.has("answers-nothing") => {
                if self.has("chokes") && self.breaks_out() {
                    exit(3);
                }
                let known = self.value("knows").unwrap_or("unknown").replace('-', " ");
                let value = if self.breaks_out() { &known } else { "unknown" };
                say(&format!("response {value}\n"));
            }
            _ => {}
        }
    }

    fn introduce(&self, word: &str) {
        if self.has("mute") {
            return;
        }
        let options = match self.has("bare") {
            true => "",
            false => {
                "option name Seed type spin default 0 min 0 max 9223372036854775807\n\
                 option name Rules type string default\n\
                 option name Hash type spin default 16 min 1 max 64\n\
                 option name Notes type string default\n"
            }
        };
        // Begin with a newline: what the test harness prints at its start is not part of the
        // protocol.
        let name: &[u8] = match self.has("odd-name") {
            true => b"\x1b[31m<b>bo\xfft</b>\0\x07 & \xc2\x9b2J",
            false => b"scripted engine",
        };
        let extra: String = (1..=self.number("many-options").unwrap_or(0))
            .map(|number| format!("option name Extra{number} type spin default 0 min 0 max 9\n"))
            .collect();
        let aim = self.has_aim().then_some("option name Aim type spin default 0 min 0 max 100\n");
        let tables =
            self.has("tables").then_some("option name EndgameTables type string default\n");
        let ponder =
            self.has("may-ponder").then_some("option name Ponder type check default false\n");
        let book = self.has("book").then_some("option name Book type string default\n");
        let extra =
            [aim, tables, ponder, book].into_iter().flatten().fold(extra, |all, more| all + more);
        let choices = " var x".repeat(1000);
        let extra: String = (1..=self.number("many-choices").unwrap_or(0))
            .map(|number| format!("option name Choice{number} type combo default x{choices}\n"))
            .chain([extra])
            .collect();
        for _ in 0..self.number("long-handshake").unwrap_or(0) * 4 {
            say(&format!("info string {}\n", "x".repeat(1 << 18)));
        }
        let mut out = b"\nid name ".to_vec();
        out.extend(name);
        out.extend(format!("\nid author nobody\n{options}{extra}{word}ok\n").bytes());
        shout(&out);
        if self.has("deaf-after-handshake") {
            rest();
        }
    }

    fn go(&self, limits: &Limits) {
        if self.has("ponders") {
            static ONCE: std::sync::Once = std::sync::Once::new();
            ONCE.call_once(|| crowd(4));
        }
        self.pause("think");
        if let Some(time) = self.number("works") {
            let begin = std::time::Instant::now();
            crowd(self.number("crowds").unwrap_or(0));
            for _ in 0..self.number("hires").unwrap_or(0) {
                let mut shell = process::Command::new("sh");
                shell.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
                drop(shell.spawn().expect("there is a shell"));
            }
            system::work(Duration::from_millis(time));
            if let Some(file) = self.value("clocks") {
                let mut file = OpenOptions::new().append(true).create(true).open(file).unwrap();
                writeln!(file, "{}", begin.elapsed().as_millis()).unwrap();
            }
        }
        if self.has("noise") {
            cry(&"All work and no play makes a dull engine.\n".repeat(3000));
        }
        if self.has("floods-stderr") {
            cry(&"Nobody reads all of this.\n".repeat(40_000));
        }
        if self.has("responds") {
            say("response e2e3A\nresponse p1win\nresponse\n");
        }
        if self.has("absurd") {
            say("info depth -5 nodes 99999999999999999999999 score cp nan time -1 nps x pv\n\
                 info score cp 99999999999999999999 wdl 9 9\ninfo score\ninfo depth\ninfo\n");
        }
        if self.has("garbled") {
            shout(b"\xff\xfe info \0 score cp 1\ninfo score cp \xff\ninfo \x1b]0;title\x07\n\r\n");
        }
        if let Some(file) = self.value("trespasses") {
            let outside = self.value("outside").expect("where it may not write");
            let port = self.number("port").expect("a port nobody is to reach") as u16;
            std::fs::write(file, system::trespass(outside, port)).unwrap();
        }
        let words = self.script.split(' ').filter(|word| !word.is_empty());
        for word in words {
            if self.vice(word) == Some(Answer::None) {
                return;
            }
        }
        if let (true, Some(game)) = (self.has("greedy") && !self.misses(), &self.game) {
            let (lead, mv, reply) = self.greedy(game, &limits.search_moves);
            let reply = reply.map_or(String::new(), |reply| format!(" {reply}"));
            say(&format!("info depth 2 score cp {} pv {mv}{reply}\nbestmove {mv}\n", 100 * lead));
            return;
        }
        let mv = match (&*limits.search_moves, &self.game) {
            ([first, ..], _) if self.has("blind") => first.parse().expect("a move"),
            (_, Some(game)) => self.choose(game),
            (_, None) => panic!("no position before go"),
        };
        let expected = match self.expected(mv) {
            _ if self.has("expects") => " ponder a5a4".to_owned(),
            Some(reply) => format!(" ponder {reply}"),
            None => String::new(),
        };
        let answer = format!("bestmove {mv}{expected}\n");
        let again = if self.has("eager") { &answer } else { "" };
        let score = match (self.value("scores"), &self.game) {
            (Some("hash"), Some(game)) => {
                let hash = game.position().key() ^ self.seed;
                format!(" score cp {}", (hash % 801) as i64 - 400)
            }
            (Some(_), _) => String::new(),
            (None, _) => " score cp 25".to_owned(),
        };
        let info = match self.has("absurd") {
            true => String::new(),
            false => format!("info depth 1{score} nodes 1 pv {mv}\n"),
        };
        say(&format!("{info}{answer}{again}"));
        if let Some(time) = self.number("again") {
            sleep(Duration::from_millis(time));
            say(&answer);
        }
    }

    /// The move after which it is furthest ahead in stones once the opponent has taken most, with
    /// the lead and the opponent's move.
    fn greedy(&self, game: &Game, among: &[String]) -> (i32, Move, Option<Move>) {
        let position = game.position();
        let lead = |position: &Position| {
            let (board, side) = (position.board(), position.side_to_move());
            board.count(side) as i32 - board.count(!side) as i32
        };
        let mut best: Option<(i32, Move, Option<Move>)> = None;
        for mv in position.legal_moves(&self.rules) {
            if !among.is_empty() && !among.contains(&mv.to_string()) {
                continue;
            }
            let after = position.play(&self.rules, &mv).unwrap();
            let replies = after.legal_moves(&self.rules).into_iter();
            let reply = replies
                .map(|reply| (lead(&after.play(&self.rules, &reply).unwrap()), Some(reply)))
                .min_by_key(|(lead, _)| -lead);
            let (lead, reply) = reply.unwrap_or((-lead(&after), None));
            if best.as_ref().is_none_or(|(most, ..)| lead > *most) {
                best = Some((lead, mv, reply));
            }
        }
        best.expect("there is a legal move")
    }

    /// The reply that it expects after a move, if its script wants one.
    fn expected(&self, mv: Move) -> Option<Move> {
        let mut game = self.game.clone()?;
        game.play(&mv).ok()?;
        let replies = game.legal_moves();
        match (self.has("foresees"), self.has("misjudges")) {
            (true, _) => replies.first().copied(),
            (_, true) => replies.last().copied(),
            _ => None,
        }
    }

    fn choose(&self, game: &Game) -> Move {
        let moves = game.legal_moves();
        // The output function of SplitMix64.
        let mut z =
            self.seed.wrapping_add(u64::from(game.history().plies()).wrapping_mul(0x9e37_79b9));
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let index = if self.has("first") { 0 } else { (z ^ (z >> 31)) % moves.len() as u64 };
        moves[index as usize]
    }

    /// Whether a misbehaviour is due.
    fn breaks_out(&self) -> bool {
        let plies = self.game.as_ref().map_or(0, |game| u64::from(game.history().plies()));
        let time = plies >= self.number("at").unwrap_or(0);
        time && !self.patient
            && self.value("once").is_none_or(|path| match File::create_new(path) {
                Ok(mut file) => write!(file, "{}", self.seed).is_ok(),
                Err(_) => fs::read_to_string(path).is_ok_and(|seed| seed == self.seed.to_string()),
            })
    }

    /// Executes a word of the script, if it names a misbehaviour that is due.
    fn vice(&self, word: &str) -> Option<Answer> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let vices = [
            "silent",
            "deaf",
            "late",
            "dribble",
            "abort",
            "segv",
            "exit",
            "orphan",
            "daemon",
            "kills-guard",
            "grows",
            "grows-by-child",
            "breeds",
            "swarms",
            "fills",
            "hoards",
            "opens",
            "forks",
            "closes",
            "ruins",
            "replaces",
            "illegal",
            "zero",
            "resign",
            "words",
            "wordless",
            "gibberish",
            "bytes",
            "escapes",
            "long-line",
            "endless-line",
            "flood",
        ];
        if !vices.contains(&name) || !self.breaks_out() {
            return None;
        }
        match name {
            "silent" => {}
            "deaf" => rest(),
            "late" => {
                sleep(Duration::from_millis(value.parse().expect("milliseconds")));
                return Some(Answer::Move);
            }
            // Writes past every deadline, endlessly.
            "dribble" => loop {
                say("info depth 1 score cp 3\n");
                sleep(Duration::from_millis(2));
            },
            "abort" => std::process::abort(),
            "segv" => system::break_a_segment(),
            "exit" => {
                cry("the engine's last words\n");
                exit(value.parse().expect("an exit code"));
            }
            // Dies, but a child holds its pipes and its process group.
            "orphan" => {
                drop(system::sleeper().stdin(Stdio::null()).spawn().expect("it sleeps"));
                std::process::abort();
            }
            // Dies and leaves a detached process behind.
            "daemon" => {
                system::daemonize();
                std::process::abort();
            }
            // Kills any process that tries to end it and its child.
            "kills-guard" => {
                system::daemonize();
                system::kill_parent();
                rest();
            }
            "grows" => grow(),
            "grows-by-child" => {
                let mut child = process::Command::new(std::env::current_exe().unwrap());
                child.env(SCRIPT, "grows-at-start");
                child.stdin(Stdio::null()).stdout(Stdio::null());
                child.status().expect("this program can be run again");
            }
            // Starts as many processes as requested, and dies.
            "breeds" => {
                system::breed(value.parse().expect("how many"));
                std::process::abort();
            }
            // Starts as many processes as requested, and stays alive.
            "swarms" => {
                system::breed(value.parse().expect("how many"));
                rest();
            }
            // Endless files in its writable directory; one endless file, and one without a name.
            "fills" => {
                let home = std::env::var("TMPDIR").unwrap();
                let mut number = 0_u64;
                loop {
                    let _ = File::create(format!("{home}/{number}"));
                    number += 1;
                }
            }
            "hoards" => {
                let mut file = tempfile::tempfile().unwrap();
                while file.write_all(&vec![1; 1 << 20]).is_ok() {
                    sleep(Duration::from_millis(1));
                }
            }
            // As many descriptors as a process can have, and more in other processes.
            "opens" => {
                let open = std::iter::from_fn(|| File::open("/dev/null").ok());
                let mut open: Vec<_> = open.collect();
                open.truncate(open.len() - 10);
                let mut shell = process::Command::new("sh");
                let script = "for number in 0 1 2 3 4 5 6 7 8 9; do sleep 600 & done";
                shell.args(["-c", script]).stdin(Stdio::null());
                assert!(shell.status().expect("there is a shell").success());
                rest();
            }
            // Every process starts two more, as fast as it can; a few thousand in total, so that a
            // failing test does not take the machine down.
            "forks" => {
                let mut bomb = process::Command::new("sh");
                let script =
                    "bomb() { [ $1 -gt 0 ] && { bomb $(($1-1)) | bomb $(($1-1)) & }; sleep 600; }";
                bomb.args(["-c", &format!("{script}; bomb 9")]);
                bomb.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                let _ = bomb.status();
                rest();
            }
            "closes" => {
                system::close_stdout();
            }
            // Removes a directory, and dies.
            "ruins" => {
                std::fs::remove_dir_all(value).expect("the directory can be removed");
                std::process::abort();
            }
            // Overwrites a file, and dies.
            "replaces" => {
                std::fs::write(value, "another").expect("the file can be written");
                std::process::abort();
            }
            "illegal" => say("bestmove a1e5\n".replace("a1e5", &self.illegal()).as_str()),
            "zero" => say("bestmove 0000\n"),
            "resign" => say("bestmove resign\n"),
            "words" => say("bestmove a1a2 ponder a5a4\n"),
            "wordless" => say("bestmove\n"),
            "gibberish" => say("bestmove Qxf7#\n"),
            "bytes" => shout(b"bestmove \xff\0\xfe\n"),
            "escapes" => {
                cry("\x1b[2J\x1b]0;owned\x07last words\n");
                say("bestmove \x1b[31m\x07\u{9b}2J\n");
            }
            "long-line" => {
                say(&("info string ".to_owned() + &"x".repeat(2 << 20) + "\n"));
                return Some(Answer::Move);
            }
            "endless-line" => say(&"x".repeat(2 << 20)),
            "flood" => {
                let chunk = "info string I have so much to say\n".repeat(1 << 15);
                for _ in 0..=(64 << 20) / chunk.len() {
                    say(&chunk);
                }
                return Some(Answer::Move);
            }
            _ => unreachable!("every vice is done"),
        }
        Some(Answer::None)
    }

    /// A well-formed move that is not legal.
    fn illegal(&self) -> String {
        let legal = self.game.as_ref().unwrap().legal_moves();
        let candidates = ["a1b1", "a1a2", "i5h5", "c3c4"].map(|mv| mv.parse::<Move>().unwrap());
        candidates.into_iter().find(|mv| !legal.contains(mv)).unwrap().to_string()
    }
}

/// Starts threads that use a processor without end.
fn crowd(threads: u64) {
    for _ in 0..threads {
        drop(std::thread::spawn(|| {
            loop {
                std::hint::spin_loop();
            }
        }));
    }
}

/// Takes memory without end, and uses it.
fn grow() -> ! {
    let mut taken = Vec::new();
    loop {
        taken.push(vec![1_u8; 1 << 20]);
        sleep(Duration::from_millis(1));
    }
}

/// What is left to be said after a vice.
#[derive(PartialEq)]
enum Answer {
    /// A move, as usual.
    Move,
    /// No answer.
    None,
}

/// Says something in one go. An arena that does not listen any more is no matter.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// The same of what need not be text.
fn shout(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Says something on standard error, which tests keep `eprintln!` from.
fn cry(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Does nothing until killed.
fn rest() -> ! {
    loop {
        sleep(Duration::from_secs(600));
    }
}
