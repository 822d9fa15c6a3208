//! A config: what is read can be written and read again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use std::path::Path;

use fanorona_tournament::config::{Overrides, parse};

fuzz_target!(|text: &str| {
    let dir = Path::new("/");
    if let Ok(tournament) = parse("fuzz.toml", text, dir, &Overrides::default()) {
        let written = tournament.to_toml(dir);
        let again = parse("fuzz.toml", &written, dir, &Overrides::default());
        assert!(again.is_ok(), "{written}\n{}", again.err().map_or(String::new(), |e| e.to_string()));
    }
});
