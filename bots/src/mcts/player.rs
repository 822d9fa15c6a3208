//! The player: reuses the tree from move to move and decides how long to grow it.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::Duration;

use fanorona_protocol::messages::{Info, Limits, OptionSpec, Value};
use fanorona_protocol::rules::{Effect, Game, Move, Position, Ruleset};

use super::endings::{Endings, RootProbe};
use super::playout::PlayoutRng;
use super::search::{Search, Traversal};
use super::settings::Settings;
use super::shared::Shared;
use super::tree::{Node, ProofStatus, ROOT, Tree};
use crate::book::BookOption;
use crate::bot::{Bot, Choice, Observer, OptionError, RootMove, Task};
use crate::budget::Budget;
use crate::endgame_option::{self, EndgameOption};
use crate::platform;

/// Playouts between two looks at the clock.
const CLOCK_INTERVAL: u64 = 16;

/// Time between two reports of a search with a clock or without a limit.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// The number of playouts before the first report; later reports follow when it has doubled.
const FIRST_REPORT: u64 = 256;

/// Playouts for a position with a single move worth playing, to get a score to report.
const FORCED_PLAYOUTS: u64 = 64;

/// Playouts after which a search by depth ends even if its principal line reaches the end of the
/// game before that depth.
const ENDED_LINE_PLAYOUTS: u64 = 1000;

/// The number of root visits that ends every search, so that the counter does not overflow.
const MAX_VISITS: u32 = 1 << 31;

/// The estimated time to move one node when a full tree is compacted, in nanoseconds; a generous
/// guess.
const RECYCLING_NANOSECONDS: u64 = 20;

/// Playouts for one position of the bench.
const BENCH_NODES: u64 = 20_000;

/// Plays by Monte Carlo tree search.
pub struct Mcts {
    settings: Settings,
    endgames: EndgameOption,
    book: BookOption,
    tree: Tree,
    /// Whether the tree was grown with drawn table positions left open.
    draws_open: bool,
    /// The positions of the game up to the root of the tree.
    line: Vec<Position>,
    /// The rules under which the tree was grown.
    rules: Ruleset,
    /// The state of each thread, at least one.
    traversals: Vec<Traversal>,
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts::with(Settings::default())
    }
}

impl Mcts {
    /// The player with the default options.
    pub fn new() -> Mcts {
        Mcts::default()
    }

    /// The player with these options.
    pub fn with(settings: Settings) -> Mcts {
        Mcts {
            endgames: EndgameOption::default(),
            book: BookOption::default(),
            draws_open: false,
            tree: Tree::new(settings.hash.saturating_mul(1 << 20)),
            line: Vec::new(),
            rules: Ruleset::default(),
            traversals: traversals(&settings),
            settings,
        }
    }

    /// Makes the current position the root and keeps the part of the tree below it. If there is no
    /// memory for a tree, returns the move with the best prior as an error.
    fn prepare(&mut self, task: &Task<'_>, draws_open: bool) -> Result<(), Move> {
        let rules = open_ended(task);
        let same = (rules, draws_open) == (self.rules, self.draws_open);
        let known = (self.settings.tree_reuse && same)
            .then(|| self.find(task.game.history().positions()))
            .flatten();
        (self.rules, self.draws_open) = (rules, draws_open);
        self.line.clear();
        self.line.extend_from_slice(task.game.history().positions());
        for traversal in &mut self.traversals {
            traversal.set_game(&self.line);
        }
        match known {
            Some(node) => self.tree.keep(node, 0),
            None => self.tree.clear(),
        }
        let effects: Vec<Effect> = task.moves.iter().map(|mv| mv.effect).collect();
        let edges = self.traversals[0].edges_of(&effects, &self.rules, &self.settings);
        // A tree with other root moves than the requested ones cannot be reused.
        let same = |tree: &Tree| {
            let children = tree.children(ROOT).iter().map(Node::effect);
            children.eq(edges.iter().map(|edge| edge.effect))
        };
        if self.tree.is_empty() || !same(&self.tree) {
            let inserted = self.tree.insert(edges);
            if !inserted {
                let best = task.moves.iter().zip(edges);
                let best = best.max_by(|(_, a), (_, b)| a.prior.total_cmp(&b.prior));
                return Err(best.map_or(task.moves[0].mv, |(mv, _)| mv.mv));
            }
        }
        Ok(())
    }

