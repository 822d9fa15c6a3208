//! Checks a solution of Fanorona, also one that relies on endgame tables, with rules of its own: nothing
//! here comes from the solver or the packages beside it.
//!
//! ```console
//! $ rustc --edition 2024 -O check.rs
//! $ solve show 9x5-white-holds.solution | ./check tables
//! ```
//!
//! It reads the positions of the proof from its input and the outcomes of endings from the directory
//! it is given, whose files `ENDGAMES.md` describes. Every rule and every number is computed in the
//! most obvious way. Exit codes: 0 the proof holds; 1 it does not; 2 the input or a table cannot be
//! used; 3 the proof holds if endings do whose tables are missing.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

/// Steps to the neighbours of a point: columns, rows. The opposite of number *n* is number 7 - *n*.
const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

const WHITE: usize = 0;
const BLACK: usize = 1;

/// The side that plays the vela in phase one by captures alone does so while the other side has more
/// stones than this.
const PHASE_TWO: u32 = 5;

/// A position: the points with stones of White and of Black, row by row from `a1`, and who moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Position {
    stones: [u64; 2],
    to_move: usize,
}

impl Position {
    fn occupied(&self) -> u64 {
        self.stones[WHITE] | self.stones[BLACK]
    }

    fn count(&self, side: usize) -> u32 {
        self.stones[side].count_ones()
    }
}

/// The points of a set, from the lowest.
fn points(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let point = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(point)
    })
}

/// The game: its board and rules.
struct Game {
    columns: usize,
    rows: usize,
    debtor: Option<usize>,
    forced_continuation: bool,
    single_first_capture: bool,
    blocked_is_draw: bool,
    /// `creditor-loses`, `debtor-loses` or `paika`.
    starved: String,
    /// The next point in each direction, on the board.
    next: Vec<[Option<usize>; 8]>,
    /// The point to which each symmetry of the board takes each point; the first one leaves it in
    /// its place.
    symmetries: Vec<Vec<usize>>,
}

impl Game {
    fn new(
        columns: usize,
        rows: usize,
        debtor: Option<usize>,
        rules: &str,
    ) -> Result<Game, String> {
        let place = |column: i32, row: i32| {
            let inside = (0..columns as i32).contains(&column) && (0..rows as i32).contains(&row);
            inside.then(|| row as usize * columns + column as usize)
        };
        let all = || (0..columns * rows).map(|point| (point % columns, point / columns));
        let next = |(column, row): (usize, usize)| {
            DIRECTIONS.map(|(right, up)| place(column as i32 + right, row as i32 + up))
        };
        let mut symmetries = Vec::new();
        for turned in [false, true].into_iter().take(if columns == rows { 2 } else { 1 }) {
            for (mirrored, upended) in [(false, false), (true, false), (false, true), (true, true)]
            {
                let image = |(column, row): (usize, usize)| {
                    let column = if mirrored { columns - 1 - column } else { column };
                    let row = if upended { rows - 1 - row } else { row };
                    if turned { column * columns + row } else { row * columns + column }
                };
                symmetries.push(all().map(image).collect());
            }
        }
        let mut game = Game {
            columns,
            rows,
            debtor,
            forced_continuation: false,
            single_first_capture: false,
            blocked_is_draw: false,
            starved: "creditor-loses".to_owned(),
            next: all().map(next).collect(),
            symmetries,
        };
        for word in rules.split_whitespace() {
            match word.split_once('=').unwrap_or((word, "")) {
                ("forced-continuation", _) => game.forced_continuation = true,
                ("single-first-capture", _) => game.single_first_capture = true,
                ("blocked-is-draw", _) => game.blocked_is_draw = true,
                ("vela-starved", rule) => game.starved = rule.to_owned(),
                // Who is the debtor, the position says; the limits do not matter here.
                ("vela-starter" | "repetition" | "quiet" | "max-plies", _) => {}
                _ => return Err(format!("this checker does not know the rule {word}")),
            }
        }
        Ok(game)
    }

