//! Job objects: groups of processes that the system counts, limits and ends together.

#![expect(unsafe_code, reason = "the system's calls have no safe interface")]

use std::io;
use std::mem::{size_of, zeroed};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle, RawHandle};
use std::ptr::{from_mut, from_ref, null};
use std::time::Duration;

use windows_sys::Win32::Foundation::{FILETIME, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, IsProcessInJob, JOB_OBJECT_LIMIT,
    JOB_OBJECT_LIMIT_ACTIVE_PROCESS, JOB_OBJECT_LIMIT_AFFINITY,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_JOB_MEMORY,
    JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, JOBOBJECT_BASIC_ACCOUNTING_INFORMATION,
    JOBOBJECT_BASIC_PROCESS_ID_LIST, JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JOBOBJECTINFOCLASS,
    JobObjectBasicAccountingInformation, JobObjectBasicProcessIdList,
    JobObjectExtendedLimitInformation, QueryInformationJobObject, SetInformationJobObject,
    TerminateJobObject,
};
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetProcessAffinityMask, GetProcessTimes, OpenProcess, OpenThread,
    PROCESS_QUERY_LIMITED_INFORMATION, PROCESS_VM_READ, ResumeThread, THREAD_SUSPEND_RESUME,
};

use crate::bounds::Bounds;

/// The memory a job can commit beyond twice its bound, in bytes.
const MEMORY_SLACK: u64 = 256 << 20;

/// The processes a job can have beyond its bound.
const PROCESS_SLACK: u64 = 8;

/// The most processes of a job that are listed.
const MOST_LISTED: usize = 1024;

/// The exit code of processes that a job ends.
const ENDED: u32 = 1;

/// A job object. Closing it ends its processes.
#[derive(Debug)]
pub(crate) struct Job(OwnedHandle);

impl Job {
    /// A new job without processes. Its limits stop growth that is faster than the checks, which
    /// enforce the bounds themselves; `cpus` are the processors it can run on, all if empty.
    pub(crate) fn new(bounds: &Bounds, cpus: &[u32]) -> io::Result<Job> {
        // SAFETY: both pointers can be null; the handle belongs to nobody else.
        let job = unsafe { owned(CreateJobObjectW(null(), null())) }?;
        // SAFETY: zeros are a valid value of the structure.
        let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = unsafe { zeroed() };
        let mut flags: JOB_OBJECT_LIMIT = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
            | JOB_OBJECT_LIMIT_ACTIVE_PROCESS;
        let processes = bounds.processes.saturating_add(PROCESS_SLACK);
        limits.BasicLimitInformation.ActiveProcessLimit =
            u32::try_from(processes).unwrap_or(u32::MAX);
        if let Some(memory) = bounds.memory {
            flags |= JOB_OBJECT_LIMIT_JOB_MEMORY;
            let most = memory.saturating_mul(2).saturating_add(MEMORY_SLACK);
            limits.JobMemoryLimit = usize::try_from(most).unwrap_or(usize::MAX);
        }
        if !cpus.is_empty() {
            flags |= JOB_OBJECT_LIMIT_AFFINITY;
            limits.BasicLimitInformation.Affinity = mask(cpus);
        }
        limits.BasicLimitInformation.LimitFlags = flags;
        // SAFETY: the structure is the one of this class and has its size.
        let set = unsafe {
            SetInformationJobObject(
                job.as_raw_handle(),
                JobObjectExtendedLimitInformation,
                from_ref(&limits).cast(),
                size_of::<JOBOBJECT_EXTENDED_LIMIT_INFORMATION>() as u32,
            )
        };
        checked(set)?;
        Ok(Job(job))
    }

    /// Adds a process and thereby all that it will start.
    pub(crate) fn add(&self, process: RawHandle) -> io::Result<()> {
        // SAFETY: both handles are open.
        checked(unsafe { AssignProcessToJobObject(self.0.as_raw_handle(), process) })
    }

