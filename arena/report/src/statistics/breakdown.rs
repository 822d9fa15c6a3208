//! Breaks results down by kind, opening and reason of the end, and sums up the engines' time. Games
//! of sessions count like any others of their kind.

use std::collections::HashMap;

use fanorona_protocol::rules::{Opening, Position, Side};

use fanorona_ratings::Tally;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::{Limit, Tournament};
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::pairing::openings::GameKind;
use fanorona_tournament::record::GameRecord;

/// The results of a tournament in several breakdowns. Games are added one by one and not kept.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The engines in the order of the config, then others in the order of their first game.
    pub engines: Vec<String>,
    limits: Vec<Limit>,
    riatra: Openings,
    vela: Openings,
    lines: [Lines; 2],
    ends: HashMap<Reason, Ends>,
    times: Vec<TimeUse>,
}

/// The games of each opening line of a kind, in order of appearance; `None` if there are too many
/// lines to show.
#[derive(Clone, Debug)]
struct Lines {
    /// The most common start position.
    start: String,
    groups: Option<Vec<(String, Group)>>,
}

/// The maximal number of opening lines of a kind.
const MAX_LINES: usize = 64;

impl Lines {
    fn new(start: Position) -> Lines {
        Lines { start: start.to_string(), groups: Some(Vec::new()) }
    }

    fn add(&mut self, game: &GameRecord, players: [usize; 2]) {
        let Some(groups) = &mut self.groups else { return };
        let moves = game.moves.split(' ').take(game.book as usize);
        let start = (game.start != self.start).then_some(&*game.start);
        let words: Vec<&str> = start.into_iter().chain(moves).collect();
        let line = words.join(" ");
        let known = groups.iter().position(|(other, _)| *other == line);
        if known.is_none() && groups.len() == MAX_LINES {
            self.groups = None;
            return;
        }
        let place = known.unwrap_or_else(|| {
            groups.push((line, Group::default()));
            groups.len() - 1
        });
        groups[place].1.add(game, players);
    }
}

/// The five named openings, then all others together.
type Openings = [Group; Opening::ALL.len() + 1];

/// The results of a group of games. Games without a result are in no tally.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    /// The number of games.
    pub games: u64,
    /// The total number of plies.
    pub plies: u64,
    /// The results of White.
    pub white: Tally,
    /// The results of the debtor; empty in riatra.
    pub debtor: Tally,
    /// The results of each engine, by its index in [`Breakdown::engines`].
    pub engines: Vec<Tally>,
}

/// The number of games that ended for one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    /// The number of riatras.
    pub riatra: u64,
    /// The number of velas.
    pub vela: u64,
}

/// An engine's use of time, over the moves it was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeUse {
    /// The number of moves it played.
    pub moves: u64,
    /// Their total time in milliseconds.
    pub total_ms: u64,
    /// The longest time in milliseconds, with the game and the number of the move, from 1.
    pub longest: Option<(u64, GameId, usize)>,
    /// The time it was allowed in milliseconds; zero if its limit is not a time.
    pub allowed_ms: u64,
}

impl TimeUse {
    /// The mean time per move in milliseconds; `None` without moves.
    pub(crate) fn mean_ms(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.total_ms as f64 / self.moves as f64)
    }

    /// The share of the allowed time that it used; above 1 if it used the margin. `None` if its
    /// limit is not a time. With a clock, the time of a game is the base plus all increments.
    pub fn share(&self) -> Option<f64> {
        (self.allowed_ms > 0).then(|| self.total_ms as f64 / self.allowed_ms as f64)
    }
}

impl Breakdown {
    /// A tournament before its first game.
    pub fn new(tournament: &Tournament) -> Breakdown {
        let engines = &tournament.engines;
        Breakdown {
            engines: engines.iter().map(|engine| engine.name.clone()).collect(),
            limits: engines.iter().map(|engine| tournament.limit_of(engine)).collect(),
            riatra: Openings::default(),
            vela: Openings::default(),
            lines: GameKind::ALL
                .map(|kind| Lines::new(kind.start(tournament.board, &tournament.rules))),
            ends: HashMap::new(),
            times: vec![TimeUse::default(); engines.len()],
        }
    }

