"""The examples of the README and of the docstrings run."""

import ast
import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import fanorona
import fanorona.engine
import fanorona.frames
import fanorona.programs
import fanorona.records
import fanorona.rl

README = Path(__file__).resolve().parents[1] / "README.md"
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def blocks(kind):
    """The blocks of code of a kind, each with the comment before it and its line."""
    text = README.read_text(encoding="utf-8")
    found = re.finditer(rf"(?:<!-- (.*?) -->\n)?```{kind}\n(.*?)```", text, re.DOTALL)
    return [(block[1] or "", block[2], text.count("\n", 0, block.start(2))) for block in found]


def test_the_examples_print_what_the_readme_shows(program, monkeypatch, root):
    monkeypatch.chdir(root)
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    examples = blocks("pycon")
    assert len(examples) > 8
    for note, text, line in examples:
        if note.startswith("needs: "):
            directory = os.path.dirname(program(note.removeprefix("needs: ")))
            monkeypatch.setenv("PATH", f"{directory}{os.pathsep}{os.environ['PATH']}")
        test = doctest.DocTestParser().get_doctest(text, names, f"README:{line}", str(README), line)
        assert test.examples
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.failures == 0


def test_the_bots_of_the_readme_play(tmp_path, root):
    shown = [text for _, text, _ in blocks("python")]
    assert shown[0] == (root / "bots/python/examples/ten_lines.py").read_text(encoding="utf-8")
    assert shown[0] in (root / "arena/guides/write-your-own-bot.md").read_text(encoding="utf-8")
    for text in shown:
        ast.parse(text)
        bot = tmp_path / "bot.py"
        bot.write_text(text, encoding="utf-8")
        lines = "position startpos moves e2e3A\ngo depth 2\nposition startpos\ngo movetime 200\n"
        done = subprocess.run([sys.executable, bot], input=lines, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        best = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("bestmove")]
        assert best[0] == "f4e5We4A" and fanorona.Position().is_legal(best[1])


MODULES = [fanorona, fanorona.engine, fanorona.frames, fanorona.programs, fanorona.records, fanorona.rl]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_docstrings(module):
    assert doctest.testmod(module, optionflags=FLAGS).failed == 0


def test_everything_public_has_a_docstring():
    for module in MODULES:
        assert module.__doc__
        for name in getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"]):
            value = getattr(module, name)
            if getattr(value, "__module__", "").startswith("fanorona") and callable(value):
                assert value.__doc__, name
                members = vars(value).items() if isinstance(value, type) else ()
                for member, what in members:
                    if member[0] != "_" and (callable(what) or hasattr(what, "__get__")):
                        assert getattr(value, member).__doc__, f"{name}.{member}"
