//! Games that `bot-alphabeta` plays against itself to produce samples.
//!
//! A game begins with a number of random moves that depends on its number. It continues with moves
//! of a short search and occasional random moves. Every position that a search has evaluated
//! becomes a [`Sample`]. A game ends by the rules, or when its result is certain: by a proof of the
//! search, by an endgame table, or by a lead that is never lost. After the tables have decided a
//! game, random play adds a few more positions, because the tables evaluate them at no cost.

use std::path::Path;

use fanorona_protocol::messages::{Limits, Score};
use fanorona_protocol::rules::{BoardSize, Game, Move, Position, Ruleset, Side, Start, raw};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::data::Recipe;
use super::sample::Sample;
use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, LastScore, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::evaluation::network::Role;
use fanorona_endgames::{FileError, Outcome, Tables};

/// Random moves at the beginning of a riatra. After fewer of them games repeat each other: seven in
/// ten positions of games with up to three are in other games as well, one in three with four or
/// five, one in ten with more.
const RIATRA_OPENING: std::ops::RangeInclusive<u32> = 4..=16;

/// Random moves at the beginning of a vela, whose first phase is long and yields little.
const VELA_OPENING: std::ops::RangeInclusive<u32> = 2..=30;

/// One in this many games of 9×5 starts from the position called left-right.
const LEFT_RIGHT: u32 = 12;

/// One in this many games of another board that is not square: its network also serves the board
/// with columns and rows exchanged, whose usual start this is.
const LEFT_RIGHT_ELSEWHERE: u32 = 3;

/// Plies without a capture that end a game as a draw.
const QUIET: u32 = 24;

/// A score that counts as a certain win, in hundredths of a stone.
const WON: i32 = 1500;

/// Random plies after the tables have decided a game.
const TABLE_PLIES: usize = 12;

/// The node limit of a search, as a multiple of the number after which it begins no new iteration.
const MOST_NODES: u64 = 100;

/// The player's hash table in MiB: large enough for some thousand nodes, and quick to clear.
const HASH: &str = "1";

/// Plays the games of a recipe.
pub struct Generator {
    recipe: Recipe,
    rules: Ruleset,
    bot: AlphaBeta,
    tables: Option<Tables>,
}

/// An option of a recipe that the player does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an option of bot-alphabeta with a valid value: expected for example Evaluation=handwritten"
)]
pub struct UnknownOption(String);

impl Generator {
    /// A generator, with the endgame tables of a directory if given. It completes the recipe with
    /// the number of stones in the tables.
    pub fn new(
        mut recipe: Recipe,
        tables: Option<&Path>,
    ) -> Result<Generator, Box<dyn std::error::Error>> {
        let open = |dir: &Path| Tables::open(dir, recipe.board, fanorona_endgames::MAX_STONES);
        let tables: Option<Tables> = tables.map(open).transpose().map_err(|e: FileError| e)?;
        recipe.tables = tables.as_ref().map_or(0, |tables| tables.stones() as u32);
        let rules = {
            let mut rules = Ruleset::default();
            rules.quiet = QUIET;
            rules
        };
        let mut bot = AlphaBeta::new();
        bot.set_option("Hash", HASH)?;
        for option in &recipe.options {
            let unknown = || UnknownOption(option.clone());
            let (name, value) = option.split_once('=').ok_or_else(unknown)?;
            let spec = bot.options().into_iter().find(|spec| spec.is_named(name));
            let value = spec.and_then(|spec| spec.check(value).ok()).ok_or_else(unknown)?;
            bot.set_option(name, &value)?;
        }
        Ok(Generator { recipe, rules, bot, tables })
    }

    /// The settings of the games.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// The samples of the game with a number. They depend only on the number and the recipe.
    pub fn game(&mut self, number: u32) -> Vec<Sample> {
        let mut random = ChaCha8Rng::seed_from_u64(self.recipe.seed);
        random.set_stream(u64::from(number));
        self.bot.new_game();
        loop {
            // An opening may already decide the game; then draw another one.
            if let Some(mut game) = self.opening(&mut random)
                && let Some(samples) = self.play(&mut game, &mut random)
            {
                return samples;
            }
        }
    }

