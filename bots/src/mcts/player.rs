//! The player: keeps the tree from turn to turn and decides how long to grow it.

use std::time::Duration;

use fanorona_protocol::messages::{Limits, OptionSpec};
use fanorona_protocol::rules::{Effect, Position, Ruleset, Turn};

use super::playout::Random;
use super::search::{Search, arrange};
use super::settings::Settings;
use super::tree::{ROOT, Tree, Verdict};
use crate::bot::{Bot, Choice, Observer, OptionError, RootTurn, Task};
use crate::budget::Budget;

/// Playouts between two looks at the clock.
const CLOCK_INTERVAL: u64 = 16;

/// Time between two reports of a search that has a clock or no end.
const REPORT_INTERVAL: Duration = Duration::from_millis(500);

/// The playouts after which a search reports first; then whenever they have doubled.
const FIRST_REPORT: u64 = 256;

/// Playouts spent on a position with one turn worth playing, to have a judgement to tell.
const FORCED_PLAYOUTS: u64 = 64;

/// Playouts after which a search by depth ends even if its principal line has come to the end of
/// the game before that depth.
const ENDED_LINE_PLAYOUTS: u64 = 1000;

/// Visits of the root with which a search ends in any case, so that they can be counted.
const MAX_VISITS: u32 = 1 << 31;

/// Time to move one node when room is made in a full tree, nanoseconds; a generous guess.
const RECYCLING_NANOSECONDS: u64 = 20;

/// Playouts of one position of the bench.
const BENCH_NODES: u64 = 20_000;

/// Plays by Monte Carlo tree search.
pub struct Mcts {
    settings: Settings,
    random: Random,
    tree: Tree,
    /// The game up to the root of the tree.
    line: Vec<Position>,
    /// The rules the tree was grown under.
    rules: Ruleset,
    path: Vec<usize>,
    effects: Vec<Effect>,
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts::with(Settings::default())
    }
}

impl Mcts {
    /// The player with its options at their defaults.
    pub fn new() -> Mcts {
        Mcts::default()
    }

    /// The player with these options.
    pub fn with(settings: Settings) -> Mcts {
        Mcts {
            random: Random::new(settings.seed),
            tree: Tree::new(settings.hash << 20),
            line: Vec::new(),
            rules: Ruleset::default(),
            path: Vec::new(),
            effects: Vec::new(),
            settings,
        }
    }

    /// Makes the present position the root, keeping what the tree knows of it.
    fn prepare(&mut self, task: &Task<'_>) {
        let rules = open_ended(task);
        let known = (self.settings.tree_reuse && rules == self.rules)
            .then(|| self.find(task.game.positions()))
            .flatten();
        self.rules = rules;
        self.line.clear();
        self.line.extend_from_slice(task.game.positions());
        self.effects.clear();
        self.effects.extend(task.turns.iter().map(|turn| turn.effect));
        arrange(&mut self.effects);
        match known {
            Some(node) => self.tree.keep(node, 0),
            None => self.tree.clear(),
        }
        // A tree that knows other turns than those asked about is of no use.
        let same = |tree: &Tree| {
            let children = tree.children(ROOT);
            children.iter().map(|child| child.effect).eq(self.effects.iter().copied())
        };
        if self.tree.is_empty() || !same(&self.tree) {
            self.tree.plant(&self.effects);
        }
    }

    /// The node of a game's last position, if the game goes on from the one the tree was grown in.
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
                |&child: &usize| here.play_unchecked(self.tree.node(child).effect) == *next;
            node = self.tree.node(node).children().find(leads_there)?;
            here = next;
        }
        Some(node)
    }
}

impl Bot for Mcts {
    fn name(&self) -> &'static str {
        "bot-mcts"
    }

    fn options(&self) -> Vec<OptionSpec> {
        Settings::options()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let before = self.settings.clone();
        self.settings.set(name, value);
        if self.settings != before {
            *self = Mcts::with(self.settings.clone());
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.tree.clear();
        self.line.clear();
        self.random = Random::new(self.settings.seed);
    }

    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        self.prepare(task);
        let mut search = Search {
            tree: &mut self.tree,
            line: &mut self.line,
            path: &mut self.path,
            effects: &mut self.effects,
            random: &mut self.random,
            rules: &self.rules,
            settings: &self.settings,
            grows: true,
            playouts: 0,
            drawn: 0,
            deepest: 0,
        };
        // The root is judged afresh: what ended the game there did not, and its turns may be new.
        search.tree.node_mut(ROOT).verdict = Verdict::Open;
        search.judge_children(ROOT);
        grow(&mut search, task, observer);
        observer.info(search.info(task.turns, task.budget.elapsed()));
        Choice { turn: search.turn_to_play(task.turns), nodes: search.playouts }
    }

    fn bench_limits(&self) -> Limits {
        Limits::of_nodes(BENCH_NODES)
    }
}

