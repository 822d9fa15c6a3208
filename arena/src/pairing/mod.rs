//! Who plays whom, and how each game begins: the schedule, computed by index, and the openings.

pub mod ids;
pub mod knockout;
pub mod openings;
pub mod schedule;
pub mod seeds;
pub mod shard;
pub mod stages;
pub mod swiss;
