//! The boards of a tournament: each game writes its state into a place of its own.

use fanorona_tournament::mutex::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use fanorona_protocol::rules::{Move, Position, Side};

use super::events::{
    BoardEvent, GameEnd, GameUpdate, GameView, InfoView, Infos, TurnState, milliseconds,
};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::pairing::ids::{GameId, PairingId};
use fanorona_tournament::text::safe_text;
use fanorona_tournament::text::short_score::short_score;

/// The games in progress, in the order of their numbers.
#[derive(Debug, Default)]
pub struct LiveGames {
    games: Mutex<BTreeMap<GameId, Arc<LiveGame>>>,
    /// The time a spectator last looked.
    looked: Mutex<Option<Instant>>,
}

/// A game in progress.
#[derive(Debug)]
pub struct LiveGame {
    pub(super) id: GameId,
    /// The engines with White and Black.
    players: [String; 2],
    start: Position,
    /// The number of opening moves.
    pub(super) book: usize,
    version: AtomicU64,
    state: Mutex<LiveState>,
}

/// The part of a game that changes while it is played.
#[derive(Debug)]
pub(super) struct LiveState {
    /// Every move so far, including the opening.
    pub(super) moves: Vec<Move>,
    /// The score of each move after the opening in short form; empty if none.
    pub(super) scores: Vec<String>,
    /// The number of moves so far that belong to the first phase of a vela.
    pub(super) phase_one: usize,
    /// The milliseconds on the clocks of White and Black when the current move began; `None` without
    /// clocks.
    clocks: [Option<u64>; 2],
    /// The side that is thinking; `None` before the first move.
    thinking: Option<Side>,
    /// The time when it began to think.
    since: Instant,
    /// The replies that White and Black expect while they search in their opponent's time.
    pondering: [Option<Move>; 2],
    /// The last search results of White and of Black.
    info: [LastInfo; 2],
    /// Its result and the reason; `None` in progress, and for a game that ended without a result.
    pub(super) ended: Option<(GameResult, Reason)>,
}

/// The last search result of an engine.
#[derive(Clone, Debug)]
enum LastInfo {
    /// The `info` line as the engine printed it; empty before the first one. It is read when a
    /// spectator looks, because a game has no time for that.
    Printed(String),
    /// The result as an event brought it.
    Read(InfoView),
}

/// The longest `info` line that is kept, in bytes. A longer one is cut: its end is the later part
/// of the principal variation.
const MAX_INFO: usize = 2048;

impl LiveGames {
    /// The games in progress, for a spectator.
    pub(super) fn games(&self) -> Vec<Arc<LiveGame>> {
        *lock(&self.looked) = Some(Instant::now());
        lock(&self.games).values().cloned().collect()
    }

    /// The games in progress as a spectator that comes now gets them.
    pub fn views(&self) -> Vec<GameView> {
        self.games().iter().map(|game| game.view()).collect()
    }

    /// The pairings of the games in progress. This is no spectator's look.
    pub fn playing(&self) -> Vec<PairingId> {
        lock(&self.games).keys().map(|game| game.pairing).collect()
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
        let game = LiveGame::new(id, players, start, book.len(), LiveState::new());
        let game = Arc::new(game);
        lock(&self.games).insert(id, game.clone());
        Seat { games: self.clone(), game }
    }

    /// Applies an event of the boards of another process. Returns whether it continues the known
    /// state.
    pub fn apply(&self, event: BoardEvent) -> bool {
        let mut games = lock(&self.games);
        let known = games.get(&event.game());
        match event {
            BoardEvent::Begin(view) => {
                match known.filter(|game| game.is_continued_by(&view)) {
                    Some(game) => game.change(|state| *state = LiveState::from_view(*view)),
                    None => {
                        let game = LiveGame::from_view(*view);
                        games.insert(game.id, Arc::new(game));
                    }
                }
                true
            }
            BoardEvent::Game(update) => known.is_some_and(|game| game.update(*update)),
            BoardEvent::End(GameEnd { game, result, reason }) => {
                if let (Some(known), Some(ended)) = (known, result.zip(reason)) {
                    known.change(|state| (state.thinking, state.ended) = (None, Some(ended)));
                }
                games.remove(&game);
                true
            }
        }
    }

