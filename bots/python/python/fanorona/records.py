"""Reads the games that tournaments write: `games.csv`, `journal.jsonl` and FGN.

>>> from fanorona.records import read_games
>>> for record in read_games("results/reference"):                # doctest: +SKIP
...     print(record.white, record.result, record.black, record.reason)

**Data frames.** `read_games(path).to_pandas()` and `to_polars()` return a table with a row for every game,
whatever the file. pandas and polars are not installed with this package.

| column | content | pandas | polars |
|---|---|---|---|
| `game` | the number of the game, like `12`, or `12.3` for the third game of session 12 | `string` | `String` |
| `kind` | `riatra` or `vela` | `string` | `String` |
| `white`, `black` | the players | `string` | `String` |
| `result` | `1-0`, `0-1`, `1/2-1/2` or `*` | `string` | `String` |
| `white_score` | 1, 0.5 or 0 points of White; missing for `*` | `float64` | `Float64` |
| `reason` | how the game ended, like `no-stones` or `time` | `string` | `String` |
| `offender` | the player whose fault ended the game; missing if there is none | `string` | `String` |
| `plies` | the number of moves | `int64` | `Int64` |
| `book` | how many of the moves came from the opening | `int64` | `Int64` |
| `start` | the FEN of the position the game began with | `string` | `String` |
| `moves` | the moves from there, with blanks between them | `string` | `String` |
| `rules` | the rule switches; empty for the default rules | `string` | `String` |
| `times` | milliseconds of each move after the opening; empty if the file has none | lists | `List(Int64)` |
| `scores` | the report of the player for each of these moves, like `cp 20` | lists | `List(String)` |
"""

from __future__ import annotations

import csv
import json
import os
import re
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import frames
from ._core import Game, Move, Position, Rules

if TYPE_CHECKING:
    import pandas
    import polars


class RecordError(ValueError):
    """A file of games is damaged or is not one. The message names the file and the line."""


@dataclass(frozen=True)
class GameRecord:
    """A game as a file holds it. What the file does not say is empty or `None`."""

    id: str
    """The number of the game, like `12`, or `12.3` for the third game of session 12."""
    white: str
    """The player with White."""
    black: str
    """The player with Black."""
    result: str
    """`1-0`, `0-1`, `1/2-1/2` or `*`."""
    reason: str
    """How the game ended, like `no-stones` or `time`."""
    start: str
    """The FEN of the position the game began with."""
    moves: list[Move]
    """The moves from there."""
    kind: str = "riatra"
    """`riatra` or `vela`."""
    book: int = 0
    """How many of the moves came from the opening."""
    offender: str | None = None
    """The player whose fault ended the game."""
    rules: Rules = field(default_factory=Rules)
    """The rules, where the file or the config beside it names them."""
    times: list[int] = field(default_factory=list)
    """Milliseconds of each move after the opening."""
    scores: list[str] = field(default_factory=list)
    """What the player reported for each of these moves, like `cp 20`; may be empty."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Everything the file says about the game, as it stands there."""

    def game(self) -> Game:
        """Replays the game by its rules. An illegal move is an error."""
        return Game(Position(self.start, rules=self.rules), self.moves)


