//! The memory of the search: proof and disproof numbers by position, in a table of bounded size
//! that both questions and all threads share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};

use fanorona_bots::platform::prefer_huge_pages;
use fanorona_endgames::memory::prefetch;
use fanorona_protocol::rules::Side;

use super::game::Node;

/// The proof or disproof number for "never".
pub(super) const NEVER: u32 = u32::MAX;

/// The approximate minimum number of positions still to be searched for a proof that the attacker
/// wins, and for a disproof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The proof number: 0 when the win is proven, [`u32::MAX`] when it is disproven.
    pub proof: u32,
    /// The disproof number: 0 when the win is disproven, [`u32::MAX`] when it is proven.
    pub disproof: u32,
}

impl Numbers {
    /// The numbers of a new position.
    pub(super) const NEW: Numbers = Numbers { proof: 1, disproof: 1 };
    pub(super) const PROVEN: Numbers = Numbers { proof: 0, disproof: NEVER };
    pub(super) const DISPROVEN: Numbers = Numbers { proof: NEVER, disproof: 0 };

    pub(super) fn from_answer(yes: bool) -> Numbers {
        if yes { Numbers::PROVEN } else { Numbers::DISPROVEN }
    }

    /// Whether the attacker wins, if that is decided.
    pub fn answer(self) -> Option<bool> {
        match self {
            Numbers { proof: 0, .. } => Some(true),
            Numbers { disproof: 0, .. } => Some(false),
            _ => None,
        }
    }
}

/// The stored result of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    pub(super) numbers: Numbers,
    /// For a proven node, the plies of the proof found; otherwise 0.
    pub(super) rank: u32,
    /// For a disproven node, its condition
    /// ([`PathDependency::condition`](super::path_condition::PathDependency::condition)), or 0 if the disproof
    /// holds on every path; otherwise 0.
    pub(super) condition: u32,
}

impl Entry {
    /// Whether the entry is an answer for every path, and another one for the same node is not, or
    /// not as certain: a proof never rests on a condition, so it is true whatever else is said.
    fn is_final_before(&self, other: &Entry) -> bool {
        match (self.numbers.answer(), other.numbers.answer()) {
            (Some(true), Some(true)) | (None, _) => false,
            (Some(true), _) => true,
            (Some(false), answer) => {
                self.condition == 0
                    && answer != Some(true)
                    && (answer.is_none() || other.condition != 0)
            }
        }
    }

    /// The entry of some numbers without a rank and without a condition.
    pub(super) fn new(numbers: Numbers) -> Entry {
        Entry { numbers, rank: 0, condition: 0 }
    }
}

/// The bits of a node's stones (boards have at most 45 points); the bits above hold other fields.
const STONES: u64 = (1 << 45) - 1;
const ATTACKS: u32 = 45;
const QUESTION: u32 = 46;
const KIND: u32 = 47;
const EFFORT: u32 = 45;
/// A payload has two halves of 15 bits, the highest of each word.
const HALF: u32 = 49;
const HALF_MASK: u32 = (1 << 15) - 1;

/// The largest number of an open node, rank or condition that a slot can hold.
const MAX_NUMBER: u32 = HALF_MASK;
const MAX_RANK: u32 = (1 << 30) - 1;

/// A node of a question with its numbers in 16 bytes. An empty slot is 0.
///
/// The lower 45 bits of the first word are the stones of the side to move, those of the second word
/// the other side's. Above are, in the first word, whether the attacker is to move, the question
/// (whether the attacker is Black), and the kind (0 open, 1 proven, 2 disproven); in the second one
/// the effort: half the binary logarithm of the number of nodes searched for the numbers. The
/// highest 15 bits of both words are the payload: for an open node its proof and its disproof
/// number, for a proven one the rank, for a disproven one the condition.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Slot {
    first: u64,
    second: u64,
}

impl Slot {
    /// Bytes of a slot in a file.
    pub(super) const BYTES: usize = 16;

    fn new(question: Side, node: &Node, entry: &Entry, effort: u64) -> Slot {
        let Entry { numbers, rank, condition } = *entry;
        let (kind, high, low) = match numbers.answer() {
            None => (0, numbers.proof.min(MAX_NUMBER), numbers.disproof.min(MAX_NUMBER)),
            Some(won) => {
                let payload = if won { rank.min(MAX_RANK) } else { condition };
                (if won { 1 } else { 2 }, payload >> 15, payload & HALF_MASK)
            }
        };
        let class = match effort {
            NodeTable::TO_STAY => STAYS,
            effort => (u64::from(effort.max(1).ilog2()) / 2).min(STAYS - 1),
        };
        Slot {
            first: key(question, node) | kind << KIND | u64::from(high) << HALF,
            second: node.enemy | class << EFFORT | u64::from(low) << HALF,
        }
    }

