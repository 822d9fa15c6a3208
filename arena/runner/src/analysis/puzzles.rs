//! Finds puzzles by asking an engine: tactical ones in games, and exact ones among positions with
//! few stones.
//!
//! A **tactical** puzzle is a position of a game in which one family of moves keeps a chance of
//! `LEAST_CHANCE` and every other move loses `LEAST_LOSS` or more. The solution follows the
//! engine's replies as long as that holds, and has to stand in longer searches.
//!
//! An **exact** puzzle is a random position in which one family of moves wins, by the values of an
//! engine with endgame tables. Later in the solution, every winning move counts as right.

use std::collections::HashSet;

use fanorona_protocol::messages::{Score, Value};
use fanorona_protocol::rules::{Board, BoardSize, Game, Move, PointSet, Position, Ruleset, raw};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::games::{AnalysisError, Request};
use super::position::Analyst;
use crate::play::position_line;
use fanorona_engine::{Engine, Failure};
use fanorona_tournament::analysis::family::families;
use fanorona_tournament::analysis::game::PositionAnalysis;
use fanorona_tournament::analysis::puzzles::{Branch, Canonical, Puzzle, PuzzleKind, canonical};
use fanorona_tournament::config::Limit;
use fanorona_tournament::pairing::seeds;

/// The chance that the right move of a tactical puzzle keeps.
pub(crate) const LEAST_CHANCE: f64 = 0.8;

/// The chance that every other move loses.
pub(crate) const LEAST_LOSS: f64 = 0.3;

/// The number of moves that a puzzle has to offer, counting those to the same position once.
const LEAST_CHOICE: usize = 3;

/// The least number of the solver's moves: with the reply between them, three plies.
const LEAST_MOVES: usize = 2;

/// The greatest number of the solver's moves in a tactical puzzle.
const MOST_TACTICAL: usize = 4;

/// A tactical puzzle has to hold with this many times the nodes.
const CONFIRMATION: u64 = 10;

/// The first move of a solution has to stand in searches of the nodes that the caller gives, and the
/// later ones in searches of these divided by this.
const LATER: u64 = 5;

/// The deepest search that rates a tactical puzzle.
const DEEPEST: u32 = 8;

/// The lengths of exact puzzles: the plies of their solutions. Each gets the same share as far as
/// possible.
const LENGTHS: [u32; 7] = [3, 5, 7, 9, 11, 13, 15];

/// The longest win of an exact puzzle in plies. Its solution may end before.
const LONGEST_WIN: u32 = 21;

/// The positions tried for each exact puzzle.
const TRIES: u64 = 4000;

/// The solution of an exact puzzle ends before a position in which more families win: the rest is
/// easy.
const MOST_FAMILIES: usize = 4;

/// Finds the tactical puzzles in one game, whose solutions stand in searches of `confirm` nodes. `seen`
/// holds the positions that were tried before, up to symmetry; `source` describes the game.
///
/// # Errors
/// Returns an error if the engine fails or a move of the game is not legal.
pub async fn tactical(
    engine: &mut Engine,
    request: &Request<'_>,
    confirm: u64,
    seen: &mut HashSet<Canonical>,
    source: &str,
) -> Result<Vec<Puzzle>, AnalysisError> {
    let Request { rules, start, moves, book, limit, .. } = *request;
    let mut analyst = Analyst { engine, rules, limit };
    analyst.begin(1).await?;
    let mut found = Vec::new();
    let mut game = Game::new(rules, start);
    for (index, mv) in moves.iter().enumerate() {
        let position = *game.position();
        if index >= book && seen.insert(canonical(&position)) && game.ending().is_none() {
            // Puzzles begin with their position: nothing may depend on the game before it.
            let solution = solution(&mut analyst, Game::new(rules, position)).await?;
            if let Some((solution, solver_positions)) = solution {
                let rating = rating(&mut analyst, &position, &solution).await?;
                seen.extend(solver_positions.iter().map(canonical));
                if stands(&mut analyst, position, &solution, confirm).await? {
                    found.push(tactical_puzzle(position, rules, solution, rating, source));
                }
                analyst.begin(1).await?;
            }
        }
        game.play(mv).map_err(|why| AnalysisError::Illegal { number: index + 1, mv: *mv, why })?;
    }
    Ok(found)
}

/// The `position` line of a game, as the engine is told.
fn line(game: &Game) -> String {
    position_line(game.start(), game.moves())
}

