//! Laws of moves: which ones are legal, and what they do.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use fanorona_protocol::rules::{Capture, Move, Position, Side, divide, perft, raw};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::positions::{Case, position, ruleset};
use crate::naive;

/// The largest number of moves the naive checker is tried with, because it is slow. Random
/// positions rarely have more.
const MOST_MOVES: u64 = 2000;

pub(crate) fn iff_legal(case: Case) -> TestCaseResult {
    let (position, rules) = case.parsed();
    let count = perft(&position, &rules, 1);
    prop_assume!(count <= MOST_MOVES);
    let mut ours = Vec::new();
    let flow = position.visit_moves(&rules, |mv, effect| {
        ours.push((mv.to_string(), position.apply_unchecked(effect).to_string()));
        ControlFlow::Continue(())
    });
    prop_assert!(flow.is_continue());
    for (mv, after) in &ours {
        let mv: Move = mv.parse().expect("a printed move");
        let played = position.play(&rules, &mv).map(|next| next.to_string());
        prop_assert_eq!(played.as_ref(), Ok(after));
    }
    ours.sort();
    prop_assert_eq!(&ours, &naive::moves(&case.position, &case.rules));
    prop_assert_eq!(ours.len() as u64, count);
    prop_assert_eq!(position.legal_moves(&rules).len(), ours.len());
    prop_assert_eq!(position.has_move(&rules), !ours.is_empty());
    prop_assert_eq!(position.has_capture(), naive::has_capture(&case.position));
    prop_assert_eq!(position.is_vela_phase_one(), naive::phase_one(&case.position));
    Ok(())
}

/// A change that makes a legal move doubtful: the kind of change, a number that selects the move,
/// and a seed for the rest.
pub(crate) type Mutation = (u8, u16, u64);

pub(crate) fn mutations() -> impl Strategy<Value = Vec<Mutation>> {
    vec((0..9u8, any::<u16>(), any::<u64>()), 100)
}

pub(crate) fn altered((case, mutations): (Case, Vec<Mutation>)) -> TestCaseResult {
    let (position, rules) = case.parsed();
    let legal = position.legal_moves(&rules);
    for mutation in mutations {
        let mv = mutate(&position, &legal, mutation);
        let read: Result<Move, _> = mv.parse();
        let played = read.ok().and_then(|mv| position.play(&rules, &mv).ok());
        let judged = naive::play(&case.position, &case.rules, &mv);
        prop_assert_eq!(played.map(|next| next.to_string()), judged, "{}", mv);
    }
    Ok(())
}

/// Returns the words of a move: its points, each with its mark.
fn words(mv: &Move) -> Vec<String> {
    let mut words = vec![mv.from().to_string()];
    for (point, step) in mv.points().zip(mv.steps()) {
        let mark = match step.capture {
            Some(Capture::Approach) => "A",
            Some(Capture::Withdrawal) => "W",
            None => "",
        };
        words.push(format!("{point}{mark}"));
    }
    words
}

/// Returns the text of a changed legal move, or of a random path of a stone.
fn mutate(position: &Position, legal: &[Move], (kind, place, mut dice): Mutation) -> String {
    let mut roll = |sides: usize| {
        dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (dice >> 33) as usize % sides
    };
    let size = position.board().size();
    let near = |word: &str, roll: &mut dyn FnMut(usize) -> usize| {
        let (column, row) = (word.as_bytes()[0], word.as_bytes()[1]);
        let column = (column + roll(3) as u8 - 1).clamp(b'a', b'i');
        let row = (row + roll(3) as u8 - 1).clamp(b'1', b'9');
        format!("{}{}{}", column as char, row as char, ["A", "W", "A", "W", ""][roll(5)])
    };
    let own: Vec<String> = position
        .board()
        .stones(position.side_to_move())
        .into_iter()
        .map(|point| point.to_string())
        .collect();
    if legal.is_empty() || kind == 8 {
        let any = format!(
            "{}{}",
            (b'a' + roll(size.columns()) as u8) as char,
            (b'1' + roll(size.rows()) as u8) as char
        );
        let mut words = vec![if own.is_empty() { any } else { own[roll(own.len())].clone() }];
        for _ in 0..=roll(4) {
            words.push(near(&words[words.len() - 1], &mut roll));
        }
        return words.concat();
    }
    let mut words = words(&legal[place as usize % legal.len()]);
    let at = roll(words.len());
    match kind {
        // The other mark, or a mark where none belongs.
        0 => match words[at].len() {
            3 if words[at].ends_with('A') => words[at].replace_range(2.., "W"),
            3 => words[at].replace_range(2.., "A"),
            _ => words[at].push('A'),
        },
        // No mark.
        1 => words[at].truncate(2),
        // The last word missing.
        2 => words.truncate(words.len().max(2) - 1),
        // An additional step.
        3 => words.push(near(&words[words.len() - 1], &mut roll)),
        // Another stone with the same path.
        4 if !own.is_empty() => words[0] = own[roll(own.len())].clone(),
        // The same path from a neighbouring point.
        5 => words[0] = near(&words[0], &mut roll)[..2].to_owned(),
        // Another point in the path.
        6 => words[at] = near(&words[at], &mut roll),
        // The same word twice.
        _ => {
            let again = words[at].clone();
            words.push(again);
        }
    }
    words.concat()
}

