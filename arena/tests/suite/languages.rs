//! Engines in languages with a runtime of their own start and play in the sandbox: what it forbids is
//! nothing these runtimes need.

use crate::programs;

use std::fs;
use std::path::Path;
use std::process::Command;

/// Binds its process and a thread to processors, which has no effect here and yet succeeds.
const PYTHON: &str = r#"
import os, resource, subprocess, sys, threading
os.sched_setaffinity(os.getpid(), {0})
os.sched_setaffinity(0, os.sched_getaffinity(0))
os.nice(0)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.prlimit(os.getppid(), resource.RLIMIT_CORE)
assert subprocess.run(["true"]).returncode == 0
thread = threading.Thread(target=lambda: None)
thread.start()
thread.join()
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("ugiok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        print("bestmove", words[words.index("searchmoves") + 1], flush=True)
    elif words[:1] == ["quit"]:
        break
"#;

const NODE: &str = r#"
const { Worker } = require("worker_threads");
require("fs").readFileSync(__filename);
require("fs").readFile(__filename, () => {});
new Worker("1", { eval: true });
require("child_process").execSync("true");
require("readline").createInterface({ input: process.stdin }).on("line", line => {
    const words = line.split(" ");
    if (words[0] == "ugi") console.log("ugiok");
    else if (words[0] == "isready") console.log("readyok");
    else if (words[0] == "go") console.log("bestmove " + words[words.indexOf("searchmoves") + 1]);
    else if (words[0] == "quit") process.exit(0);
});
"#;

const JAVA: &str = r#"
import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;
class Bot {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        pool.submit(() -> Thread.currentThread().setPriority(Thread.MAX_PRIORITY)).get();
        pool.shutdown();
        Files.writeString(Path.of(System.getenv("TMPDIR"), "file"), "text");
        if (new ProcessBuilder("true").start().waitFor() != 0) System.exit(1);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            List<String> words = Arrays.asList(line.split(" "));
            switch (words.get(0)) {
                case "ugi": System.out.println("ugiok"); break;
                case "isready": System.out.println("readyok"); break;
                case "go":
                    System.out.println("bestmove " + words.get(words.indexOf("searchmoves") + 1));
                    break;
                case "quit": return;
            }
        }
    }
}
"#;

const GO: &str = r#"
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

func main() {
	done := make(chan bool)
	go func() { runtime.LockOSThread(); done <- true }()
	<-done
	runtime.GC()
	if exec.Command("true").Run() != nil {
		os.Exit(1)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 1<<20), 1<<20)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "ugi":
			fmt.Println("ugiok")
		case "isready":
			fmt.Println("readyok")
		case "go":
			for i, word := range words {
				if word == "searchmoves" {
					fmt.Println("bestmove " + words[i+1])
				}
			}
		case "quit":
			return
		}
	}
}
"#;

/// Plays a program against itself in the sandbox, with all its bounds and on processor 0 if it is
/// allowed there.
fn plays(dir: &Path, name: &str, command: &str, args: &str) {
    let affinity = nix::sched::sched_getaffinity(nix::unistd::Pid::this()).unwrap();
    let cpu = (0..1024).find(|&cpu| affinity.is_set(cpu).unwrap()).unwrap();
    let engine = |number: u32| {
        format!(
            "[[engine]]\nname = \"{name}{number}\"\ncommand = {command:?}\nargs = [{args}]\n\
             legal_moves = true\ninherit_env = [\"PYENV_ROOT\", \"JAVA_HOME\"]\n"
        )
    };
    let text = format!(
        "format = \"match\"\nkinds = [\"riatra\"]\nconcurrency = 1\nlimit = \"depth=1\"\n\
         start_timeout = \"60s\"\nrules = {{ max-plies = 12 }}\ncpus = \"{cpu}\"\n\
         memory = \"4GB\"\nsandbox = \"auto\"\n{}{}",
        engine(1),
        engine(2)
    );
    fs::write(dir.join("t.toml"), text).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", "--strict", "t.toml", "--out", name])
        .current_dir(dir)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{name}: {told}");
    let machine = fs::read_to_string(dir.join(name).join("machine.json")).unwrap();
    if machine.contains("\"limits\": \"not enforced here\"") {
        eprintln!("NOT ENFORCED HERE: the filter of system calls");
    }
}

#[test]
fn a_program_in_python_plays_in_the_sandbox() {
    if programs::are_there(&["python3"], "a program in Python in the sandbox") {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("bot.py"), PYTHON).unwrap();
        plays(dir.path(), "python", "python3", "\"bot.py\"");
    }
}

#[test]
fn a_program_in_javascript_plays_in_the_sandbox() {
    if programs::are_there(&["node"], "a program in JavaScript in the sandbox") {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("bot.js"), NODE).unwrap();
        plays(dir.path(), "node", "node", "\"bot.js\"");
    }
}

#[test]
fn a_program_in_java_plays_in_the_sandbox() {
    if programs::are_there(&["java", "javac"], "a program in Java in the sandbox") {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("Bot.java"), JAVA).unwrap();
        let compiled = Command::new("javac").arg("Bot.java").current_dir(dir.path()).status();
        assert!(compiled.unwrap().success());
        plays(dir.path(), "java", "java", "\"Bot\"");
    }
}

#[test]
fn a_program_in_go_plays_in_the_sandbox() {
    if programs::are_there(&["go"], "a program in Go in the sandbox") {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("bot.go"), GO).unwrap();
        let mut build = Command::new("go");
        build.args(["build", "-o", "bot", "bot.go"]).current_dir(dir.path());
        let built = build.env("GOFLAGS", "-mod=mod").env("GOTOOLCHAIN", "local").status();
        assert!(built.unwrap().success());
        plays(dir.path(), "go", "./bot", "");
    }
}
