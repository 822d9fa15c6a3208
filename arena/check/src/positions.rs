//! The positions used in checks: those reached by random games, and finished ones.

use fanorona_protocol::rules::{
    Board, BoardSize, Game, Move, Position, Reason, Ruleset, Side, Start, raw,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use fanorona_tournament::pairing::seeds;

/// A family of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    /// Riatra on the 9x5 board, at all stages of random games.
    Riatra,
    /// Riatra with few stones at random points.
    Late,
    /// Riatra with stones at many random points, so that there are many long moves.
    Dense,
    /// Phase one of a vela.
    PhaseOne,
    /// Phase two of a vela.
    PhaseTwo,
    /// Riatra on the other boards.
    Boards,
    /// Velas on the other boards.
    VelaBoards,
}

/// A position with the command that sends it to an engine.
#[derive(Clone, Debug)]
pub struct Case {
    /// The game up to the position.
    pub game: Game,
    /// Every legal move.
    pub moves: Vec<Move>,
    /// The whole `position` line.
    pub line: String,
}

impl Case {
    /// The position itself.
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The legal moves as text, in alphabetical order.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.moves.iter().map(Move::to_string).collect();
        words.sort();
        words
    }
}

/// Generates a number of positions of a family in which there is a legal move. The same seed gives
/// the same positions.
pub fn cases(family: Family, rules: &Ruleset, count: u32, seed: u64) -> Vec<Case> {
    let label = format!("{family:?} {rules}");
    let mut random = seeds::generator(seed, &["check", &label]);
    let mut cases = Vec::new();
    // A random game seldom fails to give a position, so a few attempts each are enough.
    for index in 0..count * 20 {
        if cases.len() == count as usize {
            break;
        }
        cases.extend(case(family, rules, index, &mut random));
    }
    cases
}

fn case(family: Family, rules: &Ruleset, index: u32, random: &mut ChaCha8Rng) -> Option<Case> {
    let others: Vec<BoardSize> =
        BoardSize::all().filter(|&size| size != BoardSize::TSIVY).collect();
    let other = Start::Usual(others[index as usize % others.len()]);
    let vela = |start: Start| {
        let debtor = if (index / 3).is_multiple_of(2) { Side::White } else { Side::Black };
        start.riatra().with_debtor(Some(debtor))
    };
    let (start, plies) = match family {
        Family::Riatra => (Start::TSIVY.riatra(), index % 40),
        Family::Late => (scattered(BoardSize::TSIVY, 2..8, None, random), index % 3),
        Family::Dense => (scattered(BoardSize::TSIVY, 12..20, None, random), 0),
        // This includes the border of the phases: with six creditors it is phase one, with five it
        // is not.
        Family::PhaseOne if index % 3 == 2 => (creditors(6, random), 0),
        Family::PhaseOne => (vela(Start::TSIVY), index % 24),
        Family::PhaseTwo if index % 3 == 2 => (creditors(5, random), 0),
        Family::PhaseTwo => (creditors(random.random_range(1..6), random), index % 3),
        Family::Boards => (other.riatra(), index % 17),
        Family::VelaBoards => (vela(other), index % 17),
    };
    let case = walk(start, plies, rules, random)?;
    match family {
        Family::PhaseOne => case.position().is_vela_phase_one().then_some(case),
        Family::PhaseTwo => (!case.position().is_vela_phase_one()).then_some(case),
        _ => Some(case),
    }
}

/// Plays a number of random plies from a start, fewer if the game ends before. `None` if the start
/// is already finished.
fn walk(start: Position, plies: u32, rules: &Ruleset, random: &mut ChaCha8Rng) -> Option<Case> {
    let mut game = Game::new(*rules, start);
    for _ in 0..plies {
        let moves = game.legal_moves();
        if moves.is_empty() || game.ending().is_some() {
            break;
        }
        let mv = moves[random.random_range(0..moves.len())];
        game.play(&mv).expect("a generated move is legal");
    }
    while game.ending().is_some() {
        game.undo()?;
    }
    // An engine should treat a position the same if it is sent with the moves from its start or as
    // a FEN.
    if random.random_range(0..2) == 0 {
        game = Game::new(*rules, *game.position());
    }
    Some(case_from(game))
}

