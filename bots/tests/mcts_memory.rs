//! The memory use of `bot-mcts`: none for a playout, and no more than `Hash` for its tree. This
//! file is a program of its own because it replaces the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use fanorona_bots::bot::{Bot, NullObserver, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::mcts::{Mcts, Playout, PlayoutRng, Rollout};
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{BoardSize, Game, Ruleset, Start, VelaStarter};

/// The system's allocator with counters.
struct CountingAllocator;

/// The requests of one thread. The test harness has its own thread, which must not be counted.
struct Counts {
    requests: Cell<usize>,
    /// Bytes. One thread may free what another has allocated, so this may be negative.
    in_use: Cell<isize>,
    most_in_use: Cell<isize>,
}

thread_local! {
    static COUNTS: Counts = const {
        Counts { requests: Cell::new(0), in_use: Cell::new(0), most_in_use: Cell::new(0) }
    };
}

fn take(bytes: usize) {
    COUNTS.with(|counts| {
        counts.requests.set(counts.requests.get() + 1);
        counts.in_use.set(counts.in_use.get() + bytes as isize);
        counts.most_in_use.set(counts.most_in_use.get().max(counts.in_use.get()));
    });
}

fn give(bytes: usize) {
    COUNTS.with(|counts| counts.in_use.set(counts.in_use.get() - bytes as isize));
}

fn requests() -> usize {
    COUNTS.with(|counts| counts.requests.get())
}

#[expect(unsafe_code, reason = "an allocator cannot be written without")]
// SAFETY: every request is passed unchanged to the system's allocator.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        give(layout.size());
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks exist during the copy.
        take(size);
        give(layout.size());
        // SAFETY: the caller upholds the contract of this function.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn playouts_allocate_nothing() {
    let rules = Ruleset::default();
    let random = &mut PlayoutRng::new(1);
    let starts = BoardSize::all().flat_map(|size| {
        [Start::Usual(size).riatra(), Start::Usual(size).vela(VelaStarter::Debtor)]
    });
    for start in starts {
        for playout in [Playout::Uniform, Playout::Weighted, Playout::Greedy] {
            for length in [0, 10, 1000] {
                let before = requests();
                for _ in 0..50 {
                    let rollout = Rollout { length, ..Rollout::whole(&rules, playout) };
                    black_box(rollout.play(&start, random));
                }
                assert_eq!(requests(), before, "{start} {playout:?} {length}");
            }
        }
    }
}

/// Searches the start position; returns the number of requests and the peak of bytes in use.
fn search(hash: &str, nodes: u64) -> (usize, isize) {
    let game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
    let moves = RootMove::all(game.position(), game.rules());
    let budget = Budget::from_limits(&Limits::with_nodes(nodes));
    let mut bot = Mcts::new();
    bot.set_option("Hash", hash).unwrap();
    let taken = requests();
    let in_use = COUNTS.with(|counts| {
        counts.most_in_use.set(counts.in_use.get());
        counts.in_use.get()
    });
    let task = Task { game: &game, moves: &moves, budget: &budget };
    black_box(bot.choose(&task, &mut NullObserver));
    (requests() - taken, COUNTS.with(|counts| counts.most_in_use.get()) - in_use)
}

#[test]
fn a_search_allocates_its_tree_alone() {
    let (few, _) = search("64", 1000);
    let (many, _) = search("64", 30_000);
    // The tree doubles; lines and reports grow a little. Playouts allocate nothing.
    assert!(many < few + 100, "{few} requests, then {many}");
}

#[test]
fn a_small_tree_stays_small() {
    let (_, bytes) = search("1", 30_000);
    // Besides the tree there are the moves of one node, a line and a report. While the tree grows,
    // the old block exists as well.
    assert!(bytes < (2 << 20) + (64 << 10), "{bytes} bytes");
}
