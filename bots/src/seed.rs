//! The option every bot with random numbers has.

use fanorona_protocol::messages::OptionSpec;

/// Its name.
pub const NAME: &str = "Seed";

/// Its declaration: any number of 63 bits.
pub fn option() -> OptionSpec {
    OptionSpec::spin(NAME, 0, 0, i64::MAX)
}

/// Reads a value the declaration allows.
pub fn read(value: &str) -> u64 {
    value.parse().expect("the session has checked that the value is a number")
}
