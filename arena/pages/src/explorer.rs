//! The opening explorer: which moves were played in a position, by which engines, and how the games
//! ended. Positions that are images of each other under a symmetry of the board count as one.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};

use fanorona_protocol::rules::{Move, Opening, Position, Ruleset, Side, Start};
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::record::GameRecord;
use serde::{Deserialize, Serialize};

use super::positions::{MoveSteps, Replayed, rules_of};
use super::proven::{ProvenView, proven};
use super::refusal::Refusal;

/// The plies of each game that are indexed.
const MAX_PLIES: usize = 40;

/// The games that an answer names.
const SAMPLE: usize = 20;

/// Games by position, all played by the same rules.
#[derive(Debug)]
pub struct OpeningIndex {
    rules: Ruleset,
    games: Vec<GameNote>,
    engines: Vec<String>,
    /// The visits of each position, by the key of its representative: the game, and the move played
    /// there as an image of what the representative sees.
    visits: HashMap<u64, Vec<Visit>>,
}

/// The explorer's note of a game.
#[derive(Debug)]
struct GameNote {
    id: String,
    players: [u32; 2],
    result: GameResult,
    plies: u32,
}

/// A move played in a position.
#[derive(Clone, Copy, Debug)]
struct Visit {
    game: u32,
    mv: Move,
    /// The score in hundredths from White's view that the player reported.
    score: Option<i32>,
}

/// A score from White's view; proven results have none.
fn white_score(score: &str, side: Side) -> Option<i32> {
    let own: i32 = score.strip_prefix("cp ")?.parse().ok()?;
    Some(if side == Side::White { own } else { -own })
}

impl OpeningIndex {
    /// An index without games.
    pub fn new(rules: Ruleset) -> OpeningIndex {
        OpeningIndex { rules, games: Vec::new(), engines: Vec::new(), visits: HashMap::new() }
    }

    /// An index of games that were played by these rules.
    pub fn of<G: Borrow<GameRecord>>(
        rules: Ruleset,
        games: impl IntoIterator<Item = G>,
    ) -> OpeningIndex {
        let mut index = OpeningIndex::new(rules);
        games.into_iter().for_each(|game| index.add(game.borrow()));
        index
    }

    /// Adds a game, the latest one.
    pub fn add(&mut self, game: &GameRecord) {
        let Ok(mut position) = game.start.parse::<Position>() else { return };
        let number = self.games.len() as u32;
        let players = [&game.white, &game.black].map(|name| self.engine(name));
        let plies = game.plies() as u32;
        self.games.push(GameNote { id: game.id.to_string(), players, result: game.result, plies });
        let words = game.moves.split_ascii_whitespace().take(MAX_PLIES);
        for (ply, mv) in words.map_while(|word| word.parse::<Move>().ok()).enumerate() {
            let Ok(next) = position.play(&self.rules, &mv) else { return };
            let (representative, symmetry) = position.canonical();
            let Some(image) = symmetry.mv(&mv) else { return };
            let asked = ply.checked_sub(game.book as usize);
            let score = asked.and_then(|place| game.scores.get(place));
            let score = score.and_then(|score| white_score(score, position.side_to_move()));
            let visits = self.visits.entry(representative.key()).or_default();
            visits.push(Visit { game: number, mv: image, score });
            position = next;
        }
    }

    fn engine(&mut self, name: &str) -> u32 {
        let known = self.engines.iter().position(|known| known == name);
        let place = known.unwrap_or_else(|| {
            self.engines.push(name.to_owned());
            self.engines.len() - 1
        });
        place as u32
    }
}

/// A page's request to the explorer.
#[derive(Clone, Debug, Deserialize)]
pub struct ExplorerRequest {
    /// The start position; the usual one if missing.
    start: Option<String>,
    #[serde(default)]
    rules: String,
    #[serde(default)]
    moves: Vec<String>,
    /// The ids of the tournaments; all if empty.
    #[serde(default)]
    tournaments: Vec<String>,
    /// Only games of this engine, if not empty.
    #[serde(default)]
    engine: String,
    /// Only games whose players both have at least this rating, in Elo, in their tournament.
    min_elo: Option<f64>,
}

impl ExplorerRequest {
    /// Whether the games of a tournament are asked for.
    pub fn wants(&self, id: &str) -> bool {
        self.tournaments.is_empty() || self.tournaments.iter().any(|wanted| wanted == id)
    }

