"""Environments for reinforcement learning: many games at once, with numpy arrays.

>>> from fanorona.rl import VecEnv
>>> env = VecEnv(64, seed=1)
>>> env.observations.shape, env.masks.shape
((64, 10, 5, 9), (64, 1081))
>>> env.step(env.sample())
>>> int(env.players.sum())
64

**Actions.** One action is one step of a move, so the same player may act several times in a row. On a
board with P points there are 24 P + 1 actions, 1081 on 9x5: `24 * point + 3 * direction + kind`, with
the points row by row from `a1`, the directions in the order of `DIRECTIONS`, and the kinds paika (0),
approach (1) and withdrawal (2). The last action, `24 * P`, ends a move after a capture. A move ends by
itself after a paika, and after a capture when the stone cannot go on.

**Observations.** Planes of bytes, as the side to act sees them. Rows and columns are those of the board,
row 0 is White's side; the board is not turned for Black.

| plane | content |
|---|---|
| 0 | own stones, after the steps so far |
| 1 | enemy stones, after the steps so far |
| 2 | the stone that has to go on or end its move |
| 3 | the points it has visited in this move |
| 4 | the point where its last step began: the next step may not have the same direction |
| 5 | one everywhere if the viewer has White |
| 6 | one everywhere if the viewer is the debtor of a vela |
| 7 | one everywhere if the viewer is the creditor |
| 8 | everywhere the plies without a capture, at most 255 |
| 9 | everywhere how often the position before the move has occurred before, at most 255 |

A single position has the same planes: `Position.planes()`. Planes 2 to 4 and 9 are zero there.

**Rewards** are those of the player who acted: 1 for a win, -1 for a loss, 0 for a draw and while the game
goes on. An action can lose at once: in a vela the creditor may offer nothing.

**Ends of games.** `VecEnv` begins a game again in the step that ends it: the mode that Gymnasium calls
`AutoresetMode.SAME_STEP`. `env.infos` has what it overwrote, in Gymnasium's words, and is empty when no
game has ended:

| key | content |
|---|---|
| `final_obs` | the last observation of every game that ended, as the side to act then sees it, else `None` |
| `final_info` | a dictionary of arrays, with one entry for each game |
| `final_info["reason"]` | the rule that ended the game, like `no-stones` or `max-plies`, else `None` |
| `final_info["winner"]` | 1 for White, -1 for Black, else 0 |
| `final_info["player"]` | the side to act in the last position: 0 for White, 1 for Black |
| `final_info["plies"]` | the number of complete moves |
| `final_info["action_mask"]` | the actions that would be legal had not `max-plies` cut the game off |
| `_final_obs`, `_final_info`, `final_info["_reason"]` … | the mask of the games that have an entry |

**Copies.** `clone()`, `copy` and `pickle` give games and environments that go on alike and independently,
with the same random numbers. `get_state()` returns the content as texts, numbers and lists, which JSON
keeps; `set_state(state)` takes it over. A state is played again by the rules, and one that does not come
from `get_state` is a `ValueError` that changes nothing.
"""

from ._core import (
    DIRECTIONS,
    StepGame,
    VecEnv,
    action_count,
    action_of,
    action_text,
    actions_of,
)

PLANES = 10
"""The number of planes of an observation."""

__all__ = [
    "DIRECTIONS",
    "PLANES",
    "StepGame",
    "VecEnv",
    "action_count",
    "action_of",
    "action_text",
    "actions_of",
]
