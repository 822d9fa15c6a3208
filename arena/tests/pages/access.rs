//! Who may use the server, and what it runs for them.

use std::fs;
use std::os::unix::fs::{PermissionsExt, chown};

use serde_json::json;

use super::server::Server;
use super::{CONFIG, bots, play, serve};

#[test]
fn others_can_neither_read_nor_start_anything() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("live.toml"), CONFIG).unwrap();
    let server = serve(dir.path());
    let config = server.json("/api/library")["configs"][0]["id"].clone();
    let body = json!({ "config": config }).to_string();
    let host = format!("Host: {}", server.host);
    let content = "Content-Type: application/json";
    let (token, cookie) = (format!("X-Arena-Token: {}", server.token), server.cookie_line());
    for headers in [
        // Another user of this machine can send everything but the secrets.
        &[&*host, content, "Cookie: arena-token=guessed", "X-Arena-Token: guessed"][..],
        &[&*host, content, &token],
        // A foreign page has no token, and its browser says where it comes from.
        &[&*host, &cookie, content],
        &[&*host, &cookie, content, "X-Arena-Token: guessed"],
        &[&*host, &cookie, content, &token, "Origin: http://evil.example"],
        &[&*host, &cookie, content, &token, "Origin: null"],
        &[&*host, &cookie, content, &token, "Sec-Fetch-Site: cross-site"],
        // DNS rebinding: the name of the foreign page leads here.
        &["Host: evil.example", &cookie, content, &token],
    ] {
        let answer = server.ask("POST", "/api/run", headers, &body);
        assert_eq!(answer.status, 403, "{headers:?}: {answer:?}");
    }
    for path in ["/api/library", "/api/engines", "/"] {
        assert_eq!(server.ask("GET", path, &["Host: evil.example", &cookie], "").status, 403);
    }
    let foreign = ["Sec-Fetch-Site: cross-site", &*host, &cookie];
    assert_eq!(server.ask("GET", "/api/library", &foreign, "").status, 403);
    assert!(!dir.path().join("results").exists(), "a tournament has begun");
    let page = server.get("/");
    assert!(page.headers.contains("content-security-policy: default-src 'none'"), "{page:?}");
}

