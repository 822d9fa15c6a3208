//! The FGN of Fanorona-Engine (an-do-ni-ai-na/fanorona), where it differs: `½-½`, names of variants
//! and sides, and sentences about the end of a game.

use fanorona_protocol::rules::{BoardSize, Ruleset, Side, Start};

use crate::game::termination::{GameResult, Reason};

/// A draw.
pub(super) const DRAW: &str = "½-½";

/// The result that a word names, in our notation or in this one.
pub(super) fn result(word: &str) -> Option<GameResult> {
    if word == DRAW { Some(GameResult::Drawn) } else { word.parse().ok() }
}

/// The side that the tag Vela names: in French, Malagasy or English.
pub(super) fn side(name: &str) -> Option<Side> {
    match name.to_lowercase().as_str() {
        "blancs" | "fotsy" | "white" => Some(Side::White),
        "noirs" | "mainty" | "black" => Some(Side::Black),
        _ => None,
    }
}

/// The French name of a side, as that program writes it.
pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::White => "Blancs",
        Side::Black => "Noirs",
    }
}

/// Whether a variant is one of that program.
pub(super) fn is_variant(name: &str) -> bool {
    name.starts_with("Fanoron-")
}

/// The start of a variant.
pub(super) fn variant(name: &str) -> Result<Start, String> {
    match name {
        "Fanoron-Tsivy" => Ok(Start::TSIVY),
        "Fanoron-Dimy" => Ok(Start::Usual(BoardSize::DIMY)),
        "Fanoron-Telo" => {
            Err("Fanoron-Telo is an alignment game without captures there, which is not supported"
                .to_owned())
        }
        _ => Err(format!("`{name}` is not a variant of Fanorona-Engine")),
    }
}

/// The name of a board's variant; `None` if that program does not have it.
pub(super) fn variant_name(size: BoardSize) -> Option<&'static str> {
    match size {
        BoardSize::TSIVY => Some("Fanoron-Tsivy"),
        BoardSize::DIMY => Some("Fanoron-Dimy"),
        _ => None,
    }
}

/// Returns that program's rules for a vela, by Bell: a starved debtor loses, and the creditor must
/// offer a stone if it can.
pub(super) fn vela_rules() -> Ruleset {
    "vela-starved=debtor-loses vela-must-offer".parse().expect("these are rules")
}

/// The reason for an end that the rules do not give, from the sentence about it.
pub(super) fn reason(sentence: &str, result: GameResult) -> Reason {
    if result == GameResult::Void {
        Reason::Void
    } else if sentence.to_lowercase().contains("abandon") {
        Reason::Resign
    } else if result == GameResult::Drawn {
        Reason::Agreed
    } else {
        Reason::Adjudicated
    }
}
