//! Reads results from CSV files: who played whom, the kind, and the score. Any `games.csv` with the
//! columns `white`, `black` and `result` is accepted.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::{Position, Side};

use crate::game::termination::GameResult;
use crate::ratings::kind::Kind;
use crate::ratings::{self, PairId, Sample, Score};
use crate::record::{Fingerprint, GameIdentity, both_names};
use crate::text::input_file::{self, Rows};
use crate::text::safe_text;

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
    /// Engines whose games are ignored.
    left_out: BTreeSet<String>,
    /// The number of pairs so far: every file numbers its own from 1.
    pairs: u64,
    /// The fingerprints of games and sessions with known moves.
    known: HashSet<Fingerprint>,
    /// Counts of games and sessions, and of repeats among them.
    pub played: Repeats,
}

/// How many games repeat earlier ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Repeats {
    /// The number of rated games outside sessions, and of rated sessions.
    pub games: u64,
    /// Those with the same players, colours, moves and result as an earlier one.
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
    /// The file cannot be opened or read.
    #[error("failed to read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is not CSV.
    #[error("{} is not a valid CSV file: {source}", .path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// Why.
        source: csv::Error,
    },
    /// A required column is missing.
    #[error(
        "{} has no column `{column}`; its first line has the columns {}",
        .path.display(),
        if .found.is_empty() { "none".to_owned() } else { .found.join(", ") }
    )]
    Column {
        /// The file.
        path: PathBuf,
        /// The missing column.
        column: &'static str,
        /// The existing columns.
        found: Vec<String>,
    },
    /// An invalid field.
    #[error("{}:{line}: {why}", .path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
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

    /// Adds the games of a file, and the sessions of a `sessions.csv` beside it.
    pub fn read(&mut self, path: &Path) -> Result<(), GameResultsError> {
        self.read_to(path, &mut |sample, contest| {
            let id = |name| sample.engine(name).expect("every engine met has entered");
            let [first, second] = contest.players.map(id);
            let RatedGame { kind, score, pair, repeat, .. } = contest;
            let result = ratings::GameResult { first, second, kind, score, pair: PairId(pair) };
            let taken = if repeat { sample.push_repeat(result) } else { sample.push(result) };
            taken.expect("the engines are two of the sample");
        })
    }

    /// Reads a file and passes on every game and session in it.
    fn read_to(
        &mut self,
        path: &Path,
        take: &mut impl FnMut(&mut Sample, RatedGame<'_>),
    ) -> Result<(), GameResultsError> {
        let sessions = self.add_games(Table::open(path)?, take)?;
        let beside = path.with_file_name("sessions.csv");
        if beside.is_file() {
            self.add_sessions(Table::open(&beside)?, &sessions, take)?;
        } else if !sessions.is_empty() {
            self.notes.push(format!(
                "{} contains games of sessions, but {} is missing: the sessions are not rated",
                path.display(),
                beside.display()
            ));
        }
        Ok(())
    }

    /// Adds games. Returns the fingerprints of the sessions that games belong to.
    fn add_games(
        &mut self,
        mut table: Table,
        take: &mut impl FnMut(&mut Sample, RatedGame<'_>),
    ) -> Result<HashMap<String, Option<Fingerprint>>, GameResultsError> {
        let (white, black) = (table.column("white")?, table.column("black")?);
        let result = table.column("result")?;
        let identity = IdentityColumns::of(&table);
        let mut pairs = Pairs::new(self.pairs, table.has("pair"));
        let mut sessions: HashMap<String, Option<Fingerprint>> = HashMap::new();
        while let Some(row) = table.next()? {
            let kind = match row.get("kind") {
                None | Some("") => Kind::Riatra,
                Some(word) => word.parse().map_err(|why| row.wrong(&why))?,
            };
            let session = row.get("session").filter(|id| !id.is_empty());
            let in_session = session.is_some();
            let outcome: GameResult = row.at(result).parse().map_err(|why| row.wrong(&why))?;
            let players = [row.at(white), row.at(black)];
            if players.iter().any(|&name| self.left_out.contains(name)) {
                continue;
            }
            // Engines without a counting result are part of the ranking as well.
            players.iter().for_each(|name| self.sample.enter(name));
            if let Some(offender) = row.get("offender").filter(|name| !name.is_empty()) {
                let kind = if in_session { Kind::Session } else { kind };
                let both = offender == both_names(players[0], players[1]);
                let named = if both { &players[..] } else { &[offender][..] };
                for name in named {
                    *self.faults.entry(((*name).to_owned(), kind)).or_default() += 1;
                }
            }
            for (name, new) in players.into_iter().zip(thinking(&row).into_iter().flatten()) {
                let Some(sum) = self.thinking.get_mut(name) else {
                    self.thinking.insert(name.to_owned(), new);
                    continue;
                };
                sum.moves += new.moves;
                sum.milliseconds += new.milliseconds;
            }
            let pair = pairs.of(&row, players, kind)?;
            let game = identity.fingerprint(&row, players, kind, outcome);
            if let Some(session) = session {
                let so_far = sessions.get(session).copied();
                let with_this = match so_far {
                    None => game,
                    Some(before) => before.zip(game).map(|(before, game)| before.followed_by(game)),
                };
                sessions.insert(session.to_owned(), with_this);
                continue;
            }
            let [white, black] = players;
            if white == black {
                return Err(row.wrong(&"an engine plays itself"));
            }
            // In a vela the debtor is the first player, whatever its colour.
            let debtor = match row.get("start") {
                Some(start) if kind == Kind::Vela => {
                    let start: Position = start.parse().map_err(|why| row.wrong(&why))?;
                    start.debtor().unwrap_or(Side::White)
                }
                _ => Side::White,
            };
            let players = if debtor == Side::White { [white, black] } else { [black, white] };
            if let Some(score) = score_of(outcome, debtor) {
                let repeat = self.repeats(game);
                take(&mut self.sample, RatedGame { kind, players, score, pair, repeat });
            }
        }
        self.pairs = pairs.last;
        Ok(sessions)
    }

    /// Counts a game or session; returns whether it repeats an earlier one.
    fn repeats(&mut self, played: Option<Fingerprint>) -> bool {
        let repeats = played.is_some_and(|played| !self.known.insert(played));
        self.played.games += 1;
        self.played.repeated += u64::from(repeats);
        repeats
    }

    fn add_sessions(
        &mut self,
        mut table: Table,
        games: &HashMap<String, Option<Fingerprint>>,
        take: &mut impl FnMut(&mut Sample, RatedGame<'_>),
    ) -> Result<(), GameResultsError> {
        let (first, second) = (table.column("first")?, table.column("second")?);
        let result = table.column("result")?;
        let mut pairs = Pairs::new(self.pairs, table.has("pair"));
        while let Some(row) = table.next()? {
            let outcome: GameResult = row.at(result).parse().map_err(|why| row.wrong(&why))?;
            let players = [row.at(first), row.at(second)];
            if players.iter().any(|&name| self.left_out.contains(name)) {
                continue;
            }
            players.iter().for_each(|name| self.sample.enter(name));
            if players[0] == players[1] {
                return Err(row.wrong(&"an engine plays itself"));
            }
            let kind = Kind::Session;
            let pair = pairs.of(&row, players, kind)?;
            if let Some(score) = score_of(outcome, Side::White) {
                let repeat = self.repeats(row.get("session").and_then(|id| *games.get(id)?));
                take(&mut self.sample, RatedGame { kind, players, score, pair, repeat });
            }
        }
        self.pairs = pairs.last;
        Ok(())
    }
}

/// The columns that identify a game, besides its players and kind.
struct IdentityColumns {
    moves: Option<usize>,
    start: Option<usize>,
    offender: Option<usize>,
}

impl IdentityColumns {
    fn of(table: &Table) -> IdentityColumns {
        let place = |name| table.columns.iter().position(|column| column == name);
        IdentityColumns {
            moves: place("moves").or_else(|| place("turns")),
            start: place("start"),
            offender: place("offender"),
        }
    }

    /// The fingerprint of a row's game. `None` if the file has no moves, and for a game lost by a
    /// fault, which never counts as a repeat.
    fn fingerprint(
        &self,
        row: &Row<'_>,
        players: [&str; 2],
        kind: Kind,
        result: GameResult,
    ) -> Option<Fingerprint> {
        let at = |column: Option<usize>| column.map_or("", |column| row.at(column));
        let (start, moves) = (at(self.start), at(self.moves));
        let identity = GameIdentity { players, kind, start, result, moves };
        identity.fingerprint().filter(|_| at(self.offender).is_empty())
    }
}

/// The thinking time of White and Black in a game; `None` if the file does not give it.
fn thinking(row: &Row<'_>) -> Option<[Thinking; 2]> {
    let number = |column| row.get(column)?.parse::<u64>().ok();
    let asked = number("plies")?.checked_sub(number("book")?)?;
    // The second field of a position is the side to move, which every opening move changes.
    let black_begins = row.get("start")?.split(' ').nth(1)? == "b";
    let black_is_first = black_begins != (number("book")? % 2 == 1);
    let (first, second) = (asked.div_ceil(2), asked / 2);
    let moves = if black_is_first { [second, first] } else { [first, second] };
    let [white, black] = moves.map(|moves| Thinking { moves, milliseconds: 0 });
    Some([
        Thinking { milliseconds: number("white_ms")?, ..white },
        Thinking { milliseconds: number("black_ms")?, ..black },
    ])
}

/// A side's score; `None` if the game has no result.
pub(crate) fn score_of(result: GameResult, side: Side) -> Option<Score> {
    match result {
        GameResult::Won(winner) if winner == side => Some(Score::Win),
        GameResult::Won(_) => Some(Score::Loss),
        GameResult::Drawn => Some(Score::Draw),
        GameResult::Void => None,
    }
}

/// Numbers the pairs of a file.
struct Pairs {
    last: u64,
    given: bool,
    /// Pairs with one game so far, by the file's pair number, players and kind: a file may use the
    /// same number for other players.
    half: HashMap<(u64, [String; 2], Kind), u64>,
    /// The previous game, if it may still get a partner.
    open: Option<([String; 2], Kind)>,
}

impl Pairs {
    /// Numbers pairs from `base` on, above those of earlier files.
    fn new(base: u64, given: bool) -> Pairs {
        Pairs { last: base, given, half: HashMap::new(), open: None }
    }

    /// The pair of a row. Without a pair column, two consecutive games of the same engines and kind
    /// with colours swapped form a pair.
    fn of(
        &mut self,
        row: &Row<'_>,
        players: [&str; 2],
        kind: Kind,
    ) -> Result<u64, GameResultsError> {
        if self.given {
            let word = row.get("pair").unwrap_or_default();
            if word.is_empty() {
                return Ok(self.new_pair());
            }
            let Ok(number) = word.parse::<u64>() else {
                return Err(row.wrong(&format!("pair `{word}` is not a number")));
            };
            let mut engines = players.map(str::to_owned);
            engines.sort();
            let key = (number, engines, kind);
            if let Some(pair) = self.half.remove(&key) {
                return Ok(pair);
            }
            let pair = self.new_pair();
            self.half.insert(key, pair);
            return Ok(pair);
        }
        let [white, black] = players;
        let partner = self.open.take().is_some_and(|(before, of_kind)| {
            (&*before[0], &*before[1], of_kind) == (black, white, kind)
        });
        if partner {
            return Ok(self.last);
        }
        self.open = Some((players.map(str::to_owned), kind));
        Ok(self.new_pair())
    }

    fn new_pair(&mut self) -> u64 {
        self.last += 1;
        self.last
    }
}

/// A CSV file with a header line, read row by row.
struct Table {
    path: PathBuf,
    columns: Vec<String>,
    reader: csv::Reader<Rows<File>>,
    fields: csv::StringRecord,
}

impl Table {
    fn open(path: &Path) -> Result<Table, GameResultsError> {
        let file = input_file::open(path)
            .map_err(|source| GameResultsError::Unreadable { path: path.to_owned(), source })?;
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(Rows::new(file));
        let headers = reader.headers().map_err(|error| unreadable(path, error))?;
        let columns = headers.iter().map(str::to_owned).collect();
        reader.get_mut().next_row();
        let fields = csv::StringRecord::new();
        Ok(Table { path: path.to_owned(), columns, reader, fields })
    }

    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column == name)
    }

    fn column(&self, name: &'static str) -> Result<usize, GameResultsError> {
        let found = self.columns.iter().position(|column| column == name);
        found.ok_or_else(|| GameResultsError::Column {
            path: self.path.clone(),
            column: name,
            found: self.columns.clone(),
        })
    }

    /// The next row.
    fn next(&mut self) -> Result<Option<Row<'_>>, GameResultsError> {
        let read = self.reader.read_record(&mut self.fields);
        let more = read.map_err(|error| unreadable(&self.path, error))?;
        self.reader.get_mut().next_row();
        // Names and error messages are displayed.
        if self.fields.iter().any(|field| field.contains(safe_text::is_unsafe)) {
            let position = self.fields.position().cloned();
            self.fields = self.fields.iter().map(safe_text::line).collect();
            self.fields.set_position(position);
        }
        Ok(more.then_some(Row { path: &self.path, columns: &self.columns, fields: &self.fields }))
    }
}

