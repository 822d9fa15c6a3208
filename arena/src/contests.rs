//! What the results of tournaments say, read from their CSV files: who met whom in what, and how it
//! ended. Every `games.csv` will do that has the columns `white`, `black` and `result`.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::{Position, Side};

use crate::ending::GameResult;
use crate::kind::Kind;
use crate::ratings::{self, PairId, Sample, Score};

/// Results of any number of tournaments.
#[derive(Clone, Debug, Default)]
pub struct Contests {
    /// Every engine, in the order first met.
    pub engines: Vec<String>,
    /// Every decided or drawn contest.
    pub results: Vec<Contest>,
    /// Games an engine lost by a fault, by kind. A session's faults are those of its games.
    pub faults: BTreeMap<(String, Kind), u64>,
    /// What readers should know about the files.
    pub notes: Vec<String>,
    /// Pairs numbered so far: files number theirs from 1 each.
    pairs: u64,
}

/// One game of its own, or one session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contest {
    /// What was played.
    pub kind: Kind,
    /// White in riatra, the debtor in vela, the first player of a session, as a place in
    /// [`Contests::engines`].
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// What the first got.
    pub score: Score,
    /// The pair it belongs to.
    pub pair: u64,
}

/// Why results cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ContestsError {
    /// The file cannot be opened or read.
    #[error("failed to read {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no CSV.
    #[error("{} is no CSV file: {source}", .path.display())]
    Csv {
        /// The file.
        path: PathBuf,
        /// Why.
        source: csv::Error,
    },
    /// A column without which nothing can be rated.
    #[error(
        "{} has no column `{column}`; its first line names {}",
        .path.display(),
        if .found.is_empty() { "none".to_owned() } else { .found.join(", ") }
    )]
    Column {
        /// The file.
        path: PathBuf,
        /// What is missing.
        column: &'static str,
        /// The columns there are.
        found: Vec<String>,
    },
    /// A field that says nothing.
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

impl Contests {
    /// Results of engines that may not have met anybody yet.
    pub fn of_engines(names: impl IntoIterator<Item = String>) -> Contests {
        Contests { engines: names.into_iter().collect(), ..Contests::default() }
    }

    /// Adds the games of a file, and the sessions of a `sessions.csv` beside it.
    pub fn read(&mut self, path: &Path) -> Result<(), ContestsError> {
        let table = Table::read(path)?;
        let sessions = self.add_games(&table)?;
        let beside = path.with_file_name("sessions.csv");
        if beside.is_file() {
            self.add_sessions(&Table::read(&beside)?)?;
        } else if sessions {
            self.notes.push(format!(
                "{} has games of sessions, but there is no {} beside it: the sessions are not rated",
                path.display(),
                beside.display()
            ));
        }
        Ok(())
    }

    fn engine(&mut self, name: &str) -> usize {
        match self.engines.iter().position(|known| known == name) {
            Some(place) => place,
            None => {
                self.engines.push(name.to_owned());
                self.engines.len() - 1
            }
        }
    }

    /// Adds games; whether some of them belong to sessions.
    fn add_games(&mut self, table: &Table) -> Result<bool, ContestsError> {
        let (white, black) = (table.column("white")?, table.column("black")?);
        let result = table.column("result")?;
        let mut pairs = Pairs::new(self.pairs, table.has("pair"));
        let mut has_sessions = false;
        for row in table.rows() {
            let kind = match row.get("kind") {
                None | Some("") => Kind::Riatra,
                Some(word) => word.parse().map_err(|why| row.wrong(&why))?,
            };
            let in_session = row.get("session").is_some_and(|id| !id.is_empty());
            let outcome: GameResult = row.at(result).parse().map_err(|why| row.wrong(&why))?;
            let (white, black) = (self.engine(row.at(white)), self.engine(row.at(black)));
            if let Some(offender) = row.get("offender").filter(|name| !name.is_empty()) {
                let kind = if in_session { Kind::Session } else { kind };
                *self.faults.entry((offender.to_owned(), kind)).or_default() += 1;
            }
            has_sessions |= in_session;
            let pair = pairs.of(&row, [white, black], kind)?;
            if in_session {
                continue;
            }
            if white == black {
                return Err(row.wrong(&"an engine plays against itself"));
            }
            // The debtor is the first player of a vela, whatever colour it has.
            let debtor = match row.get("start") {
                Some(start) if kind == Kind::Vela => {
                    let start: Position = start.parse().map_err(|why| row.wrong(&why))?;
                    start.debtor().unwrap_or(Side::White)
                }
                _ => Side::White,
            };
            let (first, second) =
                if debtor == Side::White { (white, black) } else { (black, white) };
            if let Some(score) = score_of(outcome, debtor) {
                self.results.push(Contest { kind, first, second, score, pair });
            }
        }
        self.pairs = pairs.last;
        Ok(has_sessions)
    }

