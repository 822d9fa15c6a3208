"""Rates a games.csv with SciPy, to compare time and ratings with `arena rate`.

python arena/benches/rate_with_scipy.py games.csv

It maximises the same likelihood with the same prior (1000 Elo) by Newton's method, whose systems are
solved by conjugate gradients, and takes no intervals.
"""

import csv
import resource
import sys
import time

import numpy as np
from scipy.sparse import csr_matrix, diags
from scipy.sparse.linalg import cg

ELO = 400 / np.log(10)
PRIOR = (ELO / 1000) ** 2
POINTS = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}

begin = time.perf_counter()
with open(sys.argv[1], newline="") as file:
    rows = [(row["white"], row["black"], POINTS[row["result"]]) for row in csv.DictReader(file)]
names = sorted({name for white, black, _ in rows for name in (white, black)})
place = {name: number for number, name in enumerate(names)}
white = np.array([place[row[0]] for row in rows])
black = np.array([place[row[1]] for row in rows])
points = np.array([row[2] for row in rows])
read = time.perf_counter()

# A column per engine and one for the first move.
games, engines = len(rows), len(names)
one = np.ones(games)
number = np.arange(games)
design = csr_matrix(
    (
        np.concatenate([one, -one, one]),
        (np.tile(number, 3), np.concatenate([white, black, np.full(games, engines)])),
    )
)
at = np.zeros(engines + 1)
for _ in range(50):
    expected = 1 / (1 + np.exp(-(design @ at)))
    gradient = design.T @ (points - expected) - PRIOR * at
    weights = diags(expected * (1 - expected))
    information = (design.T @ weights @ design + diags(np.full(engines + 1, PRIOR))).tocsr()
    step, _ = cg(information, gradient, rtol=1e-10, M=diags(1 / information.diagonal()))
    at += step
    if np.abs(step).max() < 1e-9:
        break
fitted = time.perf_counter()
ratings = ELO * (at[:engines] - at[:engines].mean())
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"read in {read - begin:.2f} s, fitted in {fitted - read:.2f} s, {memory} MiB")
for rank in np.argsort(-ratings)[:3]:
    print(f"{names[rank]}: {ratings[rank]:.2f}")
