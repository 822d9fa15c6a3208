//! The constants of the search whose best values only games can tell, and switches of its parts.
//!
//! Without the feature `tune` each of them is a constant. With it each is an option of the engine as
//! well, so that a tuning can look for better values, and a match can tell what a part is worth;
//! such a build is a little slower. A constant with two values has two options: `LmrDivisor` is that
//! of riatra, `VelaLmrDivisor` that of vela.

use fanorona_protocol::rules::Position;

/// The kinds of game that have constants of their own: what is best in one can be a loss in the
/// other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Riatra,
    Vela,
}

impl Kind {
    /// The kind of game that a position belongs to.
    pub(super) fn from_position(position: &Position) -> Kind {
        if position.debtor().is_some() { Kind::Vela } else { Kind::Riatra }
    }
}

/// Defines the parameters: name of the function, name of the option, value, or those of riatra and
/// of vela, smallest and largest sensible value.
macro_rules! parameters {
    (
        both {$(
            $(#[$doc:meta])*
            $function:ident $option:literal = $value:literal in $min:literal..=$max:literal;
        )*}
        each {$(
            $(#[$doc_each:meta])*
            $each:ident $option_each:literal = $riatra:literal, $vela:literal
                in $min_each:literal..=$max_each:literal;
        )*}
    ) => {
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

        $(
            $(#[$doc_each])*
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(super) const fn $each(kind: Kind) -> i32 {
                match kind {
                    Kind::Riatra => $riatra,
                    Kind::Vela => $vela,
                }
            }

            $(#[$doc_each])*
            #[cfg(feature = "tune")]
            #[inline]
            pub(super) fn $each(kind: Kind) -> i32 {
                values::$each[kind as usize].load(std::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals, reason = "one static for each function, of the same name")]
        mod values {
            use std::sync::atomic::AtomicI32;

            $(pub(super) static $function: AtomicI32 = AtomicI32::new($value);)*
            $(
                pub(super) static $each: [AtomicI32; 2] =
                    [AtomicI32::new($riatra), AtomicI32::new($vela)];
            )*
        }

        /// The options: name, place of the value, value, smallest and largest one.
        #[cfg(feature = "tune")]
        const OPTIONS: &[(&str, &std::sync::atomic::AtomicI32, i64, i64, i64)] = &[
            $(($option, &values::$function, $value, $min, $max),)*
            $(
                ($option_each, &values::$each[0], $riatra, $min_each, $max_each),
                (concat!("Vela", $option_each), &values::$each[1], $vela, $min_each, $max_each),
            )*
        ];
    };
}

/// The declarations of the options.
#[cfg(feature = "tune")]
pub(super) fn options() -> impl Iterator<Item = fanorona_protocol::messages::OptionSpec> {
    use fanorona_protocol::messages::OptionSpec;
    OPTIONS.iter().map(|&(name, _, value, min, max)| OptionSpec::spin(name, value, min, max))
}

/// Sets an option of this name, for all searches of the process.
#[cfg(feature = "tune")]
pub(super) fn set(name: &str, value: &str) {
    let place = OPTIONS.iter().find(|option| name.eq_ignore_ascii_case(option.0));
    if let Some((_, place, ..)) = place
        && let Ok(value) = value.parse()
    {
        place.store(value, std::sync::atomic::Ordering::Relaxed);
    }
}

parameters! {
    both {
        /// Late move reductions: the smallest depth with reductions.
        lmr_depth "LmrDepth" = 3 in 1..=8;

        /// Late move reductions: the number of moves searched without one.
        lmr_moves "LmrMoves" = 1 in 1..=8;

        /// Reverse futility pruning: up to this depth, a node is pruned if its evaluation alone is far
        /// enough above the window.
        rfp_depth "RfpDepth" = 4 in 0..=12;

        /// Reverse futility pruning: 1: also where the side to move must capture.
        rfp_forced "RfpForced" = 0 in 0..=1;

        /// Razoring: up to this depth, a node far below the window is replaced by its captures.
        razor_depth "RazorDepth" = 2 in 0..=8;

        /// ProbCut: the smallest depth with it; with the largest value there is none.
        probcut_depth "ProbCutDepth" = 5 in 3..=256;

        /// ProbCut: the number of captures that are tried.
        probcut_moves "ProbCutMoves" = 4 in 1..=100;

        /// Late move pruning: up to this depth, late paikas are skipped.
        lmp_depth "LmpDepth" = 4 in 0..=12;

        /// 1: a side whose evaluation is rising keeps more of its late moves, and needs less of a
        /// lead for reverse futility pruning.
        improving "Improving" = 1 in 0..=1;

        /// 1: an only move costs no depth.
        only_move_extension "OnlyMoveExtension" = 1 in 0..=1;

        /// 1: the transposition table is used below the horizon, too.
        quiescence_table "QuiescenceTable" = 1 in 0..=1;

        /// 1: a move gets more or less of the clock by its rivals, its stability and its value; 0:
        /// always the same part of the usual share.
        time_management "TimeManagement" = 1 in 0..=1;
    }

    each {
        /// Half the width of the first aspiration window, in hundredths of a stone.
        aspiration_window "AspirationWindow" = 40, 34 in 5..=300;

        /// Late move reductions: the divisor of the product of the logarithms, both in quarters, of
        /// depth and number of moves.
        lmr_divisor "LmrDivisor" = 35, 23 in 12..=100;

        /// Reverse futility pruning: the margin for each ply, in hundredths of a stone.
        rfp_margin "RfpMargin" = 100, 107 in 10..=400;

        /// Razoring: the constant part of the margin, in hundredths of a stone.
        razor_base "RazorBase" = 100, 90 in 0..=600;

        /// Razoring: the part of the margin for each ply, in hundredths of a stone.
        razor_ply "RazorPly" = 150, 157 in 0..=600;

        /// ProbCut: how far a capture has to be above the window in the shallower search, in
        /// hundredths of a stone.
        probcut_margin "ProbCutMargin" = 150, 154 in 0..=1000;

        /// Late move pruning: the number of moves that are always searched before others are late,
        /// in tenths of a move.
        lmp_base "LmpBase" = 60, 50 in 10..=300;

        /// Late move pruning: the number of those in addition for each unit of the square of the
        /// depth, in tenths of a move.
        lmp_square "LmpSquare" = 30, 32 in 5..=150;

        /// The bonus of a cutoff in a move's history, in units of the square of the depth.
        history_bonus "HistoryBonus" = 16, 19 in 1..=64;

        /// The largest square of the depth that counts for history; with 0 nothing is learnt.
        history_square "HistorySquare" = 400, 428 in 0..=1600;

        /// The rank of each captured stone, in units of history.
        gain_rank "GainRank" = 4096, 4145 in 0..=16384;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_phases_of_a_vela_have_its_constants() {
        let kind = |text: &str| Kind::from_position(&text.parse().unwrap());
        let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW";
        assert_eq!(kind(&format!("{start} w - 0 1")), Kind::Riatra);
        assert_eq!(kind(&format!("{start} w w 0 1")), Kind::Vela);
        let late: Position = "b7b/2b6/4WW3/3W1WW1b/WWWW1WWWW b w 2 30".parse().unwrap();
        assert!(!late.is_vela_phase_one());
        assert_eq!(Kind::from_position(&late), Kind::Vela);
    }
}
