"""Turns a function that chooses a move into an engine that speaks UGI."""

from __future__ import annotations

import collections
import contextlib
import errno
import io
import os
import queue
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from ._core import Game, Move, Position, Rules, Side, option_line, option_value, read_command
from .task import RESIGN, Combo, Limits, Option, Spin, Task

_MAX_SEED = 2**63 - 1

Choose = Callable[[Task], Move | str]


def run(
    choose: Choose,
    *,
    name: str | None = None,
    author: str = "unknown",
    options: Mapping[str, Option] | None = None,
    on_error: str = "play",
) -> None:
    """Runs an engine on standard input and output until the manager says `quit`.

    `choose` gets a `Task` and returns one of its moves, as a `Move` or as text, or `RESIGN`. It runs on
    the main thread. What it prints goes to standard error, so that it does not disturb the protocol.

    `options` declares settings by name; their values are in `Task.options`. `Seed`, `MoveOverhead` and
    `Rules` are always declared.

    If `choose` raises an exception or returns something else, the traceback goes to standard error.
    With `on_error="play"` the engine then reports it with `info error` and plays the first legal move;
    with `"exit"` it ends.
    """
    if on_error not in ("play", "exit"):
        raise ValueError(f"on_error must be play or exit, not {on_error!r}")
    if name is None:
        name = os.path.splitext(os.path.basename(sys.argv[0]))[0] or "bot"
    output = sys.stdout
    if isinstance(output, io.TextIOWrapper):
        output.reconfigure(encoding="utf-8", newline="\n")  # Windows has other ones.
    dispatcher = _Dispatcher(name, author, options or {}, output)
    threading.Thread(target=_read, args=(dispatcher.events,), daemon=True).start()
    failed: BaseException | None = None

    def dispatch() -> None:
        nonlocal failed
        try:
            dispatcher.run()
        except BaseException as why:  # Handed to the main thread, if the manager has not gone.
            if not _has_gone(why):
                failed = why
        finally:
            dispatcher.jobs.put(None)

    threading.Thread(target=dispatch, daemon=True).start()
    with contextlib.redirect_stdout(sys.stderr):
        while (task := dispatcher.jobs.get()) is not None:
            dispatcher.events.put(("answer", _answer(choose, task, on_error)))
    if failed is not None:
        raise failed


def _has_gone(why: BaseException) -> bool:
    """Whether an output failed because nobody reads it any more; Windows calls that an invalid argument."""
    return isinstance(why, OSError) and why.errno in (errno.EPIPE, errno.EINVAL)


def _answer(choose: Choose, task: Task, on_error: str) -> str:
    """Returns the answer of `choose`, or a legal move if it fails."""
    try:
        answer = choose(task)
        if isinstance(answer, str) and answer == RESIGN:
            return RESIGN
        move = Move(answer) if isinstance(answer, str) else answer
        if not isinstance(move, Move):
            raise TypeError(f"choose must return a move, not {answer!r}")
        if move not in task.moves:
            raise ValueError(f"choose returned {move}, which is not one of the moves of the task")
        return str(move)
    except Exception as why:
        # The first frame is the one above.
        own = why.__traceback__.tb_next if why.__traceback__ else None
        traceback.print_exception(type(why), why, own or why.__traceback__)
        sys.stderr.flush()
        if on_error == "exit":
            os._exit(1)
        task.error(_in_words(why, choose))
        return str(task.moves[0])


def _in_words(why: Exception, choose: Choose) -> str:
    """An exception in one line: what it is, and where in the bot's own files."""
    what = traceback.format_exception_only(type(why), why)[-1].strip()
    package = os.path.dirname(os.path.abspath(__file__))
    frames = traceback.extract_tb(why.__traceback__)
    own = [frame for frame in frames if os.path.dirname(os.path.abspath(frame.filename)) != package]
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    near = [frame for frame in own if os.path.dirname(os.path.abspath(frame.filename)) == here]
    for frame in reversed(near or own):
        return f"{what} ({os.path.basename(frame.filename)}, line {frame.lineno})"
    # Its answer is wrong: there is no line to name but that of the function.
    code = getattr(choose, "__code__", None)
    if code is None:
        return what
    return f"{what} ({os.path.basename(code.co_filename)}, line {code.co_firstlineno})"


