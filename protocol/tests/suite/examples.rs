//! Statements of the rules page as drawn boards, each small enough to check by eye.
//!
//! `W` and `b` are stones, dots are empty points. White's side is below, column a is on the left.

use fanorona_protocol::rules::{
    BoardSize, Game, IllegalMove, Move, Position, Reason, Ruleset, Side, Start, VelaStarter,
};

/// Returns the drawn position with these fields after the placement.
fn drawn(board: &str, fields: &str) -> Position {
    let rows: Vec<String> = board
        .lines()
        .map(|row| row.replace(' ', "").replace('.', "1"))
        .filter(|row| !row.is_empty())
        .collect();
    format!("{} {fields}", rows.join("/")).parse().expect("the drawn position is legal")
}

fn rules(text: &str) -> Ruleset {
    text.parse().expect("rules")
}

/// Returns the legal moves in alphabetical order.
fn moves(position: &Position, text: &str) -> String {
    let mut moves: Vec<_> =
        position.legal_moves(&rules(text)).iter().map(Move::to_string).collect();
    moves.sort();
    moves.join(" ")
}

/// Returns the position after moves that are legal by the default rules.
fn after(position: &Position, moves: &str) -> Position {
    moves.split(' ').fold(*position, |position, mv| {
        let mv = mv.parse().expect("a move");
        position.play(&Ruleset::default(), &mv).expect("a legal move")
    })
}

fn rejection(position: &Position, mv: &str, text: &str) -> String {
    let mv: Move = mv.parse().expect("a move");
    let illegal: IllegalMove = position.play(&rules(text), &mv).expect_err("an illegal move");
    illegal.to_string()
}

/// Returns reason and winner if the position alone ends the game.
fn end(position: &Position, text: &str) -> Option<(Reason, Option<Side>)> {
    rules(text).ending(position).map(|ending| (ending.reason, ending.winner))
}

/// One stone with four enemies around it, for tests of chains.
const AROUND: &str = "
    . . b . .
    . . . . .
    . . . . .
    W . b b .
    b . . . .
";

#[test]
fn strong_points_have_eight_lines_and_weak_ones_four() {
    let strong = drawn(". . . \n . W . \n . . .", "w");
    assert_eq!(moves(&strong, ""), "b2a1 b2a2 b2a3 b2b1 b2b3 b2c1 b2c2 b2c3");
    let weak = drawn(". . . \n . . . \n . W . \n . . . \n . . .", "w");
    assert_eq!(moves(&weak, ""), "b3a3 b3b2 b3b4 b3c3");
}

#[test]
fn white_starts_below_and_the_middle_row_is_shared() {
    let middle = |columns| match columns {
        3 => "b1W",
        5 => "bW1bW",
        7 => "bWb1WbW",
        _ => "bWbW1bWbW",
    };
    for size in BoardSize::all() {
        let (columns, half) = (size.columns(), size.rows() / 2);
        let (black, white) = ("b".repeat(columns) + "/", "/".to_owned() + &"W".repeat(columns));
        let rows = format!("{}{}{}", black.repeat(half), middle(columns), white.repeat(half));
        assert_eq!(Position::start(size).to_string(), format!("{rows} w - 0 1"));
    }
}

#[test]
fn a_capture_must_be_played_if_there_is_one() {
    let position = drawn(
        "
        . . b
        . . .
        W . W
        ",
        "w",
    );
    assert_eq!(moves(&position, ""), "a1b2A c1c2A");
    assert_eq!(rejection(&position, "a1b1", ""), "a capture is possible and must be played");
}

#[test]
fn a_step_that_could_capture_both_ways_names_one() {
    let position = drawn(
        "
        . . . . .
        b . W b .
        . . . . .
        ",
        "w",
    );
    assert_eq!(moves(&position, ""), "c2b2A c2b2W");
    assert_eq!(after(&position, "c2b2A"), drawn(". . . . . \n . W . b . \n . . . . .", "b"));
    assert_eq!(after(&position, "c2b2W"), drawn(". . . . . \n b W . . . \n . . . . .", "b"));
}

