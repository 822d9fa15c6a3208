//! The searches of engines, and their thinking times, by phase of the game.

use std::collections::HashMap;

use super::phase::Phase;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use fanorona_ratings::Scope;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::search_note::SearchNote;
use fanorona_tournament::record::GameRecord;

/// Moves of an engine, with its search and its time.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SearchFigures {
    /// The number of moves.
    pub moves: u64,
    /// Their time in milliseconds.
    milliseconds: u64,
    /// The moves for which the engine reported a depth, and the sum of depths.
    depths: (u64, u64),
    /// The nodes that it reported.
    nodes: u64,
    /// The seconds that it searched them.
    seconds: f64,
}

impl SearchFigures {
    fn add(&mut self, milliseconds: u64, note: Option<&SearchNote>) {
        self.moves += 1;
        self.milliseconds += milliseconds;
        let Some(note) = note else { return };
        if let Some(depth) = note.depth {
            self.depths = (self.depths.0 + 1, self.depths.1 + u64::from(depth));
        }
        let reported = note.nodes.zip(note.nps.filter(|&nps| nps > 0));
        let seconds = match reported {
            Some((nodes, nps)) => nodes as f64 / nps as f64,
            None => milliseconds as f64 / 1000.0,
        };
        if let Some(nodes) = note.nodes.filter(|_| seconds > 0.0) {
            self.nodes += nodes;
            self.seconds += seconds;
        }
    }

    fn merge(&mut self, other: &SearchFigures) {
        self.moves += other.moves;
        self.milliseconds += other.milliseconds;
        self.depths = (self.depths.0 + other.depths.0, self.depths.1 + other.depths.1);
        self.nodes += other.nodes;
        self.seconds += other.seconds;
    }

    /// The mean depth in plies of the moves for which it reported one; `None` without any.
    pub fn depth(&self) -> Option<f64> {
        let (moves, depths) = self.depths;
        (moves > 0).then(|| depths as f64 / moves as f64)
    }

    /// The nodes per second, by its own account of both, or by the arena's clock where it reports
    /// nodes alone; `None` if it reports no nodes.
    pub fn nps(&self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.nodes as f64 / self.seconds)
    }

    /// The mean time of a move in milliseconds; `None` without moves.
    pub fn mean_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.milliseconds as f64 / self.moves as f64)
    }
}

/// The figures of an engine: those of every phase, and of all.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ByPhase {
    phases: [SearchFigures; Phase::ALL.len()],
}

impl ByPhase {
    /// The figures of a phase.
    pub fn phase(&self, phase: Phase) -> &SearchFigures {
        &self.phases[phase as usize]
    }

    fn merge(&mut self, other: &ByPhase) {
        self.phases.iter_mut().zip(&other.phases).for_each(|(sum, new)| sum.merge(new));
    }

    /// The figures of all phases together.
    pub fn whole(&self) -> SearchFigures {
        let mut sum = SearchFigures::default();
        self.phases.iter().for_each(|figures| sum.merge(figures));
        sum
    }
}

const KINDS: usize = Kind::ALL.len();

/// The figures of all engines. Games are added one by one and not kept.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EngineSearches {
    engines: HashMap<String, [ByPhase; KINDS]>,
}

impl EngineSearches {
    /// Adds a game by these rules. Moves of its opening are not those of an engine.
    pub fn add(&mut self, game: &GameRecord, rules: &Ruleset) {
        let Ok(mut position) = game.start.parse::<Position>() else { return };
        let kind = if game.id.of_session.is_some() { Kind::Session } else { game.kind };
        let mut found = [ByPhase::default(); 2];
        let (first, mut phase) = (position.side_to_move(), Phase::from_position(&position));
        for (ply, word) in game.moves.split_ascii_whitespace().enumerate() {
            let own = ply.checked_sub(game.book as usize);
            if let Some((own, &time)) = own.and_then(|own| Some((own, game.times.get(own)?))) {
                let side = if ply.is_multiple_of(2) { first } else { !first };
                let figures = &mut found[side as usize].phases[phase as usize];
                figures.add(time, game.searches.get(own));
            }
            // Stones never return.
            if phase != Phase::End {
                let next = word.parse::<Move>().ok().and_then(|mv| position.play(rules, &mv).ok());
                let Some(next) = next else { return };
                (position, phase) = (next, Phase::from_position(&next));
            }
        }
        for (name, found) in [&game.white, &game.black].into_iter().zip(found) {
            let known = self.engines.entry(name.clone()).or_default();
            known[kind as usize].merge(&found);
        }
    }

