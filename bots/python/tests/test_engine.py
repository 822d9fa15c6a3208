"""Engines that the package starts."""

import asyncio
import sys
import threading
import time

import pytest

import fanorona.engine
from fanorona import Game, Position
from fanorona.engine import EngineError, Limit, popen, popen_async

SEARCHER = """
    import time
    import fanorona
    def choose(task):
        while task.limits.depth is None and not task.stopped:
            time.sleep(0.01)
        task.info(depth=3, score=-7, nodes=11, pv=task.moves[:1])
        task.info(text="hello")
        return task.moves[0]
    fanorona.run(choose, name="searcher", author="me", options={"Fast": False, "Size": fanorona.Spin(1, 1, 4)})
"""


def test_an_engine_answers_searches_and_queries(bot):
    seen = []
    with popen(bot(SEARCHER), options={"Size": 2}) as engine:
        assert (engine.name, engine.author) == ("searcher", "me")
        assert (engine.options["Size"].max, engine.options["Fast"].default) == (4, False)
        result = engine.play(Game(moves="e2e3A"), Limit(depth=3), on_info=seen.append)
        assert (str(result.move), result.resigned) == ("f4e5W", False)
        info = result.info
        assert (info.depth, str(info.score), info.nodes, info.pv) == (3, "cp -7", 11, [result.move])
        assert [info.string for info in seen] == [None, "hello"]
        assert engine.play(Position(), Limit(depth=1), moves=["f2e3A"]).move == Position().legal_moves[2]
        assert str(engine.play("b4/5/5/5/4W b", Limit(time=0.05)).move).startswith("a5")
        assert engine.analyse(Position(), Limit(depth=1))[0].depth == 3
        assert engine.value(Position()) is None
        assert engine.play("3/3/1W1 b", Limit(depth=1)).move is None
        engine.new_game()
        engine.configure({"fast": True})
        engine.quit()
        with pytest.raises(EngineError, match="has ended"):
            engine.ping()


def test_rules_are_sent_when_they_change(bot):
    with popen(bot(SEARCHER)) as engine:
        forced = Game(moves="e2e3A", rules="forced-continuation")
        assert str(engine.play(forced, Limit(depth=1)).move) == "f4e5We4A"
        assert str(engine.play(Game(moves="e2e3A"), Limit(depth=1)).move) == "f4e5W"


def test_a_search_is_stopped_from_another_thread(bot):
    with popen(bot(SEARCHER)) as engine:
        begin = time.monotonic()
        threading.Timer(0.3, engine.stop).start()
        result = engine.play(Game(), Limit(time=60))
        assert result.move is not None and time.monotonic() - begin < 30


def test_asyncio(bot):
    async def both():
        async with await popen_async(bot(SEARCHER)) as one, await popen_async(bot(SEARCHER)) as other:
            search = asyncio.create_task(one.play(Game()))
            assert (await other.play(Game(), Limit(depth=1))).move is not None
            assert not search.done()
            while not one._searching:
                await asyncio.sleep(0.01)
            await one.stop()
            assert (await search).move is not None
            return await one.quit()

    assert asyncio.run(both()) == 0


def test_a_thread_that_wakes_up_while_it_waits_gets_the_answer(bot, monkeypatch):
    monkeypatch.setattr(fanorona.engine, "_WAKE", 0.001)
    with popen(bot(SEARCHER), timeout=1) as engine:
        begin = time.monotonic()
        assert engine.play(Game(), Limit(time=0.2)).move is not None and time.monotonic() - begin > 0.1
        with pytest.raises(EngineError, match="has no option Hash"):
            engine.configure({"Hash": 1})


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-engine", "is not a program"),
        ("", "empty"),
        ([sys.executable, "-c", "import sys; sys.exit('out of luck')"], "code 1.*out of luck"),
        ([sys.executable, "-c", "print('no weights.bin')"], "code 0.*no weights.bin"),
        ([sys.executable, "-c", "import time; time.sleep(60)"], "did not send ugiok within 0.5 s"),
    ],
)
def test_an_engine_that_does_not_start(command, message):
    with pytest.raises(EngineError, match=f"(?s){message}"):
        popen(command, timeout=0.5)


def test_a_file_that_is_not_a_program(tmp_path):
    path = tmp_path / "engine.exe"  # Windows knows programs by their names.
    path.write_text("hello")
    path.chmod(0o755)
    with pytest.raises(EngineError, match="cannot be started"):
        popen([str(path)])


def test_an_option_whose_declaration_cannot_be_read(bot):
    source = """
        import sys
        for line in sys.stdin:
            word = line.split()[0]
            if word == "ugi":
                print("option name Deep type check default True")
                print("option name Size type spin default 1\\nugiok", flush=True)
            if word == "isready": print("readyok", flush=True)
            if word == "quit": break
    """
    with popen(bot(source), options={"Size": 2}) as engine:
        with pytest.raises(EngineError, match="`option name Deep type check default True` could not be read"):
            engine.configure({"deep": True})
        with pytest.raises(EngineError, match="has no option Hash"):
            engine.configure({"Hash": 1})


BROKEN = """
    import sys
    for line in sys.stdin:
        word = line.split()[0]
        if word == "ugi": print("id name broken\\nugiok", flush=True)
        if word == "isready": print("readyok", flush=True)
        if word == "go": {}
"""


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("print('bestmove a1a2', flush=True)", "illegal move a1a2"),
        ("print('bestmove e2e3A now', flush=True)", "two words"),
        ("sys.exit(3)", "ended with code 3"),
        ("pass", "did not send bestmove"),
    ],
)
def test_an_engine_that_breaks_the_protocol(bot, answer, message):
    with popen(bot(BROKEN.format(answer)), timeout=1) as engine:
        with pytest.raises(EngineError, match=message):
            engine.play(Game(), Limit(time=0.1))


def test_an_engine_without_rules_plays_by_the_default_alone(bot):
    with popen(bot(BROKEN.format("print('bestmove f2e3A', flush=True)"))) as engine:
        assert str(engine.play(Game(), Limit(nodes=1)).move) == "f2e3A"
        with pytest.raises(EngineError, match="default rules alone"):
            engine.play(Game(rules="quiet=5"), Limit(nodes=1))
        with pytest.raises(EngineError, match="has no option Hash"):
            engine.configure({"Hash": 1})


def test_the_strongest_engine_of_the_workspace(program):
    with popen(program("bot-alphabeta"), options={"Hash": 8}) as engine:
        result = engine.play(Game(), Limit(nodes=20_000))
        assert result.move in Position().legal_moves and result.info.nodes >= 1000
        lines = engine.analyse(Game(), Limit(depth=4), lines=3)
        assert [info.multipv for info in lines] == [1, 2, 3]
        assert len({info.pv[0] for info in lines}) == 3
        assert len(engine.analyse(Game(), Limit(depth=4))) == 1
        assert engine.value(Position("b2/3/2W w")) == "win 1"