    /// Whether a line leads from a point in a direction: diagonals do only from strong points.
    fn has_line(&self, point: usize, direction: usize) -> bool {
        let (right, up) = DIRECTIONS[direction];
        right == 0 || up == 0 || (point % self.columns + point / self.columns).is_multiple_of(2)
    }

    /// The unbroken run of a side's stones beyond a point, the nearest stone first.
    fn run(&self, stones: u64, mut point: usize, direction: usize) -> Vec<usize> {
        let mut found = Vec::new();
        while let Some(next) = self.next[point][direction] {
            if stones >> next & 1 == 0 {
                break;
            }
            found.push(next);
            point = next;
        }
        found
    }

    /// Whether the creditor of a vela has too many stones for phase two.
    fn is_phase_one(&self, at: &Position) -> bool {
        self.debtor.is_some_and(|debtor| at.count(1 - debtor) > PHASE_TWO)
    }

    /// The positions after every move, each once. None where the side to move is starved.
    fn moves(&self, at: &Position) -> Vec<Position> {
        let phase_one = self.is_phase_one(at);
        let debtor_moves = self.debtor == Some(at.to_move);
        let mut found = Vec::new();
        if !phase_one || debtor_moves {
            let all = (self.columns * self.rows - 1) / 2;
            let first = at.count(1 - at.to_move) as usize >= all;
            let single = phase_one || self.single_first_capture && first;
            for point in points(at.stones[at.to_move]) {
                self.captures(at, point, None, 0, single, &mut found);
            }
        }
        if found.is_empty() && !(phase_one && debtor_moves && self.starved != "paika") {
            found = self.paikas(at);
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The positions after every move of one stone to an empty point without a capture.
    fn paikas(&self, at: &Position) -> Vec<Position> {
        let mut found = Vec::new();
        for from in points(at.stones[at.to_move]) {
            for direction in (0..8).filter(|&direction| self.has_line(from, direction)) {
                let Some(to) = self.next[from][direction] else { continue };
                if at.occupied() >> to & 1 == 0 {
                    let mut after = *at;
                    after.stones[at.to_move] ^= 1 << from | 1 << to;
                    after.to_move = 1 - at.to_move;
                    found.push(after);
                }
            }
        }
        found
    }

    /// Adds the positions after every capture by the stone on a point, which came there from a
    /// direction and has visited some points. Returns whether there are any.
    fn captures(
        &self,
        at: &Position,
        from: usize,
        last: Option<usize>,
        visited: u64,
        single: bool,
        found: &mut Vec<Position>,
    ) -> bool {
        let (own, enemy) = (at.to_move, 1 - at.to_move);
        let mut any = false;
        for direction in (0..8).filter(|&direction| self.has_line(from, direction)) {
            let Some(to) = self.next[from][direction] else { continue };
            if last == Some(direction) || (at.occupied() | visited) >> to & 1 == 1 {
                continue;
            }
            let approach = self.run(at.stones[enemy], to, direction);
            let withdrawal = self.run(at.stones[enemy], from, 7 - direction);
            for mut taken in [approach, withdrawal].into_iter().filter(|taken| !taken.is_empty()) {
                if self.is_phase_one(at) {
                    taken.truncate(1);
                }
                any = true;
                let mut after = *at;
                after.stones[own] ^= 1 << from | 1 << to;
                taken.iter().for_each(|&point| after.stones[enemy] ^= 1 << point);
                let visited = visited | 1 << from;
                let goes_on =
                    !single && self.captures(&after, to, Some(direction), visited, single, found);
                if !(goes_on && self.forced_continuation) {
                    found.push(Position { to_move: enemy, ..after });
                }
            }
        }
        any
    }

    /// The winner, or none for a draw, of a position whose side to move cannot move.
    fn blocked(&self, at: &Position) -> Option<usize> {
        let debtor_moves = self.debtor == Some(at.to_move);
        if self.is_phase_one(at) && debtor_moves && self.starved != "paika" {
            return Some(if self.starved == "debtor-loses" { 1 - at.to_move } else { at.to_move });
        }
        (!self.blocked_is_draw).then_some(1 - at.to_move)
    }

    /// The image of a set of points.
    fn image(&self, symmetry: usize, set: u64) -> u64 {
        points(set).fold(0, |image, point| image | 1 << self.symmetries[symmetry][point])
    }

    /// The same for all images of a position.
    fn key(&self, at: &Position) -> Position {
        let image = |symmetry| Position {
            stones: at.stones.map(|stones| self.image(symmetry, stones)),
            to_move: at.to_move,
        };
        (0..self.symmetries.len()).map(image).min().expect("a board is its own image")
    }
}

/// A position in FEN with the size of its board and the debtor.
fn read(fen: &str) -> Result<(usize, usize, Position, Option<usize>), String> {
    let wrong = || format!("not a position: {fen}");
    let words: Vec<&str> = fen.split_whitespace().collect();
    let side = |word: &str| match word {
        "w" => Ok(WHITE),
        "b" => Ok(BLACK),
        _ => Err(wrong()),
    };
    let mut rows: Vec<String> = Vec::new();
    for row in words.first().ok_or_else(wrong)?.split('/').rev() {
        let mut grid = String::new();
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => grid.extend((0..empty).map(|_| '.')),
                None => grid.push(letter),
            }
        }
        rows.push(grid);
    }
    let columns = rows[0].len();
    if columns * rows.len() > 45 || rows.iter().any(|row| row.len() != columns) {
        return Err(wrong());
    }
    let mut stones = [0, 0];
    for (point, letter) in rows.concat().chars().enumerate() {
        match letter {
            'W' => stones[WHITE] |= 1 << point,
            'b' => stones[BLACK] |= 1 << point,
            '.' => {}
            _ => return Err(wrong()),
        }
    }
    let to_move = side(words.get(1).ok_or_else(wrong)?)?;
    let debtor = match words.get(2) {
        None | Some(&"-") => None,
        Some(word) => Some(side(word)?),
    };
    Ok((columns, rows.len(), Position { stones, to_move }, debtor))
}

