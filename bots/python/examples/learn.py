"""A learner on 5x5: it plays against itself, learns which positions win, and then enters tournaments.

    python3 learn.py learn weights.npz
    arena quick "python3 learn.py play weights.npz" bot-random --board 5x5 --kind riatra
"""

import sys

import fanorona
import numpy as np

START = fanorona.Position.riatra("5x5", rules="quiet=20")
GAMES, HIDDEN, RATE, CURIOSITY = 20_000, 128, 0.02, 0.3


def features(positions):
    """A row for each position: the stones of the side to move, then those of the other side."""
    return np.array([position.planes()[:2].ravel() for position in positions], dtype=float)


def values(network, rows):
    """What positions are worth to the side to move, from -1 (lost) to 1 (won), and the hidden layer."""
    hidden = np.tanh(rows @ network["hidden"] + network["bias"])
    return np.tanh(hidden @ network["output"]), hidden


def best(network, position, moves):
    """The move after which the opponent has the worst position."""
    after = [position.play(move) for move in moves]
    worth = -values(network, features(after))[0]
    known = [outcome.score(position.turn) if (outcome := each.outcome()) else np.nan for each in after]
    return moves[np.where(np.isnan(known), worth, known).argmax()]


def learn(random):
    """Plays games, some moves at random, and draws each position's value towards the result of its game."""
    network = {"hidden": random.normal(0, 0.1, (50, HIDDEN)), "bias": np.zeros(HIDDEN), "output": np.zeros(HIDDEN)}
    for rate in np.linspace(RATE, 0, GAMES):
        position, seen = START, []
        while not (outcome := position.outcome()):
            seen.append(position)
            moves = position.legal_moves
            move = random.choice(moves) if random.random() < CURIOSITY else best(network, position, moves)
            position = position.play(move)
        rows, results = features(seen), np.array([outcome.score(each.turn) for each in seen])
        found, hidden = values(network, rows)
        error = rate * (results - found) * (1 - found**2)  # one step of gradient descent
        slope = np.outer(error, network["output"]) * (1 - hidden**2)
        for name, change in ("output", hidden.T @ error), ("hidden", rows.T @ slope), ("bias", slope.sum(axis=0)):
            network[name] += change
    return network


action, file = sys.argv[1:] or sys.exit(__doc__)
if action == "learn":
    np.savez(file, **learn(np.random.default_rng(1)))
else:
    network = dict(np.load(file))
    fanorona.run(lambda task: best(network, task.position, task.moves), name="learner")
