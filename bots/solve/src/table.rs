//! The memory of the search: proof and disproof numbers by position, in a table of bounded size.

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

    pub(super) fn of_answer(yes: bool) -> Numbers {
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
    /// The entry of some numbers without a rank and without a condition.
    pub(super) fn of(numbers: Numbers) -> Entry {
        Entry { numbers, rank: 0, condition: 0 }
    }
}

/// The bits of a node's stones (boards have at most 45 points); the bits above hold other fields.
const STONES: u64 = (1 << 45) - 1;
const EFFORT: u32 = 45;
const ATTACKS: u64 = 1 << 63;

/// A node with its numbers in 24 bytes. An empty slot has no stones.
///
/// The bits above the own stones hold whether the attacker is to move, and the binary logarithm of
/// the number of nodes searched for the numbers. For a proven node the disproof number holds the
/// rank; for a disproven node it holds the condition.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Slot {
    own: u64,
    enemy: u64,
    proof: u32,
    disproof: u32,
}

impl Slot {
    /// Bytes of a slot in a file.
    pub(super) const BYTES: usize = 24;

    fn new(node: &Node, entry: &Entry, effort: u64) -> Slot {
        let Entry { numbers, rank, condition } = *entry;
        let attacks = if node.attacks { ATTACKS } else { 0 };
        Slot {
            own: node.own | attacks | u64::from(effort.max(1).ilog2()) << EFFORT,
            enemy: node.enemy,
            proof: numbers.proof,
            disproof: match numbers.answer() {
                Some(true) => rank,
                Some(false) => condition,
                None => numbers.disproof,
            },
        }
    }

    fn is_empty(&self) -> bool {
        (self.own | self.enemy) & STONES == 0
    }

    fn effort(&self) -> u64 {
        self.own >> EFFORT & 63
    }

    #[inline]
    fn is_of(&self, node: &Node) -> bool {
        self.enemy == node.enemy
            && self.own & STONES == node.own
            && (self.own & ATTACKS != 0) == node.attacks
    }

    fn node(&self) -> Node {
        Node { own: self.own & STONES, enemy: self.enemy, attacks: self.own & ATTACKS != 0 }
    }

    fn entry(&self) -> Entry {
        match self.proof {
            0 => Entry { rank: self.disproof, ..Entry::of(Numbers::PROVEN) },
            NEVER => Entry { condition: self.disproof, ..Entry::of(Numbers::DISPROVEN) },
            proof => Entry::of(Numbers { proof, disproof: self.disproof }),
        }
    }

    /// The node and the entry.
    #[cfg(test)]
    pub(super) fn node_and_entry(&self) -> (Node, Entry) {
        (self.node(), self.entry())
    }

    pub(super) fn to_bytes(self) -> [u8; Slot::BYTES] {
        let mut bytes = [0; Slot::BYTES];
        bytes[..8].copy_from_slice(&self.own.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.enemy.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.proof.to_le_bytes());
        bytes[20..].copy_from_slice(&self.disproof.to_le_bytes());
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8; Slot::BYTES]) -> Slot {
        let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes"));
        let half = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        Slot { own: long(0), enemy: long(8), proof: half(16), disproof: half(20) }
    }
}

/// The number of slots per bucket. In a full bucket, the slot with the least effort is replaced.
const WAYS: usize = 4;

/// A table of nodes with a fixed size.
pub(super) struct NodeTable {
    buckets: Vec<[Slot; WAYS]>,
    used: u64,
}

impl NodeTable {
    /// An effort larger than that of any search: the entry stays as long as the bucket has another
    /// one to replace.
    pub(super) const TO_STAY: u64 = 1 << 63;

    /// A table of this many bytes, with at least one bucket.
    pub(super) fn new(bytes: u64) -> NodeTable {
        let buckets = (bytes as usize / (WAYS * size_of::<Slot>())).max(1);
        NodeTable { buckets: vec![[Slot::default(); WAYS]; buckets], used: 0 }
    }

    /// The number of nodes stored.
    pub(super) fn used(&self) -> u64 {
        self.used
    }

    /// The capacity in nodes.
    pub(super) fn room(&self) -> u64 {
        (self.buckets.len() * WAYS) as u64
    }

    #[inline]
    fn bucket(&self, node: &Node) -> usize {
        // Two rounds of Fibonacci hashing (Knuth, TAOCP 6.4), the high bits of the first folded in.
        let mix = |value: u64| {
            let product = value.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            product ^ product >> 32
        };
        let hash = mix(mix(node.own) ^ node.enemy ^ u64::from(node.attacks) << 63);
        let hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((u128::from(hash) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The stored result of a node.
    #[inline]
    pub(super) fn get(&self, node: &Node) -> Option<Entry> {
        let bucket = &self.buckets[self.bucket(node)];
        bucket.iter().find(|slot| slot.is_of(node)).map(Slot::entry)
    }

    /// Stores a node with its effort in searched nodes. In a full bucket it replaces the cheapest
    /// node.
    pub(super) fn put(&mut self, node: &Node, entry: &Entry, effort: u64) {
        self.put_slot(Slot::new(node, entry, effort));
    }

    /// Stores a slot from [`NodeTable::slots`].
    pub(super) fn put_slot(&mut self, slot: Slot) {
        let node = slot.node();
        let bucket = self.bucket(&node);
        let bucket = &mut self.buckets[bucket];
        let place = bucket.iter().position(|other| other.is_of(&node));
        let place = place.or_else(|| bucket.iter().position(Slot::is_empty));
        let cheapest = || (0..WAYS).min_by_key(|&way| bucket[way].effort()).expect("ways");
        let place = place.unwrap_or_else(cheapest);
        self.used += u64::from(bucket[place].is_empty());
        bucket[place] = slot;
    }

    /// All slots in use.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.buckets.iter().flatten().filter(|slot| !slot.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(own: u64, attacks: bool) -> Node {
        Node { own, enemy: STONES ^ own, attacks }
    }

    #[test]
    fn nodes_are_found_as_they_were_kept() {
        let mut table = NodeTable::new(1 << 16);
        let entries = [
            Entry::of(Numbers { proof: 7, disproof: NEVER - 1 }),
            Entry { rank: 31, ..Entry::of(Numbers::PROVEN) },
            Entry::of(Numbers::DISPROVEN),
            Entry { condition: 12, ..Entry::of(Numbers::DISPROVEN) },
        ];
        for (index, entry) in entries.iter().enumerate() {
            table.put(&node(1 << 44 | index as u64, index == 1), entry, 1 << 40);
        }
        let mut other = NodeTable::new(1 << 10);
        table.slots().for_each(|slot| other.put_slot(Slot::from_bytes(&slot.to_bytes())));
        for table in [&table, &other] {
            assert_eq!(table.used(), 4);
            for (index, entry) in entries.iter().enumerate() {
                assert_eq!(table.get(&node(1 << 44 | index as u64, index == 1)), Some(*entry));
                assert_eq!(table.get(&node(1 << 44 | index as u64, index != 1)), None);
            }
        }
    }

    #[test]
    fn what_was_cheap_makes_room() {
        let mut table = NodeTable::new(0);
        let entry = Entry::of(Numbers::NEW);
        for (own, effort) in [(1, 900), (2, 30), (3, 5000), (4, 70), (5, 100)] {
            table.put(&node(own, true), &entry, effort);
        }
        let kept: Vec<_> = (1..6).map(|own| table.get(&node(own, true)).is_some()).collect();
        assert_eq!(kept, [true, false, true, true, true]);
        assert_eq!((table.used(), table.room()), (4, 4));
    }
}
