//! The extent to which a tournament has been played.

use crate::config::Tournament;
use crate::game::termination::GameResult;
use crate::progress::Progress;
use crate::record::Index;
use crate::text::plural::counted;
use fanorona_ratings::kind::Kind;

/// The extent to which a tournament has been played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Extent {
    /// Finished games that count; a session counts once.
    pub finished: u64,
    /// Games still to be played; in a format with stages, only those of the stages drawn so far.
    pub missing: u64,
    /// Games without a result (`*`) among the finished ones.
    pub void: u64,
    /// The number of stages drawn so far, if more will follow.
    pub stages: Option<u32>,
    /// In a tuning: the finished iterations, and all of them.
    pub iterations: Option<(u32, u32)>,
    /// The items that are counted.
    pub counted: Counted,
}

/// The items that an extent counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Counted {
    /// Games.
    #[default]
    Games,
    /// Sessions.
    Sessions,
    /// Games and sessions.
    Both,
}

impl Extent {
    /// Counts the games of a tournament.
    pub fn new(tournament: &Tournament, index: &Index, progress: &Progress) -> Extent {
        let finished = index.games().chunk_by(|a, b| a.id().pairing == b.id().pairing);
        let counts = |games: &&[_]| games.iter().all(|game| progress.counts(game));
        let finished = finished.filter(counts).filter(|games| {
            let pairing = progress.schedule().get(games[0].id().pairing);
            pairing.is_some_and(|it| crate::progress::is_finished(tournament, &it, games))
        });
        let counting = index.games().iter().filter(|game| progress.counts(game));
        let stages = progress.stages().filter(|_| !progress.is_over()).map(|stages| stages.drawn());
        let all = tournament.tuning.as_ref().map(|tuning| tuning.iterations.get());
        let done = progress.tuning().map(|tuning| tuning.iterations().len() as u32);
        let counted = match tournament.kinds.contains(&Kind::Session) {
            true if tournament.kinds.len() == 1 => Counted::Sessions,
            true => Counted::Both,
            false => Counted::Games,
        };
        Extent {
            finished: finished.count() as u64,
            missing: progress.missing(tournament, index),
            void: counting.filter(|game| game.result == GameResult::Void).count() as u64,
            stages,
            iterations: done.zip(all),
            counted,
        }
    }

    /// The extent in words: `35 of 288 games played, 2 games without a result (*)`.
    pub fn in_words(&self) -> String {
        let Extent { finished, missing, void, stages, iterations, counted: what } = self;
        let (one, more) = match what {
            Counted::Games => ("game", "games"),
            Counted::Sessions => ("session", "sessions"),
            Counted::Both => ("game or session", "games and sessions"),
        };
        let mut text = match missing {
            0 => format!("{} played", counted(*finished, one, more)),
            _ => format!("{finished} of {} played", counted(finished + missing, one, more)),
        };
        if let Some(stages) = stages {
            let stages = counted(*stages, "stage", "stages");
            text += &format!(" in the {stages} drawn so far");
        }
        if let Some((done, all)) = iterations {
            text += &format!(", {done} of {} finished", counted(*all, "iteration", "iterations"));
        }
        if *void > 0 {
            text += &format!(", {} without a result (*)", counted(*void, "game", "games"));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_say_what_is_missing() {
        let said = |finished, missing, void, stages| {
            Extent { finished, missing, void, stages, ..Extent::default() }.in_words()
        };
        assert_eq!(said(0, 0, 0, None), "0 games played");
        assert_eq!(said(288, 0, 0, None), "288 games played");
        assert_eq!(said(35, 253, 0, None), "35 of 288 games played");
        assert_eq!(said(0, 1, 0, None), "0 of 1 game played");
        assert_eq!(said(2, 0, 1, None), "2 games played, 1 game without a result (*)");
        let stages = "5 of 8 games played in the 2 stages drawn so far";
        assert_eq!(said(5, 3, 0, Some(2)), stages);
    }
}
