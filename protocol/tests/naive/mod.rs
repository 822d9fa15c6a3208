//! A naive checker of the rules: a slow second implementation that shares no code with the library.
//!
//! It was written from the rules page alone, and its interface is text, so that a mistake in the
//! generator cannot reach it. Stones are letters in rows of letters. A move is followed step by
//! step, and the moves of a position are found by trying every neighbour of every point. Do not
//! make it faster: the simpler it is, the more its agreement proves.

#![allow(dead_code, reason = "each test program uses only a part of it")]

/// A point: column and row, both from 0 at `a1`.
type Spot = (i32, i32);

/// A step: the point reached and the mark after it, if there is one.
type Step = (Spot, Option<char>);

const EMPTY: char = '.';

/// A position, parsed from its text.
#[derive(Clone)]
struct Game {
    /// The rows from White's side up, with `W`, `b` or `.` for each point.
    rows: Vec<Vec<char>>,
    /// `W` or `b`.
    mover: char,
    debtor: Option<char>,
    quiet: u64,
    number: u64,
}

/// The rules of a game as text.
#[derive(Clone, Copy)]
struct Rules<'t>(&'t str);

impl Rules<'_> {
    fn on(self, switch: &str) -> bool {
        self.0.split_whitespace().any(|word| word == switch)
    }

    fn limit(self, name: &str, usual: u64) -> u64 {
        let value = |word: &str| word.strip_prefix(name)?.strip_prefix('=')?.parse().ok();
        self.0.split_whitespace().find_map(value).unwrap_or(usual)
    }
}

/// Returns the rows of a placement from the top down, with a dot for every empty point.
pub(crate) fn rows_of(placement: &str) -> Vec<String> {
    let widen = |letter: char| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None => letter.to_string(),
    };
    placement.split('/').map(|row| row.chars().map(widen).collect()).collect()
}

/// Returns the placement of these rows.
pub(crate) fn placement_of(rows: &[String]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            text.push('/');
        }
        let mut run = 0;
        for letter in row.chars().chain(['/']) {
            if letter == EMPTY {
                run += 1;
                continue;
            }
            if run > 0 {
                text.push_str(&run.to_string());
                run = 0;
            }
            if letter != '/' {
                text.push(letter);
            }
        }
    }
    text
}

fn colour(letter: &str) -> char {
    match letter {
        "w" => 'W',
        "b" => 'b',
        other => panic!("`{other}` is not a side"),
    }
}

fn letter(colour: char) -> char {
    colour.to_ascii_lowercase()
}

fn enemy_of(colour: char) -> char {
    if colour == 'W' { 'b' } else { 'W' }
}

impl Game {
    fn read(text: &str) -> Game {
        let fields: Vec<&str> = text.split(' ').collect();
        let [placement, side, debtor, quiet, number] = fields[..] else {
            panic!("`{text}` does not have five fields")
        };
        let top_down = rows_of(placement);
        Game {
            rows: top_down.iter().rev().map(|row| row.chars().collect()).collect(),
            mover: colour(side),
            debtor: (debtor != "-").then(|| colour(debtor)),
            quiet: quiet.parse().expect("the plies since the last capture"),
            number: number.parse().expect("the number of the full move"),
        }
    }

    fn text(&self) -> String {
        let top_down: Vec<String> =
            self.rows.iter().rev().map(|row| row.iter().collect()).collect();
        format!(
            "{} {} {} {} {}",
            placement_of(&top_down),
            letter(self.mover),
            self.debtor.map_or('-', letter),
            self.quiet,
            self.number
        )
    }

    fn spots(&self) -> Vec<Spot> {
        let (columns, rows) = (self.rows[0].len() as i32, self.rows.len() as i32);
        (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).collect()
    }