    /// Whether the answer depends on the ratings of the players.
    pub fn needs_ratings(&self) -> bool {
        self.min_elo.is_some()
    }
}

/// The games of one tournament.
#[derive(Clone, Copy, Debug)]
pub struct Source<'s> {
    /// The tournament, as addresses name it.
    pub id: &'s str,
    /// Its games.
    pub index: &'s OpeningIndex,
    /// The ratings of its engines in Elo, by name.
    pub ratings: &'s BTreeMap<String, f64>,
}

/// The games that reached a position.
#[derive(Clone, Debug, Serialize)]
pub struct ExplorerView {
    start: String,
    fen: String,
    played: Vec<MoveSteps>,
    legal: Vec<MoveSteps>,
    #[serde(flatten)]
    total: Count,
    moves: Vec<MoveView>,
    sample: Vec<SampleView>,
    /// The proofs for the position and for those after its moves.
    proven: ProvenView,
}

/// Games by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
struct Count {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
}

impl Count {
    fn add(&mut self, result: GameResult) {
        self.games += 1;
        match result {
            GameResult::Won(Side::White) => self.white += 1,
            GameResult::Won(Side::Black) => self.black += 1,
            GameResult::Drawn => self.draws += 1,
            GameResult::Void => {}
        }
    }
}

/// A move with the games in which it was played.
#[derive(Clone, Debug, Serialize)]
struct MoveView {
    text: String,
    #[serde(flatten)]
    count: Count,
    /// The mean of the reported scores, from White's view.
    score: Option<f64>,
    opening: Option<&'static str>,
    engines: Vec<EngineCount>,
}

/// An engine that played a move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct EngineCount {
    name: String,
    games: u64,
}

/// A game that reached the position.
#[derive(Clone, Debug, Serialize)]
struct SampleView {
    t: String,
    game: String,
    white: String,
    black: String,
    result: String,
    plies: u32,
}

/// The statistics of a move so far.
#[derive(Clone, Debug, Default)]
struct MoveStatistics {
    count: Count,
    sum: i64,
    scores: u64,
    engines: HashMap<String, u64>,
}

/// Collects the games of several directories that reached a position.
struct Search<'r> {
    position: Position,
    start: &'r Position,
    first: bool,
    rules: Ruleset,
    engine: &'r str,
    min_elo: Option<f64>,
    total: Count,
    moves: HashMap<Move, MoveStatistics>,
    sample: Vec<SampleView>,
}

impl Search<'_> {
    fn add(&mut self, source: &Source<'_>) {
        let Source { id, index, ratings } = *source;
        if index.rules != self.rules {
            return;
        }
        let min_elo = self.min_elo;
        let is_weak = |name: &str| {
            min_elo.is_some_and(|least| ratings.get(name).is_none_or(|elo| *elo < least))
        };
        let (representative, symmetry) = self.position.canonical();
        let back = symmetry.inverse();
        let side = self.position.side_to_move();
        let visits = index.visits.get(&representative.key());
        for visit in visits.into_iter().flatten() {
            let game = &index.games[visit.game as usize];
            let [white, black] = game.players.map(|place| &*index.engines[place as usize]);
            if !(self.engine.is_empty() || [white, black].contains(&self.engine)) {
                continue;
            }
            if is_weak(white) || is_weak(black) {
                continue;
            }
            let Some(mv) = back.mv(&visit.mv) else { continue };
            self.total.add(game.result);
            let gathered = self.moves.entry(mv).or_default();
            gathered.count.add(game.result);
            if let Some(score) = visit.score {
                gathered.sum += i64::from(score);
                gathered.scores += 1;
            }
            let player = if side == Side::White { white } else { black };
            *gathered.engines.entry(player.to_owned()).or_default() += 1;
            self.sample.push(SampleView {
                t: id.to_owned(),
                game: game.id.clone(),
                white: white.to_owned(),
                black: black.to_owned(),
                result: game.result.to_string(),
                plies: game.plies,
            });
        }
        // The latest games of every directory.
        let cut = self.sample.len().saturating_sub(SAMPLE);
        self.sample.drain(..cut);
    }

    /// The moves, the most frequent first. A position that is its own image has moves that are
    /// images of each other; they count as one, which is shown as a legal move of the position.
    fn moves(self) -> (Count, Vec<MoveView>, Vec<SampleView>) {
        let Search { position, start, first, moves, total, mut sample, .. } = self;
        let mut folded: HashMap<Move, MoveStatistics> = HashMap::new();
        let own = |mv: &Move| {
            let size = position.board().size();
            let symmetries = fanorona_protocol::rules::Symmetry::all(size);
            let images = symmetries
                .filter(|symmetry| symmetry.position(&position) == position)
                .filter_map(|symmetry| symmetry.mv(mv));
            images.min_by_key(ToString::to_string).unwrap_or(*mv)
        };
        for (mv, gathered) in moves {
            let sum = folded.entry(own(&mv)).or_default();
            let Count { games, white, draws, black } = gathered.count;
            sum.count.games += games;
            sum.count.white += white;
            sum.count.draws += draws;
            sum.count.black += black;
            sum.sum += gathered.sum;
            sum.scores += gathered.scores;
            for (name, games) in gathered.engines {
                *sum.engines.entry(name).or_default() += games;
            }
        }
        let mut views: Vec<MoveView> = folded
            .into_iter()
            .map(|(mv, gathered)| {
                let engines = gathered.engines.into_iter();
                let mut engines: Vec<_> =
                    engines.map(|(name, games)| EngineCount { name, games }).collect();
                engines.sort_by(|a, b| b.games.cmp(&a.games).then_with(|| a.name.cmp(&b.name)));
                let mean = gathered.sum as f64 / gathered.scores.max(1) as f64;
                let opening = Opening::from_game(start, &mv).filter(|_| first);
                MoveView {
                    text: mv.to_string(),
                    count: gathered.count,
                    score: (gathered.scores > 0).then_some(mean),
                    opening: opening.map(Opening::name),
                    engines,
                }
            })
            .collect();
        views.sort_by(|a, b| b.count.games.cmp(&a.count.games).then_with(|| a.text.cmp(&b.text)));
        sample.reverse();
        (total, views, sample)
    }
}

