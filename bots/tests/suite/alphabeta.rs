//! `bot-alphabeta` from outside: its proofs are true, its moves are legal, and its answers are
//! reproducible.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, Choice, Observer, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_protocol::messages::{Info, Limits, Score};
use fanorona_protocol::rules::{BoardSize, Game, Position, Ruleset, Side};
use proptest::prelude::*;

use crate::reports::Reports;

fn choose_within(bot: &mut AlphaBeta, game: &Game, budget: &Budget) -> (Choice, Vec<Info>) {
    let moves = RootMove::all(game.position(), game.rules());
    let mut reports = Reports::default();
    let choice = bot.choose(&Task { game, moves: &moves, budget }, &mut reports);
    assert!(moves.iter().any(|root| root.mv == choice.mv), "{}", game.position());
    (choice, reports.0)
}

pub(crate) fn choose(bot: &mut AlphaBeta, game: &Game, limits: &Limits) -> (Choice, Vec<Info>) {
    choose_within(bot, game, &Budget::from_limits(limits))
}

fn bot(settings: &str) -> AlphaBeta {
    let mut bot = AlphaBeta::new();
    for word in settings.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap();
        let options = bot.options();
        let option = options.iter().find(|option| option.is_named(name)).expect(name);
        let value = option.check(value).unwrap();
        bot.set_option(name, &value).unwrap();
    }
    bot
}

pub(crate) fn game(text: &str, words: &str) -> Game {
    Game::new(rules(words), text.parse().unwrap())
}

/// The usual start of a board.
fn start(size: BoardSize) -> Game {
    Game::new(rules(""), Position::start(size))
}

fn rules(text: &str) -> Ruleset {
    text.parse().unwrap()
}

fn depth(plies: u32) -> Limits {
    Limits::with_depth(plies)
}

pub(crate) fn last_score(reports: &[Info]) -> Score {
    reports.last().and_then(|info| info.score).expect("a report with a score")
}

/// Rules without draws by repetition or limits: only the stones decide the game.
const ENDLESS: &str = "repetition=0 quiet=0";

/// The shortest win and longest loss within some plies by exhaustive search, for comparison.
/// `Some(n)` is a win in n plies for odd n and a loss for even n.
fn proof(
    position: &Position,
    rules: &Ruleset,
    plies: u32,
    known: &mut HashMap<(u64, u32), Option<u32>>,
) -> Option<u32> {
    if let Some(ending) = rules.ending(position) {
        // The exception is a debtor who wins because it has no capture.
        return ending.winner.map(|winner| if winner == position.side_to_move() { 1 } else { 0 });
    }
    if plies == 0 {
        return None;
    }
    if let Some(&found) = known.get(&(position.key(), plies)) {
        return found;
    }
    let (mut win, mut loss, mut all_lose) = (None::<u32>, 0, true);
    let _ = position.visit_moves(rules, |_, effect| {
        match proof(&position.apply_unchecked(effect), rules, plies - 1, known) {
            Some(n) if n % 2 == 0 => win = Some(win.map_or(n + 1, |best| best.min(n + 1))),
            Some(n) => loss = loss.max(n + 1),
            None => all_lose = false,
        }
        ControlFlow::Continue(())
    });
    let found = win.or(all_lose.then_some(loss));
    known.insert((position.key(), plies), found);
    found
}

fn as_score(proof: u32) -> Score {
    if proof % 2 == 1 { Score::Win(proof) } else { Score::Loss(proof) }
}

/// A position of the 3x3 board from digits, if both sides have stones.
fn small_position(points: &[u8], side_to_move: Side) -> Option<Position> {
    let rows: Vec<String> = points
        .chunks(3)
        .map(|row| row.iter().map(|&point| ['W', 'b', '1', '1'][point as usize]).collect())
        .collect();
    let position: Position =
        format!("{} {}", rows.join("/"), side_to_move.letter()).parse().ok()?;
    let both = Side::BOTH.into_iter().all(|side| position.board().count(side) > 0);
    both.then_some(position)
}