/// A case for a game with the moves played from its start.
pub(super) fn case_from(game: Game) -> Case {
    let start = *game.start();
    let usual = start.to_string() == Start::TSIVY.riatra().to_string();
    let mut line = match usual {
        true => "position startpos".to_owned(),
        false => format!("position fen {start}"),
    };
    if !game.moves().is_empty() {
        line.push_str(" moves");
        game.moves().iter().for_each(|mv| line.push_str(&format!(" {mv}")));
    }
    Case { moves: game.legal_moves(), game, line }
}

/// A position with stones at random points. Each side's number is from the range `stones`.
fn scattered(
    size: BoardSize,
    stones: std::ops::Range<u32>,
    debtor: Option<Side>,
    random: &mut ChaCha8Rng,
) -> Position {
    let mut board = Board::empty(size);
    for side in Side::BOTH {
        for _ in 0..random.random_range(stones.clone()) {
            put(&mut board, side, random);
        }
    }
    Position::from_board(board).with_debtor(debtor)
}

/// A vela in which the creditor has `count` stones and the debtor a random number.
fn creditors(count: u32, random: &mut ChaCha8Rng) -> Position {
    let mut board = Board::empty(BoardSize::TSIVY);
    while board.count(Side::Black) < count {
        put(&mut board, Side::Black, random);
    }
    for _ in 0..random.random_range(4..18) {
        put(&mut board, Side::White, random);
    }
    Position::from_board(board).with_debtor(Some(Side::White))
}

/// Puts a stone on a random point, unless the point is occupied.
fn put(board: &mut Board, side: Side, random: &mut ChaCha8Rng) {
    let size = board.size();
    let index = random.random_range(0..size.points());
    let point = raw::point(index, size).expect("the index is one of the board's");
    if board.at(point).is_none() {
        board.put(point, side);
    }
}

/// A finished game and its result.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The rule that ended it.
    pub reason: Reason,
    /// The rule switches of the game.
    pub rules: &'static str,
    /// The `position` line.
    pub line: &'static str,
    /// The response to `query result`.
    pub result: &'static str,
}

const fn finished(
    reason: Reason,
    rules: &'static str,
    line: &'static str,
    result: &'static str,
) -> Finished {
    Finished { reason, rules, line, result }
}

/// Games that ended because of the stones on the board, one for each reason.
pub(crate) const OVER: [Finished; 5] = [
    finished(Reason::NoStones, "", "position fen 9/9/4W4/9/9 b - 0 30", "p1win"),
    finished(Reason::NoStones, "", "position fen 4b4/9/9/9/9 b - 3 30", "p2win"),
    finished(Reason::NoStones, "", "position fen 3/W1b/3 w - 0 9 moves a2b2A", "p1win"),
    finished(
        Reason::VelaStarved,
        "",
        "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1 moves e2e3A \
               e5e4 e3e2W f4e3",
        "p1win",
    ),
    finished(Reason::NoMove, "", "position fen WWW/WWW/WWb b - 4 9", "p1win"),
];

/// Games that ended by repetition or a limit.
pub(crate) const DRAWN: [Finished; 3] = [
    finished(
        Reason::Repetition,
        "",
        "position fen b4/5/5/5/4W w - 0 1 moves e1d1 a5a4 d1e1 a4a5 e1d1 a5a4 d1e1 a4a5",
        "draw",
    ),
    finished(Reason::Quiet, "", "position fen b4/5/5/5/4W w - 98 60 moves e1d1 a5a4", "draw"),
    finished(
        Reason::MaxPlies,
        "max-plies=3",
        "position fen b4/5/5/5/4W w - 40 60 moves e1d1 a5a4 d1e1",
        "draw",
    ),
];

/// A game that is over although the side to move could still move its stones.
pub(crate) const BARE: Finished =
    finished(Reason::NoStones, "", "position fen 9/9/4W4/9/9 w - 0 30", "p1win");

