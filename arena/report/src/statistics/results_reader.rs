//! Results of tournaments: who played whom, the kind, and the score. They come from the games as
//! they are written to `games.csv`, or from any `games.csv` with the columns `white`, `black` and
//! `result`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::{Position, Side};

use super::rows::SessionRow;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{PairKey, Sample, Score, ScoredGame};
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::record::{Fingerprint, GameIdentity, GameRow, both_names, parsed};
use fanorona_tournament::text::input_file;
use fanorona_tournament::text::plural::counted;
use fanorona_tournament::text::table::{FieldError, TableError, TableReader};

/// Results of any number of tournaments, counted while they are read. Only games whose pair is
/// still incomplete are kept in memory.
#[derive(Clone, Debug, Default)]
pub struct GameResults {
    /// Every decided or drawn game and session.
    pub sample: Sample,
    /// Games that an engine lost by a fault, by kind. For sessions, the faults in their games.
    pub faults: BTreeMap<(String, Kind), u64>,
    /// The engines' thinking times, if the files give them.
    pub thinking: BTreeMap<String, Thinking>,
    /// Notes for readers about the files.
    pub notes: Vec<String>,
    /// The files with sessions that were read: several files of games can lie beside one.
    session_files: HashSet<PathBuf>,
    /// Engines whose games are ignored.
    left_out: BTreeSet<String>,
    /// The number of pairs so far: every file numbers its own from 1.
    pairs: u64,
    /// The fingerprints of games and sessions with known moves.
    known: HashSet<Fingerprint>,
    /// Counts of games and sessions, and of repeats among them.
    pub played: Repeats,
    /// The number of games outside sessions, and of sessions, that have no result (`*`).
    pub void: u64,
}

/// The number of games, and of those that repeat earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repeats {
    /// The number of rated games outside sessions, and of rated sessions.
    pub games: u64,
    /// The number of them with the same players, colours, moves and result as an earlier one.
    pub repeated: u64,
}

/// An engine's thinking time over all its games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Thinking {
    /// Its own moves, without opening moves.
    pub moves: u64,
    /// Its thinking time in milliseconds, including a move that ended in a fault.
    pub milliseconds: u64,
}

/// A game outside a session, or a whole session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RatedGame<'r> {
    kind: Kind,
    /// The first player, which is White in riatra, the debtor in vela or the first player of a
    /// session; then the second.
    players: [&'r str; 2],
    /// The first player's score.
    score: Score,
    pair: u64,
    /// Whether it repeats an earlier game.
    repeat: bool,
}

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GameResultsError {
    /// The file cannot be opened.
    #[error("failed to read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its content is invalid.
    #[error("{}: {source}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Why.
        source: TableError,
    },
}

impl GameResults {
    /// No results yet, for these engines.
    pub fn of_engines<'n>(names: impl IntoIterator<Item = &'n str>) -> GameResults {
        let mut game_results = GameResults::default();
        names.into_iter().for_each(|name| game_results.sample.enter(name));
        game_results
    }

    /// Ignores every game in which one of these engines plays.
    pub fn without(mut self, names: impl IntoIterator<Item = String>) -> GameResults {
        self.left_out.extend(names);
        self
    }

    /// Begins a tournament, whose games and sessions follow in schedule order.
    pub fn tournament(self) -> TournamentResults {
        TournamentResults {
            pairs: Pairs::new(self.pairs),
            has_pairs: true,
            sessions: HashMap::new(),
            results: self,
        }
    }

    /// Adds the games of a file, and the sessions of a `sessions.csv` beside it.
    pub fn read(&mut self, path: &Path) -> Result<(), GameResultsError> {
        self.read_each(path, &mut |_| ())
    }

    /// Reads a file and shows every game and session that counts.
    fn read_each(
        &mut self,
        path: &Path,
        show: &mut impl FnMut(RatedGame<'_>),
    ) -> Result<(), GameResultsError> {
        let mut tournament = std::mem::take(self).tournament();
        let read = tournament.read(path, show);
        *self = tournament.finish();
        read
    }

    /// Counts a game or session; returns whether it repeats an earlier one.
    fn repeats(&mut self, played: Option<Fingerprint>) -> bool {
        let repeats = played.is_some_and(|played| !self.known.insert(played));
        self.played.games += 1;
        self.played.repeated += u64::from(repeats);
        repeats
    }

    /// Adds the score of a game or session.
    fn push(&mut self, game: &RatedGame<'_>) {
        let id = |name| self.sample.engine(name).expect("every engine met has entered");
        let [first, second] = game.players.map(id);
        let RatedGame { kind, score, pair, repeat, .. } = *game;
        let result = ScoredGame { first, second, kind, score, pair: PairKey(pair) };
        let taken = if repeat { self.sample.push_repeat(result) } else { self.sample.push(result) };
        taken.expect("the engines are two of the sample");
    }
}

