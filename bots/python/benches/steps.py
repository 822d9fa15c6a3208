"""Measures steps per second: this package's environments, and those of `fanorona-aec` beside them.

    pip install fanorona[aec] fanorona-aec rich
    python benches/steps.py [--steps N] [--single N] [--games N]

All play random legal actions, with masks and observations of every step. Each row plays a number of
steps, and the processor time that they take is given: it hardly depends on what else the machine does.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable

import numpy as np
import pettingzoo.utils

import fanorona.aec
from fanorona import Position
from fanorona.rl import VecEnv


Measured = tuple[int, float, float]
"""Steps, seconds, and seconds of processor time that the program itself used (user time)."""


def measured(steps: int, play: Callable[[], int]) -> Measured:
    """Calls a function that plays some steps until there are enough: a busy machine plays them later."""
    done, begin, user = 0, time.perf_counter(), os.times().user
    while done < steps:
        done += play()
    return done, time.perf_counter() - begin, os.times().user - user


def of_vec_env(games: int, threads: int, steps: int, position: Position) -> Measured:
    """The speed of `VecEnv`, the choice of random actions included."""
    env = VecEnv(games, threads, position=position, seed=1)

    def play() -> int:
        env.step(env.sample())
        return games

    for _ in range(100):
        play()
    return measured(steps, play)


def of_aec(env: pettingzoo.AECEnv, steps: int) -> Measured:
    """The speed of a PettingZoo environment."""
    draw = np.random.default_rng(1)
    env.reset(seed=1)

    def play() -> int:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        env.step(draw.choice(np.flatnonzero(observation["action_mask"])))
        return 1

    return measured(steps, play)


def theirs() -> pettingzoo.AECEnv:
    """The environment of `fanorona-aec`, which was written for an older PettingZoo."""
    if not callable(pettingzoo.utils.agent_selector):
        pettingzoo.utils.agent_selector = pettingzoo.utils.AgentSelector
    from env import fanorona_env  # The package installs itself under this name.

    return fanorona_env.env(render_mode=None)


def load() -> str:
    """The load of the last minute, which Windows does not tell."""
    return f"{os.getloadavg()[0]:.2f}" if hasattr(os, "getloadavg") else "unknown"


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=10_000_000, help="of each row of VecEnv")
    parser.add_argument("--single", type=int, default=2_000, help="steps of the environments with one game")
    parser.add_argument("--games", type=int, default=1024, help="games of VecEnv")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} processors, load before {load()}")
    rows = [("fanorona-aec, one game", of_aec(theirs(), options.single))]
    rows.append(("fanorona.aec, one game", of_aec(fanorona.aec.env(), 20 * options.single)))
    starts = {"9x5": Position(), "9x5 vela": Position.vela(), "5x5": Position.riatra("5x5")}
    for name, start in starts.items():
        for threads in (1, os.cpu_count() or 1):
            speed = of_vec_env(options.games, threads, options.steps, start)
            rows.append((f"VecEnv, {name}, {options.games} games, {threads} threads", speed))
    print(f"{'steps':>57} {'seconds':>9} {'user CPU s':>11} {'steps per user CPU s':>21} {'ratio':>8}")
    first = rows[0][1][0] / rows[0][1][2]
    for name, (steps, seconds, user) in rows:
        print(f"{name:45} {steps:11,} {seconds:9.1f} {user:11.2f} {steps / user:21,.0f} {steps / user / first:8,.0f}")
    print(f"load after {load()}; the ratio is that of user CPU time")


if __name__ == "__main__":
    main()
