//! Journals that anything may have happened to: what is read from them is what was written, or they
//! are refused.

use std::fs;
use std::sync::LazyLock;

use fanorona_tournament::record::{GameRecord, Header, Journal, JournalError, Lock, Reader};
use proptest::prelude::*;

fn game(number: u64) -> GameRecord {
    let start = "bbb/b1W/WWW w - 0 1".parse().unwrap();
    let (result, reason) = ("1-0".parse().unwrap(), "no-stones".parse().unwrap());
    GameRecord {
        pair: Some(number.div_ceil(2)),
        white: "a \"quoted\", name".into(),
        black: "b\n".into(),
        detail: "what <happened>".into(),
        moves: "c1b2A".into(),
        white_ms: 3,
        black_ms: 4,
        idle_cpu_ms: [0, 7],
        ready_ms: [0; 2],
        times: vec![3],
        scores: vec!["cp 5".into()],
        ..GameRecord::new(number.to_string().parse().unwrap(), &start, result, reason)
    }
}

const GAMES: u64 = 4;

/// The bytes of a journal with these games.
static WRITTEN: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let dir = tempfile::tempdir().unwrap();
    let lock = Lock::take(dir.path()).unwrap();
    let mut journal = Journal::create(lock, &Header::new("test", "abc")).unwrap();
    for number in 1..=GAMES {
        journal.write(&game(number)).unwrap();
    }
    drop(journal);
    fs::read(Journal::path_in(dir.path())).unwrap()
});

/// Something that happens to a file.
#[derive(Clone, Debug)]
enum Damage {
    /// A flipped bit.
    Flip(usize, u8),
    /// Lost bytes.
    Lose(usize, usize),
    /// Inserted bytes.
    Insert(usize, Vec<u8>),
    /// A truncated end.
    Cut(usize),
    /// A duplicated line.
    Repeat(usize),
}

fn damages() -> impl Strategy<Value = Vec<Damage>> {
    let place = 0..4000usize;
    let damage = prop_oneof![
        (place.clone(), 0..8u8).prop_map(|(at, bit)| Damage::Flip(at, bit)),
        (place.clone(), 1..300usize).prop_map(|(at, count)| Damage::Lose(at, count)),
        (place.clone(), proptest::collection::vec(any::<u8>(), 1..40))
            .prop_map(|(at, bytes)| Damage::Insert(at, bytes)),
        place.prop_map(Damage::Cut),
        (0..5usize).prop_map(Damage::Repeat),
    ];
    proptest::collection::vec(damage, 1..4)
}

fn damage(bytes: &mut Vec<u8>, damage: &Damage) {
    let length = bytes.len().max(1);
    match damage {
        _ if bytes.is_empty() => {}
        Damage::Flip(at, bit) => bytes[at % length] ^= 1 << bit,
        Damage::Lose(at, count) => {
            let at = at % length;
            bytes.drain(at..(at + count).min(length));
        }
        Damage::Insert(at, new) => {
            let at = at % length;
            bytes.splice(at..at, new.iter().copied());
        }
        Damage::Cut(at) => bytes.truncate(at % length),
        Damage::Repeat(line) => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
            let again = lines[line % lines.len()].to_vec();
            bytes.extend(again);
        }
    }
}

proptest! {
    #[test]
    fn damage_is_found_or_does_not_matter(damages in damages()) {
        let dir = tempfile::tempdir().unwrap();
        let mut bytes = WRITTEN.clone();
        damages.iter().for_each(|each| damage(&mut bytes, each));
        let path = Journal::path_in(dir.path());
        fs::write(&path, &bytes).unwrap();
        match Journal::open(Lock::take(dir.path()).unwrap(), []) {
            Ok((mut journal, contents)) => {
                // Every game in it is one that was written.
                let mut reader = Reader::open(dir.path()).unwrap();
                for summary in contents.index.games() {
                    let read = reader.game(summary.offset).unwrap();
                    let number: u64 = read.id.to_string().parse().unwrap();
                    prop_assert_eq!(read, game(number).made_safe());
                }
                // It can be continued, and then also contains the new game.
                let before = contents.index.games().len();
                journal.write(&game(GAMES + 1)).unwrap();
                drop(journal);
                let again = Journal::read(dir.path(), []).unwrap();
                prop_assert_eq!((again.index.games().len(), again.torn), (before + 1, 0));
            }
            Err(error) => {
                // The file is unchanged, and the error gives the place.
                prop_assert_eq!(fs::read(&path).unwrap(), bytes);
                prop_assert!(error.to_string().contains("journal.jsonl"), "{}", error);
                prop_assert!(!matches!(error, JournalError::Locked { .. }), "{}", error);
            }
        }
    }
}
