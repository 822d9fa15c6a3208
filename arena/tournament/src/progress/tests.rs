//! Progress of tournaments with games given as text.

use super::*;
use crate::config::{CandidateRules, EngineConfig, Format};
use crate::game::fault::Fault;
use crate::pairing::stages::{Encounter, SwissStanding};
use crate::progress::candidates_run::Candidate;
use crate::record::example::game;
use crate::record::{Broken, GameRecord, Header, SecondOpinion};
use fanorona_ratings::Pentanomial;
use fanorona_ratings::sprt::{Model, Sprt, SprtOptions};
use std::num::NonZeroU32;

/// A match between `a` and `b`, or a round-robin of more engines.
fn tournament(engines: &str, kinds: &[Kind], rounds: u32) -> Tournament {
    let engines: Vec<_> = engines.chars().map(|name| EngineConfig::new(name, "x")).collect();
    let mut tournament = Tournament::new("t", "", engines);
    tournament.format = Format::RoundRobin;
    tournament.kinds = kinds.to_vec();
    tournament.rounds = NonZeroU32::new(rounds).unwrap();
    tournament
}

/// The progress of a tournament after some games.
fn progress(tournament: &Tournament, index: &Index) -> Progress {
    let mut progress = Progress::new(tournament, Shard::WHOLE);
    progress.advance(tournament, index);
    progress
}

/// A game from text `id white black end`: `=` is a draw, `*` is void, `+a` is a win of `a`, and `a`
/// is a fault of `a`.
fn finished_game(line: &str) -> GameRecord {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [id, white, black, end] = words[..] else { panic!("{line}") };
    let (result, reason, offender) = match end {
        "=" => ("1/2-1/2", "quiet", None),
        "*" => ("*", "void", None),
        name if name.strip_prefix('+') == Some(white) => ("1-0", "no-stones", None),
        name if name.starts_with('+') => ("0-1", "no-stones", None),
        "ab" => return both_fail(id, white, black),
        name if name == white => ("0-1", "crash", Some('w')),
        _ => ("1-0", "time", Some('b')),
    };
    GameRecord {
        white: white.into(),
        black: black.into(),
        result: result.parse().unwrap(),
        reason: reason.parse().unwrap(),
        offender,
        // All games have different moves.
        moves: id.into(),
        ..game(id)
    }
}

/// A game in which neither engine starts.
fn both_fail(id: &str, white: &str, black: &str) -> GameRecord {
    GameRecord {
        white: white.into(),
        black: black.into(),
        result: GameResult::Void,
        reason: "start".parse().unwrap(),
        offender: Some('w'),
        other_fault: Some(Fault::Start),
        ..game(id)
    }
}

fn index(engines: &str, games: &[&str]) -> Index {
    let names: Vec<String> = engines.chars().map(String::from).collect();
    let mut index = Index::new(names.iter().map(String::as_str));
    games.iter().for_each(|line| index.add(&finished_game(line), 0));
    index
}

/// The withdrawals with their games, and the number of decided pairings.
fn decided(engines: &str, kinds: &[Kind], rounds: u32, games: &[&str]) -> (String, u64) {
    let tournament = tournament(engines, kinds, rounds);
    let progress = progress(&tournament, &index(engines, games));
    let name = |withdrawal: &Withdrawal| {
        format!("{}@{}", tournament.engines[withdrawal.engine.0].name, withdrawal.after().unwrap())
    };
    let withdrawn: Vec<_> = progress.withdrawals().iter().map(name).collect();
    (withdrawn.join(" "), progress.decided)
}

const RIATRA: [Kind; 1] = [Kind::Riatra];

#[test]
fn three_faults_in_a_row_are_the_last() {
    let games = ["1 a b a", "2 b a a", "3 a b a", "4 b a b"];
    assert_eq!(decided("ab", &RIATRA, 3, &games[..2]), (String::new(), 2));
    // The remaining pairings of the withdrawn engine are skipped.
    assert_eq!(decided("ab", &RIATRA, 3, &games[..3]), ("a@3".into(), 6));
    assert_eq!(decided("ab", &RIATRA, 3, &games), ("a@3".into(), 6));
}

