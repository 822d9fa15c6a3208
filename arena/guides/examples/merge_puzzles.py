#!/usr/bin/env python3
"""Merges files of puzzles: of puzzles with one position, also as reflections or with colours swapped, the
first stays.

    python3 merge_puzzles.py exact-1.jsonl exact-2.jsonl tactical.jsonl > puzzles.jsonl
"""

import json
import sys

SWAPPED = str.maketrans("Wb", "bW")


def canonical(fen):
    """What a position and its images share. Boards as wide as high have more images than these."""
    board, mover, debtor = fen.split()[:3]
    rows = ["".join("." * int(c) if c.isdigit() else c for c in row) for row in board.split("/")]
    if mover == "b":
        rows = [row.translate(SWAPPED) for row in rows]
    turned = [row[::-1] for row in rows]
    images = [rows, rows[::-1], turned, turned[::-1]]
    return min(images), debtor if debtor == "-" else debtor == mover


def merge(lines):
    """The lines whose position no line before has."""
    first = {}
    for line in lines:
        first.setdefault(str(canonical(json.loads(line)["fen"])), line)
    return first.values()


if __name__ == "__main__":
    if not sys.argv[1:] or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    every = [line for path in sys.argv[1:] for line in open(path, encoding="utf-8")]
    sys.stdout.writelines(merge(every))
