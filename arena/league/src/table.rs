//! The table of a league: ratings over the games of all its tournaments, their history, and what is
//! known about every engine.

use std::collections::BTreeMap;

use fanorona_protocol::rules::Side;

use super::error::LeagueError;
use super::played::Played;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{FitOptions, Scope, Superiority, Tally, elo};
use fanorona_report::statistics::results_reader::{GameResults, Thinking};
use fanorona_report::statistics::session_rows::sessions;
use fanorona_report::statistics::standings::Standings;
use fanorona_tournament::diagnostics::engine_reports::EngineReport;
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::record::{GameRecord, GameRow, Reader, move_rows};

/// The table of a league.
#[derive(Clone, Debug)]
pub struct Table {
    /// The ratings over all games.
    pub standings: Standings,
    /// The record of each engine, by its name.
    pub records: BTreeMap<String, BotRecord>,
    /// The tournaments, the earliest first.
    pub tournaments: Vec<Round>,
}

/// A tournament in the history of a league.
#[derive(Clone, Debug)]
pub struct Round {
    /// Its number.
    pub number: u32,
    /// The day on which it began; `None` if unknown.
    pub day: Option<String>,
    /// The number of engines in it.
    pub engines: usize,
    /// The number of its games.
    pub games: u64,
    /// The number of its games that ended by a fault.
    pub faults: u64,
    /// Whether games are left to be played.
    pub is_unfinished: bool,
    /// The ratings over all games up to its end, by engine, on the scale of the last tournament:
    /// the engines in common with the next tournament have the same mean in both.
    pub elo: BTreeMap<String, f64>,
}

/// The record of one engine.
#[derive(Clone, Debug, Default)]
pub struct BotRecord {
    /// Its results by kind and whether it was the first player: White in riatra, the debtor in vela.
    pub results: BTreeMap<(Kind, bool), Tally>,
    /// Its thinking time.
    pub thinking: Thinking,
    /// Its longest move in milliseconds.
    pub longest_ms: u64,
    /// The number of games that each fault cost it.
    pub faults: BTreeMap<Fault, u64>,
    /// Its shortest losses by the rules, a few, the shortest first.
    pub shortest_losses: Vec<ShortLoss>,
    /// Principal variations with illegal moves.
    pub illegal_lines: u64,
    /// Its reports besides its moves.
    pub reported: EngineReport,
}

/// A game that an engine lost quickly.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ShortLoss {
    /// The number of moves.
    pub plies: usize,
    /// The game: the numbers of the tournament and of the game in it.
    pub game: String,
    /// The name of the engine that won it.
    pub opponent: String,
}

/// The number of short losses kept.
const SHORTEST: usize = 3;

/// The number of a game in a league.
pub(crate) fn game_number(tournament: u32, game: &GameRecord) -> String {
    format!("{tournament}-{}", game.id)
}

/// The fault of a side's engine in a game; `None` if there is none.
pub fn fault_of(game: &GameRecord, side: Side) -> Option<Fault> {
    let Reason::Fault(fault) = game.reason else { return None };
    let offender = if side == Side::White { 'w' } else { 'b' };
    if game.offender == Some(offender) { Some(fault) } else { game.other_fault }
}

impl Table {
    /// Reads the games of all tournaments.
    pub fn read(played: &[Played]) -> Result<Table, LeagueError> {
        let mut results = GameResults::default();
        let mut records: BTreeMap<String, BotRecord> = BTreeMap::new();
        let mut tournaments = Vec::new();
        for it in played {
            let wrong = |why| LeagueError::Game { dir: it.dir.clone(), why };
            let mut journal = Reader::open(&it.dir)?;
            let mut of_tournament = results.tournament();
            let (mut games, mut faults) = (0, 0);
            for game in it.index.games().iter().filter(|game| it.progress.counts(game)) {
                let game = journal.game(game.offset)?;
                of_tournament.game(&GameRow::new(&game)).map_err(wrong)?;
                games += 1;
                faults += u64::from(matches!(game.reason, Reason::Fault(_)));
                for side in Side::BOTH {
                    let name = if side == Side::White { &game.white } else { &game.black };
                    records.entry(name.clone()).or_default().add(it.number, &game, side);
                }
            }
            for row in sessions(&it.tournament, &it.index, &it.progress) {
                of_tournament.session(&row).map_err(wrong)?;
            }
            results = of_tournament.finish();
            let ratings = elo(&results.sample, Scope::All);
            let names = results.sample.engines().map(|(_, name)| name.to_owned());
            let rated = names.zip(ratings).filter_map(|(name, elo)| Some((name, elo?)));
            tournaments.push(Round {
                number: it.number,
                day: it.day(),
                engines: it.tournament.engines.len(),
                games,
                faults,
                is_unfinished: it.is_unfinished(),
                elo: rated.collect(),
            });
        }
        align(&mut tournaments);
        for (name, thinking) in &results.thinking {
            records.entry(name.clone()).or_default().thinking = *thinking;
        }
        let superiority = Superiority::from_engine_count(results.sample.engines().len());
        let options = FitOptions { superiority, ..FitOptions::default() };
        let standings =
            Standings::new(&results, &options).expect("without anchors every sample can be rated");
        Ok(Table { standings, records, tournaments })
    }

