//! The processors of the config.

use super::job;
use fanorona_tournament::config::Cpus;

/// The processors of a list that are not available to this process. A job knows 64.
pub fn missing_cpus(cpus: &Cpus) -> Vec<u32> {
    let Cpus::Only(cpus) = cpus else { return Vec::new() };
    let here = job::own_cpus();
    cpus.iter().copied().filter(|&cpu| here & job::mask(&[cpu]) == 0).collect()
}
