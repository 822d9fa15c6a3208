//! Win, draw or loss.

/// What a position is worth to the side to move when both play perfectly and endless play is a
/// draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Outcome {
    Loss,
    Draw,
    Win,
}

impl Outcome {
    /// Every outcome, from worst to best.
    pub const ALL: [Outcome; 3] = [Outcome::Loss, Outcome::Draw, Outcome::Win];
}