    /// Adds a game.
    pub fn add(&mut self, game: &GameRecord) {
        let players = [self.engine(&game.white), self.engine(&game.black)];
        let ends = self.ends.entry(game.reason).or_default();
        let [riatra, vela] = &mut self.lines;
        let (openings, lines, end) = match game.kind {
            Kind::Vela => (&mut self.vela, vela, &mut ends.vela),
            _ => (&mut self.riatra, riatra, &mut ends.riatra),
        };
        lines.add(game, players);
        *end += 1;
        openings[place_of(game.opening())].add(game, players);
        self.spend(game, players);
    }

    /// The index of an engine; a new engine is added.
    fn engine(&mut self, name: &str) -> usize {
        let known = self.engines.iter().position(|engine| engine == name);
        known.unwrap_or_else(|| {
            self.engines.push(name.to_owned());
            self.times.push(TimeUse::default());
            self.engines.len() - 1
        })
    }

    /// Adds the times of a game's moves.
    fn spend(&mut self, game: &GameRecord, players: [usize; 2]) {
        let Ok(start) = game.start.parse::<Position>() else { return };
        let mut moves = [0_u64; 2];
        for (index, &ms) in game.times.iter().enumerate() {
            let ply = game.book as usize + index;
            let side =
                if ply.is_multiple_of(2) { start.side_to_move() } else { !start.side_to_move() };
            moves[side as usize] += 1;
            let time = &mut self.times[players[side as usize]];
            time.moves += 1;
            time.total_ms += ms;
            if time.longest.is_none_or(|(longest, ..)| ms > longest) {
                time.longest = Some((ms, game.id, ply + 1));
            }
        }
        for (player, moves) in players.into_iter().zip(moves) {
            let allowed_ms = match self.limits.get(player) {
                Some(Limit::MoveTime(time)) => moves * time.as_millis() as u64,
                Some(Limit::Clock(clock)) => clock.total(moves as u32).as_millis() as u64,
                _ => 0,
            };
            self.times[player].allowed_ms += allowed_ms;
        }
    }

    /// All games of a kind (riatra or vela); `None` if there are none.
    pub fn kind(&self, kind: Kind) -> Option<Group> {
        let mut sum = Group::default();
        self.openings(kind).for_each(|(_, group)| sum.add_group(group));
        (sum.games > 0).then_some(sum)
    }

    /// The games of a kind (riatra or vela) by named opening; other games come last if there are
    /// any.
    pub fn openings(&self, kind: Kind) -> impl Iterator<Item = (Option<Opening>, &Group)> {
        let groups = match kind {
            Kind::Riatra => Some(&self.riatra),
            Kind::Vela => Some(&self.vela),
            Kind::Session => None,
        };
        let names = Opening::ALL.into_iter().map(Some).chain([None]);
        names.zip(groups.into_iter().flatten()).filter(|(_, group)| group.games > 0)
    }

    /// The games of a kind (riatra or vela) by opening line, in order of appearance. A line is the
    /// opening's moves, after its start position if that is not the usual one. Empty if there are
    /// too many lines, if each has only one pair of games, or if the named openings give the same
    /// breakdown.
    pub fn lines(&self, kind: Kind) -> &[(String, Group)] {
        let [riatra, vela] = &self.lines;
        let lines = match kind {
            Kind::Riatra => riatra,
            Kind::Vela => vela,
            Kind::Session => return &[],
        };
        let groups = lines.groups.as_deref().unwrap_or_default();
        let known = groups.len() <= self.openings(kind).count();
        let single = groups.iter().all(|(_, group)| group.games <= 2);
        if known || single { &[] } else { groups }
    }

    /// The numbers of games by reason, the most frequent first, then alphabetically.
    pub fn ends(&self) -> Vec<(Reason, Ends)> {
        let mut ends: Vec<_> = self.ends.iter().map(|(&reason, &ends)| (reason, ends)).collect();
        ends.sort_by_cached_key(|(reason, ends)| {
            (u64::MAX - ends.riatra - ends.vela, reason.to_string())
        });
        ends
    }

