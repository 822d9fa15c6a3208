//! A browser that is told what to do: Chromium, by its DevTools protocol.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write, pipe};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt, FdMapping};
use serde_json::{Value, json};

/// How long something is waited for that is sure to come, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page. Messages are JSON, ended by a zero byte, on two pipes of its own
/// (`--remote-debugging-pipe`).
pub(crate) struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    /// The page, once it is open.
    session: Option<String>,
    calls: u64,
    /// Events since the last page was opened.
    told: Vec<Value>,
}

impl Browser {
    /// Starts Chromium with a profile in a directory.
    pub(crate) fn start(profile: &Path) -> Browser {
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let ((its_input, to), (from, its_output)) = (pipe().unwrap(), pipe().unwrap());
        let mut command = Command::new(program);
        command
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--remote-debugging-pipe"])
            // Without this flag it ignores navigations that follow each other quickly.
            .arg("--disable-ipc-flooding-protection")
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .fd_mappings(vec![
                FdMapping { parent_fd: OwnedFd::from(its_input), child_fd: 3 },
                FdMapping { parent_fd: OwnedFd::from(its_output), child_fd: 4 },
            ])
            .unwrap();
        let child = command.spawn().expect("Chromium runs: install it, or say where by CHROMIUM=…");
        // The child's ends of the pipes must close with it.
        drop(command);
        let (to, from) = (File::from(OwnedFd::from(to)), File::from(OwnedFd::from(from)));
        let from = BufReader::new(from);
        let mut browser = Browser { child, to, from, session: None, calls: 0, told: Vec::new() };
        let page = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": page["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = Some(session["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Sends a command and waits for the answer.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.answer(method, params);
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].take()
    }

    /// The answer to a command, which may be an error.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.calls += 1;
        let mut message = json!({ "id": self.calls, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "Chromium has ended");
            let message: Value = serde_json::from_slice(&bytes).unwrap();
            if message["id"] == self.calls {
                return message;
            }
            self.told.push(message);
        }
    }

    /// Opens an address and waits until its script has run.
    pub(crate) fn open(&mut self, address: &str) {
        // Start from another page: otherwise only the part after the # would change.
        self.call("Page.navigate", json!({ "url": "about:blank" }));
        self.until("location.href", &json!("about:blank"));
        self.told.clear();
        self.call("Page.navigate", json!({ "url": address }));
        self.until("document.readyState + (document.scripts.length > 0)", &json!("completetrue"));
    }

    /// Opens an address in a further window, which stays open.
    pub(crate) fn window(&mut self, address: &str) {
        let session = self.session.take();
        self.call("Target.createTarget", json!({ "url": address, "newWindow": true }));
        self.session = session;
    }

    /// The value of an expression on the page; a promise is awaited.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.evaluate(expression).unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same, or the error of a page that was left meanwhile.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let params =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.answer("Runtime.evaluate", params);
        if !answer["error"].is_null() {
            return Err(answer["error"].take());
        }
        let mut result = answer["result"].take();
        assert!(result["exceptionDetails"].is_null(), "{expression}: {result}");
        Ok(result["result"]["value"].take())
    }

    /// Waits until an expression has a value. The page may be left for another one meanwhile.
    pub(crate) fn until(&mut self, expression: &str, expected: &Value) {
        let end = Instant::now() + PATIENCE;
        loop {
            let found = self.evaluate(expression);
            if found.as_ref() == Ok(expected) {
                return;
            }
            assert!(Instant::now() < end, "{expression} is {found:?}, not {expected}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Presses and releases a key.
    pub(crate) fn press(&mut self, key: &str) {
        let codes = HashMap::from([
            ("ArrowRight", 39),
            ("ArrowLeft", 37),
            ("Home", 36),
            ("End", 35),
            ("ArrowUp", 38),
            ("ArrowDown", 40),
            ("Tab", 9),
            ("Enter", 13),
            ("a", 65),
            ("w", 87),
            (" ", 32),
            ("f", 70),
        ]);
        for kind in ["rawKeyDown", "keyUp"] {
            let code = codes[key];
            let mut params = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code });
            // A button is pressed by the character of Enter, not by the key alone.
            if key == "Enter" && kind == "rawKeyDown" {
                params["type"] = json!("keyDown");
                params["text"] = json!("\r");
            }
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    /// The requests of the page since it was opened.
    pub(crate) fn requests(&self) -> Vec<&str> {
        self.sent().filter_map(|request| request["url"].as_str()).collect()
    }

    /// The same with everything that is known of a request.
    pub(crate) fn sent(&self) -> impl Iterator<Item = &Value> {
        let sent = self.told.iter().filter(|told| told["method"] == "Network.requestWillBeSent");
        sent.map(|told| &told["params"]["request"])
    }

    /// The console: exceptions, violations of the policy, and log messages.
    pub(crate) fn console(&self) -> Vec<&Value> {
        let methods = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded"];
        let of = |message: &&Value| methods.iter().any(|method| message["method"] == *method);
        self.told.iter().filter(of).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium exits when its pipes close; kill it if it does not.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