/// The results of one tournament while they are added.
#[derive(Clone, Debug)]
pub struct TournamentResults {
    results: GameResults,
    pairs: Pairs,
    /// Whether rows say which pair they belong to.
    has_pairs: bool,
    /// The fingerprints of the sessions that games belong to.
    sessions: HashMap<u64, Option<Fingerprint>>,
}

impl TournamentResults {
    /// Adds a game.
    ///
    /// # Errors
    /// Returns an error if a field is invalid.
    pub fn game(&mut self, row: &GameRow<'_>) -> Result<(), FieldError> {
        self.add_game(row).map(drop)
    }

    /// Adds a session; its games come before it.
    ///
    /// # Errors
    /// Returns an error if a field is invalid.
    pub fn session(&mut self, row: &SessionRow) -> Result<(), FieldError> {
        self.add_session(row).map(drop)
    }

    /// The number of engines so far.
    pub fn engines(&self) -> usize {
        self.results.sample.engines().len()
    }

    /// All results so far.
    pub fn finish(self) -> GameResults {
        self.results
    }

    fn read(
        &mut self,
        path: &Path,
        show: &mut impl FnMut(RatedGame<'_>),
    ) -> Result<(), GameResultsError> {
        let open = |path: &Path| {
            let file = input_file::open_text(path);
            file.map_err(|source| GameResultsError::Unreadable { path: path.to_owned(), source })
        };
        let content = |path: &Path| {
            let path = path.to_owned();
            move |source| GameResultsError::Content { path, source }
        };
        let void_before = self.results.void;
        self.read_games(open(path)?, show).map_err(content(path))?;
        let beside = path.with_file_name("sessions.csv");
        if beside.is_file() {
            let file = beside.canonicalize().unwrap_or_else(|_| beside.clone());
            if self.results.session_files.insert(file) {
                self.read_sessions(open(&beside)?, show).map_err(content(&beside))?;
            }
        } else if !self.sessions.is_empty() {
            self.results.notes.push(format!(
                "{} contains games of sessions, but {} is missing: the sessions are not rated",
                path.display(),
                beside.display()
            ));
        }
        let void = self.results.void - void_before;
        if void > 0 {
            let games = counted(void, "game", "games");
            self.results.notes.push(format!("{}: {games} without a result (*)", path.display()));
        }
        Ok(())
    }

    fn read_games(
        &mut self,
        file: impl Read,
        show: &mut impl FnMut(RatedGame<'_>),
    ) -> Result<(), TableError> {
        // Names and error messages are displayed.
        let mut table = TableReader::new(file)?.made_safe();
        table.needs(&["white", "black", "result"])?;
        self.has_pairs = table.has("pair");
        while let Some((line, row)) = table.next()? {
            self.add_game(&row).map_err(|why| why.in_line(line))?.map(&mut *show);
        }
        Ok(())
    }

    fn read_sessions(
        &mut self,
        file: impl Read,
        show: &mut impl FnMut(RatedGame<'_>),
    ) -> Result<(), TableError> {
        let mut table = TableReader::new(file)?.made_safe();
        table.needs(&["first", "second", "result"])?;
        self.has_pairs = table.has("pair");
        while let Some((line, row)) = table.next()? {
            self.add_session(&row).map_err(|why| why.in_line(line))?.map(&mut *show);
        }
        Ok(())
    }

    /// Adds a game; returns it if it counts for the ratings by itself.
    fn add_game<'g>(&mut self, row: &'g GameRow<'_>) -> Result<Option<RatedGame<'g>>, FieldError> {
        let kind = match &*row.kind {
            "" => Kind::Riatra,
            word => parsed("kind", word)?,
        };
        let outcome: GameResult = parsed("result", &row.result)?;
        let players: [&str; 2] = [&row.white, &row.black];
        for (column, name) in ["white", "black"].into_iter().zip(players) {
            if name.is_empty() {
                return Err(FieldError::new(column, "the name is empty"));
            }
        }
        let results = &mut self.results;
        if players.iter().any(|&name| results.left_out.contains(name)) {
            return Ok(None);
        }
        // Engines without a counting result are part of the ranking as well.
        players.iter().for_each(|name| results.sample.enter(name));
        if let Some(offender) = row.offender.as_deref() {
            let kind = if row.session.is_some() { Kind::Session } else { kind };
            let both = offender == both_names(players[0], players[1]);
            let named = if both { &players[..] } else { &[offender][..] };
            if !both && !players.contains(&offender) {
                let why = format!("`{offender}` does not play in this game");
                return Err(FieldError::new("offender", why));
            }
            for name in named {
                *results.faults.entry(((*name).to_owned(), kind)).or_default() += 1;
            }
        }
        for (name, new) in players.into_iter().zip(thinking(row).into_iter().flatten()) {
            let Some(sum) = results.thinking.get_mut(name) else {
                results.thinking.insert(name.to_owned(), new);
                continue;
            };
            sum.moves += new.moves;
            sum.milliseconds += new.milliseconds;
        }
        let pair = self.pair_of(row.pair, players, kind);
        let (start, moves) = (&row.start, &row.moves);
        let identity = GameIdentity { players, kind, start, result: outcome, moves };
        // A game lost by a fault never counts as a repeat, nor does one whose moves the file does not have.
        let has_moves = !moves.is_empty() || row.plies == Some(0);
        let game = (row.offender.is_none() && has_moves).then(|| identity.fingerprint());
        if let Some(session) = row.session {
            let with_this = match self.sessions.get(&session) {
                None => game,
                Some(before) => before.zip(game).map(|(before, game)| before.followed_by(game)),
            };
            self.sessions.insert(session, with_this);
            return Ok(None);
        }
        if players[0] == players[1] {
            return Err(FieldError::new("black", "an engine plays itself"));
        }
        // In a vela the debtor is the first player, whatever its colour.
        let first = match kind {
            Kind::Vela if !start.is_empty() => {
                parsed::<Position>("start", start)?.debtor().unwrap_or(Side::White)
            }
            _ => Side::White,
        };
        let rated = outcome.of_first(first, players);
        self.results.void += u64::from(rated.is_none());
        Ok(rated.map(|(players, score)| self.count(kind, players, score, pair, game)))
    }

    /// Adds a session; returns it if it counts for the ratings.
    fn add_session<'g>(
        &mut self,
        row: &'g SessionRow,
    ) -> Result<Option<RatedGame<'g>>, FieldError> {
        let outcome: GameResult = parsed("result", &row.result)?;
        let players: [&str; 2] = [&row.first, &row.second];
        if players.iter().any(|&name| self.results.left_out.contains(name)) {
            return Ok(None);
        }
        players.iter().for_each(|name| self.results.sample.enter(name));
        if players[0] == players[1] {
            return Err(FieldError::new("second", "an engine plays itself"));
        }
        let kind = Kind::Session;
        let pair = self.pair_of(row.pair, players, kind);
        let played = self.sessions.get(&row.session).copied().flatten();
        let score = outcome.score_of(Side::White);
        self.results.void += u64::from(score.is_none());
        Ok(score.map(|score| self.count(kind, players, score, pair, played)))
    }

    /// The pair of a row, among those of all tournaments.
    fn pair_of(&mut self, number: Option<u64>, players: [&str; 2], kind: Kind) -> u64 {
        let pair = match (self.has_pairs, number) {
            (true, Some(number)) => self.pairs.numbered(number, players, kind),
            (true, None) => self.pairs.new_pair(),
            (false, _) => self.pairs.consecutive(players, kind),
        };
        self.results.pairs = self.pairs.last;
        pair
    }

    fn count<'g>(
        &mut self,
        kind: Kind,
        players: [&'g str; 2],
        score: Score,
        pair: u64,
        played: Option<Fingerprint>,
    ) -> RatedGame<'g> {
        let repeat = self.results.repeats(played);
        let game = RatedGame { kind, players, score, pair, repeat };
        self.results.push(&game);
        game
    }
}

