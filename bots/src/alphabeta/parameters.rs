//! The constants of the search whose best values only games can tell, and switches of its parts.
//!
//! Without the feature `tune` each of them is a constant. With it each is an option of the engine as
//! well, so that `arena tune` can look for better values, and a match can tell what a part is worth;
//! such a build is a little slower.

/// Defines the parameters: name of the function, name of the option, value, smallest and largest
/// sensible value.
macro_rules! parameters {
    ($($(#[$doc:meta])* $function:ident $option:literal = $value:literal in $min:literal..=$max:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(super) const fn $function() -> i32 {
                $value
            }

            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(super) fn $function() -> i32 {
                values::$function.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals, reason = "one static for each function, of the same name")]
        mod values {
            use std::sync::atomic::AtomicI32;

            $(pub(super) static $function: AtomicI32 = AtomicI32::new($value);)*
        }

        /// The declarations of the options.
        #[cfg(feature = "tune")]
        pub(super) fn options() -> Vec<fanorona_protocol::messages::OptionSpec> {
            use fanorona_protocol::messages::OptionSpec;
            vec![$(OptionSpec::spin($option, $value, $min, $max)),*]
        }

        /// Sets an option of this name, for all searches of the process.
        #[cfg(feature = "tune")]
        pub(super) fn set(name: &str, value: &str) {
            $(
                if name.eq_ignore_ascii_case($option) && let Ok(value) = value.parse() {
                    values::$function.store(value, std::sync::atomic::Ordering::Relaxed);
                }
            )*
        }
    };
}

parameters! {
    /// Half the width of the first aspiration window, in hundredths of a stone.
    aspiration_window "AspirationWindow" = 40 in 5..=300;

    /// Late move reductions: the smallest depth with reductions.
    lmr_depth "LmrDepth" = 3 in 1..=8;

    /// The number of moves searched without a reduction.
    lmr_moves "LmrMoves" = 1 in 1..=8;

    /// The divisor of the product of the logarithms, both in quarters, of depth and number of moves.
    lmr_divisor "LmrDivisor" = 35 in 12..=100;

    /// Reverse futility pruning: up to this depth, a node is pruned if its evaluation alone is far
    /// enough above the window.
    rfp_depth "RfpDepth" = 4 in 0..=12;

    /// Its margin for each ply, in hundredths of a stone.
    rfp_margin "RfpMargin" = 100 in 10..=400;

    /// Razoring: up to this depth, a node far below the window is replaced by its captures.
    razor_depth "RazorDepth" = 3 in 0..=8;

    /// The constant part of the razoring margin, in hundredths of a stone.
    razor_base "RazorBase" = 100 in 0..=600;

    /// The part of the razoring margin for each ply.
    razor_ply "RazorPly" = 150 in 0..=600;

    /// ProbCut: the smallest depth with it; with the largest value there is none.
    probcut_depth "ProbCutDepth" = 5 in 3..=256;

    /// How far a capture has to be above the window in the shallower search, in hundredths of a
    /// stone.
    probcut_margin "ProbCutMargin" = 150 in 0..=1000;

    /// The number of captures that are tried.
    probcut_moves "ProbCutMoves" = 4 in 1..=100;

    /// Late move pruning: up to this depth, late paikas are skipped.
    lmp_depth "LmpDepth" = 4 in 0..=12;

    /// The moves that are always searched before others are late: a constant, in tenths of a move.
    lmp_base "LmpBase" = 60 in 10..=300;

    /// Those for each square of the depth, in tenths of a move.
    lmp_square "LmpSquare" = 30 in 5..=150;

    /// What a cutoff adds to a move's history, in units of the square of the depth.
    history_bonus "HistoryBonus" = 16 in 1..=64;

    /// The largest square of the depth that counts for history; with 0 nothing is learnt.
    history_square "HistorySquare" = 400 in 0..=1600;

    /// The rank of each captured stone, in units of history.
    gain_rank "GainRank" = 4096 in 0..=16384;

    /// 1: a side whose evaluation is rising keeps more of its late moves, and needs less of a lead
    /// for reverse futility pruning.
    improving "Improving" = 1 in 0..=1;

    /// 1: an only move costs no depth.
    only_move_extension "OnlyMoveExtension" = 1 in 0..=1;

    /// 1: the transposition table is used below the horizon, too.
    quiescence_table "QuiescenceTable" = 1 in 0..=1;

    /// 1: a move gets more or less of the clock by its rivals, its stability and its value; 0: always
    /// the same part of the usual share.
    time_management "TimeManagement" = 1 in 0..=1;
}
