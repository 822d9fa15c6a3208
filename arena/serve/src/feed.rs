//! The games in progress as the pages see them: their state, and the updates that lead to it.
//!
//! An update says from which move on it continues, so a page can apply it twice, and notices when
//! it has missed one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use fanorona_protocol::messages::Reply;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::positions::letter;
use fanorona_ratings::kind::Kind;
use fanorona_report::words::short_score;
use fanorona_runner::live::{LiveGame, LiveGames, LiveState};
use fanorona_tournament::pairing::ids::GameId;

/// The moves of a principal variation that a page gets.
const MAX_PV: usize = 12;

/// A game in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameView {
    game: String,
    kind: Kind,
    white: String,
    black: String,
    start: String,
    book: usize,
    single: usize,
    moves: Vec<String>,
    scores: Vec<String>,
    #[serde(flatten)]
    now: Now,
}

/// What holds at this moment of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Now {
    /// Milliseconds on the clocks of White and Black when the current move began.
    clocks: [Option<u64>; 2],
    to_move: Option<char>,
    /// The milliseconds since the current move began.
    thinking_ms: u64,
    info: Infos,
}

/// The last search result of each engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Infos {
    w: Option<InfoView>,
    b: Option<InfoView>,
}

/// A search result as a page shows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct InfoView {
    score: String,
    depth: Option<u32>,
    nodes: Option<u64>,
    nps: Option<u64>,
    pv: Vec<String>,
}

/// An update of a game: what follows its first `from` moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameUpdate {
    game: String,
    from: usize,
    single: usize,
    moves: Vec<String>,
    scores: Vec<String>,
    #[serde(flatten)]
    now: Now,
}

/// What changes on the boards of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
pub enum BoardEvent {
    /// A game begins, or is seen for the first time.
    Begin(Box<GameView>),
    /// A game continues.
    Game(Box<GameUpdate>),
    /// A game is over.
    End {
        /// Its number.
        game: String,
        /// Its result; `None` if it was interrupted, or if nobody said it.
        #[serde(default)]
        result: Option<String>,
        /// How it ended.
        #[serde(default)]
        reason: Option<String>,
    },
}

impl InfoView {
    /// Reads an `info` line.
    pub(super) fn of_line(line: &str) -> Option<InfoView> {
        let Ok(Reply::Info(info)) = line.parse() else { return None };
        let pv = info.pv.iter().take(MAX_PV).map(ToString::to_string);
        Some(InfoView {
            score: info.score.map_or(String::new(), |score| short_score(&score.to_string())),
            depth: info.depth,
            nodes: info.nodes,
            nps: info.nps,
            pv: pv.collect(),
        })
    }
}

impl Now {
    fn new(state: &LiveState) -> Now {
        let [w, b] = [0, 1].map(|side| InfoView::of_line(&state.info[side]));
        Now {
            clocks: state.clocks.map(|clock| clock.map(|left| left.as_millis() as u64)),
            to_move: state.thinking.map(letter),
            thinking_ms: state.since.elapsed().as_millis() as u64,
            info: Infos { w, b },
        }
    }
}

impl GameView {
    fn new(game: &LiveGame, state: &LiveState) -> GameView {
        let [white, black] = game.players.clone();
        GameView {
            game: game.id.to_string(),
            kind: if game.start.debtor().is_some() { Kind::Vela } else { Kind::Riatra },
            white,
            black,
            start: game.start.to_string(),
            book: game.book,
            single: state.phase_one,
            moves: state.moves.iter().map(ToString::to_string).collect(),
            scores: state.scores.iter().map(|score| short_score(score)).collect(),
            now: Now::new(state),
        }
    }

    /// Applies an update. Returns whether it continues what is known.
    fn apply(&mut self, update: &GameUpdate) -> bool {
        let scores = update.from.saturating_sub(self.book);
        if update.from > self.moves.len() || scores > self.scores.len() {
            return false;
        }
        self.moves.truncate(update.from);
        self.moves.extend_from_slice(&update.moves);
        self.scores.truncate(scores);
        self.scores.extend_from_slice(&update.scores);
        self.single = update.single;
        self.now = update.now.clone();
        true
    }
}

