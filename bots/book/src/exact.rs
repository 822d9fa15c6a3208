//! Exact values of positions from solved games.

use std::path::{Path, PathBuf};

use fanorona_bots::book::Book;
use fanorona_endgames::solution::{Claim, Images, Proof, Solution, SolutionError};
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Position, Side, raw};

/// Solved games whose positions need no search.
#[derive(Default)]
pub struct ExactValues {
    games: Vec<(Solution, Images)>,
}

/// The reason why a solution cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// The file is not a usable solution.
    #[error(transparent)]
    Solution(#[from] SolutionError),
    /// The game was solved under other rules.
    #[error("{}: solved under the rules `{rules}`, but books have the usual rules: solve the game without --rules", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// The rules.
        rules: String,
    },
}

impl ExactValues {
    /// The values of solutions in files.
    ///
    /// # Errors
    /// Fails when a file is not a solution of a game under the usual rules.
    pub fn open(files: &[impl AsRef<Path>]) -> Result<ExactValues, ExactError> {
        let mut games = Vec::new();
        for path in files {
            let path = path.as_ref();
            let solution = Solution::read(path)?;
            if !Book::applies_to(&solution.rules) {
                let rules = solution.rules.to_string();
                return Err(ExactError::Rules { path: path.to_owned(), rules });
            }
            let images = Images::new(solution.start.board().size());
            games.push((solution, images));
        }
        Ok(ExactValues { games })
    }

    /// The value of a position for the side to move, if a solution proves it.
    pub fn value(&self, position: &Position) -> Option<Score> {
        self.games.iter().find_map(|(solution, images)| value(solution, images, position))
    }
}

fn value(solution: &Solution, images: &Images, position: &Position) -> Option<Score> {
    if solution.start.board().size() != position.board().size() {
        return None;
    }
    // A proof has the colours of its game. The colours of a position of a book mean nothing.
    Side::BOTH.into_iter().find_map(|side_to_move| {
        let game = Colours { solution, images, is_same: side_to_move == position.side_to_move() };
        if position.debtor().map(|side| game.in_proof(side)) != solution.start.debtor() {
            return None;
        }
        let plies = |side, claim| game.plies(side, claim, position);
        let (own, enemy) = (side_to_move, !side_to_move);
        if let Some(plies) = plies(own, Claim::Wins) {
            return Some(Score::Win(plies));
        }
        if let Some(plies) = plies(enemy, Claim::Wins) {
            return Some(Score::Loss(plies));
        }
        (plies(own, Claim::Holds).is_some() && plies(enemy, Claim::Holds).is_some())
            .then_some(Score::Cp(0))
    })
}

/// A solved game with the colours of a book's position, or with the other ones.
struct Colours<'g> {
    solution: &'g Solution,
    images: &'g Images,
    is_same: bool,
}

impl Colours<'_> {
    fn in_proof(&self, side: Side) -> Side {
        if self.is_same { side } else { !side }
    }

    /// The most plies that a claim about a side of the proof leaves at a position, if its set proves it:
    /// with the other side to move the set has the position, otherwise one that a move leads to.
    fn plies(&self, side: Side, claim: Claim, position: &Position) -> Option<u32> {
        let of = |proof: &&Proof| (proof.side, proof.claim) == (side, claim);
        let proof = self.solution.proofs.iter().find(of)?;
        let rank = |position: &Position| {
            let stones = |side| raw::stones(position.board(), self.in_proof(side));
            let record = self.images.record(stones(Side::White), stones(Side::Black), 0);
            proof.find(record).map(|record| record.rank())
        };
        if self.in_proof(position.side_to_move()) != side {
            return rank(position);
        }
        let rules = &self.solution.rules;
        let moves = position.legal_moves(rules);
        let after = moves.iter().map(|mv| position.play(rules, mv).expect("the move is legal"));
        let plies = after.filter_map(|next| match rules.ending(&next) {
            Some(ending) => {
                let winner = ending.winner.map(|winner| self.in_proof(winner));
                let is_kept = winner == Some(side) || winner.is_none() && claim == Claim::Holds;
                is_kept.then_some(1)
            }
            None => Some(rank(&next)?.saturating_add(1)),
        });
        plies.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Searcher;
    use fanorona_bots::book::{PositionId, children};
    use fanorona_protocol::rules::Ruleset;

    fn certificate(board: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../solve/certificates/{board}.solution"))
    }

    #[test]
    fn a_solution_has_the_values_that_a_search_finds() {
        let exact = ExactValues::open(&[certificate("3x3"), certificate("5x3")]).unwrap();
        let rules = Ruleset::default();
        let mut searcher = Searcher::new(20_000, None).unwrap();
        let mut known = 0;
        for start in ["bbb/b1W/WWW w", "bbbbb/bW1bW/WWWWW w"] {
            let start: Position = start.parse().unwrap();
            for (id, effect) in children(&start, &rules) {
                let after = start.apply_unchecked(effect);
                let image = id.position().unwrap();
                let value = exact.value(&after);
                assert_eq!(exact.value(&image), value, "colours do not matter");
                let Some(value) = value else { continue };
                known += 1;
                let found = searcher.search(&image, &[]).map(|answer| answer.score);
                let same = matches!(
                    (value, found),
                    (Score::Loss(_), Some(Score::Loss(_)) | None)
                        | (Score::Win(_), Some(Score::Win(_)))
                );
                assert!(same, "{after}: {value:?} {found:?}");
            }
            assert!(matches!(exact.value(&start), Some(Score::Win(_))));
            let vela = PositionId::new(&start.with_debtor(Some(Side::White))).position().unwrap();
            assert_eq!(exact.value(&vela), None);
        }
        assert!(known >= 2);
    }

    #[test]
    fn a_draw_needs_both_sides() {
        let exact = ExactValues::open(&[certificate("5x5")]).unwrap();
        let start: Position = "bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w".parse().unwrap();
        assert_eq!(exact.value(&start), Some(Score::Cp(0)));
        let other: Position = "bbbbb/bbbbb/bW2W/WWWWW/WWWWW w".parse().unwrap();
        assert_eq!(exact.value(&other), None);
    }

    #[test]
    fn other_files_and_rules_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("forced.solution");
        let mut solution = Solution::read(&certificate("3x3")).unwrap();
        solution.rules.forced_continuation = true;
        solution.write(&path).unwrap();
        let refused = |path: &Path| ExactValues::open(&[path]).err().unwrap().to_string();
        assert!(refused(&path).contains("forced-continuation"));
        assert!(refused(Path::new("Cargo.toml")).contains("not a solution"));
    }
}
