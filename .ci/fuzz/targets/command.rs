//! A line from a manager: reading what was written gives the same command.

#![no_main]

use libfuzzer_sys::fuzz_target;
use fanorona_protocol::messages::Command;

fuzz_target!(|line: &str| {
    if let Ok(command) = line.parse::<Command>() {
        let written = command.to_string();
        assert_eq!(written.parse::<Command>().as_ref(), Ok(&command), "{written}");
    }
});
