//! The errors of a start: which of them are the program's.

use std::error::Error;

use windows_sys::Win32::Foundation::{
    ERROR_ACCESS_DENIED, ERROR_BAD_EXE_FORMAT, ERROR_ELEVATION_REQUIRED,
    ERROR_EXE_MACHINE_TYPE_MISMATCH, ERROR_FILE_NOT_FOUND, ERROR_FILENAME_EXCED_RANGE,
    ERROR_PATH_NOT_FOUND,
};

/// The errors of a start that come from the program.
const OF_PROGRAM: [u32; 7] = [
    ERROR_FILE_NOT_FOUND,
    ERROR_PATH_NOT_FOUND,
    ERROR_ACCESS_DENIED,
    ERROR_BAD_EXE_FORMAT,
    ERROR_EXE_MACHINE_TYPE_MISMATCH,
    ERROR_FILENAME_EXCED_RANGE,
    ERROR_ELEVATION_REQUIRED,
];

/// The reason why the system cannot run a file that is no program.
pub(crate) const NO_PROGRAM: &str = "the system cannot run this file: it is no program for Windows";

/// Whether an error of the last step of a start comes from the program.
pub(crate) fn is_of_program(number: i32) -> bool {
    OF_PROGRAM.contains(&number.cast_unsigned())
}

/// Whether the error says that a file is no program.
pub(crate) fn is_no_program(number: i32) -> bool {
    [ERROR_BAD_EXE_FORMAT, ERROR_EXE_MACHINE_TYPE_MISMATCH].contains(&number.cast_unsigned())
}

/// The number of an error that is none of the standard library: there are no others.
pub(crate) fn number(_: &(dyn Error + 'static)) -> Option<i32> {
    None
}
