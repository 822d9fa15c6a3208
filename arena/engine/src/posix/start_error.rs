//! The errors of a start: which of them are the program's.

use std::error::Error;

use nix::errno::Errno;

/// The error of `exec` about a library or a processor that a program does not fit.
#[cfg(target_os = "linux")]
const UNFIT: Errno = Errno::ELIBBAD;
#[cfg(target_os = "macos")]
const UNFIT: Errno = Errno::EBADARCH;

/// The errors of `exec` that come from the program.
const OF_PROGRAM: [Errno; 8] = [
    Errno::ENOENT,
    Errno::EACCES,
    Errno::ENOEXEC,
    Errno::ELOOP,
    Errno::ENOTDIR,
    Errno::EISDIR,
    Errno::ENAMETOOLONG,
    UNFIT,
];

/// The reason why the system cannot run a file that is no program.
pub(crate) const NO_PROGRAM: &str =
    "the system cannot run this file (a script must begin with `#!`)";

/// Whether an error of the last step of a start comes from the program.
pub(crate) fn is_of_program(errno: i32) -> bool {
    OF_PROGRAM.contains(&Errno::from_raw(errno))
}

/// Whether the error says that a file is no program.
pub(crate) fn is_no_program(errno: i32) -> bool {
    Errno::from_raw(errno) == Errno::ENOEXEC
}

/// The number of an error that is none of the standard library.
pub(crate) fn number(why: &(dyn Error + 'static)) -> Option<i32> {
    why.downcast_ref::<Errno>().map(|errno| *errno as i32)
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;
    use crate::not_started::{NotStarted, Stage};

    #[test]
    fn engines_are_at_fault_only_for_their_program() {
        let of_arena = [Errno::EAGAIN, Errno::ENOSPC, Errno::ETXTBSY, Errno::ENOMEM, Errno::E2BIG];
        let numbers = OF_PROGRAM.into_iter().chain(of_arena).map(Some).chain([None]);
        for errno in numbers {
            for &stage in Stage::VARIANTS {
                let why =
                    NotStarted { stage, errno: errno.map(|e| e as i32), detail: String::new() };
                let of_program = errno.is_some_and(|errno| OF_PROGRAM.contains(&errno));
                assert_eq!(why.is_ours(), stage != Stage::Exec || !of_program, "{why:?}");
            }
        }
    }

    #[test]
    fn errors_of_system_calls_have_numbers() {
        assert_eq!(NotStarted::at(Stage::Cpus)(Errno::EINVAL).errno, Some(22));
    }
}