fn unreadable(path: &Path, error: csv::Error) -> GameResultsError {
    let path = path.to_owned();
    match error.is_io_error() {
        true => GameResultsError::Unreadable { path, source: error.into() },
        false => GameResultsError::Csv { path, source: error },
    }
}

struct Row<'t> {
    path: &'t Path,
    columns: &'t [String],
    fields: &'t csv::StringRecord,
}

impl<'t> Row<'t> {
    /// The field in an existing column: every record is as long as the header.
    fn at(&self, column: usize) -> &'t str {
        self.fields.get(column).unwrap_or_default()
    }

    fn get(&self, name: &str) -> Option<&'t str> {
        let column = self.columns.iter().position(|column| column == name)?;
        self.fields.get(column)
    }

    fn wrong(&self, why: &dyn std::fmt::Display) -> GameResultsError {
        let line = self.fields.position().map_or(0, |position| position.line());
        GameResultsError::Field { path: self.path.to_owned(), line, why: why.to_string() }
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
        game_results.read_to(path, &mut |_, contest| {
            let RatedGame { kind, players: [first, second], score, pair, .. } = contest;
            lines.push(format!("{kind} {first}-{second} {score:?} {pair}"));
        })?;
        Ok(lines)
    }

    #[test]
    fn three_columns_are_enough() {
        let games = "white,black,result\na,b,1-0\nb,a,0-1\na,b,1/2-1/2\na,b,1-0\nb,a,*\n";
        let (_, drawn) = read(&[("games.csv", games)]).unwrap();
        assert_eq!(
            drawn,
            ["riatra a-b Win 1", "riatra b-a Loss 1", "riatra a-b Draw 2", "riatra a-b Win 3"]
        );
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
    fn what_is_wrong_is_named_with_its_place() {
        for (games, part) in [
            ("", "no column `white`"),
            (
                "white,black\na,b\n",
                "no column `result`; its first line has the columns white, black",
            ),
            ("white,black,result\na,b,2-0\n", "games.csv:2: `2-0` is not a result"),
            ("white,black,result\na,a,1-0\n", "games.csv:2: an engine plays itself"),
            ("white,black,result,kind\na,b,1-0,chess\n", "games.csv:2: unknown kind `chess`"),
            ("white,black,result,pair\na,b,1-0,x\n", "pair `x` is not a number"),
            ("white,black,result\na,b\n", "is not a valid CSV file"),
        ] {
            let error = read(&[("games.csv", games)]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
