//! The growth of a book.
//!
//! A book grows in rounds. A round takes the moves at the frontier, and for each of them searches the
//! position after it and the moves that remain in the position before it. The questions of a round
//! depend only on the answers before, which are used in a fixed order. So the book depends neither on
//! the number of threads nor on interruptions: a new run repeats the rounds with the answers of the
//! [journal](super::journal).

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use fanorona_bots::book::{Book, PositionId};
use fanorona_bots::bot::OptionError;
use fanorona_protocol::rules::{Position, Ruleset};

use super::exact::ExactValues;
use super::frontier;
use super::graph::Graph;
use super::journal::{Journal, JournalError, Recipe};
use super::search::{Answer, Question, Searcher};

/// Moves examined in a round. Not the number of threads, so that the book does not depend on it.
const ROUND: usize = 16;

/// The loss, in hundredths of a stone, that costs as much as a ply by default.
pub const PLY: i64 = 20;

/// A book that grows.
pub struct Builder {
    graph: Graph,
    roots: Vec<usize>,
    rules: Ruleset,
    journal: Journal,
    exact: ExactValues,
    searchers: Vec<Searcher>,
    nodes: u64,
    ply: i64,
}

/// The reason why a book cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The endgame tables cannot be used.
    #[error(transparent)]
    Tables(#[from] OptionError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A game that is over.
    #[error("{0}: the game is over in this position: name a position with moves")]
    Over(String),
}

/// Receives the progress of a build.
pub trait Progress {
    /// Called after each round with the number of positions and of searches in the journal.
    fn round(&mut self, positions: usize, searches: usize);
}

impl Builder {
    /// A book of the games from some positions. It examines them in turn; one that is there twice has
    /// two turns.
    ///
    /// # Errors
    /// Fails when the tables or the journal cannot be used, or when a position has no move.
    pub fn new(
        starts: &[Position],
        recipe: &Recipe,
        journal: &Path,
        threads: usize,
    ) -> Result<Builder, BuildError> {
        let rules = Ruleset::default();
        for start in starts {
            if rules.ending(start).is_some() {
                return Err(BuildError::Over(start.to_string()));
            }
        }
        let searcher = |_| Searcher::new(recipe.nodes, recipe.tables.as_deref());
        let mut builder = Builder {
            graph: Graph::default(),
            roots: Vec::new(),
            rules,
            searchers: (0..threads.max(1)).map(searcher).collect::<Result<_, _>>()?,
            journal: Journal::open(journal, recipe)?,
            exact: ExactValues::default(),
            nodes: recipe.nodes,
            ply: PLY,
        };
        for start in starts {
            let id = PositionId::new(start);
            let known = builder.graph.find(id);
            let root = match known {
                Some(root) => root,
                None => {
                    let question = Question { position: id, excluded: 0 };
                    let answers = builder.ask(vec![(question, Vec::new())])?;
                    builder.graph.add(id, &rules, answers.get(&question).copied())
                }
            };
            builder.roots.push(root);
        }
        Ok(builder)
    }

    /// The same book, in which a ply costs as much as another loss in hundredths of a stone.
    #[must_use]
    pub fn with_ply(self, ply: i64) -> Builder {
        Builder { ply, ..self }
    }

    /// The same book with the values of solved games. The starts are examined in any case.
    #[must_use]
    pub fn with_exact(self, exact: ExactValues) -> Builder {
        Builder { exact, ..self }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.graph.nodes().len()
    }

    /// Grows the book until it has a number of positions, or until nothing is left to examine.
    ///
    /// # Errors
    /// Fails when the journal cannot be written.
    pub fn grow(
        &mut self,
        positions: usize,
        progress: &mut dyn Progress,
    ) -> Result<(), BuildError> {
        while self.positions() < positions && self.round()? {
            progress.round(self.positions(), self.journal.len());
        }
        Ok(())
    }

    /// Examines the moves at the frontier. Returns whether there were any.
    fn round(&mut self) -> Result<bool, BuildError> {
        let frontier = frontier::next(&self.graph, &self.roots, self.ply, ROUND);
        let mut questions: Vec<(Question, Vec<PositionId>)> = Vec::new();
        for &node in &frontier {
            let child = self.graph.nodes()[node].rest.expect("the frontier has a rest").child;
            let first = Question { position: child, excluded: 0 };
            let known = child.position().is_none_or(|child| {
                self.rules.ending(&child).is_some() || self.exact.value(&child).is_some()
            });
            let asked = questions.iter().any(|(question, _)| *question == first);
            if self.graph.find(child).is_none() && !known && !asked {
                questions.push((first, Vec::new()));
            }
            if let Some(next) = self.graph.next_question(node) {
                questions.push((next, self.graph.excluded(node)));
            }
        }
        let answers = self.ask(questions)?;
        for &node in &frontier {
            let child = self.graph.nodes()[node].rest.expect("the frontier has a rest").child;
            let first = answers.get(&Question { position: child, excluded: 0 });
            let to = match self.graph.find(child) {
                Some(to) => to,
                None => match child.position().and_then(|child| self.exact.value(&child)) {
                    Some(score) => self.graph.add_exact(child, &self.rules, score),
                    None => self.graph.add(child, &self.rules, first.copied()),
                },
            };
            let next = self.graph.next_question(node);
            let next = next.and_then(|question| answers.get(&question).copied());
            self.graph.link(node, to, next);
        }
        self.graph.update();
        Ok(!frontier.is_empty())
    }

