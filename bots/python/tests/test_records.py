"""Readers for the files of tournaments."""

import json
import zlib

import pytest

from fanorona import Game, Position
from fanorona.records import RecordError, read_games

VELA = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1"

FGN = r"""
[Event "quick"]
[Game "12"]
[White "m \"q\" \u{9}x"]
[Black "alphabeta"]
[Result "1-0"]
[Variant "tsivy"]
[FEN "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1"]
[Vela "w"]
[Book "2"]
[Termination "vela-starved"]

1. e2e3A e5e4 2. e3e2W! {31ms cp -20} {a note
over [two] lines, 1-0 in it} f4e3 {9ms} ; the 0-1 end
1-0

% a line that is not read
[White "a"]
[Black "b"]
[Variant "5x5"]
[Rules "quiet=2"]

1.b3c3A $1 ?! 1... b4b3A *
"""


def test_the_reference_tournament_replays_to_its_results(root):
    count = 0
    for record in read_games(root / "results/reference"):
        game = record.game()
        assert len(game) == int(record.fields["plies"])
        assert (game.opening or "") == record.fields["opening"]
        assert game.outcome().result == record.result
        assert game.outcome().reason == record.reason
        assert (record.kind == "vela") == (game.start.debtor is not None)
        count += 1
    assert count > 500


def test_fgn(tmp_path):
    path = tmp_path / "games.fgn"
    path.write_text("\ufeff" + FGN, encoding="utf-8")
    one, two = read_games(path)
    assert (one.id, one.white, one.black, one.result, one.kind) == ("12", 'm "q" \tx', "alphabeta", "1-0", "vela")
    assert [str(move) for move in one.moves] == ["e2e3A", "e5e4", "e3e2W", "f4e3"]
    assert (one.start, one.book, one.times, one.scores) == (VELA, 2, [31, 9], ["cp -20", ""])
    assert one.game().outcome().reason == one.reason == "vela-starved"
    assert (two.id, two.result, two.reason, two.rules.quiet) == ("2", "*", "void", 2)
    assert Position(two.start) == Position.riatra("5x5") and len(two.moves) == 2
    assert two.fields["Variant"] == "5x5"


def test_files_may_begin_with_a_byte_order_mark(tmp_path, root):
    reference = root / "results/reference"
    for name in ("games.csv", "config.toml"):
        (tmp_path / name).write_text("\ufeff" + (reference / name).read_text(encoding="utf-8"), encoding="utf-8")
    assert next(iter(read_games(tmp_path))) == next(iter(read_games(reference / "games.csv")))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[White "a"]\n\n1. e2e3A 1-0\n', "no Black tag"),
        ('[White "a"]\n[Black "b"]\n\n1. e2e3A\n', "no result"),
        ('[White "a"]\n[Black "b"]\n\n1. e2e4 *\n', "is not a move"),
        ('[White "a"\n', "not a tag"),
        ('[White "a"]\n[Black "b"]\n[Result "0-1"]\n*\n', "Result says 0-1"),
        ('[White "a"]\n[Black "b"]\n1. e2e3A\n[White "a"]\n', "no result"),
    ],
)
def test_broken_fgn(tmp_path, text, why):
    path = tmp_path / "games.fgn"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError, match=why):
        list(read_games(path))


def entry(content):
    text = json.dumps(content, separators=(",", ":"))
    return f'{{"crc32":"{zlib.crc32(text.encode()):08x}","entry":{text}}}\n'


GAME = {
    "id": "7.2", "pair": None, "kind": "vela", "white": "x", "black": "y", "result": "1-0",
    "reason": "time", "offender": "b", "start": VELA, "moves": "e2e3A e5e4 e3e2W", "book": 1,
    "white_ms": 3, "black_ms": 4, "times": [4, 3], "scores": ["", "cp 5"],
}  # fmt: skip


def test_a_journal(tmp_path):
    path = tmp_path / "journal.jsonl"
    header = entry({"header": {"version": 1, "arena": "0", "name": "n", "config": "c"}})
    path.write_text(header + entry({"game": GAME}) + entry({"void": {"id": "8", "why": "?"}}))
    (tmp_path / "config.toml").write_text("[rules]\nforced-continuation = true\nquiet = 50\n")
    [one] = read_games(tmp_path)
    assert (one.id, one.offender, one.times, one.scores) == ("7.2", "y", [4, 3], ["", "cp 5"])
    assert str(one.rules) == "forced-continuation quiet=50"
    assert len(one.game()) == 3
    # An interrupted last line is not an error, a damaged line is.
    path.write_text(header + entry({"game": GAME}) + '{"crc32":"00')
    assert len(list(read_games(path))) == 1
    path.write_text(header + entry({"game": GAME}).replace("e5e4", "d5e4") + entry({"game": GAME}))
    with pytest.raises(RecordError, match=r"jsonl:2: the checksum"):
        list(read_games(path))


def test_files_that_are_not_games(tmp_path, root):
    with pytest.raises(FileNotFoundError):
        read_games(tmp_path)
    with pytest.raises(RecordError, match="must end in"):
        read_games(root / "README.md")
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(RecordError, match="no column"):
        list(read_games(tmp_path / "x.csv"))


def test_rules_may_be_given(root):
    record = next(iter(read_games(root / "results/reference/games.csv", rules="quiet=7")))
    assert record.rules.quiet == 7 and isinstance(record.game(), Game)
