//! A line from an engine: reading what was written gives the same reply.

#![no_main]

use libfuzzer_sys::fuzz_target;
use fanorona_protocol::messages::Reply;

fuzz_target!(|line: &str| {
    if let Ok(reply) = line.parse::<Reply>() {
        let written = reply.to_string();
        assert_eq!(written.parse::<Reply>().as_ref(), Ok(&reply), "{written}");
    }
});