    /// The node of a game's last position, if the game continues from the root of the tree.
    fn find(&self, positions: &[Position]) -> Option<usize> {
        let same = |a: &Position, b: &Position| {
            a == b && a.quiet_plies() == b.quiet_plies() && a.full_move() == b.full_move()
        };
        let (game, since) = positions.split_at_checked(self.line.len())?;
        let mut here = game.last().filter(|_| !self.tree.is_empty())?;
        if !game.iter().zip(&self.line).all(|(a, b)| same(a, b)) {
            return None;
        }
        let mut node = ROOT;
        for next in since {
            let leads_there =
                |&child: &usize| here.apply_unchecked(self.tree.node(child).effect()) == *next;
            node = self.tree.node(node).children().find(leads_there)?;
            here = next;
        }
        Some(node)
    }
}

/// The state of each thread, with its own random numbers.
fn traversals(settings: &Settings) -> Vec<Traversal> {
    // The numbers of the first thread do not depend on the number of threads.
    let random = |thread: u64| PlayoutRng::new(settings.seed.wrapping_add(thread << 32));
    let traversal = |thread| Traversal::new(random(thread), settings.evaluation);
    (0..settings.threads.max(1) as u64).map(traversal).collect()
}

impl Bot for Mcts {
    fn name(&self) -> &'static str {
        "bot-mcts"
    }

    fn options(&self) -> Vec<OptionSpec> {
        let mut options = Settings::options();
        options.push(EndgameOption::option());
        options.extend(BookOption::options());
        options
    }

    fn ponders(&self) -> bool {
        true
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if self.book.set(name, value)? {
            return Ok(());
        }
        if name.eq_ignore_ascii_case(endgame_option::NAME) {
            self.endgames.set(value)?;
            // Forget proofs that came from other tables.
            self.new_game();
            return Ok(());
        }
        let before = self.settings.clone();
        self.settings.set(name, value);
        if self.settings != before {
            let (endgames, book) = (self.endgames.clone(), std::mem::take(&mut self.book));
            *self = Mcts { endgames, book, ..Mcts::with(self.settings.clone()) };
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.tree.clear();
        self.line.clear();
        self.traversals = traversals(&self.settings);
        self.book.new_game();
        #[cfg(not(feature = "native"))]
        self.endgames.new_game();
    }

    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        if let Some(choice) = self.book.choose(task, observer) {
            return choice;
        }
        let mut endings = Endings::new(self.endgames.for_search(task.game.position(), task.budget));
        let moves = match endings.probe_root(task) {
            RootProbe::Open(moves) => moves,
            RootProbe::Settled(best) => {
                let evaluation =
                    self.traversals[0].evaluate(task.game.position(), task.game.rules());
                let mv = endings.report(task, &best, evaluation, observer);
                return Choice { mv, nodes: 1 };
            }
        };
        let task = &Task { moves: &moves, ..*task };
        if let Err(mv) = self.prepare(task, endings.draws_open()) {
            let why = "no memory for a tree: this move is played without a search; lower Hash";
            observer.info(Info::text(why));
            return Choice { mv, nodes: 1 };
        }
        let mut shared = Shared {
            tree: &mut self.tree,
            rules: &self.rules,
            settings: &self.settings,
            endings: &endings,
            root: *task.game.position(),
            grows: true,
            threads: self.traversals.len(),
            full: AtomicBool::new(false),
            playouts: AtomicU64::new(0),
            drawn: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
        };
        // Resolve the root again: the game went on after the limit that ended it in the tree, and
        // its moves may have changed.
        shared.tree.node(ROOT).set_status(ProofStatus::Open);
        Search::new(&shared, &mut self.traversals[0], true).resolve_children(ROOT);
        grow(&mut shared, &mut self.traversals, task, observer);
        observer.info(shared.info(task.moves, task.budget.elapsed()));
        endings.report_failure(observer);
        let nodes = shared.playouts.load(Relaxed);
        let mv = shared.move_to_play(task.moves);
        if self.tree.was_refused() {
            let kept = (self.tree.capacity() * size_of::<Node>()) >> 20;
            let why = format!("memory for a larger tree was refused: it stays at {kept} MiB");
            observer.info(Info::text(why));
        }
        Choice { mv, nodes }
    }

    fn value(&mut self, game: &Game) -> Option<Value> {
        self.endgames.value(game)
    }

    fn bench_limits(&self) -> Limits {
        Limits::with_nodes(BENCH_NODES)
    }
}

