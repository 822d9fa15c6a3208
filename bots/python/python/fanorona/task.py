"""What an engine is asked: a task, its limits, and the options that it may declare."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NoReturn

from ._core import Game, Move, Position, Side

RESIGN = "resign"
"""What `choose` returns to give up the game."""


@dataclass(frozen=True)
class Spin:
    """An option with a whole number from `min` to `max`."""

    default: int
    min: int
    max: int


@dataclass(frozen=True)
class Combo:
    """An option with one of several words."""

    default: str
    choices: tuple[str, ...]


Option = bool | int | str | Spin | Combo
"""How an option is declared: by its default, or with the values it accepts."""


@dataclass(frozen=True)
class Limits:
    """The limits of one search. Times are in seconds; `None` means no such limit."""

    white_time: float | None = None
    black_time: float | None = None
    white_increment: float = 0.0
    black_increment: float = 0.0
    moves_to_go: int | None = None
    move_time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    finite: bool = False
    """Whether a limit ends the search. Without one it ends when the manager says so."""

    def time_for(self, side: Side, overhead: float = 0.0) -> float | None:
        """Returns the seconds that a side should spend on this move, or `None` without a time limit.

        Of a clock this is a share: a thirtieth, or one of the moves to go, and most of the increment.
        """
        own, other = self.white_time, self.black_time
        increment = self.white_increment
        if side == Side.BLACK:
            own, other, increment = other, own, self.black_increment
        budgets = []
        if self.move_time is not None:
            budgets.append(self.move_time - overhead)
        clock = own if own is not None else other
        if clock is not None:
            share = clock / max(self.moves_to_go or 30, 1) + 0.8 * increment
            budgets.append(min(share, clock - overhead))
        return max(min(budgets), 0.001) if budgets else None


class Task:
    """One question to the engine: which move?

    `choose` gets a task and returns one of its `moves`. A function that searches looks at `stopped`
    regularly and returns the best move so far when it is true.
    """

    game: Game
    """The game so far, for repetition."""
    moves: list[Move]
    """The moves to choose from; at least one."""
    limits: Limits
    """The limits of the search."""
    options: Mapping[str, Any]
    """The values of the options by name."""
    random: Random
    """Random numbers that depend on the option `Seed` alone."""
    is_new_game: bool
    """Whether this is the first task of a game: forget what you have learned."""

    def __init__(
        self,
        game: Game,
        moves: list[Move],
        limits: Limits,
        options: Mapping[str, Any],
        random: Random,
        is_new_game: bool,
        say: Callable[[str], None],
    ) -> None:
        self.game = game
        self.moves = moves
        self.limits = limits
        self.options = options
        self.random = random
        self.is_new_game = is_new_game
        self._say = say
        self._stop = threading.Event()
        self._begin = time.perf_counter()
        overhead = options["MoveOverhead"] / 1000
        self._seconds = limits.time_for(game.turn, overhead)

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a task belongs to the engine that runs and cannot be copied; "
            "copy its game, moves, limits and options"
        )

    @property
    def position(self) -> Position:
        """The present position."""
        return self.game.position

    @property
    def elapsed(self) -> float:
        """The seconds since the task began."""
        return time.perf_counter() - self._begin

    @property
    def seconds(self) -> float | None:
        """The seconds this move should take in all, or `None` without a time limit."""
        return self._seconds

    @property
    def stopped(self) -> bool:
        """Whether the time is over or the manager has stopped the search."""
        return self._stop.is_set() or (self._seconds is not None and self.elapsed >= self._seconds)

    def info(
        self,
        *,
        depth: int | None = None,
        score: int | None = None,
        win: int | None = None,
        loss: int | None = None,
        nodes: int | None = None,
        pv: list[Move] | None = None,
        text: str | None = None,
    ) -> None:
        """Reports the progress of the search.

        `score` is in hundredths of a stone for the side to move; `win` and `loss` are plies to a
        proven end; `pv` holds the expected moves; `text` is any text.
        """
        words: list[Any] = ["info"]
        for name, number in ("depth", depth), ("score cp", score), ("score win", win), ("score loss", loss):
            if number is not None:
                words += [name, number]
        if nodes is not None:
            words += ["nodes", nodes]
        words += ["time", round(self.elapsed * 1000)]
        if pv:
            words += ["pv", *pv]
        if text is not None:
            words += ["string", " ".join(text.split())]
        self._say(" ".join(map(str, words)))

    def error(self, text: str) -> None:
        """Reports an error of the bot, after which it goes on: the arena counts and shows it.

        `run` reports exceptions of `choose` itself. For anything else, such as bad input, use
        `info(text=…)`.
        """
        self._say("info error " + " ".join(text.split()))
