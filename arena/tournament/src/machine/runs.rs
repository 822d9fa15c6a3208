//! The times and the computers of a tournament's runs: ratings under a time limit mean little
//! without them.

use std::fs;
use std::thread;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::platform;

/// One run of the arena: `arena run` or `arena resume`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The begin in UTC (RFC 3339).
    pub began: String,
    /// The end; `None` while it runs, or if the arena was killed.
    pub ended: Option<String>,
    /// The version of the arena.
    pub arena: String,
    /// The computer it ran on.
    pub computer: Computer,
}

/// The properties of a computer that affect engine strength under a time limit.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Computer {
    /// The model of the processor; empty if the system does not report it.
    pub processor: String,
    /// The number of logical processors available to the arena.
    pub processors: usize,
    /// The quota of processor time of the arena with its engines, in percent of one processor;
    /// `None` for no quota.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota_percent: Option<u32>,
    /// The operating system and its kernel.
    pub system: String,
}

impl Run {
    /// A run that begins now on this computer, with this quota of processor time in percent of one
    /// processor.
    pub fn begin(quota_percent: Option<u32>) -> Run {
        Run {
            began: now(),
            ended: None,
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            computer: Computer { quota_percent, ..Computer::this() },
        }
    }

    /// Sets the end of the run to now.
    pub fn end(&mut self) {
        self.ended = Some(now());
    }
}

/// The current time in UTC, truncated to seconds.
fn now() -> String {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}

impl Computer {
    /// The computer this program runs on, without its quota.
    pub fn this() -> Computer {
        // Facts that the system does not report are left out.
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let version = platform::system_version();
        let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
        let system = match os {
            "linux" => field(&read("/etc/os-release"), "PRETTY_NAME", '='),
            _ => String::new(),
        };
        let words = [&*system, os, &version, arch];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        Computer {
            processor: platform::processor().unwrap_or_else(|| processor(&read("/proc/cpuinfo"))),
            processors: thread::available_parallelism().map_or(1, usize::from),
            quota_percent: None,
            system: words.join(" "),
        }
    }

    /// The known facts in words.
    pub fn in_words(&self) -> String {
        let processors = match self.processors {
            0 => String::new(),
            1 => "1 processor".to_owned(),
            count => format!("{count} processors"),
        };
        let quota = self
            .quota_percent
            .map_or(String::new(), |percent| format!("a quota of {}", in_processors(percent)));
        let words = [&*self.processor, &processors, &quota, &self.system];
        let known: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        known.join(", ")
    }
}

/// A quota in percent of one processor, as `0.5 processors`.
pub fn in_processors(percent: u32) -> String {
    let word = if percent == 100 { "processor" } else { "processors" };
    format!("{} {word}", f64::from(percent) / 100.0)
}

/// The model of the first processor in `/proc/cpuinfo`. ARM kernels name the board instead.
fn processor(cpuinfo: &str) -> String {
    let names = ["model name", "Model", "Hardware", "cpu model", "cpu"];
    let found = names.map(|name| field(cpuinfo, name, ':'));
    found.into_iter().find(|model| !model.is_empty()).unwrap_or_default()
}

/// The value of a field in lines of the form `name<separator>value`; empty if it is missing.
fn field(text: &str, name: &str, separator: char) -> String {
    let value = |line: &str| {
        let (found, value) = line.split_once(separator)?;
        (found.trim() == name).then(|| value.trim().trim_matches('"').to_owned())
    };
    text.lines().find_map(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_told_in_processors() {
        let told = [5, 50, 100, 150].map(in_processors);
        assert_eq!(told, ["0.05 processors", "0.5 processors", "1 processor", "1.5 processors"]);
    }

    #[test]
    fn the_model_is_that_of_the_system() {
        let x86 = "processor\t: 0\nmodel\t\t: 2\nmodel name\t: AMD EPYC 7B13\ncpu MHz\t\t: 2596\n";
        assert_eq!(processor(x86), "AMD EPYC 7B13");
        let arm = "processor\t: 0\nBogoMIPS\t: 48.00\n\nModel\t\t: Raspberry Pi 5\n";
        assert_eq!(processor(arm), "Raspberry Pi 5");
        assert_eq!(processor(""), "");
        assert_eq!(field("NAME=x\nPRETTY_NAME=\"Debian 12\"\n", "PRETTY_NAME", '='), "Debian 12");
    }

    #[test]
    fn a_run_begins_and_ends_now() {
        let mut run = Run::begin(None);
        assert_eq!(run.ended, None);
        run.end();
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        assert!(time(&run.began) <= time(run.ended.as_deref().unwrap()));
        assert!(time(&run.began).as_second() > 1_700_000_000);
        assert!(run.computer.processors >= 1 && run.computer.in_words().contains("processor"));
    }

    #[test]
    fn only_what_is_known_is_said() {
        let computer = Computer { processors: 1, ..Computer::default() };
        assert_eq!(computer.in_words(), "1 processor");
        let half = Computer { quota_percent: Some(50), ..computer };
        assert_eq!(half.in_words(), "1 processor, a quota of 0.5 processors");
    }
}
