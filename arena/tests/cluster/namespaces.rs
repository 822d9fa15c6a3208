//! The guide's lab, typed as it stands: a laptop and three machines, each a network namespace of its
//! own. `ssh` and `scp` are scripts that enter a namespace instead of a machine. This needs root and
//! `ip` (iproute2).

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::place::{Place, Process, until};

/// The namespaces of a test; dropping it removes them.
struct Lab {
    names: Vec<String>,
}

fn ip(args: &str) -> bool {
    let args: Vec<&str> = args.split(' ').collect();
    let done = Command::new("ip").args(args).stderr(Stdio::null()).status();
    done.is_ok_and(|status| status.success())
}

impl Lab {
    /// A laptop with the guide's address, and machines on the same network; `None` if this user may
    /// not have any.
    fn new(machines: usize) -> Option<Lab> {
        let name = |machine: &str| format!("arena{}{machine}", std::process::id());
        let mut lab = Lab { names: Vec::new() };
        let laptop = name("");
        lab.names.push(laptop.clone());
        let is_made = ip(&format!("netns add {laptop}"))
            && ip(&format!("-n {laptop} link add lab0 type bridge"))
            && ip(&format!("-n {laptop} addr add 10.0.0.5/24 dev lab0"))
            && ip(&format!("-n {laptop} link set lab0 up"))
            && ip(&format!("-n {laptop} link set lo up"));
        if !is_made {
            return None;
        }
        for machine in 1..=machines {
            let own = name(&format!("-lab{machine}"));
            lab.names.push(own.clone());
            let is_made = ip(&format!("netns add {own}"))
                && ip(&format!(
                    "-n {laptop} link add v{machine} type veth peer name eth0 netns {own}"
                ))
                && ip(&format!("-n {laptop} link set v{machine} master lab0 up"))
                && ip(&format!("-n {own} addr add 10.0.0.1{machine}/24 dev eth0"))
                && ip(&format!("-n {own} link set eth0 up"))
                && ip(&format!("-n {own} link set lo up"));
            if !is_made {
                return None;
            }
        }
        Some(lab)
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        for name in &self.names {
            ip(&format!("netns del {name}"));
        }
    }
}

/// The commands that a teacher types, block by block, after the build.
fn blocks() -> Vec<Vec<String>> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("guides/many-machines.md");
    let text = fs::read_to_string(guide).unwrap();
    let (_, lab) = text.split_once("## A lab, step by step\n").unwrap();
    let (lab, _) = lab.split_once("\n## ").unwrap();
    let lines = |block: &str| {
        let block = block.split("```").next().unwrap();
        block.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let blocks = lab.split("```sh\n").skip(1).map(lines);
    blocks.filter(|block| !block[0].starts_with("cargo build")).collect()
}

fn script(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[ignore = "needs nats-server, root and ip"]
fn the_guide_is_typed_in_a_lab() {
    let place = Place::new();
    let Some(lab) = Lab::new(3) else {
        eprintln!("NOT RUN: network namespaces need root and `ip`");
        return;
    };
    let laptop = &lab.names[0];
    let arena = Path::new(env!("CARGO_BIN_EXE_arena"));
    let bin = place.path("bin");
    fs::create_dir_all(&bin).unwrap();
    symlink(arena, bin.join("arena")).unwrap();
    if let Some(server) = std::env::var_os("NATS_SERVER").filter(|it| it != "nats-server") {
        symlink(server, bin.join("nats-server")).unwrap();
    }
    for machine in 1..=3 {
        let built = place.path(&format!("lab{machine}/fanorona-arena/target"));
        fs::create_dir_all(&built).unwrap();
        symlink(arena.parent().unwrap(), built.join("release")).unwrap();
    }
    let root = place.path("");
    let root = root.display();
    script(&bin.join("scp"), &format!("#!/bin/sh\nexec cp -p \"$1\" \"{root}/${{2%:}}/\"\n"));
    script(
        &bin.join("ssh"),
        &format!(
            "#!/bin/sh\nmachine=$1\nshift\nexec ip netns exec {laptop}-$machine \\\n    sh -c \"cd \
             {root}/$machine && exec $*\"\n"
        ),
    );
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    symlink(configs, place.path("configs")).unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let start = |line: &str, log: &str, inside: bool| {
        let mut command = match inside {
            true => Command::new("ip"),
            false => Command::new("sh"),
        };
        if inside {
            command.args(["netns", "exec", laptop, "sh"]);
        }
        command.args(["-c", &format!("exec {line}")]).env("PATH", &path);
        Process::start(command.current_dir(place.path("")), &place.path(log))
    };
    let blocks = blocks();
    let [config, server, run, worker] = &blocks[..] else { panic!("{blocks:?}") };
    // One round is enough here.
    place.play_alone_with("configs/full.toml", "alone", &["--rounds", "1"]);
    assert_eq!(start(&config[0], "config.log", true).wait(), Some(0));
    let _server = start(&server[0], "server.log", true);
    until("the server is ready", || {
        fs::read_to_string(place.path("server.log")).unwrap_or_default().contains("is ready")
    });
    let mut coordinator = start(&format!("{} --rounds 1", run[0]), "lab.log", true);
    let mut workers = Vec::new();
    for machine in 1..=3 {
        let own = |line: &String| {
            line.replace("worker1", &format!("worker{machine}"))
                .replace("lab1", &format!("lab{machine}"))
        };
        assert_eq!(start(&own(&worker[0]), "scp.log", false).wait(), Some(0));
        workers.push(start(&own(&worker[1]), &format!("lab{machine}.log"), false));
    }
    assert_eq!(coordinator.wait(), Some(0), "{}", coordinator.output());
    assert_eq!(place.games("results/lab"), place.games("alone"));
    let workers = fs::read_to_string(place.path("results/lab/workers.csv")).unwrap();
    assert_eq!(workers.lines().count(), 1 + 3, "{workers}");
}
