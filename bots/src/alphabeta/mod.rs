//! A bot that looks ahead: principal variation search with a transposition table.
//!
//! In reading order: what values mean (`value`), what can be switched (`settings`), what is
//! remembered of positions (`table`) and of moves (`order`), what makes draws (`search_stack`), what endgame
//! tables say (`endings`), lines of moves (`line`), what several threads share (`shared`), the search
//! itself (`search`), and how the threads run (`threads`).

mod endings;
mod line;
mod order;
mod search;
mod search_stack;
mod settings;
mod shared;
mod table;
mod threads;
mod value;

use fanorona_protocol::messages::{Limits, OptionSpec, Value};
use fanorona_protocol::rules::{History, Ruleset};

use crate::bot::{Bot, Choice, Observer, OptionError, Task};
use crate::endgame_option::{self, EndgameOption};
use settings::Settings;
use table::Table;

/// The bot `bot-alphabeta`.
///
/// With one depth or number of nodes, one thread, and after [`Bot::new_game`], it always answers the
/// same. Only the errors of a low `Skill` depend on `Seed`. The search calls itself once
/// for each ply, at most some hundred plies deep; a stack of 2 MiB is plenty.
///
/// ```
/// use fanorona_bots::alphabeta::AlphaBeta;
/// use fanorona_bots::bot::{Bot, RootMove, Task, Unobserved};
/// use fanorona_bots::budget::Budget;
/// use fanorona_protocol::messages::Limits;
/// use fanorona_protocol::rules::{History, Ruleset};
///
/// let rules = Ruleset::default();
/// let game = History::new("b1b1b/5/1W3/5/5 w - 0 1".parse().unwrap());
/// let moves: Vec<RootMove> = game
///     .position()
///     .legal_moves(&rules)
///     .into_iter()
///     .map(|mv| RootMove { mv, effect: game.position().effect_of(&rules, &mv).unwrap() })
///     .collect();
/// let budget = Budget::of_limits(&Limits::of_depth(3));
/// let task = Task { game: &game, rules: &rules, moves: &moves, budget: &budget };
/// let choice = AlphaBeta::new().choose(&task, &mut Unobserved);
/// assert!(moves.iter().any(|root| root.mv == choice.mv));
/// ```
pub struct AlphaBeta {
    settings: Settings,
    endgames: EndgameOption,
    table: Table,
    /// What each thread remembers, one for each.
    memories: Vec<search::ThreadState>,
    /// The rules of the search before: values found under other rules are worth nothing.
    rules: Option<Ruleset>,
}

impl AlphaBeta {
    /// The bot with the default values of its options. Its hash table takes its memory with the
    /// first game, search or setting of its size.
    pub fn new() -> AlphaBeta {
        AlphaBeta {
            settings: Settings::default(),
            endgames: EndgameOption::default(),
            table: Table::new(settings::HASH as usize),
            memories: vec![search::ThreadState::new()],
            rules: None,
        }
    }

    fn forget(&mut self) {
        self.table.clear();
        self.memories.iter_mut().for_each(search::ThreadState::clear);
    }
}

impl Default for AlphaBeta {
    fn default() -> AlphaBeta {
        AlphaBeta::new()
    }
}

impl Bot for AlphaBeta {
    fn name(&self) -> &'static str {
        "bot-alphabeta"
    }

    fn options(&self) -> Vec<OptionSpec> {
        let mut options = settings::options();
        options.push(EndgameOption::option());
        options
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name.eq_ignore_ascii_case("Hash") {
            self.table.resize(value.parse().unwrap_or(settings::HASH as usize));
            return Ok(());
        }
        if name.eq_ignore_ascii_case(endgame_option::NAME) {
            self.endgames.set(value)?;
        } else if name.eq_ignore_ascii_case("Threads") {
            let threads = value.parse().unwrap_or(1).max(1);
            self.memories.resize_with(threads, search::ThreadState::new);
            return Ok(());
        } else {
            self.settings.set(name, value)?;
        }
        // Values of one kind of search mean little to another.
        self.forget();
        Ok(())
    }

    fn new_game(&mut self) {
        self.table.allocate();
        self.forget();
    }

    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        if self.rules.replace(*task.rules).is_some_and(|rules| rules != *task.rules) {
            self.forget();
        }
        self.table.allocate();
        self.table.age();
        self.memories.iter_mut().for_each(search::ThreadState::age);
        let tables = self.endgames.for_search(task.game.position(), task.budget);
        threads::search(task, &self.settings, tables, &self.table, &mut self.memories, observer)
    }

    fn value(&mut self, game: &History, rules: &Ruleset) -> Value {
        self.endgames.value(game, rules)
    }

    fn bench_limits(&self) -> Limits {
        Limits::of_depth(BENCH_DEPTH)
    }
}

/// Plies each position of the bench is searched.
const BENCH_DEPTH: u32 = 15;