/// Returns the letters of a position's points, from `a1` on, and its other fields.
fn letters(text: &str) -> (Vec<char>, Vec<&str>) {
    let (placement, fields) = text.split_once(' ').expect("fields");
    let mut rows = naive::rows_of(placement);
    rows.reverse();
    (rows.concat().chars().collect(), fields.split(' ').collect())
}

pub(crate) fn effects(case: Case) -> TestCaseResult {
    let (position, rules) = case.parsed();
    let (own, enemy) = match position.side_to_move() {
        Side::White => ('W', 'b'),
        Side::Black => ('b', 'W'),
    };
    let (before, fields) = letters(&case.position);
    let mut effects = Vec::new();
    position.visit_effects(&rules, |effect| effects.push(effect));
    let mut result = Ok(());
    let mut index = 0;
    let _ = position.visit_moves(&rules, |mv, effect| {
        result = (|| {
            prop_assert_eq!(Some(&effect), effects.get(index), "effects come in the same order");
            prop_assert_eq!(position.effect_of(&rules, mv), Ok(effect));
            prop_assert_eq!(raw::unpack(raw::pack(effect)), effect);
            prop_assert!(raw::pack(effect) < 1 << 57);
            let next = position.apply_unchecked(effect).to_string();
            let (after, next_fields) = letters(&next);
            for (point, (&was, &is)) in before.iter().zip(&after).enumerate() {
                let expected = match point {
                    _ if point == raw::from(effect) => (own, '.'),
                    _ if point == raw::to(effect) && raw::captured(effect) >> point & 1 == 1 => {
                        (enemy, own)
                    }
                    _ if point == raw::to(effect) => ('.', own),
                    _ if raw::captured(effect) >> point & 1 == 1 => (enemy, '.'),
                    _ => (was, was),
                };
                prop_assert_eq!((was, is), expected, "{} point {}", mv, point);
            }
            let count = |letters: &[char], side| letters.iter().filter(|&&l| l == side).count();
            prop_assert_eq!(count(&before, own), count(&after, own));
            prop_assert_eq!(count(&before, enemy), count(&after, enemy) + effect.gain() as usize);
            prop_assert_eq!(effect.is_capture(), mv.is_capture());
            prop_assert_eq!(effect.gain() > 0, mv.is_capture());
            prop_assert_eq!(fields[1], next_fields[1], "the debtor stays");
            prop_assert_ne!(fields[0], next_fields[0], "the side changes");
            Ok(())
        })();
        index += 1;
        if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    result?;
    prop_assert_eq!(index, effects.len());
    Ok(())
}

pub(crate) fn phase_one((text, rules): (String, String)) -> TestCaseResult {
    let (position, rules_text, rules) = (position(&text), &rules, ruleset(&rules));
    prop_assume!(naive::phase_one(&text));
    let debtor = position.debtor() == Some(position.side_to_move());
    let starved = debtor && !naive::has_capture(&text);
    for mv in position.legal_moves(&rules) {
        let effect = position.effect_of(&rules, &mv).expect("a generated move");
        if debtor && !starved {
            prop_assert_eq!((mv.steps().len(), effect.gain()), (1, 1), "{}", mv);
        } else {
            prop_assert!(!mv.is_capture() && effect.gain() == 0, "{}", mv);
            prop_assert!(!debtor || rules_text.contains("vela-starved=paika"), "{}", mv);
        }
    }
    Ok(())
}

pub(crate) fn perft_law((case, depth): (Case, u32)) -> TestCaseResult {
    let (position, rules) = case.parsed();
    // The greatest depth whose count is small enough.
    let depth = (1..=depth).rev().find(|&depth| perft(&position, &rules, depth) <= MOST_MOVES);
    prop_assume!(depth.is_some());
    let depth = depth.expect("assumed");
    let count = perft(&position, &rules, depth);
    prop_assert_eq!(count, naive::count_lines(&case.position, &case.rules, depth));
    let mut divided = BTreeMap::new();
    let _ = divide(&position, &rules, depth, |mv, below| {
        divided.insert(mv.to_string(), below);
        ControlFlow::Continue(())
    });
    prop_assert_eq!(divided.values().sum::<u64>(), count);
    prop_assert_eq!(divided.len() as u64, perft(&position, &rules, 1));
    Ok(())
}

pub(crate) fn start_perft((start, rules, depth): (Position, String, u32)) -> TestCaseResult {
    perft_law((Case { position: start.to_string(), rules }, depth))
}