/// Answers a page from the games of some tournaments.
///
/// # Errors
/// Returns a refusal if the position or a move of the question is invalid.
pub fn explore<'s>(
    request: &ExplorerRequest,
    sources: impl IntoIterator<Item = Source<'s>>,
) -> Result<ExplorerView, Refusal> {
    let rules = rules_of(&request.rules)?;
    let start = match &request.start {
        Some(fen) => fen.trim().parse().map_err(|why| Refusal::from_position(fen, &why))?,
        None => Start::TSIVY.riatra(),
    };
    let Replayed { game, played, .. } = Replayed::new(start, rules, &request.moves)?;
    let position = *game.position();
    let mut search = Search {
        position,
        start: game.start(),
        first: game.moves().is_empty(),
        rules: *game.rules(),
        engine: &request.engine,
        min_elo: request.min_elo,
        total: Count::default(),
        moves: HashMap::new(),
        sample: Vec::new(),
    };
    for source in sources.into_iter().filter(|source| request.wants(source.id)) {
        search.add(&source);
    }
    let (total, moves, sample) = search.moves();
    let steps = |mv| MoveSteps::new(&position, game.rules(), mv);
    Ok(ExplorerView {
        start: start.to_string(),
        fen: position.to_string(),
        legal: game.legal_moves().iter().filter_map(steps).collect(),
        played,
        total,
        moves,
        sample,
        proven: proven(&position, game.rules()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn index(games: &[(&str, &str)]) -> OpeningIndex {
        let game = |(number, (moves, result)): (usize, &(&str, &str))| {
            let id = (number + 1).to_string().parse().unwrap();
            let start = Start::TSIVY.riatra();
            let (result, reason) = (result.parse().unwrap(), "no-move".parse().unwrap());
            GameRecord {
                white: "a".to_owned(),
                black: "b".to_owned(),
                moves: (*moves).to_owned(),
                scores: vec!["cp 10".to_owned(), "cp 30".to_owned()],
                ..GameRecord::new(id, &start, result, reason)
            }
        };
        OpeningIndex::of(Ruleset::default(), games.iter().enumerate().map(game))
    }

    fn add(search: &mut Search<'_>, index: &OpeningIndex) {
        let ratings = BTreeMap::from([("a".to_owned(), 50.0), ("b".to_owned(), -50.0)]);
        search.add(&Source { id: "t", index, ratings: &ratings });
    }

    fn search<'r>(start: &'r Position, moves: &[&str]) -> Search<'r> {
        let rules = Ruleset::default();
        let position = moves
            .iter()
            .fold(*start, |position, mv| position.play(&rules, &mv.parse().unwrap()).unwrap());
        Search {
            position,
            start,
            first: moves.is_empty(),
            rules,
            engine: "",
            min_elo: None,
            total: Count::default(),
            moves: HashMap::new(),
            sample: Vec::new(),
        }
    }

    #[test]
    fn moves_are_counted_with_results_and_names() {
        let start = Start::TSIVY.riatra();
        let rules = Ruleset::default();
        let reply = start.play(&rules, &"e2e3A".parse().unwrap()).unwrap().legal_moves(&rules)[0];
        let line = format!("e2e3A {reply}");
        let index = index(&[(&line, "1-0"), ("e2e3A", "0-1"), ("d3e3W", "1/2-1/2")]);
        let mut all = search(&start, &[]);
        add(&mut all, &index);
        let (total, moves, sample) = all.moves();
        assert_eq!(total, Count { games: 3, white: 1, draws: 1, black: 1 });
        let seen: Vec<_> = moves.iter().map(|mv| (&*mv.text, mv.count.games, mv.score)).collect();
        assert_eq!(seen, [("e2e3A", 2, Some(10.0)), ("d3e3W", 1, Some(10.0))]);
        assert_eq!(moves[0].opening, Some("Vakiloha"));
        assert_eq!(moves[0].engines, [EngineCount { name: "a".to_owned(), games: 2 }]);
        assert_eq!(sample.iter().map(|game| &*game.game).collect::<Vec<_>>(), ["3", "2", "1"]);
        let mut after = search(&start, &["e2e3A"]);
        add(&mut after, &index);
        let (total, moves, _) = after.moves();
        assert_eq!((total.games, moves.len(), moves[0].score), (1, 1, Some(-30.0)));
        assert_eq!(moves[0].text, reply.to_string());
    }

    #[test]
    fn images_of_a_position_count_as_one() {
        let rules = Ruleset::default();
        let start: Position = "9/9/bW7/9/9 w".parse().unwrap();
        let image: Position = "9/9/7Wb/9/9 w".parse().unwrap();
        let mut index = index(&[]);
        for (number, (start, mv)) in [(start, "b3c3W"), (image, "h3g3W")].iter().enumerate() {
            assert!(start.play(&rules, &mv.parse().unwrap()).is_ok());
            let id = (number + 1).to_string().parse().unwrap();
            let (result, reason) = ("1-0".parse().unwrap(), "no-stones".parse().unwrap());
            let record = GameRecord::new(id, start, result, reason);
            index.add(&GameRecord { moves: (*mv).to_owned(), ..record });
        }
        let mut search = search(&image, &[]);
        add(&mut search, &index);
        let (total, moves, _) = search.moves();
        assert_eq!((total.games, moves.len(), &*moves[0].text), (2, 1, "h3g3W"));
    }

    #[test]
    fn games_are_chosen_by_engine_and_rating() {
        let start = Start::TSIVY.riatra();
        let index = index(&[("e2e3A", "1-0"), ("d3e3W", "0-1")]);
        let count = |change: &dyn Fn(&mut Search<'_>)| {
            let mut search = search(&start, &[]);
            change(&mut search);
            add(&mut search, &index);
            search.total.games
        };
        assert_eq!(count(&|_| {}), 2);
        assert_eq!((count(&|it| it.engine = "a"), count(&|it| it.engine = "c")), (2, 0));
        assert_eq!(count(&|it| it.min_elo = Some(-50.0)), 2);
        assert_eq!(count(&|it| it.min_elo = Some(0.0)), 0);
    }

    #[test]
    fn an_answer_needs_nothing_but_games() {
        let request = |text| serde_json::from_str::<ExplorerRequest>(text).unwrap();
        let index = index(&[("e2e3A", "1-0")]);
        let ratings = BTreeMap::new();
        let source = Source { id: "t", index: &index, ratings: &ratings };
        let answer = explore(&request("{}"), [source]).unwrap();
        let seen = serde_json::to_value(&answer).unwrap();
        assert_eq!((&seen["games"], &seen["white"]), (&json!(1), &json!(1)));
        assert_eq!(
            (&seen["moves"][0]["text"], &seen["sample"][0]["t"]),
            (&json!("e2e3A"), &json!("t"))
        );
        let other = explore(&request(r#"{"tournaments": ["u"]}"#), [source]).unwrap();
        assert_eq!(other.total.games, 0);
        assert!(explore(&request(r#"{"moves": ["a1a2"]}"#), [source]).is_err());
    }
}