    fn add_sessions(&mut self, table: &Table) -> Result<(), ContestsError> {
        let (first, second) = (table.column("first")?, table.column("second")?);
        let result = table.column("result")?;
        let mut pairs = Pairs::new(self.pairs, table.has("pair"));
        for row in table.rows() {
            let outcome: GameResult = row.at(result).parse().map_err(|why| row.wrong(&why))?;
            let (first, second) = (self.engine(row.at(first)), self.engine(row.at(second)));
            if first == second {
                return Err(row.wrong(&"an engine plays against itself"));
            }
            let pair = pairs.of(&row, [first, second], Kind::Session)?;
            if let Some(score) = score_of(outcome, Side::White) {
                self.results.push(Contest { kind: Kind::Session, first, second, score, pair });
            }
        }
        self.pairs = pairs.last;
        Ok(())
    }

    /// The results as the ratings want them.
    pub fn sample(&self) -> Sample {
        let mut sample =
            Sample::new(self.engines.iter().cloned()).expect("every engine is met once");
        for contest in &self.results {
            let id = |place: usize| {
                sample.engine(&self.engines[place]).expect("the sample has every engine")
            };
            let result = ratings::GameResult {
                first: id(contest.first),
                second: id(contest.second),
                kind: contest.kind,
                score: contest.score,
                pair: PairId(contest.pair),
            };
            sample.push(result).expect("the engines are two of the sample");
        }
        sample
    }
}

/// What the player of a side got.
fn score_of(result: GameResult, side: Side) -> Option<Score> {
    match result {
        GameResult::Won(winner) if winner == side => Some(Score::Win),
        GameResult::Won(_) => Some(Score::Loss),
        GameResult::Drawn => Some(Score::Draw),
        GameResult::Void => None,
    }
}

/// Numbers the pairs of one file.
struct Pairs {
    /// What the files before have used up.
    base: u64,
    last: u64,
    given: bool,
    /// The pairs by the numbers the file gives them.
    known: HashMap<String, u64>,
    /// The game before, while its partner may still come.
    open: Option<([usize; 2], Kind)>,
}

impl Pairs {
    fn new(base: u64, given: bool) -> Pairs {
        Pairs { base, last: base, given, known: HashMap::new(), open: None }
    }

    /// The pair of a row. Without a column for it, a game that follows one of the same engines and
    /// kind with colours swapped is its partner.
    fn of(&mut self, row: &Row<'_>, players: [usize; 2], kind: Kind) -> Result<u64, ContestsError> {
        if self.given {
            let word = row.get("pair").unwrap_or_default();
            if word.is_empty() {
                self.last += 1;
                return Ok(self.last);
            }
            if word.parse::<u64>().is_err() {
                return Err(row.wrong(&format!("pair `{word}` is no number")));
            }
            let next = self.base + self.known.len() as u64;
            let pair = *self.known.entry(word.to_owned()).or_insert(next + 1);
            self.last = self.last.max(pair);
            return Ok(pair);
        }
        let [a, b] = players;
        if self.open.take() == Some(([b, a], kind)) {
            return Ok(self.last);
        }
        self.open = Some((players, kind));
        self.last += 1;
        Ok(self.last)
    }
}

/// A CSV file with a line of names.
struct Table {
    path: PathBuf,
    columns: Vec<String>,
    rows: Vec<csv::StringRecord>,
}