/// The solver's moves from a position, and the positions of the solver; `None` if it is not a
/// puzzle.
async fn solution(
    analyst: &mut Analyst<'_>,
    mut game: Game,
) -> Result<Option<(Vec<Branch>, Vec<Position>)>, Failure> {
    let (start, limit) = (game.clone(), analyst.limit);
    let (mut steps, mut positions): (Vec<Branch>, Vec<Position>) = (Vec::new(), Vec::new());
    while steps.len() < MOST_TACTICAL {
        let least_choice = if steps.is_empty() { LEAST_CHOICE } else { 2 };
        let Some(family) = only_winning(analyst, &game, limit, least_choice).await? else { break };
        positions.push(*game.position());
        if game.play(&family[0]).is_err() {
            break;
        }
        steps.push(Branch { moves: family, reply: None, then: Vec::new() });
        if game.ending().is_some() || steps.len() == MOST_TACTICAL {
            break;
        }
        let reply = analyst.search(&line(&game), game.position(), &[]).await?.best;
        let Some(reply) = reply.filter(|reply| game.play(reply).is_ok()) else { break };
        if game.ending().is_some() {
            break;
        }
        steps.last_mut().expect("it has a move").reply = Some(reply);
    }
    if steps.len() < LEAST_MOVES {
        return Ok(None);
    }
    if let Limit::Nodes(nodes) = limit {
        let deeper = Limit::Nodes(nodes.saturating_mul(CONFIRMATION));
        let confirmed = only_winning(analyst, &start, deeper, LEAST_CHOICE).await?;
        if confirmed.as_ref() != Some(&steps[0].moves) {
            return Ok(None);
        }
    }
    Ok(Some((nested(steps), positions)))
}

/// Whether long searches find the same solution: at each of the solver's positions they see the same
/// family win, and no other.
async fn stands(
    analyst: &mut Analyst<'_>,
    start: Position,
    solution: &[Branch],
    confirm: u64,
) -> Result<bool, Failure> {
    analyst.begin(1).await?;
    let mut game = Game::new(analyst.rules, start);
    let (mut branches, mut nodes, mut least_choice) = (solution, confirm, LEAST_CHOICE);
    while let Some(Branch { moves, reply, then }) = branches.first() {
        let limit = Limit::Nodes(nodes);
        let found = only_winning(analyst, &game, limit, least_choice).await?;
        if found.as_ref() != Some(moves) {
            return Ok(false);
        }
        for mv in moves.first().into_iter().chain(reply) {
            game.play(mv).expect("the solution was played before");
        }
        (branches, nodes, least_choice) = (then.as_slice(), (confirm / LATER).max(1), 2);
    }
    Ok(true)
}

/// The moves of the only family that wins clearly; `None` if there is none or too little choice.
async fn only_winning(
    analyst: &mut Analyst<'_>,
    game: &Game,
    limit: Limit,
    least_choice: usize,
) -> Result<Option<Vec<Move>>, Failure> {
    let families = families(game.position(), game.rules());
    if families.len() < least_choice {
        return Ok(None);
    }
    let text = line(game);
    let PositionAnalysis { chance: Some(chance), best: Some(best), .. } =
        analyst.search_to(&text, game.position(), &[], limit).await?
    else {
        return Ok(None);
    };
    let family = families.iter().find(|(_, moves)| moves.contains(&best));
    let Some((_, family)) = family.filter(|_| chance >= LEAST_CHANCE) else { return Ok(None) };
    let others = families.iter().flat_map(|(_, moves)| moves).filter(|mv| !family.contains(mv));
    let others: Vec<Move> = others.copied().collect();
    let second = analyst.search_to(&text, game.position(), &others, limit).await?;
    // An engine that ignores `searchmoves` answers with the same move again.
    let obeyed = second.best.is_some_and(|mv| others.contains(&mv));
    let is_only = second.chance.is_some_and(|second| chance - second >= LEAST_LOSS);
    Ok((obeyed && is_only).then(|| family.clone()))
}

/// Steps one inside the other. The last step has no reply.
fn nested(steps: Vec<Branch>) -> Vec<Branch> {
    steps.into_iter().rev().fold(Vec::new(), |then, step| {
        let reply = step.reply.filter(|_| !then.is_empty());
        vec![Branch { reply, then, ..step }]
    })
}

