"""Starts engines and asks them, synchronously or with asyncio.

>>> import fanorona.engine
>>> with fanorona.engine.popen("bot-alphabeta") as engine:            # doctest: +SKIP
...     result = engine.play(fanorona.Game(), fanorona.engine.Limit(depth=8))
...     print(result.move, result.info)
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import os
import shlex
import sys
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NoReturn, TypeVar

from ._core import Game, Move, Position, Rules, option_value, read_reply
from .programs import find_program

T = TypeVar("T")

_LONGEST_LINE = 1 << 20
_STDERR_LINES = 20
_OUTPUT_LINES = 5
# Windows does not interrupt a thread that waits, so there it wakes up to see Ctrl-C. In seconds.
_WAKE: float | None = 0.1 if sys.platform == "win32" else None


class EngineError(Exception):
    """An engine did not start, ended, was late or broke the protocol. The message has the end of its
    standard error, and the last lines it printed that are not of the protocol."""


@dataclass(frozen=True)
class Limit:
    """The limits of a search; the first one reached ends it. Times are in seconds."""

    time: float | None = None
    """For this move."""
    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    """Positions to search."""
    white_clock: float | None = None
    """What White's clock shows."""
    black_clock: float | None = None
    """What Black's clock shows."""
    white_increment: float | None = None
    """What White gains with every move."""
    black_increment: float | None = None
    """What Black gains with every move."""
    moves_to_go: int | None = None
    """Moves until the clocks are filled up again."""

    def words(self) -> str:
        """Returns the words of `go`."""
        words = []
        for word, seconds in (
            ("p1time", self.white_clock),
            ("p2time", self.black_clock),
            ("p1inc", self.white_increment),
            ("p2inc", self.black_increment),
            ("movetime", self.time),
        ):
            if seconds is not None:
                words.append(f"{word} {round(seconds * 1000)}")
        for word, number in ("movestogo", self.moves_to_go), ("depth", self.depth), ("nodes", self.nodes):
            if number is not None:
                words.append(f"{word} {number}")
        return " ".join(words)

    def longest(self) -> float | None:
        """Returns the seconds that a search may take by its clocks, or `None` if no time is given."""
        clocks = [clock for clock in (self.white_clock, self.black_clock) if clock is not None]
        times = [time for time in (self.time, max(clocks, default=None)) if time is not None]
        return min(times, default=None)


@dataclass(frozen=True)
class Score:
    """An evaluation for the side to move."""

    kind: str
    """`cp` for hundredths of a stone, `win` or `loss` for plies to a proven end."""
    value: int

    def __str__(self) -> str:
        return f"{self.kind} {self.value}"


@dataclass(frozen=True)
class Info:
    """What an engine reports about its search. What it does not report is `None`."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    wdl: tuple[int, int, int] | None = None
    """The chances to win, draw and lose in thousandths."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    tbhits: int | None = None
    time: int | None = None
    """Milliseconds since the search began."""
    pv: list[Move] = field(default_factory=list)
    """The expected moves."""
    string: str | None = None
    error: str | None = None
    """An error of the engine, after which it goes on."""


@dataclass(frozen=True)
class Result:
    """The answer of an engine."""

    move: Move | None
    """The move; `None` if the engine has none or resigns."""
    resigned: bool
    """Whether the engine gives up the game."""
    infos: list[Info]
    """The last report with a score for each line, the best line first."""

    @property
    def info(self) -> Info | None:
        """The last report about the best line."""
        return self.infos[0] if self.infos else None


@dataclass(frozen=True)
class EngineOption:
    """An option that an engine declares."""

    name: str
    kind: str
    """`check`, `spin`, `combo`, `string` or `button`."""
    default: bool | int | str | None
    line: str
    """The declaration."""
    min: int | None = None
    max: int | None = None
    choices: tuple[str, ...] = ()


Asked = Game | Position | str
"""What an engine is asked about: a game with its history, a position, or a FEN."""


def _game(asked: Asked) -> Game:
    return asked if isinstance(asked, Game) else Game(asked)


def _command(command: str | Sequence[str]) -> list[str]:
    """The words of a command, the first of them the path of a program."""
    words = _split(command) if isinstance(command, str) else [str(word) for word in command]
    if not words:
        raise EngineError("the command of the engine is empty")
    program = find_program(words[0])
    if program is None:
        raise EngineError(
            f"`{words[0]}` is not a program: give its path, or extend PATH by the directory it lies in{_hint(words)}"
        )
    return [program, *words[1:]]


