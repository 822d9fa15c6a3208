//! Reports of a search: principal line, score and counts.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use fanorona_protocol::messages::{Info, Score, Wdl};
use fanorona_protocol::rules::{Effect, Move};

use super::playout;
use super::quiescence;
use super::settings::Leaf;
use super::shared::{MAX_CP, Shared};
use super::tree::{ProofStatus, ROOT};
use crate::bot::{RootMove, effort, moves_of_line};

impl Shared<'_> {
    /// The nodes of the principal line below the root, as long as they have visits or a proof.
    pub(super) fn principal_line(&self) -> impl Iterator<Item = usize> + '_ {
        let known = |&child: &usize| {
            let node = self.tree.node(child);
            node.visits() > 0 || !node.is_open()
        };
        let next = move |parent| self.best_child(parent).filter(known);
        std::iter::successors(next(ROOT), move |&parent| next(parent))
    }

    /// The full report after some time.
    pub(super) fn info(&self, moves: &[RootMove], time: Duration) -> Info {
        let pv = self.principal_moves(moves);
        let (score, wdl) = self.judgement();
        let mut report = effort(self.playouts.load(Relaxed), time);
        report.depth = Some(pv.len() as u32);
        report.seldepth = Some(self.deepest.load(Relaxed).max(pv.len() as u32));
        report.score = score;
        report.wdl = wdl;
        report.tbhits = self.endings.hits();
        report.hashfull = Some((self.tree.len() * 1000 / self.tree.capacity()) as u32);
        report.pv = pv;
        report
    }

    /// The moves of the principal line, the first of them as in `moves`.
    fn principal_moves(&self, moves: &[RootMove]) -> Vec<Move> {
        let effects: Vec<Effect> =
            self.principal_line().map(|node| self.tree.node(node).effect()).collect();
        let mut pv = moves_of_line(&self.root, self.rules, &effects);
        let root = moves.iter().find(|root| Some(root.effect) == effects.first().copied());
        if let (Some(first), Some(root)) = (pv.first_mut(), root) {
            *first = root.mv;
        }
        pv
    }

    fn judgement(&self) -> (Option<Score>, Option<Wdl>) {
        let wdl = |win, draw, loss| Some(Wdl { win, draw, loss });
        match self.tree.node(ROOT).status() {
            ProofStatus::Win(plies) => return (Some(Score::Win(plies.into())), wdl(1000, 0, 0)),
            ProofStatus::Loss(plies) => return (Some(Score::Loss(plies.into())), wdl(0, 0, 1000)),
            ProofStatus::Open | ProofStatus::Drawn => {}
        }
        let best = self.best_child(ROOT).map(|best| self.tree.node(best));
        let Some(best) = best.filter(|best| best.visits() > 0) else { return (None, None) };
        let mean = (best.sum() / i64::from(best.visits())) as i32;
        let drawn = (self.drawn.load(Relaxed) * 1000 / self.playouts.load(Relaxed).max(1)) as i32;
        // Draws leave less room for the difference between wins and losses.
        let draw = drawn.min(1000 - mean.abs());
        let win = (1000 - draw + mean) / 2;
        let wdl = wdl(win as u32, draw as u32, (1000 - draw - win) as u32);
        // The leaves converted their leads to results; the mean goes the same way back.
        let lead = match self.settings.leaf {
            Leaf::Playout => playout::lead_of(mean),
            Leaf::Evaluation => quiescence::lead_of(mean),
        };
        (Some(Score::Cp(lead.clamp(-MAX_CP, MAX_CP))), wdl)
    }
}
