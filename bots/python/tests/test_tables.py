"""Exact values from endgame tables."""

import subprocess

import pytest

from fanorona import Game, Position, Rules, Tables


def check(tables):
    """Every value follows from those of the moves."""
    position = Position("5/W1b2/5 w")
    assert (tables.board, tables.stones >= 3, tables.rules) == ("5x3", True, Rules())
    value = tables.value(position)
    assert (value.kind, value.plies, str(value)) == ("win", 1, "win 1")
    assert tables.value(Position.riatra("5x3")) is None
    assert tables.value(Position()) is None
    for fen in ("W3b/5/2W2 w", "W4/5/2b1b b", "b3W/2b2/5 w"):
        position = Position(fen)
        best = min(tables.moves(position), key=lambda pair: rank(pair[1]))[1]
        assert best == tables.value(position), fen
        for move, value in tables.moves(position):
            after = tables.value(position.play(move))
            assert value.plies is None or value.plies == after.plies + 1


def rank(value):
    """Smaller for a better value."""
    return {"win": (0, value.plies), "draw": (1, 0), "loss": (2, -(value.plies or 0))}[value.kind]


def test_tables_in_memory():
    check(Tables.build("5x3", 3))


def test_the_value_of_a_game_knows_its_limits():
    tables = Tables.build("5x3", 3)
    fen = next(
        f"{text} w"
        for text in ("W3b/5/2W2", "W3b/W4/5", "4b/5/WW3", "b4/5/2WW1")
        if (tables.value(Position(f"{text} w")).plies or 0) > 1
    )
    value = tables.value(Position(fen))
    assert tables.value(Game(fen)) == value
    assert tables.value(Game(fen, rules="quiet=1")) is None


def test_tables_on_disk(program, tmp_path):
    command = [program("endgames"), "build", "--board", "5x3", "--stones", "3", "--out", str(tmp_path / "tables")]
    subprocess.run(command, check=True, capture_output=True)
    check(Tables(tmp_path / "tables", "5x3"))
    with pytest.raises(OSError):
        Tables(tmp_path / "tables", "3x3")


def test_a_missing_directory_is_an_error():
    with pytest.raises(FileNotFoundError):
        Tables("/nothing/here")
