//! The rule switches and limits of a game. Sources of the rules differ, so they are data.

use alloc::borrow::ToOwned;
use alloc::string::String;

use core::fmt;
use core::str::FromStr;

/// The result when the debtor is starved: the debtor is to move in phase one of a vela and has
/// nothing to capture, because the creditor has offered nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum VelaStarved {
    /// The creditor loses.
    #[default]
    CreditorLoses,
    /// The debtor loses.
    DebtorLoses,
    /// The debtor plays a paika, and has no move only if there is no paika.
    Paika,
}

/// The player who has White and moves first in a vela.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum VelaStarter {
    /// The loser of the game before.
    #[default]
    Debtor,
    /// The winner of the game before. The other player is still the debtor.
    Creditor,
}

/// The rules of one game. By default every switch is off or at its usual value.
///
/// The text form names only what differs from the default, as words separated by blanks. The
/// protocol option `Rules` carries this text:
///
/// ```
/// use fanorona_protocol::rules::Ruleset;
/// let rules: Ruleset = "forced-continuation vela-starved=paika quiet=60".parse().unwrap();
/// assert_eq!(rules.quiet, 60);
/// assert_eq!(rules.to_string(), "forced-continuation vela-starved=paika quiet=60");
/// assert_eq!(Ruleset::default().to_string(), "");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub struct Ruleset {
    /// Whether a capturing stone must continue while it can (Masters of Games).
    pub forced_continuation: bool,
    /// Whether each player's first capturing move is limited to one step (Masters of Games, older
    /// encyclopaedia text).
    ///
    /// A side has not captured yet exactly when its opponent still has (points − 1) / 2 stones or
    /// more. This switch overrides `forced_continuation` and has no effect in vela phase one.
    pub single_first_capture: bool,
    /// Whether a side without a move draws instead of losing (Masters of Games). This never applies
    /// to a starved debtor.
    pub blocked_is_draw: bool,
    /// The result when the debtor is starved.
    pub vela_starved: VelaStarved,
    /// Whether a creditor's paika that leaves the debtor no capture is illegal while another paika
    /// leaves one (Bell 1979, in the reading of one engine).
    pub vela_must_offer: bool,
    /// The player who has White in a vela.
    pub vela_starter: VelaStarter,
    /// The occurrence of a position that makes the game a draw; 0 for never.
    pub repetition: u32,
    /// The number of plies without a capture, of both sides together, that makes the game a draw; 0
    /// for never.
    pub quiet: u32,
    /// The number of plies of the whole game that makes it a draw; 0 for never.
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

/// The value of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum RuleValue {
    /// Of a switch.
    Switch(bool),
    /// Of a rule with a few named values.
    Word(&'static str),
    /// Of a limit; 0 for never.
    Limit(u32),
}

/// The largest value of a limit: `repetition`, `quiet` or `max-plies`.
pub const MAX_LIMIT: u32 = 1_000_000;

/// The reason why a word is not a rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseRulesetError {
    /// No switch or limit has this name.
    #[error("unknown rule `{word}`: expected one of {}", Ruleset::WORDS.join(", "))]
    Unknown {
        /// The whole word.
        word: String,
    },
    /// A switch has a value other than `true` or `false`.
    #[error("`{word}`: {name} takes true or false, or no value")]
    NotASwitch {
        /// The whole word.
        word: String,
        /// The name of the switch.
        name: &'static str,
    },
    /// The value is missing or is not one that the switch or limit accepts.
    #[error("`{word}`: {name} must be {expected}")]
    Value {
        /// The whole word.
        word: String,
        /// The name of the switch or limit.
        name: &'static str,
        /// The values it accepts.
        expected: &'static str,
    },
}

impl Ruleset {
    /// The names of all switches and limits, in the order of the text form.
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

    /// Returns every switch and limit with its value, in the order of [`Ruleset::WORDS`].
    pub fn values(&self) -> [(&'static str, RuleValue); Ruleset::WORDS.len()] {
        let starved = match self.vela_starved {
            VelaStarved::CreditorLoses => "creditor-loses",
            VelaStarved::DebtorLoses => "debtor-loses",
            VelaStarved::Paika => "paika",
        };
        let starter = match self.vela_starter {
            VelaStarter::Debtor => "debtor",
            VelaStarter::Creditor => "creditor",
        };
        [
            ("forced-continuation", RuleValue::Switch(self.forced_continuation)),
            ("single-first-capture", RuleValue::Switch(self.single_first_capture)),
            ("blocked-is-draw", RuleValue::Switch(self.blocked_is_draw)),
            ("vela-starved", RuleValue::Word(starved)),
            ("vela-must-offer", RuleValue::Switch(self.vela_must_offer)),
            ("vela-starter", RuleValue::Word(starter)),
            ("repetition", RuleValue::Limit(self.repetition)),
            ("quiet", RuleValue::Limit(self.quiet)),
            ("max-plies", RuleValue::Limit(self.max_plies)),
        ]
    }

    /// Applies one word of the text form: `name` or `name=value`.
    ///
    /// # Errors
    /// Returns the reason if the word is not a rule; the rules are then unchanged.
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
        let mut gap = "";
        for ((name, value), (_, usual)) in
            self.values().into_iter().zip(Ruleset::default().values())
        {
            if value == usual {
                continue;
            }
            match value {
                RuleValue::Switch(true) => write!(f, "{gap}{name}")?,
                RuleValue::Switch(false) => write!(f, "{gap}{name}=false")?,
                RuleValue::Word(word) => write!(f, "{gap}{name}={word}")?,
                RuleValue::Limit(limit) => write!(f, "{gap}{name}={limit}")?,
            }
            gap = " ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parsing_printed_rules_returns_the_same_rules() {
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
    fn every_rule_has_a_value() {
        let text = "forced-continuation vela-starved=paika quiet=7";
        let rules: Ruleset = text.parse().unwrap();
        assert_eq!(rules.values().map(|(name, _)| name), Ruleset::WORDS);
        let mut again = Ruleset::default();
        for (name, value) in rules.values() {
            let value = match value {
                RuleValue::Switch(on) => on.to_string(),
                RuleValue::Word(word) => word.to_owned(),
                RuleValue::Limit(limit) => limit.to_string(),
            };
            again.set(&format!("{name}={value}")).unwrap();
        }
        assert_eq!(again, rules);
    }

    #[test]
    fn default_values_may_be_written_out() {
        let text = "forced-continuation=false vela-starved=creditor-loses vela-starter=debtor \
                    repetition=3 quiet=100 max-plies=0";
        assert_eq!(text.parse(), Ok(Ruleset::default()));
    }

    #[test]
    fn errors_name_the_wrong_word() {
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
