//! Moves in the notations of other programs.
//!
//! - *hyphens*, of Fanorona-Engine and of printed games: `d3-e3A-d4W`, the protocol's notation with
//!   hyphens between the points;
//! - *Abstract Play*: `e2e3+,d4-`, a part for each step, `+` for an approach and `-` for a
//!   withdrawal. Only the first part names the point where the stone starts.

use fanorona_protocol::rules::{Capture, Move, ParseMoveError};

/// A notation for moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// The protocol's notation.
    Ugi,
    /// Points joined by hyphens.
    Hyphens,
    /// The notation of Abstract Play.
    AbstractPlay,
}

impl Style {
    /// The style of a word. A word that is the same in all is the protocol's, like `a1b1`.
    fn from_word(word: &str) -> Style {
        let parts = || word.split(',').map(|part| part.trim_end_matches(['+', '-']));
        if word.contains(['+', ',']) || word.ends_with('-') {
            Style::AbstractPlay
        } else if parts().any(|part| part.contains('-')) {
            Style::Hyphens
        } else {
            Style::Ugi
        }
    }
}

/// Reads a move in any of the notations.
///
/// ```
/// use fanorona_tournament::notation::moves::{Style, read, write};
///
/// for (text, style) in [("d3-e3A-d4W", Style::Hyphens), ("d3e3+,d4-", Style::AbstractPlay)] {
///     let (mv, found) = read(text).unwrap();
///     assert_eq!((mv.to_string().as_str(), found), ("d3e3Ad4W", style));
///     assert_eq!(write(&mv, style), text);
/// }
/// ```
pub fn read(word: &str) -> Result<(Move, Style), ParseMoveError> {
    let style = Style::from_word(word);
    let ours = match style {
        Style::Ugi => word.to_owned(),
        Style::Hyphens => word.replace('-', ""),
        Style::AbstractPlay => word.replace('+', "A").replace('-', "W").replace(',', ""),
    };
    // The message names the word as it was written.
    let form = || ParseMoveError::Form(word.to_owned());
    let mv: Move = ours.parse().map_err(|why| match why {
        ParseMoveError::Form(_) => form(),
        other => other,
    })?;
    // A mixture of notations, like `e2e3A,d4W`, is a mistake.
    let mixed = write(&mv, style) != word;
    if mixed { Err(form()) } else { Ok((mv, style)) }
}

/// Writes a move in a notation.
pub fn write(mv: &Move, style: Style) -> String {
    let mut text = mv.from().to_string();
    for (index, (point, step)) in mv.points().zip(mv.steps()).enumerate() {
        text += match (style, index) {
            (Style::Hyphens, _) => "-",
            (Style::AbstractPlay, 1..) => ",",
            _ => "",
        };
        text += &point.to_string();
        text += match (style, step.capture) {
            (_, None) => "",
            (Style::AbstractPlay, Some(Capture::Approach)) => "+",
            (Style::AbstractPlay, Some(Capture::Withdrawal)) => "-",
            (_, Some(Capture::Approach)) => "A",
            (_, Some(Capture::Withdrawal)) => "W",
        };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Ruleset, Start};

    #[test]
    fn every_move_of_some_games_is_read_as_it_was_written() {
        let rules = Ruleset::default();
        let mut position = Start::TSIVY.riatra();
        let mut chains = 0;
        for ply in 0..40 {
            let moves = position.legal_moves(&rules);
            for mv in &moves {
                chains += usize::from(mv.steps().len() > 1);
                for style in [Style::Ugi, Style::Hyphens, Style::AbstractPlay] {
                    let text = write(mv, style);
                    let (back, found) = read(&text).unwrap();
                    assert_eq!(back, *mv, "{text}");
                    // A paika is the same in two of them.
                    assert!(found == style || !mv.is_capture(), "{text}");
                }
            }
            let Some(mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
            position = position.play(&rules, mv).unwrap();
        }
        assert!(chains > 50, "{chains}");
    }

    #[test]
    fn other_words_are_refused_as_they_are() {
        for word in ["1-0", "e2-", "-", "+", ",", "e2e3+-", "e2e3A,d4W", "e2--e3A", "castles"] {
            let why = read(word).map(|(mv, _)| mv).unwrap_err().to_string();
            assert!(why.contains(&format!("`{word}`")) || why.contains("is not a move"), "{why}");
        }
        assert_eq!(read("e2e3-").unwrap().0.to_string(), "e2e3W");
        assert_eq!(read("a1-b1").unwrap(), ("a1b1".parse().unwrap(), Style::Hyphens));
    }
}
