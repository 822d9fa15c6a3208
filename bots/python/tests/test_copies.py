"""Copies and pickles of every class of the package."""

import copy
import inspect
import json
import pickle
import random
from pathlib import Path

import numpy as np
import pytest

import fanorona
import fanorona.aec
import fanorona.engine
import fanorona.records
import fanorona.rl
from fanorona import BLACK, Game, Move, Position, Rules, Session, _core
from fanorona.rl import StepGame, VecEnv, action_of

MODULES = (fanorona, fanorona.aec, fanorona.engine, fanorona.records, fanorona.rl)

WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{
        f"pickle {protocol}": lambda it, protocol=protocol: pickle.loads(pickle.dumps(it, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def copied(request):
    """Each way to copy something."""
    return request.param


def public_classes():
    """The classes that the package offers."""
    for module in MODULES:
        for name in getattr(module, "__all__", vars(module)):
            value = getattr(module, name)
            if inspect.isclass(value) and name[0] != "_" and value.__module__.startswith("fanorona"):
                yield value


def values():
    """Examples of every class whose objects never change, or are data."""
    drawn = Session(sets=5, vela_attempts=1, board="5x5", rules="vela-starter=creditor").record_winner(None)
    vela = Session().record_winner("first")
    over = vela.record_winner("second").record_winner("first")
    moves = [Move("e2e3A"), Move("f4e5We4A")]
    return [
        fanorona.WHITE,
        BLACK,
        *moves,
        *moves[1].steps,
        Rules("quiet=5 vela-starved=paika"),
        Position("b4/5/5/5/4W w - 7 9", rules="quiet=50"),
        Position().board,
        Game(Position("b4/5/5/5/4W w - 7 9", rules="quiet=50"), "e1d1"),
        *(fanorona.Outcome("1-0", reason) for reason in ("no-stones", "vela-starved", "no-move")),
        *(fanorona.Outcome("1/2-1/2", reason) for reason in ("no-move", "repetition", "quiet", "max-plies")),
        Position("3/3/1W1 w").outcome(),
        *(fanorona.Value(text) for text in ("win 5", "loss 0", "draw")),
        Session(),
        drawn,
        vela,
        over,
        Session().next_game,
        drawn.next_game,
        vela.next_game,
        fanorona.Limits(white_time=1.0, finite=True),
        fanorona.Spin(4, 1, 20),
        fanorona.Combo("a", ("a", "b")),
        fanorona.engine.Limit(depth=3),
        fanorona.engine.Score("cp", 3),
        fanorona.engine.Info(depth=1, pv=moves, score=fanorona.engine.Score("win", 2)),
        fanorona.engine.Result(moves[0], False, [fanorona.engine.Info(depth=1)]),
        fanorona.engine.EngineOption("Hash", "spin", 16, "option name Hash type spin default 16 min 1 max 64", 1, 64),
        fanorona.records.GameRecord("1", "a", "b", "1-0", "no-stones", Position().fen, moves),
        fanorona.records.Records(Path("games.csv"), Rules("quiet=5")),
    ]


ERRORS = [
    fanorona.IllegalMoveError("no"),
    fanorona.engine.EngineError("no"),
    fanorona.records.RecordError("no"),
]
# Objects that change, and those that are as large as a disk; tested one by one below.
OTHERS = [StepGame, VecEnv, fanorona.aec.raw_env, fanorona.Tables]
# What belongs to a process.
HANDLES = [fanorona.Task, fanorona.engine.Engine, fanorona.engine.AsyncEngine]


def test_every_public_class_is_tested_here():
    tested = {type(value) for value in values() + ERRORS} | set(OTHERS) | set(HANDLES)
    assert set(public_classes()) == tested


@pytest.mark.parametrize("value", values(), ids=repr)
def test_copies_of_values_are_equal(value, copied):
    other = copied(value)
    assert type(other) is type(value) and other == value and repr(other) == repr(value)
    if type(value).__hash__ is not None and not isinstance(
        value, (fanorona.engine.Info, fanorona.engine.Result, fanorona.records.GameRecord)
    ):
        assert hash(other) == hash(value)
    for name, _ in inspect.getmembers(type(value), inspect.isdatadescriptor):
        if name[0] != "_":
            assert getattr(other, name) == getattr(value, name), name


def test_copies_keep_fields_that_equality_ignores(copied):
    position = copied(Position("b4/5/5/5/4W w - 7 9"))
    assert (position.quiet_plies, position.full_move) == (7, 9)
    session = copied(Session(replays=0).record_winner(None))
    # The limits come along: after half a set each there are no replays.
    assert session.score == (0.5, 0.5)
    assert session.record_winner("first").next_game.debtor == "second"


@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_copies_of_errors_have_the_same_text(error, copied):
    other = copied(error)
    assert type(other) is type(error) and other.args == error.args


def test_copying_a_handle_of_a_process_is_an_error_with_a_reason(copied, bot):
    task = fanorona.Task(
        Game(), Position().legal_moves, fanorona.Limits(), {"MoveOverhead": 10}, random.Random(1), True, print
    )
    with pytest.raises(TypeError, match="copy its game, moves, limits and options"):
        copied(task)
    assert copied((task.game, task.moves, task.limits, task.options))[0] == task.game
    command = bot("import fanorona\nfanorona.run(lambda task: task.moves[0])\n")
    with fanorona.engine.popen(command) as engine:
        for handle in (engine, engine._engine):
            with pytest.raises(TypeError, match="start another one with popen"):
                copied(handle)


@pytest.mark.parametrize("parts", [((0, 1, 1), "tsivy", "", []), ((1, 1, 1), "tsivy", "", ["first"] * 2)])
def test_forged_sessions_are_refused(parts):
    with pytest.raises(ValueError, match="at least 1|is over"):
        _core._session(*parts)
    with pytest.raises(ValueError, match="not first or second"):
        _core._session((3, 2, 2), "tsivy", "", ["third"])


@pytest.mark.parametrize(
    ("result", "reason"),
    [("1-0", "quiet"), ("1/2-1/2", "no-stones"), ("2-0", "quiet"), ("1-0", "time"), ("*", "void")],
)
def test_impossible_outcomes_are_refused(result, reason):
    with pytest.raises(ValueError, match="no game ends|is not a"):
        fanorona.Outcome(result, reason)


def test_values_and_steps_have_texts():
    assert str(fanorona.Value("loss 4")) == "loss 4" and fanorona.Value("draw").plies is None
    assert repr(fanorona.Step("e2e3A")) == "Step('e2e3A')" and str(Move("a1b1").steps[0]) == "a1b1"
    for wrong in ("win", "unknown", "draw 3", "win -1", ""):
        with pytest.raises(ValueError, match="not a value"):
            fanorona.Value(wrong)
    with pytest.raises(ValueError, match="more than one step"):
        fanorona.Step("e2e3Ad4W")


def test_tables_are_shared_by_copies_and_opened_again_by_pickles(tmp_path, program, monkeypatch):
    built = fanorona.Tables.build("5x3", 3)
    assert copy.copy(built) is built and copy.deepcopy([built])[0] is built
    position = Position("5/W1b2/5 w")
    assert pickle.loads(pickle.dumps(built)).value(position) == built.value(position)
    import subprocess

    command = [program("endgames"), "build", "--board", "5x3", "--stones", "3", "--out", str(tmp_path / "tables")]
    subprocess.run(command, check=True, capture_output=True)
    monkeypatch.chdir(tmp_path)
    text = pickle.dumps(fanorona.Tables("tables", "5x3"))
    monkeypatch.chdir("/")
    assert pickle.loads(text).value(position) == built.value(position)
    (tmp_path / "tables").rename(tmp_path / "moved")
    with pytest.raises(FileNotFoundError):
        pickle.loads(text)


def in_the_middle():
    """A game between two steps of a move, after complete moves."""
    game = StepGame(Position(rules="max-plies=9"))
    for text in ("e2e3A", "f4e5W"):
        game.step(action_of(text))
    return game


def seen(game):
    """Everything that a game shows."""
    arrays = [game.observe(side).tolist() for side in (fanorona.WHITE, BLACK)] + [game.mask().tolist()]
    return arrays, game.actions, game.position.fen, game.player, game.plies, game.outcome()


@pytest.mark.parametrize("start", [StepGame(), in_the_middle(), StepGame("3/3/1W1 b")], ids=repr)
@pytest.mark.parametrize("way", [*WAYS.values(), StepGame.clone], ids=[*WAYS, "clone"])
def test_copies_of_a_game_go_on_independently(start, way):
    game = start.clone()
    other = way(game)
    assert seen(other) == seen(game)
    draw = random.Random(1)
    while game.outcome() is None:
        before = seen(other)
        action = draw.choice(game.actions)
        game.step(action)
        assert seen(other) == before
        other.step(action)
        assert seen(other) == seen(game)
    other.reset()
    assert other.outcome() == StepGame(other.position).outcome() and other.plies == 0


def test_a_game_takes_over_a_state_with_its_start():
    game = in_the_middle()
    state = json.loads(json.dumps(game.get_state()))
    other = StepGame(Position.riatra("5x5"))
    other.set_state(state)
    assert seen(other) == seen(game)
    other.reset()
    assert other.position == Position(rules="max-plies=9")


def shown(env):
    """Copies of everything that an environment shows."""
    arrays = (env.observations, env.masks, env.players, env.rewards, env.winners, env.terminated, env.truncated)
    infos = json.dumps(env.infos, default=lambda it: it.tolist(), sort_keys=True)
    return [array.copy() for array in arrays], infos


def same(one, other):
    return one[1] == other[1] and all((left == right).all() for left, right in zip(one[0], other[0]))


def advanced(threads, steps=60):
    """An environment in which games end all the time, some of them by the limit."""
    env = VecEnv(50, threads, position=Position.riatra("5x5", rules="max-plies=24"), seed=11)
    for _ in range(steps):
        env.step(env.sample())
    while not (env.terminated.any() and env.truncated.any()):
        env.step(env.sample())
    return env


def by_state(env):
    other = VecEnv(len(env), position=env.start, seed=None)
    other.step(other.sample())
    other.set_state(json.loads(json.dumps(env.get_state())))
    return other


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", [*WAYS.values(), VecEnv.clone, by_state], ids=[*WAYS, "clone", "state"])
def test_copies_of_an_environment_go_on_with_the_same_random_numbers(way, threads):
    env = advanced(threads)
    other = way(env)
    assert same(shown(env), shown(other)) and env.infos and other.seed == env.seed == 11
    assert other.observations is not env.observations
    before = shown(other)
    actions = []
    for _ in range(40):
        actions.append(env.sample().copy())
        env.step(actions[-1])
    assert same(shown(other), before)
    for expected in actions:
        assert (other.sample() == expected).all()
        other.step(expected)
    assert same(shown(env), shown(other))
    env.reset()
    other.reset()
    assert same(shown(env), shown(other)) and (env.sample() == other.sample()).all()


def broken(state):
    """Changes to a state, each with a part of the message."""
    first = state["games"][0]
    ended = next(game for game in state["games"] if game["ended"])

    def with_game(**fields):
        return state | {"games": [first | fields, *state["games"][1:]]}

    return [
        (None, "not a state"),
        ([], "not a state"),
        ("state", "not a state"),
        ({}, "start"),
        ({name: value for name, value in state.items() if name != "games"}, "games"),
        (state | {"games": 3}, "not a state"),
        (state | {"seed": -1}, "not a state"),
        (state | {"seed": 2**64}, "not a state"),
        (state | {"seed": "x"}, "not a state"),
        (state | {"start": "bbb/b1W/WWW"}, "side to move"),
        (state | {"rules": "fast"}, "unknown rule"),
        (with_game(actions=[70000]), "not a state"),
        (with_game(actions=[-1]), "not a state"),
        (with_game(actions="abc"), "not a state"),
        (with_game(actions=[0]), "game 0 of the state: action 0, number 1 of the game, is not legal"),
        (with_game(actions=[600]), "is not legal"),
        (with_game(actions=[60000]), "is not legal"),
        (with_game(actions=ended["ended"], ended=None), "it is over"),
        (with_game(actions=ended["ended"] + [0], ended=None), "is not legal"),
        (with_game(actions=[], ended=[]), "is not over"),
        (with_game(actions=ended["ended"][:1], ended=ended["ended"]), "has actions"),
        (with_game(random=1.5), "not a state"),
        (with_game(ended=7), "not a state"),
    ]


def test_an_invalid_state_is_refused_and_changes_nothing():
    env = advanced(1)
    state = env.get_state()
    before = shown(env)
    for wrong, part in broken(state):
        for take in (env.set_state, lambda it: _core._vec_env(1, it)):
            with pytest.raises(ValueError, match=part):
                take(wrong)
    for wrong, part in [
        (state | {"games": state["games"][1:]}, "the state has 49 games, the environment 50"),
        (VecEnv(50).get_state(), "begin with bbbbbbbbb/.*, not with bbbbb/"),
        (VecEnv(50, position=Position(env.start, rules="")).get_state(), "with rules ``"),
    ]:
        with pytest.raises(ValueError, match=part):
            env.set_state(wrong)
    assert same(shown(env), before) and env.get_state() == state
    with pytest.raises(ValueError, match="n must be at least 1"):
        _core._vec_env(1, state | {"games": []})
    for threads in (0, 100_000):
        with pytest.raises(ValueError, match="threads must be"):
            _core._vec_env(threads, state)
    game = in_the_middle()
    kept = seen(game)
    for wrong in (None, {}, game.get_state() | {"actions": [5]}, game.get_state() | {"start": "x"}):
        with pytest.raises(ValueError):
            game.set_state(wrong)
    assert seen(game) == kept


def test_environments_that_do_not_fit_are_refused():
    for n in (2**62, 2**40):
        with pytest.raises(MemoryError, match="no memory"):
            VecEnv(n)


def test_environments_without_a_seed_differ_and_name_theirs():
    one, other = VecEnv(8, seed=None), VecEnv(8, seed=None)
    assert one.seed != other.seed
    again = VecEnv(8, seed=one.seed)
    for _ in range(20):
        assert (one.sample() == again.sample()).all()
        one.step(one.sample())
        again.step(again.sample())
    assert VecEnv(8).seed == 0
    one.reset(seed=5)
    assert one.seed == 5
    one.reset()
    assert one.seed == 5


def test_neighbouring_seeds_share_no_game():
    def drawn(seed):
        env, taken = VecEnv(4, seed=seed), []
        for _ in range(12):
            taken.append(env.sample().copy())
            env.step(taken[-1])
        return {tuple(game) for game in np.array(taken).T}

    assert not drawn(1) & drawn(2)


def test_the_last_observation_is_kept_as_gymnasium_does():
    env = VecEnv(30, position=Position.riatra("5x5", rules="max-plies=24"), seed=3)
    assert env.infos == {}
    singles = [StepGame(env.start) for _ in range(30)]
    reasons = set()
    for _ in range(200):
        actions = env.sample().copy()
        env.step(actions)
        infos = env.infos
        ends = env.terminated | env.truncated
        assert bool(infos) == ends.any()
        for index, (single, action) in enumerate(zip(singles, actions)):
            single.step(action)
            outcome = single.outcome()
            assert ends[index] == (outcome is not None)
            if not infos:
                continue
            final = infos["final_info"]
            assert infos["_final_obs"][index] == infos["_final_info"][index] == ends[index]
            assert all(final[name][index] == ends[index] for name in final if name[0] == "_")
            if outcome is None:
                assert infos["final_obs"][index] is None and final["reason"][index] is None
                assert not final["action_mask"][index].any()
                continue
            assert (infos["final_obs"][index] == single.observe(single.player)).all()
            assert (final["reason"][index], final["plies"][index]) == (outcome.reason, single.plies)
            assert final["winner"][index] == outcome.score(fanorona.WHITE)
            assert final["player"][index] == (single.player == BLACK)
            # A game that was cut off could go on: a value of its last position has actions.
            free = StepGame(Position(single.position, rules=""))
            mask = free.mask() if outcome.reason == "max-plies" else np.zeros_like(free.mask())
            assert (final["action_mask"][index] == mask).all()
            reasons.add(outcome.reason)
            single.reset()
    assert {"max-plies", "no-stones"} <= reasons
    env.reset()
    assert env.infos == {}


def test_the_words_are_those_of_gymnasium():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    class Single(gymnasium.Env):
        observation_space = gymnasium.spaces.Box(0, 255, (1,), np.uint8)
        action_space = gymnasium.spaces.Discrete(2)

        def reset(self, *, seed=None, options=None):
            return np.zeros(1, np.uint8), {}

        def step(self, action):
            return np.ones(1, np.uint8), 0.0, bool(action), False, {"reason": "no-stones", "plies": 3}

    theirs = SyncVectorEnv([Single] * 2, autoreset_mode=AutoresetMode.SAME_STEP)
    theirs.reset()
    infos = theirs.step(np.array([0, 1]))[-1]
    env = advanced(1)
    assert set(env.infos) == {name for name in infos if "final" in name}
    assert set(infos["final_info"]) <= set(env.infos["final_info"])
    for name in ("_final_obs", "_final_info", "final_obs"):
        assert env.infos[name].dtype == infos[name].dtype, name
    for name in ("reason", "_reason", "plies"):
        assert env.infos["final_info"][name].dtype == infos["final_info"][name].dtype, name


@pytest.mark.parametrize("make", [fanorona.aec.env, fanorona.aec.raw_env])
@pytest.mark.parametrize("way", ["deepcopy", "pickle 5"])
def test_copies_of_the_pettingzoo_environment_go_on_independently(make, way):
    way = WAYS[way]

    def state(env):
        agents = {agent: env.observe(agent) for agent in env.possible_agents}
        seen = json.dumps(agents, default=lambda it: it.tolist())
        return seen, env.agent_selection, env.rewards, env.terminations, env.truncations, env.infos, env.agents

    fresh = way(make(Position(rules="max-plies=30")))
    fresh.reset(seed=1)
    env = make(Position(rules="max-plies=30"))
    env.reset(seed=1)
    for text in ("e2e3A", "f4e5W"):
        env.step(action_of(text))
    draw = random.Random(2)
    while env.agents:
        other = way(env)
        before = state(env)
        assert state(other) == before
        mask = env.observe(env.agent_selection)["action_mask"]
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        action = None if over else draw.choice(np.flatnonzero(mask).tolist())
        other.step(action)
        assert state(env) == before
        env.step(action)
        if env.agents:
            assert state(other) == state(env) and other.last()[1:] == env.last()[1:]