/// Games whose result depends on a rule switch.
pub(crate) const SWITCHED: [Finished; 5] = [
    finished(
        Reason::VelaStarved,
        "vela-starved=debtor-loses",
        "position fen bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1 moves e2e3A \
               e5e4 e3e2W f4e3",
        "p2win",
    ),
    finished(Reason::NoMove, "blocked-is-draw", "position fen WWW/WWW/WWb b - 4 9", "draw"),
    finished(
        Reason::Repetition,
        "repetition=2",
        "position fen b4/5/5/5/4W w - 0 1 moves e1d1 a5a4 d1e1 a4a5",
        "draw",
    ),
    finished(
        Reason::Quiet,
        "quiet=4",
        "position fen b4/5/5/5/4W w - 0 1 moves e1d1 a5a4 d1d2 a4a3",
        "draw",
    ),
    finished(
        Reason::MaxPlies,
        "max-plies=2",
        "position fen b4/5/5/5/4W w - 40 60 moves e1d1 a5a4",
        "draw",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::messages::{Command, StartText};

    const FAMILIES: [Family; 7] = [
        Family::Riatra,
        Family::Late,
        Family::Dense,
        Family::PhaseOne,
        Family::PhaseTwo,
        Family::Boards,
        Family::VelaBoards,
    ];

    /// The game of a `position` line.
    fn parse_game(line: &str, rules: &Ruleset) -> Game {
        let Ok(Command::Position { start, moves }) = line.parse() else { panic!("{line}") };
        let start = match start {
            StartText::Startpos => Start::TSIVY.riatra(),
            StartText::Fen(fen) => fen.parse().unwrap(),
        };
        let mut game = Game::new(*rules, start);
        for mv in moves {
            game.play(&mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn every_line_gives_its_position() {
        for rules in ["", "forced-continuation", "vela-starved=paika", "vela-must-offer"] {
            let rules = rules.parse().unwrap();
            for family in FAMILIES {
                let cases = cases(family, &rules, 12, 1);
                assert_eq!(cases.len(), 12, "{family:?} {rules}");
                for case in cases {
                    let game = parse_game(&case.line, &rules);
                    assert_eq!(game.position().to_string(), case.position().to_string());
                    assert_eq!(game.ending(), None, "{}", case.line);
                    assert_eq!(game.legal_moves(), case.moves);
                }
            }
        }
    }

    #[test]
    fn families_match_their_names() {
        let rules = Ruleset::default();
        let all = |family| cases(family, &rules, 33, 1);
        assert!(all(Family::PhaseOne).iter().all(|case| case.position().is_vela_phase_one()));
        assert!(
            all(Family::PhaseOne).iter().any(|case| case.position().side_to_move() == Side::Black)
        );
        let has = |family, count| {
            all(family).iter().any(|case| case.position().board().count(Side::Black) == count)
        };
        assert!(has(Family::PhaseOne, 6) && has(Family::PhaseTwo, 5));
        for case in all(Family::PhaseTwo) {
            assert!(case.position().debtor().is_some() && !case.position().is_vela_phase_one());
        }
        let mut sizes: Vec<BoardSize> =
            all(Family::Boards).iter().map(|case| case.position().board().size()).collect();
        sizes.sort();
        sizes.dedup();
        assert_eq!(sizes.len(), BoardSize::COUNT - 1);
        assert!(
            all(Family::Dense).iter().any(|case| case.moves.iter().any(|t| t.steps().len() > 3))
        );
    }

    #[test]
    fn a_seed_gives_the_same_positions() {
        let lines = |seed| -> Vec<String> {
            let cases = cases(Family::Riatra, &Ruleset::default(), 20, seed);
            cases.into_iter().map(|case| case.line).collect()
        };
        assert_eq!(lines(1), lines(1));
        assert_ne!(lines(1), lines(2));
    }

    #[test]
    fn finished_games_end_for_the_given_reason() {
        for finished in OVER.iter().chain(&DRAWN).chain(&SWITCHED) {
            let rules: Ruleset = finished.rules.parse().unwrap();
            let ending = parse_game(finished.line, &rules).ending().expect(finished.line);
            assert_eq!(ending.reason, finished.reason, "{}", finished.line);
            let result = match ending.winner {
                None => "draw",
                Some(Side::White) => "p1win",
                Some(Side::Black) => "p2win",
            };
            assert_eq!(result, finished.result, "{}", finished.line);
        }
        for finished in &SWITCHED {
            let usual = parse_game(finished.line, &Ruleset::default()).ending();
            let same = usual.map(|ending| ending.winner) == Some(None);
            assert!(!same || finished.result != "draw", "{} changes nothing", finished.rules);
        }
    }
}
