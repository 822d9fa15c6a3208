"""Data frames of pandas and polars, which the package does not require."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas
    import polars

Columns = dict[str, tuple[str, list[Any]]]
"""Columns by name: each with its type (`text`, `number`, `whole`, `wholes` or `texts`) and its values."""

_PANDAS = {"text": "string", "number": "float64", "whole": "int64", "wholes": "object", "texts": "object"}


def pandas_frame(columns: Columns) -> pandas.DataFrame:
    """Returns a data frame of pandas."""
    library = _library("pandas")
    series = {name: library.Series(values, dtype=_PANDAS[kind]) for name, (kind, values) in columns.items()}
    frame: pandas.DataFrame = library.DataFrame(series)
    return frame


def polars_frame(columns: Columns) -> polars.DataFrame:
    """Returns a data frame of polars."""
    library = _library("polars")
    types = {
        "text": library.String,
        "number": library.Float64,
        "whole": library.Int64,
        "wholes": library.List(library.Int64),
        "texts": library.List(library.String),
    }
    schema = {name: types[kind] for name, (kind, _) in columns.items()}
    values = {name: values for name, (_, values) in columns.items()}
    frame: polars.DataFrame = library.DataFrame(values, schema=schema)
    return frame


def _library(name: str) -> Any:
    """Imports a library, with an error that says how to install it where it is missing."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as why:
        if why.name != name:
            raise
        raise ModuleNotFoundError(f"a data frame of {name} needs {name}: pip install {name}", name=name) from None
