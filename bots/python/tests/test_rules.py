"""The rules against the data that independent programs agree on."""

import json

from fanorona import Move, Position


def lines(root, name):
    text = (root / "protocol/tests/data" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def short(position):
    return " ".join(position.fen.split()[:3])


def test_every_position_has_the_expected_moves_and_results(root):
    data = lines(root, "positions.jsonl")
    assert len(data) > 400
    for line in data:
        position = Position(line["fen"])
        played = {str(move): short(position.play(move)) for move in position.legal_moves}
        assert played == line["turns"], line["fen"]
        assert {str(move): short(after) for move, after in position.children()} == line["turns"]


def test_every_perft_count_agrees_with_the_data(root):
    data = lines(root, "perft.jsonl")
    assert len(data) > 50
    for line in data:
        position = Position(line["fen"])
        assert position.perft(line["depth"]) == line["count"], line
        if line["depth"]:
            assert sum(position.divide(line["depth"]).values()) == line["count"], line


def test_moves_that_are_not_generated_are_not_legal(root):
    data = lines(root, "positions.jsonl")
    every = {move for line in data[::10] for move in line["turns"]}
    for line in data[::10]:
        position = Position(line["fen"])
        for move in every:
            assert position.is_legal(move) == (move in line["turns"]), (line["fen"], move)
            assert position.is_legal(Move(move)) == position.is_legal(move)
