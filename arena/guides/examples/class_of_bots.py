"""Writes a class of small bots, to try a league with: `python3 class_of_bots.py DIR [NUMBER]`.

Every bot is a directory with a `bot.py`, as a student would hand it in. They know no rules and choose
among the moves that the arena lists. They differ in taste and in care: some take what captures most,
some prefer the centre, and each plays a random move now and then. With `--faulty`, three more have
the faults that bots have: one does not start, one plays an illegal move, one answers too late once in
a long game, which the check at the door does not see.
"""
import argparse
from pathlib import Path

BOT = '''"""{name}: captures {captures}, centre {centre}, care {care}."""
import random
import sys
import time

CAPTURES, CENTRE, CARE = {captures}, {centre}, {care}
FAULT = {fault!r}
rng = random.Random({seed})
moves_made = 0


def value(move):
    """More steps make a longer move; the last point named is where the stone stands."""
    steps = move.count("A") + move.count("W")
    points = [c for c in move if c in "abcdefghi"]
    centre = 4 - abs("abcdefghi".index(points[-1]) - 4) if points else 0
    return CAPTURES * steps + CENTRE * centre


if FAULT == "start":
    raise SystemExit("ModuleNotFoundError: No module named 'secret_library'")
for line in sys.stdin:
    words = line.split()
    if words == ["ugi"]:
        print("id name {name}\\nid author {author}")
        print("option name Seed type spin default 0 min 0 max 9223372036854775807\\nugiok", flush=True)
    elif words[:4] == ["setoption", "name", "Seed", "value"]:
        rng = random.Random({seed} + int(words[4]))  # the same tournament, the same games
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words == ["uginewgame"]:
        moves_made = 0
    elif words[:1] == ["go"]:
        moves = line.partition("searchmoves")[2].split() or ["0000"]
        moves_made += 1
        best = max(moves, key=value) if rng.random() < CARE else rng.choice(moves)
        if FAULT == "illegal" and moves_made == 12:
            best = next(move for move in ("a1b1", "a5b5", "i1h1") if move not in moves)
        if FAULT == "late" and moves_made == 25:
            time.sleep(2)
        print("bestmove", best, flush=True)
    elif words == ["quit"]:
        break
'''

NAMES = (
    "ada bodo clara dina emil faly gita hery ines jao kanto lala mamy nivo onja paul quinn rado "
    "sitraka tiana ulla vola wanja xenia yann zo aina bema coco dera"
).split()


def write(directory, name, number, captures, centre, care, fault=None):
    """Writes one bot."""
    folder = directory / name
    folder.mkdir(parents=True, exist_ok=True)
    text = BOT.format(
        name=name, author=name.title(), captures=captures, centre=centre, care=care, seed=number, fault=fault
    )
    (folder / "bot.py").write_text(text)


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dir", type=Path)
    parser.add_argument("number", type=int, nargs="?", default=len(NAMES))
    parser.add_argument("--faulty", action="store_true", help="add three bots with faults")
    args = parser.parse_args()
    for number in range(args.number):
        turn, place = divmod(number, len(NAMES))
        name = NAMES[place] + (str(turn + 1) if turn else "")
        captures, centre = [(4, 0), (4, 1), (1, 2), (0, 1), (-1, 1)][number % 5]
        care = round(0.4 + 0.6 * (number * 7 % 11) / 10, 2)
        write(args.dir, name, number, captures, centre, care)
    if args.faulty:
        for number, fault in enumerate(["start", "illegal", "late"]):
            write(args.dir, f"faulty-{fault}", 100 + number, 4, 0, 1.0, fault)


if __name__ == "__main__":
    main()
