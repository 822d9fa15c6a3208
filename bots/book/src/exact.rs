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
        let now = position.side_to_move();
        let same = |side: Side| if side == now { side_to_move } else { !side_to_move };
        if position.debtor().map(same) != solution.start.debtor() {
            return None;
        }
        let stones =
            |side| raw::stones(position.board(), if side == side_to_move { now } else { !now });
        let record = images.record(stones(Side::White), stones(Side::Black), side_to_move, 0);
        let find = |proof: &Proof| Some((proof.side, proof.claim, proof.find(record)?.rank()));
        let found: Vec<_> = solution.proofs.iter().filter_map(find).collect();
        match found[..] {
            [(side, Claim::Wins, plies)] if side == side_to_move => Some(Score::Win(plies)),
            [(_, Claim::Wins, plies)] => Some(Score::Loss(plies)),
            [(one, Claim::Holds, _), (other, Claim::Holds, _)] if one != other => {
                Some(Score::Cp(0))
            }
            _ => None,
        }
    })
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
