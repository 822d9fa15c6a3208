"""Functions as engines."""

import errno
import os
import subprocess
import sys
import time

import pytest

from fanorona import BLACK, WHITE, Limits
from fanorona.ugi import _has_gone

FIRST = """
    import fanorona
    fanorona.run(lambda task: task.moves[0], name="first", author="me")
"""


def talk(command, text, timeout=60):
    """Sends lines to an engine; returns its exit code, lines and standard error."""
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout)
    return done.returncode, done.stdout.splitlines(), done.stderr


def quoted(*words):
    """A command of the arena, in which every character stands for itself."""
    return " ".join(f"'{word}'" for word in words)


def test_a_handshake_and_a_game(bot):
    code, lines, errors = talk(bot(FIRST), "ugi\nposition startpos moves e2e3A\nisready\ngo nodes 1\nquery fen\nquit\n")
    assert (code, errors) == (0, "")
    assert lines[:2] == ["id name first", "id author me"]
    assert "option name Rules type string default" in " ".join(lines)
    assert lines[-4] == "ugiok" and lines[-3] == "readyok"
    assert lines[-2] in ("bestmove f4e5W", "bestmove f4e5We4A")
    assert lines[-1].startswith("response bbbb1bbbb/")


def test_the_name_is_that_of_the_file(bot):
    source = "import fanorona\nfanorona.run(lambda task: task.moves[0])"
    assert talk(bot(source, "my_bot.py"), "ugi\n")[1][0] == "id name my_bot"