def _split(command: str) -> list[str]:
    """Splits a command as a shell does. On Windows a backslash is a part of a path."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    if sys.platform == "win32":
        lexer.escape = ""
    try:
        return list(lexer)
    except ValueError as why:
        raise EngineError(f"the command `{command}` cannot be read: {why}") from None


def _hint(words: list[str]) -> str:
    """How to start a Python file that is not a program by itself."""
    python = os.path.basename(sys.executable) or "python3"
    return f"; a Python file is started by `{python} {words[0]}`" if words[0].endswith(".py") else ""


def _cannot_be_copied() -> NoReturn:
    raise TypeError("an engine is a running process and cannot be copied; start another one with popen")


class AsyncEngine:
    """An engine, asked with asyncio. `await AsyncEngine.popen(command)` starts one."""

    name: str
    """What the engine calls itself."""
    author: str
    """Its authors."""
    options: dict[str, EngineOption]
    """The options it declares, by name."""

    def __init__(self, process: asyncio.subprocess.Process, timeout: float) -> None:
        self.name = ""
        self.author = ""
        self.options = {}
        self._process = process
        self._timeout = timeout
        self._stderr: collections.deque[str] = collections.deque(maxlen=_STDERR_LINES)
        self._unknown: collections.deque[str] = collections.deque(maxlen=_OUTPUT_LINES)
        self._unreadable: list[tuple[str, str]] = []
        self._busy = asyncio.Lock()
        self._searching = False
        self._rules: Rules | None = None
        self._values: dict[str, str] = {}
        self._drain = asyncio.create_task(self._read_stderr())

    def __reduce__(self) -> NoReturn:
        _cannot_be_copied()

    @classmethod
    async def popen(
        cls,
        command: str | Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        timeout: float = 10.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> AsyncEngine:
        """Starts an engine and sets options. `timeout` is how long it may take to answer, besides the
        time of a search."""
        words = _command(command)
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, limit=_LONGEST_LINE
            )
        except OSError as why:
            raise EngineError(f"`{words[0]}` cannot be started: {why}{_hint(words)}") from None
        engine = cls(process, timeout)
        try:
            await engine._handshake()
            await engine.configure(options or {})
        except BaseException:
            await engine.kill()
            raise
        return engine

    async def _handshake(self) -> None:
        self._write("ugi")
        while True:
            line, name, fields = await self._read(self._timeout, "ugiok")
            match name:
                case "id name":
                    self.name = fields["name"]
                case "id author":
                    self.author = fields["author"]
                case "option":
                    self.options[fields["name"]] = EngineOption(
                        name=fields["name"],
                        kind=fields["type"],
                        default=fields.get("default"),
                        line=line,
                        min=fields.get("min"),
                        max=fields.get("max"),
                        choices=fields.get("choices", ()),
                    )
                case "error" if line.startswith("option"):
                    self._unreadable.append((line, fields["why"]))
                case "ugiok":
                    return

    async def configure(self, options: Mapping[str, object]) -> None:
        """Sets options. It is an error if the engine does not declare one, or does not accept a value."""
        by_name = {name.lower(): option for name, option in self.options.items()}
        for name, value in options.items():
            option = by_name.get(name.lower())
            if option is None:
                for line, why in self._unreadable:
                    if f" {name.lower()} " in f" {' '.join(line.lower().split())} ":
                        raise EngineError(f"the engine's line `{line}` could not be read: {why}")
                known = ", ".join(self.options) or "none"
                raise EngineError(f"{self.name} has no option {name}; its options are: {known}")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            try:
                text = option_value(option.line, text)
            except ValueError as why:
                raise EngineError(str(why)) from None
            self._write(f"setoption name {option.name} value {text}".rstrip())
            self._values[option.name] = text
        await self.ping()

    async def ping(self) -> None:
        """Waits until the engine has obeyed every command."""
        self._write("isready")
        await self._await("readyok")

    async def new_game(self) -> None:
        """Tells the engine that the next position belongs to another game."""
        self._write("uginewgame")
        await self.ping()

    async def play(
        self,
        asked: Asked,
        limit: Limit | None = None,
        *,
        moves: Iterable[Move | str] = (),
        on_info: Callable[[Info], object] | None = None,
    ) -> Result:
        """Asks for a move. Without a limit the search lasts until `stop` is called.

        `moves` restricts the choice; `on_info` gets every report as it comes.
        """
        game = _game(asked)
        limit = limit or Limit()
        async with self._busy:
            await self._set_position(game)
            search = " ".join(map(str, moves))
            words = f"{limit.words()} searchmoves {search}" if search else limit.words()
            self._write(f"go {words}".rstrip())
            self._searching = True
            try:
                return await self._result(game, limit, on_info)
            finally:
                self._searching = False

    async def analyse(
        self,
        asked: Asked,
        limit: Limit | None = None,
        *,
        lines: int | None = None,
        on_info: Callable[[Info], object] | None = None,
    ) -> list[Info]:
        """Analyses a position. Returns the last report for each of `lines` lines, the best one first."""
        if lines is None:
            return (await self.play(asked, limit, on_info=on_info)).infos
        before = self._values.get("MultiPV", "1")
        await self.configure({"MultiPV": lines})
        infos = (await self.play(asked, limit, on_info=on_info)).infos
        await self.configure({"MultiPV": before})
        return infos

    async def value(self, asked: Asked) -> str | None:
        """Asks for the exact value: `win 5`, `loss 4` or `draw`; `None` if the engine does not know it."""
        async with self._busy:
            await self._set_position(_game(asked))
            self._write("query value")
            fields = await self._await("response")
            return fields["text"] if fields["text"].split(" ")[0] in ("win", "loss", "draw") else None

    async def stop(self) -> None:
        """Ends the running search; its answer is the result of `play` or `analyse`."""
        if self._searching:
            self._write("stop")

    async def quit(self) -> int:
        """Ends the engine and returns its exit code."""
        if self._process.returncode is None:
            try:
                self._write("quit")
                await asyncio.wait_for(self._process.wait(), self._timeout)
            except (EngineError, asyncio.TimeoutError):
                self._process.kill()
        code = await self._process.wait()
        await self._drain
        return code

    async def kill(self) -> None:
        """Ends the engine at once."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._drain

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await (self.quit() if kind is None else self.kill())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    async def _set_position(self, game: Game) -> None:
        """Sends rules, if they have changed, and the game."""
        if game.rules != (self._rules or Rules()):
            if "Rules" not in self.options:
                raise EngineError(f"{self.name} plays by the default rules alone")
            self._write(f"setoption name Rules value {game.rules}".rstrip())
            self._rules = game.rules
        self._write(game.command)
        await self.ping()

    async def _result(
        self, game: Game, limit: Limit, on_info: Callable[[Info], object] | None
    ) -> Result:
        longest = limit.longest()
        timeout = None if longest is None else longest + self._timeout
        infos: dict[int, Info] = {}
        deadline = None if timeout is None else asyncio.get_running_loop().time() + timeout
        while True:
            left = None if deadline is None else max(deadline - asyncio.get_running_loop().time(), 0)
            line, name, fields = await self._read(left, "bestmove")
            if name == "info":
                info = _info(fields)
                if info.score is not None or info.pv:
                    infos[info.multipv or 1] = info
                if on_info is not None:
                    on_info(info)
            elif name == "error" and line.startswith("bestmove"):
                raise EngineError(f"{self.name}: {fields['why']}")
            elif name == "bestmove":
                move = fields["move"]
                if move is not None and not game.position.is_legal(move):
                    raise EngineError(f"{self.name} played the illegal move {move}")
                by_line = [infos[number] for number in sorted(infos)]
                return Result(move, fields["resign"], by_line)

    async def _await(self, wanted: str) -> dict[str, Any]:
        """Reads until a reply."""
        while True:
            _, name, fields = await self._read(self._timeout, wanted)
            if name == wanted:
                return fields

    async def _read(self, timeout: float | None, wanted: str) -> tuple[str, str, dict[str, Any]]:
        """Reads the next reply."""
        assert self._process.stdout is not None
        while True:
            try:
                block = await asyncio.wait_for(self._process.stdout.readline(), timeout)
            except (asyncio.TimeoutError, TimeoutError):
                await self.kill()
                raise EngineError(
                    f"{self.name or 'the engine'} did not send {wanted} within {timeout:.1f} s{self._tail()}"
                ) from None
            except ValueError:
                await self.kill()
                raise EngineError(f"{self.name} sent a line of more than {_LONGEST_LINE} bytes") from None
            if not block:
                code = await self._process.wait()
                await self._drain
                raise EngineError(
                    f"{self.name or 'the engine'} ended with code {code} before it sent {wanted}{self._tail()}"
                )
            line = block.decode(errors="replace").rstrip("\r\n")
            reply = read_reply(line)
            if reply is not None:
                return line, *reply
            self._unknown.append(line[:200])

    def _write(self, line: str) -> None:
        if self._process.returncode is not None:
            raise EngineError(f"{self.name} has ended with code {self._process.returncode}{self._tail()}")
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    def _tail(self) -> str:
        return "".join(f"\n  {line}" for line in (*self._unknown, *self._stderr))

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        while True:
            try:
                block = await self._process.stderr.readline()
            except ValueError:
                continue  # A line that is too long.
            if not block:
                return
            self._stderr.append(block.decode(errors="replace").rstrip())


