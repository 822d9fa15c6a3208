//! Remarks on engines that the finished games give rise to: errors that they report, illegal lines,
//! thinking in the opponent's time, and slow answers. None of them is a fault by the rules.

pub mod engine_reports;
pub mod idle_thinking;
pub mod illegal_lines;
pub mod readiness;