/// The rating of a tactical puzzle: 600, plus 150 for each depth from 1 at which the engine does not
/// yet find the move for good, 15 for each family of moves above three, 120 for each move above two,
/// and 150 if the first move does not capture.
async fn rating(
    analyst: &mut Analyst<'_>,
    position: &Position,
    solution: &[Branch],
) -> Result<u32, Failure> {
    let right = &solution[0].moves;
    let text = position_line(position, &[]);
    let mut missed = DEEPEST;
    for depth in (1..=DEEPEST).rev() {
        analyst.begin(1).await?;
        let found = analyst.search_to(&text, position, &[], Limit::Depth(depth)).await?;
        if !found.best.is_some_and(|best| right.contains(&best)) {
            break;
        }
        missed = depth - 1;
    }
    let families = families(position, &analyst.rules).len();
    let rating = 600
        + 150 * missed
        + 15 * (families - LEAST_CHOICE).min(30) as u32
        + 120 * (own_moves(solution) - LEAST_MOVES) as u32
        + if right[0].is_capture() { 0 } else { 150 };
    Ok(rating)
}

/// The number of the solver's moves in the main line.
fn own_moves(solution: &[Branch]) -> usize {
    std::iter::successors(solution.first(), |branch| branch.then.first()).count()
}

fn tactical_puzzle(
    fen: Position,
    rules: Ruleset,
    solution: Vec<Branch>,
    rating: u32,
    source: &str,
) -> Puzzle {
    let kind = PuzzleKind::Tactical;
    let id = Puzzle::id_of(kind, &fen, &rules);
    Puzzle { id, fen, rules, kind, plies: None, rating, solution, source: source.to_owned() }
}

/// The positions to look for exact puzzles in.
#[derive(Clone, Copy, Debug)]
pub struct Endgames {
    /// The rules, with which the engine was started.
    pub rules: Ruleset,
    /// The board of all of them.
    pub board: BoardSize,
    /// The greatest number of stones of both sides together.
    pub stones: u32,
    /// The wanted number of puzzles.
    pub count: usize,
    /// The seed of the positions.
    pub seed: u64,
}

/// Finds exact puzzles with an engine that answers `query value`. `on_puzzle` gets each one with the
/// number of those found. Fewer are found if the engine knows too few values.
///
/// # Errors
/// Returns an error if the engine fails.
pub async fn exact(
    engine: &mut Engine,
    endgames: &Endgames,
    mut on_position: impl FnMut(usize, u64),
) -> Result<Vec<Puzzle>, Failure> {
    let mut analyst = Analyst { engine, rules: endgames.rules, limit: Limit::Nodes(1) };
    analyst.begin(1).await?;
    let mut random = seeds::generator(endgames.seed, &["puzzles"]);
    let (mut found, mut seen) = (Vec::new(), HashSet::new());
    let mut of_length = [0; LENGTHS.len()];
    let share = endgames.count.div_ceil(LENGTHS.len());
    let tries = TRIES * endgames.count as u64;
    for round in 0..tries {
        if found.len() == endgames.count {
            break;
        }
        let Some(position) = random_position(endgames, &mut random) else { continue };
        if !seen.insert(canonical(&position)) {
            continue;
        }
        let families = families(&position, &endgames.rules);
        if families.len() < LEAST_CHOICE {
            continue;
        }
        on_position(found.len(), round + 1);
        let Some(Value::Win(plies)) = analyst.value(&position_line(&position, &[])).await? else {
            continue;
        };
        // A win that is shorter or longer has no solution of a wanted length.
        if !(LENGTHS[0]..=LONGEST_WIN).contains(&plies) {
            continue;
        }
        let solution = winning(&mut analyst, &position).await?;
        let length = (2 * own_moves(&solution)).saturating_sub(1) as u32;
        let Some(length) = LENGTHS.iter().position(|&each| each == length) else { continue };
        // In the last quarter of the tries, any length will do.
        if of_length[length] >= share && round < tries / 4 * 3 {
            continue;
        }
        of_length[length] += 1;
        found.push(exact_puzzle(position, endgames, plies, families.len(), solution));
    }
    Ok(found)
}

/// A random position in which the game is not over, with at least three stones.
fn random_position(endgames: &Endgames, random: &mut ChaCha8Rng) -> Option<Position> {
    // The greater of two draws: there are far more positions with many stones.
    let mut stones = || random.random_range(3..=endgames.stones.max(3));
    let stones = stones().max(stones());
    let own = random.random_range(1..stones);
    let mut sets = [PointSet::empty(endgames.board); 2];
    for number in 0..stones {
        let index = random.random_range(0..endgames.board.points());
        let point = raw::point(index, endgames.board)?;
        // A point that is taken gives no position; most draws have none.
        if sets.iter().any(|set| set.contains(point)) {
            return None;
        }
        sets[usize::from(number >= own)].insert(point);
    }
    let position = Position::from_board(Board::from_stones(sets[0], sets[1])?);
    Game::new(endgames.rules, position).ending().is_none().then_some(position)
}