#[test]
fn only_a_game_without_any_fault_breaks_the_row() {
    let broken = ["1 a b a", "2 b a a", "3 a b =", "4 b a a", "5 a b a"];
    assert_eq!(decided("ab", &RIATRA, 3, &broken), (String::new(), 5));
    let opponent = ["1 a b a", "2 b a a", "3 a b b", "4 b a b", "5 a b a"];
    assert_eq!(decided("ab", &RIATRA, 3, &opponent), ("a@5".into(), 6));
    let void = ["1 a b a", "2 b a a", "3 a b *", "4 b a *", "5 a b a"];
    assert_eq!(decided("ab", &RIATRA, 3, &void), ("a@5".into(), 6));
}

#[test]
fn a_fault_that_one_of_two_workers_saw_neither_counts_nor_breaks_the_row() {
    let tournament = tournament("ab", &RIATRA, 3);
    let withdrawn = |doubted: &[&str]| {
        let mut index = index("ab", &[]);
        for line in ["1 a b a", "2 b a a", "3 a b a", "4 b a a"] {
            let game = finished_game(line);
            let agrees = !doubted.contains(&&*game.id.to_string());
            let second_opinion = Some(SecondOpinion { worker: "w2".into(), agrees });
            index.add(&GameRecord { second_opinion, ..game }, 0);
        }
        let progress = progress(&tournament, &index);
        progress.withdrawals().iter().map(|it| it.after().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(withdrawn(&[]), ["3"]);
    assert_eq!(withdrawn(&["2"]), ["4"]);
    assert_eq!(withdrawn(&["2", "3"]), [""; 0]);
}

#[test]
fn both_are_blamed_where_neither_starts() {
    let games = ["1 a b ab", "2 b a ab", "3 a b ab"];
    assert_eq!(decided("ab", &RIATRA, 3, &games), ("a@3 b@3".into(), 6));
    // One crash each: both engines count their faults separately.
    let moves = ["1 a b a", "2 b a b", "3 a b a", "4 b a b", "5 a b a"];
    assert_eq!(decided("ab", &RIATRA, 3, &moves), ("a@5".into(), 6));
}

#[test]
fn an_engine_that_did_not_start_plays_no_game() {
    // The pairings of three engines in one round: b-c, c-b, a-c, c-a, a-b, b-a.
    let tournament = tournament("abc", &RIATRA, 1);
    let broken = vec![Broken { engine: "b".into(), why: "no such file".into() }];
    let header = Header { broken, ..Header::new("t", "") };
    let mut progress = Progress::from_journal(&tournament, &header);
    let to_play = |progress: &Progress| {
        let left = progress.schedule().iter().filter(|pairing| !progress.skips(pairing));
        left.map(|pairing| pairing.id.to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(to_play(&progress), "3 4");
    progress.advance(&tournament, &index("abc", &["3 a c =", "4 c a +a"]));
    assert_eq!((progress.decided, progress.is_over()), (6, true));
    assert_eq!(progress.withdrawals()[0].after(), None);
    assert_eq!(progress.rests_on(), None);
}

#[test]
fn void_games_up_to_a_decision_are_not_played_again() {
    let rests_on = |games: &[&str]| {
        let tournament = tournament("ab", &RIATRA, 4);
        progress(&tournament, &index("ab", games)).rests_on().map(|pairing| pairing.0)
    };
    assert_eq!(rests_on(&["1 a b *", "2 b a =", "3 a b *"]), None);
    assert_eq!(rests_on(&["1 a b *", "2 b a a", "3 a b a", "4 b a a", "5 a b *"]), Some(4));
}

#[test]
fn the_row_goes_on_across_kinds() {
    let games = ["1 a b a", "2 b a a", "3 a b a"];
    let kinds = [Kind::Riatra, Kind::Vela];
    assert_eq!(decided("ab", &kinds, 1, &games), ("a@3".into(), 4));
}

#[test]
fn only_what_comes_before_all_that_is_missing_decides() {
    // The pairings of three engines in one round: b-c, c-b, a-c, c-a, a-b, b-a.
    let games = ["1 b c =", "2 c b =", "3 a c a", "4 c a a", "5 a b a", "6 b a ="];
    let without = |missing: usize| {
        let mut games = games.to_vec();
        games.remove(missing - 1);
        decided("abc", &RIATRA, 1, &games)
    };
    assert_eq!(decided("abc", &RIATRA, 1, &games), ("a@5".into(), 6));
    // Its own three games are finished, but the first pairing is not.
    assert_eq!(without(1), (String::new(), 0));
    assert_eq!(without(3), (String::new(), 2));
    // Pairings after the withdrawal are not waited for.
    assert_eq!(without(6), ("a@5".into(), 6));
}

#[test]
fn both_may_be_withdrawn_and_others_go_on() {
    let games = [
        "1 b c c", "2 c b c", "3 a c c", "4 c a =", "5 a b =", "6 b a =", "7 b c =", "9 a c a",
        "11 a b a", "12 b a a",
    ];
    let tournament = tournament("abc", &RIATRA, 3);
    let index = index("abc", &games);
    let progress = progress(&tournament, &index);
    let [out] = progress.withdrawals() else { panic!("{progress:?}") };
    let WithdrawalReason::Faults(faults) = &out.why else { panic!("{out:?}") };
    let faults = faults.map(|(id, fault)| format!("{id} {}", fault.word()));
    assert_eq!(faults, ["1 time", "2 crash", "3 time"]);
    // Games played beyond the withdrawal do not count, and are not faults of a either.
    let counting = index.games().iter().filter(|game| progress.counts(game));
    let counting: Vec<_> = counting.map(|game| game.id().to_string()).collect();
    assert_eq!(counting, ["1", "2", "3", "5", "6", "11", "12"]);
    // The third round waits for 17; the pairings of c before it are skipped.
    assert_eq!(progress.decided, 16);
    assert!(progress.skips(&progress.schedule().pairing(12).unwrap()));
    assert!(!progress.skips(&progress.schedule().pairing(16).unwrap()));
    assert_eq!(progress.finished(&tournament, &index), 10);
    assert_eq!(progress.missing(&tournament, &index), 2);
}

/// Visiting all of these games would take minutes.
#[test]
fn millions_of_missing_games_are_counted_at_once() {
    let names: String = ('a'..='z').collect();
    let tournament = tournament(&names, &RIATRA, Tournament::MAX_ROUNDS);
    let index = index(&names, &["1 a z a", "2 z a a"]);
    let progress = progress(&tournament, &index);
    assert_eq!(progress.finished(&tournament, &index), 2);
    assert_eq!(progress.missing(&tournament, &index), 26 * 25 * 1_000_000 - 2);
}

#[test]
fn in_a_part_nothing_is_decided() {
    let tournament = tournament("ab", &RIATRA, 4);
    let index = index("ab", &["1 a b a", "2 b a a", "5 a b a", "6 b a a"]);
    let mut progress = Progress::new(&tournament, "1/2".parse().unwrap());
    progress.advance(&tournament, &index);
    assert_eq!(progress.withdrawals(), []);
    assert_eq!(progress.finished(&tournament, &index), 4);
    assert_eq!(progress.missing(&tournament, &index), 0);
}

#[test]
fn going_on_step_by_step_is_going_on_at_once() {
    let games = ["1 b c =", "2 c b =", "3 a c a", "4 c a a", "5 a b a", "6 b a =", "7 b c c"];
    let tournament = tournament("abc", &RIATRA, 2);
    let at_once = progress(&tournament, &index("abc", &games));
    // The games end in another order.
    let order = [3, 0, 6, 4, 2, 1, 5];
    let mut progress = Progress::new(&tournament, Shard::WHOLE);
    for count in 0..=order.len() {
        let so_far: Vec<_> = order[..count].iter().map(|&place| games[place]).collect();
        progress.advance(&tournament, &index("abc", &so_far));
    }
    assert_eq!((progress.decided, progress.withdrawals), (at_once.decided, at_once.withdrawals));
}

#[test]
fn a_session_is_finished_before_it_decides() {
    let mut tournament = tournament("ab", &[Kind::Session], 1);
    // The loser of the riatra owes a vela, and the debt ends after three attempts.
    tournament.session.vela_attempts = 3;
    let withdrawn = |games: &[&str]| {
        let progress = progress(&tournament, &index("ab", games));
        progress.withdrawals().iter().map(|w| w.after().unwrap().to_string()).collect::<Vec<_>>()
    };
    let games = ["1.1 a b a", "1.2 a b a", "1.3 a b a", "1.4 a b a"];
    assert_eq!(withdrawn(&games[..3]), [""; 0]);
    assert_eq!(withdrawn(&games), ["1.3"]);
    // A void game ends the session, but the faults before it count.
    assert_eq!(withdrawn(&["1.1 a b a", "1.2 a b a", "1.3 a b a", "1.4 a b *"]), ["1.3"]);
}

/// A match between `a` and `b` with an SPRT; with `elo1` = 400 two won pairs decide it.
fn tested(kinds: &[Kind], rounds: u32, elo1: f64) -> Tournament {
    let options = SprtOptions { elo0: 0.0, elo1, alpha: 0.25, beta: 0.25, model: Model::Logistic };
    let mut tournament = tournament("ab", kinds, rounds);
    tournament.format = Format::Match;
    tournament.sprt = Some(Sprt::new(options).unwrap());
    tournament
}

#[test]
fn a_test_ends_the_match_after_the_pair_that_decides_it() {
    let tournament = tested(&[Kind::Riatra, Kind::Vela], 3, 400.0);
    let games = ["1 a b +a", "2 b a +a", "3 a b +a", "4 b a +a", "5 a b +b", "6 b a +b"];
    let whole = index("ab", &games);
    let progress = progress(&tournament, &whole);
    let state = progress.test().unwrap().state();
    assert_eq!((state.decision, state.pairs), (Decision::AcceptH1, 2));
    assert!(progress.is_stopped());
    // Games after the decision do not count.
    let counting: Vec<_> = whole.games().iter().map(|game| progress.counts(game)).collect();
    assert_eq!(counting, [true, true, true, true, false, false]);
    assert!(progress.skips(&progress.schedule().pairing(4).unwrap()));
    assert_eq!(progress.missing(&tournament, &whole), 0);
}

#[test]
fn a_test_looks_at_no_pair_before_those_missing_ahead_of_it() {
    let tournament = tested(&RIATRA, 4, 100.0);
    let games = ["1 a b +a", "2 b a =", "3 a b +b", "4 b a +a", "5 a b +a", "6 b a +a"];
    let at_once = progress(&tournament, &index("ab", &games));
    let mut progress = Progress::new(&tournament, Shard::WHOLE);
    let pairs = |progress: &Progress| progress.test().unwrap().state().pairs;
    for (finished, expected) in [(&[5, 4][..], 0), (&[5, 4, 0, 2], 0), (&[5, 4, 0, 2, 1], 1)] {
        let so_far: Vec<_> = finished.iter().map(|&place| games[place]).collect();
        progress.advance(&tournament, &index("ab", &so_far));
        assert_eq!(pairs(&progress), expected);
    }
    progress.advance(&tournament, &index("ab", &games));
    assert_eq!(progress.test(), at_once.test());
    assert_eq!((pairs(&progress), progress.is_stopped()), (3, false));
    assert_eq!(progress.missing(&tournament, &index("ab", &games)), 2);
}

#[test]
fn games_played_again_move_for_move_are_no_trials() {
    let tournament = tested(&RIATRA, 3, 400.0);
    let lines = ["1 a b +a", "2 b a +a", "3 a b +a", "4 b a +a", "5 a b +a", "6 b a +a"];
    let played = |moves: [&str; 6]| {
        let mut index = index("ab", &[]);
        for (line, moves) in lines.into_iter().zip(moves) {
            index.add(&GameRecord { moves: moves.into(), ..finished_game(line) }, 0);
        }
        let state = progress(&tournament, &index).test().unwrap().state();
        (state.decision, state.pairs, state.repeated_pairs)
    };
    // Two pairs decide this SPRT, but one pair played three times does not.
    assert_eq!(played(["x", "y", "x", "y", "x", "y"]), (Decision::Continue, 1, 2));
    assert_eq!(played(["x", "y", "x", "y", "x", "z"]), (Decision::AcceptH1, 2, 1));
    // So do games that ended before a move.
    assert_eq!(played([""; 6]), (Decision::Continue, 1, 2));
}

#[test]
fn sessions_are_trials_by_their_results() {
    let mut tournament = tested(&[Kind::Session], 1, 400.0);
    tournament.session.vela_attempts = 1;
    let pairs = |games: &[&str]| {
        let progress = progress(&tournament, &index("ab", games));
        progress.test().unwrap().state().pentanomial
    };
    // The loser of the riatra loses the vela and the session.
    let games = ["1.1 a b +b", "1.2 a b +b", "2.1 b a +b", "2.2 a b +b"];
    assert_eq!(pairs(&games[..3]), Pentanomial::default());
    assert_eq!(pairs(&games), Pentanomial { ll: 1, ..Default::default() });
    let void = ["1.1 a b *", "2.1 b a +b", "2.2 a b +b"];
    assert_eq!(pairs(&void), Pentanomial::default());
}

/// Candidates against `base`; with `elo1` = 400 a few won pairs decide one.
fn candidates(engines: &str, base: char, rounds: u32) -> Tournament {
    let test =
        SprtOptions { elo0: 0.0, elo1: 400.0, alpha: 0.25, beta: 0.25, model: Model::Logistic };
    let rules = CandidateRules { base: base.to_string(), test };
    let format = Format::Candidates;
    Tournament { format, candidates: Some(rules), ..tournament(engines, &RIATRA, rounds) }
}

/// Every candidate as `engine decision pairs`.
fn tests(progress: &Progress) -> Vec<String> {
    let line = |it: &Candidate| {
        let state = it.run.state();
        let decision = state.accepted().unwrap_or("open");
        format!("{} {decision} {}", letter(it.engine), state.pairs)
    };
    progress.candidates().unwrap().candidates().iter().map(line).collect()
}

#[test]
fn a_decided_candidate_leaves_its_pairs_to_the_others() {
    // `a` wins every game against the base `b`, `c` loses every game, `d` is level.
    let end = |pairing: &Pairing| match letter(pairing.first.min(pairing.second)) {
        _ if [pairing.first, pairing.second].map(letter).contains(&'d') => "=".to_owned(),
        winner => format!("+{winner}"),
    };
    let tournament = candidates("abcd", 'b', 6);
    let (progress, games) = played(&tournament, end);
    assert_eq!(tests(&progress), ["a H1 4", "c H0 1", "d H0 1"]);
    // Nobody plays after its decision, and the tournament ends with the last one.
    assert_eq!(games.len(), 2 * (4 + 1 + 1));
    assert!(progress.is_over() && progress.is_stopped());
    let lines: Vec<&str> = games.iter().map(String::as_str).collect();
    assert_eq!(progress.missing(&tournament, &index("abcd", &lines)), 0);
}

#[test]
fn candidates_are_decided_in_schedule_order() {
    let tournament = candidates("abc", 'a', 6);
    let (whole, games) =
        played(&tournament, |pairing| format!("+{}", letter(pairing.first.max(pairing.second))));
    // The games of every round end in another order than they began.
    let mut progress = Progress::new(&tournament, Shard::WHOLE);
    let mut so_far: Vec<&str> = Vec::new();
    for round in games.chunks(4) {
        for game in round.iter().rev() {
            so_far.push(game);
            progress.advance(&tournament, &index("abc", &so_far));
        }
    }
    assert_eq!(progress.candidates(), whole.candidates());
    assert_eq!(progress.rests_on(), whole.rests_on());
    // A pair after the decision does not count, even if it was played before the decision was known.
    let next = games.len() + 1;
    assert!(whole.is_stopped() && (next as u64) < whole.schedule().len(), "{next}");
    let beyond = [format!("{next} a b +b"), format!("{} b a +b", next + 1)];
    so_far.extend(beyond.iter().map(String::as_str));
    let index = index("abc", &so_far);
    let counting = index.games().iter().filter(|game| progress.counts(game)).count();
    assert_eq!((counting, index.games().len()), (games.len(), games.len() + 2));
}

#[test]
fn a_withdrawn_candidate_is_not_waited_for() {
    // `b` is at fault in every game; `c` wins all of its own.
    let end = |pairing: &Pairing| match [pairing.first, pairing.second].map(letter).contains(&'b') {
        true => "b".to_owned(),
        false => "+c".to_owned(),
    };
    let mut tournament = candidates("abc", 'a', 50);
    // One won pair decides nothing.
    tournament.candidates.as_mut().unwrap().test.elo1 = 150.0;
    let (progress, _) = played(&tournament, end);
    let tests = tests(&progress);
    assert_eq!(progress.withdrawals().len(), 1);
    assert!(tests[0].starts_with("b open 1") && tests[1].starts_with("c H1"), "{tests:?}");
    assert!(progress.is_stopped());
}

/// Plays a tournament to its end, stage by stage; `end` gives the end of each pairing.
fn played(tournament: &Tournament, end: impl Fn(&Pairing) -> String) -> (Progress, Vec<String>) {
    let names: String = tournament.names().collect();
    let name = |engine: EngineId| &names[engine.0..=engine.0];
    let mut progress = Progress::new(tournament, Shard::WHOLE);
    let mut games: Vec<String> = Vec::new();
    loop {
        let lines: Vec<&str> = games.iter().map(String::as_str).collect();
        progress.advance(tournament, &index(&names, &lines));
        let next = progress.schedule().iter().find(|pairing| {
            let id = format!("{} ", pairing.id);
            !progress.skips(pairing) && !games.iter().any(|game| game.starts_with(&id))
        });
        let Some(pairing) = next else { break };
        let (id, first, second) = (pairing.id, name(pairing.first), name(pairing.second));
        games.push(format!("{id} {first} {second} {}", end(&pairing)));
    }
    assert!(progress.is_over());
    (progress, games)
}

/// The engine that is earlier in the config wins.
fn earlier_wins(pairing: &Pairing) -> String {
    format!("+{}", letter(pairing.first.min(pairing.second)))
}

fn letter(EngineId(place): EngineId) -> char {
    char::from(b'a' + place as u8)
}

/// Every encounter as `stage engines points`, with its winner and the reason.
fn encounters(progress: &Progress) -> Vec<String> {
    let line = |it: &Encounter| {
        let [one, other] = it.engines.map(letter);
        let [points, others] = it.points.map(|halves| halves as f64 / 2.0);
        let winner = it.winner.map(|(winner, by)| format!(" {} {by}", letter(winner)));
        format!("{} {one}{other} {points}:{others}{}", it.stage, winner.unwrap_or_default())
    };
    progress.stages().unwrap().encounters().iter().map(line).collect()
}

/// The Swiss table, one line per engine: `engine points opponents' byes`.
fn places(progress: &Progress) -> Vec<String> {
    let line = |it: SwissStanding| {
        let (points, opponents) = (it.points as f64 / 2.0, it.opponents as f64 / 2.0);
        format!("{} {points} {opponents} {}", letter(it.engine), it.byes)
    };
    progress.stages().unwrap().ranking().into_iter().map(line).collect()
}

fn swiss(engines: &str, stages: u32, rounds: u32) -> Tournament {
    let stages = NonZeroU32::new(stages).unwrap();
    Tournament { format: Format::Swiss { stages }, ..tournament(engines, &RIATRA, rounds) }
}

fn knockout(engines: &str, tiebreaks: u32, rounds: u32) -> Tournament {
    Tournament { format: Format::Knockout { tiebreaks }, ..tournament(engines, &RIATRA, rounds) }
}

#[test]
fn in_a_swiss_equals_meet() {
    let (progress, games) = played(&swiss("abcd", 3, 2), earlier_wins);
    let expected = ["1 ac 4:0", "1 bd 4:0", "2 ab 4:0", "2 cd 4:0", "3 ad 4:0", "3 bc 4:0"];
    assert_eq!(encounters(&progress), expected);
    assert_eq!(places(&progress), ["a 12 12 0", "b 8 16 0", "c 4 20 0", "d 0 24 0"]);
    assert_eq!(games.len(), 24);
}

#[test]
fn a_bye_scores_all_points_of_a_stage() {
    let (progress, games) = played(&swiss("abc", 2, 1), earlier_wins);
    assert_eq!(encounters(&progress), ["1 ab 2:0", "2 ac 2:0"]);
    // The byes of c in stage 1 and of b in stage 2 count as opponents with their own points.
    assert_eq!(places(&progress), ["a 4 4 0", "b 2 6 1", "c 2 6 1"]);
    assert_eq!(games.len(), 4);
}

#[test]
fn nothing_is_drawn_before_its_stage_is_decided() {
    let tournament = swiss("abcd", 3, 1);
    let (whole, games) = played(&tournament, earlier_wins);
    let mut progress = Progress::new(&tournament, Shard::WHOLE);
    // The games of every stage end in another order than they began.
    let order = [3, 0, 2, 1, 5, 7, 6, 4, 8, 11, 9, 10];
    for count in 0..=order.len() {
        let so_far: Vec<&str> = order[..count].iter().map(|&game| &*games[game]).collect();
        progress.advance(&tournament, &index("abcd", &so_far));
        let stages = (count as u64 / 4 + 1).min(3);
        assert_eq!(progress.schedule().drawn(), 4 * stages, "{count}");
        assert_eq!(progress.is_over(), count == order.len());
    }
    assert_eq!(progress.stages(), whole.stages());
    assert_eq!(progress.decided, whole.decided);
}

#[test]
fn the_withdrawn_are_paired_no_more_in_a_swiss() {
    // a is at fault in each of its games: it is withdrawn after three of four in the first stage.
    let end = |pairing: &Pairing| match [pairing.first, pairing.second].contains(&EngineId(0)) {
        true => "a".to_owned(),
        false => earlier_wins(pairing),
    };
    let (progress, games) = played(&swiss("abcd", 3, 2), end);
    assert_eq!(progress.withdrawals().len(), 1);
    // Its opponent wins the skipped games; one of the remaining three has a bye.
    let expected = ["1 ac 0:4", "1 bd 4:0", "2 bc 4:0", "3 bd 4:0"];
    assert_eq!(encounters(&progress), expected);
    assert_eq!(places(&progress), ["b 12 16 0", "c 8 20 1", "d 4 28 1", "a 0 8 0"]);
    assert_eq!(games.len(), 3 + 4 + 4 + 4);
}

#[test]
fn in_a_knockout_winners_go_on() {
    let (progress, games) = played(&knockout("abcde", 2, 1), earlier_wins);
    let expected =
        ["1 de 2:0 d points", "2 ad 2:0 a points", "2 bc 2:0 b points", "3 ab 2:0 a points"];
    assert_eq!(encounters(&progress), expected);
    // No tiebreak round was needed, so the numbers of those games stay unused.
    let ids: Vec<&str> = games.iter().map(|game| game.split(' ').next().unwrap()).collect();
    assert_eq!(ids, ["1", "2", "7", "8", "9", "10", "19", "20"]);
}

#[test]
fn a_level_encounter_gets_tiebreaks_then_the_seed() {
    let (progress, games) = played(&knockout("abcd", 2, 1), |pairing| match pairing.round {
        // b and c need one tiebreak round, a and d all of them.
        2 if pairing.first.min(pairing.second) == EngineId(1) => "+c".to_owned(),
        _ => "=".to_owned(),
    });
    let expected = ["1 ad 3:3 a seed", "1 bc 1:3 c tiebreak", "2 ac 3:3 a seed"];
    assert_eq!(encounters(&progress), expected);
    assert_eq!(games.len(), 6 + 4 + 6);
    let (progress, games) = played(&knockout("ab", 0, 1), |_| "=".to_owned());
    assert_eq!(encounters(&progress), ["1 ab 1:1 a seed"]);
    assert_eq!(games.len(), 2);
}

#[test]
fn the_opponent_of_the_withdrawn_goes_on() {
    // a leads until b is withdrawn.
    let end = |pairing: &Pairing| if pairing.round <= 3 { "+a" } else { "a" }.to_owned();
    let (progress, games) = played(&knockout("ab", 2, 5), end);
    assert_eq!(encounters(&progress), ["1 ab 6:4 b withdrawal"]);
    assert_eq!(games.len(), 9);
    // The opponent wins the skipped games.
    let end = |pairing: &Pairing| match [pairing.first, pairing.second] {
        pair if pair.contains(&EngineId(2)) => "c".to_owned(),
        _ => earlier_wins(pairing),
    };
    let (progress, games) = played(&knockout("abc", 0, 2), end);
    assert_eq!(encounters(&progress), ["1 bc 4:0 b withdrawal", "2 ab 4:0 a points"]);
    assert_eq!(games.len(), 3 + 4);
}

#[test]
fn void_games_give_nobody_anything() {
    let (progress, _) = played(&knockout("ab", 1, 1), |_| "*".to_owned());
    assert_eq!(encounters(&progress), ["1 ab 0:0 a seed"]);
}