/// The text after `"name":` in a line of JSON, up to the comma or bracket that ends it.
fn field<'t>(json: &'t str, name: &str) -> Result<&'t str, String> {
    let begin = format!("\"{name}\":");
    let (_, rest) = json.split_once(&begin).ok_or_else(|| format!("no {name} in {json}"))?;
    let text = match rest.strip_prefix('"') {
        Some(text) => text.split('"').next(),
        None => rest.split([',', '}', ']']).next(),
    };
    Ok(text.expect("a text has a first part"))
}

/// The verdict of the rules, the tables or the set on a position.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Good,
    Bad,
    /// Its table is missing.
    Open,
}

impl Verdict {
    fn opposite(self) -> Verdict {
        match self {
            Verdict::Good => Verdict::Bad,
            Verdict::Bad => Verdict::Good,
            Verdict::Open => Verdict::Open,
        }
    }
}

/// The stones of the two sides, the larger number first.
type Layer = (u32, u32);

/// The outcomes of endings.
struct Tables {
    /// The most stones.
    stones: u32,
    /// By the number of stones, the patterns that are the least of their images, in order.
    patterns: Vec<Vec<u64>>,
    /// The files that are there.
    layers: HashMap<Layer, Vec<u8>>,
    /// The names of the others.
    missing: Vec<String>,
}

/// The first page of a table.
const PAGE: usize = 1024;

impl Tables {
    /// Reads the tables of a board up to a number of stones, built with the rules of a game.
    fn open(dir: &Path, game: &Game, stones: u32) -> Result<Tables, String> {
        let pattern = |count| match count {
            0 | 1 => Vec::new(),
            _ => least_patterns(game, count),
        };
        let patterns = (0..=stones).map(pattern).collect();
        let mut tables = Tables { stones, patterns, layers: HashMap::new(), missing: Vec::new() };
        for total in 2..=stones {
            for fewer in 1..=total / 2 {
                let layer = (total - fewer, fewer);
                let name = format!("{}x{}-{}v{fewer}.outcomes", game.columns, game.rows, layer.0);
                let path = dir.join(&name);
                if !path.exists() {
                    tables.missing.push(name);
                    continue;
                }
                let wrong = |why: String| format!("{}: {why}", path.display());
                let bytes = fs::read(&path).map_err(|error| wrong(error.to_string()))?;
                tables.is_wrong(game, layer, &bytes).map_err(wrong)?;
                tables.layers.insert(layer, bytes);
            }
        }
        Ok(tables)
    }

