//! The flaws of marked moves, computed from the values and the lines around them. A flaw is data:
//! its words are written where it is shown.

use fanorona_protocol::messages::Score;
use fanorona_protocol::rules::{Move, Position, Ruleset, Side};
use serde::Serialize;

use super::game::{PlyAnalysis, PositionAnalysis};

/// The number of plies for which lines are followed for the stones that they win.
const FAR: usize = 6;

/// The maximum number of moves of a line that a flaw names.
const LINE: usize = 4;

/// A flaw of a move. Plies are those to the end of the game after it, with best play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum Flaw {
    /// The position before was a proven win, and that after it is a proven loss.
    TurnsWin {
        /// Plies to the win that there was.
        plies: u32,
        /// Plies to the loss.
        lost: u32,
        /// The move that won.
        best: Move,
    },
    /// The position before was a proven win, and that after it is none.
    MissesWin {
        /// Plies to the win that there was.
        plies: u32,
        /// Whether the game is now a proven draw.
        drawn: bool,
        /// The move that wins.
        best: Move,
    },
    /// The position before was a proven draw, and that after it is a proven loss.
    LeavesDraw {
        /// The player's stones before the move.
        own: u32,
        /// The opponent's stones before the move.
        other: u32,
        /// Plies to the loss.
        lost: u32,
        /// A move that keeps the draw, if one is known.
        best: Option<Move>,
    },
    /// The position after the move is a proven loss.
    IsLost {
        /// Plies to the loss.
        lost: u32,
        /// The line after the move; empty if it is not known.
        line: Vec<Move>,
    },
    /// The reply captures more than after the best move.
    LosesStones {
        /// The stones that the reply captures.
        stones: u32,
        /// The reply.
        line: Vec<Move>,
    },
    /// The best move captures more.
    MissesCapture {
        /// The stones that it captures.
        stones: u32,
        /// Whether it captures with more than one step.
        chain: bool,
        /// The best move.
        best: Move,
    },
    /// The line after the move loses stones against the best line, not with the first reply.
    FallsBehind {
        /// The difference in stones.
        stones: u32,
        /// The line after the move.
        line: Vec<Move>,
    },
    /// Another move has better chances; no more is known.
    Weaker {
        /// The better move, if one is known.
        best: Option<Move>,
    },
}

