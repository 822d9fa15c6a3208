//! Conditions of disproofs that hold only on the current path.
//!
//! A capture cannot be undone, so only the nodes of the path since the last capture can recur: its
//! *segment*. On this path, a return to one of them is as good as disproven, and so may be
//! everything that follows from it. Such a disproof is *conditional*. It becomes unconditional when
//! the node that it returned to is disproven itself, and worthless when that node is not.

use super::game::Node;

/// The nodes of a segment that a disproof relies on, by their positions in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PathDependency(u64);

/// All nodes of a segment from this position on share a bit.
const LAST: usize = 63;

impl PathDependency {
    /// The condition of a disproof that holds on every path.
    pub(super) const NONE: PathDependency = PathDependency(0);

    /// Relies on the node at a position.
    pub(super) fn on(place: usize) -> PathDependency {
        PathDependency(1 << place.min(LAST))
    }

    /// Relies on the nodes of both.
    pub(super) fn and(self, other: PathDependency) -> PathDependency {
        PathDependency(self.0 | other.0)
    }

    /// The minimum number of nodes it relies on.
    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn is_on(self, place: usize) -> bool {
        self.0 & PathDependency::on(place).0 != 0
    }

    /// The dependency after the search leaves the node at a position, the last of the segment, with a
    /// disproof that has `dependency`.
    pub(super) fn left(self, place: usize, dependency: PathDependency) -> PathDependency {
        if !self.is_on(place) {
            return self;
        }
        // The last bit is shared, so it cannot be cleared.
        let own = if place > LAST { 0 } else { PathDependency::on(place).0 };
        PathDependency(self.0 & !own | dependency.0)
    }

    /// The condition as stored in the table: a hash of the nodes of the segment from the first to
    /// the last one that matters, of 30 bits. Never 0, which means no condition.
    pub(super) fn condition(self, segment: impl ExactSizeIterator<Item = Node>) -> u32 {
        let first = self.0.trailing_zeros() as usize;
        let last = match LAST - self.0.leading_zeros() as usize {
            LAST => segment.len() - 1,
            last => last,
        };
        segment.take(last + 1).skip(first).fold(0, chain)
    }

    /// The dependency of a stored condition on this path; `None` if the condition is not met.
    pub(super) fn from_condition(
        condition: u32,
        segment: impl ExactSizeIterator<Item = Node> + Clone,
    ) -> Option<PathDependency> {
        (0..segment.len()).find_map(|first| {
            let (mut found, mut dependency) = (0, PathDependency::NONE);
            segment.clone().enumerate().skip(first).find_map(|(place, node)| {
                (found, dependency) =
                    (chain(found, node), dependency.and(PathDependency::on(place)));
                (found == condition).then_some(dependency)
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
    ((mixed >> 34) as u32).max(1)
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
        let dependency = PathDependency::on(2).and(PathDependency::on(4));
        let condition = dependency.condition(segment(7));
        let all = dependency.and(PathDependency::on(3));
        assert_eq!(PathDependency::from_condition(condition, segment(5)), Some(all));
        assert_eq!(PathDependency::from_condition(condition, segment(4)), None);
        let later = segment(7).skip(1).collect::<Vec<_>>().into_iter();
        let earlier = PathDependency::on(1).and(PathDependency::on(2)).and(PathDependency::on(3));
        assert_eq!(PathDependency::from_condition(condition, later), Some(earlier));
        let far = PathDependency::on(60).and(PathDependency::on(80));
        let condition = far.condition(segment(90));
        assert_eq!(PathDependency::from_condition(condition, segment(89)), None);
        let found = PathDependency::from_condition(condition, segment(90)).unwrap();
        assert!(found.is_on(60) && found.is_on(70) && !found.is_on(59));
    }

    #[test]
    fn leaving_a_node_replaces_its_dependency_by_that_of_its_disproof() {
        let (two, five) = (PathDependency::on(2), PathDependency::on(5));
        assert_eq!(two.and(five).left(5, PathDependency::NONE), two);
        assert_eq!(five.left(5, PathDependency::NONE), PathDependency::NONE);
        assert_eq!(five.left(5, two), two);
        assert_eq!(two.left(5, five), two);
        // Far from the start of the segment it stays conservative.
        assert_eq!(PathDependency::on(80).left(80, PathDependency::NONE), PathDependency::on(64));
        assert_eq!(PathDependency::on(80).left(63, PathDependency::NONE), PathDependency::NONE);
    }
}