    /// An error unless a file is the table of a layer for the rules of a game.
    fn is_wrong(&self, game: &Game, layer: Layer, bytes: &[u8]) -> Result<(), String> {
        let page = bytes.get(..PAGE).and_then(|page| std::str::from_utf8(page).ok());
        let page = page.ok_or("not a table")?;
        let says = |name: &str, expected: &str| match field(page, name)? {
            found if found == expected => Ok(()),
            found => Err(format!("{name} is {found} instead of {expected}")),
        };
        says("format", "fanorona-endgames")?;
        says("version", "1")?;
        says("content", "outcomes")?;
        says("board", &format!("{}x{}", game.columns, game.rows))?;
        says("layer", &format!("{}v{}", layer.0, layer.1))?;
        let rules = field(page, "rules").unwrap_or("");
        let has = |word| rules.split_whitespace().any(|other| other == word);
        if (has("forced-continuation"), has("blocked-is-draw"))
            != (game.forced_continuation, game.blocked_is_draw)
        {
            return Err(format!("the table is for the rules `{rules}`"));
        }
        let patterns = self.patterns[(layer.0 + layer.1) as usize].len();
        let numbers = patterns * divisions(layer).len();
        says("numbers", &numbers.to_string())?;
        if bytes.len() != PAGE + numbers.div_ceil(5) {
            return Err("the length is wrong".to_owned());
        }
        says("checksum", &crc32(&bytes[PAGE..]).to_string())
    }

    /// The winner of a position by the tables, none for a draw; nothing if its table is missing.
    fn winner(&self, game: &Game, at: &Position) -> Option<Option<usize>> {
        let (own, enemy) = (at.count(at.to_move), at.count(1 - at.to_move));
        let layer = (own.max(enemy), own.min(enemy));
        let bytes = self.layers.get(&layer)?;
        let images: Vec<u64> = (0..game.symmetries.len())
            .map(|symmetry| game.image(symmetry, at.occupied()))
            .collect();
        let least = *images.iter().min().expect("a board is its own image");
        let class = self.patterns[(own + enemy) as usize].binary_search(&least);
        let class = class.expect("every pattern has a least image");
        let divisions = divisions(layer);
        // A pattern that is its own image is divided in several equal ways; the first one counts.
        let division = |symmetry: usize| {
            let own = game.image(symmetry, at.stones[at.to_move]);
            let mask =
                (0..).zip(points(least)).map(|(n, point)| (own >> point & 1) << n).sum::<u64>();
            divisions.iter().position(|&other| other == mask).expect("all ways are listed")
        };
        let ways = (0..images.len()).filter(|&symmetry| images[symmetry] == least).map(division);
        let number = class * divisions.len() + ways.min().expect("one image is the least");
        match bytes[PAGE + number / 5] / 3u8.pow((number % 5) as u32) % 3 {
            0 => Some(Some(1 - at.to_move)),
            1 => Some(None),
            _ => Some(Some(at.to_move)),
        }
    }
}

/// The ways to divide the stones of a layer: first those in which the side to move has more.
fn divisions((more, fewer): Layer) -> Vec<u64> {
    let with = |own: u32| (0..1u64 << (more + fewer)).filter(move |mask| mask.count_ones() == own);
    let others = (more != fewer).then(|| with(fewer));
    with(more).chain(others.into_iter().flatten()).collect()
}

/// The sets of so many points, each the least of its images as a number, in order.
fn least_patterns(game: &Game, count: u32) -> Vec<u64> {
    let end = 1u64 << (game.columns * game.rows);
    let mut found = Vec::new();
    let mut set = (1u64 << count) - 1;
    while set < end {
        if (0..game.symmetries.len()).all(|symmetry| game.image(symmetry, set) >= set) {
            found.push(set);
        }
        // The next larger number with as many bits.
        let lowest = set & set.wrapping_neg();
        let carried = set + lowest;
        set = carried | (((set ^ carried) / lowest) >> 2);
    }
    found
}