    /// The answers to questions, each with the moves it excludes: those of the journal, and those of
    /// searches, which all threads share.
    fn ask(
        &mut self,
        questions: Vec<(Question, Vec<PositionId>)>,
    ) -> Result<HashMap<Question, Answer>, BuildError> {
        let mut answers = HashMap::new();
        let mut open = Vec::new();
        for (question, excluded) in questions {
            match self.journal.get(&question) {
                Some(answer) => {
                    answers.insert(question, answer);
                }
                None => open.push((question, excluded)),
            }
        }
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, results) = channel();
        let journal = &mut self.journal;
        thread::scope(|scope| {
            for searcher in &mut self.searchers {
                let (open, next, failed, sender) = (&open, &next, &failed, sender.clone());
                scope.spawn(move || {
                    while !failed.load(Ordering::Relaxed)
                        && let Some((question, excluded)) =
                            open.get(next.fetch_add(1, Ordering::Relaxed))
                    {
                        let position = question.position.position();
                        let position = position.expect("the position comes from a game");
                        let answer = searcher.search(&position, excluded);
                        // Sending fails only if the journal could not be written.
                        let _ = sender.send(answer.map(|answer| (*question, answer)));
                    }
                });
            }
            drop(sender);
            for (question, answer) in results.into_iter().flatten() {
                answers.insert(question, answer);
                if let Err(error) = journal.add(question, answer) {
                    failed.store(true, Ordering::Relaxed);
                    return Err(error.into());
                }
            }
            Ok(answers)
        })
    }

    /// The book of the positions so far.
    pub fn book(&self) -> Book {
        self.graph.book(self.nodes, &self.rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_bots::book::children;
    use fanorona_protocol::messages::Score;
    use fanorona_protocol::rules::Start;

    struct Silent;

    impl Progress for Silent {
        fn round(&mut self, _: usize, _: usize) {}
    }

    fn build(journal: &Path, positions: usize, threads: usize) -> Builder {
        let starts = [
            "5x3".parse::<Start>().unwrap().riatra(),
            "3x5".parse::<Start>().unwrap().vela(Ruleset::default().vela_starter),
        ];
        let recipe = Recipe { nodes: 200, tables: None };
        let mut builder = Builder::new(&starts, &recipe, journal, threads).unwrap();
        builder.grow(positions, &mut Silent).unwrap();
        builder
    }

    #[test]
    fn a_book_depends_neither_on_threads_nor_on_interruptions() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        let whole = build(&path("one"), 120, 1);
        assert!(whole.positions() >= 120);
        let expected = whole.book().to_bytes();
        let searches = whole.journal.len();
        assert_eq!(build(&path("three"), 120, 3).book().to_bytes(), expected);
        drop(whole);
        // A run that was killed has a part of the answers, in any order.
        let journal = std::fs::read_to_string(path("one")).unwrap();
        let mut lines: Vec<&str> = journal.split_inclusive('\n').collect();
        lines[1..].reverse();
        let some = lines[..lines.len() / 2].concat() + &lines[lines.len() / 2][..9];
        std::fs::write(path("killed"), some).unwrap();
        let resumed = build(&path("killed"), 120, 2);
        assert_eq!(resumed.book().to_bytes(), expected);
        assert_eq!(resumed.journal.len(), searches, "no search is repeated");
        drop(resumed);
        // A book that has grown in two steps is the same, too.
        build(&path("steps"), 40, 1);
        assert_eq!(build(&path("steps"), 120, 1).book().to_bytes(), expected);
    }

    #[test]
    fn the_book_has_every_first_move() {
        let dir = tempfile::tempdir().unwrap();
        let builder = build(&dir.path().join("journal"), 60, 2);
        let (book, rules) = (builder.book(), Ruleset::default());
        let start = "5x3".parse::<Start>().unwrap().riatra();
        let first = fanorona_bots::book::children(&start, &rules);
        assert_eq!(book.moves(&start, &rules).len(), first.len());
        assert!(!book.line(&start, &rules).is_empty());
    }

    #[test]
    fn a_solved_game_needs_no_search() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        let start = "5x3".parse::<Start>().unwrap().riatra();
        let recipe = Recipe { nodes: 200, tables: None };
        let solution = concat!(env!("CARGO_MANIFEST_DIR"), "/../solve/certificates/5x3.solution");
        let exact = ExactValues::open(&[solution]).unwrap();
        let mut builder = Builder::new(&[start], &recipe, &path, 1).unwrap().with_exact(exact);
        builder.grow(40, &mut Silent).unwrap();
        let moves = builder.book().moves(&start, &Ruleset::default());
        let won: Vec<_> = moves.iter().filter(|mv| matches!(mv.score, Score::Win(_))).collect();
        assert_eq!(moves[0], *won[0], "the best move wins");
        // The position after it has moves, but none of them was searched.
        let after = PositionId::new(&start.apply_unchecked(moves[0].effect));
        let node = &builder.graph.nodes()[builder.graph.find(after).unwrap()];
        assert!(!children(&after.position().unwrap(), &Ruleset::default()).is_empty());
        assert!(node.rest.is_none() && node.edges.is_empty());
        assert_eq!(builder.journal.get(&Question { position: after, excluded: 0 }), None);
    }

    #[test]
    fn a_game_that_is_over_has_no_book() {
        let dir = tempfile::tempdir().unwrap();
        let over: Position = "3/1b1/3 w".parse().unwrap();
        let recipe = Recipe { nodes: 10, tables: None };
        let error = Builder::new(&[over], &recipe, &dir.path().join("journal"), 1).err().unwrap();
        assert!(error.to_string().contains("over"), "{error}");
    }
}
