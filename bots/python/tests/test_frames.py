"""Games as data frames."""

import sys

import numpy as np
import pandas
import polars
import pytest

from fanorona.records import read_games

FGN = """
[White "one"]
[Black "two"]
[Result "0-1"]
[Variant "5x5"]
[Rules "quiet=2"]
[Offender "one"]
[Termination "time"]

1. b3c3A {31ms cp -20} b4b3A {9ms}
0-1

[White "two"]
[Black "one"]

1. d3e3A *
"""

TEXTS = ["game", "kind", "white", "black", "result", "reason", "offender", "start", "moves", "rules"]


@pytest.fixture
def fgn(tmp_path):
    path = tmp_path / "games.fgn"
    path.write_text(FGN, encoding="utf-8")
    return read_games(path)


def columns(frame):
    """The types of the columns as texts."""
    return {name: str(kind) for name, kind in zip(frame.columns, frame.dtypes)}


def expected(text, number, whole, wholes, texts):
    return dict.fromkeys(TEXTS, text) | {
        "white_score": number, "plies": whole, "book": whole, "times": wholes, "scores": texts
    }  # fmt: skip


def test_pandas(fgn):
    frame = fgn.to_pandas()
    assert columns(frame) == expected("string", "float64", "int64", "object", "object")
    first, second = frame.iloc[0], frame.iloc[1]
    assert (first.game, first.white, first.result, first.reason) == ("1", "one", "0-1", "time")
    assert (first.offender, first.plies, first.book, first.rules) == ("one", 2, 0, "quiet=2")
    assert (first.moves, first.times, first.scores) == ("b3c3A b4b3A", [31, 9], ["cp -20", ""])
    assert first.start.startswith("bbbbb/bbbbb/bW1bW/")
    assert second.offender is pandas.NA and np.isnan(second.white_score) and second.times == []
    assert frame.white_score.sum() == 0 and list(frame.index) == [0, 1]


def test_polars(fgn):
    frame = fgn.to_polars()
    assert columns(frame) == expected("String", "Float64", "Int64", "List(Int64)", "List(String)")
    first, second = frame.rows(named=True)
    assert (first["game"], first["white_score"], first["offender"], first["plies"]) == ("1", 0.0, "one", 2)
    assert (first["times"], first["scores"], first["rules"]) == ([31, 9], ["cp -20", ""], "quiet=2")
    assert (second["white_score"], second["offender"], second["times"]) == (None, None, [])
    assert frame.columns == list(fgn.to_pandas().columns)


def test_a_tournament_has_a_row_for_every_game(root):
    records = read_games(root / "results/reference")
    one, other, games = records.to_pandas(), records.to_polars(), list(records)
    assert len(one) == len(other) == len(games) > 500
    points = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}
    assert one.white_score.sum() == other["white_score"].sum() == sum(points[each.result] for each in games)
    assert list(one.plies) == other["plies"].to_list() == [int(each.fields["plies"]) for each in games]
    assert list(one.moves) == other["moves"].to_list() == [each.fields["moves"] for each in games]


def test_types_do_not_depend_on_the_games(tmp_path, fgn):
    path = tmp_path / "none.fgn"
    path.write_text("")
    none = read_games(path)
    for full, empty in (fgn.to_pandas(), none.to_pandas()), (fgn.to_polars(), none.to_polars()):
        assert len(empty) == 0 and columns(empty) == columns(full)


def test_every_loop_reads_the_games_from_the_first(fgn):
    assert [each.white for each in fgn] == [each.white for each in fgn] == ["one", "two"]


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_missing_library_is_named(fgn, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=f"a data frame of {name} needs {name}: pip install {name}$"):
        getattr(fgn, f"to_{name}")()