/// The CRC-32 of bytes.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |rest: u32| (0..8).fold(rest, |rest, _| (rest >> 1) ^ (0xedb8_8320 * (rest & 1)));
    let table: Vec<u32> = (0..256).map(step).collect();
    !bytes.iter().fold(!0, |rest, &byte| (rest >> 8) ^ table[(rest as u8 ^ byte) as usize])
}

/// A set of positions that proves that a side `wins` or `holds`. The other side is to move in all of
/// them.
struct Set {
    side: usize,
    wins: bool,
    /// The positions as they are read, with their ranks.
    members: Vec<(Position, u32)>,
    /// The same by their keys, in order.
    ranks: Vec<(Position, u32)>,
}

/// A check of one set.
struct Check<'c> {
    game: &'c Game,
    tables: &'c Tables,
    set: &'c Set,
}

impl Check<'_> {
    /// The verdict on a winner, or on a draw.
    fn judge(&self, winner: Option<usize>) -> Verdict {
        let good = match winner {
            Some(winner) => winner == self.set.side,
            None => !self.set.wins,
        };
        if good { Verdict::Good } else { Verdict::Bad }
    }

    /// The verdict on a position that the rules or the tables decide.
    fn decided(&self, at: &Position) -> Option<Verdict> {
        let (white, black) = (at.count(WHITE), at.count(BLACK));
        if white == 0 || black == 0 {
            return Some(self.judge(Some(if white == 0 { BLACK } else { WHITE })));
        }
        let all = (self.game.columns * self.game.rows - 1) / 2;
        // Tables do not know that a capture is the first one of a side, nor phase one of a vela.
        let first = self.game.single_first_capture && white.max(black) as usize >= all;
        if white + black > self.tables.stones || first || self.game.is_phase_one(at) {
            return None;
        }
        let winner = self.tables.winner(self.game, at);
        Some(winner.map_or(Verdict::Open, |winner| self.judge(winner)))
    }

    /// The rank of a position in the set.
    fn rank(&self, at: &Position) -> Option<u32> {
        let key = self.game.key(at);
        let found = self.set.ranks.binary_search_by_key(&key, |&(position, _)| position);
        found.ok().map(|place| self.set.ranks[place].1)
    }

    /// The verdict on a position with the other side to move, if a rank below this one counts.
    fn known(&self, at: &Position, rank: u32) -> Verdict {
        self.decided(at).unwrap_or_else(|| match self.rank(at) {
            Some(found) if !self.set.wins || found < rank => Verdict::Good,
            _ if self.game.moves(at).is_empty() => self.judge(self.game.blocked(at)),
            _ => Verdict::Bad,
        })
    }

    /// The verdict on a position with the side of the set to move: one good move is enough.
    fn kept(&self, at: &Position, rank: u32) -> Verdict {
        self.decided(at).unwrap_or_else(|| {
            let moves = self.game.moves(at);
            if moves.is_empty() {
                return self.judge(self.game.blocked(at));
            }
            let verdicts = moves.iter().map(|after| self.known(after, rank));
            worst(verdicts.map(Verdict::opposite)).opposite()
        })
    }

    /// The verdict on a position of the set: there has to be a good answer to every move.
    fn member(&self, at: &Position, rank: u32) -> Verdict {
        if at.count(WHITE) == 0 || at.count(BLACK) == 0 {
            return self.decided(at).expect("a side without stones has lost");
        }
        let moves = self.game.moves(at);
        if moves.is_empty() {
            return self.judge(self.game.blocked(at));
        }
        worst(moves.iter().map(|after| self.kept(after, rank)))
    }
}

/// Bad if one of these is, otherwise open if one is.
fn worst(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    let mut worst = Verdict::Good;
    for verdict in verdicts {
        match verdict {
            Verdict::Bad => return verdict,
            Verdict::Open => worst = verdict,
            Verdict::Good => {}
        }
    }
    worst
}

/// The number of wrong positions that are shown.
const SHOWN: usize = 10;

