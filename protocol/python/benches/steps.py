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

import numpy as np
import pettingzoo.utils

import fanorona.aec
from fanorona import Position
from fanorona.rl import VecEnv


def of_vec_env(games: int, threads: int, seconds: float, position: Position) -> tuple[float, float]:
    """Steps per second of `VecEnv`: with the choice of random actions, and of `step` alone."""
    env = VecEnv(games, threads, position=position, seed=1)
    for _ in range(100):
        env.step(env.sample())
    steps, inside, begin = 0, 0.0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        actions = env.sample()
        before = time.perf_counter()
        env.step(actions)
        inside += time.perf_counter() - before
        steps += games
    return steps / (time.perf_counter() - begin), steps / inside


def of_aec(env: pettingzoo.AECEnv, seconds: float) -> float:
    """Steps per second of a PettingZoo environment."""
    draw = np.random.default_rng(1)
    env.reset(seed=1)
    steps, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(20):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(draw.choice(np.flatnonzero(observation["action_mask"])))
            steps += 1
    return steps / (time.perf_counter() - begin)


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
    begin = time.process_time(), time.perf_counter()
    rows = [("fanorona-aec, one game", of_aec(theirs(), options.seconds))]
    rows.append(("fanorona.aec, one game", of_aec(fanorona.aec.env(), options.seconds)))
    for name, position in ("9x5", Position()), ("9x5 vela", Position.vela()), ("5x5", Position.riatra("5x5")):
        for threads in (1, os.cpu_count() or 1):
            whole, alone = of_vec_env(options.games, threads, options.seconds, position)
            label = f"VecEnv, {name}, {options.games} games, {threads} threads"
            rows += [(label, whole), (f"{label}, step alone", alone)]
    base = rows[0][1]
    for name, speed in rows:
        print(f"{name:55} {speed:12,.0f} steps/s {speed / base:10,.1f} x")
    used, passed = time.process_time() - begin[0], time.perf_counter() - begin[1]
    print(f"load after {os.getloadavg()[0]:.2f}; processors used on average: {used / passed:.2f}")


if __name__ == "__main__":
    main()
