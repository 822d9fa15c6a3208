//! One search of a position, without some of its moves.

use std::path::Path;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::book::{PositionId, children};
use fanorona_bots::bot::{Bot, LastScore, OptionError, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_protocol::messages::{Limits, Score};
use fanorona_protocol::rules::{Game, Position, Ruleset};

/// The node limit of a search, as a multiple of the number after which it begins no new iteration.
const MOST_NODES: u64 = 8;

/// Memory for the transposition table of a search in MiB.
const HASH: &str = "32";

/// A question to the search: the best move of a position, apart from those found before.
///
/// The first question about a position excludes no move, and each further one excludes one more:
/// the answer to the question before. So the position and this number determine the search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Question {
    pub(crate) position: PositionId,
    /// The number of excluded moves.
    pub(crate) excluded: u16,
}

/// The answer to a [`Question`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Answer {
    /// The position after the best move.
    pub(crate) child: PositionId,
    /// The value of the best move.
    pub(crate) score: Score,
}

/// Searches positions with `bot-alphabeta`. Each search starts without any memory of the others, so
/// its result does not depend on them.
pub(crate) struct Searcher {
    bot: AlphaBeta,
    rules: Ruleset,
    nodes: u64,
}

impl Searcher {
    /// A searcher that begins no new iteration after a number of nodes, with the endgame tables of
    /// a directory if given.
    ///
    /// # Errors
    /// Fails when the tables cannot be used.
    pub(crate) fn new(nodes: u64, tables: Option<&Path>) -> Result<Searcher, OptionError> {
        let mut bot = AlphaBeta::new();
        bot.set_option("Hash", HASH)?;
        if let Some(dir) = tables {
            bot.set_option("EndgameTables", &dir.to_string_lossy())?;
        }
        Ok(Searcher { bot, rules: Ruleset::default(), nodes })
    }

    /// The best of the moves that lead to none of the excluded positions; `None` without such a
    /// move.
    pub(crate) fn search(
        &mut self,
        position: &Position,
        excluded: &[PositionId],
    ) -> Option<Answer> {
        let children = children(position, &self.rules);
        let child = |root: &RootMove| {
            let id = PositionId::new(&position.apply_unchecked(root.effect));
            (!excluded.contains(&id)).then_some(id)
        };
        let mut moves = RootMove::all(position, &self.rules);
        // One move for each position is enough.
        moves.retain(|root| children.iter().any(|(_, effect)| *effect == root.effect));
        moves.retain(|root| child(root).is_some());
        if moves.is_empty() {
            return None;
        }
        let game = Game::new(self.rules, *position);
        let limits = Limits::with_nodes(self.nodes.saturating_mul(MOST_NODES));
        let budget = Budget::from_limits(&limits).with_soft_nodes(self.nodes);
        let task = Task { game: &game, moves: &moves, budget: &budget };
        let mut last = LastScore(Score::Cp(0));
        self.bot.new_game();
        let choice = self.bot.choose(&task, &mut last);
        let chosen = moves.iter().find(|root| root.mv == choice.mv);
        let chosen = chosen.expect("the choice is one of the moves");
        Some(Answer { child: child(chosen)?, score: last.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;

    #[test]
    fn each_question_excludes_what_was_found() {
        let start = "5x3".parse::<Start>().unwrap().riatra();
        let mut searcher = Searcher::new(500, None).unwrap();
        let mut found = Vec::new();
        let mut scores = Vec::new();
        while let Some(answer) = searcher.search(&start, &found) {
            assert!(!found.contains(&answer.child));
            found.push(answer.child);
            scores.push(answer);
        }
        let mut all: Vec<_> =
            children(&start, &Ruleset::default()).iter().map(|(id, _)| *id).collect();
        found.sort();
        all.sort();
        assert_eq!(found, all);
        // The searches have no memory.
        assert_eq!(searcher.search(&start, &[]), Some(scores[0]));
    }
}
