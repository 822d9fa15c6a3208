//! `bot-mcts` on every board and with every rule.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fanorona_bots::bot::{Bot, Choice, NullObserver, Observer, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::mcts::{Mcts, PlayoutRng};
use fanorona_protocol::messages::{Info, Limits, Score};
use fanorona_protocol::rules::{BoardSize, Game, Move, Position, Ruleset, Side, Start};

use crate::reports::Reports;

/// Requests a move, which must be one of `moves`; also returns the last report.
fn ask(bot: &mut Mcts, game: &Game, moves: &[RootMove], limits: &Limits) -> (Choice, Info) {
    let mut reports = Reports::default();
    let budget = Budget::from_limits(limits);
    let choice = bot.choose(&Task { game, moves, budget: &budget }, &mut reports);
    assert!(moves.iter().any(|mv| mv.mv == choice.mv), "{} was not asked for", choice.mv);
    let last = reports.0.pop().expect("a search ends with a report");
    (choice, last)
}

fn ask_nodes(bot: &mut Mcts, game: &Game, nodes: u64) -> (Choice, Info) {
    let moves = RootMove::all(game.position(), game.rules());
    ask(bot, game, &moves, &Limits::with_nodes(nodes))
}

/// For searches by time at the start, which the book would answer.
const NO_BOOK: &[(&str, &str)] = &[("Book", "none")];

fn mcts(options: &[(&str, &str)]) -> Mcts {
    let mut bot = Mcts::new();
    for (name, value) in options {
        bot.set_option(name, value).unwrap();
    }
    bot
}

fn rules(text: &str) -> Ruleset {
    text.parse().unwrap()
}

/// Some rules, every switch among them.
fn any_rules(random: &mut PlayoutRng) -> Ruleset {
    let mut words = Vec::new();
    for word in
        ["forced-continuation", "single-first-capture", "blocked-is-draw", "vela-must-offer"]
    {
        if random.below(3) == 0 {
            words.push(word);
        }
    }
    for choices in [
        ["vela-starved=creditor-loses", "vela-starved=debtor-loses", "vela-starved=paika"],
        ["repetition=0", "repetition=2", "repetition=3"],
        ["quiet=0", "quiet=12", "quiet=100"],
        ["max-plies=0", "max-plies=30", "max-plies=120"],
    ] {
        words.push(choices[random.below(3) as usize]);
    }
    rules(&words.join(" "))
}

/// Plays a random legal move of a game that is not over.
fn play_random(game: &mut Game, random: &mut PlayoutRng) {
    let moves = game.legal_moves();
    game.play(&moves[random.below(moves.len() as u32) as usize]).unwrap();
}

/// A random game on one of some boards that is not over, with a maximum number of plies.
fn any_game(
    random: &mut PlayoutRng,
    sizes: &[BoardSize],
    rules: &Ruleset,
    plies: u32,
) -> Option<Game> {
    let size = sizes[random.below(sizes.len() as u32) as usize];
    let debtor = [None, Some(Side::White), Some(Side::Black)][random.below(3) as usize];
    let mut game = Game::new(*rules, Position::start(size).with_debtor(debtor));
    for _ in 0..random.below(plies + 1) {
        if game.ending().is_some() {
            return None;
        }
        play_random(&mut game, random);
    }
    game.ending().is_none().then_some(game)
}

/// The result within some plies by exhaustive search: won, lost or neither.
fn decided(
    position: &Position,
    rules: &Ruleset,
    plies: u32,
    known: &mut HashMap<(Position, u32), Option<bool>>,
) -> Option<bool> {
    if let Some(ending) = rules.ending(position) {
        return ending.winner.map(|winner| winner == position.side_to_move());
    }
    if plies == 0 {
        return None;
    }
    if let Some(&value) = known.get(&(*position, plies)) {
        return value;
    }
    let mut value = Some(false);
    for mv in RootMove::all(position, rules) {
        match decided(&position.apply_unchecked(mv.effect), rules, plies - 1, known) {
            Some(false) => {
                value = Some(true);
                break;
            }
            None => value = None,
            Some(true) => {}
        }
    }
    known.insert((*position, plies), value);
    value
}

/// Whether a move wins at once.
fn wins(position: &Position, rules: &Ruleset, mv: &RootMove) -> bool {
    let after = position.apply_unchecked(mv.effect);
    rules.ending(&after).is_some_and(|ending| ending.winner == Some(position.side_to_move()))
}

