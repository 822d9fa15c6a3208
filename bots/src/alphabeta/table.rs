//! The transposition table: search results by position.
//!
//! All threads of a search share it without locks. A slot has two words: the packed entry, and the
//! key exclusive-or the entry. When two threads write a slot at once and their words mix, the key
//! read back matches no position, and the slot counts as empty. (R. Hyatt and T. Mann, "A lockless
//! transposition table implementation for parallel search", ICGA Journal 25, 2002.)

use std::sync::atomic::Ordering::Relaxed;

use fanorona_endgames::memory::prefetch;
use fanorona_protocol::rules::{Effect, raw};

use crate::platform;
use crate::platform::atomic::AtomicU64;

/// The relation of a stored value to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The true value is at most the stored one.
    Upper,
    /// The true value is at least the stored one.
    Lower,
    /// The values are equal.
    Exact,
}

/// A compact form of a move's effect: enough to find the move again among those of its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveKey(u32);

impl MoveKey {
    /// The key of an effect: origin, destination, and a hash of the captured stones.
    #[inline]
    pub(super) fn new(effect: Effect) -> MoveKey {
        let captured = raw::captured(effect).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 44;
        MoveKey(raw::from(effect) as u32 | (raw::to(effect) as u32) << 6 | (captured as u32) << 12)
    }

    /// The key as a number.
    #[inline]
    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move found, or the one that caused the cutoff.
    pub(super) mv: Option<MoveKey>,
    /// The value, with distances counted from the position.
    pub(super) value: i32,
    /// The kind of the value.
    pub(super) bound: Bound,
    /// Plies searched below the position.
    pub(super) depth: i32,
}

/// An [`Entry`] packed into 64 bits, without its key.
///
/// From the lowest bit: 32 bits of move, 0 for none (no move has equal ends); 16 of value; 8 of
/// depth; 2 of bound + 1, 0 in an empty slot; 6 of generation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, mv: u32, generation: u8) -> Packed {
        let value = entry.value as i16 as u16;
        let depth = entry.depth.clamp(0, i32::from(u8::MAX)) as u64;
        let kind = u64::from((entry.bound as u8 + 1) | generation << 2);
        Packed(u64::from(mv) | u64::from(value) << 32 | depth << 48 | kind << 56)
    }

    fn is_empty(self) -> bool {
        self.0 >> 56 & 3 == 0
    }

    fn packed_move(self) -> u32 {
        self.0 as u32
    }

    fn depth(self) -> i32 {
        i32::from((self.0 >> 48) as u8)
    }

    fn generation(self) -> u8 {
        (self.0 >> 58) as u8
    }

    fn entry(self) -> Entry {
        Entry {
            mv: (self.packed_move() != 0).then_some(MoveKey(self.packed_move())),
            value: i32::from((self.0 >> 32) as i16),
            bound: match self.0 >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
            depth: self.depth(),
        }
    }
}

/// The number of generations before they wrap around.
const GENERATIONS: u8 = 64;

/// The plies of depth that an entry loses in priority for each search since it was stored.
const AGE_PLIES: i32 = 4;

/// The storage of an entry and its key.
#[derive(Default)]
struct Slot {
    packed: AtomicU64,
    /// The key exclusive-or the packed entry.
    check: AtomicU64,
}

impl Slot {
    /// The stored entry and its key.
    #[inline]
    fn load(&self) -> (Packed, u64) {
        let packed = self.packed.load(Relaxed);
        (Packed(packed), self.check.load(Relaxed) ^ packed)
    }

    #[inline]
    fn store(&self, key: u64, packed: Packed) {
        self.packed.store(packed.0, Relaxed);
        self.check.store(key ^ packed.0, Relaxed);
    }
}

/// Slots that share one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// Bytes of a MiB.
const MIB: usize = 1 << 20;

/// A hash table of entries. In a full bucket, a new entry replaces the one with the lowest
/// priority.
///
/// The memory is allocated when it is first needed. If it is not available, the table is smaller,
/// in the worst case empty; the program does not end.
pub(super) struct TranspositionTable {
    buckets: Vec<Bucket>,
    mib: usize,
    generation: u8,
}

impl TranspositionTable {
    /// A table of some size, not allocated yet.
    pub(super) fn new(mib: usize) -> TranspositionTable {
        TranspositionTable { buckets: Vec::new(), mib, generation: 0 }
    }

