//! The engines as WebAssembly, for a page in a browser: one engine, which speaks UGI.
//!
//! The module needs nothing but the functions of its host, in the import module `host`, and computes in
//! one thread. Its text is UTF-8 in its own memory:
//!
//! | import | |
//! |---|---|
//! | `read(to, most) -> count` | copies input, at most so many bytes, and returns how many; -1 if none waits, 0 at its end |
//! | `write(from, count)` | takes output, always whole lines |
//! | `now() -> time` | a clock in milliseconds from any moment on |
//! | `pause()` | called fifty times a second while a search or a perft runs, before `read`: a host that gets input by events lets them happen here |
//!
//! | export | |
//! |---|---|
//! | `start() -> known` | reads the name of the engine, the only input then; 0 if there is no such engine |
//! | `run() -> open` | handles all input that waits and returns when everything is answered; 0 after `quit` or the end of input |
//! | `wanted() -> board` | the board of the last question or search that larger endgame tables might serve: its columns and rows, each a byte; 0 before any |
//! | `room(count) -> to` | makes room for a file of `endgames build` and its name, in this order, and returns where they belong |
//! | `take(name)` | takes the file; its name has so many bytes |
//! | `use_tables(board) -> refused` | uses the files of a board from now on; returns how many cannot be used and writes an `info string` about each, `NAME: REASON` |
//!
//! None of them may be called while `run` runs.
//!
//! A trap (an `unreachable` instruction) is a defect of the engine; the reason is in the last `info string`.

#[cfg(not(target_feature = "simd128"))]
compile_error!(
    "without vectors the engines have half of their speed: RUSTFLAGS=-Ctarget-feature=+simd128"
);

use std::io::{self, Read, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::Bot;
use fanorona_bots::greedy::Greedy;
use fanorona_bots::host_tables;
use fanorona_bots::mcts::Mcts;
use fanorona_bots::platform::{self, Instant};
use fanorona_bots::random::Random;
use fanorona_bots::session::PolledSession;
use fanorona_protocol::rules::BoardSize;

#[expect(unsafe_code, reason = "the host's functions")]
mod host {
    #[link(wasm_import_module = "host")]
    unsafe extern "C" {
        pub(super) fn read(to: *mut u8, most: usize) -> i32;
        pub(super) fn write(from: *const u8, count: usize);
        pub(super) safe fn now() -> f64;
        pub(super) safe fn pause();
    }
}

/// The time between two pauses.
const PAUSE: Duration = Duration::from_millis(20);

/// The session of the engine.
static SESSION: Mutex<Option<PolledSession>> = Mutex::new(None);

/// Starts the engine that the input names.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn start() -> bool {
    std::panic::set_hook(Box::new(|panic| {
        let why = panic.to_string().replace('\n', " ");
        let _ = Output.write(format!("info string the engine has failed: {why}\n").as_bytes());
    }));
    platform::set_clock(|| Duration::from_secs_f64(host::now().max(0.0) / 1000.0));
    let mut name = [0; 64];
    let count = receive(&mut name).unwrap_or(0);
    let bot: Box<dyn Bot> = match name[..count].trim_ascii() {
        b"bot-alphabeta" => Box::new(AlphaBeta::new()),
        b"bot-mcts" => Box::new(Mcts::new()),
        b"bot-greedy" => Box::new(Greedy::new()),
        b"bot-random" => Box::new(Random::new()),
        _ => return false,
    };
    let session = PolledSession::new(bot, Input::default(), Output);
    *SESSION.lock().unwrap_or_else(PoisonError::into_inner) = Some(session);
    true
}

/// Handles all input that waits.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn run() -> bool {
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    // Output never fails.
    session.as_mut().is_some_and(|session| session.run().unwrap_or(false))
}

/// A file from the host, and its name.
static FILE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The board that larger tables might serve.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn wanted() -> u32 {
    host_tables::wanted().map_or(0, |board| board.columns() as u32 * 256 + board.rows() as u32)
}

/// Makes room for a file and its name.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn room(count: usize) -> *mut u8 {
    let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
    *file = vec![0; count];
    file.as_mut_ptr()
}

/// Takes the file.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn take(name: usize) {
    let mut file = std::mem::take(&mut *FILE.lock().unwrap_or_else(PoisonError::into_inner));
    let name = file.split_off(file.len().saturating_sub(name));
    host_tables::add_file(String::from_utf8_lossy(&name).into_owned(), file);
}

/// Uses the files of a board.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn use_tables(board: u32) -> usize {
    let Some(board) = BoardSize::new(board as usize / 256, board as usize % 256) else { return 0 };
    let refused = host_tables::use_tables(board);
    for error in &refused {
        let _ = Output.write(format!("info string {error}\n").as_bytes());
    }
    refused.len()
}

/// The input from the host.
struct Input {
    /// The time of the last pause.
    paused: Instant,
}

impl Default for Input {
    fn default() -> Input {
        Input { paused: Instant::now() }
    }
}

impl Read for Input {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.paused.elapsed() >= PAUSE {
            host::pause();
            self.paused = Instant::now();
        }
        receive(to)
    }
}

/// Takes input that waits.
fn receive(to: &mut [u8]) -> io::Result<usize> {
    // SAFETY: the host writes at most as many bytes as there is room for.
    #[expect(unsafe_code, reason = "the host cannot know about slices")]
    let count = unsafe { host::read(to.as_mut_ptr(), to.len()) };
    usize::try_from(count).map_err(|_| io::ErrorKind::WouldBlock.into())
}

/// The output to the host.
struct Output;

impl Write for Output {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        // SAFETY: the host reads the bytes of this slice alone, and keeps no pointer.
        #[expect(unsafe_code, reason = "the host cannot know about slices")]
        unsafe {
            host::write(from.as_ptr(), from.len());
        }
        Ok(from.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
