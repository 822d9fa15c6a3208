"""A bot that knows no rules. With `legal_moves = true` the arena tells it the legal moves."""
import sys

for line in sys.stdin:
    words = line.split()
    if words == ["ugi"]:
        print("id name first_bot\nugiok", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        moves = line.partition("searchmoves")[2].split() or ["0000"]
        print("bestmove", max(moves, key=len), flush=True)  # more captures make a longer word
    elif words == ["quit"]:
        break
