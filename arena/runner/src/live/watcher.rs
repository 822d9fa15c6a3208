//! Finds what has changed on the boards of a tournament, for one spectator.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::events::{BoardEvent, GameEnd, GameUpdate};
use super::games::{LiveGame, LiveGames, LiveState};
use fanorona_tournament::pairing::ids::GameId;

/// Finds what has changed on the boards since the last look.
#[derive(Debug, Default)]
pub struct Watcher {
    seen: BTreeMap<GameId, Seen>,
    whole: bool,
}

/// A game at the last look.
#[derive(Debug)]
struct Seen {
    game: Arc<LiveGame>,
    version: u64,
    moves: usize,
}

impl Watcher {
    /// A watcher that reports a change as a [`BoardEvent::Begin`] with the whole state of the game, for
    /// spectators that may miss events.
    pub fn whole() -> Watcher {
        Watcher { whole: true, ..Watcher::default() }
    }

    /// The changes since the last look.
    pub fn look(&mut self, games: &LiveGames) -> Vec<BoardEvent> {
        let games = games.games();
        let mut events = Vec::new();
        // A game that is repeated has the same number, but another place.
        let is_here = |id: &GameId, known: &Arc<LiveGame>| {
            games.iter().any(|game| game.id == *id && Arc::ptr_eq(game, known))
        };
        let whole = self.whole;
        self.seen.retain(|id, seen| {
            let here = is_here(id, &seen.game);
            if !here {
                // Its last moves come before its end.
                events.extend(seen.change(whole));
                let ended = seen.game.read(|state| state.ended);
                let (result, reason) = ended.unzip();
                events.push(BoardEvent::End(GameEnd { game: *id, result, reason }));
            }
            here
        });
        for game in games {
            match self.seen.get_mut(&game.id) {
                Some(seen) => events.extend(seen.change(whole)),
                None => {
                    let (version, view) = (game.version(), game.view());
                    let moves = view.moves.len();
                    events.push(BoardEvent::Begin(Box::new(view)));
                    self.seen.insert(game.id, Seen { game, version, moves });
                }
            }
        }
        events
    }
}

impl Seen {
    /// The change since the last look.
    fn change(&mut self, whole: bool) -> Option<BoardEvent> {
        let version = self.game.version();
        if version == std::mem::replace(&mut self.version, version) {
            return None;
        }
        if whole {
            return Some(BoardEvent::Begin(Box::new(self.game.view())));
        }
        let update = self.game.read(|state| update(&self.game, state, self.moves));
        self.moves = update.from + update.moves.len();
        Some(BoardEvent::Game(Box::new(update)))
    }
}