/// The thinking time of White and Black in a game; `None` if the file does not give it.
fn thinking(row: &GameRow<'_>) -> Option<[Thinking; 2]> {
    let book = u64::from(row.book?);
    let asked = row.plies?.checked_sub(book)?;
    // The second field of a position is the side to move, which every opening move changes.
    let black_begins = row.start.split(' ').nth(1)? == "b";
    let black_is_first = black_begins != (book % 2 == 1);
    let (first, second) = (asked.div_ceil(2), asked / 2);
    let moves = if black_is_first { [second, first] } else { [first, second] };
    let [white, black] = moves.map(|moves| Thinking { moves, milliseconds: 0 });
    Some([
        Thinking { milliseconds: row.white_ms?, ..white },
        Thinking { milliseconds: row.black_ms?, ..black },
    ])
}

/// Numbers the pairs of a tournament, above those of earlier ones.
#[derive(Clone, Debug)]
struct Pairs {
    last: u64,
    /// Pairs with one game so far, by the file's pair number, players and kind: a file may use the
    /// same number for other players.
    half: HashMap<(u64, [String; 2], Kind), u64>,
    /// The previous game, if it may still get a partner.
    open: Option<([String; 2], Kind)>,
}

impl Pairs {
    fn new(base: u64) -> Pairs {
        Pairs { last: base, half: HashMap::new(), open: None }
    }

