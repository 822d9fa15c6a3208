//! Laws of texts: parsing a printed value returns the same value, and no text makes a parser panic.

use fanorona_protocol::rules::{BoardSize, Move, Point, Position, Reason, Ruleset, Setup, Start};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;
use std::fmt::Display;
use std::str::FromStr;

use super::positions::{Case, positions as any_position, rules};

pub(crate) fn positions(case: Case) -> TestCaseResult {
    let (position, rules) = case.parsed();
    prop_assert_eq!(position.to_string(), &case.position[..]);
    let setup: Setup = case.position.parse().expect("a position is a setup");
    prop_assert_eq!(&setup, &Setup::from(&position));
    prop_assert_eq!(setup.to_string(), &case.position[..]);
    let read = Position::try_from(setup).expect("a position's setup is legal");
    prop_assert_eq!(
        (read, read.quiet_plies(), read.full_move()),
        (position, position.quiet_plies(), position.full_move())
    );
    for mv in position.legal_moves(&rules) {
        prop_assert_eq!(mv.to_string().parse(), Ok(mv));
        for point in mv.points() {
            prop_assert_eq!(point.to_string().parse(), Ok(point));
        }
    }
    let size = position.board().size();
    prop_assert_eq!(size.to_string().parse(), Ok(size));
    let start = Start::Usual(size);
    prop_assert_eq!(start.to_string().parse(), Ok(start));
    Ok(())
}

pub(crate) fn rulesets(rules: Ruleset) -> TestCaseResult {
    prop_assert_eq!(rules.to_string().parse(), Ok(rules));
    // The order of the words does not matter.
    let text = rules.to_string();
    let backwards: Vec<&str> = text.split(' ').rev().collect();
    prop_assert_eq!(backwards.join(" ").parse(), Ok(rules));
    Ok(())
}

/// Random texts, texts of the right characters, and valid texts with one change.
pub(crate) fn strange() -> impl Strategy<Value = String> {
    let letters =
        vec(select("abcdefghiABW123456789/ -=.\u{e9}\t\0wx0".chars().collect::<Vec<_>>()), 0..80);
    let bytes = vec(any::<u8>(), 0..60);
    let moves = vec(select(vec!["a1", "a2A", "b2W", "b1A", "e3", "i9W", "A", "1"]), 0..60);
    let known = prop_oneof![
        any_position(),
        rules(),
        select(vec!["tsivy", "left-right", "9x5", "e3", "e2e3Ad4W", "vela-starved", "quiet=7"])
            .prop_map(str::to_owned),
    ];
    let spoilt = (known, any::<prop::sample::Index>(), any::<char>(), 0..3u8).prop_map(
        |(text, at, letter, how)| {
            let mut letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len() + 1);
            match how {
                0 => letters.insert(at, letter),
                1 => letters.truncate(at),
                _ => letters.iter_mut().skip(at).take(1).for_each(|old| *old = letter),
            }
            letters.into_iter().collect::<String>()
        },
    );
    prop_oneof![
        any::<String>(),
        letters.prop_map(String::from_iter),
        bytes.prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        moves.prop_map(|words| words.concat()),
        spoilt,
    ]
}

pub(crate) fn never_panics(texts: Vec<String>) -> TestCaseResult {
    for text in &texts {
        reads::<Position>(text)?;
        reads::<Setup>(text)?;
        reads::<Move>(text)?;
        reads::<Ruleset>(text)?;
        reads::<Start>(text)?;
        reads::<Point>(text)?;
        reads::<BoardSize>(text)?;
        reads::<Reason>(text)?;
    }
    Ok(())
}

/// Parses a text as a value. If it is valid, parsing the printed value must return the same value.
/// If not, the error must have a message.
fn reads<T>(text: &str) -> TestCaseResult
where
    T: FromStr + Display + PartialEq + std::fmt::Debug,
    T::Err: Display,
{
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            let again = printed.parse::<T>().ok();
            prop_assert_eq!(again.as_ref(), Some(&value), "{:?} printed as {:?}", text, printed);
        }
        Err(error) => prop_assert!(!error.to_string().is_empty(), "{:?}", text),
    }
    Ok(())
}
