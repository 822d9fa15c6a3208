"""Finds programs: those of the wheel `fanorona-arena` where it is installed, and any other."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig


def find_program(program: str) -> str | None:
    """Returns the absolute path of a program, or `None` if there is none.

    A name without a directory is looked for in the directory that `FANORONA_PROGRAMS` names, where pip
    installs programs for this Python, for its user, or with `--target`, and in `PATH`. A path is relative
    to the working directory of this process. On Windows `bot-mcts` also means `bot-mcts.exe`.
    """
    path = os.pathsep.join([*_installed(), os.environ.get("PATH") or os.defpath])
    # Python 3.11 completes names on Windows, but no paths.
    names = [program, f"{program}.exe"] if sys.platform == "win32" else [program]
    found = next(filter(None, (shutil.which(name, path=path) for name in names)), None)
    return os.path.abspath(found) if found else None


def _installed() -> list[str]:
    """The directories that may have the programs of the wheel, the preferred one first."""
    user = sysconfig.get_preferred_scheme("user")
    beside = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
    named = os.environ.get("FANORONA_PROGRAMS")
    return [*filter(None, [named]), sysconfig.get_path("scripts"), beside, sysconfig.get_path("scripts", user)]
