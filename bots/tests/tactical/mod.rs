//! Positions from games with one right move, by theme, and how many nodes a search takes to find it.

use std::fmt;
use std::str::FromStr;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, Observer, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_protocol::messages::{Info, Limits, Score};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset};

/// The subject of a position: why its right move is hard to see.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Theme {
    /// A paika that gives the enemy something to capture, which it then must.
    Offer,
    /// A paika after which the enemy has nothing to capture.
    Quiet,
    /// A capture, of which every step captures in one way only.
    Sequence,
    /// A capture with a step that could capture the other way, by approach or by withdrawal.
    Choice,
    /// Any move with at most [`Theme::FEW`] stones on the board.
    Ending,
    /// Any move of the first phase of a vela, in which stones must be given away.
    Debt,
}

impl Theme {
    /// All themes, in the order of the table.
    pub(crate) const ALL: [Theme; 6] =
        [Theme::Offer, Theme::Quiet, Theme::Sequence, Theme::Choice, Theme::Ending, Theme::Debt];

    /// The largest number of stones of an ending.
    const FEW: u32 = 9;

    /// The theme of a position with its right move.
    pub(crate) fn of(position: &Position, best: RootMove, moves: &[RootMove]) -> Theme {
        let stones = position.board().count(position.side_to_move())
            + position.board().count(!position.side_to_move());
        if position.is_vela_phase_one() {
            Theme::Debt
        } else if stones <= Theme::FEW {
            Theme::Ending
        } else if !best.effect.is_capture() {
            let offers = position.apply_unchecked(best.effect).has_capture();
            if offers { Theme::Offer } else { Theme::Quiet }
        } else if moves.iter().any(|other| chooses_between(&best.mv, &other.mv)) {
            Theme::Choice
        } else {
            Theme::Sequence
        }
    }

    /// The word of the theme.
    fn word(self) -> &'static str {
        match self {
            Theme::Offer => "offer",
            Theme::Quiet => "quiet",
            Theme::Sequence => "sequence",
            Theme::Choice => "choice",
            Theme::Ending => "ending",
            Theme::Debt => "debt",
        }
    }
}

/// Whether two moves first differ in the way in which one and the same step captures.
fn chooses_between(mv: &Move, other: &Move) -> bool {
    let mut both = mv.steps().iter().zip(other.steps());
    mv.from() == other.from()
        && both.find(|(step, other)| step != other).is_some_and(|(step, other)| {
            step.direction == other.direction && step.capture != other.capture
        })
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

impl FromStr for Theme {
    type Err = String;

    fn from_str(word: &str) -> Result<Theme, String> {
        let found = Theme::ALL.into_iter().find(|theme| theme.word() == word);
        found.ok_or_else(|| format!("not a theme: {word}"))
    }
}

/// A position with its right move. Its text form is a line of five columns separated by tabs: theme,
/// right move, its score, the score of the best other move, and the position.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tactic {
    pub(crate) theme: Theme,
    /// The right move; other paths with the same effect are right as well.
    pub(crate) best: Move,
    /// The score of the right move: that of a deep search, or a proven win.
    pub(crate) score: Score,
    /// The score of the best other move.
    pub(crate) other: Score,
    pub(crate) position: Position,
}

impl Tactic {
    /// The positions of a file; lines that begin with `#` are comments.
    pub(crate) fn all(text: &str) -> Result<Vec<Tactic>, String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::parse).collect()
    }

    /// The game that begins with the position.
    pub(crate) fn game(&self) -> Game {
        Game::new(Ruleset::default(), self.position)
    }

    /// The nodes after which a search has found the right move and keeps it to its end; `None` if it
    /// ends with another move.
    pub(crate) fn nodes_to_solution(&self, reports: &[Report]) -> Option<u64> {
        let moves = RootMove::all(&self.position, &Ruleset::default());
        let effect = |mv: &Move| moves.iter().find(|root| root.mv == *mv).map(|root| root.effect);
        let right = effect(&self.best);
        let kept = reports.iter().rev().take_while(|report| effect(&report.mv) == right);
        kept.last().map(|report| report.nodes)
    }
}

impl fmt::Display for Tactic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tactic { theme, best, score, other, position } = self;
        write!(f, "{theme}\t{best}\t{score}\t{other}\t{position}")
    }
}

impl FromStr for Tactic {
    type Err = String;