#[test]
fn the_whole_unbroken_run_is_captured() {
    let position = drawn(
        "
        . . . . . . . . .
        W . b b b . b W b
        . . . . . . . . .
        ",
        "w",
    );
    let expected = drawn(
        "
        . . . . . . . . .
        . W . . . . b W b
        . . . . . . . . .
        ",
        "b",
    );
    assert_eq!(after(&position, "a2b2A"), expected);
    let own_stone_ends_it = drawn(". . . . . \n W . b W b \n . . . . .", "w");
    let expected = drawn(". . . . . \n . W . W b \n . . . . .", "b");
    assert_eq!(after(&own_stone_ends_it, "a2b2A"), expected);
}

#[test]
fn a_chain_may_stop_anywhere_and_each_path_is_a_move() {
    let position = drawn(AROUND, "w");
    assert_eq!(
        moves(&position, ""),
        "a2a3W a2a3Wb4A a2a3Wb4Ac3A a2a3Wb4Ac3Ac4W a2b2A a2b2Ac3W a2b2Ac3Wc4A"
    );
    // Two paths lead to the same position.
    let left = after(&position, "a2a3Wb4Ac3Ac4W");
    assert_eq!(left, after(&position, "a2b2Ac3Wc4A"));
    assert_eq!(end(&left, ""), Some((Reason::NoStones, Some(Side::White))));
}

#[test]
fn forced_continuation_allows_only_complete_chains() {
    let position = drawn(AROUND, "w");
    assert_eq!(moves(&position, "forced-continuation"), "a2a3Wb4Ac3Ac4W a2b2Ac3Wc4A");
    assert_eq!(
        rejection(&position, "a2b2A", "forced-continuation"),
        "the stone can capture again, so the move must continue"
    );
}

#[test]
fn a_first_capture_can_be_limited_to_one_step() {
    // Black has all four stones of a 3×3 board, so White has not captured yet.
    let first = drawn(
        "
        . b .
        W . .
        b b b
        ",
        "w",
    );
    assert_eq!(moves(&first, ""), "a2a3W a2a3Wb2A");
    assert_eq!(moves(&first, "single-first-capture"), "a2a3W");
    assert_eq!(moves(&first, "single-first-capture forced-continuation"), "a2a3W");
    let later = drawn(
        "
        . . .
        W . .
        b . b
        ",
        "w",
    );
    assert_eq!(moves(&later, "single-first-capture"), "a2a3W a2a3Wb2A");
}

#[test]
fn no_point_is_visited_twice() {
    // Going back from c2 would take the other stone, but b2 is where the move began.
    let position = drawn(
        "
        . . . . .
        b W . b .
        . . . . .
        ",
        "w",
    );
    assert_eq!(moves(&position, ""), "b2c2A b2c2W");
    assert_eq!(
        rejection(&position, "b2c2Ab2A", ""),
        "the stone has already visited b2 in this move"
    );
}

#[test]
fn two_successive_steps_have_different_directions() {
    // From c2 the stone would approach e2, but it came eastwards.
    let position = drawn(
        "
        . . . . .
        b W . . b
        . . . . .
        ",
        "w",
    );
    assert_eq!(moves(&position, ""), "b2c2W");
    assert_eq!(
        rejection(&position, "b2c2Wd2A", ""),
        "the step to d2 has the same direction as the step before it"
    );
}

#[test]
fn a_creditor_who_offers_no_stone_loses() {
    let start = Start::TSIVY.vela(VelaStarter::Debtor);
    let starved = after(&start, "e2e3A e5e4 e3e2W f4e3");
    assert_eq!(moves(&starved, ""), "");
    assert_eq!(end(&starved, ""), Some((Reason::VelaStarved, Some(Side::White))));
    assert_eq!(end(&starved, "blocked-is-draw"), end(&starved, ""));
    assert_eq!(
        end(&starved, "vela-starved=debtor-loses"),
        Some((Reason::VelaStarved, Some(Side::Black)))
    );
    assert_eq!(end(&starved, "vela-starved=paika"), None);
    assert_eq!(moves(&starved, "vela-starved=paika"), "g3f4");
}

/// A vela with White as debtor. The creditor has six stones, one more than in phase two.
const SIX_LEFT: &str = "
    . . . . . . . . .
    . . . . . . . . .
    W . b b . . . b b
    . . . . . . . . b
    W . . . . . . . b
";