    /// Each engine's use of time.
    pub fn times(&self) -> impl Iterator<Item = (&str, &TimeUse)> {
        self.engines.iter().map(String::as_str).zip(&self.times)
    }
}

/// The index of an opening in [`Openings`].
fn place_of(opening: Option<Opening>) -> usize {
    let named = opening.and_then(|opening| Opening::ALL.iter().position(|other| *other == opening));
    named.unwrap_or(Opening::ALL.len())
}

impl Group {
    fn add(&mut self, game: &GameRecord, players: [usize; 2]) {
        self.games += 1;
        self.plies += game.plies() as u64;
        let most = players.into_iter().max().map_or(0, |place| place + 1);
        self.engines.resize(self.engines.len().max(most), Tally::default());
        self.white.add(tally_of(game.result, Side::White));
        if let Some(debtor) = game.debtor() {
            self.debtor.add(tally_of(game.result, debtor));
        }
        for (player, side) in players.into_iter().zip([Side::White, Side::Black]) {
            self.engines[player].add(tally_of(game.result, side));
        }
    }

    fn add_group(&mut self, other: &Group) {
        self.games += other.games;
        self.plies += other.plies;
        self.white.add(other.white);
        self.debtor.add(other.debtor);
        self.engines.resize(self.engines.len().max(other.engines.len()), Tally::default());
        self.engines.iter_mut().zip(&other.engines).for_each(|(sum, tally)| sum.add(*tally));
    }

    /// The results of an engine, by its index.
    pub fn of_engine(&self, place: usize) -> Tally {
        self.engines.get(place).copied().unwrap_or_default()
    }
}

