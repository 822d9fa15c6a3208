//! The strength of the levels of `bot-alphabeta`, its option `Skill`, and the ladder of opponents for
//! people.

use serde::Serialize;

/// A level with its rating and 95 % interval, in Elo relative to the mean of the levels and
/// `bot-greedy`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Level {
    level: u32,
    elo: f64,
    low: f64,
    high: f64,
}

const fn level(level: u32, elo: f64, low: f64, high: f64) -> Level {
    Level { level, elo, low, high }
}

/// The measured levels (`results/skill`, 20 ms a move). The strength of a level between two of them
/// is between theirs.
pub(crate) const LEVELS: &[Level] = &[
    level(0, -311.0, -334.0, -288.0),
    level(4, -29.0, -45.0, -13.0),
    level(8, 121.0, 105.0, 137.0),
    level(12, 244.0, 227.0, 260.0),
    level(16, 326.0, 308.0, 344.0),
    level(20, 334.0, 315.0, 352.0),
];

/// An opponent for people: a bot with options.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(crate) struct Rung {
    /// Its number, from 1.
    level: u32,
    engine: &'static str,
    /// Its option `Skill`, if it has one.
    skill: Option<u32>,
    /// Its rating with the 95 % interval, as in [`LEVELS`].
    elo: f64,
    low: f64,
    high: f64,
    /// Its points of a hundred games against the rung below.
    below: Option<u32>,
}

/// The rung of a measured level of `bot-alphabeta`.
const fn skilled(level: u32, at: Level, below: u32) -> Rung {
    let Level { level: skill, elo, low, high } = at;
    let (skill, below) = (Some(skill), Some(below));
    Rung { level, engine: "bot-alphabeta", skill, elo, low, high, below }
}

/// `/api/levels`: the opponents from the weakest to the strongest. The first one was measured in
/// `results/beginners`, on whose scale `bot-greedy` has another rating, and the others in
/// `results/skill`.
pub(crate) const LADDER: [Rung; 8] = [
    Rung {
        level: 1,
        engine: "bot-random",
        skill: None,
        elo: -1412.0,
        low: -1501.0,
        high: -1323.0,
        below: None,
    },
    Rung {
        level: 2,
        engine: "bot-greedy",
        skill: None,
        elo: -684.0,
        low: -725.0,
        high: -642.0,
        below: Some(98),
    },
    skilled(3, LEVELS[0], 88),
    skilled(4, LEVELS[1], 83),
    skilled(5, LEVELS[2], 69),
    skilled(6, LEVELS[3], 65),
    skilled(7, LEVELS[4], 63),
    skilled(8, LEVELS[5], 53),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// The rows of a table of committed results, by column.
    fn rows(path: &str) -> Vec<HashMap<String, String>> {
        let path = format!("{}/../../results/{path}", env!("CARGO_MANIFEST_DIR"));
        let mut reader = csv::Reader::from_path(path).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }

    /// Rating and interval of an engine in both kinds of games.
    fn measured(results: &str, engine: &str) -> [f64; 3] {
        let rows = rows(&format!("{results}/standings.csv"));
        let row = rows.iter().find(|row| row["kind"] == "all" && row["engine"] == engine);
        let row = row.unwrap_or_else(|| panic!("{results} has no {engine}"));
        ["elo", "elo_low", "elo_high"].map(|column| row[column].parse().unwrap())
    }

    fn same(given: [f64; 3], ours: [f64; 3]) {
        let off = given.iter().zip(ours).map(|(given, ours)| (given - ours).abs());
        assert!(off.clone().all(|off| off <= 0.5), "{given:?} {ours:?}");
    }

    #[test]
    fn the_levels_are_those_of_the_committed_match() {
        for at in LEVELS {
            let given = measured("skill", &format!("skill {}", at.level));
            same(given, [at.elo, at.low, at.high]);
        }
        let skills = rows("skill/standings.csv");
        let skills =
            skills.iter().filter(|row| row["kind"] == "all" && row["engine"].starts_with("skill "));
        assert_eq!(skills.count(), LEVELS.len());
    }

    #[test]
    fn the_ladder_is_that_of_the_committed_matches() {
        let name = |rung: &Rung| match rung.skill {
            Some(skill) => format!("skill {skill}"),
            None => rung.engine.trim_start_matches("bot-").to_owned(),
        };
        let scale = measured("skill", "greedy")[0] - measured("beginners", "greedy")[0];
        for (index, rung) in LADDER.iter().enumerate() {
            assert_eq!(rung.level as usize, index + 1);
            let given = match index {
                0 => measured("beginners", "random").map(|elo| elo + scale),
                _ => measured("skill", &name(rung)),
            };
            same(given, [rung.elo, rung.low, rung.high]);
            let Some(below) = index.checked_sub(1).map(|below| name(&LADDER[below])) else {
                assert_eq!(rung.below, None);
                continue;
            };
            let results = if index == 1 { "beginners" } else { "skill" };
            let rows = rows(&format!("{results}/crosstable.csv"));
            let row = rows.iter().find(|row| {
                row["kind"] == "all" && row["engine"] == name(rung) && row["opponent"] == below
            });
            let [points, games] =
                ["points", "games"].map(|column| row.unwrap()[column].parse::<f64>().unwrap());
            assert_eq!(rung.below, Some((100.0 * points / games).round() as u32), "{rung:?}");
        }
    }
}
