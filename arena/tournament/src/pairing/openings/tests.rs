//! Tests of the openings of a tournament.

use std::collections::HashSet;
use std::num::NonZeroU32;

use fanorona_protocol::rules::{Position, Side};

use super::*;
use crate::config::EngineConfig;
use crate::pairing::schedule::Schedule;

fn tournament(source: OpeningSource, kinds: &[Kind]) -> Tournament {
    let engines = ["a", "b", "c"].map(|name| EngineConfig::new(name, "x")).to_vec();
    let mut tournament = Tournament::new("t", "/configs", engines);
    tournament.openings = source;
    tournament.kinds = kinds.to_vec();
    tournament.rounds = NonZeroU32::new(7).unwrap();
    tournament
}

fn text(opening: &Opening) -> String {
    let moves: Vec<String> = opening.book.iter().map(Move::to_string).collect();
    moves.join(" ")
}

/// The opening moves of every pairing in schedule order.
fn books(tournament: &Tournament, file: &str) -> Vec<(Pairing, String)> {
    let openings = Openings::new(tournament, file).unwrap();
    let schedule = Schedule::new(tournament);
    schedule.iter().map(|pairing| (pairing, text(&openings.of_pairing(&pairing)))).collect()
}

const BOTH: [Kind; 2] = [Kind::Riatra, Kind::Vela];

#[test]
fn a_pair_shares_one_opening_and_openings_do_not_repeat() {
    let tournament = tournament(OpeningSource::Random { plies: 4 }, &BOTH);
    let books = books(&tournament, "");
    let mut seen = HashSet::new();
    for pair in books.chunks(2) {
        let [(one, book), (other, same)] = pair else { panic!("pairs are two") };
        assert_eq!((one.pair, book), (other.pair, same));
        assert!(seen.insert((one.kind, one.first, one.second, book)), "{book}");
    }
    assert_eq!(seen.len(), 2 * 3 * 7);
}

#[test]
fn openings_do_not_depend_on_earlier_requests() {
    let tournament = tournament(OpeningSource::Random { plies: 4 }, &BOTH);
    let all = books(&tournament, "");
    for (pairing, book) in all.iter().rev().step_by(5) {
        let fresh = Openings::new(&tournament, "").unwrap();
        assert_eq!(text(&fresh.of_pairing(pairing)), *book);
    }
}

/// A seed in published results must give the same openings forever.
#[test]
fn the_openings_of_a_seed_never_change() {
    let mut tournament = tournament(OpeningSource::Random { plies: 3 }, &BOTH);
    let drawn = |tournament: &Tournament| -> Vec<String> {
        books(tournament, "").into_iter().step_by(6).take(4).map(|(_, book)| book).collect()
    };
    assert_eq!(
        drawn(&tournament),
        ["f2e3A f3f2A d3d4A", "f2e3A c4d4 e3f2W", "d2e3A f3f4Wg5W d3e3Wf4Af3W", "e2e3A f4e4 g3f4A",]
    );
    let first = drawn(&tournament);
    tournament.seed = 2;
    assert_ne!(drawn(&tournament), first);
}

#[test]
fn the_start_has_no_moves_and_a_vela_has_its_debtor() {
    let mut tournament = tournament(OpeningSource::Start, &BOTH);
    tournament.rules = "vela-starter=creditor".parse().unwrap();
    let openings = Openings::new(&tournament, "").unwrap();
    let debtors: HashSet<(Kind, Option<Side>)> = Schedule::new(&tournament)
        .iter()
        .map(|pairing| (pairing.kind, openings.of_pairing(&pairing)))
        .inspect(|(_, opening)| assert!(opening.book.is_empty()))
        .map(|(kind, opening)| (kind, opening.start.debtor()))
        .collect();
    assert_eq!(debtors, [(Kind::Riatra, None), (Kind::Vela, Some(Side::Black))].into());
}

#[test]
fn named_openings_rotate() {
    let tournament = tournament(OpeningSource::Named, &[Kind::Vela]);
    let by_round: Vec<String> =
        books(&tournament, "").into_iter().step_by(6).map(|(_, book)| book).collect();
    assert_eq!(by_round, ["e2e3A", "f2e3A", "d2e3A", "d3e3A", "d3e3W", "e2e3A", "f2e3A"]);
}

