//! The feature `serde`: values with a text form are written and read as that text.
//!
//! The text form is the stable one: it is specified in `protocol/UGI.md` and checked on reading, so a
//! value that was read keeps the invariants of its type.

use alloc::string::String;
use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::messages::{Command, OptionSpec, Reply, ValueResponse};
use crate::rules::{BoardSize, Move, Point, Position, Reason, Ruleset, Setup, Side, Start};

/// Reads a type from its text form.
struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(de::Error::custom)
    }
}

macro_rules! as_text {
    ($($Type:ty),* $(,)?) => {$(
        impl Serialize for $Type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $Type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$Type, D::Error> {
                deserializer.deserialize_str(Text(PhantomData))
            }
        }
    )*};
}

as_text!(
    BoardSize,
    Command,
    Move,
    OptionSpec,
    Point,
    Position,
    Reason,
    Reply,
    Ruleset,
    Setup,
    Start,
    ValueResponse
);

/// A side is its letter in a position, `w` or `b`.
impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

impl<'de> Deserialize<'de> for Side {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Side, D::Error> {
        let text = String::deserialize(deserializer)?;
        Side::from_letter(&text)
            .ok_or_else(|| de::Error::invalid_value(de::Unexpected::Str(&text), &"`w` or `b`"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both_ways<T>(value: T, json: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + PartialEq + fmt::Debug,
    {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_serialise_as_their_text() {
        both_ways("e2e3Ad4W".parse::<Move>().unwrap(), "\"e2e3Ad4W\"");
        both_ways("9x5".parse::<BoardSize>().unwrap(), "\"9x5\"");
        both_ways("c3".parse::<Point>().unwrap(), "\"c3\"");
        both_ways(Side::Black, "\"b\"");
        both_ways("bbb/b1W/WWW w - 0 1".parse::<Position>().unwrap(), "\"bbb/b1W/WWW w - 0 1\"");
        both_ways(
            "quiet=60 forced-continuation".parse::<Ruleset>().unwrap(),
            "\"forced-continuation quiet=60\"",
        );
        both_ways("go depth 3".parse::<Command>().unwrap(), "\"go depth 3\"");
        both_ways("bestmove 0000".parse::<Reply>().unwrap(), "\"bestmove 0000\"");
    }

    #[test]
    fn invalid_texts_are_reported_with_their_reason() {
        let why = |json: &str| serde_json::from_str::<Move>(json).unwrap_err().to_string();
        assert!(why("\"e2e9A\"").contains("e2e9A"), "{}", why("\"e2e9A\""));
        assert!(why("7").contains("a text"), "{}", why("7"));
        assert!(
            serde_json::from_str::<Side>("\"x\"").unwrap_err().to_string().contains("`w` or `b`")
        );
    }
}
