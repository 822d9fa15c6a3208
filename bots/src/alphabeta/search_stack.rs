//! The positions from the start of the game to the current node, for detecting draws.

use fanorona_protocol::rules::{Game, Position, Ruleset};

/// Within this many plies of a limit, the table key includes the distance to the limit, because a
/// win that takes longer than the limit allows is a draw.
pub(super) const NEAR_LIMIT: u32 = 64;

/// The keys of all positions from the start of the game to the current node.
pub(super) struct SearchStack {
    keys: Vec<u64>,
    /// The index of the root's key.
    root: usize,
    repetition: u32,
    quiet: u32,
    max_plies: u32,
}

impl SearchStack {
    /// The stack of a game's current position.
    pub(super) fn new(game: &Game) -> SearchStack {
        let keys: Vec<u64> =
            game.history().positions().iter().map(|position| position.key()).collect();
        let root = keys.len() - 1;
        let Ruleset { repetition, quiet, max_plies, .. } = *game.rules();
        SearchStack { keys, root, repetition, quiet, max_plies }
    }

    /// Pushes a position.
    #[inline]
    pub(super) fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Pops the last position.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Pops all positions below the root.
    pub(super) fn rewind(&mut self) {
        self.keys.truncate(self.root + 1);
    }

    /// Plies from the start of the game.
    fn plies(&self) -> u32 {
        self.keys.len() as u32 - 1
    }

    /// Whether the current position, the last one pushed, is a draw by repetition or a limit. The
    /// caller must check first whether the stones have decided the game.
    ///
    /// A position that repeats within the search is a draw at its first repetition: a side that
    /// could do better the second time could have done so the first time. Repetitions of positions
    /// from before the search count as in the rules.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        self.quiet > 0 && position.quiet_plies() >= self.quiet
            || self.has_reached_max_plies(0)
            || self.repetition > 0 && self.is_repeated(position)
    }

    /// Whether the game is over by the number of its plies, this many plies later.
    #[inline]
    pub(super) fn has_reached_max_plies(&self, later: u32) -> bool {
        self.max_plies > 0 && self.plies() + later >= self.max_plies
    }

    fn is_repeated(&self, position: &Position) -> bool {
        let mut missing = self.repetition - 1;
        if missing == 0 {
            return true;
        }
        let now = self.keys.len() - 1;
        // A capture cannot be undone, and both sides need two paikas to return.
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

    /// The table key of a position some captures below the current one. Near a limit, the key
    /// includes the distance to it.
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

/// A hash of each distance near a limit; 0 for all larger distances.
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

    fn shuffled(moves: &str, rules: &str) -> Game {
        let start = "b4/5/5/5/4W w - 0 1".parse().unwrap();
        let mut game = Game::new(rules.parse().unwrap(), start);
        for mv in moves.split_whitespace() {
            game.play(&mv.parse().unwrap()).unwrap();
        }
        game
    }

    /// Whether the position after more moves is a draw in a search that starts after `played`.
    fn is_draw(played: &str, searched: &str, rules: &str) -> bool {
        let before = shuffled(played, rules);
        let mut path = SearchStack::new(&before);
        let all = shuffled(&format!("{played} {searched}"), rules);
        let from = before.history().positions().len();
        all.history().positions()[from..].iter().for_each(|position| path.push(position));
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
            SearchStack::new(&Game::new(rules.parse().unwrap(), position)).table_key(&position, 0)
        };
        assert_eq!(key(0, ""), key(20, ""));
        assert_ne!(key(90, ""), key(92, ""));
        assert_ne!(key(92, ""), key(0, ""));
        assert_eq!(key(90, "quiet=0"), key(0, "quiet=0"));
        assert_ne!(key(0, "max-plies=9"), key(0, "max-plies=10"));
    }
}