impl Flaw {
    /// Returns the flaw of a move that was played in a position; `None` if it has no mark. `after`
    /// is the position that it led to.
    pub fn of(
        position: &Position,
        rules: &Ruleset,
        ply: &PlyAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Flaw> {
        ply.mark?;
        let best = ply.before.lines.first().and_then(|line| line.moves.first().copied());
        let best = best.or(ply.before.best);
        Some(match (ply.before.score, ply.after, best) {
            (Some(Score::Win(plies)), Some(Score::Loss(lost)), Some(best)) => {
                Flaw::TurnsWin { plies, lost, best }
            }
            (Some(Score::Win(plies)), _, Some(best)) => {
                Flaw::MissesWin { plies, drawn: is_drawn(after), best }
            }
            (_, Some(Score::Loss(lost)), best) => match is_drawn(&ply.before) {
                true => {
                    let [own, other] = stones(position, position.side_to_move());
                    Flaw::LeavesDraw { own, other, lost, best }
                }
                false => Flaw::IsLost { lost, line: cut(line_of(after)) },
            },
            // In the first phase of a vela stones are a debt, which is worth nothing.
            _ if position.is_vela_phase_one() => Flaw::Weaker { best },
            _ => Flaw::of_stones(position, rules, ply, after).unwrap_or(Flaw::Weaker { best }),
        })
    }

    /// Returns the flaw of a move as far as stones tell it.
    fn of_stones(
        position: &Position,
        rules: &Ruleset,
        ply: &PlyAnalysis,
        after: &PositionAnalysis,
    ) -> Option<Flaw> {
        let better = line_of(&ply.before);
        let best = *better.first()?;
        let reply = line_of(after);
        let played: Vec<Move> = [ply.played].into_iter().chain(reply.iter().copied()).collect();
        let [ours, best_takes] = [&played[..], better].map(|line| takes(position, rules, line));
        let at = |takes: &[u32], ply: usize| takes.get(ply).copied().unwrap_or(0);
        let lost = at(&ours, 1).saturating_sub(at(&best_takes, 1));
        let missed = at(&best_takes, 0).saturating_sub(at(&ours, 0));
        let behind = balance(&best_takes) - balance(&ours);
        match () {
            () if lost > 0 && lost >= missed => {
                Some(Flaw::LosesStones { stones: at(&ours, 1), line: cut(&reply[..1]) })
            }
            () if missed > 0 => {
                let chain = best.steps().len() > 1;
                Some(Flaw::MissesCapture { stones: at(&best_takes, 0), chain, best })
            }
            () if behind > 0 && !reply.is_empty() => {
                Some(Flaw::FallsBehind { stones: behind.unsigned_abs(), line: cut(reply) })
            }
            () => None,
        }
    }
}

/// Whether a position is a proven draw.
fn is_drawn(position: &PositionAnalysis) -> bool {
    position.exact && position.score == Some(Score::Cp(0))
}

/// The engine's line.
fn line_of(position: &PositionAnalysis) -> &[Move] {
    position.lines.first().map_or(&[], |line| &line.moves)
}

fn cut(line: &[Move]) -> Vec<Move> {
    line.iter().copied().take(LINE).collect()
}

/// The stones of a side and of the other one.
fn stones(position: &Position, side: Side) -> [u32; 2] {
    [side, !side].map(|side| position.board().count(side))
}

/// The stones that each move of a line captures, as far as the line is legal.
fn takes(position: &Position, rules: &Ruleset, line: &[Move]) -> Vec<u32> {
    let mut now = *position;
    let taken = line.iter().take(FAR).map_while(|mv| {
        let enemy = !now.side_to_move();
        let before = now.board().count(enemy);
        now = now.play(rules, mv).ok()?;
        Some(before - now.board().count(enemy))
    });
    taken.collect()
}

/// The stones that the first player of a line captures, less those that it loses.
fn balance(takes: &[u32]) -> i32 {
    let signs = [1, -1].into_iter().cycle();
    takes.iter().zip(signs).map(|(&stones, sign)| sign * stones.cast_signed()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::game::{Line, Mark};
    use serde_json::json;

    fn analysis(score: Score, exact: bool, line: &str) -> PositionAnalysis {
        let moves = line.split_whitespace().map(|mv| mv.parse().unwrap()).collect();
        let lines = vec![Line { score, chance: 0.5, moves }];
        PositionAnalysis { lines, ..PositionAnalysis::default() }.with_score(score, exact)
    }

    /// The flaw of a blunder: the position, its value and best line, the move, and the value for its
    /// player and the line after it.
    fn flaw(fen: &str, before: PositionAnalysis, played: &str, after: PositionAnalysis) -> Flaw {
        let position: Position = fen.parse().unwrap();
        let ply = PlyAnalysis {
            ply: 0,
            side: position.side_to_move(),
            played: played.parse().unwrap(),
            after: after.score.map(super::super::chance::negated),
            before,
            loss: Some(0.5),
            mark: Some(Mark::Blunder),
        };
        Flaw::of(&position, &Ruleset::default(), &ply, &after).unwrap()
    }

    /// White takes the last two stones within three plies.
    const WON: &str = "9/4bW3/4b4/5W3/9 w - 0 1";

    #[test]
    fn proven_values_come_first() {
        let won = || analysis(Score::Win(3), false, "f4g5W e3e2 f2e2");
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let best = mv("f4g5W");
        let drawn = analysis(Score::Cp(0), true, "");
        assert_eq!(
            flaw(WON, won(), "f4g3", drawn.clone()),
            Flaw::MissesWin { plies: 3, drawn: true, best }
        );
        let open = analysis(Score::Cp(0), false, "");
        assert_eq!(
            flaw(WON, won(), "f4g3", open.clone()),
            Flaw::MissesWin { plies: 3, drawn: false, best }
        );
        let lost = || analysis(Score::Win(40), true, "e3d3 f2f3");
        let turned = Flaw::TurnsWin { plies: 3, lost: 40, best };
        assert_eq!(flaw(WON, won(), "f4g3", lost()), turned);
        let left = Flaw::LeavesDraw { own: 2, other: 2, lost: 40, best: None };
        let nothing_known = PositionAnalysis { lines: Vec::new(), ..drawn };
        assert_eq!(flaw(WON, nothing_known, "f4g3", lost()), left);
        let lost_by = Flaw::IsLost { lost: 40, line: vec![mv("e3d3"), mv("f2f3")] };
        assert_eq!(flaw(WON, open, "f4g3", lost()), lost_by);
    }

    #[test]
    fn captured_stones_are_counted_along_the_lines() {
        let start = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1";
        let position: Position = start.parse().unwrap();
        let rules = Ruleset::default();
        let first: Move = "e2e3A".parse().unwrap();
        let after = position.play(&rules, &first).unwrap();
        let mut replies = after.legal_moves(&rules);
        let taken = |mv: &Move| takes(&after, &rules, &[*mv])[0];
        replies.sort_by_key(taken);
        let (least, most) = (replies[0], replies[replies.len() - 1]);
        assert!(taken(&most) > taken(&least), "{replies:?}");
        // The same first move: the engine thought that the reply would capture little.
        let even = analysis(Score::Cp(0), false, &format!("{first} {least}"));
        let worse = analysis(Score::Cp(300), false, &most.to_string());
        let stones = taken(&most);
        assert_eq!(
            flaw(start, even, "e2e3A", worse),
            Flaw::LosesStones { stones, line: vec![most] }
        );
        // The largest capture against the smallest one.
        let fen = after.to_string();
        let even = analysis(Score::Cp(0), false, &most.to_string());
        let open = analysis(Score::Cp(300), false, "");
        let chain = most.steps().len() > 1;
        assert_eq!(
            flaw(&fen, even, &least.to_string(), open),
            Flaw::MissesCapture { stones, chain, best: most }
        );
        // The same reply to both, and a capture further on.
        let quiet = "9/b8/9/9/WWW6 w - 0 1";
        let even = analysis(Score::Cp(0), false, "c1d1 a4b4 d1e1");
        let worse = analysis(Score::Cp(300), false, "a4b4 b1b2 b4b3A");
        assert_eq!(
            flaw(quiet, even, "c1c2", worse),
            Flaw::FallsBehind {
                stones: 1,
                line: ["a4b4", "b1b2", "b4b3A"].map(|mv| mv.parse().unwrap()).to_vec(),
            }
        );
        assert_eq!(balance(&[3, 1, 0, 2]), 0);
    }

    #[test]
    fn a_flaw_is_a_code_with_its_parameters() {
        let flaw = Flaw::LosesStones { stones: 5, line: vec!["c4c3A".parse().unwrap()] };
        let seen = serde_json::to_value(flaw).unwrap();
        assert_eq!(seen, json!({ "code": "loses-stones", "stones": 5, "line": ["c4c3A"] }));
    }

    #[test]
    fn stones_of_a_vela_are_a_debt() {
        let fen = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1";
        let even = analysis(Score::Cp(0), false, "d2e3A");
        let worse = analysis(Score::Cp(300), false, "");
        let best = Some("d2e3A".parse().unwrap());
        assert_eq!(flaw(fen, even, "e2e3A", worse), Flaw::Weaker { best });
    }
}
