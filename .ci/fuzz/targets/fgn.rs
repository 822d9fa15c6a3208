//! Games as text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use fanorona_tournament::notation::fgn::Reader;

fuzz_target!(|bytes: &[u8]| {
    // An error ends the games.
    Reader::new(bytes).take(100).take_while(|game| game.is_ok()).for_each(drop);
});
