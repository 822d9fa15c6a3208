//! Finds tactics in games that `bot-alphabeta` plays against itself, and verifies them.
//!
//! Both sides play the move of a short search, so that they make mistakes. A longer search looks at
//! every position. A position is a candidate when the longer search found late that another move is
//! better, or when the value jumps with the next move: then neither search saw what was there.
//! Much deeper searches of the position alone, with and without pruning, have to agree on the move of
//! a candidate, and another has to find every other move clearly worse.

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, RootMove};
use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Effect, Game, Move, Position, Ruleset};

use crate::tactics::{Report, Tactic, Theme, search};

/// The nodes of the search that plays the games.
const PLAY: u64 = 500;

/// The nodes of the search that looks at every position.
const LOOK: u64 = 20_000;

/// The nodes of the deep search of a candidate; half as many go to the unpruned search and to the
/// other moves.
const VERIFY: u64 = 2_000_000;

/// The least lead of the right move, in hundredths of a stone.
const LEAD: i32 = 100;

/// The least jump of the value with the next move, in hundredths of a stone.
const JUMP: i32 = 150;

/// The maximal number of plies without a capture: later positions hardly have tactics, because both sides
/// repeat moves until the rules end the game.
const QUIET: u32 = 30;

/// Values count up to this: the lead of one won move over another means nothing.
const MOST: i32 = 1000;

/// The least value of the right move: in a lost position there is little to find.
const LEAST: i32 = -200;

/// A value at which a game is decided, if two positions in a row have it.
const DECIDED: i32 = 1500;

/// The maximum length of a game in plies.
const LONGEST: usize = 160;

/// The difficulty of a tactic: the first search of a candidate must find it, but not in too few
/// nodes.
#[derive(Clone, Copy)]
pub(crate) struct Difficulty {
    /// The nodes of the first search of a candidate; half as many go to the other moves.
    pub(crate) most: u64,
    /// A position whose right move is found in fewer nodes is too easy.
    pub(crate) least: u64,
}

/// Plays games and finds their tactics.
pub(crate) struct Miner {
    bot: AlphaBeta,
    unpruned: AlphaBeta,
    difficulty: Difficulty,
}

/// A position of a game.
struct Seen {
    position: Position,
    /// The move that was played.
    played: Effect,
    /// The best move of the longer search, and whether it was found late and the played one is another.
    best: Effect,
    missed: bool,
    /// Its value for the side to move.
    value: i32,
}

impl Miner {
    pub(crate) fn new(difficulty: Difficulty) -> Miner {
        let mut unpruned = AlphaBeta::new();
        unpruned.set_option("Pruning", "false").expect("an option of the bot");
        Miner { bot: AlphaBeta::new(), unpruned, difficulty }
    }

    /// Plays a game on and returns its tactics, in its order.
    pub(crate) fn game(&mut self, mut game: Game) -> Vec<Tactic> {
        let mut seen: Vec<Seen> = Vec::new();
        self.bot.new_game();
        while game.ending().is_none() && game.moves().len() < LONGEST {
            let position = *game.position();
            let moves = RootMove::all(&position, game.rules());
            let reports = search(&mut self.bot, &game, &moves, LOOK);
            let effect =
                |mv: &Move| moves.iter().find(|root| root.mv == *mv).expect("a legal move").effect;
            let last = reports.last().expect("the choice");
            let early = reports.iter().take_while(|report| report.nodes <= PLAY).last();
            let played = early.unwrap_or(&reports[0]).mv;
            let (best, value) = (effect(&last.mv), value(last.score));
            let right = reports.iter().rev().take_while(|report| effect(&report.mv) == best);
            let late = right.last().is_some_and(|report| report.nodes > 2 * PLAY);
            let missed = late && effect(&played) != best;
            let decided = |before: &Seen| before.value.abs().min(value.abs()) >= DECIDED;
            let over = seen.last().is_some_and(decided);
            seen.push(Seen { position, played: effect(&played), best, missed, value });
            if over {
                break;
            }
            game.play(&played).expect("a legal move");
        }
        let candidates = seen.iter().enumerate().filter(|&(at, here)| {
            let next = seen.get(at + 1).map_or(here.value, |next| -next.value);
            let better = next - here.value >= JUMP;
            let worse = here.value - next >= JUMP && here.played == here.best;
            here.missed || better || worse
        });
        let positions: Vec<_> = candidates.map(|(_, here)| here.position).collect();
        positions.into_iter().filter_map(|position| self.tactic(position)).collect()
    }

    /// The tactic of a position, if it is one.
    fn tactic(&mut self, position: Position) -> Option<Tactic> {
        if position.quiet_plies() > QUIET {
            return None;
        }
        let game = Game::new(Ruleset::default(), position);
        let moves = RootMove::all(&position, game.rules());
        let effect = |report: &Report| -> Effect {
            moves.iter().find(|root| root.mv == report.mv).expect("a legal move").effect
        };
        let Difficulty { most, least } = self.difficulty;
        let reports = self.fresh(&game, &moves, most);
        let first = reports.last().expect("the choice");
        let right = effect(first);
        let rest = without(&moves, right);
        let found = reports.iter().rev().take_while(|report| effect(report) == right).last();
        let easy = found.is_some_and(|report| report.nodes < least);
        if easy || rest.is_empty() || value(first.score) < LEAST {
            return None;
        }
        if !leads(first, &self.last(&game, &rest, most / 2)) {
            return None;
        }

        let other = self.last(&game, &rest, VERIFY / 2);
        if !leads(first, &other) {
            return None;
        }
        let best = self.last(&game, &moves, VERIFY);
        if effect(&best) != right || !leads(&best, &other) {
            return None;
        }
        self.unpruned.new_game();
        let reports = search(&mut self.unpruned, &game, &moves, VERIFY / 2);
        let unpruned = reports.last().expect("the choice");
        (effect(unpruned) == right && leads(unpruned, &other)).then(|| {
            let root = *moves.iter().find(|root| root.mv == best.mv).expect("a legal move");
            let theme = Theme::of(&position, root, &moves);
            Tactic { theme, best: best.mv, score: best.score, other: other.score, position }
        })
    }

    /// The choice of a search that knows nothing yet.
    fn last(&mut self, game: &Game, moves: &[RootMove], nodes: u64) -> Report {
        *self.fresh(game, moves, nodes).last().expect("the choice")
    }

    /// The reports of a search that knows nothing yet.
    fn fresh(&mut self, game: &Game, moves: &[RootMove], nodes: u64) -> Vec<Report> {
        self.bot.new_game();
        search(&mut self.bot, game, moves, nodes)
    }
}

/// The moves with other effects.
fn without(moves: &[RootMove], effect: Effect) -> Vec<RootMove> {
    moves.iter().filter(|root| root.effect != effect).copied().collect()
}

/// Whether a move is worth finding and clearly better than another.
fn leads(best: &Report, other: &Report) -> bool {
    let (best, other) = (value(best.score), value(other.score));
    best >= LEAST && other < MOST && best.min(MOST) - other.max(-MOST) >= LEAD
}

/// A score as a number: a proven one is beyond all others.
fn value(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Win(plies) => 30_000 - plies as i32,
        Score::Loss(plies) => plies as i32 - 30_000,
    }
}
