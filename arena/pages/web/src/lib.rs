//! The answers of the pages as WebAssembly: what a page asks a server, it asks this module where there
//! is none. `answers.js` is its only user.
//!
//! The module needs nothing of its host. Text is UTF-8 in a buffer of the module's memory:
//!
//! | export | |
//! |---|---|
//! | `room(count) -> to` | makes room for so many bytes and returns where they belong |
//! | `ask(path, body) -> status` | answers the question in the buffer, a path of so many bytes and a body of so many; returns a status of HTTP, negative if the answer is no JSON but a text |
//! | `reply() -> from` | where the answer is |
//! | `length() -> count` | its bytes |

use std::sync::{Mutex, MutexGuard, PoisonError};

use fanorona_pages::{Answer, Collection, Puzzles, Refusal, RefusalKind, answer, ask as answered};

/// The question, and then the answer.
static BUFFER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// The games and puzzles that the page has given.
#[derive(Default)]
struct PageInput {
    games: Collection,
    puzzles: Puzzles,
}

static GIVEN: Mutex<Option<PageInput>> = Mutex::new(None);

/// The answer to a question; `None` if it needs a server.
fn answer_of(path: &str, body: &[u8]) -> Option<Result<Answer, Refusal>> {
    let mut given = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    let PageInput { games, puzzles } = given.get_or_insert_default();
    Some(match path {
        "/api/explorer" => answered(body, |asked| games.explore(&asked)),
        "/api/explorer/games" => answered(body, |given| games.add(given)),
        "/api/puzzles" => read_puzzles(body).map(|read| {
            *puzzles = read;
            Answer::Json("null".to_owned())
        }),
        _ => return answer(path, body, puzzles),
    })
}

/// Reads the puzzles, a file of them.
fn read_puzzles(body: &[u8]) -> Result<Puzzles, Refusal> {
    Puzzles::read(std::str::from_utf8(body).map_err(Refusal::invalid)?)
}

fn buffer() -> MutexGuard<'static, Vec<u8>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn room(count: usize) -> *mut u8 {
    let mut buffer = buffer();
    *buffer = vec![0; count];
    buffer.as_mut_ptr()
}

/// Answers the question.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn ask(path: usize, body: usize) -> i32 {
    let mut buffer = buffer();
    let (status, text) = {
        let question = buffer.get(..path + body).unwrap_or_default();
        let (path, body) = question.split_at(path.min(question.len()));
        match std::str::from_utf8(path).ok().and_then(|path| answer_of(path, body)) {
            Some(Ok(Answer::Json(text))) => (200, text),
            Some(Ok(Answer::Text(text))) => (-200, text),
            Some(Err(refusal)) => {
                let status = match refusal.kind {
                    RefusalKind::Invalid => 400,
                    RefusalKind::Missing => 404,
                };
                (status, refusal.to_json())
            }
            None => (404, r#"{"error":"this needs a server"}"#.to_owned()),
        }
    };
    *buffer = text.into_bytes();
    status
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn reply() -> *const u8 {
    buffer().as_ptr()
}

/// The bytes of the answer.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "the name of an export")]
pub extern "C" fn length() -> usize {
    buffer().len()
}
