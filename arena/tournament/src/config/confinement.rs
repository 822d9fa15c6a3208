//! The limits on engines in a config: memory, disk, processors, sandbox and suspension.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// A limit in bytes: the memory of an engine and all its processes, or its disk space.
///
/// ```
/// use fanorona_tournament::config::Memory;
///
/// assert_eq!("512MB".parse(), Ok(Memory::AtMost(512_000_000)));
/// assert_eq!("2GiB".parse::<Memory>().unwrap().to_string(), "2GiB");
/// assert_eq!("none".parse(), Ok(Memory::Unlimited));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Memory {
    /// No limit: `none`.
    #[default]
    Unlimited,
    /// At most this number of bytes: `512MB`.
    AtMost(u64),
}

impl Memory {
    /// The limit in bytes, if there is one.
    pub fn bytes(self) -> Option<u64> {
        match self {
            Memory::Unlimited => None,
            Memory::AtMost(bytes) => Some(bytes),
        }
    }

    /// The units, largest first.
    const UNITS: [(&'static str, u64); 4] =
        [("GiB", 1 << 30), ("GB", 1_000_000_000), ("MiB", 1 << 20), ("MB", 1_000_000)];

    /// The smallest limit. No program runs in less.
    const LEAST: u64 = 1_000_000;
}

/// The text is not an amount of memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not an amount of memory: expected \"none\", or a whole number with MB, GB, MiB or GiB"
)]
pub struct ParseMemoryError(String);

impl FromStr for Memory {
    type Err = ParseMemoryError;

    fn from_str(text: &str) -> Result<Memory, ParseMemoryError> {
        if text == "none" {
            return Ok(Memory::Unlimited);
        }
        let amount = Memory::UNITS.iter().find_map(|(unit, bytes)| {
            let number = text.strip_suffix(unit)?;
            let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            number.parse::<u64>().ok().filter(|_| digits)?.checked_mul(*bytes)
        });
        let possible = amount.filter(|bytes| (Memory::LEAST..=i64::MAX as u64).contains(bytes));
        possible.map(Memory::AtMost).ok_or_else(|| ParseMemoryError(text.to_owned()))
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Memory::AtMost(bytes) = *self else { return f.write_str("none") };
        let whole = |(_, unit): &&(&str, u64)| bytes.is_multiple_of(*unit);
        match Memory::UNITS.iter().find(whole) {
            Some((name, unit)) => write!(f, "{}{name}", bytes / unit),
            // Unreachable for limits that were parsed.
            None => write!(f, "{}MB", bytes / Memory::LEAST),
        }
    }
}

/// The processors an engine can run on.
///
/// ```
/// use fanorona_tournament::config::Cpus;
///
/// assert_eq!("any".parse(), Ok(Cpus::Any));
/// assert_eq!("6,0-3".parse::<Cpus>().unwrap().to_string(), "0-3,6");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Cpus {
    /// Every processor the arena can run on: `any`.
    #[default]
    Any,
    /// Only these processors, by number, at least one: `0-3,6`.
    Only(BTreeSet<u32>),
}

impl Cpus {
    /// The largest processor number.
    const LARGEST: u32 = 1023;
}

/// The text is not a list of processors.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a list of processors: expected \"any\", or numbers from 0 to {largest} and \
     ranges, like \"0-3,6\"", largest = Cpus::LARGEST
)]
pub struct ParseCpusError(String);

impl FromStr for Cpus {
    type Err = ParseCpusError;

    fn from_str(text: &str) -> Result<Cpus, ParseCpusError> {
        if text == "any" {
            return Ok(Cpus::Any);
        }
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|&number: &u32| digits && number <= Cpus::LARGEST)
        };
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first.trim())?, number(last.trim())?);
            (first <= last).then_some(first..=last)
        };
        let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
        let ranges = ranges.ok_or_else(|| ParseCpusError(text.to_owned()))?;
        Ok(Cpus::Only(ranges.into_iter().flatten().collect()))
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cpus::Only(numbers) = self else { return f.write_str("any") };
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for &number in numbers {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
        }
        for (index, (first, last)) in ranges.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            match last - first {
                0 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// Restricts what an engine can do on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(strum::IntoStaticStr, strum::VariantArray, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Sandbox {
    /// The restrictions that the kernel's Landlock supports. Without Landlock, none.
    #[default]
    Auto,
    /// The same, but it is an error if the kernel has no Landlock.
    Landlock,
    /// No restrictions.
    None,
}

/// The engines that are suspended while their opponents think, in tournaments with a time limit.
/// Otherwise an engine could take processor time from its opponent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(strum::IntoStaticStr, strum::VariantArray, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Suspend {
    /// Engines that do not ponder.
    #[default]
    Auto,
    /// All.
    Always,
    /// None.
    Never,
}

/// The property that identifies an engine on several machines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[derive(strum::IntoStaticStr, strum::VariantArray, serde::Serialize)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum IdentityBy {
    /// The digests of its files: every machine has the same ones.
    #[default]
    Files,
    /// The node count of its `bench`: builds for different processors may differ, if they behave the
    /// same.
    Bench,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_they_are_written() {
        for (text, bytes) in
            [("1MB", 1_000_000), ("512MiB", 512 << 20), ("3GB", 3_000_000_000), ("2GiB", 2 << 30)]
        {
            assert_eq!(text.parse(), Ok(Memory::AtMost(bytes)));
            assert_eq!(Memory::AtMost(bytes).to_string(), text);
        }
        assert_eq!("1024MiB".parse::<Memory>().unwrap().to_string(), "1GiB");
        for text in
            ["", "512", "MB", "0MB", "-1GB", "+1GB", "1.5GB", "1 GB", "1kB", "99999999999GB"]
        {
            assert_eq!(text.parse::<Memory>(), Err(ParseMemoryError(text.into())), "{text}");
        }
    }

    #[test]
    fn processors_are_read_as_they_are_written() {
        for (text, written) in
            [("0", "0"), ("3,2,1", "1-3"), ("0-3, 6", "0-3,6"), ("5-5,5", "5"), ("1,3", "1,3")]
        {
            let cpus: Cpus = text.parse().unwrap();
            assert_eq!(cpus.to_string(), written);
            assert_eq!(written.parse(), Ok(cpus));
        }
        for text in ["", ",", "a", "-1", "1-", "3-1", "1024", "0-99999", "+1"] {
            assert_eq!(text.parse::<Cpus>(), Err(ParseCpusError(text.into())), "{text}");
        }
    }
}
