//! The header of a program in the format of the system, ELF. See elf(5).

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

/// The maximum length of the path of a loader, in bytes.
const MAX_LOADER: u64 = 4096;

/// The kind of a file in this format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A compiled source that has not been linked.
    Object,
    /// The memory of a program that crashed.
    CoreDump,
    /// A program or a library.
    Program,
}

/// The header of a program in the format of the system.
pub(crate) struct Elf {
    is_64_bit: bool,
    is_big_endian: bool,
    bytes: [u8; 64],
}

impl Elf {
    /// Reads the header at the beginning of a file.
    pub(crate) fn read(file: &File) -> io::Result<Elf> {
        let mut bytes = [0; 64];
        read_at_most(file, &mut bytes)?;
        Ok(Elf { is_64_bit: bytes[4] == 2, is_big_endian: bytes[5] == 2, bytes })
    }

    /// A number of up to eight bytes.
    fn number(&self, bytes: &[u8]) -> u64 {
        let join = |number, &byte| number << 8 | u64::from(byte);
        match self.is_big_endian {
            true => bytes.iter().fold(0, join),
            false => bytes.iter().rev().fold(0, join),
        }
    }

    fn half(&self, at: usize) -> u64 {
        self.number(&self.bytes[at..at + 2])
    }

    /// The kind of the file.
    pub(crate) fn kind(&self) -> Kind {
        match self.half(16) {
            1 => Kind::Object,
            4 => Kind::CoreDump,
            _ => Kind::Program,
        }
    }

    /// The number of the processor's architecture.
    pub(crate) fn machine(&self) -> u64 {
        self.half(18)
    }

    /// The loader that the program asks for.
    pub(crate) fn loader(&self, file: &File) -> io::Result<Option<PathBuf>> {
        const LOADER: u64 = 3;
        let word = if self.is_64_bit { 8 } else { 4 };
        let (table, size, count) = match self.is_64_bit {
            true => (self.number(&self.bytes[32..40]), self.half(54), self.half(56)),
            false => (self.number(&self.bytes[28..32]), self.half(42), self.half(44)),
        };
        let (offset_at, length_at) = if self.is_64_bit { (8, 32) } else { (4, 16) };
        for place in 0..count {
            let mut entry = [0; 56];
            let entry = &mut entry[..if self.is_64_bit { 56 } else { 32 }];
            file.read_exact_at(entry, table.saturating_add(place * size))?;
            if self.number(&entry[..4]) == LOADER {
                let number = |at: usize| self.number(&entry[at..at + word]);
                let mut path = vec![0; number(length_at).min(MAX_LOADER) as usize];
                file.read_exact_at(&mut path, number(offset_at))?;
                path.truncate(path.iter().position(|&byte| byte == 0).unwrap_or(path.len()));
                return Ok(Some(PathBuf::from(OsStr::from_bytes(&path))));
            }
        }
        Ok(None)
    }

    /// The name of that architecture.
    pub(crate) fn machine_name(&self) -> String {
        match self.machine() {
            3 => "32-bit x86".to_owned(),
            40 => "32-bit ARM".to_owned(),
            62 => "x86-64".to_owned(),
            183 => "64-bit ARM".to_owned(),
            243 => "RISC-V".to_owned(),
            number => format!("processor number {number} of ELF"),
        }
    }
}

/// Reads the beginning of a file, as much as there is. Returns the length.
fn read_at_most(file: &File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read_at(&mut buffer[length..], length as u64)? {
            0 => break,
            more => length += more,
        }
    }
    Ok(length)
}
