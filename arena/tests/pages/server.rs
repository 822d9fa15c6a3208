//! The arena as a server, and a client that asks it like a browser does.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
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
    token: String,
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.args(args).current_dir(dir);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = std::sync::mpsc::channel();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
        for stream in streams {
            let sender = sender.clone();
            // The rest is read as well, so that the server never waits for a reader.
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let _ = sender.send(line);
                }
            });
        }
        drop(sender);
        let host = loop {
            let line = lines.recv_timeout(PATIENCE).expect("the server prints its address");
            if let Some((_, rest)) = line.split_once("http://") {
                break rest.split('/').next().unwrap().to_owned();
            }
        };
        let mut server = Server { child, host, token: String::new() };
        let page = server.get("/");
        let (_, rest) = page.body.split_once("name=\"arena-token\" content=\"").unwrap();
        server.token = rest.split('"').next().unwrap().to_owned();
        server
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

    fn host_line(&self) -> String {
        format!("Host: {}", self.host)
    }

    /// What a page of the server gets.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[&self.host_line(), "Sec-Fetch-Site: same-origin"], "")
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
        let headers = [&*self.host_line(), &token, &origin, "Content-Type: application/json"];
        self.ask("POST", path, &headers, &body.to_string())
    }

    /// The same with a body of text.
    pub(crate) fn post_text(&self, path: &str, body: &str) -> Answer {
        let token = format!("X-Arena-Token: {}", self.token);
        let headers = [&*self.host_line(), &token, "Content-Type: text/plain"];
        self.ask("POST", path, &headers, body)
    }

    /// Opens a stream of events.
    pub(crate) fn events(&self, path: &str) -> Events {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let host = self.host_line();
        stream.write_all(format!("GET {path} HTTP/1.1\r\n{host}\r\n\r\n").as_bytes()).unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.contains(" 200 "), "{path}: {line}");
        Events { reader }
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

/// A stream of events.
pub(crate) struct Events {
    reader: BufReader<TcpStream>,
}

impl Events {
    /// The next event with its data.
    pub(crate) fn next(&mut self) -> (String, String) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert!(self.reader.read_line(&mut line).unwrap() > 0, "the stream has ended");
            if let Some(word) = line.strip_prefix("event: ") {
                name = word.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return (name, data.trim_end_matches(['\r', '\n']).to_owned());
            }
        }
    }

    /// The data of the next event of a name, as JSON.
    pub(crate) fn next_of(&mut self, wanted: &str) -> Value {
        loop {
            let (name, data) = self.next();
            if name == wanted {
                return serde_json::from_str(&data).unwrap();
            }
        }
    }
}