    fn is_empty(&self) -> bool {
        self.first == 0
    }

    fn effort(&self) -> u64 {
        self.second >> EFFORT & 15
    }

    /// Whether a search of more than some nodes, roughly, led to the numbers.
    pub(super) fn cost_more_than(&self, nodes: u64) -> bool {
        self.effort() > u64::from(nodes.max(1).ilog2()) / 2
    }

    #[inline]
    fn is_of(&self, key: u64, node: &Node) -> bool {
        self.first & KEY == key && self.second & STONES == node.enemy
    }

    /// The question.
    pub(super) fn question(&self) -> Side {
        if self.first >> QUESTION & 1 == 1 { Side::Black } else { Side::White }
    }

    fn node(&self) -> Node {
        Node {
            own: self.first & STONES,
            enemy: self.second & STONES,
            attacks: self.first >> ATTACKS & 1 == 1,
        }
    }

    fn entry(&self) -> Entry {
        let (high, low) = ((self.first >> HALF) as u32, (self.second >> HALF) as u32);
        match self.first >> KIND & 3 {
            1 => Entry { rank: high << 15 | low, ..Entry::new(Numbers::PROVEN) },
            2 => Entry { condition: high << 15 | low, ..Entry::new(Numbers::DISPROVEN) },
            _ => Entry::new(Numbers { proof: high, disproof: low }),
        }
    }

    /// The node and the entry.
    #[cfg(test)]
    pub(super) fn node_and_entry(&self) -> (Node, Entry) {
        (self.node(), self.entry())
    }

    pub(super) fn to_bytes(self) -> [u8; Slot::BYTES] {
        let mut bytes = [0; Slot::BYTES];
        bytes[..8].copy_from_slice(&self.first.to_le_bytes());
        bytes[8..].copy_from_slice(&self.second.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; Slot::BYTES]) -> Slot {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        Slot { first: word(0), second: word(8) }
    }
}

/// The bits of the first word that belong to the node and its question.
const KEY: u64 = (1 << KIND) - 1;

/// The effort of an entry that stays.
const STAYS: u64 = 15;

#[inline]
fn key(question: Side, node: &Node) -> u64 {
    node.own | u64::from(node.attacks) << ATTACKS | u64::from(question == Side::Black) << QUESTION
}