/// The tally of one game for a side; empty if it has no result.
fn tally_of(result: GameResult, side: Side) -> Tally {
    let mut tally = Tally::default();
    match result {
        GameResult::Won(winner) if winner == side => tally.wins = 1,
        GameResult::Won(_) => tally.losses = 1,
        GameResult::Drawn => tally.draws = 1,
        GameResult::Void => {}
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::config::EngineConfig;

    fn tournament() -> Tournament {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "x"));
        let mut tournament = Tournament::new("t", "", engines.to_vec());
        tournament.engines[0].limit = Some("1s+10ms".parse().unwrap());
        tournament.engines[1].limit = Some("nodes=5".parse().unwrap());
        tournament
    }

    fn game(id: &str, start: &str, moves: &str, result: &str, reason: &str) -> GameRecord {
        let start = match start {
            "" => "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1",
            start => start,
        };
        let position = start.parse().unwrap();
        let (result, reason) = (result.parse().unwrap(), reason.parse().unwrap());
        GameRecord {
            white: "a".to_owned(),
            black: "b".to_owned(),
            moves: moves.to_owned(),
            book: 1,
            ..GameRecord::new(id.parse().unwrap(), &position, result, reason)
        }
    }

    #[test]
    fn games_are_told_apart_by_kind_and_opening() {
        let mut breakdown = Breakdown::new(&tournament());
        let creditor_begins = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w b 0 1";
        for game in [
            game("1", "", "e2e3A f4e5W", "1-0", "no-stones"),
            game("2", "", "d3e3W", "0-1", "time"),
            game("3", "", "e2e3A", "1/2-1/2", "repetition"),
            game("4.1", "bbb/b1W/WWW w - 0 1", "c1b2A", "*", "void"),
            game("4.2", creditor_begins, "e2e3A", "1-0", "no-stones"),
        ] {
            breakdown.add(&game);
        }
        let tally = |wins, draws, losses| Tally { wins, draws, losses };
        let riatra: Vec<_> = breakdown.openings(Kind::Riatra).collect();
        let names: Vec<_> = riatra.iter().map(|(opening, _)| *opening).collect();
        assert_eq!(names, [Some(Opening::Vakiloha), Some(Opening::KobakaLava), None]);
        assert_eq!((riatra[0].1.games, riatra[0].1.plies), (2, 3));
        assert_eq!(riatra[0].1.white, tally(1, 1, 0));
        assert_eq!(riatra[0].1.of_engine(1), tally(0, 1, 1));
        assert_eq!(riatra[1].1.white, tally(0, 0, 1));
        // The void game counts, but has no result.
        assert_eq!((riatra[2].1.games, riatra[2].1.white), (1, tally(0, 0, 0)));
        let all = breakdown.kind(Kind::Riatra).unwrap();
        assert_eq!((all.games, all.white, all.debtor), (4, tally(1, 1, 1), tally(0, 0, 0)));
        let vela = breakdown.kind(Kind::Vela).unwrap();
        assert_eq!((vela.white, vela.debtor), (tally(1, 0, 0), tally(0, 0, 1)));
        assert_eq!(breakdown.kind(Kind::Session), None);
    }

    #[test]
    fn few_openings_are_told_one_by_one() {
        let mut breakdown = Breakdown::new(&tournament());
        let late = "bbb/b1W/WWW w - 0 1";
        fn of(number: u32, start: &str, moves: &str) -> GameRecord {
            let game = game(&number.to_string(), start, moves, "1-0", "no-stones");
            GameRecord { book: 2, ..game }
        }
        breakdown.add(&of(1, "", "e2e3A f4e5W g2g3A"));
        breakdown.add(&of(2, "", "e2e3A d5e4A g2g3A"));
        breakdown.add(&of(3, late, "c1b2A"));
        assert_eq!(breakdown.lines(Kind::Riatra), [], "one pair of each at most");
        for number in 4..=5 {
            breakdown.add(&of(number, "", "e2e3A f4e5W"));
        }
        let lines = breakdown.lines(Kind::Riatra);
        let counts: Vec<_> = lines.iter().map(|(line, group)| (&**line, group.games)).collect();
        let late = format!("{late} c1b2A");
        assert_eq!(counts, [("e2e3A f4e5W", 3), ("e2e3A d5e4A", 1), (&*late, 1)]);
        assert_eq!(breakdown.lines(Kind::Vela), []);
        for number in 6..6 + MAX_LINES as u32 {
            breakdown.add(&of(number, "", &format!("e2e3A x{number}")));
        }
        assert_eq!(breakdown.lines(Kind::Riatra), [], "too many to be looked at");
    }

    #[test]
    fn ends_come_by_their_number() {
        let mut breakdown = Breakdown::new(&tournament());
        for (id, reason) in [("1", "time"), ("2", "quiet"), ("3", "quiet"), ("4", "crash")] {
            breakdown.add(&game(id, "", "e2e3A", "1-0", reason));
        }
        let ends = breakdown.ends();
        let words: Vec<_> = ends.iter().map(|(reason, _)| reason.to_string()).collect();
        assert_eq!(words, ["quiet", "crash", "time"]);
        assert_eq!(ends[0].1, Ends { riatra: 2, vela: 0 });
    }

    #[test]
    fn time_is_that_of_the_moves_engines_were_asked_for() {
        let mut breakdown = Breakdown::new(&tournament());
        let mut first = game("7", "", "e2e3A f4e5W g2g3A f5f4A", "1-0", "resign");
        // The opening has the first move, so Black (`b`) moves first.
        first.times = vec![30, 100, 50];
        breakdown.add(&first);
        let mut second = game("8", "", "e2e3A f4e5W g2g3A", "1-0", "resign");
        (second.white, second.black) = ("b".to_owned(), "a".to_owned());
        second.times = vec![410, 20];
        breakdown.add(&second);
        let times: Vec<_> = breakdown.times().collect();
        let (a, b) = (times[0].1, times[1].1);
        assert_eq!((times[0].0, a.moves, a.total_ms), ("a", 2, 510));
        assert_eq!(a.longest, Some((410, "8".parse().unwrap(), 2)));
        assert_eq!(a.mean_ms(), Some(255.0));
        // Two games of one second each, and two increments.
        assert_eq!(a.share(), Some(510.0 / 2020.0));
        assert_eq!((b.moves, b.total_ms, b.share()), (3, 100, None));
        assert_eq!(b.longest, Some((50, "7".parse().unwrap(), 4)));
        assert_eq!(TimeUse::default().mean_ms(), None);
    }
}
