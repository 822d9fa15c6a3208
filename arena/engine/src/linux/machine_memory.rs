//! The memory of this machine.

use std::fs;

/// All of it, and the available part, in bytes; `None` if the system does not report it.
pub fn total_and_available() -> Option<[u64; 2]> {
    parse(&fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse(meminfo: &str) -> Option<[u64; 2]> {
    let field = |name: &str| {
        let line = meminfo.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kib| kib << 10)
    };
    Some([field("MemTotal")?, field("MemAvailable")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_that_of_the_system() {
        let text = "MemTotal:       24000000 kB\nMemFree: 1 kB\nMemAvailable:   12000000 kB\n";
        assert_eq!(parse(text), Some([24_000_000 << 10, 12_000_000 << 10]));
        assert_eq!(parse("MemTotal: x"), None);
    }
}
