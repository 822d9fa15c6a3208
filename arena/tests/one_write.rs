//! The lines of a move are one write, however long they are, and the time runs from it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use fanorona_engine::{Digests, Engine, Failure, Launch, LaunchOptions, MoveReply, Supervisors};
use fanorona_protocol::messages::{BestMove, Limits};
use fanorona_tournament::config::{Overrides, Resolved, parse};
use fanorona_tournament::game::clock::Allowance;
use fanorona_tournament::game::fault::Fault;

const CONFIG: &str = "\
format = \"match\"
limit = \"depth=1\"
start_timeout = \"60s\"
stall = \"60s\"
sandbox = \"none\"
[[engine]]
name = \"a\"
command = \"a\"
legal_moves = true
[[engine]]
name = \"b\"
command = \"b\"
";

/// Several times what a pipe holds.
const MOVES: usize = 60_000;

fn of_move(time: Duration) -> Allowance {
    Allowance { time, margin: Duration::ZERO, on_clock: false }
}

/// Asks an engine, a shell script, for a move among very many, and gives it this long.
fn ask(script: &str, allowance: Option<Allowance>) -> Result<MoveReply, Failure> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("engine");
    fs::write(
        &path,
        format!("#!/bin/sh\nread line\necho ugiok\nread line\necho readyok\n{script}"),
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let tournament = parse("t.toml", CONFIG, Path::new("/"), &Overrides::default()).unwrap();
    let resolved = Resolved {
        program: path,
        args: Vec::new(),
        dir: place.path().to_owned(),
        writable: Vec::new(),
        files: Vec::new(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let supervisors = Supervisors::new(env!("CARGO_BIN_EXE_arena")).unwrap();
        let (engine, digests) = (&tournament.engines[0], Digests::default());
        let options = LaunchOptions::new(&tournament, engine);
        let launch = Launch::new(engine, resolved, options, &supervisors, &digests);
        let mut engine = Engine::start(&launch).await.unwrap();
        let legal = || vec!["e2e3A".to_owned(); MOVES];
        let limits = Limits::with_nodes(1);
        let answer = engine.ask("position startpos", limits, allowance, None, legal).await;
        engine.kill().await;
        supervisors.gone(Duration::from_secs(5)).await;
        answer
    })
}

/// The tests share what is left of processes, so they are one.
#[test]
fn large_writes_do_not_deadlock() {
    // The engine writes more than a pipe holds before it reads on: there must be no deadlock.
    let talkative = "read line\ni=0\nwhile [ $i -lt 4000 ]; do\n\
                     echo \"info string I say a lot before I read what comes next, line $i\"\n\
                     i=$((i+1))\ndone\nread line\necho readyok\nread go\necho bestmove ${go##* }\n\
                     read line\n";
    let answer = ask(talkative, Some(of_move(Duration::from_secs(120)))).unwrap();
    assert_eq!(answer.best, BestMove::Move("e2e3A".parse().unwrap()));
    // The engine never reads the rest: with a clock it loses on time, without one it stalls.
    let deaf = "read line\nread line\necho readyok\nsleep 600\n";
    let failure = ask(deaf, Some(of_move(Duration::from_millis(200)))).unwrap_err();
    assert_eq!(failure.fault, Fault::Time);
    assert!(
        failure.detail.starts_with("did not read its input within 200 ms + 0 ms margin; "),
        "{failure}"
    );
}
