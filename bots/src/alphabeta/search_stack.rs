//! The way to a node: the game so far and the search below it, as far as draws need it.

use fanorona_protocol::rules::{History, Position, Ruleset};

/// Within so many plies of a limit, positions with different counters are different positions to
/// the table: a win that takes longer than the limit leaves time is none.
pub(super) const NEAR_LIMIT: u32 = 64;

/// The keys of all positions from the start of the game to the present node.
pub(super) struct SearchStack {
    keys: Vec<u64>,
    /// Where the root is among the keys.
    root: usize,
    repetition: u32,
    quiet: u32,
    max_plies: u32,
}

impl SearchStack {
    /// The path to the position a game has come to.
    pub(super) fn new(game: &History, rules: &Ruleset) -> SearchStack {
        let keys: Vec<u64> = game.positions().iter().map(|position| position.key()).collect();
        let root = keys.len() - 1;
        let Ruleset { repetition, quiet, max_plies, .. } = *rules;
        SearchStack { keys, root, repetition, quiet, max_plies }
    }

    /// Goes on to a position.
    #[inline]
    pub(super) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Goes back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Goes back to the root.
    pub(super) fn rewind(&mut self) {
        self.keys.truncate(self.root + 1);
    }

    /// Plies from the start of the game.
    fn plies(&self) -> u32 {
        self.keys.len() as u32 - 1
    }

    /// Whether the present position, the last one pushed, is a draw by repetition or a limit,
    /// unless it is already decided: that comes first.
    ///
    /// A position that comes back within the search is one at its first repetition: whoever could
    /// do better the second time could do so at once. What the game had before counts as the
    /// rules count it.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        reached(self.quiet, position.quiet_plies())
            || reached(self.max_plies, self.plies())
            || self.repetition > 0 && self.is_repeated(position)
    }

    fn is_repeated(&self, position: &Position) -> bool {
        let mut missing = self.repetition - 1;
        if missing == 0 {
            return true;
        }
        let now = self.keys.len() - 1;
        // A capture never comes back, and both sides need two paikas to come back.
        let reach = (position.quiet_plies() as usize).min(now);
        let mut back = 4;
        while back <= reach {
            if self.keys[now - back] == position.key() {
                missing -= 1;
                if missing == 0 || now - back > self.root {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// The key for the table of a position some captures after the present one: near a limit its
    /// distance is part of it.
    #[inline]
    pub(super) fn table_key(&self, position: &Position, captures: u32) -> u64 {
        let mut key = position.key();
        if self.quiet > 0 {
            key ^= nearness(self.quiet.saturating_sub(position.quiet_plies()), 0);
        }
        if self.max_plies > 0 {
            key ^= nearness(self.max_plies.saturating_sub(self.plies() + captures), NEAR_LIMIT + 1);
        }
        key
    }
}

/// A number for each distance near a limit, 0 for all that are farther.
#[inline]
fn nearness(left: u32, offset: u32) -> u64 {
    if left > NEAR_LIMIT {
        return 0;
    }
    let mixed = u64::from(left + offset + 1).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(moves: &str) -> History {
        let mut game = History::new("b4/5/5/5/4W w - 0 1".parse().unwrap());
        for mv in moves.split_whitespace() {
            game.play(&Ruleset::default(), &mv.parse().unwrap()).unwrap();
        }
        game
    }

    /// Whether the position after more moves is a draw to a search from `played`.
    fn is_draw(played: &str, searched: &str, rules: &str) -> bool {
        let rules: Ruleset = rules.parse().unwrap();
        let mut path = SearchStack::new(&shuffled(played), &rules);
        let all = shuffled(&format!("{played} {searched}"));
        let from = shuffled(played).positions().len();
        all.positions()[from..].iter().for_each(|position| path.push(position));
        path.is_draw(all.position())
    }

    const ROUND: &str = "e1d1 a5a4 d1e1 a4a5";

    #[test]
    fn a_position_that_comes_back_within_the_search_is_a_draw() {
        let search = format!("e1d1 {} d1e1", "a5a4 d1e1 a4a5 e1d1 a5a4");
        assert!(is_draw("", &search, ""));
        assert!(!is_draw("", "e1d1 a5a4 d1e1", ""));
        assert!(!is_draw("", &search, "repetition=0"));
    }

    #[test]
    fn a_position_of_the_game_counts_as_the_rules_count_it() {
        assert!(!is_draw("", ROUND, ""), "the root itself: second occurrence");
        assert!(is_draw("", ROUND, "repetition=2"));
        assert!(is_draw(ROUND, ROUND, ""), "third occurrence");
        assert!(!is_draw(ROUND, ROUND, "repetition=4"), "not within the search");
    }

    #[test]
    fn limits_are_reached_by_counting() {
        assert!(is_draw("", "e1d1 a5a4", "quiet=2"));
        assert!(!is_draw("", "e1d1", "quiet=2"));
        assert!(is_draw("e1d1", "a5a4", "max-plies=2"));
        assert!(!is_draw("e1d1", "a5a4", "max-plies=3"));
    }

    #[test]
    fn near_a_limit_the_counter_is_part_of_the_key() {
        let key = |quiet: u32, rules: &str| {
            let position: Position = format!("b4/5/5/5/4W w - {quiet} 1").parse().unwrap();
            SearchStack::new(&History::new(position), &rules.parse().unwrap())
                .table_key(&position, 0)
        };
        assert_eq!(key(0, ""), key(20, ""));
        assert_ne!(key(90, ""), key(92, ""));
        assert_ne!(key(92, ""), key(0, ""));
        assert_eq!(key(90, "quiet=0"), key(0, "quiet=0"));
        assert_ne!(key(0, "max-plies=9"), key(0, "max-plies=10"));
    }
}