/// The rules of a task without the limits that its game has reached and yet goes on.
fn open_ended(task: &Task<'_>) -> Ruleset {
    let (game, mut rules) = (task.game, *task.rules);
    for (limit, count) in [
        (&mut rules.repetition, game.occurrences()),
        (&mut rules.quiet, game.position().quiet_plies()),
        (&mut rules.max_plies, game.plies()),
    ] {
        if count >= *limit {
            *limit = 0;
        }
    }
    rules
}

/// Lets the tree grow until its budget is used up or more would change nothing.
fn grow(search: &mut Search<'_>, task: &Task<'_>, observer: &mut dyn Observer) {
    let budget = task.budget;
    let endless = budget.soft().is_none() && budget.nodes().is_none() && budget.depth().is_none();
    let timed = endless || budget.soft().is_some();
    let forced = !endless && search.tree.children(ROOT).len() == 1;
    let cap = budget.nodes().unwrap_or(u64::MAX);
    let cap = if forced { cap.min(FORCED_PLAYOUTS) } else { cap };
    let mut next_report = FIRST_REPORT;
    let mut last_report = Duration::ZERO;
    while search.playouts < cap && !search.is_settled(budget) {
        if search.playouts.is_multiple_of(CLOCK_INTERVAL) {
            if budget.is_over() || !endless && search.is_out_of_reach(budget) {
                break;
            }
            if timed && budget.elapsed() >= last_report + REPORT_INTERVAL {
                last_report = budget.elapsed();
                observer.info(search.info(task.turns, last_report));
            }
        }
        if search.grows && search.tree.is_full() {
            search.make_room(budget);
        }
        search.step();
        if search.playouts == next_report {
            next_report *= 2;
            observer.info(search.info(task.turns, budget.elapsed()));
        }
    }
}

impl Search<'_> {
    /// Whether there is nothing left to find out, by proof or depth.
    fn is_settled(&self, budget: &Budget) -> bool {
        let root = self.tree.node(ROOT);
        if root.verdict != Verdict::Open || root.visits >= MAX_VISITS {
            return true;
        }
        let Some(depth) = budget.depth() else { return false };
        let (mut plies, mut last) = (0, ROOT);
        for node in self.principal_line() {
            (plies, last) = (plies + 1, node);
        }
        let ended = self.tree.node(last).verdict != Verdict::Open;
        plies >= depth || ended && self.playouts >= ENDED_LINE_PLAYOUTS
    }

    /// Whether the soft bound has passed, or will before another turn could be looked at as often
    /// as the best.
    fn is_out_of_reach(&self, budget: &Budget) -> bool {
        let Some(soft) = budget.soft() else { return false };
        let elapsed = budget.elapsed();
        if elapsed >= soft {
            return true;
        }
        let Some(lead) = self.lead() else { return self.playouts >= FORCED_PLAYOUTS };
        let left = (soft - elapsed).as_micros() as u64;
        let spent = elapsed.as_micros().max(1) as u64;
        // Twice what is expected, since the machine may be faster from now on.
        let expected = 2 * self.playouts.saturating_mul(left) / spent;
        self.playouts >= FIRST_REPORT && u64::from(lead) > expected
    }

    /// Makes room in a full tree, if there is time for it.
    fn make_room(&mut self, budget: &Budget) {
        let needed = Duration::from_nanos(RECYCLING_NANOSECONDS * self.tree.len() as u64);
        if budget.hard().is_some_and(|hard| budget.elapsed() + needed >= hard) {
            self.grows = false;
        } else {
            self.tree.recycle();
        }
    }

    /// The first of the turns that does what the best child of the root does.
    fn turn_to_play(&self, turns: &[RootTurn]) -> Turn {
        let best = self.best_child(ROOT).map(|best| self.tree.node(best).effect);
        let found = turns.iter().find(|turn| Some(turn.effect) == best);
        found.unwrap_or(&turns[0]).turn
    }
}