    fn from_str(line: &str) -> Result<Tactic, String> {
        let columns: Vec<_> = line.split('\t').collect();
        let &[theme, best, score, other, position] = &*columns else {
            return Err(format!("five columns: {line}"));
        };
        let wrong = |error: &dyn fmt::Display| format!("{error}: {line}");
        Ok(Tactic {
            theme: theme.parse()?,
            best: best.parse().map_err(|error| wrong(&error))?,
            score: read_score(score).ok_or_else(|| wrong(&"not a score"))?,
            other: read_score(other).ok_or_else(|| wrong(&"not a score"))?,
            position: position.parse().map_err(|error| wrong(&error))?,
        })
    }
}

/// Reads a score, for example `cp 150` or `win 7`.
fn read_score(text: &str) -> Option<Score> {
    let (word, number) = text.split_once(' ')?;
    match word {
        "cp" => number.parse().ok().map(Score::Cp),
        "win" => number.parse().ok().map(Score::Win),
        "loss" => number.parse().ok().map(Score::Loss),
        _ => None,
    }
}

/// The best move of a search after a number of nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Report {
    pub(crate) nodes: u64,
    pub(crate) mv: Move,
    pub(crate) score: Score,
}

/// Collects the reports of a search.
#[derive(Default)]
pub(crate) struct Reports(pub(crate) Vec<Report>);

impl Observer for Reports {
    fn info(&mut self, info: Info) {
        if let (Some(nodes), Some(&mv), Some(score)) = (info.nodes, info.pv.first(), info.score) {
            self.0.push(Report { nodes, mv, score });
        }
    }
}

/// The reports of `bot-alphabeta`, which chooses one of some moves, the last report being its choice.
pub(crate) fn search(
    bot: &mut AlphaBeta,
    game: &Game,
    moves: &[RootMove],
    nodes: u64,
) -> Vec<Report> {
    let budget = Budget::from_limits(&Limits::with_nodes(nodes));
    let mut reports = Reports::default();
    let choice = bot.choose(&Task { game, moves, budget: &budget }, &mut reports);
    let score = reports.0.last().map_or(Score::Cp(0), |report| report.score);
    reports.0.push(Report { nodes: choice.nodes, mv: choice.mv, score });
    reports.0
}

/// The numbers of nodes whose solved positions the table counts.
pub(crate) const LIMITS: [u64; 3] = [1000, 10_000, 100_000];

/// How many positions of each theme a search has solved within how many nodes.
#[derive(Default)]
pub(crate) struct Solved(Vec<(Theme, Option<u64>)>);

impl Solved {
    /// Adds a position with its nodes to solution.
    pub(crate) fn add(&mut self, theme: Theme, nodes: Option<u64>) {
        self.0.push((theme, nodes));
    }

    /// The number of positions of a theme, or of all, solved within a number of nodes.
    pub(crate) fn within(&self, theme: Option<Theme>, limit: u64) -> usize {
        self.of(theme).filter(|nodes| nodes.is_some_and(|nodes| nodes <= limit)).count()
    }

    /// The nodes to solution of the positions of a theme, or of all.
    fn of(&self, theme: Option<Theme>) -> impl Iterator<Item = Option<u64>> + '_ {
        let wanted = move |of: Theme| theme.is_none_or(|theme| theme == of);
        self.0.iter().filter(move |(of, _)| wanted(*of)).map(|&(_, nodes)| nodes)
    }

    /// The geometric mean of the nodes to solution; a position that is not solved counts as the
    /// largest limit.
    fn mean(&self, theme: Option<Theme>) -> f64 {
        let nodes = self.of(theme).map(|nodes| nodes.unwrap_or(LIMITS[2]).max(1));
        let (sum, count) =
            nodes.fold((0.0, 0), |(sum, n), nodes| (sum + (nodes as f64).ln(), n + 1));
        (sum / f64::from(count.max(1))).exp()
    }
}

impl fmt::Display for Solved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10}{:>10}", "theme", "positions")?;
        LIMITS.iter().try_for_each(|limit| write!(f, "{:>12}", format!("in {limit}")))?;
        writeln!(f, "{:>12}", "mean nodes")?;
        let rows = Theme::ALL.map(Some).into_iter().chain([None]);
        for theme in rows {
            let name = theme.map_or("all", Theme::word);
            write!(f, "{name:<10}{:>10}", self.of(theme).count())?;
            LIMITS.iter().try_for_each(|&limit| write!(f, "{:>12}", self.within(theme, limit)))?;
            writeln!(f, "{:>12.0}", self.mean(theme))?;
        }
        Ok(())
    }
}
