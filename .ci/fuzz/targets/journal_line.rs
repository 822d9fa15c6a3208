//! A journal, its lines with the right checksums: what is sound is kept, the rest is told.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::fs;

use fanorona_tournament::record::Salvage;

fuzz_target!(|bytes: &[u8]| {
    let dir = tempfile::tempdir().expect("there is room for a directory");
    let mut journal = Vec::new();
    for entry in bytes.split(|&byte| byte == b'\n') {
        let crc32 = crc32fast::hash(entry);
        journal.extend_from_slice(format!("{{\"crc32\":\"{crc32:08x}\",\"entry\":").as_bytes());
        journal.extend_from_slice(entry);
        journal.extend_from_slice(b"}\n");
    }
    fs::write(dir.path().join("journal.jsonl"), journal).expect("there is room for a journal");
    let _ = Salvage::read(dir.path(), |_| Ok(()));
});