#[test]
fn proofs_match_exhaustive_search() {
    let random = &mut PlayoutRng::new(1);
    let small = [BoardSize::TELO, "3x5".parse().unwrap(), "5x3".parse().unwrap()];
    let (mut proven, mut deepest) = (0, 0);
    for round in 0..300 {
        let tables = ["none", ""][round % 2];
        let rules = {
            let mut rules = any_rules(random);
            rules.quiet = 0;
            rules.max_plies = 0;
            rules.repetition = 0;
            rules
        };
        let Some(game) = any_game(random, &small, &rules, 12) else { continue };
        let bot = &mut mcts(&[("Hash", "1"), ("EndgameTables", tables)]);
        let (_, info) = ask_nodes(bot, &game, 1500);
        let position = game.position();
        let mut known = HashMap::new();
        match info.score {
            Some(Score::Win(plies)) => {
                assert_eq!(decided(position, &rules, plies, &mut known), Some(true), "{position}");
                (proven, deepest) = (proven + 1, deepest.max(plies));
            }
            Some(Score::Loss(plies)) => {
                assert_eq!(decided(position, &rules, plies, &mut known), Some(false), "{position}");
                (proven, deepest) = (proven + 1, deepest.max(plies));
            }
            _ => assert_eq!(decided(position, &rules, 3, &mut known), None, "{position} {rules}"),
        }
    }
    assert!(proven > 50 && deepest > 4, "{proven} proofs, the deepest of {deepest} plies");
}

#[test]
fn draws_prove_nothing() {
    // Black can shuttle forever; with the smallest limit every line is a draw.
    for (text, limits) in
        [("b4/5/5/5/4W w - 0 1", "quiet=2"), ("b4/5/5/5/4W w - 0 1", "max-plies=2")]
    {
        let game = Game::new(rules(limits), text.parse().unwrap());
        // Evaluation and tables ignore limits; a playout reaches them.
        let bot = &mut mcts(&[("Leaf", "playout"), ("EndgameTables", "none")]);
        let (_, info) = ask_nodes(bot, &game, 500);
        assert_eq!(info.score, Some(Score::Cp(0)), "{limits}");
        assert_eq!(info.wdl.map(|wdl| wdl.draw), Some(1000), "{limits}");
    }
}

#[test]
fn immediate_wins_are_played_and_immediate_losses_avoided() {
    let random = &mut PlayoutRng::new(2);
    let sizes: Vec<_> = BoardSize::all().collect();
    let (mut won, mut avoided) = (0, 0);
    for _ in 0..3000 {
        let rules = any_rules(random);
        let Some(game) = any_game(random, &sizes, &rules, 60) else { continue };
        let position = game.position();
        let moves = RootMove::all(position, &rules);
        let find = |mv: Move| *moves.iter().find(|other| other.mv == mv).unwrap();
        if moves.iter().any(|mv| wins(position, &rules, mv)) {
            let (choice, info) = ask_nodes(&mut mcts(&[("Hash", "1")]), &game, 1);
            assert!(wins(position, &rules, &find(choice.mv)), "{position} {}", choice.mv);
            assert_eq!(info.score, Some(Score::Win(1)));
            won += 1;
            continue;
        }
        let blunders = |mv: &RootMove| {
            let after = position.apply_unchecked(mv.effect);
            RootMove::all(&after, &rules).iter().any(|reply| wins(&after, &rules, reply))
        };
        let count = moves.iter().filter(|mv| blunders(mv)).count();
        if (1..moves.len()).contains(&count) {
            let (choice, info) = ask_nodes(&mut mcts(&[("Hash", "1")]), &game, 1000);
            if !matches!(info.score, Some(Score::Loss(_))) {
                assert!(!blunders(&find(choice.mv)), "{position} {}", choice.mv);
                avoided += 1;
            }
        }
    }
    assert!(won > 20 && avoided > 20, "{won} won, {avoided} avoided");
}

