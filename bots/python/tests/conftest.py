"""What tests share: the repository's data, its programs, and small engines."""

import os
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def program():
    """Finds a program of the workspace: in the directory FANORONA_PROGRAMS, or among its builds."""

    def find(name: str) -> str:
        places = [ROOT / "target/release", ROOT / "target/debug"]
        if "FANORONA_PROGRAMS" in os.environ:
            places.insert(0, Path(os.environ["FANORONA_PROGRAMS"]))
        for place in places:
            if found := shutil.which(name, path=str(place)):
                return found
        pytest.skip(f"NOT RUN: {name} is not built (cargo build --bins)")

    return find


@pytest.fixture
def bot(tmp_path):
    """Writes a bot and returns the command that starts it."""

    def write(source: str, name: str = "bot.py") -> list[str]:
        path = tmp_path / name
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        return [sys.executable, str(path)]

    return write
