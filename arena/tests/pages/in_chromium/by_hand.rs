//! Moves made on a board of a page, with the mouse.

use fanorona_protocol::rules::{Move, Point, Position, Ruleset, Side};
use serde_json::json;

use super::click;
use crate::devtools::Browser;

/// How a move is made.
pub(super) struct Way {
    /// The points of the stone: where it begins, and where each step leads.
    pub(super) points: Vec<Point>,
    /// For each step: a stone that it captures, if the same step could capture in the other way.
    pub(super) choices: Vec<Option<Point>>,
    /// Whether the stone could go on capturing.
    pub(super) stops_early: bool,
}

impl Way {
    /// The way to make a legal move.
    pub(super) fn of(position: &Position, rules: &Ruleset, mv: &Move) -> Way {
        let legal = position.legal_moves(rules);
        let captures = position.captures_of(rules, mv).expect("the move is legal");
        let (from, steps) = (mv.from(), mv.steps());
        // Whether a legal move begins with these steps.
        let begins = |with: &[_]| {
            legal.iter().filter(|it| it.from() == from && it.steps().starts_with(with)).count()
        };
        let choices = steps.iter().enumerate().map(|(index, step)| {
            let ways = legal.iter().filter(|it| it.from() == from && it.steps().len() > index);
            let ways = ways.filter(|it| it.steps()[..index] == steps[..index]);
            let here = ways.filter(|it| it.steps()[index].direction == step.direction);
            let other = here.map(|it| it.steps()[index].capture).any(|it| it != step.capture);
            other.then(|| captures[index].into_iter().next().expect("a capturing step"))
        });
        Way {
            points: [from].into_iter().chain(mv.points()).collect(),
            choices: choices.collect(),
            stops_early: begins(steps) > 1,
        }
    }

    /// The number of choices between approach and withdrawal.
    pub(super) fn chosen(&self) -> usize {
        self.choices.iter().flatten().count()
    }

    /// Makes the move. The board must offer it.
    pub(super) fn make(&self, browser: &mut Browser) {
        click_point(browser, self.points[0]);
        for (index, point) in self.points.iter().enumerate().skip(1) {
            stone_is_chosen(browser, self.points[index - 1]);
            click_point(browser, *point);
            if let Some(stone) = self.choices[index - 1] {
                let letters = "document.querySelectorAll('.desk .letter').length > 1";
                browser.until(letters, &json!(true));
                click_point(browser, stone);
            }
        }
        if self.stops_early {
            stone_is_chosen(browser, *self.points.last().expect("a move has points"));
            click(browser, ".desk .input-bar .primary");
        }
    }
}

/// Waits until the stone on a point is the one to move on.
fn stone_is_chosen(browser: &mut Browser, point: Point) {
    let chosen = "document.querySelector('.desk .stone.chosen')?.dataset.at ?? null";
    browser.until(chosen, &json!(point.to_string()));
}

fn click_point(browser: &mut Browser, point: Point) {
    click(browser, &format!(".desk [data-point='{point}']"));
}

/// Waits until the board offers moves.
pub(super) fn moves_are_offered(browser: &mut Browser) {
    browser.until("document.querySelector('.desk .stone.movable') !== null", &json!(true));
}

/// Waits until the board of the page shows the stones of a position, and nothing moves any more.
pub(super) fn stones_are_shown(browser: &mut Browser, position: &Position) {
    let sides = [Side::White, Side::Black].map(|side| {
        let stones = position.board().stones(side).into_iter();
        let mut stones: Vec<String> = stones.map(|point| point.to_string()).collect();
        stones.sort();
        stones.join(" ")
    });
    let shown = "['w', 'b'].map((side) => [...document.querySelectorAll(`.desk .stone.${side}`)]
        .map((stone) => stone.dataset.at).sort().join(' '))";
    browser.until(shown, &json!(sides));
}
