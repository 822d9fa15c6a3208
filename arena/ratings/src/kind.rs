//! The kinds of contest: riatra, vela, or a session of both.

use serde::{Deserialize, Serialize};
use strum::VariantArray;

/// A kind of contest. Each has its own ratings and first-player advantage.
///
/// ```
/// use fanorona_ratings::kind::Kind;
///
/// assert_eq!("vela".parse(), Ok(Kind::Vela));
/// assert_eq!(Kind::Session.to_string(), "session");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[derive(Serialize, Deserialize)]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownKind, parse_err_fn = UnknownKind::new)]
pub enum Kind {
    /// A game from an ordinary opening; White moves first.
    Riatra,
    /// The game after a decided one, in which the winner first lets the loser, the debtor, capture
    /// stones.
    Vela,
    /// A whole session: sets of riatra games with the vela games that follow from them.
    Session,
}

impl Kind {
    /// Every kind, in the order of reports.
    pub const ALL: &'static [Kind] = Kind::VARIANTS;

    /// The name in configs, files and reports.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The word is not a kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown kind `{word}`, expected riatra, vela or session")]
pub struct UnknownKind {
    /// The word as written.
    pub word: String,
}

impl UnknownKind {
    fn new(word: &str) -> UnknownKind {
        UnknownKind { word: word.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_survive_a_round_trip() {
        for &kind in Kind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{kind}\""));
        }
        for word in ["", "Riatra", "all", "vela "] {
            assert_eq!(word.parse::<Kind>(), Err(UnknownKind { word: word.to_owned() }));
        }
    }
}
