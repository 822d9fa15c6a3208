//! A proof of a value, its header sealed rightly.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;

use fanorona_endgames::solution::Solution;

fuzz_target!(|bytes: &[u8]| {
    let dir = tempfile::tempdir().expect("there is room for a directory");
    let path = dir.path().join("proof");
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (header, payload) = bytes.split_at(end);
    let mut file = header.to_vec();
    file.extend_from_slice(format!("\n{:08x}\n", crc32fast::hash(header)).as_bytes());
    file.extend_from_slice(payload.get(1..).unwrap_or_default());
    fs::write(&path, file).expect("there is room for a proof");
    let _ = Solution::read(&path);
});
