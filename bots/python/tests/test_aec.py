"""The PettingZoo environment, by PettingZoo's own tests and by the rules."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

import fanorona.aec
from fanorona import BLACK, WHITE, Position
from fanorona.rl import action_of

STARTS = [None, Position.vela(), Position.riatra("5x5", rules="max-plies=20")]


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("kind", [fanorona.aec.env, fanorona.aec.raw_env])
def test_the_environment_passes_the_tests_of_pettingzoo(start, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The observation is a dictionary with a mask, as in PettingZoo's own board games.
        warnings.filterwarnings("ignore", message="Observation")
        api_test(kind(start), num_cycles=2000)


def test_seeds():
    seed_test(fanorona.aec.env, num_cycles=500)


def test_rendering(capsys):
    render_test(fanorona.aec.env, custom_tests={"svg": lambda picture: picture.startswith("<svg")})
    assert "●───●" in capsys.readouterr().out
    with pytest.raises(ValueError, match="render_mode"):
        fanorona.aec.env(render_mode="film")


def test_the_same_agent_goes_on_capturing():
    env = fanorona.aec.env(Position().play("e2e3A"))
    env.reset()
    assert env.agent_selection == "player_1"
    env.step(action_of("f4e5W"))
    assert env.agent_selection == "player_1"
    seen = env.observe("player_1")
    assert set(np.flatnonzero(seen["action_mask"])) == {action_of("e5e4A"), action_of("end")}
    assert not env.observe("player_0")["action_mask"].any()
    assert env.observation_space("player_0").contains(env.observe("player_0"))
    env.step(action_of("end"))
    assert env.agent_selection == "player_0"


def play(env, texts, size):
    env.reset()
    for text in texts:
        env.step(action_of(text, size))


def test_rewards_are_those_of_the_rules():
    env = fanorona.aec.env("b4/W4/5/5/5 w")
    play(env, ["a4a3W"], "5x5")
    assert env.rewards == {"player_0": 1.0, "player_1": -1.0} and all(env.terminations.values())
    assert env.infos["player_0"] == {"reason": "no-stones"}
    starved = fanorona.aec.env(Position.vela())
    play(starved, ["e2e3A", "e5e4", "e3e2W", "f4e3"], "9x5")
    assert starved.rewards == {"player_0": 1.0, "player_1": -1.0}
    limit = fanorona.aec.env("b4/5/5/5/4W w", rules="max-plies=1")
    play(limit, ["e1d1"], "5x5")
    assert all(limit.truncations.values()) and not any(limit.terminations.values())
    assert set(limit.rewards.values()) == {0.0}


def test_an_illegal_action_loses():
    env = fanorona.aec.env()
    env.reset()
    env.step(action_of("a1b1"))
    assert env.rewards == {"player_0": -1, "player_1": 0} and all(env.terminations.values())
    assert (WHITE, BLACK) == tuple(fanorona.aec._SIDES.values())
