//! A bot that looks one move and one reply ahead and counts stones.

use std::ops::ControlFlow;

use fanorona_protocol::messages::{Limits, OptionSpec, Score};
use fanorona_protocol::rules::{Position, Ruleset};

use crate::bot::{Bot, Choice, Observer, OptionError, RootMove, Task, effort};
use crate::seed::{self, SeededRng};

/// Plays a move that captures the most stones net of the opponent's best reply, and chooses at
/// random among equal moves. It sees when a move or a reply ends the game.
pub struct Greedy {
    random: SeededRng,
}

/// The value of a decided game in stones: more than any board holds.
const DECIDED: i32 = 100;

/// The number of moves examined before the first look at the budget.
const MIN_EXAMINED: usize = 300;

impl Greedy {
    /// A player with the default seed.
    pub fn new() -> Greedy {
        Greedy { random: SeededRng::new() }
    }
}

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy::new()
    }
}

/// The value of an ended game for the side that has just moved; `None` while the game goes on.
fn ending_value(rules: &Ruleset, after: &Position) -> Option<i32> {
    let winner = rules.ending(after)?.winner;
    Some(winner.map_or(0, |winner| if winner == after.side_to_move() { -DECIDED } else { DECIDED }))
}

/// The stones captured by a move minus those captured by the opponent's best reply. Also returns
/// the number of replies.
fn net_gain(position: &Position, rules: &Ruleset, root: &RootMove) -> (i32, u64) {
    let after = position.apply_unchecked(root.effect);
    if let Some(value) = ending_value(rules, &after) {
        return (value, 1);
    }
    let (mut best_reply, mut replies) = (-DECIDED, 0);
    // The visitor never breaks.
    let _ = after.visit_moves(rules, |_, reply| {
        let value = ending_value(rules, &after.apply_unchecked(reply));
        best_reply = best_reply.max(value.unwrap_or(reply.gain() as i32));
        replies += 1;
        ControlFlow::Continue(())
    });
    (root.effect.gain() as i32 - best_reply, replies)
}

impl Bot for Greedy {
    fn name(&self) -> &'static str {
        "bot-greedy"
    }

    fn options(&self) -> Vec<OptionSpec> {
        vec![seed::option()]
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name == seed::NAME {
            self.random.set(value);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.random.restart();
    }

    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        let position = task.game.position();
        let (mut best, mut value, mut nodes) = (Vec::new(), i32::MIN, 0);
        for (index, root) in task.moves.iter().enumerate() {
            // Ordinary positions are searched in full under any budget, since this takes no time.
            if index >= MIN_EXAMINED && task.budget.is_over() {
                break;
            }
            let (gain, replies) = net_gain(position, task.game.rules(), root);
            nodes += replies;
            if gain > value {
                value = gain;
                best.clear();
            }
            if gain == value {
                best.push(root.mv);
            }
        }
        let mv = self.random.choose(&best);
        observer.info({
            let mut report = effort(nodes, task.budget.elapsed());
            report.depth = Some(2);
            report.score = Some(Score::Cp(value * 100));
            report.pv = vec![mv];
            report
        });
        Choice { mv, nodes }
    }

    fn bench_limits(&self) -> Limits {
        Limits::with_depth(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::NullObserver;
    use crate::budget::Budget;
    use fanorona_protocol::rules::{Game, Move};

    fn choice(fen: &str, rules: &str) -> String {
        let game = Game::new(rules.parse().unwrap(), fen.parse().unwrap());
        let moves = RootMove::all(game.position(), game.rules());
        let budget = Budget::from_limits(&Limits::default());
        let task = Task { game: &game, moves: &moves, budget: &budget };
        Greedy::new().choose(&task, &mut NullObserver).mv.to_string()
    }

    #[test]
    fn the_larger_capture_is_taken_when_nothing_comes_back() {
        // Away from d1 White takes two stones, towards a1 one.
        assert_eq!(choice("5/5/5/5/b1Wbb w", ""), "c1b1W");
    }

    #[test]
    fn no_other_move_nets_more() {
        let rules = Ruleset::default();
        let net = |position: &Position, mv: &Move| {
            let after = position.play(&rules, mv).unwrap();
            let stones = |p: &Position, side| p.board().count(side) as i32;
            let (own, other) = (position.side_to_move(), !position.side_to_move());
            let gain = stones(position, other) - stones(&after, other);
            let loss = |reply: &Move| {
                stones(&after, own) - stones(&after.play(&rules, reply).unwrap(), own)
            };
            gain - after.legal_moves(&rules).iter().map(loss).max().unwrap()
        };
        for fen in &crate::bench::POSITIONS[..7] {
            let position: Position = fen.parse().unwrap();
            let chosen: Move = choice(fen, "").parse().unwrap();
            let best = position.legal_moves(&rules).iter().map(|mv| net(&position, mv)).max();
            assert_eq!(Some(net(&position, &chosen)), best, "{fen}: {chosen}");
        }
    }

    #[test]
    fn the_last_stone_is_taken() {
        assert!(choice("b1b2/W4/5/5/4W w", "").starts_with("a4"));
    }
}
