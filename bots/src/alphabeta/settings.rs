//! The options of the bot and what they are set to.

use fanorona_protocol::messages::OptionSpec;

/// What a search does and leaves out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// Lines to report, the best ones.
    pub(super) lines: usize,
    /// Captures are resolved before a position at the horizon is evaluated.
    pub(super) quiescence: bool,
    /// Results are remembered by position.
    pub(super) table: bool,
    /// Turns that promise little are searched less deep.
    pub(super) reductions: bool,
    /// The root is searched with a narrow window around the value expected.
    pub(super) aspiration: bool,
    /// Evaluation by stones alone, and no reductions or pruning.
    pub(super) plain: bool,
}

/// The size of the table in MiB.
pub(super) const HASH: i64 = 16;

/// The most threads a search may have.
const MOST_THREADS: i64 = 256;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            lines: 1,
            quiescence: true,
            table: true,
            reductions: true,
            aspiration: true,
            plain: false,
        }
    }
}

/// The declarations of all options, `Hash` and `Threads` included.
pub(super) fn options() -> Vec<OptionSpec> {
    let usual = Settings::default();
    vec![
        OptionSpec::spin("Hash", HASH, 1, 65_536),
        OptionSpec::spin("Threads", 1, 1, MOST_THREADS),
        OptionSpec::spin("Seed", 0, 0, i64::MAX),
        OptionSpec::spin("MultiPV", usual.lines as i64, 1, 64),
        OptionSpec::combo("Search", "full", &["full", "plain"]),
        OptionSpec::switch("Quiescence", usual.quiescence),
        OptionSpec::switch("TranspositionTable", usual.table),
        OptionSpec::switch("Reductions", usual.reductions),
        OptionSpec::switch("Aspiration", usual.aspiration),
    ]
}

impl Settings {
    /// Sets what an option other than `Hash` and `Threads` says. `Seed` changes nothing: nothing is
    /// left to chance.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let on = value == "true";
        match name.to_ascii_lowercase().as_str() {
            "multipv" => self.lines = value.parse().unwrap_or(1).max(1),
            "search" => self.plain = value == "plain",
            "quiescence" => self.quiescence = on,
            "transpositiontable" => self.table = on,
            "reductions" => self.reductions = on,
            "aspiration" => self.aspiration = on,
            _ => {}
        }
    }
}