def _read(events: queue.SimpleQueue[tuple[str, str]]) -> None:
    """Sends every line of standard input to the dispatcher.

    It reads the file itself: a thread that waits in `sys.stdin` keeps the interpreter from ending.
    """
    rest = b""
    while block := os.read(0, 1 << 16):
        *lines, rest = (rest + block).split(b"\n")
        for line in lines:
            events.put(("line", line.decode(errors="replace")))
    if rest:
        events.put(("line", rest.decode(errors="replace")))
    events.put(("line", "quit"))


class _Dispatcher:
    """Obeys the commands in their order. Searches run elsewhere, so that it hears `stop`."""

    def __init__(self, name: str, author: str, options: Mapping[str, Option], output: Any) -> None:
        self.events: queue.SimpleQueue[tuple[str, str]] = queue.SimpleQueue()
        self.jobs: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self.name = name
        self.author = author
        self.output = output
        self.lock = threading.Lock()
        self.lines: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.values: dict[str, Any] = {}
        declared: dict[str, Option] = {
            "Seed": Spin(0, 0, _MAX_SEED),
            "MoveOverhead": Spin(10, 0, 10_000),
            "Rules": "",
        }
        for option, value in (declared | dict(options)).items():
            self.declare(option, value)
        self.rules = Rules()
        self.game: Game | None = Game()
        self.random = Random(0)
        self.is_new_game = True
        self.task: Task | None = None
        self.answer: str | None = None
        self.waiting: collections.deque[tuple[str, dict[str, Any]]] = collections.deque()
        self.quitting = False
        self.over = False

    def declare(self, name: str, value: Option) -> None:
        """Declares an option."""
        match value:
            case bool():
                line = option_line(name, "check", str(value).lower())
            case int():
                line = option_line(name, "spin", str(value), -(2**31), 2**31)
            case Spin():
                line = option_line(name, "spin", str(value.default), value.min, value.max)
                value = value.default
            case Combo():
                line = option_line(name, "combo", value.default, choices=list(value.choices))
                value = value.default
            case str():
                line = option_line(name, "string", value)
            case _:
                raise TypeError(f"option {name}: {value!r} is not a bool, int, str, Spin or Combo")
        self.lines[name] = line
        self.names[name.lower()] = name
        self.values[name] = value

    def say(self, line: str) -> None:
        """Writes a line."""
        with self.lock:
            self.output.write(line + "\n")
            self.output.flush()

    def run(self) -> None:
        """Obeys commands until the end."""
        while not self.over:
            kind, text = self.events.get()
            if kind == "answer":
                self.answer = text
                self.finish()
            else:
                self.hear(*read_command(text))
            while self.waiting and self.task is None and not self.over:
                self.obey(*self.waiting.popleft())

    def hear(self, name: str, fields: dict[str, Any]) -> None:
        """Takes a command, which may have to wait for the end of a search."""
        if self.task is None:
            return self.obey(name, fields)
        stopping = self.task._stop.is_set()
        if name == "isready" and not stopping:
            return self.say("readyok")
        if name == "stop":
            return self.stop()
        self.waiting.append((name, fields))
        if name == "quit":
            self.quitting = True
            self.stop()

    def stop(self) -> None:
        """Stops the search."""
        if self.task is not None:
            self.task._stop.set()
            self.finish()

    def finish(self) -> None:
        """Prints the answer of a search, once it is there and may be given."""
        task = self.task
        if task is not None and self.answer is not None and (task.limits.finite or task._stop.is_set()):
            self.say(f"bestmove {self.answer}")
            self.task = self.answer = None

    def obey(self, name: str, fields: dict[str, Any]) -> None:
        """Obeys a command while no search is running."""
        match name:
            case "ugi":
                self.say(f"id name {self.name}\nid author {self.author}")
                for line in self.lines.values():
                    self.say(line)
                self.say(fields["ok"])
            case "isready":
                self.say("readyok")
            case "setoption":
                self.set_option(fields["name"], fields["value"] or "")
            case "uginewgame":
                self.new_game()
            case "position":
                self.set_position(fields["fen"], fields["moves"])
            case "go":
                self.go(fields)
            case "perft":
                self.perft(fields["depth"])
            case "query":
                self.say(f"response {self.query(fields['query'])}".rstrip())
            case "bench":
                self.say("info string this engine has no bench")
            case "quit":
                self.over = True
            case "error":
                self.complain(fields)

    def complain(self, fields: dict[str, Any]) -> None:
        """Answers a line that is not a command."""
        if fields["of"] != "empty":
            self.say(f"info string {fields['why']}")
        if fields["of"] == "position":
            self.game = None
        elif fields["of"] == "query":
            self.say("response none")
        elif fields["of"] == "perft":
            self.say("nodes 0")

    def set_option(self, name: str, text: str) -> None:
        """Sets an option, if there is one with this name and value."""
        known = self.names.get(name.lower())
        if known is None:
            return self.say(f"info string there is no option {name}")
        try:
            text = option_value(self.lines[known], text)
            if known == "Rules":
                self.set_rules(Rules(text))
        except ValueError as why:
            return self.say(f"info string {why}")
        default = self.values[known]
        if isinstance(default, bool):
            self.values[known] = text == "true"
        else:
            self.values[known] = type(default)(text)
        if known == "Seed":
            self.random = Random(self.values["Seed"])

    def set_rules(self, rules: Rules) -> None:
        """Sets the rules of the present game and of later ones."""
        self.rules = rules
        if self.game is not None:
            try:
                self.game = Game(self.game.start, self.game.moves, rules=rules)
            except ValueError:
                # The moves were legal when they were played, and are not judged again.
                self.game = Game(Position(self.game.position, rules=rules))

    def new_game(self) -> None:
        """Begins another game."""
        self.game = Game(rules=self.rules)
        self.random = Random(self.values["Seed"])
        self.is_new_game = True

    def set_position(self, fen: str | None, moves: list[str]) -> None:
        """Sets up a game. Moves that have been played already are not played again."""
        try:
            start = Position(fen, rules=self.rules)
            old = self.game
            if old is not None and old.start.fen == start.fen and old.rules == self.rules:
                played = [str(move) for move in old.moves]
                if moves[: len(played)] == played:
                    for move in moves[len(played) :]:
                        old = old.play(move)
                    self.game = old
                    return
            self.game = Game(start, moves)
        except ValueError as why:
            self.game = None
            self.say(f"info string {why}")

    def go(self, fields: dict[str, Any]) -> None:
        """Starts a search."""
        problems = fields.get("problems", [])
        for problem in problems:
            self.say(f"info string go: {problem}")
        game = self.game
        if game is None or game.position.outcome() is not None:
            return self.say("bestmove 0000")
        moves = game.legal_moves
        wanted = set(fields["search_moves"])
        moves = [move for move in moves if str(move) in wanted] or moves
        self.task = Task(
            game,
            moves,
            _limits(fields, bool(problems)),
            dict(self.values),
            self.random,
            self.is_new_game,
            self.say,
        )
        self.is_new_game = False
        if self.quitting:
            self.task._stop.set()
        self.jobs.put(self.task)

    def perft(self, depth: int) -> None:
        """Counts sequences of moves."""
        if self.game is None:
            return self.say("nodes 0")
        counts = self.game.position.divide(depth)
        for move, count in counts.items():
            self.say(f"{move}: {count}")
        self.say(f"nodes {sum(counts.values()) if depth else 1}")

    def query(self, query: str) -> str:
        """Answers a query."""
        if self.game is None:
            return "none"
        outcome = self.game.outcome()
        match query:
            case "gameover":
                return "true" if outcome else "false"
            case "p1turn":
                return "true" if self.game.turn == Side.WHITE else "false"
            case "result":
                results = {"1-0": "p1win", "0-1": "p2win", "1/2-1/2": "draw"}
                return results[outcome.result] if outcome else "none"
            case "fen":
                return self.game.position.fen
            case "moves":
                return " ".join(map(str, self.game.legal_moves))
            case "value":
                return "unknown"
            case _:
                return "none"


def _limits(fields: dict[str, Any], has_problems: bool) -> Limits:
    """The limits of a `go`. Unreadable words must not make it endless."""

    def seconds(name: str) -> float | None:
        milliseconds = fields[name]
        return None if milliseconds is None else milliseconds / 1000

    finite = fields["finite"]
    hurry = has_problems and not finite and not fields["infinite"]
    return Limits(
        white_time=seconds("white_time"),
        black_time=seconds("black_time"),
        white_increment=seconds("white_increment") or 0.0,
        black_increment=seconds("black_increment") or 0.0,
        moves_to_go=fields["moves_to_go"],
        move_time=0.1 if hurry else seconds("move_time"),
        depth=fields["depth"],
        nodes=fields["nodes"],
        finite=finite or hurry,
    )
