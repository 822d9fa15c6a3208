//! The options of `bot-mcts`.

use std::str::FromStr;

use fanorona_protocol::messages::OptionSpec;

use super::playout::Playout;
use crate::evaluation::Method;
use crate::seed;

/// The formula that selects the next child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// UCB1: all moves are alike until they have been tried (Kocsis & Szepesvári 2006).
    Ucb1,
    /// PUCT: moves are weighted by their prior (Rosin, *Multi-armed Bandits with Episode Context*,
    /// 2011).
    Puct,
}

/// The prior probability of a move before it has been tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// From the number of stones it captures.
    Captures,
    /// From the evaluation of the position after it.
    Evaluation,
}

/// The method that judges a new position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// Plays a game out from it, see [`Playout`].
    Playout,
    /// Searches captures and evaluates the rest.
    Evaluation,
}

/// The choices of an option and their words.
type Words<T, const N: usize> = [(&'static str, T); N];

const SELECTIONS: Words<Selection, 2> = [("ucb1", Selection::Ucb1), ("puct", Selection::Puct)];
const PRIORS: Words<Prior, 2> = [("captures", Prior::Captures), ("evaluation", Prior::Evaluation)];
const METHODS: Words<Method, 2> =
    [("network", Method::Network), ("handwritten", Method::Handwritten)];
const LEAVES: Words<Leaf, 2> = [("playout", Leaf::Playout), ("evaluation", Leaf::Evaluation)];
const PLAYOUTS: Words<Playout, 3> =
    [("uniform", Playout::Uniform), ("weighted", Playout::Weighted), ("greedy", Playout::Greedy)];

/// The values of all options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Memory for the tree in MiB. It is allocated as the tree grows, and for a moment half as much
    /// again.
    pub hash: usize,
    /// The number of threads that grow the tree together.
    pub threads: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The formula that selects the next child.
    pub selection: Selection,
    /// The exploration constant in hundredths. The best value depends on the [`Selection`]: UCB1
    /// needs a quarter of PUCT's.
    pub exploration: u32,
    /// First-play urgency (`FirstPlay`): how much less than its parent an untried move is assumed
    /// to be worth, in hundredths of a win.
    pub fpu: u32,
    /// The source of move priors, for [`Selection::Puct`].
    pub prior: Prior,
    /// The lead, in hundredths of a stone, that makes a move three times as likely, for
    /// [`Prior::Evaluation`].
    pub prior_scale: u32,
    /// The weight, in per cent, of the best evaluation that can be forced, against the mean of all
    /// playouts.
    pub minimax: u32,
    /// The evaluation method.
    pub evaluation: Method,
    /// The number of playouts through a leaf before it is expanded.
    pub expansion: u32,
    /// The method that judges new positions.
    pub leaf: Leaf,
    /// The policy that chooses the moves of a playout.
    pub playout: Playout,
    /// The plies after which a playout is judged by its stones, once nothing can be captured; until
    /// then only the largest captures are played.
    pub playout_length: u32,
    /// Whether the tree is kept from move to move.
    pub tree_reuse: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash: 64,
            threads: 1,
            seed: 0,
            selection: Selection::Puct,
            exploration: 100,
            fpu: 20,
            prior: Prior::Evaluation,
            prior_scale: 200,
            minimax: 30,
            evaluation: Method::Network,
            expansion: 1,
            leaf: Leaf::Evaluation,
            playout: Playout::Greedy,
            playout_length: 4,
            tree_reuse: true,
        }
    }
}

/// The largest tree in MiB; node indices fit its size.
const MAX_HASH: i64 = 65_536;

/// The maximum number of threads.
const MAX_THREADS: i64 = 256;

/// The maximum of `PlayoutLength` in plies: nearly all games are over by then.
pub(super) const MAX_PLAYOUT_LENGTH: u32 = 1000;

