"""Games as data frames of pandas and polars, which the package does not require."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

    from .records import GameRecord

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
"""The type of each column, and its value for a game. `fanorona.records` documents them."""

_PANDAS = {"text": "string", "number": "float64", "whole": "int64", "wholes": "object", "texts": "object"}


def pandas_frame(records: Iterable[GameRecord]) -> pandas.DataFrame:
    """Returns a data frame of pandas with a row for every game."""
    library = _library("pandas")
    columns = _columns(records)
    series = {name: library.Series(columns[name], dtype=_PANDAS[kind]) for name, (kind, _) in _COLUMNS.items()}
    frame: pandas.DataFrame = library.DataFrame(series)
    return frame


def polars_frame(records: Iterable[GameRecord]) -> polars.DataFrame:
    """Returns a data frame of polars with a row for every game."""
    library = _library("polars")
    types = {
        "text": library.String,
        "number": library.Float64,
        "whole": library.Int64,
        "wholes": library.List(library.Int64),
        "texts": library.List(library.String),
    }
    schema = {name: types[kind] for name, (kind, _) in _COLUMNS.items()}
    frame: polars.DataFrame = library.DataFrame(_columns(records), schema=schema)
    return frame


def _columns(records: Iterable[GameRecord]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for record in records:
        for name, (_, value) in _COLUMNS.items():
            columns[name].append(value(record))
    return columns


def _library(name: str) -> Any:
    """Imports a library, with an error that says how to install it where it is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as why:
        if why.name != name:
            raise
        raise ModuleNotFoundError(f"a data frame of {name} needs {name}: pip install {name}", name=name) from None