    /// Removes all games.
    pub fn clear(&self) {
        lock(&self.games).clear();
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
    fn new(
        id: GameId,
        players: [String; 2],
        start: Position,
        book: usize,
        state: LiveState,
    ) -> LiveGame {
        let (version, state) = (AtomicU64::new(1), Mutex::new(state));
        LiveGame { id, players, start, book, version, state }
    }

    fn from_view(view: GameView) -> LiveGame {
        let players = [view.white.clone(), view.black.clone()];
        LiveGame::new(view.game, players, view.start, view.book, LiveState::from_view(view))
    }

    /// A number that grows with every change.
    pub(super) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Reads the state in place.
    pub(super) fn read<T>(&self, read: impl FnOnce(&LiveState) -> T) -> T {
        read(&lock(&self.state))
    }

    /// The game at this moment.
    pub(super) fn view(&self) -> GameView {
        let [white, black] = self.players.clone();
        let kind = if self.start.debtor().is_some() { Kind::Vela } else { Kind::Riatra };
        self.read(|state| GameView {
            game: self.id,
            kind,
            white,
            black,
            start: self.start,
            book: self.book,
            single: state.phase_one,
            moves: state.moves.clone(),
            scores: state.scores.clone(),
            now: state.now(),
        })
    }

    /// Whether a view is a later state of this game.
    fn is_continued_by(&self, view: &GameView) -> bool {
        self.start == view.start
            && self.book == view.book
            && self.players[0] == view.white
            && self.players[1] == view.black
            && self.read(|state| view.moves.starts_with(&state.moves))
    }

    fn change(&self, change: impl FnOnce(&mut LiveState)) {
        change(&mut lock(&self.state));
        self.version.fetch_add(1, Ordering::Release);
    }

    /// Applies an update. Returns whether it continues the known state.
    fn update(&self, update: GameUpdate) -> bool {
        let scores = update.scores_before(self.book);
        let fits =
            |state: &LiveState| update.from <= state.moves.len() && scores <= state.scores.len();
        if !self.read(fits) {
            return false;
        }
        self.change(|state| {
            state.moves.truncate(update.from);
            state.moves.extend(update.moves);
            state.scores.truncate(scores);
            state.scores.extend(update.scores);
            state.phase_one = update.single;
            state.set_now(update.now);
        });
        true
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
            state.pondering[side as usize] = None;
            state.since = Instant::now();
            state.clocks = clocks.map(|clock| clock.map(milliseconds));
        });
    }

    /// A side searches in its opponent's time, as if this were the reply.
    pub fn ponders(&self, side: Side, reply: Move) {
        self.change(|state| state.pondering[side as usize] = Some(reply));
    }

    /// A side printed an `info` line with a score.
    pub fn heard(&self, side: Side, line: &str) {
        self.change(|state| {
            let kept = &mut state.info[side as usize];
            let line = safe_text::prefix(line, MAX_INFO);
            match kept {
                LastInfo::Printed(text) => {
                    text.clear();
                    text.push_str(line);
                }
                LastInfo::Read(_) => *kept = LastInfo::Printed(line.to_owned()),
            }
        });
    }

    /// The game is over.
    pub fn ended(&self, result: GameResult, reason: Reason) {
        self.change(|state| {
            (state.thinking, state.ended) = (None, Some((result, reason)));
            state.pondering = [None; 2];
        });
    }

    /// The score of the last move, as its engine reported it; empty if none.
    pub fn scored(&self, score: &str) {
        self.change(|state| state.scores.push(short_score(score)));
    }
}

impl LiveState {
    fn new() -> LiveState {
        LiveState {
            moves: Vec::new(),
            scores: Vec::new(),
            phase_one: 0,
            clocks: [None; 2],
            thinking: None,
            since: Instant::now(),
            pondering: [None; 2],
            info: [const { LastInfo::Printed(String::new()) }; 2],
            ended: None,
        }
    }

    fn from_view(view: GameView) -> LiveState {
        let GameView { single, moves, scores, now, .. } = view;
        let mut state = LiveState { moves, scores, phase_one: single, ..LiveState::new() };
        state.set_now(now);
        state
    }

    pub(super) fn now(&self) -> TurnState {
        let [w, b] = self.info.each_ref().map(LastInfo::view);
        TurnState {
            clocks: self.clocks,
            to_move: self.thinking,
            thinking_ms: milliseconds(self.since.elapsed()),
            pondering: self.pondering,
            info: Infos { w, b },
        }
    }

    fn set_now(&mut self, now: TurnState) {
        let TurnState { clocks, to_move, thinking_ms, pondering, info: Infos { w, b } } = now;
        (self.clocks, self.thinking, self.pondering) = (clocks, to_move, pondering);
        let time = Duration::from_millis(thinking_ms);
        self.since = Instant::now().checked_sub(time).unwrap_or_else(Instant::now);
        for (info, read) in self.info.iter_mut().zip([w, b]) {
            *info = read.map_or(LastInfo::Printed(String::new()), LastInfo::Read);
        }
    }
}

impl LastInfo {
    fn view(&self) -> Option<InfoView> {
        match self {
            LastInfo::Printed(line) => InfoView::from_line(line),
            LastInfo::Read(info) => Some(info.clone()),
        }
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
        let listed = || games.views().iter().map(|view| view.game.to_string()).collect::<Vec<_>>();
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
        let reply = "f4e5W".parse().unwrap();
        game.ponders(Side::White, reply);
        versions.push(game.version());
        assert_eq!(game.view().now.pondering, [Some(reply), None]);
        game.thinks(Side::Black, [None; 2]);
        assert_eq!(game.view().now.pondering, [Some(reply), None], "it ponders meanwhile");
        game.thinks(Side::White, [None; 2]);
        assert_eq!(game.view().now.pondering, [None; 2]);
        versions.push(game.version());
        game.scored("cp 5");
        versions.push(game.version());
        assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
        let view = game.view();
        assert_eq!((view.moves.len(), view.single), (1, 0));
        assert_eq!(view.scores, ["5"]);
        assert_eq!(view.now.info.w, InfoView::from_line("info score cp 5"));
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let game = games.begin("1".parse().unwrap(), [String::new(), String::new()], start, &[]);
        game.heard(Side::Black, &"é".repeat(MAX_INFO));
        game.read(|state| {
            let LastInfo::Printed(line) = &state.info[1] else { panic!("{state:?}") };
            assert!(line.len() <= MAX_INFO && line.len() > MAX_INFO - 4, "{}", line.len());
        });
    }
}