#[test]
fn the_last_stone_is_captured_by_approach_and_by_withdrawal() {
    for (text, expected) in [("5/5/W1b2/5/5 w", "a3b3A"), ("5/5/1Wb2/5/5 w", "b3a3W")] {
        for settings in ["", "Search=plain"] {
            let (choice, reports) = choose(&mut bot(settings), &game(text, ENDLESS), &depth(8));
            assert_eq!(choice.mv.to_string(), expected);
            assert_eq!(last_score(&reports), Score::Win(1), "{text}");
            assert_eq!(reports.len(), 1, "nothing is left to find out");
        }
    }
}

#[test]
fn proofs_on_a_small_board_match_exhaustive_search() {
    const PLIES: u32 = 7;
    let rules = rules(ENDLESS);
    let mut known = HashMap::new();
    let start = Position::start(BoardSize::TELO);
    let (mut proven, mut positions, mut next) = (0, vec![start], 0);
    // The first positions of the 3x3 board, breadth first.
    while next < positions.len() && positions.len() < 200 {
        let position = positions[next];
        next += 1;
        let _ = position.visit_moves(&rules, |_, effect| {
            let child = position.apply_unchecked(effect);
            if !positions.contains(&child) && rules.ending(&child).is_none() {
                positions.push(child);
            }
            ControlFlow::Continue(())
        });
    }
    for position in positions {
        let game = Game::new(rules, position);
        let expected = proof(&position, &rules, PLIES, &mut known);
        for settings in
            ["Search=plain", "Search=full", "TranspositionTable=false", "Quiescence=false"]
        {
            // A large table takes longer to clear than such a search takes.
            let mut bot = bot(&format!("Hash=1 {settings}"));
            let (_, reports) = choose(&mut bot, &game, &depth(PLIES + 6));
            let found = last_score(&reports);
            match (expected, found) {
                (Some(proof), found) => {
                    proven += 1;
                    let expected = as_score(proof);
                    if settings == "Search=plain" {
                        assert_eq!(found, expected, "{position} {settings}");
                    }
                    // With reductions the win found may be longer than the shortest.
                    let same = matches!(
                        (expected, found),
                        (Score::Win(_), Score::Win(_)) | (Score::Loss(_), Score::Loss(_))
                    );
                    assert!(same, "{position} {settings}: {found} instead of {expected}");
                }
                (None, Score::Win(n) | Score::Loss(n)) => {
                    assert!(n > PLIES, "{position} {settings}: {found}")
                }
                (None, Score::Cp(_)) => {}
            }
        }
    }
    assert!(proven > 100, "only {proven} positions were decided");
}

#[test]
fn a_debtor_without_captures_is_scored_by_the_rule() {
    // White owes a vela and is too far away to capture after any paika of Black.
    let text = "bbb6/bbb6/9/9/8W b w 0 1";
    for (switch, wins) in [("", false), ("vela-starved=debtor-loses", true)] {
        let (_, reports) = choose(&mut bot(""), &game(text, switch), &depth(4));
        let found = last_score(&reports);
        assert_eq!(found, if wins { Score::Win(1) } else { Score::Loss(1) }, "{switch}");
    }
}

#[test]
fn nodes_and_depth_give_the_same_answer_twice() {
    for limits in [Limits::with_nodes(30_000), depth(7)] {
        for text in ["bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w", "5/1b1b1/5/2W2/W3W w"] {
            let look = |bot: &mut AlphaBeta| {
                let (choice, reports) = choose(bot, &game(text, ""), &limits);
                let told: Vec<_> = reports
                    .into_iter()
                    .map(|info| (info.depth, info.score, info.nodes, info.pv, info.hashfull))
                    .collect();
                (choice, told)
            };
            let mut bot = AlphaBeta::new();
            let first = look(&mut bot);
            assert_eq!(look(&mut AlphaBeta::new()), first);
            bot.set_option("Seed", "7").unwrap();
            bot.new_game();
            assert_eq!(look(&mut bot), first, "after a new game");
        }
    }
}

#[test]
fn a_limit_of_nodes_is_kept_exactly() {
    let start = start(BoardSize::TSIVY);
    for nodes in [0, 1, 2, 1000, 54_321] {
        let (choice, _) = choose(&mut bot(""), &start, &Limits::with_nodes(nodes));
        assert_eq!(choice.nodes, nodes);
    }
}