/// Finds what has changed on the boards since the last look.
#[derive(Debug, Default)]
pub struct Watcher {
    /// The version and the number of moves at the last look.
    seen: BTreeMap<GameId, (Arc<LiveGame>, u64, usize)>,
}

impl Watcher {
    /// The changes since the last look.
    pub fn look(&mut self, games: &LiveGames) -> Vec<BoardEvent> {
        let games = games.games();
        let mut events = Vec::new();
        // A game that is repeated has the same number, but another place.
        let is_here = |id: &GameId, known: &Arc<LiveGame>| {
            games.iter().any(|game| game.id == *id && Arc::ptr_eq(game, known))
        };
        self.seen.retain(|id, (known, seen, moves)| {
            let here = is_here(id, known);
            if !here {
                // Its last moves come before its end.
                if known.version() != *seen {
                    let last = known.read(|state| update(known, state, *moves));
                    events.push(BoardEvent::Game(Box::new(last)));
                }
                let ended = known.read(|state| state.ended);
                events.push(BoardEvent::End {
                    game: id.to_string(),
                    result: ended.map(|(result, _)| result.to_string()),
                    reason: ended.map(|(_, reason)| reason.to_string()),
                });
            }
            here
        });
        for game in games {
            let version = game.version();
            match self.seen.get_mut(&game.id) {
                Some((_, seen, _)) if *seen == version => {}
                Some((_, seen, moves)) => {
                    let state = game.state();
                    events.push(BoardEvent::Game(Box::new(update(&game, &state, *moves))));
                    (*seen, *moves) = (version, state.moves.len());
                }
                None => {
                    let state = game.state();
                    events.push(BoardEvent::Begin(Box::new(GameView::new(&game, &state))));
                    self.seen.insert(game.id, (game, version, state.moves.len()));
                }
            }
        }
        events
    }
}

/// What follows the first moves of a game.
fn update(game: &LiveGame, state: &LiveState, from: usize) -> GameUpdate {
    // The score of a move comes a moment after the move, so the last move may have had none.
    let from = from.min(state.moves.len()).saturating_sub(1);
    let scores = from.saturating_sub(game.book).min(state.scores.len());
    GameUpdate {
        game: game.id.to_string(),
        from,
        single: state.phase_one,
        moves: state.moves[from..].iter().map(ToString::to_string).collect(),
        scores: state.scores[scores..].iter().map(|score| short_score(score)).collect(),
        now: Now::new(state),
    }
}

/// The boards of a tournament, kept up to date by events.
#[derive(Debug, Default)]
pub(super) struct Boards {
    games: BTreeMap<String, (GameView, Option<Instant>)>,
}

impl Boards {
    /// Applies an event. Returns whether it fits what is known.
    pub(super) fn apply(&mut self, event: &BoardEvent) -> bool {
        let now = Instant::now();
        match event {
            BoardEvent::Begin(view) => {
                self.games.insert(view.game.clone(), ((**view).clone(), Some(now)));
                true
            }
            BoardEvent::Game(update) => match self.games.get_mut(&update.game) {
                Some((view, since)) => {
                    *since = Some(now);
                    view.apply(update)
                }
                None => false,
            },
            BoardEvent::End { game, .. } => {
                self.games.remove(game);
                true
            }
        }
    }

    /// Removes all games.
    pub(super) fn clear(&mut self) {
        self.games.clear();
    }

    /// The games as a page that connects now gets them.
    pub(super) fn views(&self) -> Vec<GameView> {
        let views = self.games.values().map(|(view, since)| {
            let mut view = view.clone();
            let more = since.map_or(0, |since| since.elapsed().as_millis() as u64);
            view.now.thinking_ms += more;
            view
        });
        views.collect()
    }
}

/// A line with an event of the boards.
#[derive(Deserialize)]
struct BoardLine {
    board: BoardEvent,
}

/// The event of the boards in a line; `None` for other lines.
pub(super) fn board_of_line(line: &str) -> Option<BoardEvent> {
    serde_json::from_str(line).ok().map(|BoardLine { board }| board)
}

