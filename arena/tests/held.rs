//! A tournament that is told for a while that no game may begin, as by a reader of events that is
//! far behind. It is played by the library within this process, whose children its supervisors are: so it
//! has a program of its own, and one test.

#[path = "common/bots.rs"]
mod bots;

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use fanorona_engine::Supervisors;
use fanorona_runner::{self, Event, Finish, LocalVenue, Plan, Pool, Snapshot, Stop};
use fanorona_tournament::config::{self, Overrides};
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::record::{Header, Journal, Lock};

fn plan(dir: &Path) -> Plan {
    let (program, script) = (bots::scripted_engine(), bots::SCRIPT);
    let engine = |name: &str| {
        format!(
            "[[engine]]\nname = \"{name}\"\ncommand = \"{program}\"\n\
             env = {{ {script} = \"first\" }}\n"
        )
    };
    let text = format!(
        "format = \"match\"\nkinds = [\"riatra\"]\nrounds = 2\nconcurrency = 2\nlimit = \"depth=1\"\n\
         rules = {{ max-plies = 40 }}\n{}{}",
        engine("a"),
        engine("b")
    );
    let path = dir.join("t.toml");
    fs::write(&path, text).unwrap();
    let tournament = config::load(&path, &Overrides::default()).unwrap();
    let supervisors = Supervisors::new(env!("CARGO_BIN_EXE_arena")).unwrap();
    Plan::new(tournament, supervisors).unwrap()
}

/// Plays a tournament of four games in which `may_begin` is asked, told how many games have begun
/// and how often it has been asked; gives how it ended, and how many games did.
fn played(may_begin: impl Fn(u32, u32) -> bool, stop: Option<Stop>) -> (Finish, usize) {
    let dir = tempfile::tempdir().unwrap();
    let plan = Arc::new(plan(dir.path()));
    let lock = Lock::take(dir.path()).unwrap();
    let journal = Journal::create(lock, &Header::new("held", "")).unwrap();
    let mut so_far = Snapshot::empty(&plan.tournament, Shard::WHOLE);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let finish = runtime.block_on(async {
        let pool = Arc::new(Pool::default());
        let (begun, asked) = (Cell::new(0), Cell::new(0));
        let watch = |event: Event| {
            begun.set(begun.get() + u32::from(matches!(event, Event::GameBegins(_))));
        };
        let may_begin = || {
            asked.set(asked.get() + 1);
            may_begin(begun.get(), asked.get())
        };
        let (send, stops) = tokio::sync::mpsc::unbounded_channel();
        stop.into_iter().for_each(|stop| send.send(stop).unwrap());
        let playing = fanorona_runner::run(
            plan.clone(),
            Arc::new(LocalVenue::new(plan.clone(), pool.clone())),
            journal,
            &mut so_far,
            watch,
            may_begin,
            stops,
        );
        let finish = playing.await.unwrap();
        pool.quit().await;
        finish
    });
    (finish, so_far.index.games().len())
}

#[test]
fn games_begin_when_they_may() {
    // Asked before the first game and repeatedly after every game that has begun.
    let last = Cell::new((0, 0));
    let may_begin = |begun: u32, asked: u32| {
        let (before, since) = last.get();
        if begun != before {
            last.set((begun, asked));
            return false;
        }
        asked >= since + 10
    };
    assert_eq!(played(may_begin, None), (Finish::Complete, 4));
    // It can be stopped meanwhile.
    for stop in [Stop::Finish, Stop::AtOnce] {
        assert_eq!(played(|_, _| false, Some(stop)), (Finish::Interrupted, 0));
    }
}