/// Checks a set, and prints what it finds. Returns whether the proof holds, and how many positions
/// rest on tables that are missing.
fn check_set(
    game: &Game,
    tables: &Tables,
    set: &Set,
    name: &str,
    start: &Position,
) -> (bool, usize) {
    let check = Check { game, tables, set };
    let mut sound = true;
    let of_start = match start.to_move == set.side {
        true => check.kept(start, u32::MAX),
        false => check.member(start, u32::MAX),
    };
    if of_start == Verdict::Bad {
        println!("{name}: not proven for the start");
        sound = false;
    }
    if set.ranks.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        println!("{name}: a position occurs twice");
        sound = false;
    }
    let (mut wrong, mut open) = (0, usize::from(of_start == Verdict::Open));
    let mut checked = 0;
    for (place, (at, rank)) in set.members.iter().enumerate() {
        match check.member(at, *rank) {
            Verdict::Good => checked += 1,
            Verdict::Open => open += 1,
            Verdict::Bad => {
                (checked, wrong) = (checked + 1, wrong + 1);
                if wrong <= SHOWN {
                    println!("{name}: position {} is wrong", place + 1);
                }
            }
        }
    }
    println!("{name}: {checked} positions checked, {wrong} failures, {open} left open");
    (sound && wrong == 0, open)
}

fn run() -> Result<ExitCode, String> {
    let dir = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "tables".into()));
    let mut lines = io::stdin().lock().lines();
    let mut line = || lines.next().transpose().map_err(|error| error.to_string());
    let header = line()?.ok_or("no solution: give it the output of `solve show`")?;
    let (start_text, rules) = (field(&header, "start")?, field(&header, "rules")?);
    let (columns, rows, start, debtor) = read(start_text)?;
    let game = Game::new(columns, rows, debtor, rules)?;
    let stones = field(&header, "stones")?.parse();
    let stones = stones.map_err(|_| format!("not a number of stones in {header}"))?;
    let value = field(&header, "worth")?;
    let needed: &[&str] = match value {
        "white" => &["white wins"],
        "black" => &["black wins"],
        "draw" => &["black holds", "white holds"],
        "white-holds" => &["white holds"],
        "black-holds" => &["black holds"],
        _ => return Err(format!("not a value: {value}")),
    };
    let set = |name: &&str| {
        let side = if name.starts_with("white") { WHITE } else { BLACK };
        let wins = name.ends_with("wins");
        (name.to_string(), Set { side, wins, members: Vec::new(), ranks: Vec::new() })
    };
    let mut sets: BTreeMap<String, Set> = needed.iter().map(set).collect();
    while let Some(line) = line()? {
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        let [side, claim, rank, fen] = words[..] else {
            return Err(format!("not a position of a proof: {line}"));
        };
        let position = read(fen)?.2;
        let rank = rank.parse().map_err(|_| format!("no rank: {line}"))?;
        let set = sets.get_mut(&format!("{side} {claim}"));
        let Some(set) = set.filter(|set| set.side != position.to_move) else {
            println!("no part of a proof of {value}: {line}");
            println!("the proof does not hold");
            return Ok(ExitCode::from(1));
        };
        set.members.push((position, rank));
        set.ranks.push((game.key(&position), rank));
    }
    let tables = Tables::open(&dir, &game, stones)?;
    let (mut sound, mut open) = (true, 0);
    for (name, set) in &mut sets {
        set.ranks.sort_unstable();
        let (holds, left) = check_set(&game, &tables, set, name, &start);
        sound &= holds;
        open += left;
    }
    if !sound {
        println!("the proof does not hold");
        return Ok(ExitCode::from(1));
    }
    let rules = if rules.is_empty() { String::new() } else { format!(" ({rules})") };
    println!("{start_text}{rules}: {value}");
    if open == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    println!(
        "if {open} positions are right that rest on missing tables: {}",
        tables.missing.join(", ")
    );
    Ok(ExitCode::from(3))
}

fn main() -> ExitCode {
    run().unwrap_or_else(|why| {
        eprintln!("check: {why}");
        ExitCode::from(2)
    })
}