@dataclass(frozen=True)
class Records:
    """The games of a file. Every loop over them reads the file from its beginning, one game at a time."""

    path: Path
    """A file that ends in `.csv`, `.jsonl`, `.fgn` or `.pgn`."""
    rules: Rules | None = None
    """Rules to replace those of the file, or of `config.toml` beside it."""

    def __post_init__(self) -> None:
        if self.path.suffix not in (".csv", ".jsonl", ".fgn", ".pgn"):
            raise RecordError(f"{self.path}: the name must end in .csv, .jsonl or .fgn")

    def __iter__(self) -> Iterator[GameRecord]:
        rules = _rules_beside(self.path) if self.rules is None else self.rules
        match self.path.suffix:
            case ".csv":
                return _read_csv(self.path, rules)
            case ".jsonl":
                return _read_journal(self.path, rules)
            case _:
                return _read_fgn(self.path, rules, self.rules is not None)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a data frame of pandas with a row for every game; `fanorona.records` lists its columns."""
        return frames.pandas_frame(_columns(self))

    def to_polars(self) -> polars.DataFrame:
        """Returns a data frame of polars with a row for every game; `fanorona.records` lists its columns."""
        return frames.polars_frame(_columns(self))


_WHITE_SCORES = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

_COLUMNS: dict[str, tuple[str, Callable[[GameRecord], Any]]] = {
    "game": ("text", lambda record: record.id),
    "kind": ("text", lambda record: record.kind),
    "white": ("text", lambda record: record.white),
    "black": ("text", lambda record: record.black),
    "result": ("text", lambda record: record.result),
    "white_score": ("number", lambda record: _WHITE_SCORES.get(record.result)),
    "reason": ("text", lambda record: record.reason),
    "offender": ("text", lambda record: record.offender),
    "plies": ("whole", lambda record: len(record.moves)),
    "book": ("whole", lambda record: record.book),
    "start": ("text", lambda record: record.start),
    "moves": ("text", lambda record: " ".join(map(str, record.moves))),
    "rules": ("text", lambda record: str(record.rules)),
    "times": ("wholes", lambda record: record.times),
    "scores": ("texts", lambda record: record.scores),
}
"""The type of each column of a data frame, and its value for a game. The module documents them."""


def _columns(records: Iterable[GameRecord]) -> frames.Columns:
    columns: frames.Columns = {name: (kind, []) for name, (kind, _) in _COLUMNS.items()}
    for record in records:
        for name, (_, value) in _COLUMNS.items():
            columns[name][1].append(value(record))
    return columns


def read_games(path: str | os.PathLike[str], *, rules: Rules | str | None = None) -> Records:
    """Finds the games of a tournament. What is wrong in a file is an error where a loop reaches it.

    `path` is a results directory, or a file that ends in `.csv`, `.jsonl` or `.fgn`. The rules are those
    of the file, or of `config.toml` beside it, unless you give others.
    """
    path = Path(path)
    if path.is_dir():
        names = ["journal.jsonl", "games.csv", "games.fgn"]
        found = next((path / name for name in names if (path / name).exists()), None)
        if found is None:
            raise FileNotFoundError(f"{path} has none of {', '.join(names)}")
        path = found
    return Records(path, None if rules is None else Rules(rules))


def _rules_beside(path: Path) -> Rules:
    """The rules of the tournament whose file this is, if its config lies beside it."""
    config = path.with_name("config.toml")
    if path.name not in ("games.csv", "journal.jsonl") or not config.exists():
        return Rules()
    try:
        table = tomllib.loads(config.read_text(encoding="utf-8-sig")).get("rules", {})
        words = [f"{name}={str(value).lower()}" for name, value in table.items()]
        return Rules(" ".join(words))
    except (ValueError, AttributeError) as why:
        raise RecordError(f"{config}: {why}") from None


def _moves(text: str) -> list[Move]:
    return [Move(word) for word in text.split()]


def _read_csv(path: Path, rules: Rules) -> Iterator[GameRecord]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        for row in rows:
            try:
                yield GameRecord(
                    id=row["game"],
                    white=row["white"],
                    black=row["black"],
                    result=row["result"],
                    reason=row["reason"],
                    start=row["start"],
                    moves=_moves(row["moves"]),
                    kind=row["kind"],
                    book=int(row["book"] or 0),
                    offender=row["offender"] or None,
                    rules=rules,
                    fields=dict(row),
                )
            except KeyError as why:
                raise RecordError(f"{path}: there is no column {why}") from None
            except (ValueError, AttributeError, TypeError) as why:
                raise RecordError(f"{path}:{rows.line_num}: {why}") from None


def _read_journal(path: Path, rules: Rules) -> Iterator[GameRecord]:
    with path.open("rb") as file:
        lines = iter(enumerate(file, 1))
        for number, line in lines:
            try:
                entry = _entry(line)
            except ValueError as why:
                if next(lines, None) is None and number > 1:
                    return  # The arena was interrupted while it wrote the last line.
                raise RecordError(f"{path}:{number}: {why}") from None
            game = entry.get("game")
            if game is None:
                continue
            try:
                offender = {"w": game["white"], "b": game["black"], None: None}[game["offender"]]
                yield GameRecord(
                    id=game["id"],
                    white=game["white"],
                    black=game["black"],
                    result=game["result"],
                    reason=game["reason"],
                    start=game["start"],
                    moves=_moves(game["moves"]),
                    kind=game["kind"],
                    book=game["book"],
                    offender=offender,
                    rules=rules,
                    times=game["times"],
                    scores=game["scores"],
                    fields=game,
                )
            except KeyError as why:
                raise RecordError(f"{path}:{number}: the game has no field {why}") from None


def _entry(line: bytes) -> dict[str, Any]:
    """Returns the entry of a journal's line, if its checksum is right."""
    found = re.fullmatch(rb'\{"crc32":"([0-9a-f]{8})","entry":(.*)\}\s*', line, re.DOTALL)
    if found is None:
        raise ValueError("not a line of a journal")
    if zlib.crc32(found[2]) != int(found[1], 16):
        raise ValueError("the checksum of the line is wrong")
    entry = json.loads(found[2])
    if not isinstance(entry, dict):
        raise ValueError("not an entry of a journal")
    return entry


