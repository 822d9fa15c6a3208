"""Fanorona in Python: rules, engines, records, endgame tables and environments for learning.

Positions and games never change; playing a move returns another one:

>>> import fanorona
>>> position = fanorona.Position()
>>> [str(move) for move in position.legal_moves]
['d3e3A', 'd3e3W', 'f2e3A', 'e2e3A', 'd2e3A']
>>> position.play("e2e3A").fen
'bbbb1bbbb/bbbb1bbbb/bWbWWbWbW/WWWW1WWWW/WWWWWWWWW b - 0 1'

- `Position`, `Move`, `Board`, `Rules`, `Outcome`: the rules.
- `Game`: a position with its history. `Session`: the contest of riatra and vela games.
- `run`: turns a function into an engine. `fanorona.engine`: starts engines and asks them.
- `Tables`: exact values of endings.
- `fanorona.programs`: finds engines and the arena.
- `fanorona.records`: reads tournaments' games, also as data frames.
- `fanorona.rl` and `fanorona.aec`: environments for reinforcement learning.
"""

from ._core import (
    Board,
    Game,
    IllegalMoveError,
    Move,
    NextGame,
    Outcome,
    Position,
    Rules,
    Session,
    Side,
    Step,
    Tables,
    Value,
    __version__,
)
from .task import RESIGN, Combo, Limits, Spin, Task
from .ugi import run

WHITE = Side.WHITE
BLACK = Side.BLACK

__all__ = [
    "BLACK",
    "RESIGN",
    "WHITE",
    "Board",
    "Combo",
    "Game",
    "IllegalMoveError",
    "Limits",
    "Move",
    "NextGame",
    "Outcome",
    "Position",
    "Rules",
    "Session",
    "Side",
    "Spin",
    "Step",
    "Tables",
    "Task",
    "Value",
    "__version__",
    "run",
]
