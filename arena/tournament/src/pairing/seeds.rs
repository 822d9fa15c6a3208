//! Derives random numbers from a tournament's seed, each by its own labels, so that no random
//! choice depends on the number of earlier ones.
//!
//! The hash is FNV-1a over the eight bytes of the seed, lowest first, followed for every label by
//! its length, also as eight bytes, and its UTF-8 bytes. The result passes through the output
//! function of SplitMix64. Everything is integer arithmetic, so it is the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::ids::GameId;

/// The number for these labels and a seed.
///
/// ```
/// use fanorona_tournament::pairing::seeds::derive;
///
/// assert_eq!(derive(1, &["a", "b"]), derive(1, &["a", "b"]));
/// assert_ne!(derive(1, &["a", "b"]), derive(1, &["ab"]));
/// assert_ne!(derive(1, &["a", "b"]), derive(2, &["a", "b"]));
/// ```
pub fn derive(seed: u64, labels: &[&str]) -> u64 {
    let fnv = |hash: u64, bytes: &[u8]| {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        bytes.iter().fold(hash, step)
    };
    let mut hash = fnv(0xcbf2_9ce4_8422_2325, &seed.to_le_bytes());
    for label in labels {
        hash = fnv(hash, &(label.len() as u64).to_le_bytes());
        hash = fnv(hash, label.as_bytes());
    }
    mix(hash)
}

/// The output function of SplitMix64 (Steele, Lea and Flood 2014) after one step from a state.
pub fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The generator for these labels and a seed: ChaCha with 8 rounds, with a key of four numbers
/// hashed from the derived one.
pub fn generator(seed: u64, labels: &[&str]) -> ChaCha8Rng {
    let first = derive(seed, labels);
    let mut key = [0; 32];
    for (index, part) in key.chunks_exact_mut(8).enumerate() {
        part.copy_from_slice(&mix(first ^ index as u64).to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// The value of an engine's option `Seed` for a game: 63 bits, so that it fits a signed integer in
/// any language.
pub fn engine_seed(seed: u64, game: GameId, engine: &str) -> u64 {
    derive(seed, &["engine", &game.to_string(), engine]) >> 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A seed in published results must give the same numbers forever.
    #[test]
    fn the_numbers_never_change() {
        let game = |text: &str| text.parse::<GameId>().unwrap();
        assert_eq!(derive(0, &[]), 0x5ba3_14b8_cfda_3b6b);
        assert_eq!(engine_seed(1, game("1"), "alphabeta"), 0x5083_b5fe_d09b_6c94);
        assert_eq!(engine_seed(1, game("7.2"), "mcts"), 0x1ed0_d002_c91c_7b5f);
        use rand_chacha::rand_core::Rng;
        assert_eq!(generator(1, &["openings"]).next_u64(), 0x9705_5e44_a057_2068);
    }

    #[test]
    fn every_game_and_engine_has_its_own_seed() {
        let mut seeds = std::collections::HashSet::new();
        for game in ["1", "2", "11", "1.1", "1.2", "1.11"] {
            for engine in ["a", "b", "1"] {
                let seed = engine_seed(5, game.parse().unwrap(), engine);
                assert!(seed <= i64::MAX as u64);
                assert!(seeds.insert(seed), "{game} {engine}");
            }
        }
    }
}