    /// Returns the letter of a point, or `None` outside the board.
    fn at(&self, (column, row): Spot) -> Option<char> {
        let row = self.rows.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    fn put(&mut self, (column, row): Spot, letter: char) {
        self.rows[row as usize][column as usize] = letter;
    }

    fn count(&self, letter: char) -> usize {
        self.rows.iter().flatten().filter(|&&found| found == letter).count()
    }

    /// Whether this is a vela in phase one: the creditor has more than five stones.
    fn phase_one(&self) -> bool {
        self.debtor.is_some_and(|debtor| self.count(enemy_of(debtor)) > 5)
    }

    fn debtor_to_capture(&self) -> bool {
        self.phase_one() && self.debtor == Some(self.mover)
    }

    fn creditor_to_offer(&self) -> bool {
        self.phase_one() && self.debtor != Some(self.mover)
    }

    /// Whether any stone of the side to move has a capturing step.
    fn has_capture(&self) -> bool {
        self.spots().into_iter().any(|from| {
            Walk::of(self, from).is_some_and(|walk| {
                walk.candidates()
                    .into_iter()
                    .any(|step| step.1.is_some() && walk.go(step).is_some())
            })
        })
    }

    /// Returns the position after a walk, with the other side to move.
    fn after(&self, walk: &Walk) -> Game {
        Game {
            rows: walk.game.rows.clone(),
            mover: enemy_of(self.mover),
            debtor: self.debtor,
            quiet: if walk.captured == 0 { self.quiet + 1 } else { 0 },
            number: self.number + u64::from(self.mover == 'b'),
        }
    }

    /// Returns the position after a move, or `None` if the move is illegal.
    fn play(&self, rules: Rules, from: Spot, steps: &[Step]) -> Option<Game> {
        let mut walk = Walk::of(self, from)?;
        for &step in steps {
            walk = walk.go(step)?;
        }
        let captures = steps.iter().filter(|step| step.1.is_some()).count();
        let legal = if captures == 0 {
            steps.len() == 1 && self.allows_paika(rules, &walk)
        } else {
            captures == steps.len() && self.allows_capture(rules, &walk, steps.len())
        };
        legal.then(|| self.after(&walk))
    }

    fn allows_capture(&self, rules: Rules, walk: &Walk, steps: usize) -> bool {
        if self.creditor_to_offer() {
            return false;
        }
        if self.debtor_to_capture() {
            return steps == 1;
        }
        let at_start = (self.spots().len() - 1) / 2;
        let first = self.count(enemy_of(self.mover)) >= at_start;
        if rules.on("single-first-capture") && first {
            return steps == 1;
        }
        let goes_on =
            || walk.candidates().into_iter().any(|s| s.1.is_some() && walk.go(s).is_some());
        !(rules.on("forced-continuation") && goes_on())
    }

    fn allows_paika(&self, rules: Rules, walk: &Walk) -> bool {
        if self.creditor_to_offer() {
            let offers = |walk: &Walk| self.after(walk).has_capture();
            return !rules.on("vela-must-offer")
                || offers(walk)
                || !self.paikas().iter().any(offers);
        }
        let starved = self.debtor_to_capture() && !rules.on("vela-starved=paika");
        !starved && !self.has_capture()
    }

    /// Returns every step to an empty point along a line, even if another rule forbids it.
    fn paikas(&self) -> Vec<Walk> {
        let mut found = Vec::new();
        for from in self.spots() {
            if let Some(walk) = Walk::of(self, from) {
                let steps = walk.candidates().into_iter().filter(|step| step.1.is_none());
                found.extend(steps.filter_map(|step| walk.go(step)));
            }
        }
        found
    }

    /// Returns every legal move with the position after it.
    fn moves(&self, rules: Rules) -> Vec<(String, Game)> {
        let mut found = Vec::new();
        for from in self.spots() {
            if let Some(walk) = Walk::of(self, from) {
                self.collect(rules, from, &mut Vec::new(), &walk, &mut found);
            }
        }
        found
    }

    /// Tries every extension of a walk, and checks every walk as a move.
    fn collect(
        &self,
        rules: Rules,
        from: Spot,
        steps: &mut Vec<Step>,
        walk: &Walk,
        found: &mut Vec<(String, Game)>,
    ) {
        for step in walk.candidates() {
            let Some(longer) = walk.go(step) else { continue };
            steps.push(step);
            if let Some(after) = self.play(rules, from, steps) {
                found.push((write_move(from, steps), after));
            }
            // A paika has only one step, so only captures continue.
            if step.1.is_some() {
                self.collect(rules, from, steps, &longer, found);
            }
            steps.pop();
        }
    }

    fn count_lines(&self, rules: Rules, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves(rules).iter().map(|(_, after)| after.count_lines(rules, depth - 1)).sum()
    }
}

/// The state of a stone of the side to move during a move.
#[derive(Clone)]
struct Walk {
    game: Game,
    visited: Vec<Spot>,
    last: Option<Spot>,
    captured: usize,
}

impl Walk {
    fn of(game: &Game, from: Spot) -> Option<Walk> {
        let own = game.at(from) == Some(game.mover);
        own.then(|| Walk { game: game.clone(), visited: vec![from], last: None, captured: 0 })
    }

    fn here(&self) -> Spot {
        *self.visited.last().expect("the starting point counts as visited")
    }

    /// Returns every step to try: all neighbours, with each mark and without one.
    fn candidates(&self) -> Vec<Step> {
        let (column, row) = self.here();
        let mut steps = Vec::new();
        for up in -1..=1 {
            for right in -1..=1 {
                for mark in [None, Some('A'), Some('W')] {
                    steps.push(((column + right, row + up), mark));
                }
            }
        }
        steps
    }