#[test]
fn lines_of_a_file_are_sequential_or_shuffled() {
    let lines = "startpos e2e3A\nstartpos f2e3A\nstartpos d2e3A\n";
    let file = |order| OpeningSource::File { path: "o.txt".into(), order };
    let sequential = tournament(file(FileOrder::Sequential), &BOTH);
    for (pairing, book) in books(&sequential, lines) {
        assert_eq!(book, ["d2e3A", "e2e3A", "f2e3A"][pairing.round as usize % 3]);
    }
    let random = tournament(file(FileOrder::Random), &BOTH);
    let mut orders = HashSet::new();
    for kind in BOTH {
        for first in 0..3 {
            let own =
                |p: &Pairing| p.kind == kind && p.first.0 == first && p.second.0 == (first + 1) % 3;
            let order: Vec<String> =
                books(&random, lines).into_iter().filter(|(p, _)| own(p)).map(|(_, b)| b).collect();
            assert_eq!(order[..3], order[3..6], "lines do not repeat before all were used");
            assert_eq!(order[..3].iter().collect::<HashSet<_>>().len(), 3);
            orders.insert(order);
        }
    }
    assert!(orders.len() > 1, "every pairing has its own order");
}

#[test]
fn a_file_needs_a_line_for_every_kind() {
    let source = OpeningSource::File { path: "o.txt".into(), order: FileOrder::Sequential };
    let tournament = tournament(source, &[Kind::Session]);
    let error = Openings::new(&tournament, "startpos e2e3A e5e4\n").unwrap_err().to_string();
    assert!(error.starts_with("/configs/o.txt has no opening for riatra: add one"), "{error}");
    let error = Openings::new(&tournament, "\nb2/3/2W w\nx\n").unwrap_err().to_string();
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].starts_with("/configs/o.txt:2: a position on 3x3"), "{error}");
    assert!(lines[1].starts_with("/configs/o.txt:3: expected a FEN"), "{error}");
    let missing = Openings::load(&tournament).unwrap_err().to_string();
    assert!(missing.starts_with("failed to read the openings /configs/o.txt"), "{missing}");
}

#[test]
fn every_game_of_a_session_takes_the_next_opening() {
    let tournament = tournament(OpeningSource::Random { plies: 4 }, &[Kind::Session]);
    let openings = Openings::new(&tournament, "").unwrap();
    let schedule = Schedule::new(&tournament);
    let (one, other) = (schedule.pairing(0).unwrap(), schedule.pairing(1).unwrap());
    let games = |session| -> Vec<(Position, String)> {
        let kinds = [GameKind::Riatra, GameKind::Vela, GameKind::Vela, GameKind::Riatra];
        let opening = |(kind, game)| openings.of_session_game(session, game, kind);
        kinds.into_iter().zip(1..).map(opening).map(|o| (o.start, text(&o))).collect()
    };
    let debtors: Vec<_> = games(&one).iter().map(|(start, _)| start.debtor()).collect();
    assert_eq!(debtors, [None, Some(Side::White), Some(Side::White), None]);
    assert_eq!(games(&one).iter().collect::<HashSet<_>>().len(), 4);
    assert_ne!(games(&one), games(&other), "each session has its own stream");
    assert_eq!(games(&one), games(&one));
    assert_eq!(text(&openings.of_pairing(&one)), games(&one)[0].1);
}

/// The lines for selection are independent of the openings of pairings, and can be read back.
#[test]
fn lines_for_selection_can_be_written_to_a_file() {
    let mut tournament = tournament(OpeningSource::Random { plies: 3 }, &BOTH);
    let random = Openings::new(&tournament, "").unwrap();
    for kind in GameKind::ALL {
        let drawn: Vec<Opening> = random.lines(kind).take(50).collect();
        let books: HashSet<String> = drawn.iter().map(text).collect();
        assert_eq!((drawn.len(), books.len()), (50, 50), "no line twice");
        let file: Vec<String> = drawn.iter().map(|line| random.line(kind, line)).collect();
        tournament.openings =
            OpeningSource::File { path: "o.txt".into(), order: FileOrder::Sequential };
        tournament.kinds = vec![kind.into()];
        let read = Openings::new(&tournament, &file.join("\n")).unwrap();
        assert_eq!(read.lines(kind).collect::<Vec<_>>(), drawn);
        assert_eq!((read.count(kind), random.count(kind)), (Some(50), None));
    }
}

#[test]
fn lines_for_selection_are_finite() {
    let mut tournament = tournament(OpeningSource::Random { plies: 1 }, &[Kind::Riatra]);
    let lines = |tournament: &Tournament| {
        let openings = Openings::new(tournament, "").unwrap();
        openings.lines(GameKind::Riatra).map(|line| text(&line)).collect::<Vec<_>>()
    };
    let mut first = lines(&tournament);
    first.sort();
    assert_eq!(first, ["d2e3A", "d3e3A", "d3e3W", "e2e3A", "f2e3A"]);
    tournament.openings = OpeningSource::Named;
    let mut named = lines(&tournament);
    named.sort();
    assert_eq!(named, first);
    tournament.openings = OpeningSource::Start;
    assert_eq!(lines(&tournament), [""]);
}
