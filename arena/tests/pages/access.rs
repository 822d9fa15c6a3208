//! Who may use the server, and what it runs for them.

use std::fs;
use std::os::unix::fs::chown;

use serde_json::json;

use super::{CONFIG, bots, play, serve};

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