/// Returns the part of a game after its first moves.
fn update(game: &LiveGame, state: &LiveState, from: usize) -> GameUpdate {
    // The score of a move comes a moment after the move, so the last move may have had none.
    let from = from.min(state.moves.len()).saturating_sub(1);
    let scores = from.saturating_sub(game.book).min(state.scores.len());
    GameUpdate {
        game: game.id,
        from,
        single: state.phase_one,
        moves: state.moves[from..].to_vec(),
        scores: state.scores[scores..].to_vec(),
        now: state.now(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::live::games::Seat;
    use fanorona_protocol::rules::{Side, Start};
    use fanorona_tournament::game::termination::{GameResult, Reason};
    use std::time::Duration;

    fn begin(games: &Arc<LiveGames>, id: &str) -> Seat {
        let players = ["a".to_owned(), "b".to_owned()];
        games.begin(id.parse().unwrap(), players, Start::TSIVY.riatra(), &[])
    }

    #[test]
    fn events_lead_to_the_state_of_the_game() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let names = || ["a".to_owned(), "b".to_owned()];
        let book = ["e2e3A".parse().unwrap()];
        let seat = games.begin("7".parse().unwrap(), names(), start, &book);
        let copy = Arc::new(LiveGames::default());
        let (mut watcher, mut whole) = (Watcher::default(), Watcher::whole());
        let mut look = || {
            let events = watcher.look(&games);
            // Events travel as JSON.
            let text = serde_json::to_string(&events).unwrap();
            assert_eq!(serde_json::from_str::<Vec<BoardEvent>>(&text).unwrap(), events);
            let count = events.len();
            events.into_iter().for_each(|event| assert!(copy.apply(event)));
            let follower = LiveGames::default();
            let at_rest = |games: &LiveGames| {
                let mut views = games.views();
                views.iter_mut().for_each(|view| view.now.thinking_ms = 0);
                views
            };
            assert_eq!(at_rest(&copy), at_rest(&games));
            for event in whole.look(&games) {
                assert!(!matches!(event, BoardEvent::Game(_)), "{event:?}");
                if matches!(event, BoardEvent::Begin(_)) {
                    assert!(follower.apply(event));
                    assert_eq!(at_rest(&follower), at_rest(&games));
                }
            }
            count
        };
        assert_eq!(look(), 1);
        assert_eq!(look(), 0);
        seat.moved(&start, book[0]);
        seat.thinks(Side::Black, [Some(Duration::from_secs(3)); 2]);
        seat.heard(Side::Black, "info depth 3 score cp -5 nodes 9 nps 8 pv e5e4 d3d2");
        assert_eq!(look(), 1);
        let after = start.play(&Default::default(), &book[0]).unwrap();
        seat.moved(&after, "a5a4".parse().unwrap());
        // Between the move and its score.
        assert_eq!(look(), 1);
        seat.scored("cp -5");
        assert_eq!(look(), 1);
        let view = copy.views().pop().unwrap();
        assert_eq!((view.moves.len(), &view.scores[..]), (2, &["-5".to_owned()][..]));
        assert!(view.now.info.w.is_none() && view.now.info.b.is_some());
        drop(seat);
        let again = games.begin("7".parse().unwrap(), names(), start, &[]);
        assert_eq!(look(), 2);
        assert_eq!(copy.views()[0].moves.len(), 0);
        drop(again);
        assert_eq!(look(), 1);
        assert!(copy.views().is_empty());
    }

    #[test]
    fn the_end_of_a_game_says_how_it_ended_after_its_last_moves() {
        let games = Arc::new(LiveGames::default());
        let (played, interrupted) = (begin(&games, "1"), begin(&games, "2"));
        let mut watcher = Watcher::default();
        watcher.look(&games);
        played.moved(&Start::TSIVY.riatra(), "e2e3A".parse().unwrap());
        played.ended(GameResult::Won(Side::White), Reason::Resign);
        drop((played, interrupted));
        let end = |game: &str, ended: Option<(GameResult, Reason)>| {
            let (result, reason) = ended.unzip();
            BoardEvent::End(GameEnd { game: game.parse().unwrap(), result, reason })
        };
        let events = watcher.look(&games);
        let [BoardEvent::Game(last), one, other] = &events[..] else { panic!("{events:?}") };
        assert_eq!((last.moves[0].to_string(), last.now.to_move), ("e2e3A".to_owned(), None));
        assert_eq!(*one, end("1", Some((GameResult::Won(Side::White), Reason::Resign))));
        assert_eq!(*other, end("2", None));
    }

    #[test]
    fn a_missed_update_is_noticed() {
        let games = Arc::new(LiveGames::default());
        let seat = begin(&games, "1");
        let (mut watcher, copy) = (Watcher::default(), Arc::new(LiveGames::default()));
        watcher.look(&games).into_iter().for_each(|event| assert!(copy.apply(event)));
        let mut next = |mv: &str| {
            seat.moved(&Start::TSIVY.riatra(), mv.parse().unwrap());
            seat.scored("");
            watcher.look(&games)
        };
        next("e2e3A");
        next("e5e4");
        assert!(!next("e1e2").into_iter().all(|event| copy.apply(event)));
    }
}