#[test]
fn threads_share_a_search_and_its_limits() {
    // A search by time at the start has no nodes if the book answers.
    let mut bot = bot("Threads=3 Book=none");
    for text in ["bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w", "4b4/9/2b1b4/9/1W2W2W1 w"] {
        for limits in [Limits::with_nodes(60_000), depth(7), Limits::with_move_time(20)] {
            bot.new_game();
            let game = game(text, "");
            let (choice, reports) = choose(&mut bot, &game, &limits);
            let last = reports.last().expect("a report");
            assert_eq!(last.pv[0], choice.mv, "{text} {limits:?}");
            assert!(choice.nodes > 0 && last.nodes <= Some(choice.nodes), "{text} {limits:?}");
            if let Some(most) = limits.nodes {
                // Each thread searches this many nodes before it checks the others.
                assert!(choice.nodes <= most + 3 * 1024, "{} of {most}", choice.nodes);
            }
            // Proofs of several threads are as true as those of one.
            let mut line = game.clone();
            for mv in &last.pv {
                line.play(mv).expect("a line that can be played");
            }
        }
    }
    // Fewer threads again, and one search that is stopped before it begins.
    bot.set_option("Threads", "2").unwrap();
    let start = start(BoardSize::TSIVY);
    let (choice, _) = choose(&mut bot, &start, &Limits::with_nodes(0));
    assert_eq!(choice.nodes, 0);
}

#[test]
fn a_lower_skill_searches_fewer_nodes_and_errs_by_its_seed() {
    let text = "bbbb1bbbb/bbbb2bbb/bWb4bW/WWWWWWW1W/WWWWWWWW1 b";
    let mut nodes = 0;
    for level in [0, 10, 19] {
        let look = |seed: u32| {
            let mut bot = bot(&format!("Skill={level} Seed={seed}"));
            let (choice, reports) = choose(&mut bot, &game(text, ""), &Limits::default());
            (choice, reports.into_iter().map(|info| info.score).collect::<Vec<_>>())
        };
        let (choice, scores) = look(1);
        assert_eq!(look(1), (choice, scores.clone()), "the same errors with the same seed");
        // The lowest level may see only its own captures.
        assert!(level == 0 || look(2).1 != scores, "{level}: others with another seed");
        assert!(choice.nodes > nodes, "{level}: {} after {nodes}", choice.nodes);
        nodes = choice.nodes;
    }
    // It still captures a last stone.
    let (choice, _) = choose(&mut bot("Skill=0"), &game("5/5/W1b2/5/5 w", ""), &depth(8));
    assert_eq!(choice.mv.to_string(), "a3b3A");
}

#[test]
fn a_depth_limit_ends_after_its_iteration() {
    let start = start(BoardSize::DIMY);
    let (_, reports) = choose(&mut bot(""), &start, &depth(5));
    let depths: Vec<_> = reports.iter().filter_map(|info| info.depth).collect();
    assert_eq!(depths, [1, 2, 3, 4, 5]);
}

#[test]
fn a_search_ends_at_its_hard_bound_or_at_a_stop() {
    let start = start(BoardSize::TSIVY);
    let mut bot = bot("Book=none");
    bot.new_game();
    let mut search = |time: u64, age: Duration, stopped: bool| {
        let limits = Limits::with_move_time(time);
        let stop = Arc::new(AtomicBool::new(stopped));
        let begin = Instant::now().checked_sub(age).expect("the machine has run for a minute");
        let budget = Budget::new(&limits, start.position(), Duration::ZERO, begin, stop);
        choose_within(&mut bot, &start, &budget).0.nodes
    };
    // A search that begins after its hard bound, or after `stop`, visits no node.
    assert_eq!(search(0, Duration::ZERO, false), 0);
    assert_eq!(search(60_000, Duration::from_secs(60), false), 0);
    assert_eq!(search(60_000, Duration::ZERO, true), 0);
    // A hard bound is the only end of this search: without it, it runs forever.
    search(30, Duration::ZERO, false);
}

/// Sets the stop flag at the first report that a search makes.
struct StopAtReport(Arc<AtomicBool>);

