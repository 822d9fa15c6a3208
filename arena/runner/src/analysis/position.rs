//! Asks an engine about single positions.

use fanorona_protocol::messages::{BestMove, Limits, Value};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset};

use fanorona_engine::{Engine, Failure};
use fanorona_tournament::analysis::KNOWS_VALUES;
use fanorona_tournament::analysis::chance::chance;
use fanorona_tournament::analysis::game::{Line, PositionAnalysis};
use fanorona_tournament::config::Limit;
use fanorona_tournament::game::clock::Clocks;

use crate::play::MAX_POSITION;

/// An engine with the settings of all its questions.
pub(super) struct Analyst<'e> {
    pub(super) engine: &'e mut Engine,
    pub(super) rules: Ruleset,
    pub(super) limit: Limit,
}

impl Analyst<'_> {
    /// Sets the number of lines and begins a new game, so that the answers depend on nothing asked
    /// before.
    pub(super) async fn begin(&mut self, lines: u32) -> Result<(), Failure> {
        // An engine without the option reports one line.
        self.engine.set_option("MultiPV", &lines.max(1).to_string()).await?;
        self.engine.new_game(0, &[]).await.map(drop)
    }

    /// Says what the engine thinks of the position at the end of a game, which a `position` line
    /// describes.
    pub(super) async fn analyse(
        &mut self,
        line: &str,
        game: &Game,
    ) -> Result<PositionAnalysis, Failure> {
        if let Some(ending) = game.ending() {
            return Ok(PositionAnalysis::over(&ending, game.position().side_to_move()));
        }
        // Long games exceed the longest line.
        let fen = format!("position fen {}", game.position());
        let line = if line.len() > MAX_POSITION { &fen } else { line };
        let value = self.value(line).await?;
        Ok(self.search(line, game.position(), &[]).await?.with_value(value))
    }

    /// Searches the position that a `position` line describes. If `among` is not empty, only those
    /// moves are considered.
    pub(super) async fn search(
        &mut self,
        line: &str,
        position: &Position,
        among: &[Move],
    ) -> Result<PositionAnalysis, Failure> {
        self.search_to(line, position, among, self.limit).await
    }

    /// The same with another limit.
    pub(super) async fn search_to(
        &mut self,
        line: &str,
        position: &Position,
        among: &[Move],
        limit: Limit,
    ) -> Result<PositionAnalysis, Failure> {
        let clocks = Clocks::new([limit; 2]);
        let side = position.side_to_move();
        let mut words: Limits = clocks.words(side);
        words.search_moves = among.iter().map(Move::to_string).collect();
        let allowance = clocks.loose_allowance(side);
        let rules = self.rules;
        let legal = || position.legal_moves(&rules).iter().map(Move::to_string).collect();
        let search = self.engine.search(line, words, allowance, legal).await?;
        let legal_line = |moves: Vec<Move>| {
            // An engine's line counts as far as its moves are legal.
            let mut now = *position;
            let is_legal = |mv: &Move| now.play(&rules, mv).map(|after| now = after).is_ok();
            moves.into_iter().take_while(is_legal).collect()
        };
        let line = |info: fanorona_protocol::messages::Info| {
            let score = info.score?;
            Some(Line { score, chance: chance(score), moves: legal_line(info.pv) })
        };
        let lines: Vec<Line> = search.lines.into_iter().filter_map(line).collect();
        let best = match search.best {
            BestMove::Move(mv) => Some(mv),
            BestMove::None | BestMove::Resign => {
                lines.first().and_then(|l| l.moves.first().copied())
            }
        };
        let analysis = PositionAnalysis { best, ..PositionAnalysis::default() };
        let analysis = match lines.first() {
            Some(first) => analysis.with_score(first.score, false),
            None => analysis,
        };
        Ok(PositionAnalysis { lines, ..analysis })
    }

    /// The exact value of the position of a `position` line, if the engine knows it.
    pub(super) async fn value(&mut self, line: &str) -> Result<Option<Value>, Failure> {
        match self.engine.has_option(KNOWS_VALUES) {
            true => self.engine.value(line).await,
            false => Ok(None),
        }
    }
}
