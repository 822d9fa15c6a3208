//! The switches and limits a game is played by: data, not code.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use core::fmt;
use core::str::FromStr;

/// What the creditor's failure to offer a stone means: the debtor is to move in phase one of a
/// vela and has nothing to capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum VelaStarved {
    /// The creditor has lost.
    #[default]
    CreditorLoses,
    /// The debtor has lost.
    DebtorLoses,
    /// The debtor may play a paika, and has no move only without one.
    Paika,
}

/// Who takes White and moves first in a vela.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum VelaStarter {
    /// The loser of the game before.
    #[default]
    Debtor,
    /// The winner of the game before; the debtor stays the debtor.
    Creditor,
}

/// The rules of one game: every switch and limit, each off or at its usual value by default.
///
/// Its text holds only what differs from the default, words separated by blanks, as the option
/// `Rules` of the protocol carries it:
///
/// ```
/// use fanorona_protocol::rules::Ruleset;
/// let rules: Ruleset = "forced-continuation vela-starved=paika quiet=60".parse().unwrap();
/// assert_eq!(rules.quiet, 60);
/// assert_eq!(rules.to_string(), "forced-continuation vela-starved=paika quiet=60");
/// assert_eq!(Ruleset::default().to_string(), "");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Ruleset {
    /// A capturing stone must go on while it can (Masters of Games).
    pub forced_continuation: bool,
    /// Each player's first capturing move is one step only (Masters of Games, older encyclopaedia
    /// text). A side has not captured yet exactly when its opponent still has
    /// (points − 1) / 2 stones or more. Overrides `forced_continuation`; without effect in vela
    /// phase one.
    pub single_first_capture: bool,
    /// A side without a move draws instead of losing (Masters of Games); never applies to a
    /// starved debtor.
    pub blocked_is_draw: bool,
    /// Who loses when the debtor is starved.
    pub vela_starved: VelaStarved,
    /// A creditor's paika that leaves the debtor no capture is illegal while another leaves one
    /// (Bell 1979, as read by one engine).
    pub vela_must_offer: bool,
    /// Who takes White in a vela.
    pub vela_starter: VelaStarter,
    /// The occurrence of a position that makes the game a draw; 0 for never.
    pub repetition: u32,
    /// Plies without a capture, by either side, that make the game a draw; 0 for never.
    pub quiet: u32,
    /// Plies of the whole game that make it a draw; 0 for never.
    pub max_plies: u32,
}

impl Default for Ruleset {
    fn default() -> Ruleset {
        Ruleset {
            forced_continuation: false,
            single_first_capture: false,
            blocked_is_draw: false,
            vela_starved: VelaStarved::default(),
            vela_must_offer: false,
            vela_starter: VelaStarter::default(),
            repetition: 3,
            quiet: 100,
            max_plies: 0,
        }
    }
}

/// The largest value of a limit.
pub const MAX_LIMIT: u32 = 1_000_000;

/// A word of a rules text that says nothing we know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesetError {
    /// No switch of that name.
    #[error("unknown rule `{word}`: expected one of {}", Ruleset::WORDS.join(", "))]
    Unknown {
        /// The word as written.
        word: String,
    },
    /// A switch that is only on or off was given something else.
    #[error("`{word}`: {name} stands alone or with true or false")]
    NotASwitch {
        /// The word as written.
        word: String,
        /// The switch.
        name: &'static str,
    },
    /// A value the switch does not have.
    #[error("`{word}`: {name} is {expected}")]
    Value {
        /// The word as written.
        word: String,
        /// The switch.
        name: &'static str,
        /// Its values.
        expected: &'static str,
    },
}

impl Ruleset {
    /// The names of all switches and limits, in the order they are written.
    pub const WORDS: [&'static str; 9] = [
        "forced-continuation",
        "single-first-capture",
        "blocked-is-draw",
        "vela-starved",
        "vela-must-offer",
        "vela-starter",
        "repetition",
        "quiet",
        "max-plies",
    ];