impl Observer for StopAtReport {
    fn info(&mut self, _: Info) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn a_stop_ends_a_running_search() {
    let start = start(BoardSize::TSIVY);
    let moves = RootMove::all(start.position(), start.rules());
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits::default();
    let budget =
        Budget::new(&limits, start.position(), Duration::ZERO, Instant::now(), stop.clone());
    let task = Task { game: &start, moves: &moves, budget: &budget };
    // The search has no limit: without the stop it runs forever.
    let choice = bot("").choose(&task, &mut StopAtReport(stop));
    assert!(moves.iter().any(|root| root.mv == choice.mv));
    assert!(choice.nodes > 0);
}

#[test]
fn an_only_move_is_played_at_once_under_a_clock() {
    let only = game("5/5/5/bb3/W4 w", "");
    assert_eq!(RootMove::all(only.position(), only.rules()).len(), 1);
    let budget = Budget::from_limits(&Limits::with_move_time(60_000));
    let (choice, _) = choose_within(&mut bot(""), &only, &budget);
    // A second iteration would visit thousands.
    assert!(choice.nodes < 100, "{} nodes", choice.nodes);
}

#[test]
fn several_lines_are_different_moves_in_order_of_value() {
    let start = start(BoardSize::DIMY);
    let (choice, reports) = choose(&mut bot("MultiPV=3"), &start, &depth(6));
    let last = &reports[reports.len() - 3..];
    let order: Vec<_> = last.iter().map(|info| info.multipv).collect();
    assert_eq!(order, [Some(1), Some(2), Some(3)]);
    assert_eq!(last[0].pv[0], choice.mv);
    let value = |info: &Info| match info.score {
        Some(Score::Cp(value)) => value,
        other => panic!("{other:?}"),
    };
    assert!(last.iter().map(value).is_sorted_by(|a, b| a >= b));
    let position = start.position();
    for pair in last.windows(2) {
        let effect = |info: &Info| position.effect_of(start.rules(), &info.pv[0]).unwrap();
        assert_ne!(effect(&pair[0]), effect(&pair[1]));
    }
}

#[test]
fn a_third_occurrence_is_a_draw() {
    // After a5 of Black the first position would occur a third time.
    let mut shuffle = game("b1b1b/5/5/5/W4 w - 0 1", "");
    for mv in ["a1b1", "a5b5", "b1a1", "b5a5", "a1b1", "a5b5", "b1a1"] {
        shuffle.play(&mv.parse().unwrap()).unwrap();
    }
    // Black is far ahead and does not repeat.
    let (choice, reports) = choose(&mut bot(""), &shuffle, &depth(4));
    assert_ne!(choice.mv.to_string(), "b5a5");
    assert!(!matches!(last_score(&reports), Score::Cp(0)));
    // Restricted to that move, it knows its value.
    let moves: Vec<_> = RootMove::all(shuffle.position(), shuffle.rules())
        .into_iter()
        .filter(|root| root.mv.to_string() == "b5a5")
        .collect();
    for (text, drawn) in [("", true), ("repetition=0", false), ("repetition=4", false)] {
        shuffle.set_rules(rules(text));
        let budget = Budget::from_limits(&depth(4));
        let mut reports = Reports::default();
        let task = Task { game: &shuffle, moves: &moves, budget: &budget };
        bot("").choose(&task, &mut reports);
        assert_eq!(last_score(&reports.0) == Score::Cp(0), drawn, "{text}");
    }
}

#[test]
fn the_search_respects_the_limits_of_the_rules() {
    for (text, rule) in [("b1b1b/5/5/5/W4 b - 99 1", ""), ("b1b1b/5/5/5/W4 b - 0 1", "max-plies=1")]
    {
        let (_, reports) = choose(&mut bot(""), &game(text, rule), &depth(6));
        assert_eq!(last_score(&reports), Score::Cp(0), "{text} {rule}");
    }
}

/// A debtor in phase one must capture, so its captures below the horizon are no choice: the game can end
/// by its number of plies among them.
#[test]
fn no_win_is_seen_beyond_the_last_ply_of_the_game() {
    let debt = game("1b3W1/1W1W1WW/5W1 w b 0 1", "max-plies=2");
    let mut bot = bot("EndgameTables=none");
    for limit in 1..=3 {
        let (_, reports) = choose(&mut bot, &debt, &depth(limit));
        for report in &reports {
            assert!(matches!(report.score, Some(Score::Cp(_))), "{limit} {:?}", report.score);
        }
    }
}

/// Plays with tables of these sizes, one after the other.
fn play_with_tables(sizes: &[&str]) {
    let mut bot = AlphaBeta::new();
    let start = start(BoardSize::DIMY);
    for size in sizes {
        bot.set_option("Hash", size).unwrap();
        let (choice, _) = choose(&mut bot, &start, &Limits::with_nodes(2000));
        assert_eq!(choice.nodes, 2000, "{size} MiB");
        bot.set_option("Hash", "1").unwrap();
    }
}

#[test]
fn every_table_size_plays() {
    play_with_tables(&["1", "3", "64"]);
}

#[test]
#[ignore = "fills half of the memory, which takes half a minute"]
fn the_largest_table_size_plays() {
    play_with_tables(&["65536"]);
}

fn any_rules() -> impl Strategy<Value = Ruleset> {
    let switch = any::<bool>;
    let limit = |values: &'static [u32]| prop::sample::select(values);
    (
        (switch(), switch(), switch(), switch()),
        0..3usize,
        (limit(&[0, 1, 2, 3, 5]), limit(&[0, 1, 4, 50, 100]), limit(&[0, 1, 30, 200])),
    )
        .prop_map(|((forced, single, blocked, offer), starved, (repetition, quiet, max))| {
            let mut rules = {
                let mut rules = Ruleset::default();
                rules.forced_continuation = forced;
                rules.single_first_capture = single;
                rules.blocked_is_draw = blocked;
                rules.vela_must_offer = offer;
                rules.repetition = repetition;
                rules.quiet = quiet;
                rules.max_plies = max;
                rules
            };
            let starved = ["creditor-loses", "debtor-loses", "paika"][starved];
            rules.set(&format!("vela-starved={starved}")).unwrap();
            rules
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn games_by_any_rules_on_any_board_are_played_to_their_end(
        rules in any_rules(),
        size in 0..BoardSize::COUNT,
        debtor in prop::option::of(prop::sample::select(&Side::BOTH[..])),
        settings in prop::sample::select(&[
            "", "Search=plain", "Quiescence=false", "TranspositionTable=false", "Reductions=false",
            "Aspiration=false", "Pruning=false", "MultiPV=4", "Threads=2",
        ][..]),
    ) {
        let size = BoardSize::all().nth(size).unwrap();
        let start = Position::start(size).with_debtor(debtor);
        let mut game = Game::new(rules, start);
        let mut bot = bot(settings);
        for _ in 0..40 {
            if rules.ending(game.position()).is_some() {
                break;
            }
            let (choice, reports) = choose(&mut bot, &game, &Limits::with_nodes(300));
            for info in reports {
                // Every line can be played.
                let mut line = game.clone();
                for mv in &info.pv {
                    prop_assert!(line.play(mv).is_ok(), "{mv} in {}", line.position());
                }
            }
            game.play(&choice.mv).unwrap();
        }
    }

    #[test]
    fn both_kinds_of_search_agree_on_what_is_proven(
        points in prop::collection::vec(0..4u8, 9),
        mv in prop::sample::select(&Side::BOTH[..]),
        blocked in any::<bool>(),
    ) {
        let blocked = if blocked { "blocked-is-draw" } else { "" };
        let rules = rules(&format!("{blocked} {ENDLESS}"));
        let position = small_position(&points, mv)
            .filter(|position| rules.ending(position).is_none());
        prop_assume!(position.is_some());
        let game = Game::new(rules, position.unwrap());
        let searched = |settings: &str, plies| {
            let (_, reports) = choose(&mut bot(settings), &game, &depth(plies));
            last_score(&reports)
        };
        let full = searched("", 12);
        // It looks further than its depth where moves are forced, for example.
        let (full, plies) = match full {
            Score::Win(plies) => (1, plies),
            Score::Loss(plies) => (-1, plies),
            Score::Cp(_) => (0, 0),
        };
        let plain = match searched("Search=plain", plies.max(12)) {
            Score::Win(_) => 1,
            Score::Loss(_) => -1,
            Score::Cp(_) => 0,
        };
        prop_assert!(plain == full, "{}: {plain} and {full}", game.position());
    }
}
