//! Games in progress for spectators.
//!
//! A game writes its state into a place of its own, and spectators read it when they want to.
//! Nothing is queued, so a slow spectator costs a game nothing, and an update that no spectator
//! has read is simply overwritten by the next one.

use fanorona_tournament::mutex::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fanorona_protocol::rules::{Move, Position, Side};

use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::text::safe_text;

/// The interval in which spectators are told what has changed.
pub const TICK: Duration = Duration::from_millis(200);

/// The games in progress, in the order of their numbers.
#[derive(Debug, Default)]
pub struct LiveGames {
    games: Mutex<BTreeMap<GameId, Arc<LiveGame>>>,
    /// When a spectator last looked.
    looked: Mutex<Option<Instant>>,
}

/// A game in progress.
#[derive(Debug)]
pub struct LiveGame {
    /// The number of the game.
    pub id: GameId,
    /// The engines with White and Black.
    pub players: [String; 2],
    /// The start position.
    pub start: Position,
    /// The number of opening moves.
    pub book: usize,
    version: AtomicU64,
    state: Mutex<LiveState>,
}

/// What changes during a game.
#[derive(Clone, Debug)]
pub struct LiveState {
    /// Every move so far, including the opening.
    pub moves: Vec<Move>,
    /// The score of each move after the opening, as its engine reported it; empty if none.
    pub scores: Vec<String>,
    /// The number of moves so far that belong to the first phase of a vela.
    pub phase_one: usize,
    /// The clocks of White and Black when the current move began; `None` without clocks.
    pub clocks: [Option<Duration>; 2],
    /// The side that is thinking; `None` before the first move.
    pub thinking: Option<Side>,
    /// When it began to think.
    pub since: Instant,
    /// The last `info` line with a score of White and of Black, as the engines printed it.
    pub info: [String; 2],
    /// How it ended; `None` in progress, and for a game that ended without a result.
    pub ended: Option<(GameResult, Reason)>,
}

/// The longest `info` line that is kept, in bytes. A longer one is cut: its end is the later part
/// of the principal variation.
const MAX_INFO: usize = 2048;

impl LiveGames {
    /// The games in progress, for a spectator.
    pub fn games(&self) -> Vec<Arc<LiveGame>> {
        *lock(&self.looked) = Some(Instant::now());
        lock(&self.games).values().cloned().collect()
    }

    /// Whether a spectator has looked within this time.
    pub fn is_watched(&self, within: Duration) -> bool {
        lock(&self.looked).is_some_and(|looked| looked.elapsed() < within)
    }

    /// Adds a game that begins. It disappears when the returned value is dropped.
    pub fn begin(
        self: &Arc<LiveGames>,
        id: GameId,
        players: [String; 2],
        start: Position,
        book: &[Move],
    ) -> Seat {
        let state = LiveState {
            moves: Vec::new(),
            scores: Vec::new(),
            phase_one: 0,
            clocks: [None; 2],
            thinking: None,
            since: Instant::now(),
            info: [String::new(), String::new()],
            ended: None,
        };
        let version = AtomicU64::new(1);
        let state = Mutex::new(state);
        let game = LiveGame { id, players, start, book: book.len(), version, state };
        let game = Arc::new(game);
        lock(&self.games).insert(id, game.clone());
        Seat { games: self.clone(), game }
    }
}

/// A game's place among the [`LiveGames`].
#[derive(Debug)]
pub struct Seat {
    games: Arc<LiveGames>,
    game: Arc<LiveGame>,
}

impl std::ops::Deref for Seat {
    type Target = LiveGame;

    fn deref(&self) -> &LiveGame {
        &self.game
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        lock(&self.games.games).remove(&self.game.id);
    }
}

impl LiveGame {
    /// A number that grows with every change.
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// The state at this moment.
    pub fn state(&self) -> LiveState {
        lock(&self.state).clone()
    }

    /// Reads the state in place.
    pub fn read<T>(&self, read: impl FnOnce(&LiveState) -> T) -> T {
        read(&lock(&self.state))
    }

    fn change(&self, change: impl FnOnce(&mut LiveState)) {
        change(&mut lock(&self.state));
        self.version.fetch_add(1, Ordering::Release);
    }

    /// A move has been played from `before`.
    pub fn moved(&self, before: &Position, mv: Move) {
        self.change(|state| {
            state.moves.push(mv);
            state.phase_one += usize::from(before.is_vela_phase_one());
        });
    }

    /// A side begins to think, with these clocks.
    pub fn thinks(&self, side: Side, clocks: [Option<Duration>; 2]) {
        self.change(|state| {
            state.thinking = Some(side);
            state.since = Instant::now();
            state.clocks = clocks;
        });
    }

    /// A side printed an `info` line with a score.
    pub fn heard(&self, side: Side, line: &str) {
        self.change(|state| {
            let kept = &mut state.info[side as usize];
            kept.clear();
            kept.push_str(safe_text::prefix(line, MAX_INFO));
        });
    }

    /// The game is over.
    pub fn ended(&self, result: GameResult, reason: Reason) {
        self.change(|state| (state.thinking, state.ended) = (None, Some((result, reason))));
    }

    /// The score of the last move.
    pub fn scored(&self, score: String) {
        self.change(|state| state.scores.push(score));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;

    #[test]
    fn a_game_is_listed_while_its_seat_exists() {
        let games = Arc::new(LiveGames::default());
        let begin = |id: &str| {
            let players = ["a".to_owned(), "b".to_owned()];
            games.begin(id.parse().unwrap(), players, Start::TSIVY.riatra(), &[])
        };
        let (second, first) = (begin("2"), begin("1"));
        let listed = || games.games().iter().map(|game| game.id.to_string()).collect::<Vec<_>>();
        assert_eq!(listed(), ["1", "2"]);
        drop(second);
        assert_eq!(listed(), ["1"]);
        drop(first);
        assert!(listed().is_empty());
    }

    #[test]
    fn every_change_has_a_new_version() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let game = games.begin("1".parse().unwrap(), [String::new(), String::new()], start, &[]);
        let mut versions = vec![game.version()];
        game.thinks(Side::White, [Some(Duration::from_secs(3)), None]);
        versions.push(game.version());
        game.heard(Side::White, "info score cp 5");
        versions.push(game.version());
        game.moved(&start, "e2e3A".parse().unwrap());
        versions.push(game.version());
        game.scored("cp 5".to_owned());
        versions.push(game.version());
        assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
        let state = game.state();
        assert_eq!((state.moves.len(), state.phase_one), (1, 0));
        assert_eq!(state.scores, ["cp 5"]);
        assert_eq!(state.info[0], "info score cp 5");
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let game = games.begin("1".parse().unwrap(), [String::new(), String::new()], start, &[]);
        game.heard(Side::Black, &"é".repeat(MAX_INFO));
        let length = game.read(|state| state.info[1].len());
        assert!(length <= MAX_INFO && length > MAX_INFO - 4, "{length}");
    }
}