def test_lines_are_utf_8_whatever_the_encoding_of_the_system(bot):
    command = bot("import fanorona\nfanorona.run(lambda task: task.moves[0], name='Λ', author='Rasoa')")
    environment = os.environ | {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run(command, input=b"ugi\n", capture_output=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "id name Λ".encode())


@pytest.mark.parametrize(("number", "gone"), [(errno.EPIPE, True), (errno.EINVAL, True), (errno.ENOSPC, False)])
def test_a_manager_that_has_gone_is_no_failure(number, gone):
    assert _has_gone(OSError(number, os.strerror(number))) == gone
    assert not _has_gone(ValueError(number))


def test_options_reach_the_function(bot):
    source = """
        import fanorona
        def choose(task):
            task.info(text=repr(sorted(task.options.items())))
            return task.moves[0]
        fanorona.run(choose, options={
            "Depth": fanorona.Spin(2, 1, 9), "Fast": False, "Book": "none", "Number": 5,
            "Style": fanorona.Combo("calm", ("calm", "wild")),
        })
    """
    text = "ugi\nsetoption name depth value 7\nsetoption name Fast value true\nsetoption name Style value WILD\n"
    text += "setoption name Depth value 10\nsetoption name Nothing value 1\ngo nodes 1\n"
    code, lines, _ = talk(bot(source), text)
    assert code == 0
    assert "option name Depth type spin default 2 min 1 max 9" in lines
    assert "option name Style type combo default calm var calm var wild" in lines
    assert any("a whole number from 1 to 9" in line for line in lines)
    assert any("no option Nothing" in line for line in lines)
    said = next(line for line in lines if "('Depth'" in line)
    for word in ("('Book', 'none')", "('Depth', 7)", "('Fast', True)", "('Number', 5)", "('Style', 'wild')"):
        assert word in said


@pytest.mark.parametrize(
    "answer", ["None", "'a1a2'", "'banana'", "1 / 0", "fanorona.Move('d3e3')", "print('bestmove a1a2')"]
)
def test_a_function_that_fails_plays_a_legal_move(bot, answer):
    source = f"import fanorona\nfanorona.run(lambda task: {answer})"
    code, lines, errors = talk(bot(source), "go nodes 1\nposition startpos moves e2e3A\ngo nodes 1\n")
    assert code == 0
    moves = [line for line in lines if line.startswith("bestmove")]
    assert moves[0] == "bestmove d3e3A" and len(moves) == 2
    assert errors.count("Traceback") == 2
    told = [line for line in lines if line.startswith("info error ")]
    assert len(told) == 2 and all("(bot.py, line 2)" in line for line in told), told


def test_an_error_names_the_line_of_the_bot(bot):
    source = """
        import statistics
        import fanorona
        def value(move):
            return statistics.mean([])
        def choose(task):
            return max(task.moves, key=value)
        fanorona.run(choose)
    """
    _, lines, errors = talk(bot(source), "go nodes 1\n")
    assert lines[0].startswith("info error statistics.StatisticsError: mean requires at least one data point"), lines
    assert lines[0].endswith("(bot.py, line 5)") and lines[1] == "bestmove d3e3A"
    assert "in value" in errors and "in choose" in errors and "_answer" not in errors


def test_errors_come_only_from_the_moves_that_fail(bot):
    source = """
        import fanorona
        asked = 0
        def choose(task):
            global asked
            asked += 1
            if asked % 3 == 0:
                raise ValueError("two\\nlines")
            return task.moves[0]
        fanorona.run(choose)
    """
    _, lines, errors = talk(bot(source), "go nodes 1\n" * 7)
    assert [line for line in lines if line.startswith("info error")] == [
        "info error ValueError: two lines (bot.py, line 8)"
    ] * 2
    assert sum(line.startswith("bestmove") for line in lines) == 7 and errors.count("Traceback") == 2


def test_a_bot_reports_an_error_itself(bot):
    source = """
        import fanorona
        def choose(task):
            task.error("no book at\\n/nowhere")
            return task.moves[0]
        fanorona.run(choose)
    """
    code, lines, errors = talk(bot(source), "go nodes 1\n")
    assert (code, errors, lines) == (0, "", ["info error no book at /nowhere", "bestmove d3e3A"])


def test_the_arena_does_not_call_a_failing_bot_healthy(bot, program):
    command = bot("import fanorona\nfanorona.run(lambda task: max(task.moves, key=lambda m: m.valeu))")
    arguments = [program("arena"), "check", quoted(*command), "--level", "basic", "--only", "info"]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 5, done.stdout
    assert "AttributeError" in done.stdout and "(bot.py, line 2)" in done.stdout
    assert "ignore what it does not know" not in done.stdout


def test_a_function_that_fails_may_end_the_engine(bot):
    source = "import fanorona\nfanorona.run(lambda task: 1 / 0, on_error='exit')"
    code, lines, errors = talk(bot(source), "go nodes 1\n")
    assert (code, lines) == (1, []) and "ZeroDivisionError" in errors


def test_what_the_function_prints_does_not_disturb(bot):
    source = """
        import fanorona
        def choose(task):
            print("bestmove a1a1")
            return task.moves[-1]
        fanorona.run(choose)
    """
    code, lines, errors = talk(bot(source), "position startpos moves e2e3A\ngo nodes 1\n")
    assert len(lines) == 1 and lines[0].startswith("bestmove f4") and "a1a1" in errors


def test_an_engine_may_resign_and_choose_among_moves(bot):
    resigns = "import fanorona\nfanorona.run(lambda task: fanorona.RESIGN)"
    assert talk(bot(resigns), "go nodes 1\n")[1] == ["bestmove resign"]
    last = "import fanorona\nfanorona.run(lambda task: str(task.moves[-1]))"
    assert talk(bot(last), "go nodes 1 searchmoves f2e3A banana\n")[1] == ["bestmove f2e3A"]


THINKER = """
    import time
    import fanorona
    def choose(task):
        depth = 0
        while not task.stopped:
            depth += 1
            task.info(depth=depth, score=5, nodes=depth, pv=task.moves[:1])
            time.sleep(0.01)
        return task.moves[0]
    fanorona.run(choose)
"""


def test_stop_time_and_the_end_of_input_end_a_search(bot):
    command = bot(THINKER)
    engine = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    def send(text):
        engine.stdin.write(text)
        engine.stdin.flush()
    def wait(word):
        for line in engine.stdout:
            if line.startswith(word):
                return line.strip()
    send("go infinite\n")
    assert wait("info").startswith("info depth 1 score cp 5 nodes 1 time ")
    send("isready\n")
    assert wait("readyok")
    send("stop\n")
    assert wait("bestmove") == "bestmove d3e3A"
    begin = time.monotonic()
    send("go movetime 300\n")
    assert wait("bestmove")
    assert 0.2 < time.monotonic() - begin < 5
    send("go p1time 3000 p2time 3000\n")
    assert wait("bestmove")
    send("go infinite\n")
    assert wait("info")
    engine.stdin.close()
    assert wait("bestmove")
    assert engine.wait(timeout=30) == 0


def test_an_endless_search_that_is_done_waits_for_stop(bot):
    engine = subprocess.Popen(bot(FIRST), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    engine.stdin.write("go infinite\nisready\nisready\n")
    engine.stdin.flush()
    assert [engine.stdout.readline().strip() for _ in range(2)] == ["readyok", "readyok"]
    engine.stdin.write("stop\nisready\nquit\n")
    engine.stdin.flush()
    assert engine.stdout.read().split("\n")[:2] == ["bestmove d3e3A", "readyok"]
    assert engine.wait(timeout=30) == 0


def test_the_random_numbers_come_from_the_seed(bot):
    source = "import fanorona\nfanorona.run(lambda task: task.random.choice(task.moves))"
    text = "setoption name Seed value {}\nuginewgame\n" + "go nodes 1\n" * 20
    one, again, other = (talk(bot(source), text.format(seed))[1] for seed in (1, 1, 2))
    assert one == again != other


def test_the_share_of_a_clock():
    limits = Limits(white_time=60, black_time=30, white_increment=1, black_increment=0)
    assert limits.time_for(WHITE) == pytest.approx(2.8)
    assert limits.time_for(BLACK) == pytest.approx(1.0)
    assert Limits(white_time=0.02).time_for(WHITE, 0.01) < 0.01
    assert Limits(move_time=1).time_for(WHITE, 0.1) == pytest.approx(0.9)
    assert Limits(nodes=5).time_for(WHITE) is None
    assert Limits(white_time=0).time_for(WHITE, 0.01) > 0


def test_the_ten_lines_do_everything_the_protocol_requires(root, program):
    example = root / "bots/python/examples/ten_lines.py"
    code = [line for line in example.read_text(encoding="utf-8").splitlines() if line]
    assert len(code) <= 10
    command = [program("arena"), "check", quoted(sys.executable, example), "--level", "full"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout
    assert "full   passed" in done.stdout and "basic  passed" in done.stdout


def test_the_ten_lines_play_a_tournament(root, program, tmp_path):
    bot = quoted(sys.executable, root / "bots/python/examples/ten_lines.py")
    rivals = [quoted(program("bot-random")), quoted(program("bot-greedy"))]
    command = [program("arena"), "quick", bot, *rivals, "--games", "4", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    from fanorona.records import read_games

    games = list(read_games(tmp_path / "out"))
    assert len(games) == 12 and all(game.offender is None for game in games)
    assert sum("ten_lines" in (game.white, game.black) for game in games) == 8
    for name in ("journal.jsonl", "games.csv", "games.fgn"):
        others = list(read_games(tmp_path / "out" / name))
        key = lambda game: (game.id, game.white, game.moves, game.result, game.reason, game.start, game.book)
        assert sorted(map(key, others), key=str) == sorted(map(key, games), key=str), name
    for game in games:
        outcome = game.game().outcome()
        assert outcome is None or outcome.result == game.result
