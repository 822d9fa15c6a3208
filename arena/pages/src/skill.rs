//! The strength of the levels of `bot-alphabeta`, its option `Skill`.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_are_those_of_the_committed_match() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../results/skill/standings.csv");
        let mut reader = csv::Reader::from_path(path).unwrap();
        let columns = reader.headers().unwrap().clone();
        let place = |name: &str| columns.iter().position(|column| column == name).unwrap();
        let (kind, engine) = (place("kind"), place("engine"));
        let numbers = [place("elo"), place("elo_low"), place("elo_high")];
        let mut found = 0;
        for row in reader.records().map(Result::unwrap).filter(|row| &row[kind] == "all") {
            let Some(at) = LEVELS.iter().find(|at| row[engine] == format!("skill {}", at.level))
            else {
                continue;
            };
            let given = numbers.map(|column| row[column].parse::<f64>().unwrap());
            let off = given.iter().zip([at.elo, at.low, at.high]);
            off.for_each(|(given, ours)| assert!((given - ours).abs() <= 0.5, "{row:?} {at:?}"));
            found += 1;
        }
        assert_eq!(found, LEVELS.len());
    }
}