    /// The pair of a game by its number in the tournament.
    fn numbered(&mut self, number: u64, players: [&str; 2], kind: Kind) -> u64 {
        let mut engines = players.map(str::to_owned);
        engines.sort();
        let key = (number, engines, kind);
        if let Some(pair) = self.half.remove(&key) {
            return pair;
        }
        let pair = self.new_pair();
        self.half.insert(key, pair);
        pair
    }

    /// The pair of a game without a number: two consecutive games of the same engines and kind with
    /// colours swapped form a pair.
    fn consecutive(&mut self, players: [&str; 2], kind: Kind) -> u64 {
        let [white, black] = players;
        let partner = self.open.take().is_some_and(|(before, of_kind)| {
            (&*before[0], &*before[1], of_kind) == (black, white, kind)
        });
        if partner {
            return self.last;
        }
        self.open = Some((players.map(str::to_owned), kind));
        self.new_pair()
    }

    fn new_pair(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(files: &[(&str, &str)]) -> Result<(GameResults, Vec<String>), GameResultsError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let mut game_results = GameResults::default();
        let drawn = drawn(&mut game_results, &dir.path().join("games.csv"))?;
        Ok((game_results, drawn))
    }

    /// Every game and session of a file as `kind first-second score pair`.
    fn drawn(game_results: &mut GameResults, path: &Path) -> Result<Vec<String>, GameResultsError> {
        let mut lines = Vec::new();
        game_results.read_each(path, &mut |game| {
            let RatedGame { kind, players: [first, second], score, pair, .. } = game;
            lines.push(format!("{kind} {first}-{second} {score:?} {pair}"));
        })?;
        Ok(lines)
    }