/// The rules of a task, without the limits that its game has already reached.
fn open_ended(task: &Task<'_>) -> Ruleset {
    let (history, mut rules) = (task.game.history(), *task.game.rules());
    for (limit, count) in [
        (&mut rules.repetition, history.occurrences()),
        (&mut rules.quiet, history.position().quiet_plies()),
        (&mut rules.max_plies, history.plies()),
    ] {
        if count >= *limit {
            *limit = 0;
        }
    }
    rules
}

/// The limits of a search and its reports.
struct GrowthLimits<'c, 't> {
    task: &'c Task<'t>,
    observer: &'c mut dyn Observer,
    /// The maximum number of playouts.
    cap: u64,
    /// Whether only `stop` ends the search.
    endless: bool,
    /// The number of playouts at the next report, and the time of the last one.
    next_report: u64,
    last_report: Duration,
}

/// Grows the tree until the budget of a task is used up or more playouts would not change the
/// answer.
fn grow(
    shared: &mut Shared<'_>,
    traversals: &mut [Traversal],
    task: &Task<'_>,
    observer: &mut dyn Observer,
) {
    let budget = task.budget;
    let endless = budget.soft().is_none() && budget.nodes().is_none() && budget.depth().is_none();
    let forced = !endless && shared.tree.children(ROOT).len() == 1;
    let cap = budget.nodes().unwrap_or(u64::MAX);
    let mut limits = GrowthLimits {
        task,
        observer,
        cap: if forced { cap.min(FORCED_PLAYOUTS) } else { cap },
        endless,
        next_report: FIRST_REPORT,
        last_report: Duration::ZERO,
    };
    // The threads run until the tree is full. Then they stop, and the tree grows or is compacted.
    loop {
        let over = AtomicBool::new(false);
        let (first, others) = traversals.split_first_mut().expect("there is a thread at least");
        let alone = others.is_empty();
        std::thread::scope(|scope| {
            let (shared, over, cap) = (&*shared, &over, limits.cap);
            for traversal in others {
                // If the system has no more threads, fewer of them search.
                let _ = platform::spawn_scoped(scope, move || {
                    let mut search = Search::new(shared, traversal, false);
                    while !over.load(Relaxed) && shared.count_playout(cap) {
                        search.step();
                    }
                });
            }
            // The guard also stops the threads when the observer panics.
            let _guard = platform::StopGuard(over);
            limits.lead(&mut Search::new(shared, first, alone));
        });
        if !std::mem::take(shared.full.get_mut()) {
            return;
        }
        shared.make_room(budget);
    }
}

impl GrowthLimits<'_, '_> {
    /// The work of the first thread: playouts like the others, the clock, and the reports.
    fn lead(&mut self, search: &mut Search<'_, '_>) {
        let (task, shared) = (self.task, search.shared);
        let budget = task.budget;
        let timed = self.endless || budget.soft().is_some();
        let mut steps = 0u64;
        while !shared.is_finished(budget) {
            if steps.is_multiple_of(CLOCK_INTERVAL) {
                if budget.is_over() || !self.endless && shared.is_out_of_reach(budget) {
                    break;
                }
                if timed && budget.elapsed() >= self.last_report + REPORT_INTERVAL {
                    self.last_report = budget.elapsed();
                    self.observer.info(shared.info(task.moves, self.last_report));
                }
            }
            if !shared.count_playout(self.cap) {
                break;
            }
            search.step();
            steps += 1;
            if shared.playouts.load(Relaxed) >= self.next_report {
                self.next_report *= 2;
                self.observer.info(shared.info(task.moves, budget.elapsed()));
            }
        }
    }
}