#[test]
fn a_server_for_others_asks_for_its_token() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["serve", "--listen", "0.0.0.0:0"])
        .current_dir(dir.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = std::io::BufReader::new(child.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut stdout, &mut line).unwrap();
    let (_, rest) = line.trim().split_once("http://0.0.0.0:").expect("an address");
    let (port, token) = rest.split_once("/?token=").expect("a token");
    let ask = |path: &str, cookie: &str| {
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: lab:{port}\r\nConnection: close\r\n{cookie}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(ask("/", "").starts_with("HTTP/1.1 403"));
    assert!(ask("/?token=wrong", "").starts_with("HTTP/1.1 403"));
    let entered = ask(&format!("/?token={token}"), "").to_ascii_lowercase();
    assert!(entered.starts_with("http/1.1 200") && entered.contains("httponly"), "{entered}");
    let cookie = format!("Cookie: arena-token-{port}={token}\r\n");
    assert!(ask("/", &cookie).starts_with("HTTP/1.1 200"));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Every user of this machine can connect to the loopback interface.
#[test]
fn a_server_on_this_machine_asks_for_its_token_too() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let host = server.host_line();
    let without = |method: &str, path: &str| server.ask(method, path, &[&host], "");
    for path in ["/", "/play", "/t/1", "/t/1/report", "/nothing", "/?token=wrong"] {
        let refused = without("GET", path);
        assert_eq!(refused.status, 403, "{path}: {refused:?}");
        // A page for people, which does not have the token.
        assert!(refused.headers.contains("text/html"), "{path}: {refused:?}");
        assert!(refused.body.contains("printed") && !refused.body.contains(&server.token));
    }
    for path in ["/api/library", "/api/engines", "/api/alive", "/api/t/1/live", "/api/nothing"] {
        let refused = without("GET", path);
        assert_eq!(refused.status, 403, "{path}: {refused:?}");
        assert!(refused.json()["help"].as_str().unwrap().contains("printed"), "{path}");
        assert!(refused.headers.contains("connection: close"), "{path}: {refused:?}");
    }
    for path in ["/api/run", "/api/engine", "/api/judge", "/api/rules", "/api/explorer"] {
        assert_eq!(without("POST", path).status, 403, "{path}");
    }
    // The files of every copy of the program are free, so that the page above has its style.
    assert_eq!(without("GET", "/assets/pages.css").status, 200);
    // The printed address opens the page itself, and gives the cookie that carries the token.
    let entered = without("GET", &format!("/play?token={}", server.token));
    assert!(entered.status == 200 && entered.body.contains("data-page=\"play\""), "{entered:?}");
    for part in ["set-cookie: arena-token-", "httponly", "samesite=strict"] {
        assert!(entered.headers.contains(part), "{entered:?}");
    }
    assert_eq!(server.get("/play").status, 200);
}

/// Other users can read the arguments of programs.
#[test]
fn a_browser_is_opened_with_a_key_for_one_visit() {
    let dir = tempfile::tempdir().unwrap();
    let (program, said) = (dir.path().join("xdg-open"), dir.path().join("said"));
    fs::write(&program, format!("#!/bin/sh\necho \"$1\" > {}\n", said.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.path().display());
    let args = ["serve", "--open", "--listen", "127.0.0.1:0"];
    let server = Server::start_with(dir.path(), &args, path.as_ref());
    let opened = server.until(|_| fs::read_to_string(&said).ok().filter(|it| it.ends_with('\n')));
    assert!(!opened.contains(&server.token), "{opened}");
    let (_, path) = opened.trim().split_once(&server.host).expect("the address of the server");
    let visit = || server.ask("GET", path, &[&server.host_line()], "");
    let first = visit();
    assert!(first.status == 200 && first.headers.contains("set-cookie"), "{first:?}");
    assert_eq!(visit().status, 403);
}

#[test]
fn a_log_of_requests_has_no_token() {
    let dir = tempfile::tempdir().unwrap();
    let server = Server::start(dir.path(), &["-v", "serve", "--listen", "127.0.0.1:0"]);
    let path = format!("/play?token={}", server.token);
    assert_eq!(server.ask("GET", &path, &[&server.host_line()], "").status, 200);
    assert_eq!(server.ask("GET", "/api/alive", &[&server.host_line()], "").status, 403);
    let log = server.until(|server| Some(server.printed()).filter(|it| it.contains("/api/alive")));
    let events: Vec<&str> = log.lines().filter(|line| line.contains("request is")).collect();
    let [answered, refused] = events[..] else { panic!("{log}") };
    assert!(answered.contains("\"/play\" status=200"), "{answered}");
    assert!(refused.contains("request is refused"), "{refused}");
    assert!(events.iter().all(|event| !event.contains(&server.token)), "{log}");
}

#[test]
fn a_missing_page_is_a_page_and_a_missing_answer_is_json() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    for path in ["/nothing", "/t/nothing", "/t/nothing/report", "/t", "/play/more"] {
        let missing = server.get(path);
        assert_eq!(missing.status, 404, "{path}: {missing:?}");
        assert!(missing.headers.contains("text/html"), "{path}: {missing:?}");
        for part in ["Not found", "href=\"/\"", "/assets/pages.css"] {
            assert!(missing.body.contains(part), "{path}: no {part}: {missing:?}");
        }
    }
    for path in ["/api/nothing", "/api/t/nothing", "/assets/nothing"] {
        let missing = server.get(path);
        assert!(
            missing.status == 404 && missing.json()["error"].is_string(),
            "{path}: {missing:?}"
        );
    }
}

/// A page that was loaded from the server before a restart takes over the new token.
#[test]
fn pages_that_are_let_in_get_the_token() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    assert_eq!(server.json("/api/alive")["token"], *server.token);
}

/// The number of a user that the tests do not run as; `None` if files cannot be given away.
fn another_user(dir: &std::path::Path) -> Option<u32> {
    let (file, nobody) = (dir.join("given-away"), 65534);
    fs::write(&file, "").unwrap();
    match chown(&file, Some(nobody), None) {
        Ok(()) => Some(nobody),
        Err(why) => {
            eprintln!("NOT RUN: files of another user: {why}");
            None
        }
    }
}