    /// The errors that an engine reported, in words; `None` if there were none.
    pub(crate) fn errors_of(&self, engine: &str) -> Option<String> {
        let reported = &self.records.get(engine)?.reported;
        reported.first_error.as_ref().map(|_| reported.errors_in_words())
    }

    /// The ratings of an engine after each tournament; `None` before its first.
    pub fn history(&self, engine: &str) -> Vec<Option<f64>> {
        self.tournaments.iter().map(|it| it.elo.get(engine).copied()).collect()
    }
}

/// Puts the ratings of all tournaments on the scale of the last one. The mean of all engines is zero
/// after every tournament, so an engine that joins moves the numbers of all others although nothing
/// about them has changed. Each tournament is therefore shifted so that the engines that it has in
/// common with the next one have the same mean in both.
fn align(tournaments: &mut [Round]) {
    for place in (1..tournaments.len()).rev() {
        let (before, after) = tournaments.split_at_mut(place);
        let (Some(before), Some(after)) = (before.last_mut(), after.first()) else { continue };
        let lead = |(name, elo): (&String, &f64)| Some(after.elo.get(name)? - elo);
        let leads: Vec<f64> = before.elo.iter().filter_map(lead).collect();
        let shift = leads.iter().sum::<f64>() / leads.len().max(1) as f64;
        before.elo.values_mut().for_each(|elo| *elo += shift);
    }
}

impl BotRecord {
    fn add(&mut self, tournament: u32, game: &GameRecord, side: Side) {
        let is_first = game.debtor().unwrap_or(Side::White) == side;
        let tally = self.results.entry((game.kind, is_first)).or_default();
        match game.result {
            GameResult::Won(winner) if winner == side => tally.wins += 1,
            GameResult::Won(_) => tally.losses += 1,
            GameResult::Drawn => tally.draws += 1,
            GameResult::Void => {}
        }
        self.illegal_lines += u64::from(game.illegal_lines[side as usize]);
        self.reported.add(game, side, &game_number(tournament, game));
        let word = if side == Side::White { "w" } else { "b" };
        let own = move_rows(game).filter(|row| row.side == word).filter_map(|row| row.ms);
        self.longest_ms = own.chain([self.longest_ms]).max().unwrap_or(0);
        if let Some(fault) = fault_of(game, side) {
            *self.faults.entry(fault).or_default() += 1;
        } else if game.result == GameResult::Won(!side) && !matches!(game.reason, Reason::Fault(_))
        {
            let opponent = if side == Side::White { &game.black } else { &game.white };
            let loss = ShortLoss {
                plies: game.plies(),
                game: game_number(tournament, game),
                opponent: opponent.clone(),
            };
            let place = self.shortest_losses.partition_point(|it| *it < loss);
            self.shortest_losses.insert(place, loss);
            self.shortest_losses.truncate(SHORTEST);
        }
    }

