//! Random numbers that restart with every game: the same seed gives the same game on every machine.

use fanorona_protocol::messages::OptionSpec;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The name of the option.
pub(crate) const NAME: &str = "Seed";

/// The declaration of the option: any number of 63 bits.
pub(crate) fn option() -> OptionSpec {
    OptionSpec::spin(NAME, 0, 0, i64::MAX)
}

/// A random number generator that remembers its seed.
pub(crate) struct SeededRng {
    seed: u64,
    random: ChaCha8Rng,
}

impl SeededRng {
    /// A generator with the default seed.
    pub(crate) fn new() -> SeededRng {
        SeededRng { seed: 0, random: ChaCha8Rng::seed_from_u64(0) }
    }

    /// Sets the seed to the value of the option and restarts.
    pub(crate) fn set(&mut self, value: &str) {
        self.seed = value.parse().expect("the session has checked that it is a number");
        self.restart();
    }

    /// Restarts from the same seed.
    pub(crate) fn restart(&mut self) {
        self.random = ChaCha8Rng::seed_from_u64(self.seed);
    }

    /// Chooses one of a slice's values, all with equal probability.
    pub(crate) fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.random.random_range(0..from.len())]
    }
}
