"""Measures steps per second: this package's environments, and those of `fanorona-aec` beside them.

    pip install fanorona[aec] fanorona-aec rich
    python benches/steps.py [--seconds S] [--games N]

All play random legal actions, with masks and observations of every step. The load of the machine is
printed, because another busy process takes its share.
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


Speed = tuple[float, float]
"""Steps per second, and steps per second of processor time. A busy machine changes the first alone."""


def measured(seconds: float, play: Callable[[], int]) -> Speed:
    """Calls a function that plays some steps, again and again, and returns the speed."""
    steps, begin, processor = 0, time.perf_counter(), time.process_time()
    while time.perf_counter() - begin < seconds:
        steps += play()
    return steps / (time.perf_counter() - begin), steps / (time.process_time() - processor)


def of_vec_env(games: int, threads: int, seconds: float, position: Position) -> Speed:
    """The speed of `VecEnv`, the choice of random actions included."""
    env = VecEnv(games, threads, position=position, seed=1)

    def play() -> int:
        env.step(env.sample())
        return games

    for _ in range(100):
        play()
    return measured(seconds, play)


def of_aec(env: pettingzoo.AECEnv, seconds: float) -> Speed:
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

    return measured(seconds, play)


def theirs() -> pettingzoo.AECEnv:
    """The environment of `fanorona-aec`, which was written for an older PettingZoo."""
    if not callable(pettingzoo.utils.agent_selector):
        pettingzoo.utils.agent_selector = pettingzoo.utils.AgentSelector
    from env import fanorona_env  # The package installs itself under this name.

    return fanorona_env.env(render_mode=None)


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="for each row")
    parser.add_argument("--games", type=int, default=1024, help="games of VecEnv")
    options = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} processors, load before {os.getloadavg()[0]:.2f}")
    rows = [("fanorona-aec, one game", of_aec(theirs(), options.seconds))]
    rows.append(("fanorona.aec, one game", of_aec(fanorona.aec.env(), options.seconds)))
    starts = {"9x5": Position(), "9x5 vela": Position.vela(), "5x5": Position.riatra("5x5")}
    for name, start in starts.items():
        for threads in (1, os.cpu_count() or 1):
            speed = of_vec_env(options.games, threads, options.seconds, start)
            rows.append((f"VecEnv, {name}, {options.games} games, {threads} threads", speed))
    print(f"{'steps per second':>60} {'of processor time':>20} {'ratio':>9}")
    for name, (wall, processor) in rows:
        print(f"{name:45} {wall:14,.0f} {processor:20,.0f} {processor / rows[0][1][1]:9,.0f}")
    print(f"load after {os.getloadavg()[0]:.2f}; the ratio is that of processor time")


if __name__ == "__main__":
    main()