    /// A game of some random moves; `None` if it is over.
    fn opening(&self, random: &mut ChaCha8Rng) -> Option<Game> {
        let vela = random.random_range(0..100) < self.recipe.vela;
        let board = self.recipe.board;
        let one_in = if board == BoardSize::TSIVY { LEFT_RIGHT } else { LEFT_RIGHT_ELSEWHERE };
        let left_right = random.random_range(0..one_in) == 0 && board.columns() != board.rows();
        let start = if left_right { Start::LeftRight(board) } else { Start::Usual(board) };
        let start = if vela { start.vela(self.rules.vela_starter) } else { start.riatra() };
        let mut game = Game::new(self.rules, start);
        let moves = random.random_range(if vela { VELA_OPENING } else { RIATRA_OPENING });
        for _ in 0..moves {
            play_random(&mut game, random)?;
        }
        self.result(&game).is_none().then_some(game)
    }

    /// Plays a game to its end; `None` if the first search already decides it.
    fn play(&mut self, game: &mut Game, random: &mut ChaCha8Rng) -> Option<Vec<Sample>> {
        // The results are filled in at the end.
        let mut samples: Vec<(Side, Sample)> = Vec::new();
        let winner = loop {
            if let Some(winner) = self.result(game) {
                break winner;
            }
            let position = *game.position();
            if random.random_range(0..1000) < self.recipe.random {
                play_random(game, random)?;
                continue;
            }
            let (mv, score) = self.search(game);
            let certain = match score {
                Score::Cp(score) if score.abs() < WON => None,
                Score::Cp(score) if score > 0 => Some(position.side_to_move()),
                Score::Win(_) => Some(position.side_to_move()),
                Score::Cp(_) | Score::Loss(_) => Some(!position.side_to_move()),
            };
            if certain.is_some() && samples.is_empty() {
                return None;
            }
            let score = match score {
                Score::Cp(score) => {
                    score.clamp(-i32::from(Sample::MOST), Sample::MOST.into()) as i16
                }
                Score::Win(_) => Sample::MOST,
                Score::Loss(_) => -Sample::MOST,
            };
            samples
                .push((position.side_to_move(), sample(&position, game.history().plies(), score)));
            if certain.is_some() {
                break certain;
            }
            game.play(&mv).expect("the choice is legal");
        };
        for (side, sample) in &mut samples {
            sample.result = Outcome::from_winner(winner, *side);
        }
        let mut samples: Vec<Sample> = samples.into_iter().map(|(_, sample)| sample).collect();
        self.add_table_positions(game, random, &mut samples);
        Some(samples)
    }

    /// Adds positions from random play after the end of a game, while the tables have them.
    fn add_table_positions(
        &self,
        game: &mut Game,
        random: &mut ChaCha8Rng,
        samples: &mut Vec<Sample>,
    ) {
        let Some(tables) = &self.tables else { return };
        for _ in 0..TABLE_PLIES {
            let position = *game.position();
            let Some(result) = tables.outcome(&position, &self.rules) else { return };
            if self.rules.ending(&position).is_some() {
                return;
            }
            let score = match result {
                Outcome::Win => Sample::MOST,
                Outcome::Draw => 0,
                Outcome::Loss => -Sample::MOST,
            };
            let sample = sample(&position, game.history().plies(), score);
            samples.push(Sample { result, exact: true, ..sample });
            if play_random(game, random).is_none() {
                return;
            }
        }
    }

    /// The winner of a game that is over or decided by the tables; `None` for an open game.
    fn result(&self, game: &Game) -> Option<Option<Side>> {
        if let Some(ending) = game.ending() {
            return Some(ending.winner);
        }
        let position = game.position();
        let outcome = self.tables.as_ref()?.outcome(position, &self.rules)?;
        Some(outcome.winner(position.side_to_move()))
    }

    /// The player's move, and its score of the position.
    fn search(&mut self, game: &Game) -> (Move, Score) {
        let moves = RootMove::all(game.position(), game.rules());
        let nodes = self.recipe.nodes;
        let limits = Limits::with_nodes(nodes.saturating_mul(MOST_NODES));
        let budget = Budget::from_limits(&limits).with_soft_nodes(nodes);
        let task = Task { game, moves: &moves, budget: &budget };
        let mut last = LastScore(Score::Cp(0));
        let choice = self.bot.choose(&task, &mut last);
        (choice.mv, last.0)
    }
}

/// Plays a random effect of the legal moves, all equally likely; `None` without a legal move.
fn play_random(game: &mut Game, random: &mut ChaCha8Rng) -> Option<()> {
    let mut moves: Vec<RootMove> = Vec::new();
    for root in RootMove::all(game.position(), game.rules()) {
        if moves.iter().all(|known| known.effect != root.effect) {
            moves.push(root);
        }
    }
    let chosen = (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())].mv)?;
    game.play(&chosen).expect("a generated move is legal");
    Some(())
}

