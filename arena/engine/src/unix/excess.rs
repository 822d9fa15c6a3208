//! The bounds that the processes of an engine exceed.

use nix::unistd::Pid;

use super::table::{self, Usage};
use crate::bounds::{Bounds, Excess, Resource};
use crate::posix::checks::over;

/// The first bound that these processes exceed together. Memory that they share counts for each.
pub(crate) fn of_processes(bounds: &Bounds, pids: &[Pid]) -> Option<Excess> {
    let usages: Vec<Usage> = pids.iter().filter_map(|&pid| table::usage(pid)).collect();
    let threads = usages.iter().map(|usage| usage.threads).sum();
    let descriptors = || pids.iter().map(|&pid| table::descriptors(pid)).sum();
    let memory = || usages.iter().map(|usage| usage.memory).sum();
    over(Resource::Processes, pids.len() as u64, bounds.processes)
        .or_else(|| over(Resource::Processes, threads, bounds.processes))
        .or_else(|| over(Resource::Descriptors, descriptors(), bounds.files))
        .or_else(|| over(Resource::Memory, memory(), bounds.memory?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bound_of_processes_can_be_exceeded() {
        let me = [Pid::this()];
        let roomy = Bounds { memory: Some(1 << 50), processes: 10_000, files: 100_000, disk: None };
        assert_eq!(of_processes(&roomy, &me), None);
        let exceeded = |bounds| of_processes(&bounds, &me).map(|excess| excess.resource);
        assert_eq!(exceeded(Bounds { processes: 0, ..roomy }), Some(Resource::Processes));
        assert_eq!(exceeded(Bounds { files: 2, ..roomy }), Some(Resource::Descriptors));
        assert_eq!(exceeded(Bounds { memory: Some(9), ..roomy }), Some(Resource::Memory));
    }
}
