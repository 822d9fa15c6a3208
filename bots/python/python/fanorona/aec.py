"""A PettingZoo AEC environment: `fanorona.aec.env()`.

Actions and observations are those of `fanorona.rl`. The agents are `player_0` with White and
`player_1` with Black; the same agent acts again while its stone goes on capturing. An observation is a dictionary with `observation` and
`action_mask`. The mask of the agent that is not to act is empty.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._core import Position, Side, StepGame
from .rl import PLANES, action_count

_SIDES = {"player_0": Side.WHITE, "player_1": Side.BLACK}
_RENDER_MODES = ("ansi", "human", "svg")


def env(
    position: Position | str | None = None,
    *,
    rules: str | None = None,
    render_mode: str | None = None,
) -> AECEnv:
    """Returns the environment with PettingZoo's usual wrappers: an illegal action loses the game."""
    environment: AECEnv = raw_env(position, rules=rules, render_mode=render_mode)
    environment = wrappers.TerminateIllegalWrapper(environment, illegal_reward=-1)
    environment = wrappers.AssertOutOfBoundsWrapper(environment)
    return wrappers.OrderEnforcingWrapper(environment)


class raw_env(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The environment without wrappers.

    `position` is where every game begins, with its rules; `Position.vela()` gives a vela. A game that
    ends by the limit `max-plies` is truncated, every other end terminates it.
    """

    metadata = {
        "name": "fanorona_v0",
        "render_modes": list(_RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        position: Position | str | None = None,
        *,
        rules: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if render_mode not in (None, *_RENDER_MODES):
            raise ValueError(f"render_mode must be one of {', '.join(_RENDER_MODES)}")
        start = Position(position, rules=rules)
        self.game = StepGame(start)
        self.render_mode = render_mode
        self.possible_agents = list(_SIDES)
        board = start.board
        shape = (PLANES, board.rows, board.columns)
        actions = action_count(board.size)
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, shape, np.uint8),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now."""
        mask = self.game.mask()
        if _SIDES[agent] != self.game.player:
            mask[:] = 0
        return {"observation": self.game.observe(_SIDES[agent]), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game. Nothing is random, so `seed` changes nothing."""
        self.game.reset()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        over = self.game.outcome() is not None
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._acting()
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Takes an action of the selected agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that is still playing needs an action")
        self.game.step(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        outcome = self.game.outcome()
        if outcome is not None:
            self.rewards = {agent: float(outcome.score(_SIDES[agent])) for agent in self.agents}
            truncated = outcome.reason == "max-plies"
            self.terminations = dict.fromkeys(self.agents, not truncated)
            self.truncations = dict.fromkeys(self.agents, truncated)
            self.infos = {agent: {"reason": outcome.reason} for agent in self.agents}
        self.agent_selection = self._acting()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _acting(self) -> str:
        return "player_0" if self.game.player == Side.WHITE else "player_1"

    def render(self) -> str | None:
        """Draws the board: returns text or a picture, or prints it."""
        if self.render_mode == "ansi":
            return self.game.board.unicode()
        if self.render_mode == "svg":
            return self.game.board.svg()
        if self.render_mode == "human":
            print(self.game.board.unicode(), flush=True)
        return None

    def close(self) -> None:
        """Does nothing: there is nothing to close."""