    /// The results of a kind, or of all, as first player, second player or both.
    pub fn tally(&self, wanted: impl Fn(Kind, bool) -> bool) -> Tally {
        let mut sum = Tally::default();
        for (_, tally) in self.results.iter().filter(|((kind, first), _)| wanted(*kind, *first)) {
            sum.wins += tally.wins;
            sum.draws += tally.draws;
            sum.losses += tally.losses;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_ratings::{PairKey, Sample, Score, ScoredGame};

    fn game(
        white: &str,
        black: &str,
        result: &str,
        reason: &str,
        offender: Option<char>,
    ) -> GameRecord {
        let start = "bbb/b1W/WWW w - 0 1".parse().unwrap();
        let (result, reason) = (result.parse().unwrap(), reason.parse().unwrap());
        GameRecord {
            white: white.to_owned(),
            black: black.to_owned(),
            offender,
            moves: "c1c2 a2b2 c2c1".to_owned(),
            times: vec![5, 7, 9],
            ..GameRecord::new("4".parse().unwrap(), &start, result, reason)
        }
    }

    fn round(elo: &[(&str, f64)]) -> Round {
        Round {
            number: 1,
            day: None,
            engines: elo.len(),
            games: 0,
            faults: 0,
            is_unfinished: false,
            elo: elo.iter().map(|&(name, elo)| (name.to_owned(), elo)).collect(),
        }
    }

    /// The round of bots of which each plays four pairs against every other: so many of the eight
    /// points of each go to the first of them.
    fn played(names: &[&str], points: impl Fn(&str, &str) -> u64) -> Round {
        let mut sample = Sample::new(names.iter().copied()).unwrap();
        let mut pair = 0;
        for (place, one) in names.iter().enumerate() {
            for other in &names[place + 1..] {
                for game in 0..8 {
                    let of = |name: &str| sample.engine(name).unwrap();
                    let (first, second) = (of(one), of(other));
                    let score = if game < points(one, other) { Score::Win } else { Score::Loss };
                    let (first, second, score) = match game % 2 {
                        0 => (first, second, score),
                        _ => (second, first, score.of_opponent()),
                    };
                    let (kind, pair) = (Kind::Riatra, PairKey(pair + game / 2));
                    sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
                }
                pair += 4;
            }
        }
        let ratings = elo(&sample, Scope::All);
        let names: Vec<&str> = sample.engines().map(|(_, name)| name).collect();
        let rated: Vec<(&str, f64)> =
            names.into_iter().zip(ratings).map(|(name, elo)| (name, elo.unwrap())).collect();
        round(&rated)
    }

    #[test]
    fn a_strong_bot_that_joins_leaves_unchanged_bots_where_they_were() {
        // A bot earlier in the alphabet is a little stronger, and the newcomer beats all others.
        let points = |one: &str, other: &str| match (one, other) {
            ("strong", _) => 8,
            (_, "strong") => 0,
            _ => 5,
        };
        let before = ["a", "b", "c", "d"];
        let mut tournaments =
            [played(&before, points), played(&["a", "b", "c", "d", "strong"], points)];
        let change = |tournaments: &[Round; 2], name: &str| {
            tournaments[1].elo[name] - tournaments[0].elo[name]
        };
        assert!(before.iter().all(|name| change(&tournaments, name) < -50.0));
        align(&mut tournaments);
        for name in before {
            let change = change(&tournaments, name);
            assert!(change.abs() < 8.0, "{name} {change}");
        }
    }

    #[test]
    fn a_joining_engine_moves_no_other_rating() {
        // The mean is zero each time: first a strong engine joins, then a weak one.
        let mut tournaments = [
            round(&[("a", 30.0), ("b", -30.0)]),
            round(&[("a", -170.0), ("b", -230.0), ("strong", 400.0)]),
            round(&[("a", -50.0), ("b", -130.0), ("strong", 520.0), ("weak", -340.0)]),
        ];
        align(&mut tournaments);
        let of = |name: &str| tournaments.each_ref().map(|it| it.elo.get(name).copied());
        let near = |one: Option<f64>, other: f64| (one.unwrap() - other).abs() < 1e-9;
        // In the last tournament b lost a little against the two others.
        let [first, second, last] = of("a");
        assert!(near(first, second.unwrap()) && near(last, -50.0), "{:?}", of("a"));
        assert!(near(of("b")[1], -230.0 + 340.0 / 3.0), "{:?}", of("b"));
        assert_eq!(of("strong")[0], None);
        let changes: f64 =
            ["a", "b", "strong"].map(|it| of(it)[2].unwrap() - of(it)[1].unwrap()).iter().sum();
        assert!(changes.abs() < 1e-9, "{changes}");
    }

    #[test]
    fn a_record_is_that_of_one_side() {
        let mut record = BotRecord::default();
        record.add(2, &game("a", "b", "0-1", "no-stones", None), Side::White);
        record.add(2, &game("b", "a", "0-1", "time", Some('w')), Side::Black);
        record.add(3, &game("b", "a", "1-0", "time", Some('b')), Side::Black);
        assert_eq!(record.tally(|_, _| true), Tally { wins: 1, draws: 0, losses: 2 });
        assert_eq!(record.tally(|_, first| first), Tally { wins: 0, draws: 0, losses: 1 });
        assert_eq!(record.faults, BTreeMap::from([(Fault::Time, 1)]));
        assert_eq!(record.longest_ms, 9);
        let [loss] = &record.shortest_losses[..] else { panic!("{record:?}") };
        assert_eq!((loss.plies, &*loss.game, &*loss.opponent), (3, "2-4", "b"));
    }

    #[test]
    fn both_may_be_at_fault() {
        let both = GameRecord {
            other_fault: Some(Fault::Start),
            ..game("a", "b", "*", "crash", Some('b'))
        };
        assert_eq!(
            Side::BOTH.map(|side| fault_of(&both, side)),
            [Some(Fault::Start), Some(Fault::Crash)]
        );
    }
}
