"""The environments against the rules: every action, mask, observation and reward."""

import random
import subprocess
import sys
import threading

import numpy as np
import pytest

from fanorona import BLACK, WHITE, Game, Move, Position
from fanorona.rl import PLANES, StepGame, VecEnv, action_count, action_of, action_text, actions_of

STARTS = [
    Position(),
    Position.vela(),
    Position.vela(rules="vela-starter=creditor vela-must-offer"),
    Position.riatra("5x5", rules="forced-continuation"),
    Position.riatra("3x9", rules="single-first-capture"),
    Position.riatra("left-right", rules="quiet=10"),
    Position.vela("5x9", rules="vela-starved=paika max-plies=40"),
    Position.riatra("telo"),
]


def paths(position):
    """The actions of every legal move, as the first actions and what may follow each."""
    following = {}
    for move in position.legal_moves:
        actions = actions_of(position, move)
        for index, action in enumerate(actions):
            following.setdefault(tuple(actions[:index]), set()).add(action)
    return following


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_legal_actions_are_the_steps_of_legal_moves(start):
    draw = random.Random(1)
    end = action_count(start.board.size) - 1
    for _ in range(12):
        game, steps = Game(start), StepGame(start)
        while game.outcome() is None:
            assert steps.outcome() is None and steps.position == game.position
            assert steps.player == game.turn and steps.plies == len(game)
            following, path = paths(game.position), ()
            while path in following:
                actions = set(steps.actions)
                assert len(actions) == len(steps.actions)
                assert actions == following[path], (game, path)
                assert set(np.flatnonzero(steps.mask())) == actions
                action = draw.choice(sorted(actions))
                steps.step(action)
                path += (action,)
            size = start.board.size
            words = [action_text(action, size) for action in path if action != end]
            text = words[0][:2] + "".join(word[2:] for word in words)
            game = game.play(text)
            assert tuple(actions_of(game.back().position, Move(text))) == path
        assert steps.outcome() == game.outcome() and steps.actions == []


def test_actions_have_numbers_and_texts():
    assert action_count() == 1081 == 45 * 8 * 3 + 1
    assert (action_count("5x5"), action_count("5x9")) == (601, 1081)
    assert action_of("e2e3A") == 24 * 13 + 3 * 6 + 1
    assert (action_text(1080), action_of("end")) == ("end", 1080)
    for size in ("9x5", "3x7"):
        count = 0
        for action in range(action_count(size)):
            try:
                text = action_text(action, size)
            except ValueError:
                continue
            count += 1
            assert action_of(text, size) == action
        columns, rows = map(int, size.split("x"))
        straight = 2 * (columns * (rows - 1) + rows * (columns - 1))
        diagonal = 4 * (columns - 1) * (rows - 1)
        assert count == 3 * (straight + diagonal) + 1
    with pytest.raises(ValueError, match="not an action"):
        action_text(1081)
    with pytest.raises(ValueError, match="not one step"):
        action_of("e2e3Ad4W")


def expected(steps, viewer):
    """The observation of a game by its documentation, point by point."""
    board, position = steps.board, steps.position
    planes = np.zeros((PLANES, board.rows, board.columns), np.uint8)
    for point in board.points:
        at = (int(point[1]) - 1, ord(point[0]) - ord("a"))
        stone = board.at(point)
        planes[0][at] = stone == viewer
        planes[1][at] = stone == ~viewer
    planes[5] = viewer == WHITE
    planes[6] = position.debtor == viewer
    planes[7] = position.debtor == ~viewer
    planes[8] = min(position.quiet_plies, 255)
    return planes


def test_observations_are_as_documented():
    steps = StepGame(Position().play("e2e3A"))
    assert (steps.observe(BLACK) == expected(steps, BLACK)).all()
    steps.step(action_of("f4e5W"))
    assert steps.player == BLACK and action_text(steps.actions[-1]) == "end"
    for viewer in (WHITE, BLACK):
        planes = expected(steps, viewer)
        planes[2][4, 4] = 1
        planes[3][4, 4] = planes[3][3, 5] = 1
        planes[4][3, 5] = 1
        assert (steps.observe(viewer) == planes).all()
    vela = StepGame(Position.vela(rules="vela-starter=creditor"))
    assert (vela.observe(WHITE) == expected(vela, WHITE)).all()
    assert vela.observe(WHITE)[7].all() and vela.observe(BLACK)[6].all()
    back = StepGame("b4/5/5/5/4W w - 3 1")
    for text in ("e1d1", "a5a4", "d1e1", "a4a5"):
        back.step(action_of(text, "5x5"))
    assert (back.observe(WHITE)[8] == 7).all() and (back.observe(WHITE)[9] == 1).all()


