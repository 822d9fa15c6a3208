//! Conditions of disproofs that hold only on the current path.
//!
//! A capture cannot be undone, so only the nodes of the path since the last capture can recur: its
//! *segment*. On this path, a return to one of them is as good as disproven, and so may be
//! everything that follows from it. Such a disproof is *conditional*. It becomes unconditional when
//! the node that it returned to is disproven itself, and worthless when that node is not.

use super::game::Node;

/// The nodes of a segment that a disproof relies on, by their positions in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Reliance(u64);

/// All nodes of a segment from this position on share a bit.
const LAST: usize = 63;

impl Reliance {
    /// The condition of a disproof that holds on every path.
    pub(super) const NOTHING: Reliance = Reliance(0);

    /// Relies on the node at a position.
    pub(super) fn on(place: usize) -> Reliance {
        Reliance(1 << place.min(LAST))
    }

    /// Relies on the nodes of both.
    pub(super) fn and(self, other: Reliance) -> Reliance {
        Reliance(self.0 | other.0)
    }

    /// The minimum number of nodes it relies on.
    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn is_on(self, place: usize) -> bool {
        self.0 & Reliance::on(place).0 != 0
    }

    /// The reliance after the search leaves the node at a position, the last of the segment, with a
    /// disproof that relies on `relies`.
    pub(super) fn left(self, place: usize, relies: Reliance) -> Reliance {
        if !self.is_on(place) {
            return self;
        }
        // The last bit is shared, so it cannot be cleared.
        let own = if place > LAST { 0 } else { Reliance::on(place).0 };
        Reliance(self.0 & !own | relies.0)
    }

    /// The condition as stored in the table: a hash of the nodes of the segment from the first to
    /// the last one that matters. Never 0, which means no condition.
    pub(super) fn condition(self, segment: impl ExactSizeIterator<Item = Node>) -> u32 {
        let first = self.0.trailing_zeros() as usize;
        let last = match LAST - self.0.leading_zeros() as usize {
            LAST => segment.len() - 1,
            last => last,
        };
        segment.take(last + 1).skip(first).fold(0, chain)
    }

    /// The reliance of a stored condition on this path; `None` if the condition is not met.
    pub(super) fn of_condition(
        condition: u32,
        segment: impl ExactSizeIterator<Item = Node> + Clone,
    ) -> Option<Reliance> {
        (0..segment.len()).find_map(|first| {
            let (mut found, mut relies) = (0, Reliance::NOTHING);
            segment.clone().enumerate().skip(first).find_map(|(place, node)| {
                (found, relies) = (chain(found, node), relies.and(Reliance::on(place)));
                (found == condition).then_some(relies)
            })
        })
    }
}

/// Extends the hash of a sequence of nodes by one node.
fn chain(before: u32, node: Node) -> u32 {
    let Node { own, enemy, attacks } = node;
    let all = own ^ enemy.rotate_left(23) ^ u64::from(attacks) << 60;
    let mixed = (all ^ u64::from(before) << 13).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed >> 32) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(length: u64) -> impl ExactSizeIterator<Item = Node> + Clone {
        let node = |own| Node { own, enemy: 1 << 40, attacks: own % 2 == 0 };
        (1..=length).map(node).collect::<Vec<_>>().into_iter()
    }

    #[test]
    fn a_condition_is_met_where_its_nodes_are() {
        let relies = Reliance::on(2).and(Reliance::on(4));
        let condition = relies.condition(segment(7));
        let all = relies.and(Reliance::on(3));
        assert_eq!(Reliance::of_condition(condition, segment(5)), Some(all));
        assert_eq!(Reliance::of_condition(condition, segment(4)), None);
        let later = segment(7).skip(1).collect::<Vec<_>>().into_iter();
        let earlier = Reliance::on(1).and(Reliance::on(2)).and(Reliance::on(3));
        assert_eq!(Reliance::of_condition(condition, later), Some(earlier));
        let far = Reliance::on(60).and(Reliance::on(80));
        let condition = far.condition(segment(90));
        assert_eq!(Reliance::of_condition(condition, segment(89)), None);
        let found = Reliance::of_condition(condition, segment(90)).unwrap();
        assert!(found.is_on(60) && found.is_on(70) && !found.is_on(59));
    }

    #[test]
    fn who_leaves_hands_on_what_it_relies_on() {
        let (two, five) = (Reliance::on(2), Reliance::on(5));
        assert_eq!(two.and(five).left(5, Reliance::NOTHING), two);
        assert_eq!(five.left(5, Reliance::NOTHING), Reliance::NOTHING);
        assert_eq!(five.left(5, two), two);
        assert_eq!(two.left(5, five), two);
        // Far from the start of the segment it stays conservative.
        assert_eq!(Reliance::on(80).left(80, Reliance::NOTHING), Reliance::on(64));
        assert_eq!(Reliance::on(80).left(63, Reliance::NOTHING), Reliance::NOTHING);
    }
}