#[test]
fn configs_of_another_user_are_not_run() {
    bots();
    let dir = tempfile::tempdir().unwrap();
    let Some(nobody) = another_user(dir.path()) else { return };
    let (own, foreign, link) = ("own.toml", "foreign.toml", "link.toml");
    for name in [own, foreign] {
        fs::write(dir.path().join(name), CONFIG).unwrap();
    }
    chown(dir.path().join(foreign), Some(nobody), None).unwrap();
    std::os::unix::fs::symlink("own.toml", dir.path().join(link)).unwrap();
    std::os::unix::fs::lchown(dir.path().join(link), Some(nobody), None).unwrap();
    let results = play(dir.path(), &CONFIG.replace("rounds = 100", "rounds = 1"));
    let server = serve(dir.path());
    let library = server.json("/api/library");
    let config = |name: &str| {
        let configs = library["configs"].as_array().unwrap();
        configs.iter().find(|config| config["path"] == name).unwrap().clone()
    };
    assert!(config(own)["refused"].is_null(), "{library}");
    for name in [foreign, link] {
        let config = config(name);
        assert!(config["refused"].as_str().unwrap().contains("another user"), "{config}");
        let refused = server.post("/api/run", &json!({ "config": config["id"] }));
        assert!(refused.status == 403 && refused.body.contains("another user"), "{refused:?}");
    }
    // Neither does a resumed tournament run one.
    let id = library["tournaments"][0]["id"].as_str().unwrap();
    chown(results.join("config.toml"), Some(nobody), None).unwrap();
    let refused = server.post(&format!("/api/t/{id}/resume"), &json!({ "rounds": 2 }));
    assert!(refused.status == 403 && refused.body.contains("another user"), "{refused:?}");
    // The process that plays looks again, whatever the server saw.
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", foreign, "--remote"])
        .current_dir(dir.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success() && said.contains("another user"), "{said}");
}

/// Whatever is wrong with a request, the answer has the form of every other error.
#[test]
fn every_refusal_is_json() {
    let dir = tempfile::tempdir().unwrap();
    let server = serve(dir.path());
    let large = "x".repeat(3 << 20);
    let (json, text) = ("Content-Type: application/json", "Content-Type: text/plain");
    let token = format!("X-Arena-Token: {}", server.token);
    let (host, cookie) = (server.host_line(), server.cookie_line());
    for (method, path, content, body, status) in [
        ("POST", "/api/run", json, "{\"config\": 7}", 422),
        ("POST", "/api/run", json, "{", 400),
        ("POST", "/api/run", text, "{}", 415),
        ("POST", "/api/run", json, &*large, 413),
        ("POST", "/api/config", json, "[]", 422),
        ("POST", "/api/t/1/resume", json, "{\"rounds\": \"many\"}", 422),
        ("POST", "/api/t/1/control", json, "{\"action\": \"dance\"}", 422),
        ("POST", "/api/engine", json, "{}", 422),
        ("POST", "/api/engine/1/lines", text, &large, 413),
        ("POST", "/api/fgn/read", json, &large, 413),
        ("GET", "/api/t/1/games?offset=x", text, "", 400),
        ("GET", "/api/t/%ff", text, "", 400),
        ("POST", "/api/library", json, "{}", 405),
        ("POST", "/play", json, "{}", 405),
    ] {
        let headers = [&*host, &cookie, &token, content];
        let refused = server.ask(method, path, &headers, body);
        assert_eq!(refused.status, status, "{method} {path}: {refused:?}");
        assert!(refused.headers.contains("content-type: application/json"), "{path}: {refused:?}");
        let said = refused.json();
        assert!(said["error"].as_str().is_some_and(|it| !it.is_empty()), "{path}: {said}");
        assert!(said.get("help").is_some() && said.get("said").is_some(), "{path}: {said}");
        let is_large = said["said"]["code"] == "too-large";
        assert_eq!(is_large, status == 413, "{path}: {said}");
    }
    // An address that a browser opens is answered by a page.
    let page = server.get("/t/%ff");
    assert!(page.status == 400 && page.headers.contains("text/html"), "{page:?}");
}
