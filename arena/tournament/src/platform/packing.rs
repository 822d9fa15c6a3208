//! Packed files, as Zstandard.

use std::fs::File;
use std::io::{self, Read};

/// The level of compression. Dialogues repeat themselves so much that a higher one gains little.
const LEVEL: i32 = 3;

/// The packed bytes.
pub(crate) fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    zstd::encode_all(bytes, LEVEL)
}

/// Reads what is packed in a file.
pub(crate) fn unpack(file: File) -> io::Result<impl Read> {
    zstd::Decoder::new(file)
}