def _info(fields: dict[str, Any]) -> Info:
    score = fields.pop("score")
    return Info(score=None if score is None else Score(*score), **fields)


class Engine:
    """An engine. `popen` starts one. Use it in a `with` block, or call `quit` at the end."""

    def __init__(self, start: Callable[[], Coroutine[Any, Any, AsyncEngine]]) -> None:
        # On Windows one kind of event loop alone starts processes, and another one may be the default.
        if sys.platform == "win32":
            self._loop: asyncio.AbstractEventLoop = asyncio.ProactorEventLoop()
        else:
            self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._engine = self._run(start())
        except BaseException:
            self._end()
            raise

    def __reduce__(self) -> NoReturn:
        _cannot_be_copied()

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        if self._loop.is_closed():
            coroutine.close()
            raise EngineError("the engine has ended")
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            while _WAKE is not None and not future.done():
                concurrent.futures.wait([future], _WAKE)
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def name(self) -> str:
        """What the engine calls itself."""
        return self._engine.name

    @property
    def author(self) -> str:
        """Its authors."""
        return self._engine.author

    @property
    def options(self) -> dict[str, EngineOption]:
        """The options it declares, by name."""
        return self._engine.options

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options. It is an error if the engine does not declare one, or does not accept a value."""
        self._run(self._engine.configure(options))

    def ping(self) -> None:
        """Waits until the engine has obeyed every command."""
        self._run(self._engine.ping())

    def new_game(self) -> None:
        """Tells the engine that the next position belongs to another game."""
        self._run(self._engine.new_game())

    def play(
        self,
        asked: Asked,
        limit: Limit,
        *,
        moves: Iterable[Move | str] = (),
        on_info: Callable[[Info], object] | None = None,
    ) -> Result:
        """Asks for a move. `moves` restricts the choice; `on_info` gets every report as it comes."""
        return self._run(self._engine.play(asked, limit, moves=moves, on_info=on_info))

    def analyse(
        self,
        asked: Asked,
        limit: Limit,
        *,
        lines: int | None = None,
        on_info: Callable[[Info], object] | None = None,
    ) -> list[Info]:
        """Analyses a position. Returns the last report for each of `lines` lines, the best one first."""
        return self._run(self._engine.analyse(asked, limit, lines=lines, on_info=on_info))

    def value(self, asked: Asked) -> str | None:
        """Asks for the exact value: `win 5`, `loss 4` or `draw`; `None` if the engine does not know it."""
        return self._run(self._engine.value(asked))

    def stop(self) -> None:
        """Ends a search that another thread has started."""
        self._run(self._engine.stop())

    def quit(self) -> int:
        """Ends the engine and returns its exit code."""
        code = self._run(self._engine.quit())
        self._end()
        return code

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._loop.is_closed():
            self._run(self._engine.__aexit__(kind, error, trace))
            self._end()

    def __repr__(self) -> str:
        return f"<Engine {self.name!r}>"


def popen(
    command: str | Sequence[str],
    *,
    options: Mapping[str, object] | None = None,
    timeout: float = 10.0,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> Engine:
    """Starts an engine and sets options.

    `command` is a program's name or path, with arguments. `fanorona.programs` tells where names are
    looked for. `timeout` is how long the engine may take to answer, besides the time of a search.
    """
    return Engine(
        lambda: AsyncEngine.popen(command, options=options, timeout=timeout, cwd=cwd, env=env)
    )


async def popen_async(
    command: str | Sequence[str],
    *,
    options: Mapping[str, object] | None = None,
    timeout: float = 10.0,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
) -> AsyncEngine:
    """Starts an engine for asyncio, like `popen`."""
    return await AsyncEngine.popen(command, options=options, timeout=timeout, cwd=cwd, env=env)
