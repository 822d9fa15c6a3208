//! The pairings of a tournament: the schedule, computed by index, the draws of Swiss and knockout
//! stages, the openings and the seeds.

pub mod ids;
pub mod knockout;
pub mod openings;
pub mod schedule;
pub mod seeds;
pub mod shard;
pub mod stages;
pub mod swiss;