    /// Changes the size of the table, which clears it unless the size is the same.
    pub(super) fn resize(&mut self, mib: usize) {
        if mib != self.mib || self.buckets.is_empty() {
            self.mib = mib;
            self.buckets = Vec::new();
            self.allocate();
        }
    }

    /// Allocates the memory if that has not happened yet.
    pub(super) fn allocate(&mut self) {
        if !self.buckets.is_empty() {
            return;
        }
        let mut mib = max_mib().map_or(self.mib, |most| self.mib.min(most)).max(1);
        while mib > 0 {
            let count = mib * (MIB / size_of::<Bucket>());
            if self.buckets.try_reserve_exact(count).is_ok() {
                platform::prefer_huge_pages(self.buckets.spare_capacity_mut());
                self.buckets.resize_with(count, Bucket::default);
                return;
            }
            mib /= 2;
        }
    }

    /// Clears the table.
    pub(super) fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
        self.generation = 0;
    }

    /// Starts a new search: entries of earlier searches are replaced first.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The bucket of a key, selected by its upper bits.
    #[inline]
    fn bucket(&self, key: u64) -> Option<&Bucket> {
        let count = self.buckets.len() as u64;
        // The upper half of the product. Where a count fits half a word, so do its parts.
        #[cfg(target_pointer_width = "32")]
        let index = ((key >> 32) * count + (((key & 0xffff_ffff) * count) >> 32)) >> 32;
        #[cfg(not(target_pointer_width = "32"))]
        let index = (u128::from(key) * u128::from(count)) >> 64;
        self.buckets.get(index as usize)
    }

    /// Prefetches the bucket of a key that will soon be looked up.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        if let Some(bucket) = self.bucket(key) {
            prefetch(bucket);
        }
    }

    /// The entry of a position, by its key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key)?.0.iter().find_map(|slot| {
            let (packed, of) = slot.load();
            (of == key && !packed.is_empty()).then(|| packed.entry())
        })
    }

    /// Stores an entry. An entry without a move keeps the move already stored.
    #[inline]
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let Some(Bucket(slots)) = self.bucket(key) else { return };
        let priority = |packed: Packed| {
            let age = (GENERATIONS + self.generation - packed.generation()) % GENERATIONS;
            if packed.is_empty() { i32::MIN } else { packed.depth() - AGE_PLIES * i32::from(age) }
        };
        let (mut chosen, mut least) = (&slots[0], i32::MAX);
        let mut known = 0;
        for slot in slots {
            let (old, of) = slot.load();
            if of == key && !old.is_empty() {
                // Keep a clearly deeper result of this search for the same position.
                if entry.bound != Bound::Exact
                    && old.generation() == self.generation
                    && old.depth() > entry.depth + 3
                {
                    return;
                }
                (chosen, known) = (slot, old.packed_move());
                break;
            }
            let priority = priority(old);
            if priority < least {
                (chosen, least) = (slot, priority);
            }
        }
        let mv = entry.mv.map_or(known, |mv| mv.0);
        chosen.store(key, Packed::new(entry, mv, self.generation));
    }

    /// The share of the table used by entries of this search, in thousandths, from a sample.
    pub(super) fn fullness(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0).map(|slot| slot.load().0);
        let used = slots.filter(|slot| !slot.is_empty() && slot.generation() == self.generation);
        used.count() as u32
    }
}