    /// An engine's figures in a scope. Games of a session count for the session.
    pub fn of(&self, engine: &str, scope: Scope) -> ByPhase {
        let mut sum = ByPhase::default();
        let kinds = self.engines.get(engine).into_iter().flatten().zip(Kind::ALL);
        for (of_kind, _) in kinds.filter(|(_, kind)| scope.holds(**kind)) {
            sum.merge(of_kind);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(depth: u32, nodes: u64, nps: u64) -> SearchNote {
        SearchNote {
            depth: Some(depth),
            nodes: Some(nodes),
            nps: Some(nps),
            ..SearchNote::default()
        }
    }

    /// A game on 3×3, which is in its middle when White moves for the third time.
    fn game(id: &str, moves: &str, times: &[u64], searches: Vec<SearchNote>) -> GameRecord {
        let start = "bbb/b1W/WWW w - 0 1".parse().unwrap();
        let (result, reason) = ("1-0".parse().unwrap(), "resign".parse().unwrap());
        GameRecord {
            white: "a".to_owned(),
            black: "b".to_owned(),
            moves: moves.to_owned(),
            times: times.to_vec(),
            searches,
            ..GameRecord::new(id.parse().unwrap(), &start, result, reason)
        }
    }

    #[test]
    fn figures_are_those_of_the_moves_an_engine_chose_in_each_phase() {
        let mut searches = EngineSearches::default();
        let moves = "b1b2A c3b3 b2b1W a2b2Ab3W a1a2A b3b2 a2a3";
        let depths = [4, 9, 6, 9, 8, 9, 4];
        let notes = depths.map(|depth| note(depth, u64::from(depth) * 1000, 2000)).to_vec();
        let game = game("1", moves, &[100, 7, 300, 9, 500, 11, 700], notes);
        searches.add(&game, &Ruleset::default());
        let a = searches.of("a", Scope::All);
        let opening = a.phase(Phase::Opening);
        assert_eq!(
            (opening.moves, opening.depth(), opening.mean_ms()),
            (2, Some(5.0), Some(200.0))
        );
        let middle = a.phase(Phase::Middle);
        assert_eq!((middle.moves, middle.depth(), middle.mean_ms()), (2, Some(6.0), Some(600.0)));
        assert_eq!(a.phase(Phase::End).moves, 0);
        let whole = a.whole();
        assert_eq!((whole.moves, whole.depth(), whole.mean_ms()), (4, Some(5.5), Some(400.0)));
        // By the engine's own account: the arena's clock is another.
        assert_eq!(whole.nps(), Some(2000.0));
        let b = searches.of("b", Scope::Kind(Kind::Riatra)).whole();
        assert_eq!((b.moves, b.depth(), b.mean_ms()), (3, Some(9.0), Some(9.0)));
        assert_eq!(searches.of("b", Scope::Kind(Kind::Vela)), ByPhase::default());
        assert_eq!(searches.of("c", Scope::All), ByPhase::default());
    }

    #[test]
    fn an_engine_that_reports_nothing_has_times_alone() {
        let mut searches = EngineSearches::default();
        let alone = SearchNote { nodes: Some(500), ..SearchNote::default() };
        let notes = vec![alone, SearchNote::default()];
        searches.add(&game("1", "c1b2A a2a3W", &[250, 40], notes), &Ruleset::default());
        let (a, b) = (searches.of("a", Scope::All), searches.of("b", Scope::All));
        assert_eq!(a.whole().nps(), Some(2000.0), "by the arena's clock");
        assert_eq!(a.whole().depth(), None);
        assert_eq!((b.whole().nps(), b.whole().mean_ms()), (None, Some(40.0)));
        let nothing = SearchFigures::default();
        assert_eq!((nothing.depth(), nothing.nps(), nothing.mean_ms()), (None, None, None));
    }

    #[test]
    fn moves_of_the_opening_and_of_sessions_are_told_apart() {
        let mut searches = EngineSearches::default();
        let game = game("4.1", "c1b2A a2a3W", &[40], Vec::new());
        searches.add(&GameRecord { book: 1, ..game }, &Ruleset::default());
        assert_eq!(searches.of("a", Scope::All).whole().moves, 0);
        assert_eq!(searches.of("b", Scope::Kind(Kind::Session)).whole().moves, 1);
        assert_eq!(searches.of("b", Scope::Kind(Kind::Riatra)).whole().moves, 0);
    }
}