impl Table {
    fn read(path: &Path) -> Result<Table, ContestsError> {
        let text = std::fs::read(path)
            .map_err(|source| ContestsError::Unreadable { path: path.to_owned(), source })?;
        let csv = |source| ContestsError::Csv { path: path.to_owned(), source };
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::Headers).from_reader(&text[..]);
        let columns = reader.headers().map_err(csv)?.iter().map(str::to_owned).collect();
        let rows = reader.records().collect::<Result<_, _>>().map_err(csv)?;
        Ok(Table { path: path.to_owned(), columns, rows })
    }

    fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column == name)
    }

    fn column(&self, name: &'static str) -> Result<usize, ContestsError> {
        let found = self.columns.iter().position(|column| column == name);
        found.ok_or_else(|| ContestsError::Column {
            path: self.path.clone(),
            column: name,
            found: self.columns.clone(),
        })
    }

    fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.rows.iter().map(|fields| Row { table: self, fields })
    }
}

struct Row<'t> {
    table: &'t Table,
    fields: &'t csv::StringRecord,
}

impl<'t> Row<'t> {
    /// The field in a column known to be there: every record is as long as the first.
    fn at(&self, column: usize) -> &'t str {
        self.fields.get(column).unwrap_or_default()
    }

    fn get(&self, name: &str) -> Option<&'t str> {
        let column = self.table.columns.iter().position(|column| column == name)?;
        self.fields.get(column)
    }

    fn wrong(&self, why: &dyn std::fmt::Display) -> ContestsError {
        let line = self.fields.position().map_or(0, |position| position.line());
        ContestsError::Field { path: self.table.path.clone(), line, why: why.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(files: &[(&str, &str)]) -> Result<Contests, ContestsError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        let mut contests = Contests::default();
        contests.read(&dir.path().join("games.csv"))?;
        Ok(contests)
    }

    /// Every contest as `kind first-second score pair`.
    fn drawn(contests: &Contests) -> Vec<String> {
        let name = |place: usize| &contests.engines[place];
        let line = |c: &Contest| {
            format!("{} {}-{} {:?} {}", c.kind, name(c.first), name(c.second), c.score, c.pair)
        };
        contests.results.iter().map(line).collect()
    }

    #[test]
    fn three_columns_are_enough() {
        let games = "white,black,result\na,b,1-0\nb,a,0-1\na,b,1/2-1/2\na,b,1-0\nb,a,*\n";
        let contests = read(&[("games.csv", games)]).unwrap();
        assert_eq!(
            drawn(&contests),
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
        let contests = read(&[("games.csv", games), ("sessions.csv", sessions)]).unwrap();
        assert_eq!(drawn(&contests), ["vela a-b Win 1", "vela b-a Loss 1", "session a-b Loss 3"]);
        assert_eq!(contests.faults[&("b".to_owned(), Kind::Session)], 1);
        assert_eq!(contests.faults[&("b".to_owned(), Kind::Vela)], 1);
        let alone = read(&[("games.csv", games)]).unwrap();
        assert!(alone.notes[0].contains("sessions.csv"), "{:?}", alone.notes);
    }

    #[test]
    fn pairs_of_different_files_stay_apart() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("games.csv");
        fs::write(&path, "pair,white,black,result\n7,a,b,1-0\n7,b,a,1-0\n").unwrap();
        let mut contests = Contests::default();
        contests.read(&path).unwrap();
        contests.read(&path).unwrap();
        let pairs: Vec<u64> = contests.results.iter().map(|contest| contest.pair).collect();
        assert_eq!(pairs, [1, 1, 2, 2]);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (games, part) in [
            ("", "no column `white`"),
            ("white,black\na,b\n", "no column `result`; its first line names white, black"),
            ("white,black,result\na,b,2-0\n", "games.csv:2: `2-0` is no result"),
            ("white,black,result\na,a,1-0\n", "games.csv:2: an engine plays against itself"),
            ("white,black,result,kind\na,b,1-0,chess\n", "games.csv:2: unknown kind `chess`"),
            ("white,black,result,pair\na,b,1-0,x\n", "pair `x` is no number"),
            ("white,black,result\na,b\n", "is no CSV file"),
        ] {
            let error = read(&[("games.csv", games)]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