    #[test]
    fn three_columns_are_enough() {
        let games = "white,black,result\na,b,1-0\nb,a,0-1\na,b,1/2-1/2\na,b,1-0\nb,a,*\n";
        let (game_results, drawn) = read(&[("games.csv", games)]).unwrap();
        assert_eq!(
            drawn,
            ["riatra a-b Win 1", "riatra b-a Loss 1", "riatra a-b Draw 2", "riatra a-b Win 3"]
        );
        assert_eq!(game_results.void, 1);
        assert!(game_results.notes[0].ends_with("games.csv: 1 game without a result (*)"));
    }

    #[test]
    fn a_session_without_a_result_counts_once() {
        let games = "game,session,kind,white,black,result\n1.1,1,riatra,a,b,1-0\n1.2,1,riatra,b,a,*\n\
                     3,,riatra,a,b,*\n";
        let sessions = "session,pair,first,second,result\n1,1,a,b,*\n";
        let (game_results, drawn) =
            read(&[("games.csv", games), ("sessions.csv", sessions)]).unwrap();
        assert_eq!((game_results.void, drawn.len()), (2, 0));
        assert!(game_results.notes[0].ends_with("games.csv: 2 games without a result (*)"));
    }

    #[test]
    fn the_debtor_is_first_in_vela_and_games_of_sessions_count_through_their_session() {
        let games = "\
game,pair,session,kind,white,black,result,start,offender
1,1,,vela,a,b,1-0,bbb/b1W/WWW w w 0 1,
2,1,,vela,a,b,1-0,bbb/b1W/WWW w b 0 1,b
3.1,,3,riatra,a,b,1-0,bbb/b1W/WWW w - 0 1,b
";
        let sessions = "session,pair,first,second,result\n3,2,a,b,0-1\n";
        let (game_results, drawn) =
            read(&[("games.csv", games), ("sessions.csv", sessions)]).unwrap();
        assert_eq!(drawn, ["vela a-b Win 1", "vela b-a Loss 1", "session a-b Loss 3"]);
        assert_eq!(game_results.faults[&("b".to_owned(), Kind::Session)], 1);
        assert_eq!(game_results.faults[&("b".to_owned(), Kind::Vela)], 1);
        let (alone, _) = read(&[("games.csv", games)]).unwrap();
        assert!(alone.notes[0].contains("sessions.csv"), "{:?}", alone.notes);
    }

    #[test]
    fn sessions_beside_two_files_count_once() {
        let dir = tempfile::tempdir().unwrap();
        let games = "white,black,result\na,b,1-0\n";
        let files = ["riatra.csv", "vela.csv"].map(|name| dir.path().join(name));
        files.iter().for_each(|file| fs::write(file, games).unwrap());
        let sessions = "session,pair,first,second,result\n3,2,a,b,0-1\n";
        fs::write(dir.path().join("sessions.csv"), sessions).unwrap();
        let mut game_results = GameResults::default();
        let lines = files.map(|file| drawn(&mut game_results, &file).unwrap().len());
        assert_eq!(lines, [2, 1]);
    }

    #[test]
    fn thinking_is_counted_where_the_file_says_so() {
        let games = "\
white,black,result,plies,book,start,white_ms,black_ms
a,b,1-0,7,2,bbb/b1W/WWW w - 0 1,300,50
b,a,1-0,6,1,bbb/b1W/WWW w - 0 1,40,200
b,a,1-0,4,1,bbb/b1W/WWW b - 0 1,4,2
b,a,1-0,,1,bbb/b1W/WWW b - 0 1,4,2
";
        let (game_results, _) = read(&[("games.csv", games)]).unwrap();
        let of = |name: &str| game_results.thinking[name];
        assert_eq!(of("a"), Thinking { moves: 3 + 3 + 1, milliseconds: 502 });
        assert_eq!(of("b"), Thinking { moves: 2 + 2 + 2, milliseconds: 94 });
    }

