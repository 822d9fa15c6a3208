//! The instructions of the processor. The hot loops are compiled for several levels of them, and a
//! program uses the highest that its processor has, so that one build serves every processor of its
//! kind. All levels compute the same.

/// A level of the instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// The level for which the program is built.
    Build,
    /// x86-64-v3, as far as the hot loops use it.
    #[cfg(target_arch = "x86_64")]
    V3,
    /// x86-64-v4 with VNNI, the dot products of neural networks, as far as the hot loops use them.
    #[cfg(target_arch = "x86_64")]
    V4,
}

impl Level {
    /// The levels that this processor has, the highest last.
    pub fn available() -> impl DoubleEndedIterator<Item = Level> {
        let all = [
            Level::Build,
            #[cfg(target_arch = "x86_64")]
            Level::V3,
            #[cfg(target_arch = "x86_64")]
            Level::V4,
        ];
        all.into_iter().filter(|level| level.is_available())
    }

    /// The highest level that this processor has.
    pub fn best() -> Level {
        Level::available().next_back().expect("every processor has the level of its build")
    }

    fn is_available(self) -> bool {
        match self {
            Level::Build => true,
            #[cfg(target_arch = "x86_64")]
            Level::V3 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
            }
            #[cfg(target_arch = "x86_64")]
            Level::V4 => {
                Level::V3.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vnni")
            }
        }
    }

    /// The name of the level, as in the names of the bots.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Level::V4 => "x86-64-v4",
            #[cfg(target_arch = "x86_64")]
            Level::V3 => "x86-64-v3",
            Level::Build if cfg!(target_feature = "neon") => "neon",
            Level::Build if cfg!(target_feature = "simd128") => "simd128",
            Level::Build => "portable",
        }
    }
}
