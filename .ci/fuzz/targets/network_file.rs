//! A network of weights.

#![no_main]

use libfuzzer_sys::fuzz_target;
use fanorona_bots::evaluation::network::Network;

fuzz_target!(|bytes: &[u8]| {
    let _ = Network::read(bytes);
});