@pytest.mark.parametrize("start", STARTS, ids=str)
def test_the_planes_of_a_position_are_the_first_observation(start):
    for position in [start, *(child for _, child in start.children())]:
        steps = StepGame(position)
        for viewer in (WHITE, BLACK):
            planes = position.planes(viewer)
            assert (planes == expected(steps, viewer)).all() and (planes == steps.observe(viewer)).all()
        assert (position.planes() == position.planes(position.turn)).all()
        shape = (PLANES, position.board.rows, position.board.columns)
        assert (planes.shape, planes.dtype) == (shape, np.uint8) and planes.flags.c_contiguous


def test_the_planes_of_a_position_are_an_array_of_its_own():
    position = Position("b4/5/5/5/4W w - 300 200")
    one = position.planes()
    one[:] = 9
    assert (position.planes()[8] == 255).all() and not position.planes()[9].any()


@pytest.mark.parametrize(
    "call", ["Position().planes()", "rl.StepGame().observe(WHITE)", "rl.StepGame().mask()", "rl.VecEnv(1)"]
)
def test_arrays_without_numpy_say_how_to_install_it(call):
    program = f"""if True:
        import sys
        sys.modules["numpy"] = None
        from fanorona import WHITE, Position, rl
        assert rl.StepGame().actions and Position().legal_moves
        for _ in range(2):
            try:
                {call}
            except ModuleNotFoundError as why:
                print(why)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == (2 * "arrays need numpy: pip install numpy\n", "")


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize("threads", [1, 3])
def test_many_games_are_like_single_ones(start, threads):
    count = 70
    env = VecEnv(count, threads, position=start, seed=5)
    singles = [StepGame(start) for _ in range(count)]
    arrays = (env.observations, env.masks, env.players, env.rewards, env.winners, env.terminated)
    ended = 0
    for _ in range(150):
        for index in range(0, count, 7):
            single = singles[index]
            assert (env.observations[index] == single.observe(single.player)).all()
            assert (env.masks[index] == single.mask()).all()
        assert [env.players[index] for index in range(count)] == [
            0 if single.player == WHITE else 1 for single in singles
        ]
        actions = env.sample().copy()
        assert env.masks[np.arange(count), actions].all()
        env.step(actions)
        for index, (single, action) in enumerate(zip(singles, actions)):
            player = single.player
            single.step(action)
            outcome = single.outcome()
            reward = winner = 0
            if outcome is not None:
                ended += 1
                reward = outcome.score(player)
                winner = outcome.score(WHITE)
                single.reset()
            assert (env.rewards[index], env.winners[index]) == (reward, winner)
            truncated = outcome is not None and outcome.reason == "max-plies"
            assert env.truncated[index] == truncated
            assert env.terminated[index] == (outcome is not None and not truncated)
    assert ended > 0
    for before, now in zip(
        arrays, (env.observations, env.masks, env.players, env.rewards, env.winners, env.terminated)
    ):
        assert before is now


def test_the_same_seed_gives_the_same_games_on_any_number_of_threads():
    def play(threads, seed):
        env, taken = VecEnv(100, threads, seed=seed), []
        for _ in range(100):
            taken.append(env.sample().copy())
            env.step(taken[-1])
        return np.array(taken)

    one = play(1, 9)
    assert (one == play(2, 9)).all() and (one != play(1, 10)).any()
    env = VecEnv(100, seed=1)
    env.step(env.sample())
    env.reset(seed=9)
    assert (env.sample() == one[0]).all() and not env.rewards.any()
    assert (env.observations == VecEnv(100).observations).all()


def test_wrong_actions_change_nothing():
    env = VecEnv(4)
    before = env.observations.copy()
    good = env.sample().copy()
    for wrong in (0, -1, 1080, 1081, 70000, 2**40):
        bad = good.copy()
        bad[2] = wrong
        with pytest.raises(ValueError, match=f"action {wrong} is not legal in game 2"):
            env.step(bad)
    with pytest.raises(ValueError, match="expected 4 actions"):
        env.step(good[:3])
    assert (env.observations == before).all()
    env.step(list(good))
    env.step(np.asarray(env.sample(), np.int32))
    env.step(np.repeat(env.sample(), 2)[::2])
    with pytest.raises(ValueError, match="at least 1"):
        VecEnv(0)
    with pytest.raises(ValueError, match="over"):
        VecEnv(1, position="3/3/1W1 b")
    with pytest.raises(ValueError, match="not legal"):
        StepGame().step(3)


def test_steps_release_the_lock_of_the_interpreter():
    env = VecEnv(40_000)
    actions = env.sample()
    count, gains = 0, []
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work():
        nonlocal actions
        for _ in range(5):
            before = count
            env.step(actions)
            gains.append(count - before)
            actions = env.sample()

    try:
        worker = threading.Thread(target=work)
        worker.start()
        while worker.is_alive():
            count += 1
        worker.join()
    finally:
        sys.setswitchinterval(interval)
    assert min(gains) > 1000, gains
