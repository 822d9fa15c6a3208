"""The learner of the examples: it learns, enters a tournament, and beats random moves by a sequential test."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from fanorona.records import read_games

FILES = ["learn.py", "learn.toml"]


@pytest.fixture
def examples(root, tmp_path):
    """A copy of the learner and its tournament, where it may write."""
    for name in FILES:
        shutil.copy(root / "bots/python/examples" / name, tmp_path)
    return tmp_path


def test_the_learner_beats_random_moves(examples, program):
    arena = program("arena")
    places = [os.path.dirname(sys.executable), os.path.dirname(arena), os.environ["PATH"]]
    environment = os.environ | {"PATH": os.pathsep.join(places)}
    code = (examples / "learn.py").read_text(encoding="utf-8")
    assert len(code.splitlines()) < 60
    learn = [sys.executable, "learn.py", "learn", "weights.npz"]
    subprocess.run(learn, cwd=examples, check=True, timeout=600)
    play = [arena, "run", "learn.toml", "--out", "out"]
    done = subprocess.run(play, cwd=examples, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads((examples / "out/sprt.json").read_text(encoding="utf-8"))["decision"] == "H1", done.stdout
    games = list(read_games(examples / "out"))
    assert games and all(game.offender is None for game in games)
    assert {game.white for game in games} == {"learner", "random"}