    /// Changes what one word says: `name` or `name=value`.
    pub fn set(&mut self, word: &str) -> Result<(), ParseRulesetError> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let Some(&name) = Ruleset::WORDS.iter().find(|&&known| known == name) else {
            return Err(ParseRulesetError::Unknown { word: word.to_owned() });
        };
        let switch = || match value {
            None | Some("true") => Ok(true),
            Some("false") => Ok(false),
            Some(_) => Err(ParseRulesetError::NotASwitch { word: word.to_owned(), name }),
        };
        let wrong = |expected| ParseRulesetError::Value { word: word.to_owned(), name, expected };
        let limit = || {
            let digits = value.filter(|v| v.bytes().all(|byte| byte.is_ascii_digit()));
            digits
                .and_then(|v| v.parse().ok())
                .filter(|&limit| limit <= MAX_LIMIT)
                .ok_or(wrong("a whole number from 0 (never) to 1000000, like quiet=100"))
        };
        match name {
            "forced-continuation" => self.forced_continuation = switch()?,
            "single-first-capture" => self.single_first_capture = switch()?,
            "blocked-is-draw" => self.blocked_is_draw = switch()?,
            "vela-must-offer" => self.vela_must_offer = switch()?,
            "vela-starved" => {
                self.vela_starved = match value {
                    Some("creditor-loses") => VelaStarved::CreditorLoses,
                    Some("debtor-loses") => VelaStarved::DebtorLoses,
                    Some("paika") => VelaStarved::Paika,
                    _ => return Err(wrong("creditor-loses, debtor-loses or paika")),
                }
            }
            "vela-starter" => {
                self.vela_starter = match value {
                    Some("debtor") => VelaStarter::Debtor,
                    Some("creditor") => VelaStarter::Creditor,
                    _ => return Err(wrong("debtor or creditor")),
                }
            }
            "repetition" => self.repetition = limit()?,
            "quiet" => self.quiet = limit()?,
            _ => self.max_plies = limit()?,
        }
        Ok(())
    }
}

impl FromStr for Ruleset {
    type Err = ParseRulesetError;

    fn from_str(text: &str) -> Result<Ruleset, ParseRulesetError> {
        let mut rules = Ruleset::default();
        text.split_whitespace().try_for_each(|word| rules.set(word))?;
        Ok(rules)
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Ruleset::default();
        let mut words = Vec::new();
        let mut switch = |on: bool, word: &str| {
            if on {
                words.push(word.to_owned());
            }
        };
        switch(self.forced_continuation, "forced-continuation");
        switch(self.single_first_capture, "single-first-capture");
        switch(self.blocked_is_draw, "blocked-is-draw");
        match self.vela_starved {
            VelaStarved::CreditorLoses => {}
            VelaStarved::DebtorLoses => switch(true, "vela-starved=debtor-loses"),
            VelaStarved::Paika => switch(true, "vela-starved=paika"),
        }
        switch(self.vela_must_offer, "vela-must-offer");
        switch(self.vela_starter == VelaStarter::Creditor, "vela-starter=creditor");
        for (name, value, default) in [
            ("repetition", self.repetition, usual.repetition),
            ("quiet", self.quiet, usual.quiet),
            ("max-plies", self.max_plies, usual.max_plies),
        ] {
            switch(value != default, &format!("{name}={value}"));
        }
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_switch_is_read_as_it_is_written() {
        for text in [
            "",
            "forced-continuation",
            "single-first-capture blocked-is-draw",
            "vela-starved=debtor-loses vela-must-offer vela-starter=creditor",
            "vela-starved=paika repetition=0 quiet=0 max-plies=200",
        ] {
            assert_eq!(text.parse::<Ruleset>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn defaults_may_be_written_out() {
        let text = "forced-continuation=false vela-starved=creditor-loses vela-starter=debtor \
                    repetition=3 quiet=100 max-plies=0";
        assert_eq!(text.parse(), Ok(Ruleset::default()));
    }

    #[test]
    fn a_wrong_word_is_named() {
        for (text, part) in [
            ("forced", "unknown rule `forced`"),
            ("quiet", "whole number"),
            ("quiet=-1", "whole number"),
            ("quiet=+1", "whole number"),
            ("quiet=99999999999", "whole number"),
            ("vela-starved=black", "creditor-loses, debtor-loses or paika"),
            ("blocked-is-draw=maybe", "true or false"),
        ] {
            let error = text.parse::<Ruleset>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