    /// Returns the walk with one more step, or `None` if stones or lines forbid the step.
    fn go(&self, (to, mark): Step) -> Option<Walk> {
        let (from, mut next) = (self.here(), self.clone());
        let way = (to.0 - from.0, to.1 - from.1);
        if way.0.abs() > 1 || way.1.abs() > 1 || way == (0, 0) {
            return None;
        }
        // The rules page counts columns and rows from 1. Counted from 0, their sum has the same
        // parity.
        let strong = (from.0 + from.1) % 2 == 0;
        if way.0 != 0 && way.1 != 0 && !strong {
            return None;
        }
        if self.game.at(to) != Some(EMPTY) || self.visited.contains(&to) || self.last == Some(way) {
            return None;
        }
        next.game.put(from, EMPTY);
        next.game.put(to, self.game.mover);
        next.visited.push(to);
        next.last = Some(way);
        if let Some(mark) = mark {
            let (mut spot, onward) = match mark {
                'A' => (to, way),
                'W' => (from, (-way.0, -way.1)),
                _ => return None,
            };
            let enemy = enemy_of(self.game.mover);
            let nearest_only = self.game.debtor_to_capture();
            let mut taken = 0;
            loop {
                spot = (spot.0 + onward.0, spot.1 + onward.1);
                if self.game.at(spot) != Some(enemy) || (nearest_only && taken == 1) {
                    break;
                }
                next.game.put(spot, EMPTY);
                taken += 1;
            }
            if taken == 0 {
                return None;
            }
            next.captured += taken;
        }
        Some(next)
    }
}

fn write_move(from: Spot, steps: &[Step]) -> String {
    let spot = |(column, row): Spot| format!("{}{}", (b'a' + column as u8) as char, row + 1);
    let step = |&(to, mark): &Step| spot(to) + &mark.map(String::from).unwrap_or_default();
    spot(from) + &steps.iter().map(step).collect::<String>()
}

fn read_move(text: &str) -> Option<(Spot, Vec<Step>)> {
    let mut letters = text.chars().peekable();
    let mut steps = Vec::new();
    while letters.peek().is_some() {
        let column = letters.next().filter(|letter| ('a'..='i').contains(letter))?;
        let row = letters.next().filter(|letter| ('1'..='9').contains(letter))?;
        let mark = letters.next_if(|letter| "AW".contains(*letter));
        steps.push(((column as i32 - 'a' as i32, row as i32 - '1' as i32), mark));
    }
    let (from, mark) = (!steps.is_empty()).then(|| steps.remove(0))?;
    (mark.is_none() && !steps.is_empty()).then_some((from, steps))
}

/// Returns the position after a move, or `None` if the move is illegal or not a move at all.
pub(crate) fn play(position: &str, rules: &str, mv: &str) -> Option<String> {
    let (from, steps) = read_move(mv)?;
    let after = Game::read(position).play(Rules(rules), from, &steps)?;
    Some(after.text())
}

/// Returns every legal move with the position after it, in the order of the moves' texts.
pub(crate) fn moves(position: &str, rules: &str) -> Vec<(String, String)> {
    let found = Game::read(position).moves(Rules(rules));
    let mut moves: Vec<_> = found.into_iter().map(|(mv, after)| (mv, after.text())).collect();
    moves.sort();
    moves
}

/// Whether the side to move has a step that would capture a stone, even if the rules forbid it.
pub(crate) fn has_capture(position: &str) -> bool {
    Game::read(position).has_capture()
}

/// Whether this is a vela in phase one.
pub(crate) fn phase_one(position: &str) -> bool {
    Game::read(position).phase_one()
}

/// Returns the number of sequences of this many legal moves.
pub(crate) fn count_lines(position: &str, rules: &str, depth: u32) -> u64 {
    Game::read(position).count_lines(Rules(rules), depth)
}

/// Returns how often the last position of a game has occurred: same stones, side to move and
/// debtor.
pub(crate) fn occurrences(game: &[String]) -> u64 {
    let same = |text: &str| text.split(' ').take(3).collect::<Vec<_>>().join(" ");
    let now = same(game.last().expect("a game has a position"));
    game.iter().filter(|past| same(past) == now).count() as u64
}

/// Returns the end of a game given by all of its positions: the reason's word and the winner's
/// letter.
pub(crate) fn ending(game: &[String], rules: &str) -> Option<(&'static str, Option<char>)> {
    let (text, rules) = (game.last().expect("a game has a position"), Rules(rules));
    let now = Game::read(text);
    let (mover, waiting) = (now.mover, enemy_of(now.mover));
    let lost = |loser: char| Some(letter(enemy_of(loser)));
    for side in ['W', 'b'] {
        if now.count(side) == 0 {
            return Some(("no-stones", lost(side)));
        }
    }
    let may_play_paika = rules.on("vela-starved=paika");
    if now.debtor_to_capture() && !now.has_capture() && !may_play_paika {
        let loser = if rules.on("vela-starved=debtor-loses") { mover } else { waiting };
        return Some(("vela-starved", lost(loser)));
    }
    if now.moves(rules).is_empty() {
        return Some(("no-move", if rules.on("blocked-is-draw") { None } else { lost(mover) }));
    }
    let reached = |limit: u64, count: u64| limit > 0 && count >= limit;
    if reached(rules.limit("repetition", 3), occurrences(game)) {
        return Some(("repetition", None));
    }
    if reached(rules.limit("quiet", 100), now.quiet) {
        return Some(("quiet", None));
    }
    let plies = game.len() as u64 - 1;
    reached(rules.limit("max-plies", 0), plies).then_some(("max-plies", None))
}