#[test]
fn the_seventeenth_stone_ends_phase_one_with_its_move() {
    let position = drawn(SIX_LEFT, "w w");
    assert!(position.is_vela_phase_one());
    assert_eq!(moves(&position, ""), "a1b2A a3b3A");
    // Only the nearest stone of the run is captured.
    let next = after(&position, "a3b3A");
    let expected = drawn(
        "
        . . . . . . . . .
        . . . . . . . . .
        . W . b . . . b b
        . . . . . . . . b
        W . . . . . . . b
        ",
        "b w",
    );
    assert_eq!(next, expected);
    // Five stones are left, so both sides now capture as in riatra.
    assert!(!next.is_vela_phase_one());
    assert_eq!(moves(&next, ""), "d3c3A d3c3Ab2A");
}

#[test]
fn in_phase_one_the_creditor_plays_paikas_only() {
    // Without the debt, Black would have to capture.
    let black = |debtor| drawn(SIX_LEFT, &format!("b {debtor}"));
    assert_eq!(moves(&black("-"), ""), "c3b2A c3b2Ac1W c3b3A");
    let offering = black("w");
    assert!(!moves(&offering, "").contains(['A', 'W']));
    assert_eq!(rejection(&offering, "c3b3A", ""), "in vela phase one the creditor may not capture");
}

#[test]
fn a_creditor_can_be_required_to_offer_a_stone() {
    // White can reach only c3, so any stone but this one may move.
    let position = drawn(SIX_LEFT, "b w");
    let all = moves(&position, "");
    let offering: Vec<_> = all.split(' ').filter(|mv| !mv.starts_with("c3")).collect();
    assert_eq!(moves(&position, "vela-must-offer"), offering.join(" "));
    assert!(all.contains("c3c4") && offering.len() < all.split(' ').count());
    assert_eq!(
        rejection(&position, "c3c4", "vela-must-offer"),
        "another paika leaves the debtor a capture, so this one is not allowed"
    );
}

#[test]
fn a_creditor_who_cannot_offer_a_stone_plays_any_paika() {
    let position = drawn(
        "
        . . . . . . . b b
        . . . . . . . b b
        . . . . . . . b b
        . . . . . . . . .
        W . . . . . . . .
        ",
        "b w",
    );
    let all = moves(&position, "");
    assert!(all.contains("h3g3"));
    assert_eq!(moves(&position, "vela-must-offer"), all);
}

#[test]
fn on_three_by_three_a_vela_has_no_phase_one() {
    let vela = Start::Usual(BoardSize::TELO).vela(VelaStarter::Debtor);
    assert!(!vela.is_vela_phase_one());
    assert_eq!(moves(&vela, ""), moves(&vela.with_debtor(None), ""));
    assert_eq!(moves(&vela, ""), "a1b2A b1b2A c1b2A c2b2A");
}

#[test]
fn a_side_without_a_move_loses_or_draws() {
    let blocked = drawn(
        "
        . . .
        b b .
        W b .
        ",
        "w",
    );
    assert_eq!(moves(&blocked, ""), "");
    assert_eq!(end(&blocked, ""), Some((Reason::NoMove, Some(Side::Black))));
    assert_eq!(end(&blocked, "blocked-is-draw"), Some((Reason::NoMove, None)));
}

#[test]
fn the_endings_are_checked_in_order() {
    let corners = "b . . . . \n . . . . . \n . . . . . \n . . . . . \n . . . . W";
    let mut game = Game::new(Ruleset::default(), drawn(corners, "w - 96 50"));
    for mv in ["e1d1", "a5a4", "d1e1", "a4a5"] {
        game.play(&mv.parse().unwrap()).unwrap();
    }
    let reason = |text: &str| game.history().ending(&rules(text)).map(|ending| ending.reason);
    assert_eq!(reason("repetition=2 max-plies=4"), Some(Reason::Repetition));
    assert_eq!(reason("max-plies=4"), Some(Reason::Quiet));
    assert_eq!(reason("quiet=0 max-plies=4"), Some(Reason::MaxPlies));
    assert_eq!(reason("quiet=0"), None);
}

#[test]
fn telo_noho_dimy_is_three_against_five() {
    let position = drawn(
        "
        b . . . . . . . b
        . . . . . . . . .
        . . . . b . . . .
        . . W . . . W . .
        b . . . W . . . b
        ",
        "w",
    );
    assert_eq!(position.board().count(Side::White), 3);
    assert_eq!(position.board().count(Side::Black), 5);
    assert_eq!(end(&position, ""), None);
    assert_eq!(moves(&position, ""), "e1e2A");
}
