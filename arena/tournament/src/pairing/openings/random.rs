//! Random lines from a start position. No two lead to the same position while there are others.

use std::collections::HashSet;

use fanorona_protocol::rules::{Game, Move, Position, Ruleset};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::pairing::seeds;

/// The maximum number of consecutive failed attempts to find a new line. Small boards are exhausted
/// long before; only a tree with nothing but dead ends reaches this.
const MAX_WALKS: u32 = 10_000;

/// A stream of lines of equal length.
///
/// Each line is a walk through the tree of legal moves that chooses uniformly among the branches
/// that are not spent. Spent are: a line that was already drawn, a line that ends the game or
/// reaches the position of another line, and a branch whose branches are all spent. When the root
/// is spent, every line has been drawn, and they repeat in the same order. If there is no line of
/// the required length, as on small boards, all lines are one ply shorter, and so on.
#[derive(Debug)]
pub(super) struct RandomLines {
    start: Position,
    rules: Ruleset,
    plies: u32,
    random: ChaCha8Rng,
    /// The lines so far, each move as its index among the legal ones: a hundredth of the size.
    lines: Vec<Box<[u16]>>,
    /// The spent branches, by the hashes of their paths.
    spent: HashSet<u64>,
    /// The keys of the positions reached by lines.
    reached: HashSet<u64>,
    /// Whether all lines have been drawn.
    complete: bool,
}

/// The hash of the empty path.
const ROOT: u64 = 0;

/// The hash of a path extended by a move.
fn longer(path: u64, mv: u16) -> u64 {
    seeds::mix(path ^ (u64::from(mv) + 1))
}

impl RandomLines {
    pub(super) fn new(
        start: Position,
        rules: Ruleset,
        plies: u32,
        random: ChaCha8Rng,
    ) -> RandomLines {
        RandomLines {
            start,
            rules,
            plies,
            random,
            lines: Vec::new(),
            spent: HashSet::new(),
            reached: HashSet::new(),
            complete: false,
        }
    }

    /// The line at an index, from 0. Draws the lines before it if necessary.
    pub(super) fn line(&mut self, index: u64) -> Vec<Move> {
        while !self.complete && self.lines.len() as u64 <= index {
            self.draw();
        }
        let line = &self.lines[(index % self.lines.len() as u64) as usize];
        let mut game = Game::new(self.rules, self.start);
        for &place in line {
            let mv = game.legal_moves()[usize::from(place)];
            game.play(&mv).expect("the move has been generated");
        }
        game.moves().to_vec()
    }

    /// The line at an index, from 0; `None` if there are fewer lines.
    pub(super) fn new_line(&mut self, index: u64) -> Option<Vec<Move>> {
        let moves = self.line(index);
        (index < self.lines.len() as u64).then_some(moves)
    }

    /// Draws a new line, or finds that there is none.
    fn draw(&mut self) {
        for _ in 0..MAX_WALKS {
            if self.spent.contains(&ROOT) {
                break;
            }
            if let Some(line) = self.walk() {
                self.lines.push(line);
                return;
            }
        }
        if !self.lines.is_empty() || self.plies == 0 {
            self.complete = true;
            // The last resort is the start itself, even if the game is over there.
            if self.lines.is_empty() {
                self.lines.push(Box::default());
            }
        } else {
            self.plies -= 1;
            self.spent.clear();
        }
    }

    /// Walks once. `None` if the walk found no new line; its end is then spent.
    fn walk(&mut self) -> Option<Box<[u16]>> {
        let mut game = Game::new(self.rules, self.start);
        let mut path = ROOT;
        let mut line = Vec::new();
        while game.ending().is_none() {
            if line.len() == self.plies as usize {
                self.spent.insert(path);
                let new = self.reached.insert(game.position().key());
                return new.then(|| line.into());
            }
            let moves = game.legal_moves();
            let open: Vec<u16> = (0..moves.len() as u16)
                .filter(|&place| !self.spent.contains(&longer(path, place)))
                .collect();
            if open.is_empty() {
                break;
            }
            let place = open[self.random.random_range(0..open.len() as u32) as usize];
            game.play(&moves[usize::from(place)]).expect("the move has been generated");
            path = longer(path, place);
            line.push(place);
        }
        self.spent.insert(path);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;

    fn lines(start: &str, rules: &str, plies: u32) -> RandomLines {
        let start = start.parse::<Start>().unwrap().riatra();
        RandomLines::new(start, rules.parse().unwrap(), plies, seeds::generator(1, &["test"]))
    }

    fn end(lines: &RandomLines, moves: &[Move]) -> Game {
        let mut game = Game::new(lines.rules, lines.start);
        for mv in moves {
            assert_eq!(game.ending(), None, "the line continues after the end of the game");
            game.play(mv).expect("a book is legal");
        }
        game
    }

    /// The number of positions reached by lines of this length that do not end the game.
    fn count(start: &str, rules: &str, plies: u32) -> usize {
        let rules: Ruleset = rules.parse().unwrap();
        let mut games = vec![Game::new(rules, start.parse::<Start>().unwrap().riatra())];
        for _ in 0..plies {
            let mut next = Vec::new();
            for game in games.iter().filter(|game| game.ending().is_none()) {
                for mv in game.legal_moves() {
                    let mut game = game.clone();
                    game.play(&mv).unwrap();
                    next.push(game);
                }
            }
            games = next;
        }
        let open = games.iter().filter(|game| game.ending().is_none());
        open.map(|game| game.position().key()).collect::<HashSet<_>>().len()
    }

    #[test]
    fn lines_do_not_repeat_before_all_were_drawn() {
        for (start, plies) in [("tsivy", 1), ("dimy", 3), ("telo", 2), ("telo", 5), ("3x5", 4)] {
            let mut lines = lines(start, "", plies);
            let all = count(start, "", plies);
            let mut reached = HashSet::new();
            for index in 0..all as u64 {
                let moves = lines.line(index);
                assert_eq!(moves.len(), plies as usize);
                let game = end(&lines, &moves);
                assert_eq!(game.ending(), None, "{start}: a finished line");
                assert!(reached.insert(game.position().key()), "{start}: {index} is not new");
            }
            assert_eq!(lines.line(all as u64), lines.line(0), "{start}: there are only {all}");
            assert!(lines.complete);
        }
    }

    #[test]
    fn lines_are_shorter_if_none_is_long_enough() {
        // Every game ends at the third ply.
        let mut lines = lines("telo", "max-plies=3", 12);
        assert_eq!(lines.line(0).len(), 2);
        assert_eq!(count("telo", "max-plies=3", 3), 0);
    }

    #[test]
    fn no_plies_are_the_start() {
        let mut lines = lines("tsivy", "", 0);
        assert_eq!(lines.line(0), []);
        assert_eq!(lines.line(7), []);
    }

    #[test]
    fn a_line_does_not_depend_on_earlier_requests() {
        let (mut all, mut one) = (lines("tsivy", "", 4), lines("tsivy", "", 4));
        let asked: Vec<_> = (0..30).map(|index| all.line(index)).collect();
        assert_eq!(one.line(29), asked[29]);
        assert_eq!(one.line(3), asked[3]);
    }

    #[test]
    fn long_lines_are_found() {
        let mut lines = lines("dimy", "", 30);
        for index in 0..3 {
            let moves = lines.line(index);
            assert_eq!(moves.len(), 30);
            assert_eq!(end(&lines, &moves).ending(), None);
        }
    }
}
