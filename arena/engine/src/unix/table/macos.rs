//! The table of processes of macOS, read by its `libproc`. macOS tells the owner of a process and
//! root alone.

use std::sync::OnceLock;
use std::time::Duration;

use libproc::bsd_info::BSDInfo;
use libproc::file_info::ListFDs;
use libproc::pid_rusage::{RUsageInfoV2, pidrusage};
use libproc::proc_pid::{listpidinfo, pidinfo};
use libproc::processes::{ProcFilter, pids_by_type};
use libproc::task_info::TaskInfo;
use mach2::mach_time::{mach_timebase_info, mach_timebase_info_data_t};
use nix::unistd::Pid;

use super::{Row, State, Usage};

/// The states of a process (`<sys/proc.h>`).
const RUNNING: u32 = 2;
const STOPPED: u32 = 4;

/// All processes that this user may see.
pub(crate) fn all() -> Vec<Row> {
    listed(ProcFilter::All).into_iter().filter_map(row).collect()
}

/// A process, if it is there.
pub(crate) fn row(pid: Pid) -> Option<Row> {
    let info = info(pid)?;
    let began = info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec;
    Some(Row { pid, parent: Pid::from_raw(info.pbi_ppid.cast_signed()), began })
}

/// The children of a process, zombies possibly among them.
pub(crate) fn children(parent: Pid) -> Vec<Pid> {
    listed(ProcFilter::ByParentProcess { ppid: parent.as_raw().cast_unsigned() })
}

/// The processes of a group, zombies possibly among them.
pub(crate) fn group(leader: Pid) -> Vec<Pid> {
    listed(ProcFilter::ByProgramGroup { pgrpid: leader.as_raw().cast_unsigned() })
}

/// The processes of a user.
pub(crate) fn of_user(user: u32) -> Vec<Pid> {
    listed(ProcFilter::ByRealUID { ruid: user })
}

/// The state of a process, if it is there.
pub(crate) fn state(pid: Pid) -> Option<State> {
    Some(match info(pid)?.pbi_status {
        STOPPED => State::Stopped,
        // Every process that is not stopped is running; its threads tell more.
        RUNNING if task(pid)?.pti_numrunning > 0 => State::Ready,
        _ => State::Asleep,
    })
}

/// Returns the usage of a process, if it is there.
pub(crate) fn usage(pid: Pid) -> Option<Usage> {
    let used = pidrusage::<RUsageInfoV2>(pid.as_raw()).ok()?;
    let own = used.ri_user_time + used.ri_system_time;
    let of_children = used.ri_child_user_time + used.ri_child_system_time;
    Some(Usage {
        time: in_nanoseconds(own + of_children),
        memory: used.ri_phys_footprint,
        threads: task(pid)?.pti_threadnum.cast_unsigned().into(),
    })
}

/// The number of open descriptors of a process.
pub(crate) fn descriptors(pid: Pid) -> u64 {
    let most = info(pid).map_or(0, |info| info.pbi_nfiles as usize);
    listpidinfo::<ListFDs>(pid.as_raw(), most).map_or(0, |open| open.len() as u64)
}

fn info(pid: Pid) -> Option<BSDInfo> {
    pidinfo(pid.as_raw(), 0).ok()
}

fn task(pid: Pid) -> Option<TaskInfo> {
    pidinfo(pid.as_raw(), 0).ok()
}

fn listed(filter: ProcFilter) -> Vec<Pid> {
    let found = pids_by_type(filter).unwrap_or_default();
    found.into_iter().map(|pid| Pid::from_raw(pid.cast_signed())).collect()
}

/// A time of the kernel, which counts in nanoseconds on Intel's processors and in longer ticks on Apple's.
fn in_nanoseconds(ticks: u64) -> Duration {
    static TICK: OnceLock<mach_timebase_info_data_t> = OnceLock::new();
    let tick = TICK.get_or_init(|| {
        let mut tick = mach_timebase_info_data_t { numer: 0, denom: 0 };
        // SAFETY: the call fills the structure that it is given; nothing safe tells the length of a tick.
        #[allow(unsafe_code)]
        unsafe {
            mach_timebase_info(&mut tick);
        }
        tick
    });
    let nanoseconds = u128::from(ticks) * u128::from(tick.numer) / u128::from(tick.denom.max(1));
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}
