//! The processor time used by an engine.

use std::sync::Arc;
use std::time::Duration;

use super::job::Job;
use crate::waiting::Account;

/// Reads the processor time of an engine's job.
#[derive(Debug)]
pub(crate) struct CpuMeter {
    job: Arc<Job>,
    /// The last returned time. It never decreases.
    sum: Duration,
}

impl CpuMeter {
    /// A meter of a job.
    pub(crate) fn new(job: Arc<Job>) -> CpuMeter {
        CpuMeter { job, sum: Duration::ZERO }
    }

    /// The processor time used so far, that of ended processes included.
    pub(crate) fn read(&mut self) -> Duration {
        self.sum = self.sum.max(self.job.processor_time());
        self.sum
    }

    /// The processor time; the times of threads are not reported.
    pub(crate) fn account(&mut self) -> Account {
        Account { used: self.read(), ..Account::default() }
    }

    /// Whether a thread is ready to run, which is not reported.
    pub(crate) fn is_ready(&self) -> bool {
        false
    }

    /// Whether the time of processes that have ended may be missing: a job counts them.
    pub(crate) fn forgets(&self) -> bool {
        false
    }
}
