//! What can be set: the options of `bot-mcts`.

use std::str::FromStr;

use fanorona_protocol::messages::OptionSpec;

use super::playout::Playout;
use crate::evaluation::Method;
use crate::seed;

/// By which formula the next child is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// UCB1, every move the same until it has been tried (Kocsis & Szepesvári 2006).
    Ucb1,
    /// PUCT, moves weighed by what they capture before they have been tried (Rosin, *Multi-armed
    /// Bandits with Episode Context*, 2011).
    Puct,
}

/// How likely a move is thought to be the one to play before it has been tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prior {
    /// The more stones it captures, the likelier.
    Captures,
    /// The better the evaluation of what it leads to, the likelier.
    Evaluation,
}

/// How a position the tree has not seen before is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// A game is played out from it, see [`Playout`].
    Playout,
    /// Captures are searched, and what is left is evaluated.
    Evaluation,
}

/// The choices of an option, and the words for them.
type Words<T, const N: usize> = [(&'static str, T); N];

const SELECTIONS: Words<Selection, 2> = [("ucb1", Selection::Ucb1), ("puct", Selection::Puct)];
const PRIORS: Words<Prior, 2> = [("captures", Prior::Captures), ("evaluation", Prior::Evaluation)];
const METHODS: Words<Method, 2> =
    [("network", Method::Network), ("handwritten", Method::Handwritten)];
const LEAVES: Words<Leaf, 2> = [("playout", Leaf::Playout), ("evaluation", Leaf::Evaluation)];
const PLAYOUTS: Words<Playout, 3> =
    [("uniform", Playout::Uniform), ("weighted", Playout::Weighted), ("greedy", Playout::Greedy)];

/// Every option of the player, each with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Memory for the tree, MiB; it is taken as the tree grows, and for a moment half as much again.
    pub hash: usize,
    /// Threads that grow the tree together.
    pub threads: usize,
    /// What the random numbers start from.
    pub seed: u64,
    /// How the next child is chosen.
    pub selection: Selection,
    /// Weight of the unexplored, hundredths. What suits one [`Selection`] does not suit another:
    /// UCB1 plays well with a quarter of PUCT's.
    pub exploration: u32,
    /// What a move nobody has tried is thought to be worth less than its parent, hundredths of a
    /// win.
    pub fpu: u32,
    /// What makes a move likely before it has been tried; for [`Selection::Puct`].
    pub prior: Prior,
    /// So many hundredths of a stone make a move three times as likely, by [`Prior::Evaluation`].
    pub prior_scale: u32,
    /// The weight of the best evaluation that can be forced against the mean of all playouts, per
    /// cent.
    pub minimax: u32,
    /// By what positions are evaluated.
    pub evaluation: Method,
    /// Playouts through a leaf before it is expanded.
    pub expansion: u32,
    /// How new positions are judged.
    pub leaf: Leaf,
    /// How moves of a playout are chosen.
    pub playout: Playout,
    /// Plies after which a playout is judged by its stones, once nothing can be captured; until
    /// then the largest captures are played.
    pub playout_length: u32,
    /// Whether what was learned is kept from move to move.
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

/// The largest tree, MiB; its nodes can be numbered.
const MAX_HASH: i64 = 65_536;

/// The most threads.
const MAX_THREADS: i64 = 256;

/// The longest playout that can be asked for, plies: nearly all games are over by then.
pub(super) const MAX_PLAYOUT_LENGTH: u32 = 1000;

impl Settings {
    /// The options as an engine declares them, the defaults being [`Settings::default`].
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

    /// Whether moves are evaluated before they are tried.
    pub(super) fn evaluates_moves(&self) -> bool {
        self.prior == Prior::Evaluation || self.minimax > 0
    }

    /// Sets an option to a value its declaration allows; any other name or value changes nothing.
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
    fn every_option_is_honoured() {
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