_TAG = re.compile(r'\s*\[\s*(\w+)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
_TOKEN = re.compile(r"\{[^}]*\}|;[^\n]*|[^\s{;]+")
_SAID = re.compile(r"\s*(\d+)ms(?:\s+(.*?))?\s*", re.DOTALL)
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def _read_fgn(path: Path, rules: Rules, fixed: bool) -> Iterator[GameRecord]:
    """Reads FGN, game by game: tags, then moves, then a result."""
    tags: dict[str, str] = {}
    text: list[str] = []
    first = 1
    count = 0
    inside = False
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if not inside and (not line.strip() or line.startswith("%")):
                continue
            if not inside and line.lstrip().startswith("["):
                if text:
                    raise RecordError(f"{path}:{first}: the game has no result")
                tag = _TAG.fullmatch(line)
                if tag is None:
                    raise RecordError(f"{path}:{number}: not a tag: {line.strip()}")
                first = first if tags else number
                tags[tag[1]] = _unescaped(tag[2])
                continue
            text.append(line)
            inside = _in_comment(line, inside)
            if not inside and _ends(line):
                count += 1
                try:
                    yield _fgn_game(tags, "".join(text), rules, fixed, count)
                except ValueError as why:
                    raise RecordError(f"{path}:{first}: {why}") from None
                tags, text = {}, []
    if tags or text:
        raise RecordError(f"{path}:{first}: the game has no result")


def _in_comment(line: str, inside: bool) -> bool:
    """Whether a comment in braces is open at the end of a line."""
    for character in line:
        if inside:
            inside = character != "}"
        elif character == ";":
            return False
        else:
            inside = character == "{"
    return inside


def _ends(line: str) -> bool:
    """Whether a line ends a game."""
    words = re.sub(r"^[^{]*\}", "", line) if "}" in line.partition("{")[0] else line
    return any(token in _RESULTS for token in _TOKEN.findall(words))


def _unescaped(text: str) -> str:
    text = re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda code: chr(int(code[1], 16)), text)
    return re.sub(r'\\(["\\])', r"\1", text)


def _fgn_game(tags: dict[str, str], text: str, rules: Rules, fixed: bool, ordinal: int) -> GameRecord:
    moves: list[Move] = []
    said: list[tuple[int, str] | None] = []
    result = None
    for token in _TOKEN.findall(text):
        if token.startswith("{"):
            comment = _SAID.fullmatch(token[1:-1])
            if comment is not None and said:
                said[-1] = (int(comment[1]), comment[2] or "")
        elif token in _RESULTS:
            result = token
        elif not token.startswith((";", "$")):
            word = re.sub(r"^\d+\.*", "", token).rstrip("!?")
            if word and not word.isdigit():
                moves.append(Move(word))
                said.append(None)
    if result is None:
        raise ValueError("the game has no result")
    if tags.get("Result", result) != result:
        raise ValueError(f"the tag Result says {tags['Result']}, but the game ends with {result}")
    for name in ("White", "Black"):
        if name not in tags:
            raise ValueError(f"the game has no {name} tag")
    if not fixed and "Rules" in tags:
        rules = Rules(tags["Rules"])
    start = _fgn_start(tags, rules)
    book = int(tags.get("Book", 0))
    own = said[book:]
    complete = [each for each in own if each is not None]
    complete = complete if len(complete) == len(own) else []
    record = GameRecord(
        id=tags.get("Game", str(ordinal)),
        white=tags["White"],
        black=tags["Black"],
        result=result,
        reason=tags.get("Termination", ""),
        start=start.fen,
        moves=moves,
        kind="vela" if start.debtor is not None else "riatra",
        book=book,
        offender=tags.get("Offender"),
        rules=rules,
        times=[time for time, _ in complete],
        scores=[score for _, score in complete],
        fields=dict(tags),
    )
    if record.reason:
        return record
    outcome = record.game().outcome()
    reason = outcome.reason if outcome is not None else "void" if result == "*" else ""
    return GameRecord(**{**record.__dict__, "reason": reason})


def _fgn_start(tags: dict[str, str], rules: Rules) -> Position:
    if "FEN" in tags:
        return Position(tags["FEN"], rules=rules)
    board = tags.get("Variant", "tsivy")
    match tags.get("Vela"):
        case None:
            return Position.riatra(board, rules=rules)
        case "w" | "b" as debtor:
            placement = Position.riatra(board).board.placement
            return Position(f"{placement} w {debtor} 0 1", rules=rules)
        case other:
            raise ValueError(f"tag Vela: `{other}` is not a side: expected w or b")
