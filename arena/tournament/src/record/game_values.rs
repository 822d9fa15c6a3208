//! The known values of one game.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use fanorona_protocol::messages::Value;

/// The known values of a game's positions, each for the side to move, by the number of moves before
/// the position. As text: `41:w7 42:l6 43:d`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameValues {
    known: BTreeMap<usize, Value>,
}

impl GameValues {
    /// Sets the value of the position after this many moves, if it is known.
    pub fn add(&mut self, moves: usize, value: Option<Value>) {
        if let Some(value) = value {
            self.known.insert(moves, value);
        }
    }

    /// The value of the position after this many moves, if known.
    pub fn after(&self, moves: usize) -> Option<Value> {
        self.known.get(&moves).copied()
    }
}

impl fmt::Display for GameValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (moves, value)) in self.known.iter().enumerate() {
            let gap = if index > 0 { " " } else { "" };
            match value {
                Value::Win(plies) => write!(f, "{gap}{moves}:w{plies}")?,
                Value::Loss(plies) => write!(f, "{gap}{moves}:l{plies}")?,
                Value::Draw => write!(f, "{gap}{moves}:d")?,
            }
        }
        Ok(())
    }
}

/// A text that is not a list of values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a value: expected a number of moves and w, l or d, like 41:w7 or 43:d")]
pub struct ParseValuesError(String);

impl FromStr for GameValues {
    type Err = ParseValuesError;

    fn from_str(text: &str) -> Result<GameValues, ParseValuesError> {
        let value = |text: &str| match text.split_at_checked(1)? {
            ("w", plies) => plies.parse().ok().map(Value::Win),
            ("l", plies) => plies.parse().ok().map(Value::Loss),
            ("d", "") => Some(Value::Draw),
            _ => None,
        };
        let mut values = GameValues::default();
        for word in text.split_ascii_whitespace() {
            let (moves, value) = word
                .split_once(':')
                .and_then(|(moves, text)| Some((moves.parse().ok()?, value(text)?)))
                .ok_or_else(|| ParseValuesError(word.to_owned()))?;
            values.add(moves, Some(value));
        }
        Ok(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_they_are_written() {
        let mut values = GameValues::default();
        values.add(43, Some(Value::Draw));
        values.add(41, Some(Value::Win(7)));
        values.add(42, Some(Value::Loss(6)));
        values.add(40, None);
        assert_eq!(values.to_string(), "41:w7 42:l6 43:d");
        assert_eq!(values.to_string().parse(), Ok(values.clone()));
        assert_eq!((values.after(42), values.after(40)), (Some(Value::Loss(6)), None));
        assert_eq!("".parse(), Ok(GameValues::default()));
        for text in ["41", "41:", "41:x", "x:w7", "41:w", "41:d7", "41:u"] {
            assert!(text.parse::<GameValues>().is_err(), "{text}");
        }
    }
}