impl Settings {
    /// The declarations of the options, with the defaults of [`Settings::default`].
    pub fn options() -> Vec<OptionSpec> {
        let usual = Settings::default();
        vec![
            OptionSpec::spin("Hash", usual.hash as i64, 1, MAX_HASH),
            OptionSpec::spin("Threads", usual.threads as i64, 1, MAX_THREADS),
            seed::option(),
            combo("Selection", usual.selection, SELECTIONS),
            OptionSpec::spin("Exploration", i64::from(usual.exploration), 0, 10_000),
            OptionSpec::spin("FirstPlay", i64::from(usual.fpu), 0, 200),
            combo("Prior", usual.prior, PRIORS),
            OptionSpec::spin("PriorScale", i64::from(usual.prior_scale), 1, 10_000),
            OptionSpec::spin("Minimax", i64::from(usual.minimax), 0, 100),
            combo("Evaluation", usual.evaluation, METHODS),
            OptionSpec::spin("Expansion", i64::from(usual.expansion), 1, 1000),
            combo("Leaf", usual.leaf, LEAVES),
            combo("Playout", usual.playout, PLAYOUTS),
            OptionSpec::spin(
                "PlayoutLength",
                i64::from(usual.playout_length),
                0,
                i64::from(MAX_PLAYOUT_LENGTH),
            ),
            OptionSpec::switch("TreeReuse", usual.tree_reuse),
        ]
    }

    /// Whether moves are evaluated when their parent is expanded.
    pub(super) fn evaluates_moves(&self) -> bool {
        self.prior == Prior::Evaluation || self.minimax > 0
    }

    /// Sets an option to a value that its declaration allows. Other names and values change
    /// nothing.
    pub fn set(&mut self, name: &str, value: &str) {
        match name.to_ascii_lowercase().as_str() {
            "hash" => read(&mut self.hash, value),
            "threads" => read(&mut self.threads, value),
            "seed" => read(&mut self.seed, value),
            "selection" => pick(&mut self.selection, SELECTIONS, value),
            "exploration" => read(&mut self.exploration, value),
            "firstplay" => read(&mut self.fpu, value),
            "prior" => pick(&mut self.prior, PRIORS, value),
            "priorscale" => read(&mut self.prior_scale, value),
            "minimax" => read(&mut self.minimax, value),
            "evaluation" => pick(&mut self.evaluation, METHODS, value),
            "expansion" => read(&mut self.expansion, value),
            "leaf" => pick(&mut self.leaf, LEAVES, value),
            "playout" => pick(&mut self.playout, PLAYOUTS, value),
            "playoutlength" => read(&mut self.playout_length, value),
            "treereuse" => read(&mut self.tree_reuse, value),
            _ => {}
        }
    }
}

fn read<T: FromStr>(field: &mut T, value: &str) {
    if let Ok(value) = value.parse() {
        *field = value;
    }
}

/// The declaration of an option with these choices.
fn combo<T: PartialEq, const N: usize>(name: &str, usual: T, words: Words<T, N>) -> OptionSpec {
    let default = words.iter().find(|(_, choice)| *choice == usual);
    let (default, _) = default.expect("every choice has a word");
    OptionSpec::combo(name, default, &words.each_ref().map(|&(word, _)| word))
}

fn pick<T, const N: usize>(field: &mut T, words: Words<T, N>, value: &str) {
    let found = words.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(value));
    if let Some((_, choice)) = found {
        *field = choice;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::messages::OptionKind;

    #[test]
    fn every_declared_default_is_the_usual_setting() {
        let mut settings = Settings::default();
        for option in Settings::options() {
            let value = match option.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::String { default } => default,
                OptionKind::Button => continue,
            };
            settings.set(&option.name, &value);
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn every_option_changes_its_setting() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("hash", "3"),
            ("threads", "5"),
            ("FirstPlay", "9"),
            ("Prior", "captures"),
            ("PriorScale", "77"),
            ("Minimax", "13"),
            ("Evaluation", "handwritten"),
            ("Expansion", "11"),
            ("Leaf", "playout"),
            ("Seed", "9223372036854775807"),
            ("Selection", "ucb1"),
            ("Exploration", "7"),
            ("Playout", "uniform"),
            ("PlayoutLength", "1000"),
            ("TreeReuse", "false"),
        ] {
            settings.set(name, value);
        }
        let expected = Settings {
            hash: 3,
            threads: 5,
            seed: i64::MAX as u64,
            selection: Selection::Ucb1,
            exploration: 7,
            fpu: 9,
            prior: Prior::Captures,
            prior_scale: 77,
            minimax: 13,
            evaluation: Method::Handwritten,
            expansion: 11,
            leaf: Leaf::Playout,
            playout: Playout::Uniform,
            playout_length: 1000,
            tree_reuse: false,
        };
        assert_eq!(settings, expected);
    }
}