    #[test]
    fn pairs_of_different_files_stay_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.csv");
        fs::write(&path, "pair,white,black,result\n7,a,b,1-0\n7,b,a,1-0\n").unwrap();
        let mut game_results = GameResults::default();
        for pair in 1..3 {
            let lines = ["a-b", "b-a"].map(|players| format!("riatra {players} Win {pair}"));
            assert_eq!(drawn(&mut game_results, &path).unwrap(), lines);
        }
    }

    #[test]
    fn pairs_between_others_are_others() {
        let games = "pair,white,black,result\n1,a,b,1-0\n1,c,a,1-0\n1,b,a,1-0\n1,a,c,1-0\n\
                     1,a,c,1-0\n,a,b,1-0\n,b,a,1-0\n";
        let (_, drawn) = read(&[("games.csv", games)]).unwrap();
        let pairs: Vec<&str> = drawn.iter().map(|line| line.rsplit(' ').next().unwrap()).collect();
        assert_eq!(pairs, ["1", "2", "1", "2", "3", "4", "5"]);
    }

    #[test]
    fn sessions_with_the_same_games_repeat_each_other() {
        let mut games = "game,session,kind,white,black,result,start,moves\n".to_owned();
        let mut sessions = "session,pair,first,second,result\n".to_owned();
        for (session, last) in [(1, "c1c2"), (3, "c1b2W"), (5, "c1c2")] {
            for (of, moves) in [(1, "c1b2A"), (2, last)] {
                let start = "bbb/b1W/WWW w - 0 1";
                games += &format!("{session}.{of},{session},riatra,a,b,1-0,{start},{moves}\n");
            }
            sessions += &format!("{session},{session},a,b,1-0\n");
        }
        let (game_results, _) =
            read(&[("games.csv", &games), ("sessions.csv", &sessions)]).unwrap();
        assert_eq!(game_results.played, Repeats { games: 3, repeated: 1 });
    }

    #[test]
    fn games_without_a_move_repeat_each_other() {
        let games =
            "pair,white,black,result,plies,moves\n1,a,b,0-1,0,\n2,a,b,0-1,0,\n3,a,b,0-1,5,\n";
        let (game_results, _) = read(&[("games.csv", games)]).unwrap();
        // The moves of the third are not in the file.
        assert_eq!(game_results.played, Repeats { games: 3, repeated: 1 });
    }

    #[test]
    fn engines_may_be_left_out() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.csv");
        let games = "white,black,result,offender\na,b,1-0,b\na,c,1-0,c\nc,b,1-0,b\n";
        fs::write(&path, games).unwrap();
        let mut game_results = GameResults::of_engines(["a", "b"]).without(["c".to_owned()]);
        game_results.read(&path).unwrap();
        let names: Vec<_> =
            game_results.sample.engines().map(|(_, name)| name.to_owned()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(game_results.faults, BTreeMap::from([(("b".to_owned(), Kind::Riatra), 1)]));
        let id = |name| game_results.sample.engine(name).unwrap();
        let tally = game_results.sample.tally(id("a"), id("b"), Kind::Riatra.into());
        assert_eq!((tally.wins, tally.games()), (1, 1));
    }

    #[test]
    fn errors_name_their_place() {
        for (games, part) in [
            ("", "no column `white`"),
            ("white,black\na,b\n", "no column `result`; the columns are white, black"),
            (
                "white,black,result\na,b,2-0\n",
                "games.csv: line 2: the column `result`: `2-0` is not a result",
            ),
            (
                "white,black,result\na,a,1-0\n",
                "games.csv: line 2: the column `black`: an engine plays itself",
            ),
            (
                "white,black,result,kind\na,b,1-0,chess\n",
                "games.csv: line 2: the column `kind`: unknown kind `chess`",
            ),
            ("white,black,result\n,b,1-0\n", "line 2: the column `white`: the name is empty"),
            (
                "white,black,result,offender\na,b,1-0,c\n",
                "the column `offender`: `c` does not play in this game",
            ),
            ("white,black,result,pair\na,b,1-0,x\n", "the column `pair`: `x` is not a number"),
            ("white,black,result\na,b\n", "is not a valid CSV file"),
        ] {
            let error = read(&[("games.csv", games)]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