    /// Whether a process belongs to the job, or cannot be examined.
    pub(crate) fn has(&self, process: u32) -> bool {
        let mut found = 1;
        // SAFETY: the handle belongs to nobody else, and both are open.
        unsafe {
            let process = owned(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, process));
            if let Ok(process) = process {
                IsProcessInJob(process.as_raw_handle(), self.0.as_raw_handle(), &mut found);
            }
        }
        found != 0
    }

    /// Ends all processes of the job. They may take a moment.
    pub(crate) fn end(&self) {
        // Fails for a job without processes.
        // SAFETY: the handle is open.
        let _ = unsafe { TerminateJobObject(self.0.as_raw_handle(), ENDED) };
    }

    /// The number of processes that are running; 0 if it cannot be read.
    pub(crate) fn running(&self) -> u64 {
        self.accounting().map_or(0, |it| it.ActiveProcesses.into())
    }

    /// The processor time of all processes, ended ones included.
    pub(crate) fn processor_time(&self) -> Duration {
        let counted = self.accounting().map_or(0, |it| it.TotalUserTime + it.TotalKernelTime);
        let living = || self.opened().iter().map(processor_time).sum();
        match u64::try_from(counted) {
            // A system that does not count.
            Ok(0) | Err(_) => living(),
            Ok(counted) => of_ticks(counted),
        }
    }

    /// The memory that all processes have committed for themselves, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.opened().iter().map(memory).sum()
    }

    fn accounting(&self) -> io::Result<JOBOBJECT_BASIC_ACCOUNTING_INFORMATION> {
        // SAFETY: zeros are a valid value of the structure, which is the one of this class.
        unsafe {
            let mut found = zeroed();
            self.query(JobObjectBasicAccountingInformation, &mut found)?;
            Ok(found)
        }
    }

    /// The running processes that can be opened.
    fn opened(&self) -> Vec<OwnedHandle> {
        /// The system's structure with room for many numbers.
        #[repr(C)]
        struct List {
            head: JOBOBJECT_BASIC_PROCESS_ID_LIST,
            more: [usize; MOST_LISTED],
        }
        // SAFETY: zeros are a valid value of the structure, whose beginning is that of this class.
        let list = unsafe {
            let mut list: Box<List> = Box::new(zeroed());
            // Of more processes than have room, those that have are listed all the same.
            let _ = self.query(JobObjectBasicProcessIdList, &mut *list);
            list
        };
        let numbers = list.head.ProcessIdList.iter().chain(&list.more);
        let numbers = numbers.take(list.head.NumberOfProcessIdsInList as usize);
        let rights = PROCESS_QUERY_LIMITED_INFORMATION | PROCESS_VM_READ;
        // SAFETY: the handle belongs to nobody else.
        let open = |&number: &usize| unsafe { owned(OpenProcess(rights, 0, number as u32)) }.ok();
        numbers.filter_map(open).collect()
    }

    /// Fills the structure of a class.
    ///
    /// # Safety
    ///
    /// `T` must be, or begin with, the structure of the class.
    unsafe fn query<T>(&self, class: JOBOBJECTINFOCLASS, found: &mut T) -> io::Result<()> {
        let size = size_of::<T>() as u32;
        let found = from_mut(found).cast();
        // SAFETY: the structure is the one of this class and has its size.
        checked(unsafe {
            QueryInformationJobObject(
                self.0.as_raw_handle(),
                class,
                found,
                size,
                std::ptr::null_mut(),
            )
        })
    }
}

/// Lets a process run that was created suspended.
pub(crate) fn resume(process: u32) -> io::Result<()> {
    // SAFETY: the snapshot belongs to nobody else, and the entry has the size it states.
    unsafe {
        let snapshot = owned(CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0))?;
        let mut entry: THREADENTRY32 = zeroed();
        entry.dwSize = size_of::<THREADENTRY32>() as u32;
        let mut more = Thread32First(snapshot.as_raw_handle(), &mut entry);
        let mut resumed = false;
        while more != 0 {
            if entry.th32OwnerProcessID == process {
                let thread = owned(OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID))?;
                if ResumeThread(thread.as_raw_handle()) == u32::MAX {
                    return Err(io::Error::last_os_error());
                }
                resumed = true;
            }
            more = Thread32Next(snapshot.as_raw_handle(), &mut entry);
        }
        match resumed {
            true => Ok(()),
            false => Err(io::Error::other("it has no thread")),
        }
    }
}

/// The processors this process can run on, as a bit mask.
pub(crate) fn own_cpus() -> usize {
    let (mut own, mut all) = (0, 0);
    // SAFETY: the pseudo handle is always valid.
    let read = unsafe { GetProcessAffinityMask(GetCurrentProcess(), &mut own, &mut all) };
    if read == 0 { 0 } else { own }
}

/// A bit mask of processors.
pub(crate) fn mask(cpus: &[u32]) -> usize {
    cpus.iter().filter_map(|&cpu| 1_usize.checked_shl(cpu)).fold(0, |mask, cpu| mask | cpu)
}

/// The processor time of a process.
fn processor_time(process: &OwnedHandle) -> Duration {
    let ticks =
        |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    // SAFETY: zeros are valid times, and the handle is open.
    let (read, kernel, user) = unsafe {
        let (mut begin, mut end, mut kernel, mut user) = (zeroed(), zeroed(), zeroed(), zeroed());
        let process = process.as_raw_handle();
        (GetProcessTimes(process, &mut begin, &mut end, &mut kernel, &mut user), kernel, user)
    };
    if read == 0 { Duration::ZERO } else { of_ticks(ticks(kernel) + ticks(user)) }
}

/// The memory that a process has committed for itself, in bytes.
fn memory(process: &OwnedHandle) -> u64 {
    // SAFETY: zeros are a valid value of the structure, whose size is stated.
    unsafe {
        let mut found: PROCESS_MEMORY_COUNTERS = zeroed();
        let size = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
        match K32GetProcessMemoryInfo(process.as_raw_handle(), &mut found, size) {
            0 => 0,
            _ => found.PagefileUsage as u64,
        }
    }
}

/// The system counts time in tenths of a microsecond.
fn of_ticks(ticks: u64) -> Duration {
    Duration::from_nanos(ticks.saturating_mul(100))
}

/// Takes a new handle.
///
/// # Safety
///
/// The handle must be invalid, or open and owned by nobody else.
unsafe fn owned(handle: RawHandle) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: by the condition of this function.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

fn checked(done: i32) -> io::Result<()> {
    if done == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