impl Shared<'_> {
    /// Starts one more playout; returns `false` if the limit is reached or the tree is full.
    fn count_playout(&self, cap: u64) -> bool {
        if self.full.load(Relaxed) || self.tree.should_grow(self.threads) {
            self.full.store(true, Relaxed);
            return false;
        }
        let more = self.playouts.fetch_add(1, Relaxed) < cap;
        if !more {
            self.playouts.fetch_sub(1, Relaxed);
        }
        more
    }

    /// Whether the search is finished by a proof or by its depth.
    fn is_finished(&self, budget: &Budget) -> bool {
        let root = self.tree.node(ROOT);
        if !root.is_open() || root.visits() >= MAX_VISITS {
            return true;
        }
        let Some(depth) = budget.depth() else { return false };
        let (mut plies, mut last) = (0, ROOT);
        for node in self.principal_line() {
            (plies, last) = (plies + 1, node);
        }
        let ended = !self.tree.node(last).is_open();
        plies >= depth || ended && self.playouts.load(Relaxed) >= ENDED_LINE_PLAYOUTS
    }

    /// Whether the soft bound has passed, or will pass before another move could get as many visits
    /// as the best one.
    fn is_out_of_reach(&self, budget: &Budget) -> bool {
        let Some(soft) = budget.soft() else { return false };
        let on_clock = budget.on_clock();
        if on_clock >= soft {
            return true;
        }
        if budget.is_pondering() {
            return false;
        }
        let playouts = self.playouts.load(Relaxed);
        let Some(lead) = self.lead() else { return playouts >= FORCED_PLAYOUTS };
        let left = (soft - on_clock).as_micros() as u64;
        let spent = budget.elapsed().as_micros().max(1) as u64;
        // Allow for twice the expected number, because the machine may become faster.
        let expected = 2 * playouts.saturating_mul(left) / spent;
        playouts >= FIRST_REPORT && u64::from(lead) > expected
    }

    /// Allocates more memory for a full tree, or compacts it if there is time.
    fn make_room(&mut self, budget: &Budget) {
        if self.tree.grow() {
            return;
        }
        let needed = Duration::from_nanos(RECYCLING_NANOSECONDS * self.tree.len() as u64);
        if budget.hard().is_some_and(|hard| budget.on_clock() + needed >= hard) {
            self.grows = false;
        } else {
            self.tree.recycle();
        }
    }

    /// The first move with the effect of the root's best child.
    fn move_to_play(&self, moves: &[RootMove]) -> Move {
        let best = self.best_child(ROOT).map(|best| self.tree.node(best).effect());
        let found = moves.iter().find(|mv| Some(mv.effect) == best);
        found.unwrap_or(&moves[0]).mv
    }
}

#[cfg(test)]
mod tests {
    use super::super::quiescence::QuiescenceSearch;
    use super::*;
    use crate::evaluation::Method;
    use fanorona_protocol::messages::Score;
    use fanorona_protocol::rules::{Start, VelaStarter};

    /// Collects the reported texts and scores.
    #[derive(Default)]
    struct Reports {
        texts: Vec<String>,
        scores: Vec<Score>,
    }

    impl Observer for Reports {
        fn info(&mut self, info: Info) {
            self.texts.extend(info.string);
            self.scores.extend(info.score);
        }
    }

    /// The reports of a search of this many playouts.
    fn search(mcts: &mut Mcts, game: &Game, playouts: u64) -> (Move, Reports) {
        let moves = RootMove::all(game.position(), game.rules());
        let budget = Budget::from_limits(&Limits::with_nodes(playouts));
        let task = Task { game, moves: &moves, budget: &budget };
        let mut reports = Reports::default();
        let choice = mcts.choose(&task, &mut reports);
        (choice.mv, reports)
    }

    #[test]
    fn a_bot_without_memory_for_a_tree_plays_and_reports_it() {
        let game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
        for (memory, words) in [(0, "no memory for a tree"), (500, "memory for a larger tree")] {
            let mut mcts = Mcts::new();
            mcts.tree.memory = Some(memory);
            let (best, reports) = search(&mut mcts, &game, 2000);
            let moves = RootMove::all(game.position(), &Ruleset::default());
            assert!(moves.iter().any(|mv| mv.mv == best));
            assert!(reports.texts.iter().any(|text| text.contains(words)), "{:?}", reports.texts);
        }
    }

    /// A large lead tells a wrong scale from the right one: near zero all are alike.
    #[test]
    fn the_score_is_on_the_scale_of_the_evaluation() {
        let game = Game::new(Ruleset::default(), Start::TSIVY.vela(VelaStarter::Debtor));
        let (best, reports) = search(&mut Mcts::new(), &game, 1);
        let after = game.position().play(&Ruleset::default(), &best).expect("a legal move");
        let mut evaluation = QuiescenceSearch::new(after.board().size(), Method::Network);
        let expected = -evaluation.value(&after, &Ruleset::default());
        assert!(expected > 300, "{expected}");
        let [.., Score::Cp(score)] = reports.scores[..] else { panic!("{:?}", reports.scores) };
        assert!((score - expected).abs() < expected / 20, "{score} {expected}");
    }
}