/// The solution from a position: the fastest win against the longest defence. Other winning
/// moves are right as well, and end the puzzle. Empty if more than one family wins at first, or if a
/// value is unknown.
async fn winning(analyst: &mut Analyst<'_>, start: &Position) -> Result<Vec<Branch>, Failure> {
    // The branches of each of the solver's moves, the fastest first, and the reply to that one.
    let mut nodes: Vec<(Vec<Branch>, Option<Move>)> = Vec::new();
    let mut game = Game::new(analyst.rules, *start);
    loop {
        let most = if nodes.is_empty() { 1 } else { MOST_FAMILIES };
        let mut wins = Vec::new();
        for (_, moves) in families(game.position(), game.rules()) {
            match value_after(analyst, &game, &moves[0]).await? {
                Some((Value::Loss(plies), next)) => wins.push((plies, moves, next)),
                Some(_) => {}
                None => return Ok(Vec::new()),
            }
        }
        wins.sort_by_key(|(plies, ..)| *plies);
        if wins.is_empty() || wins.len() > most {
            break;
        }
        let next = wins[0].2.clone();
        let branch = |(_, moves, _)| Branch { moves, reply: None, then: Vec::new() };
        nodes.push((wins.into_iter().map(branch).collect(), None));
        let Some((reply, next)) = longest_defence(analyst, &next).await? else { break };
        nodes.last_mut().expect("it was pushed").1 = Some(reply);
        game = next;
    }
    Ok(nodes.into_iter().rev().fold(Vec::new(), |then, (mut branches, reply)| {
        branches[0].reply = reply.filter(|_| !then.is_empty());
        branches[0].then = then;
        branches
    }))
}

/// The reply that loses as late as possible, with the game after it; `None` if the game is over
/// or a value is unknown.
async fn longest_defence(
    analyst: &mut Analyst<'_>,
    game: &Game,
) -> Result<Option<(Move, Game)>, Failure> {
    if game.ending().is_some() {
        return Ok(None);
    }
    let mut longest: Option<(u32, Move, Game)> = None;
    for (_, moves) in families(game.position(), game.rules()) {
        let Some((Value::Win(plies), next)) = value_after(analyst, game, &moves[0]).await? else {
            return Ok(None);
        };
        let is_over = next.ending().is_some();
        if !is_over && longest.as_ref().is_none_or(|(most, ..)| plies > *most) {
            longest = Some((plies, moves[0], next));
        }
    }
    Ok(longest.map(|(_, reply, next)| (reply, next)))
}

/// The value of the position after a move for its side to move, with the game; `None` if the
/// engine does not know it.
async fn value_after(
    analyst: &mut Analyst<'_>,
    game: &Game,
    mv: &Move,
) -> Result<Option<(Value, Game)>, Failure> {
    let mut next = game.clone();
    if next.play(mv).is_err() {
        return Ok(None);
    }
    let value = match next.ending() {
        Some(ending) => match PositionAnalysis::over(&ending, next.position().side_to_move()).score
        {
            Some(Score::Win(plies)) => Value::Win(plies),
            Some(Score::Loss(plies)) => Value::Loss(plies),
            _ => Value::Draw,
        },
        None => match analyst.value(&position_line(next.position(), &[])).await? {
            Some(value) => value,
            None => return Ok(None),
        },
    };
    Ok(Some((value, next)))
}

/// An exact puzzle. Its rating is 600, plus 50 for every two plies of the win above three, 70 for each
/// of the solver's moves above two, 12 for each family of moves above three, and 150 if the first
/// move does not capture.
fn exact_puzzle(
    fen: Position,
    endgames: &Endgames,
    plies: u32,
    families: usize,
    solution: Vec<Branch>,
) -> Puzzle {
    let (kind, rules) = (PuzzleKind::Exact, endgames.rules);
    let count = |side| fen.board().count(side);
    let mover = fen.side_to_move();
    let (own, other) = (count(mover), count(!mover));
    let rating = 600
        + 50 * (plies.saturating_sub(LENGTHS[0]) / 2)
        + 70 * own_moves(&solution).saturating_sub(LEAST_MOVES) as u32
        + 12 * (families - LEAST_CHOICE).min(30) as u32
        + if solution[0].moves[0].is_capture() { 0 } else { 150 };
    Puzzle {
        id: Puzzle::id_of(kind, &fen, &rules),
        fen,
        rules,
        kind,
        plies: Some(plies),
        rating,
        solution,
        source: format!("endgame tables of {} stones", own + other),
    }
}
