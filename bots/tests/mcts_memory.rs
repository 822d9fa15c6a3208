//! What memory the Monte Carlo player takes: none for a playout, and no more than `Hash` for its
//! tree. This file is a program of its own because it counts every allocation of the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use fanorona_bots::bot::{Bot, RootTurn, Task, Unobserved};
use fanorona_bots::budget::Budget;
use fanorona_bots::mcts::{Mcts, Playout, Random, play_out};
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{BoardSize, History, Ruleset, Start, VelaStarter};

/// The system's allocator with a count of requests, and of bytes in use.
struct Counting;

static REQUESTS: AtomicUsize = AtomicUsize::new(0);
static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST_IN_USE: AtomicUsize = AtomicUsize::new(0);

fn take(bytes: usize) {
    REQUESTS.fetch_add(1, Relaxed);
    let now = IN_USE.fetch_add(bytes, Relaxed) + bytes;
    MOST_IN_USE.fetch_max(now, Relaxed);
}

#[expect(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every request is passed to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller keeps the promises of this very function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of this very function.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        take(size);
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises of this very function.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, since tests side by side would count each other's requests.
#[test]
fn memory_is_taken_for_the_tree_alone() {
    playouts_take_none();
    searches_take_what_their_tree_takes();
    a_small_tree_stays_small();
}

fn playouts_take_none() {
    let rules = Ruleset::default();
    let random = &mut Random::new(1);
    let starts = BoardSize::all().flat_map(|size| {
        [Start::Usual(size).riatra(), Start::Usual(size).vela(VelaStarter::Debtor)]
    });
    for start in starts {
        for playout in [Playout::Uniform, Playout::Weighted, Playout::Greedy] {
            for length in [0, 10, 1000] {
                let before = REQUESTS.load(Relaxed);
                for _ in 0..50 {
                    black_box(play_out(&start, &rules, playout, length, u32::MAX, random));
                }
                assert_eq!(REQUESTS.load(Relaxed), before, "{start} {playout:?} {length}");
            }
        }
    }
}

/// Searches from the start; requests and the most bytes in use during it.
fn search(hash: &str, nodes: u64) -> (usize, usize) {
    let rules = Ruleset::default();
    let game = History::new(Start::TSIVY.riatra());
    let turns = RootTurn::all(game.position(), &rules);
    let budget = Budget::of_limits(&Limits::of_nodes(nodes));
    let mut bot = Mcts::new();
    bot.set_option("Hash", hash);
    let requests = REQUESTS.load(Relaxed);
    let in_use = IN_USE.load(Relaxed);
    MOST_IN_USE.store(in_use, Relaxed);
    let task = Task { game: &game, rules: &rules, turns: &turns, budget: &budget };
    black_box(bot.choose(&task, &mut Unobserved));
    (REQUESTS.load(Relaxed) - requests, MOST_IN_USE.load(Relaxed) - in_use)
}

fn searches_take_what_their_tree_takes() {
    let (few, _) = search("64", 1000);
    let (many, _) = search("64", 30_000);
    // The arena doubles; lines and reports grow a little. Nothing is taken playout by playout.
    assert!(many < few + 100, "{few} requests, then {many}");
}

fn a_small_tree_stays_small() {
    let (_, bytes) = search("1", 30_000);
    // Besides the tree there are the turns of one node, a line and a report; and while the arena
    // grows the old one is there as well.
    assert!(bytes < (2 << 20) + (64 << 10), "{bytes} bytes");
}
