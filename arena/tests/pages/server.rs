//! The arena as a server, and a client that asks it like a browser does.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

/// How long an answer may take, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub(crate) struct Server {
    child: Child,
    /// The address, like `127.0.0.1:40123`.
    pub(crate) host: String,
    pub(crate) token: String,
    /// What it has printed so far, on both streams.
    printed: Arc<Mutex<String>>,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: String,
    pub(crate) body: String,
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }
}

impl Server {
    /// Starts `arena serve`, or another command that serves, in a directory. It prints its address
    /// on one of its streams.
    pub(crate) fn start(dir: &Path, args: &[&str]) -> Server {
        Server::start_with(dir, args, &std::env::var_os("PATH").unwrap_or_default())
    }

    /// The same with programs found in these directories.
    pub(crate) fn start_with(dir: &Path, args: &[&str], path: &OsStr) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args).current_dir(dir).env("PATH", path);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = std::sync::mpsc::channel();
        let printed = Arc::<Mutex<String>>::default();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let (sender, printed) = (sender.clone(), printed.clone());
            // The rest is read as well, so that the server never waits for a reader.
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    *printed.lock().unwrap() += &format!("{line}\n");
                    let _ = sender.send(line);
                }
            });
        }
        drop(sender);
        let (host, token) = loop {
            let line = lines.recv_timeout(PATIENCE).expect("the server prints its address");
            let Some((_, rest)) = line.split_once("http://") else { continue };
            let (host, rest) = rest.split_once('/').expect("the address has a path");
            let (_, token) = rest.split_once("?token=").expect("the address has the token");
            break (host.to_owned(), token.to_owned());
        };
        Server { child, host, token, printed }
    }

    /// The address that a user opens to come to a page.
    pub(crate) fn address(&self, path: &str) -> String {
        let (page, place) = path.split_at(path.find('#').unwrap_or(path.len()));
        format!("http://{}{page}?token={}{place}", self.host, self.token)
    }

    /// What the server has printed so far.
    pub(crate) fn printed(&self) -> String {
        self.printed.lock().unwrap().clone()
    }

    /// Ends the server as a crash would.
    pub(crate) fn kill(self) {
        // It is ended once.
        let mut server = std::mem::ManuallyDrop::new(self);
        server.child.kill().unwrap();
        server.child.wait().unwrap();
    }

    /// The process of the server.
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request with these lines after the first.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let lines: String = headers.iter().map(|line| format!("{line}\r\n")).collect();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{lines}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (headers, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{text}"));
        let status = headers.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, headers: headers.to_ascii_lowercase(), body: unchunked(headers, body) }
    }

    pub(crate) fn host_line(&self) -> String {
        format!("Host: {}", self.host)
    }

    /// The line with the cookie that a browser gets at its first visit.
    pub(crate) fn cookie_line(&self) -> String {
        let (_, port) = self.host.rsplit_once(':').unwrap();
        format!("Cookie: arena-token-{port}={}", self.token)
    }

    /// What a page of the server gets.
    pub(crate) fn get(&self, path: &str) -> Answer {
        let headers = [&*self.host_line(), &self.cookie_line(), "Sec-Fetch-Site: same-origin"];
        self.ask("GET", path, &headers, "")
    }

    /// What a page of the server gets as JSON; it has to succeed.
    pub(crate) fn json(&self, path: &str) -> Value {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answer.json()
    }

    /// What a page of the server gets when it posts.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let token = format!("X-Arena-Token: {}", self.token);
        let origin = format!("Origin: http://{}", self.host);
        let (host, cookie) = (self.host_line(), self.cookie_line());
        let headers = [&*host, &cookie, &token, &origin, "Content-Type: application/json"];
        self.ask("POST", path, &headers, &body.to_string())
    }

    /// The same with a body of text.
    pub(crate) fn post_text(&self, path: &str, body: &str) -> Answer {
        let token = format!("X-Arena-Token: {}", self.token);
        let (host, cookie) = (self.host_line(), self.cookie_line());
        let headers = [&*host, &cookie, &token, "Content-Type: text/plain"];
        self.ask("POST", path, &headers, body)
    }

    /// Opens a stream of events, which has to succeed.
    pub(crate) fn events(&self, path: &str) -> Events {
        self.stream(path).unwrap_or_else(|status| panic!("{path}: {status}"))
    }

    /// Opens a stream of events; the status if the server refuses it.
    pub(crate) fn stream(&self, path: &str) -> Result<Events, u16> {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (host, cookie) = (self.host_line(), self.cookie_line());
        let request = format!(
            "GET {path} HTTP/1.1\r\n{host}\r\n{cookie}\r\nOrigin: http://{}\r\n\
             Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            self.host
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let status = line.split(' ').nth(1).unwrap().parse().unwrap();
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        if status == 101 { Ok(Events { reader }) } else { Err(status) }
    }

    /// Waits until something holds.
    pub(crate) fn until<T>(&self, mut seen: impl FnMut(&Server) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(seen) = seen(self) {
                return seen;
            }
            assert!(Instant::now() < end, "it did not happen");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Server {
    /// Whether it ends after one Ctrl-C.
    pub(crate) fn ends_after_ctrl_c(&mut self) -> bool {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).unwrap();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if self.child.try_wait().unwrap().is_some() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Twice, because the first signal lets games end.
        for _ in 0..2 {
            let _ = kill(Pid::from_raw(self.child.id() as i32), Signal::SIGTERM);
        }
        let _ = self.child.wait();
    }
}

/// The body without the marks of its chunks.
fn unchunked(headers: &str, body: &str) -> String {
    if !headers.to_ascii_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut rest, mut whole) = (body, String::new());
    while let Some((length, after)) = rest.split_once("\r\n") {
        let length = usize::from_str_radix(length.trim(), 16).unwrap();
        if length == 0 {
            break;
        }
        whole.push_str(&after[..length]);
        rest = after[length..].trim_start_matches("\r\n");
    }
    whole
}

/// A stream of events: a WebSocket that says nothing.
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
}

impl Events {
    /// The next message of text; `None` if the server ends the stream.
    fn message(&mut self) -> Option<String> {
        loop {
            let [kind, length] = self.bytes();
            // Messages of a server are not masked, and not split.
            let length = match length {
                126 => u16::from_be_bytes(self.bytes()).into(),
                127 => u64::from_be_bytes(self.bytes()),
                length => length.into(),
            };
            let mut data = vec![0; usize::try_from(length).unwrap()];
            self.reader.read_exact(&mut data).unwrap();
            match kind {
                0x81 => return Some(String::from_utf8(data).unwrap()),
                0x88 => return None,
                _ => {}
            }
        }
    }

    fn bytes<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.reader.read_exact(&mut bytes).expect("the stream has not ended");
        bytes
    }

    /// The next event: its name and its data.
    pub(crate) fn next(&mut self) -> (String, Value) {
        serde_json::from_str(&self.message().expect("the stream has not ended")).unwrap()
    }

    /// The data of the next event of a name.
    pub(crate) fn next_of(&mut self, wanted: &str) -> Value {
        loop {
            let (name, data) = self.next();
            if name == wanted {
                return data;
            }
        }
    }
}
