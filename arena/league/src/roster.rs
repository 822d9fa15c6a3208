//! The versions of a league's bots that play, and the reasons why the others do not.

use super::members::{Members, Refusal, Version};
use super::played::Played;
use fanorona_tournament::progress::WithdrawalReason;

/// The state of a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// It plays.
    Plays,
    /// It did not pass the check at the door.
    Refused(Refusal),
    /// A later version has taken its place.
    Replaced(u32),
    /// Its bot was removed, at this time.
    Removed(String),
    /// It was withdrawn from a tournament, with the reason, and waits for a new version.
    Withdrawn(String),
    /// Its files are not those that were added, with the reason: another program would play in its
    /// name.
    Changed(String),
}

impl Status {
    /// Why it does not play; `None` if it does.
    pub fn reason(&self) -> Option<String> {
        match self {
            Status::Plays => None,
            Status::Refused(refusal) => Some(format!("not admitted: {}", refusal.reason)),
            Status::Replaced(by) => Some(format!("replaced by version {by}")),
            Status::Removed(when) => Some(format!("removed on {}", when.get(..10).unwrap_or(when))),
            Status::Withdrawn(why) => Some(format!("withdrawn: {why}; add a corrected version")),
            Status::Changed(why) => Some(format!("{why}; add a new version")),
        }
    }
}

/// The status of a version.
pub fn status_of(version: &Version, members: &Members, played: &[Played]) -> Status {
    if let Some(refusal) = &version.refused {
        return Status::Refused(refusal.clone());
    }
    if let Some(when) = &version.removed {
        return Status::Removed(when.clone());
    }
    let later = members.of(&version.bot).rev().find(|it| it.refused.is_none());
    if let Some(later) = later.filter(|it| it.version > version.version) {
        return Status::Replaced(later.version);
    }
    let name = version.engine_name();
    let faults = played.iter().rev().find_map(|it| withdrawn(it, &name));
    let changed = version.changed.clone().map(Status::Changed);
    faults.map(Status::Withdrawn).or(changed).unwrap_or(Status::Plays)
}

/// The versions that play.
pub fn active<'m>(members: &'m Members, played: &[Played]) -> Vec<&'m Version> {
    let plays = |version: &&Version| status_of(version, members, played) == Status::Plays;
    members.versions.iter().filter(plays).collect()
}

/// Why an engine was withdrawn from a tournament for its faults. One that did not start is tried again
/// in the next tournament: the cause may have been the machine.
fn withdrawn(played: &Played, name: &str) -> Option<String> {
    let place = played.tournament.names().position(|other| other == name)?;
    played.progress.withdrawals().iter().find(|it| it.engine.0 == place).and_then(|it| {
        let WithdrawalReason::Faults(faults) = &it.why else { return None };
        let faults: Vec<_> = faults
            .iter()
            .map(|(game, fault)| format!("{fault} in game {}-{game}", played.number))
            .collect();
        Some(format!("faults in three games in a row ({})", faults.join(", ")))
    })
}

/// Why a version did not start in a tournament; `None` if it did, or was not entered.
pub fn not_started(played: &Played, name: &str) -> Option<String> {
    let place = played.tournament.names().position(|other| other == name)?;
    played.progress.withdrawals().iter().find(|it| it.engine.0 == place).and_then(|it| {
        match &it.why {
            WithdrawalReason::Broken(why) => Some(why.clone()),
            WithdrawalReason::Faults(_) => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::members::tests::version;
    use super::*;

    #[test]
    fn the_latest_admitted_version_plays() {
        let refusal = Refusal { reason: "silent".into(), details: String::new() };
        let members = Members {
            versions: vec![
                version("ada", 1),
                version("ada", 2),
                Version { refused: Some(refusal.clone()), ..version("ada", 3) },
                version("bea", 1),
                Version { removed: Some("2026-02-03T04:05:06Z".into()), ..version("eva", 1) },
                Version { changed: Some("it is gone".into()), ..version("ida", 1) },
            ],
        };
        let status = |index: usize| status_of(&members.versions[index], &members, &[]);
        assert_eq!(status(0), Status::Replaced(2));
        assert_eq!((status(1), status(3)), (Status::Plays, Status::Plays));
        assert_eq!(status(2), Status::Refused(refusal));
        assert_eq!(status(4).reason().unwrap(), "removed on 2026-02-03");
        assert_eq!(status(5).reason().unwrap(), "it is gone; add a new version");
        let names: Vec<_> = active(&members, &[]).iter().map(|it| it.engine_name()).collect();
        assert_eq!(names, ["ada v2", "bea v1"]);
    }
}
