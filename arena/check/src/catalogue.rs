//! The list of checks, each with its number, group, level and section of the protocol page.

use std::str::FromStr;

use serde::Serialize;
use strum::VariantArray;

use super::definition::Check;
use super::{Level, groups};

/// The subject of a check.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[derive(Serialize, strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[expect(missing_docs, reason = "the modules of `groups` document them")]
pub enum Group {
    Handshake,
    Options,
    Positions,
    Moves,
    Endings,
    Limits,
    Stopping,
    Info,
    Queries,
    Input,
    Exit,
    Repeat,
}

impl Group {
    /// Every group, in the order of the numbers.
    pub const ALL: &'static [Group] = Group::VARIANTS;

    /// The word used in options and reports.
    pub fn word(self) -> &'static str {
        self.into()
    }

    /// The checks of the group. A new check is added at the end, so that the others keep their
    /// numbers.
    fn checks(self) -> &'static [Check] {
        match self {
            Group::Handshake => groups::handshake::CHECKS,
            Group::Options => groups::options::CHECKS,
            Group::Positions => groups::positions::CHECKS,
            Group::Moves => groups::moves::CHECKS,
            Group::Endings => groups::endings::CHECKS,
            Group::Limits => groups::limits::CHECKS,
            Group::Stopping => groups::stopping::CHECKS,
            Group::Info => groups::info::CHECKS,
            Group::Queries => groups::queries::CHECKS,
            Group::Input => groups::input::CHECKS,
            Group::Exit => groups::exit::CHECKS,
            Group::Repeat => groups::repeat::CHECKS,
        }
    }
}

/// A check with its number.
#[derive(Clone, Copy, Debug)]
pub struct Numbered {
    /// The group's number times 100, plus the check's place in the group; both count from 1.
    pub number: u32,
    /// The group.
    pub group: Group,
    /// The check.
    pub check: &'static Check,
}

/// Every check, in the order of the numbers.
pub fn all() -> impl Iterator<Item = Numbered> {
    (1_u32..).zip(Group::ALL).flat_map(|(hundred, &group)| {
        let numbered =
            move |(place, check)| Numbered { number: hundred * 100 + place, group, check };
        (1_u32..).zip(group.checks()).map(numbered)
    })
}

/// A selection of checks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Only the checks up to this level; `None` for all levels.
    pub level: Option<Level>,
    /// Only these groups or checks; empty for all.
    pub only: Vec<CheckFilter>,
}

/// A group, or a check by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are enough")]
pub enum CheckFilter {
    Group(Group),
    Number(u32),
}

/// The text names neither a group nor a check.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SelectionError {
    /// The word is not a group.
    #[error(
        "`{word}` is not a group: expected {}, or the number of a check (see arena check --list)",
        Group::ALL.iter().map(|group| group.word()).collect::<Vec<_>>().join(", ")
    )]
    Group {
        /// The text.
        word: String,
    },
    /// No check has this number.
    #[error("no check has the number {0}: see arena check --list")]
    Number(u32),
}

impl FromStr for CheckFilter {
    type Err = SelectionError;

    fn from_str(text: &str) -> Result<CheckFilter, SelectionError> {
        if let Ok(number) = text.parse() {
            let known = all().any(|numbered| numbered.number == number);
            return if known {
                Ok(CheckFilter::Number(number))
            } else {
                Err(SelectionError::Number(number))
            };
        }
        let unknown = |_| SelectionError::Group { word: text.to_owned() };
        text.parse().map(CheckFilter::Group).map_err(unknown)
    }
}

impl Selection {
    /// The selected checks, in order.
    pub fn checks(&self) -> Vec<Numbered> {
        all().filter(|numbered| self.has(numbered)).collect()
    }

    /// The level above the selected one, and how many more checks it would select; `None` if there are
    /// no more.
    pub fn further(&self) -> Option<(Level, usize)> {
        let selected = self.level?;
        let level = Level::ALL.iter().copied().find(|&level| level > selected)?;
        let all = Selection { level: Some(level), only: self.only.clone() };
        let more = all.checks().len() - self.checks().len();
        (more > 0).then_some((level, more))
    }

    fn has(&self, numbered: &Numbered) -> bool {
        let named = |only: &CheckFilter| match *only {
            CheckFilter::Group(group) => group == numbered.group,
            CheckFilter::Number(number) => number == numbered.number,
        };
        self.level.is_none_or(|level| numbered.check.level <= level)
            && (self.only.is_empty() || self.only.iter().any(named))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn numbers(level: Option<Level>, only: &[&str]) -> Vec<u32> {
        let only = only.iter().map(|text| text.parse().unwrap()).collect();
        Selection { level, only }.checks().iter().map(|numbered| numbered.number).collect()
    }

    #[test]
    fn checks_are_selected_by_level_group_and_number() {
        let all = numbers(None, &[]);
        assert!(all.is_sorted() && all.len() >= 60, "{}", all.len());
        assert_eq!(numbers(Some(Level::Full), &[]), all);
        assert!(numbers(Some(Level::Basic), &[]).len() < all.len());
        assert_eq!(numbers(None, &["104", "101"]), [101, 104]);
        let handshake = numbers(None, &["handshake"]);
        assert!(handshake.iter().all(|number| number / 100 == 1) && handshake.len() > 3);
        let further = |level, only: &[&str]| {
            let only = only.iter().map(|text| text.parse().unwrap()).collect();
            Selection { level, only }.further()
        };
        let basic = numbers(Some(Level::Basic), &[]).len();
        assert_eq!(further(Some(Level::Basic), &[]), Some((Level::Full, all.len() - basic)));
        assert_eq!(further(Some(Level::Basic), &["101"]), None);
        assert_eq!((further(Some(Level::Full), &[]), further(None, &[])), (None, None));
        assert!("907865".parse::<CheckFilter>().is_err() && "hand".parse::<CheckFilter>().is_err());
    }

    #[test]
    fn every_check_cites_a_heading_of_the_protocol_page() {
        let page = include_str!("../../../protocol/UGI.md");
        let headings: BTreeSet<&str> = page
            .lines()
            .filter_map(|line| line.trim_start_matches('#').strip_prefix(' '))
            .collect();
        for Numbered { number, check, .. } in all() {
            assert!(headings.contains(check.section), "{number}: {}", check.section);
        }
    }

    #[test]
    fn titles_are_unique_and_every_check_has_a_hint() {
        let titles: BTreeSet<&str> = all().map(|numbered| numbered.check.title).collect();
        assert_eq!(titles.len(), all().count());
        for Numbered { number, check, .. } in all() {
            assert!(!check.fix_hint.is_empty() && !check.title.ends_with('.'), "{number}");
        }
    }
}
