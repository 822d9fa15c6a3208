//! Shards: parts of a tournament that are played on several machines.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

/// One of several equal parts of a tournament, each of which can be played on another machine.
/// Written `2/4`: the second of four.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shard {
    /// The index of the part, from 0, less than `of`.
    part: u32,
    of: NonZeroU32,
}

impl Shard {
    /// The whole tournament as its only part.
    pub const WHOLE: Shard = Shard { part: 0, of: NonZeroU32::MIN };

    /// The form used in file names: `2of4`.
    pub fn in_names(&self) -> String {
        format!("{}of{}", self.part + 1, self.of)
    }

    /// Whether it is the whole tournament.
    pub fn is_whole(&self) -> bool {
        self.of == NonZeroU32::MIN
    }

    /// The number of items of the shard among the first `count`: every `of`-th item, starting at
    /// `part`.
    pub(super) fn share(self, count: u64) -> u64 {
        count.saturating_sub(u64::from(self.part)).div_ceil(u64::from(self.of.get()))
    }

    /// The number of the shard's item at an index.
    pub(super) fn number(self, index: u64) -> u64 {
        u64::from(self.part) + index * u64::from(self.of.get())
    }

    pub(super) fn holds(self, number: u64) -> bool {
        number % u64::from(self.of.get()) == u64::from(self.part)
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part + 1, self.of)
    }
}

/// The text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected i/n with i from 1 to n, like 2/4 for the second of four parts")]
pub struct ParseShardError;

impl FromStr for Shard {
    type Err = ParseShardError;

    fn from_str(text: &str) -> Result<Shard, ParseShardError> {
        let (part, of) = text.split_once('/').ok_or(ParseShardError)?;
        let number = |text: &str| text.parse::<NonZeroU32>().map_err(|_| ParseShardError);
        let (part, of) = (number(part)?, number(of)?);
        let shard = Shard { part: part.get() - 1, of };
        (part <= of).then_some(shard).ok_or(ParseShardError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_survive_a_round_trip() {
        for text in ["1/1", "1/4", "4/4", "4294967295/4294967295"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["0/4", "5/4", "a/b", "1", "1/0", "/", "1/2/3", "-1/2", " 1/2", "1/4294967296"]
        {
            assert_eq!(text.parse::<Shard>(), Err(ParseShardError), "{text}");
        }
        assert_eq!("1/1".parse(), Ok(Shard::WHOLE));
    }
}