#[test]
fn the_same_commands_give_the_same_answers() {
    let play = |bot: &mut Mcts| {
        let rules = Ruleset::default();
        let mut game = Game::new(rules, Start::TSIVY.riatra());
        let mut told = Vec::new();
        while game.ending().is_none() && game.moves().len() < 24 {
            let (choice, info) = ask_nodes(bot, &game, 700);
            game.play(&choice.mv).unwrap();
            told.push((choice, {
                let mut report = info;
                report.time = None;
                report.nps = None;
                report
            }));
        }
        told
    };
    for leaf in ["evaluation", "playout"] {
        let bot = &mut mcts(&[("Seed", "5"), ("Leaf", leaf)]);
        let first = play(bot);
        bot.new_game();
        assert!(play(bot) == first, "{leaf}: after a new game");
        let again = play(&mut mcts(&[("Leaf", leaf), ("Seed", "5")]));
        assert!(again == first, "{leaf}: from another player");
        // Evaluations are not random.
        let other = play(&mut mcts(&[("Seed", "6"), ("Leaf", leaf)]));
        assert_eq!(other == first, leaf == "evaluation", "{leaf}: from another seed");
    }
}

#[test]
fn several_threads_grow_one_tree() {
    let rules = Ruleset::default();
    let game = Game::new(rules, Start::TSIVY.riatra());
    for leaf in ["evaluation", "playout"] {
        // A tree of one MiB is full several times.
        for (hash, nodes) in [("64", 20_000), ("1", 60_000)] {
            let bot = &mut mcts(&[("Threads", "3"), ("Hash", hash), ("Leaf", leaf)]);
            let (choice, info) = ask_nodes(bot, &game, nodes);
            assert_eq!(choice.nodes, nodes, "{leaf}, {hash} MiB");
            assert!(info.depth > Some(3), "{info}");
        }
    }
    // Three against one within four plies: proofs are as sound as those of one thread.
    let game = Game::new(rules, "9/9/4W4/2W3W2/b8 w - 0 1".parse().unwrap());
    let (_, alone) = ask_nodes(&mut mcts(&[]), &game, 30_000);
    let (_, many) = ask_nodes(&mut mcts(&[("Threads", "3")]), &game, 30_000);
    for info in [alone, many] {
        if let Some(Score::Win(plies)) = info.score {
            assert_eq!(plies % 2, 1, "{info}");
        }
        assert!(!matches!(info.score, Some(Score::Loss(_))), "{info}");
    }
}

#[test]
fn whole_games_are_played_on_every_board_under_any_rules() {
    let random = &mut PlayoutRng::new(3);
    for size in BoardSize::all().chain(BoardSize::all()) {
        let rules = any_rules(random);
        let bot = &mut mcts(&[("Hash", "1")]);
        // Two games one after the other without `new_game` in between: the tree must notice.
        for _ in 0..2 {
            let Some(mut game) = any_game(random, &[size], &rules, 2) else { continue };
            while game.ending().is_none() && game.moves().len() < 150 {
                // Sides change, so that the tree is found again after one move or after two.
                if random.below(2) == 0 {
                    let (choice, _) = ask_nodes(bot, &game, 60);
                    game.play(&choice.mv).expect("the move is legal");
                } else {
                    play_random(&mut game, random);
                }
            }
        }
    }
}

#[test]
fn the_tree_is_kept_for_the_next_move() {
    let rules = Ruleset::default();
    for (reuse, known) in [("true", true), ("false", false)] {
        let bot = &mut mcts(&[("TreeReuse", reuse)]);
        let mut game = Game::new(rules, Start::TSIVY.riatra());
        let (_, info) = ask_nodes(bot, &game, 5000);
        for mv in &info.pv[..2] {
            game.play(mv).unwrap();
        }
        let (_, later) = ask_nodes(bot, &game, 0);
        assert_eq!(later.nodes, Some(0));
        assert_eq!(later.pv.first() == info.pv.get(2), known);
        // Another game, or the same position with another history, must not reuse the tree.
        let (_, other) = ask_nodes(bot, &Game::new(rules, *game.position()), 0);
        assert_eq!(other.pv, []);
    }
}

#[test]
fn a_game_continued_after_a_draw_is_played() {
    let mut game = Game::new(Ruleset::default(), "bb3/5/5/5/3WW w - 0 1".parse().unwrap());
    let bot = &mut mcts(&[]);
    for _ in 0..3 {
        for mv in ["e1e2", "a5a4", "e2e1", "a4a5"] {
            ask_nodes(bot, &game, 50);
            game.play(&mv.parse().unwrap()).unwrap();
        }
    }
    assert!(game.ending().is_some());
    let (_, info) = ask_nodes(bot, &game, 2000);
    assert!(info.depth > Some(1), "{info}");
    game.set_rules(rules("quiet=3 max-plies=3"));
    let (_, info) = ask_nodes(bot, &game, 2000);
    assert!(info.depth > Some(1), "{info}");
}

