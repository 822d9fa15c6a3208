//! An engine's report on the search behind a move.

use fanorona_protocol::messages::Info;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use serde::{Deserialize, Serialize};

/// The moves of a principal variation that are kept.
pub const MAX_PV: usize = 6;

/// The last search result that an engine reported before a move. Everything is optional, as in the
/// protocol.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SearchNote {
    /// The depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The positions searched per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// The positions found in tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// The first moves of the principal variation, separated by spaces; only legal ones.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pv: String,
}

impl SearchNote {
    /// Notes a search result about a position. Returns whether the kept moves of the principal
    /// variation are legal; illegal ones are left out.
    pub fn new(info: &Info, position: &Position, rules: &Ruleset) -> (SearchNote, bool) {
        let mut moves: Vec<String> = Vec::new();
        let mut at = *position;
        let first: &[Move] = &info.pv[..info.pv.len().min(MAX_PV)];
        for mv in first {
            let Ok(next) = at.play(rules, mv) else { break };
            moves.push(mv.to_string());
            at = next;
        }
        let legal = moves.len() == first.len();
        let Info { depth, nodes, nps, tbhits, .. } = *info;
        (SearchNote { depth, nodes, nps, tbhits, pv: moves.join(" ") }, legal)
    }

    /// Whether the engine reported none of it.
    pub fn is_empty(&self) -> bool {
        *self == SearchNote::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::messages::Reply;
    use fanorona_protocol::rules::Start;

    fn note(line: &str) -> (SearchNote, bool) {
        let Ok(Reply::Info(info)) = line.parse() else { panic!("{line}") };
        SearchNote::new(&info, &Start::TSIVY.riatra(), &Ruleset::default())
    }

    #[test]
    fn only_the_first_legal_moves_are_kept() {
        let (kept, legal) = note("info depth 4 nodes 120 nps 9 tbhits 2 pv e2e3A e5e4 d3d2");
        assert!(!legal);
        assert_eq!(
            (kept.depth, kept.nodes, kept.nps, kept.tbhits),
            (Some(4), Some(120), Some(9), Some(2))
        );
        assert_eq!(kept.pv, "e2e3A");
        let (kept, legal) = note("info score cp 3 pv e2e3A");
        assert!(legal && kept.pv == "e2e3A" && kept.depth.is_none());
        let (kept, legal) = note("info score cp 3");
        assert!(legal && kept.is_empty());
    }

    #[test]
    fn a_long_variation_is_cut() {
        let rules = Ruleset::default();
        let (mut at, mut line) = (Start::TSIVY.riatra(), String::from("info depth 1 pv"));
        for _ in 0..10 {
            let mv = at.legal_moves(&rules)[0];
            line += &format!(" {mv}");
            at = at.play(&rules, &mv).unwrap();
        }
        let (kept, legal) = note(&line);
        assert!(legal);
        assert_eq!(kept.pv.split(' ').count(), MAX_PV);
    }
}
