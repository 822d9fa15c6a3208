"""Checks a solution of Fanorona with rules of its own: nothing here comes from the solver.

    solve show 5x5.solution | python3 check.py

reads the positions of the proof and checks them one by one. It knows riatra without endgame tables,
with the switches forced-continuation, single-first-capture and blocked-is-draw. It is simple and
slow: about ten thousand positions a second. It exits with 1 if the proof does not hold.
"""

import json
import sys
from itertools import product

LETTERS = {"white": "W", "black": "b"}
DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


class Rules:
    """Riatra on a board of some size. A position is a dictionary: W or b by (column, row)."""

    def __init__(self, columns, rows, switches):
        known = {"forced-continuation", "single-first-capture", "blocked-is-draw"}
        if unknown := set(switches) - known:
            raise ValueError(f"this checker does not know {', '.join(sorted(unknown))}")
        self.columns, self.rows, self.switches = columns, rows, set(switches)
        self.points = list(product(range(columns), range(rows)))
        right, top = columns - 1, rows - 1
        images = [lambda c, r, x=x, y=y: (abs(x - c), abs(y - r)) for x in (0, right) for y in (0, top)]
        if columns == rows:
            images += [lambda c, r, image=image: image(r, c) for image in list(images)]
        self.images = [{point: image(*point) for point in self.points} for image in images]

    def neighbour(self, point, direction):
        """The next point along a line, or None. Only strong points have diagonal lines."""
        if 0 not in direction and (point[0] + point[1]) % 2 == 1:
            return None
        to = (point[0] + direction[0], point[1] + direction[1])
        return to if 0 <= to[0] < self.columns and 0 <= to[1] < self.rows else None

    def run(self, stones, point, direction, enemy):
        """The unbroken run of enemy stones from a point on."""
        found = []
        while 0 <= point[0] < self.columns and 0 <= point[1] < self.rows:
            if stones.get(point) != enemy:
                break
            found.append(point)
            point = (point[0] + direction[0], point[1] + direction[1])
        return found

    def steps(self, stones, start, last, visited):
        """The captures of a stone: where it goes, in which direction, and the position after it."""
        own = stones[start]
        enemy = "b" if own == "W" else "W"
        for direction in DIRECTIONS:
            to = self.neighbour(start, direction)
            if to is None or to in stones or to in visited or direction == last:
                continue
            ahead = (to[0] + direction[0], to[1] + direction[1])
            behind = (start[0] - direction[0], start[1] - direction[1])
            back = (-direction[0], -direction[1])
            for taken in (
                self.run(stones, ahead, direction, enemy),
                self.run(stones, behind, back, enemy),
            ):
                if taken:
                    after = {at: side for at, side in stones.items() if at not in taken}
                    del after[start]
                    after[to] = own
                    yield to, direction, after

    def captures(self, stones, point, last, visited, single):
        """The positions after all captures of a stone that begin or go on here."""
        for to, direction, after in self.steps(stones, point, last, visited):
            seen = visited | {point}
            onward = [] if single else list(self.captures(after, to, direction, seen, single))
            yield from onward
            if not onward or "forced-continuation" not in self.switches:
                yield after

    def moves(self, stones, side):
        """The positions after every legal move."""
        own = [point for point, owner in stones.items() if owner == side]
        enemies = len(stones) - len(own)
        first = enemies >= (len(self.points) - 1) // 2
        single = first and "single-first-capture" in self.switches
        found = [
            after
            for point in own
            for after in self.captures(stones, point, None, frozenset(), single)
        ]
        if found:
            return found
        for point in own:
            for direction in DIRECTIONS:
                to = self.neighbour(point, direction)
                if to is not None and to not in stones:
                    after = dict(stones)
                    del after[point]
                    after[to] = side
                    found.append(after)
        return found

    def key(self, stones):
        """The same for all images of a position: reflections, and on a square board turns."""
        placed = list(stones.items())
        return min(
            tuple(sorted((image[point], owner) for point, owner in placed)) for image in self.images
        )


def read(fen):
    """The size, the stones and the side to move of a position."""
    rows = fen.split()[0].split("/")[::-1]
    stones, width = {}, 0
    for row, text in enumerate(rows):
        column = 0
        for letter in text:
            if letter.isdigit():
                column += int(letter)
            else:
                stones[column, row] = letter
                column += 1
        width = column
    if fen.split()[2] != "-":
        raise ValueError("this checker does not know vela")
    return (width, len(rows)), stones, "W" if fen.split()[1] == "w" else "b"


def check_set(rules, side, claim, start, positions):
    """Checks the set of a side that wins or holds, with the other to move in all its positions."""
    ranks = {rules.key(stones): rank for stones, rank in positions}
    other = "b" if side == "W" else "W"
    blocked_draws = "blocked-is-draw" in rules.switches

    def is_good_end(to_move):
        """Whether the end of a side without a move has what the claim says."""
        return claim == "holds" if blocked_draws else to_move == other

    def end(stones, to_move, moves):
        """Whether a position where the game is over has what the claim says; None if it goes on."""
        left = set(stones.values())
        if len(left) == 1:
            return left == {side}
        return None if moves else is_good_end(to_move)

    def is_known(stones, rank):
        """Whether a position with the other side to move has what the claim says."""
        known = ranks.get(rules.key(stones))
        if known is not None and (claim == "holds" or known < rank):
            return True
        return bool(end(stones, other, rules.moves(stones, other)))

    def is_kept(stones, rank):
        """Whether a position with the side itself to move has what the claim says."""
        moves = rules.moves(stones, side)
        good = end(stones, side, moves)
        return any(is_known(after, rank) for after in moves) if good is None else good

    def is_right(stones, rank):
        """Whether the side has an answer to each move of the other."""
        moves = rules.moves(stones, other)
        good = end(stones, other, moves)
        return all(is_kept(after, rank) for after in moves) if good is None else good

    if not (is_kept if start[1] == side else is_right)(start[0], float("inf")):
        raise ValueError(f"nothing proves that {side} {claim} at the start")
    for stones, rank in positions:
        if not is_right(stones, rank):
            raise ValueError(f"{side} {claim}: wrong at {stones}, {other} to move")


def main():
    header = json.loads(sys.stdin.readline())
    if header["stones"]:
        raise ValueError("this checker has no endgame tables: solve with --stones 0")
    size, stones, to_move = read(header["start"])
    rules = Rules(*size, header["rules"].split())
    needed = {
        "white": {("white", "wins")},
        "black": {("black", "wins")},
        "draw": {("white", "holds"), ("black", "holds")},
        "white-holds": {("white", "holds")},
        "black-holds": {("black", "holds")},
    }
    sets = {one: [] for one in needed[header["worth"]]}
    for line in sys.stdin:
        side, claim, rank, fen = line.split(maxsplit=3)
        _, position, mover = read(fen)
        if (side, claim) not in sets or mover == LETTERS[side]:
            raise ValueError(f"no part of a proof of {header['worth']}: {line}")
        sets[side, claim].append((position, int(rank)))
    for (side, claim), positions in sets.items():
        check_set(rules, LETTERS[side], claim, (stones, to_move), positions)
        print(f"{side} {claim}: {len(positions)} positions checked")
    print(f"{size[0]}x{size[1]}: {header['worth']}")


try:
    main()
except ValueError as error:
    sys.exit(f"the proof does not hold: {error}")
