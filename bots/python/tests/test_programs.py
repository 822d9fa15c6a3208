"""Where programs are looked for. The directories of pip are made up."""

import asyncio
import os
import shutil
import sys
import sysconfig
from types import SimpleNamespace

import pytest

from fanorona import programs
from fanorona.engine import EngineError, _split, popen
from fanorona.programs import find_program

WINDOWS = os.name == "nt"
ENGINE = """#!{python}
import fanorona
fanorona.run(lambda task: task.moves[0], name="{place}")
"""


@pytest.fixture
def places(tmp_path, monkeypatch):
    """Directories by name, each to be searched for a reason of its own."""
    user = sysconfig.get_preferred_scheme("user")
    found = {name: tmp_path / name / "bin" for name in ("wanted", "environment", "target", "user", "path")}
    for place in found.values():
        place.mkdir(parents=True)
    monkeypatch.setenv("FANORONA_PROGRAMS", str(found["wanted"]))
    monkeypatch.setenv("PATH", str(found["path"]))
    by_scheme = {None: found["environment"], user: found["user"]}
    monkeypatch.setattr(sysconfig, "get_path", lambda name, scheme=None: str(by_scheme[scheme]))
    monkeypatch.setattr(programs, "__file__", str(tmp_path / "target" / "fanorona" / "programs.py"))
    return found


def install(directory, name="bot-test"):
    """Puts an engine into a directory, which says where it is; returns the program."""
    script = directory / (f"{name}.py" if WINDOWS else name)
    script.write_text(ENGINE.format(python=sys.executable, place=directory.parent.name), encoding="utf-8")
    script.chmod(0o755)
    if not WINDOWS:
        return script
    program = directory / f"{name}.cmd"
    program.write_text(f'@"{sys.executable}" "{script}" %*\n')
    return program


def is_found(name, path):
    """Whether a name leads to a program; Windows tells no small letters from capitals."""
    return os.path.normcase(find_program(name) or "") == os.path.normcase(path)


def test_the_programs_of_the_wheel_come_before_path(places):
    assert find_program("bot-test") is None
    for place in ("path", "user", "target", "environment", "wanted"):
        path = install(places[place])
        assert is_found("bot-test", path), place
    assert find_program("bot-other") is None


def test_path_alone_is_searched_where_no_wheel_is_installed(places, monkeypatch):
    monkeypatch.delenv("FANORONA_PROGRAMS")
    for place in ("wanted", "environment", "target", "user"):
        shutil.rmtree(places[place].parent)
    path = install(places["path"])
    assert is_found("bot-test", path)
    monkeypatch.delenv("PATH")
    assert find_program("bot-test") is None and is_found(str(path), path)


def test_an_engine_is_started_from_where_it_is_found(places):
    install(places["path"])
    with popen("bot-test") as engine:
        assert engine.name == "path"
    install(places["environment"])
    with popen(["bot-test", "argument"]) as engine:
        assert engine.name == "environment"


def test_a_path_is_relative_to_this_process(places, tmp_path, monkeypatch):
    path = install(places["path"])
    monkeypatch.chdir(tmp_path)
    relative = os.path.join("path", "bin", path.name)
    assert is_found(relative, path)
    with popen([relative], cwd=places["wanted"]) as engine:
        assert engine.name == "path"
    monkeypatch.chdir(places["path"])
    assert is_found(os.path.join(".", "bot-test"), path)


def windows(monkeypatch):
    """Lets the standard library look for programs as it does on Windows, if this is another system."""
    if WINDOWS:
        return
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("PATHEXT", ".exe")
    api = SimpleNamespace(NeedCurrentDirectoryForExePath=lambda _: False)
    monkeypatch.setattr(shutil, "_winapi", api, raising=False)


def test_names_on_windows_may_leave_out_exe(places, monkeypatch):
    path = places["environment"] / "bot-test.exe"
    path.write_text("")
    path.chmod(0o755)
    assert WINDOWS or find_program("bot-test") is None
    windows(monkeypatch)
    assert is_found("bot-test", path) and is_found("bot-test.exe", path) and is_found(str(path.with_suffix("")), path)


def test_engines_on_windows_have_the_event_loop_that_starts_processes(places, monkeypatch):
    install(places["environment"], "bot-test" if WINDOWS else "bot-test.exe")
    windows(monkeypatch)
    loops = []
    kind = asyncio.ProactorEventLoop if WINDOWS else asyncio.new_event_loop

    def loop():
        loops.append(kind())
        return loops[-1]

    monkeypatch.setattr(asyncio, "ProactorEventLoop", loop, raising=False)
    with popen("bot-test") as engine:
        assert engine.name == "environment" and len(loops) == 1


def test_a_backslash_is_a_part_of_a_path_on_windows(monkeypatch):
    command = r'''C:\bots\mine.exe "C:\my bots\net.bin" 'a b' #1'''
    assert WINDOWS or _split(command)[0] == "C:botsmine.exe"
    windows(monkeypatch)
    assert _split(command) == [r"C:\bots\mine.exe", r"C:\my bots\net.bin", "a b", "#1"]


def test_a_command_that_cannot_be_started_says_what_to_write(tmp_path):
    with pytest.raises(EngineError, match="No closing quotation"):
        popen("bot 'and more")
    path = tmp_path / "bot.py"
    path.write_text("")
    started = f"`{os.path.basename(sys.executable)} .*bot.py`"
    with pytest.raises(EngineError, match=f"is not a program.*{started}"):
        popen([str(path)])
    path.chmod(0o755)
    with pytest.raises(EngineError, match=f"{'is not a program' if WINDOWS else 'cannot be started'}.*{started}"):
        popen([str(path)])