/// A sample of a position without its result.
fn sample(position: &Position, plies: u32, score: i16) -> Sample {
    let (board, side) = (position.board(), position.side_to_move());
    Sample {
        own: raw::stones(board, side),
        enemy: raw::stones(board, !side),
        role: Role::from_position(position, side),
        result: Outcome::Draw,
        exact: false,
        capture: position.has_capture(),
        score,
        plies: plies.min(255) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        let options = vec!["Evaluation=handwritten".to_owned()];
        Recipe {
            board: BoardSize::TSIVY,
            seed: 3,
            nodes: 30,
            vela: 50,
            random: 100,
            tables: 0,
            options,
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_recipe_alone() {
        let mut generator = Generator::new(recipe(), None).unwrap();
        let games: Vec<_> = (0..6).map(|number| generator.game(number)).collect();
        let mut another = Generator::new(recipe(), None).unwrap();
        for number in [4, 1, 5] {
            assert_eq!(another.game(number), games[number as usize]);
        }
        let mut other = Generator::new(Recipe { seed: 4, ..recipe() }, None).unwrap();
        assert_ne!(other.game(0), games[0]);
        let roles = games.iter().flatten().map(|sample| sample.role);
        assert!(Role::ALL.into_iter().all(|role| roles.clone().any(|found| found == role)));
    }

    #[test]
    fn samples_are_positions_with_their_results() {
        let mut generator = Generator::new(recipe(), None).unwrap();
        let games: Vec<_> = (0..6).map(|number| generator.game(number)).collect();
        for game in games {
            assert!(!game.is_empty());
            let drawn = game.iter().filter(|sample| sample.result == Outcome::Draw).count();
            assert!(drawn == 0 || drawn == game.len(), "a draw is one for both");
            for pair in game.windows(2) {
                assert!(pair[0].plies < pair[1].plies);
                let other_side = (pair[1].plies - pair[0].plies) % 2 == 1;
                assert!(drawn > 0 || (pair[0].result != pair[1].result) == other_side);
            }
            for sample in game {
                let position = sample.position(BoardSize::TSIVY);
                assert_eq!(sample.capture, position.has_capture());
                assert_eq!(sample.role, Role::from_position(&position, position.side_to_move()));
                assert!(generator.rules.ending(&position).is_none(), "{position}");
            }
        }
    }

    #[test]
    fn tables_decide_games_and_give_exact_samples() {
        use fanorona_endgames::{Plan, build};
        let dir = tempfile::tempdir().unwrap();
        let plan = Plan {
            board: BoardSize::TSIVY,
            stones: 4,
            only: Vec::new(),
            dir: dir.path().to_owned(),
            threads: 1,
            memory: 1 << 28,
        };
        build(&plan, &()).unwrap();
        let generator = Generator::new(recipe(), Some(dir.path())).unwrap();
        assert_eq!(generator.recipe().tables, 4);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for text in ["9/9/2W1b4/9/1W4b2 w", "4b4/9/2W6/9/W7W b", "bb7/9/9/9/7WW w"] {
            let mut game = Game::new(generator.rules, text.parse().unwrap());
            let expected = generator.result(&game).expect("four stones are known");
            let side = game.position().side_to_move();
            let mut samples = Vec::new();
            generator.add_table_positions(&mut game, &mut random, &mut samples);
            assert!((1..=TABLE_PLIES).contains(&samples.len()), "{text}");
            assert_eq!(samples[0].result, Outcome::from_winner(expected, side), "{text}");
            assert!(samples.iter().all(|sample| sample.exact));
        }
        // With another stone the position is not in the tables.
        let mut game = Game::new(generator.rules, "bb7/9/9/9/6WWW w".parse().unwrap());
        assert_eq!(generator.result(&game), None);
        let mut samples = Vec::new();
        generator.add_table_positions(&mut game, &mut random, &mut samples);
        assert!(samples.is_empty());
    }

    #[test]
    fn an_option_of_another_player_is_refused() {
        for option in ["Exploration=100", "Evaluation=luck", "Evaluation"] {
            let recipe = Recipe { options: vec![option.to_owned()], ..recipe() };
            let error = Generator::new(recipe, None).err().unwrap().to_string();
            assert!(error.contains(option), "{error}");
        }
    }
}