/// The line of an event of the boards.
pub fn board_line(event: &BoardEvent) -> String {
    json!({ "board": event }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Side, Start};
    use fanorona_tournament::game::termination::{GameResult, Reason};
    use std::time::Duration;

    #[test]
    fn updates_lead_to_the_state_of_the_game() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let names = || ["a".to_owned(), "b".to_owned()];
        let book = ["e2e3A".parse().unwrap()];
        let seat = games.begin("7".parse().unwrap(), names(), start, &book);
        let (mut watcher, mut boards) = (Watcher::default(), Boards::default());
        let mut look = |boards: &mut Boards| {
            let events = watcher.look(&games);
            assert!(events.iter().all(|event| boards.apply(event)), "{events:?}");
            // Events travel as JSON.
            let text = serde_json::to_string(&events).unwrap();
            assert_eq!(serde_json::from_str::<Vec<BoardEvent>>(&text).unwrap(), events);
            events.len()
        };
        assert_eq!(look(&mut boards), 1);
        assert_eq!(look(&mut boards), 0);
        seat.moved(&start, book[0]);
        seat.thinks(Side::Black, [Some(Duration::from_secs(3)); 2]);
        seat.heard(Side::Black, "info depth 3 score cp -5 nodes 9 nps 8 pv e5e4 d3d2");
        assert_eq!(look(&mut boards), 1);
        let after = start.play(&Default::default(), &book[0]).unwrap();
        seat.moved(&after, "a5a4".parse().unwrap());
        // Between the move and its score.
        assert_eq!(look(&mut boards), 1);
        seat.scored("cp -5".to_owned());
        assert_eq!(look(&mut boards), 1);
        let mut views = boards.views();
        views[0].now.thinking_ms = 0;
        assert_eq!(
            (&views[0].moves[..], &views[0].scores[..]),
            (&["e2e3A".to_owned(), "a5a4".to_owned()][..], &["-5".to_owned()][..])
        );
        let info = views[0].now.info.b.clone().unwrap();
        assert_eq!((info.depth, info.pv.len(), &*info.score), (Some(3), 2, "-5"));
        drop(seat);
        let again = games.begin("7".parse().unwrap(), names(), start, &[]);
        assert_eq!(look(&mut boards), 2);
        assert_eq!(boards.views()[0].moves.len(), 0);
        drop(again);
        assert_eq!(look(&mut boards), 1);
        assert!(boards.views().is_empty());
    }

    #[test]
    fn the_end_of_a_game_says_how_it_ended_after_its_last_moves() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let begin = |id: &str| {
            games.begin(id.parse().unwrap(), ["a".to_owned(), "b".to_owned()], start, &[])
        };
        let (played, interrupted) = (begin("1"), begin("2"));
        let mut watcher = Watcher::default();
        watcher.look(&games);
        played.moved(&start, "e2e3A".parse().unwrap());
        played.ended(GameResult::Won(Side::White), Reason::Resign);
        drop((played, interrupted));
        let end = |game: &str, result: Option<&str>, reason: Option<&str>| BoardEvent::End {
            game: game.to_owned(),
            result: result.map(str::to_owned),
            reason: reason.map(str::to_owned),
        };
        let events = watcher.look(&games);
        let [BoardEvent::Game(last), one, other] = &events[..] else { panic!("{events:?}") };
        assert_eq!((&*last.moves[0], last.now.to_move), ("e2e3A", None));
        assert_eq!(*one, end("1", Some("1-0"), Some("resign")));
        assert_eq!(*other, end("2", None, None));
    }

    #[test]
    fn a_missed_update_is_noticed() {
        let games = Arc::new(LiveGames::default());
        let start = Start::TSIVY.riatra();
        let seat = games.begin("1".parse().unwrap(), [String::new(), String::new()], start, &[]);
        let (mut watcher, mut boards) = (Watcher::default(), Boards::default());
        watcher.look(&games).iter().for_each(|event| assert!(boards.apply(event)));
        let mut next = |mv: &str| {
            seat.moved(&start, mv.parse().unwrap());
            seat.scored(String::new());
            watcher.look(&games)
        };
        next("e2e3A");
        next("e5e4");
        assert!(!next("e1e2").iter().all(|event| boards.apply(event)));
    }
}
