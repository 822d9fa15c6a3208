"""The answers that UGI.md gives to authors' questions, by an engine of `fanorona.run`."""

import subprocess

import pytest

BOT = """
    import fanorona
    fanorona.run(lambda task: task.moves[0])
"""


@pytest.fixture
def said(bot):
    """Runs the engine on lines; returns what it prints, `info` aside."""
    command = bot(BOT)

    def ask(*lines: str) -> list[str]:
        text = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
        assert (done.returncode, done.stderr) == (0, "")
        return [line for line in done.stdout.splitlines() if not line.startswith("info")]

    return ask


def test_rules_act_on_the_present_position(said):
    rules = "setoption name Rules value"
    assert said(
        "position startpos moves e2e3A",
        f"{rules} forced-continuation",
        "query moves",
        f"{rules} single-first-capture",
        "query moves",
        f"{rules} forced-continuation=on",
        "query moves",
        # The moves that led there are not judged again.
        rules,
        "position startpos moves e2e3A f4e5We4A",
        f"{rules} single-first-capture",
        "query p1turn",
    ) == ["response f4e5We4A", "response f4e5W", "response f4e5W", "response true"]


def test_max_plies_count_from_the_position_of_the_command(said):
    lines = [f"position fen b4/5/5/5/4W w - 40 60{moves}" for moves in ("", " moves e1d1", " moves e1d1 a5a4")]
    asked = [each for line in lines for each in (line, "query gameover")]
    answers = said("setoption name Rules value max-plies=2", *asked)
    assert answers == ["response false", "response false", "response true"]


@pytest.mark.parametrize("end", [[], ["quit", "query fen"]])
def test_waiting_commands_are_obeyed_at_the_end(said, end):
    lines = said("go infinite", "query p1turn", "position startpos moves e2e3A", "go infinite", "query p1turn", *end)
    assert [line.split()[0] for line in lines] == ["bestmove", "response", "bestmove", "response"]
    assert (lines[1], lines[3]) == ("response true", "response false")


def test_unreadable_words_get_an_answer(said):
    assert said("go perft x", "go perft", "go perft 1 2") == ["nodes 0"] * 3
    assert len(said("go banana", "go depth x", "go infinite banana")) == 3


def test_a_game_that_is_over_has_the_legal_moves_of_its_position(said):
    fens = ["b4/5/5/5/4W w - 100 60", "5/5/5/5/4W w", "5/5/5/5/4W b", "WWW/WWW/WWb b"]
    answers = said(*(each for fen in fens for each in (f"position fen {fen}", "query moves", "go perft 1")))
    assert [line for line in answers if line.startswith(("response", "nodes"))] == [
        "response e1d1 e1d2 e1e2", "nodes 3", "response e1d1 e1d2 e1e2", "nodes 3", "response", "nodes 0", "response", "nodes 0"
    ]


def test_fields_may_be_missing_from_the_end_alone(said):
    fens = ["b4/5/5/5/4W w", "b1111/23/5/5/4W w -", "b4/5/5/5/4W w - 0", "b4/5/5/5/4W w 0 1", "b40/5/5/5/4W w"]
    answers = said(*(each for fen in fens for each in (f"position fen {fen}", "query fen")))
    assert answers == ["response b4/5/5/5/4W w - 0 1"] * 3 + ["response none"] * 2
