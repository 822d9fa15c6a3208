//! An endgame table with a first page that is sealed rightly.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;

use fanorona_endgames::Tables;
use fanorona_protocol::rules::BoardSize;

const PAGE: usize = 1024;
const SEAL: usize = 9;

fuzz_target!(|bytes: &[u8]| {
    let dir = tempfile::tempdir().expect("there is room for a directory");
    let mut file = bytes.to_vec();
    if file.len() >= PAGE {
        let seal = format!("{:08x}\n", crc32fast::hash(&file[..PAGE - SEAL]));
        file[PAGE - SEAL..PAGE].copy_from_slice(seal.as_bytes());
    }
    for name in ["3x3-1v1.outcomes", "3x3-1v1.plies"] {
        fs::write(dir.path().join(name), &file).expect("there is room for a table");
    }
    let _ = Tables::open(dir.path(), BoardSize::TELO, 2);
});