#[test]
fn only_requested_moves_are_chosen() {
    let rules = Ruleset::default();
    let game = Game::new(rules, Start::TSIVY.riatra());
    let moves = RootMove::all(game.position(), &rules);
    let bot = &mut mcts(&[]);
    for mv in &moves {
        let (choice, info) = ask(bot, &game, &[*mv], &Limits::with_nodes(100));
        assert_eq!(choice.mv, mv.mv);
        assert_eq!(info.pv[0], mv.mv);
        ask_nodes(bot, &game, 100);
    }
    // Of two paths to the same position the answer is the first.
    let game = Game::new(rules, Start::Usual(BoardSize::DIMY).riatra());
    let (first, _) = ask_nodes(bot, &game, 300);
    let moves = RootMove::all(game.position(), &rules);
    let effect = moves.iter().find(|mv| mv.mv == first.mv).unwrap().effect;
    assert_eq!(moves.iter().find(|mv| mv.effect == effect).unwrap().mv, first.mv);
}

#[test]
fn searches_end_at_their_limits() {
    let rules = Ruleset::default();
    let game = Game::new(rules, Start::TSIVY.riatra());
    let moves = RootMove::all(game.position(), &rules);
    for nodes in [0, 1, 2, 17, 1000] {
        let (choice, info) = ask_nodes(&mut mcts(&[]), &game, nodes);
        assert_eq!((choice.nodes, info.nodes), (nodes, Some(nodes)));
    }
    for depth in [0, 1, 4, 7] {
        let (_, info) = ask(&mut mcts(&[]), &game, &moves, &Limits::with_depth(depth));
        assert_eq!(info.depth, Some(depth));
    }
    // The time is the only end of this search: without it, it runs forever.
    ask(&mut mcts(NO_BOOK), &game, &moves, &Limits::with_move_time(30));
    // A search that begins after its hard bound plays no game.
    let minute = Duration::from_secs(60);
    let begin = Instant::now().checked_sub(minute).expect("the machine has run for a minute");
    for (time, begin) in [(0, Instant::now()), (60_000, begin)] {
        let limits = Limits::with_move_time(time);
        let budget = Budget::new(&limits, game.position(), Duration::ZERO, begin, Arc::default());
        let task = Task { game: &game, moves: &moves, budget: &budget };
        assert_eq!(mcts(NO_BOOK).choose(&task, &mut NullObserver).nodes, 0, "{time} ms");
    }
    // A line that ends before the depth must not keep the search running forever.
    let drawn = Game::new(rules, "b4/5/5/5/4W w - 96 60".parse().unwrap());
    let moves = RootMove::all(drawn.position(), &rules);
    let (_, info) = ask(&mut mcts(&[]), &drawn, &moves, &Limits::with_depth(40));
    assert!(info.depth <= Some(4));
}

#[test]
fn a_full_tree_does_not_end_the_search() {
    let rules = Ruleset::default();
    let game = Game::new(rules, Start::TSIVY.riatra());
    let (choice, info) = ask_nodes(&mut mcts(&[("Hash", "1")]), &game, 60_000);
    assert_eq!(choice.nodes, 60_000);
    assert!(info.hashfull.is_some_and(|full| (300..=1000).contains(&full)), "{info}");
    assert!(info.depth > Some(3), "{info}");
}

/// Sets the stop flag at the first report that a search makes.
struct StopAtReport(Arc<AtomicBool>);

impl Observer for StopAtReport {
    fn info(&mut self, _: Info) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn stop_ends_a_search() {
    let rules = Ruleset::default();
    let game = Game::new(rules, Start::TSIVY.riatra());
    let moves = RootMove::all(game.position(), &rules);
    let search = |stop: Arc<AtomicBool>| {
        let limits = Limits::default();
        let begin = Instant::now();
        let budget = Budget::new(&limits, game.position(), Duration::ZERO, begin, stop.clone());
        let task = Task { game: &game, moves: &moves, budget: &budget };
        mcts(&[]).choose(&task, &mut StopAtReport(stop))
    };
    assert_eq!(search(Arc::new(AtomicBool::new(true))).nodes, 0);
    // The search has no limit: without the stop it runs forever.
    assert!(search(Arc::new(AtomicBool::new(false))).nodes > 0);
}
