//! The random positions, rules and games with which the laws are tested.

use fanorona_protocol::rules::{
    BoardSize, MAX_LIMIT, MAX_POINTS, Position, Ruleset, Side, Start, VelaStarter, VelaStarved,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::naive;

/// A position and its rules, both as text, so that people can read a failure.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) position: String,
    pub(crate) rules: String,
}

impl Case {
    pub(crate) fn parsed(&self) -> (Position, Ruleset) {
        (position(&self.position), ruleset(&self.rules))
    }
}

pub(crate) fn position(text: &str) -> Position {
    text.parse().expect("a legal position")
}

pub(crate) fn ruleset(text: &str) -> Ruleset {
    text.parse().expect("rules")
}

/// Any position with any rule switches.
pub(crate) fn anything() -> impl Strategy<Value = Case> {
    (positions(), rules()).prop_map(|(position, rules)| Case { position, rules })
}

/// The switches that affect moves and endings, in any combination.
pub(crate) fn rules() -> impl Strategy<Value = String> {
    let words = [
        vec!["", "forced-continuation"],
        vec!["", "single-first-capture"],
        vec!["", "blocked-is-draw"],
        vec!["", "vela-starved=debtor-loses", "vela-starved=paika"],
        vec!["", "vela-must-offer"],
    ];
    let chosen: Vec<_> = words.into_iter().map(select).collect();
    chosen.prop_map(|words| {
        words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    })
}

/// Switches, and limits that are low enough to be reached.
pub(crate) fn limits() -> impl Strategy<Value = String> {
    (rules(), 0..5u32, 0..24u32, 0..60u32).prop_map(|(rules, repetition, quiet, plies)| {
        format!("{rules} repetition={repetition} quiet={quiet} max-plies={plies}")
    })
}

/// Switches and limits as a [`Ruleset`].
pub(crate) fn rulesets() -> impl Strategy<Value = Ruleset> {
    let starved =
        select(vec![VelaStarved::CreditorLoses, VelaStarved::DebtorLoses, VelaStarved::Paika]);
    let starter = select(vec![VelaStarter::Debtor, VelaStarter::Creditor]);
    let limit = || prop_oneof![0..200u32, 0..=MAX_LIMIT];
    let limits = (limit(), limit(), limit());
    (any::<[bool; 4]>(), starved, starter, limits).prop_map(
        |(on, vela_starved, vela_starter, (repetition, quiet, max_plies))| {
            let mut rules = Ruleset::default();
            rules.forced_continuation = on[0];
            rules.single_first_capture = on[1];
            rules.blocked_is_draw = on[2];
            rules.vela_must_offer = on[3];
            rules.vela_starved = vela_starved;
            rules.vela_starter = vela_starter;
            rules.repetition = repetition;
            rules.quiet = quiet;
            rules.max_plies = max_plies;
            rules
        },
    )
}

fn debtors() -> impl Strategy<Value = Option<Side>> {
    select(vec![None, Some(Side::White), Some(Side::Black)])
}

/// Every start, of riatra and of vela with either debtor.
pub(crate) fn starts() -> impl Strategy<Value = Position> {
    let mut starts: Vec<Start> = BoardSize::all().map(Start::Usual).collect();
    starts.extend(BoardSize::all().map(Start::LeftRight));
    // The usual board is the most important one, so it appears several times.
    starts.extend([Start::TSIVY, Start::TSIVY]);
    (select(starts), debtors()).prop_map(|(start, debtor)| start.riatra().with_debtor(debtor))
}

/// The positions of a random game, the start first.
pub(crate) fn games() -> impl Strategy<Value = Vec<Position>> {
    (starts(), vec(any::<u16>(), 0..70)).prop_map(|(start, choices)| {
        // With these rules a vela lasts until its second phase. The laws do not depend on how a
        // position came about.
        let rules = ruleset("vela-must-offer vela-starved=paika");
        let mut game = vec![start];
        for choice in choices {
            let now = game[game.len() - 1];
            let moves = now.legal_moves(&rules);
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice as usize % moves.len()];
            game.push(now.play(&rules, &mv).expect("a generated move"));
        }
        game
    })
}

/// Positions of random games, and positions with randomly placed stones.
pub(crate) fn positions() -> impl Strategy<Value = String> {
    let played = games().prop_map(|game| game[game.len() - 1].to_string());
    let sizes = select(BoardSize::all().collect::<Vec<_>>());
    let placed = randomly_placed(sizes, 0..=100, 0..=100, 1..90);
    prop_oneof![played, placed]
}

/// Positions of velas, in either phase.
pub(crate) fn velas() -> impl Strategy<Value = String> {
    (positions(), select(vec![Side::White, Side::Black]))
        .prop_map(|(text, debtor)| position(&text).with_debtor(Some(debtor)).to_string())
}

/// Positions with randomly placed stones. `empty` is the percentage of empty points, `white` the
/// percentage of White's stones among all stones.
fn randomly_placed(
    sizes: impl Strategy<Value = BoardSize>,
    empty: std::ops::RangeInclusive<u8>,
    white: std::ops::RangeInclusive<u8>,
    numbers: std::ops::Range<u32>,
) -> impl Strategy<Value = String> {
    let dice = vec((0..100u8, 0..100u8), MAX_POINTS);
    let sides = select(vec![Side::White, Side::Black]);
    let fields = (sides, debtors(), 0..30u32, numbers);
    (sizes, empty, white, dice, fields).prop_map(|(size, empty, white, dice, fields)| {
        let letter = |&(first, second): &(u8, u8)| match (first < empty, second < white) {
            (true, _) => '.',
            (false, true) => 'W',
            (false, false) => 'b',
        };
        let letters: Vec<char> = dice.iter().map(letter).take(size.points()).collect();
        let mut rows: Vec<String> =
            letters.chunks(size.columns()).map(|row| row.iter().collect()).collect();
        if letters.iter().all(|&letter| letter == '.') {
            rows[0].replace_range(..1, "W");
        }
        let (side, debtor, quiet, number) = fields;
        let debtor = debtor.map_or('-', Side::letter);
        let placement = naive::placement_of(&rows);
        format!("{placement} {} {debtor} {quiet} {number}", side.letter())
    })
}

/// The start of a long game and the choice of each move: whether to return the stone to its
/// previous point if that is legal, and a number that selects the move otherwise.
pub(crate) type LongGame = (String, Vec<(bool, u16)>);

/// Games with repeated positions: mostly few stones on small boards.
pub(crate) fn long_games() -> impl Strategy<Value = LongGame> {
    let small = BoardSize::all().filter(|size| size.points() <= 21).collect::<Vec<_>>();
    let few = randomly_placed(select(small), 60..=90, 20..=80, 1..9);
    (prop_oneof![3 => few, 1 => positions()], vec((any::<bool>(), any::<u16>()), 0..60))
}