/// The largest size of a table in MiB that does not risk exhausting the machine's memory: half of
/// the available memory, where the system reports it. A successful reservation proves nothing on
/// systems that overcommit memory.
fn max_mib() -> Option<usize> {
    Some(platform::available_memory()? / MIB / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: i32) -> Entry {
        let mv = Some(MoveKey(1 | 2 << 6));
        Entry { mv, value, bound: Bound::Lower, depth }
    }

    #[test]
    fn stored_entries_are_found() {
        let mut table = TranspositionTable::new(1);
        table.put(5, entry(1, 1));
        assert_eq!(table.get(5), None, "a table without memory forgets at once");
        table.allocate();
        for key in (0..1000u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)) {
            let kept = entry((key % 30_000) as i32 - 15_000, (key % 99) as i32);
            table.put(key, kept);
            assert_eq!(table.get(key), Some(kept));
        }
        table.clear();
        assert_eq!(table.get(0), None);
    }

    #[test]
    fn the_shallowest_and_oldest_entry_is_replaced() {
        let mut table = TranspositionTable::new(1);
        table.allocate();
        // Keys that differ in their low bits share a bucket.
        for (key, depth) in [(1, 9), (2, 3), (3, 5), (4, 7)] {
            table.put(key, entry(0, depth));
        }
        table.put(5, entry(0, 1));
        assert_eq!(table.get(2), None);
        for _ in 0..3 {
            table.age();
        }
        table.put(5, entry(0, 1));
        table.put(6, entry(0, 1));
        assert!(table.get(3).is_none() && table.get(5).is_some() && table.get(6).is_some());
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_known_move() {
        let mut table = TranspositionTable::new(1);
        table.allocate();
        table.put(1, entry(0, 2));
        table.put(1, Entry { mv: None, ..entry(3, 4) });
        assert_eq!(table.get(1), Some(entry(3, 4)));
    }

    #[test]
    fn a_size_is_kept_or_made_smaller() {
        let mut table = TranspositionTable::new(1);
        table.resize(2);
        assert_eq!(table.buckets.len(), 2 * MIB / 64);
        table.put(1, entry(0, 2));
        table.resize(2);
        assert!(table.get(1).is_some(), "the same size forgets nothing");
        table.resize(1);
        assert_eq!((table.buckets.len(), table.get(1)), (MIB / 64, None));
    }

    #[cfg(all(target_os = "linux", feature = "native"))]
    #[test]
    fn a_large_table_lies_in_huge_pages_where_the_system_has_them() {
        let mut table = TranspositionTable::new(16);
        table.allocate();
        let middle = &table.buckets[table.buckets.len() / 2];
        assert_eq!(platform::prefers_huge_pages(middle), platform::has_huge_pages());
    }

    #[test]
    fn words_of_two_entries_match_no_key() {
        let mut table = TranspositionTable::new(1);
        table.allocate();
        table.put(1, entry(100, 5));
        let slot = &table.bucket(1).unwrap().0[0];
        let (first, _) = slot.load();
        slot.store(2, Packed::new(entry(-100, 7), 3, 0));
        slot.packed.store(first.0, Relaxed);
        assert_eq!((table.get(1), table.get(2)), (None, None));
    }

    #[test]
    fn threads_read_only_entries_that_were_written() {
        let mut table = TranspositionTable::new(1);
        table.allocate();
        // Few keys, all in one bucket, so that threads collide. An entry encodes its key.
        let keys = 1..=12u64;
        let of = |key: u64, depth: i32| entry(key as i32 * 1000 + depth, depth);
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let (table, keys) = (&table, keys.clone());
                scope.spawn(move || {
                    for round in 0..20_000 {
                        for key in keys.clone() {
                            table.put(key, of(key, (round + thread) % 200));
                            if let Some(found) = table.get(key) {
                                assert_eq!(found, of(key, found.depth));
                            }
                        }
                    }
                });
            }
        });
    }
}

/// Every order in which threads can execute the steps of their accesses; `.ci/full loom` runs this.
#[cfg(all(test, loom))]
mod interleavings {
    use loom::sync::Arc;

    use super::*;
    use crate::platform::atomic::spawn;

    /// Two threads write entries of different positions, which both choose the first slot of an
    /// empty bucket, while another one reads. It finds the entry of a position or none, never the
    /// words of two entries.
    #[test]
    fn a_reader_finds_whole_entries() {
        let entry = |key: u64| {
            let number = key as i32;
            let mv = Some(MoveKey(1 << 6 | key as u32));
            Entry { mv, value: 100 * number, bound: Bound::Lower, depth: number }
        };
        loom::model(move || {
            let table =
                TranspositionTable { buckets: vec![Bucket::default()], mib: 1, generation: 0 };
            let table = Arc::new(table);
            let writers = [1, 2].map(|key| {
                let table = Arc::clone(&table);
                spawn(move || table.put(key, entry(key)))
            });
            let read = || {
                for key in [1, 2] {
                    if let Some(found) = table.get(key) {
                        assert_eq!(found, entry(key));
                    }
                }
            };
            read();
            for writer in writers {
                writer.join().unwrap();
            }
            read();
        });
    }
}