/// Two rounds of Fibonacci hashing (Knuth, TAOCP 6.4), the high bits of the first folded in.
#[inline]
pub(super) fn hash(node: &Node) -> u64 {
    let mixed = mix(mix(node.own) ^ node.enemy ^ u64::from(node.attacks) << 63);
    mixed.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[inline]
fn mix(value: u64) -> u64 {
    let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    product ^ product >> 32
}

/// A slot as threads share it. The second word is stored mixed with the first one: a reader that
/// gets words of two different slots finds no node that it looks for, so no lock is needed (Hyatt
/// and Mann 2002 for hash tables of chess).
#[derive(Default)]
struct SharedSlot([AtomicU64; 2]);

impl SharedSlot {
    #[inline]
    fn load(&self) -> Slot {
        let first = self.0[0].load(Ordering::Relaxed);
        Slot { first, second: self.0[1].load(Ordering::Relaxed) ^ mix(first) }
    }

    #[inline]
    fn store(&self, slot: Slot) {
        self.0[0].store(slot.first, Ordering::Relaxed);
        self.0[1].store(slot.second ^ mix(slot.first), Ordering::Relaxed);
    }
}

/// The number of slots per bucket. In a full bucket, a slot of a settled question is replaced, or
/// else the one with the least effort.
const WAYS: usize = 4;

/// A bucket is one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([SharedSlot; WAYS]);

/// A table of nodes with a fixed size.
pub(super) struct NodeTable {
    buckets: Vec<Bucket>,
    /// The number of nodes of each question. Two threads that replace one slot at once count it
    /// twice, so that this is not exact, and may for a moment be less than none.
    used: [AtomicI64; 2],
    /// Whether a question has its answer and its proof.
    settled: [AtomicBool; 2],
}

impl NodeTable {
    /// An effort larger than that of any search: the entry stays as long as the bucket has another
    /// one to replace.
    pub(super) const TO_STAY: u64 = 1 << 63;

    /// A table of this many bytes, with at least one bucket.
    pub(super) fn new(bytes: u64) -> NodeTable {
        let count = (bytes as usize / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::with_capacity(count);
        // The search reads at random places.
        prefer_huge_pages(buckets.spare_capacity_mut());
        buckets.resize_with(count, Bucket::default);
        NodeTable { buckets, used: Default::default(), settled: Default::default() }
    }

    /// The capacity in nodes.
    pub(super) fn room(&self) -> u64 {
        (self.buckets.len() * WAYS) as u64
    }

    #[inline]
    fn bucket(&self, node: &Node) -> &[SharedSlot; WAYS] {
        let place = (u128::from(hash(node)) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize].0
    }

    fn is_settled(&self, question: Side) -> bool {
        self.settled[question as usize].load(Ordering::Relaxed)
    }

    /// Stores a slot; `force` also where it knows less than the slot of the same node.
    fn put(&self, slot: Slot, force: bool) {
        let node = slot.node();
        let (bucket, key) = (self.bucket(&node), slot.first & KEY);
        let slots = bucket.each_ref().map(SharedSlot::load);
        let place = match slots.iter().position(|other| other.is_of(key, &node)) {
            Some(same) if !force && slots[same].entry().is_final_before(&slot.entry()) => return,
            Some(same) => same,
            None => {
                let worth = |slot: &Slot| match slot {
                    slot if slot.is_empty() => 0,
                    slot if self.is_settled(slot.question()) => 1,
                    slot => 2 + slot.effort(),
                };
                let cheapest = (0..WAYS).min_by_key(|&way| worth(&slots[way])).expect("ways");
                let old = slots[cheapest];
                if !old.is_empty() {
                    self.used[old.question() as usize].fetch_sub(1, Ordering::Relaxed);
                }
                self.used[slot.question() as usize].fetch_add(1, Ordering::Relaxed);
                cheapest
            }
        };
        bucket[place].store(slot);
    }

    /// Stores a slot from [`NodeTable::slots`].
    pub(super) fn put_slot(&self, slot: Slot) {
        self.put(slot, false);
    }

    /// All slots in use.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        let slots = self.buckets.iter().flat_map(|bucket| &bucket.0).map(SharedSlot::load);
        // Two threads that write to a slot at once may leave a mixture.
        slots.filter(|slot| {
            let node = slot.node();
            !slot.is_empty() && node.own & node.enemy == 0 && !self.is_settled(slot.question())
        })
    }
}

/// The part of a table that belongs to a question.
#[derive(Clone)]
pub(super) struct QuestionTable {
    table: Arc<NodeTable>,
    question: Side,
}

impl QuestionTable {
    pub(super) fn new(table: Arc<NodeTable>, question: Side) -> QuestionTable {
        QuestionTable { table, question }
    }

    /// The number of nodes of this question.
    pub(super) fn used(&self) -> u64 {
        self.table.used[self.question as usize].load(Ordering::Relaxed).max(0).cast_unsigned()
    }

    /// The capacity in nodes, for both questions.
    pub(super) fn room(&self) -> u64 {
        self.table.room()
    }

    /// The stored result of a node.
    #[inline]
    pub(super) fn get(&self, node: &Node) -> Option<Entry> {
        let (bucket, key) = (self.table.bucket(node), key(self.question, node));
        let mut slots = bucket.iter().map(SharedSlot::load);
        slots.find(|slot| slot.is_of(key, node)).map(|slot| slot.entry())
    }

    /// Prefetches the place of a node that will soon be looked up.
    #[inline]
    pub(super) fn prefetch(&self, node: &Node) {
        prefetch(self.table.bucket(node));
    }

    /// Stores what the search has found out about a node, with its effort in searched nodes. An
    /// answer that another thread has found meanwhile remains.
    pub(super) fn put(&self, node: &Node, entry: &Entry, effort: u64) {
        self.table.put(Slot::new(self.question, node, entry, effort), false);
    }

    /// Stores a node, whatever the table knows about it.
    pub(super) fn set(&self, node: &Node, entry: &Entry, effort: u64) {
        self.table.put(Slot::new(self.question, node, entry, effort), true);
    }

    /// The question is settled: its nodes make room first.
    pub(super) fn settle(&self) {
        self.table.settled[self.question as usize].store(true, Ordering::Relaxed);
    }

    /// All slots of this question.
    #[cfg(test)]
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.table.slots().filter(|slot| slot.question() == self.question)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(own: u64, attacks: bool) -> Node {
        Node { own, enemy: STONES ^ own, attacks }
    }

    fn table(bytes: u64) -> QuestionTable {
        QuestionTable::new(Arc::new(NodeTable::new(bytes)), Side::Black)
    }

    #[test]
    fn stored_nodes_are_found_unchanged() {
        let one = table(1 << 16);
        let entries = [
            Entry::new(Numbers { proof: 7, disproof: MAX_NUMBER }),
            Entry { rank: 70_031, ..Entry::new(Numbers::PROVEN) },
            Entry::new(Numbers::DISPROVEN),
            Entry { condition: MAX_RANK - 12, ..Entry::new(Numbers::DISPROVEN) },
        ];
        for (index, entry) in entries.iter().enumerate() {
            one.put(&node(1 << 44 | index as u64, index == 1), entry, 1 << 40);
        }
        let other = table(1 << 10);
        one.slots().for_each(|slot| other.table.put_slot(Slot::from_bytes(&slot.to_bytes())));
        for of in [&one, &other] {
            assert_eq!(of.used(), 4);
            let elsewhere = QuestionTable::new(of.table.clone(), Side::White);
            for (index, entry) in entries.iter().enumerate() {
                let node = node(1 << 44 | index as u64, index == 1);
                assert_eq!(of.get(&node), Some(*entry));
                assert_eq!(of.get(&Node { attacks: !node.attacks, ..node }), None);
                assert_eq!(elsewhere.get(&node), None);
            }
        }
    }

    #[test]
    fn large_numbers_saturate() {
        let table = table(1 << 10);
        table.put(&node(1, true), &Entry::new(Numbers { proof: NEVER - 1, disproof: 1 }), 1);
        let cut = Entry::new(Numbers { proof: MAX_NUMBER, disproof: 1 });
        assert_eq!(table.get(&node(1, true)), Some(cut));
        table.put(&node(2, true), &Entry { rank: NEVER / 2, ..Entry::new(Numbers::PROVEN) }, 1);
        assert_eq!(table.get(&node(2, true)).unwrap().rank, MAX_RANK);
    }

    #[test]
    fn cheap_nodes_are_replaced_first() {
        let table = table(0);
        let entry = Entry::new(Numbers::NEW);
        for (own, effort) in [(1, 900), (2, 30), (3, 5000), (4, 270), (5, 1000)] {
            table.put(&node(own, true), &entry, effort);
        }
        let kept: Vec<_> = (1..6).map(|own| table.get(&node(own, true)).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        assert_eq!((table.used(), table.room()), (4, 4));
    }

    #[test]
    fn nodes_of_a_settled_question_are_replaced_first() {
        let black = table(0);
        let white = QuestionTable::new(black.table.clone(), Side::White);
        let entry = Entry::new(Numbers::NEW);
        [1, 2].iter().for_each(|&own| black.put(&node(own, true), &entry, NodeTable::TO_STAY));
        [3, 4].iter().for_each(|&own| white.put(&node(own, true), &entry, 1));
        black.settle();
        [5, 6].iter().for_each(|&own| white.put(&node(own, true), &entry, 1));
        assert_eq!((black.used(), white.used()), (0, 4));
        assert_eq!(black.table.slots().count(), 4);
    }

    #[test]
    fn an_answer_is_replaced_only_by_a_better_one() {
        let table = table(1 << 10);
        let open = Entry::new(Numbers::NEW);
        let disproven = Entry::new(Numbers::DISPROVEN);
        let conditional = Entry { condition: 3, ..disproven };
        let proven = Entry { rank: 4, ..Entry::new(Numbers::PROVEN) };
        // Each of them replaces those before it, and none replaces one after it but an open one.
        let steps = [open, conditional, open, disproven, proven];
        for (index, entry) in steps.iter().enumerate() {
            table.put(&node(9, true), entry, 1);
            assert_eq!(table.get(&node(9, true)), Some(*entry), "{index}");
        }
        for entry in [open, conditional, disproven] {
            table.put(&node(9, true), &entry, 1);
            assert_eq!(table.get(&node(9, true)), Some(proven));
        }
        table.set(&node(9, true), &open, 1);
        assert_eq!(table.get(&node(9, true)), Some(open));
    }

    #[test]
    fn words_of_two_slots_match_no_node() {
        let one = Slot::new(Side::White, &node(5, true), &Entry::new(Numbers::NEW), 1);
        let other = Slot::new(Side::White, &node(5, true), &Entry::new(Numbers::PROVEN), 1);
        let mixed = SharedSlot::default();
        mixed.store(one);
        mixed.0[0].store(other.first, Ordering::Relaxed);
        assert!(!mixed.load().is_of(key(Side::White, &node(5, true)), &node(5, true)));
    }
}
