"""A bot that follows the game itself and takes as many stones as it can.

It knows riatra and vela on every board, and every switch of the rules. It needs Python 3.8 or newer
and nothing else. The lines it reads and prints are described in protocol/UGI.md.

In reading order: the board, a position, which moves are legal, how games end, and the engine.
"""

import random
import re
import sys
from collections import namedtuple

# The board ----------------------------------------------------------------------------------------

# A point is a pair: its column and its row, both from 0. A board is a dictionary from every point
# to what stands there, so a point that is not a key lies outside.
WHITE, BLACK, EMPTY = "W", "b", "."
OTHER = {WHITE: BLACK, BLACK: WHITE}
LETTER = {WHITE: "w", BLACK: "b", None: "-"}
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def lines(point):
    """The directions in which a point has neighbours: only strong points have the diagonals."""
    strong = sum(point) % 2 == 0
    return STRAIGHT + DIAGONAL if strong else STRAIGHT


def ahead(point, direction):
    return point[0] + direction[0], point[1] + direction[1]


def behind(point, direction):
    return point[0] - direction[0], point[1] - direction[1]


def name(point):
    return "abcdefghi"[point[0]] + str(point[1] + 1)


def count(board, side):
    return sum(stone == side for stone in board.values())


def run(board, point, direction, side):
    """The unbroken run of a side's stones from a point on."""
    stones = []
    while board.get(point) == side:
        stones.append(point)
        point = ahead(point, direction)
    return stones


# A position ---------------------------------------------------------------------------------------

START = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1"

# `debtor` is None in riatra; `quiet` counts the plies since the last capture.
Position = namedtuple("Position", "board mover debtor quiet number")


def read_position(text):
    """The position of a FEN; a ValueError says what is wrong with it."""
    fields = text.split() + ["", "-", "0", "1"][max(0, len(text.split()) - 1):]
    if len(fields) != 5 or fields[1] not in ("w", "b") or fields[2] not in ("w", "b", "-"):
        raise ValueError("`%s` is not rows, side to move, debtor, quiet plies, move number" % text)
    if not (fields[3].isdecimal() and fields[4].isdecimal() and int(fields[4]) > 0):
        raise ValueError("`%s %s` are not two whole numbers" % tuple(fields[3:]))
    rows = fields[0].split("/")
    board = {}
    for row, letters in enumerate(reversed(rows)):
        stones = re.sub("[1-9]", lambda digit: EMPTY * int(digit[0]), letters)
        if not re.fullmatch("[WwBb.]+", stones):
            raise ValueError("row `%s` is not made of W, b and digits" % letters)
        for column, stone in enumerate(stones):
            board[column, row] = {"W": WHITE, "B": BLACK, EMPTY: EMPTY}[stone.upper()]
    columns = max(board)[0] + 1
    if columns * len(rows) != len(board) or not (set(board.values()) - {EMPTY}):
        raise ValueError("rows of different length, or no stone")
    if {columns, len(rows)} - {3, 5, 7, 9} or len(board) > 45:
        raise ValueError("no board of that size")
    side = {"w": WHITE, "b": BLACK, "-": None}
    return Position(board, side[fields[1]], side[fields[2]], int(fields[3]), int(fields[4]))


def write_position(position):
    board, mover, debtor, quiet, number = position
    columns, rows = (size + 1 for size in max(board))
    texts = ["".join(board[c, r] for c in range(columns)) for r in reversed(range(rows))]
    placement = re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(texts))
    return "%s %s %s %d %d" % (placement, LETTER[mover], LETTER[debtor], quiet, number)


def phase_one(position):
    """Whether it is a vela whose creditor has more than five stones left."""
    return position.debtor is not None and count(position.board, OTHER[position.debtor]) > 5


def play(position, move):
    """The position after a move, given as text; a ValueError if it cannot be played.

    Whether it was legal (a capture where there is one, no point twice) is left to the manager, so
    that a long game is followed quickly.
    """
    board, mover, debtor, quiet, number = position
    board = dict(board)
    if not re.fullmatch("([a-i][1-9]){2}|[a-i][1-9]([a-i][1-9][AW])+", move):
        raise ValueError("`%s` is not a move" % move)
    steps = [("abcdefghi".index(word[0]), int(word[1]) - 1, word[2:])
             for word in re.findall("[a-i][1-9][AW]?", move)]
    here, before = steps[0][:2], count(board, OTHER[mover])
    for column, row, mark in steps[1:]:
        there = column, row
        direction = column - here[0], row - here[1]
        if board.get(here) != mover or board.get(there) != EMPTY or direction not in lines(here):
            raise ValueError("`%s` cannot be played here" % move)
        taken = []
        if mark:
            taken = captured(board, here, direction, OTHER[mover])[mark]
            if not taken:
                raise ValueError("`%s` captures nothing" % move)
            if phase_one(position):
                taken = taken[:1]
        board = moved(board, here, there, taken)
        here = there
    quiet = 0 if count(board, OTHER[mover]) < before else quiet + 1
    return Position(board, OTHER[mover], debtor, quiet, number + (mover == BLACK))


def moved(board, here, there, taken):
    """The board after a step."""
    after = dict(board)
    after[there] = after[here]
    for point in [here] + taken:
        after[point] = EMPTY
    return after


# Which moves are legal ----------------------------------------------------------------------------


def captured(board, here, direction, enemy):
    """What a step would take by approach (A) and by withdrawal (W), the nearest stone first."""
    backwards = -direction[0], -direction[1]
    return {
        "A": run(board, ahead(ahead(here, direction), direction), direction, enemy),
        "W": run(board, behind(here, direction), backwards, enemy),
    }


def captures(board, here):
    """Every capturing step of a stone: its direction, its mark, what it takes."""
    for direction in lines(here):
        if board.get(ahead(here, direction)) == EMPTY:
            taken = captured(board, here, direction, OTHER[board[here]])
            for mark in "AW":
                if taken[mark]:
                    yield direction, mark, taken[mark]


def chains(board, here, text, gain, visited, last, chain):
    """Every move that goes on from here as a capture: pairs of its text and the stones it takes."""
    for direction, mark, taken in captures(board, here):
        there = ahead(here, direction)
        if there in visited or direction == last:
            continue
        so_far, total = text + name(there) + mark, gain + len(taken)
        after = moved(board, here, there, taken)
        further = []
        if chain != "single":
            further = list(chains(after, there, so_far, total, visited | {there}, direction, chain))
        if chain != "forced" or not further:
            yield so_far, total
        yield from further


def paikas(board, mover):
    for here, stone in board.items():
        if stone == mover:
            for direction in lines(here):
                if board.get(ahead(here, direction)) == EMPTY:
                    yield name(here) + name(ahead(here, direction)), 0


def legal_moves(position, rules):
    """Every legal move: pairs of its text and the stones it takes."""
    board, mover, debtor = position[:3]
    stones = [point for point, stone in board.items() if stone == mover]
    if phase_one(position):
        if mover == debtor:
            # Exactly one stone: one step, the nearest stone of the run.
            moves = [(name(here) + name(ahead(here, direction)) + mark, 1)
                     for here in stones for direction, mark, _ in captures(board, here)]
            if not moves and rules["vela-starved"] == "paika":
                moves = list(paikas(board, mover))
            return moves
        moves = list(paikas(board, mover))
        if rules["vela-must-offer"] == "true":
            offers = [move for move in moves if can_capture(play(position, move[0]))]
            moves = offers or moves
        return moves
    chain = "forced" if rules["forced-continuation"] == "true" else "optional"
    if rules["single-first-capture"] == "true":
        # Who has not captured yet is told by the stones the enemy still has.
        if count(board, OTHER[mover]) >= (len(board) - 1) // 2:
            chain = "single"
    moves = []
    for here in stones:
        moves.extend(chains(board, here, name(here), 0, {here}, None, chain))
    return moves or list(paikas(board, mover))


def can_capture(position):
    board, mover = position[:2]
    return any(any(captures(board, here)) for here, stone in board.items() if stone == mover)


# How games end ------------------------------------------------------------------------------------

DEFAULT_RULES = {
    "forced-continuation": "false",
    "single-first-capture": "false",
    "blocked-is-draw": "false",
    "vela-starved": "creditor-loses",
    "vela-must-offer": "false",
    "vela-starter": "debtor",
    "repetition": "3",
    "quiet": "100",
    "max-plies": "0",
}


def read_rules(text):
    """All rules, where the text says only what differs; a ValueError for what it cannot mean."""
    rules = dict(DEFAULT_RULES)
    choices = {
        "vela-starved": ("creditor-loses", "debtor-loses", "paika"),
        "vela-starter": ("debtor", "creditor"),
    }
    for word in text.split():
        rule, equals, value = word.partition("=")
        default = rules.get(rule, "")
        if default.isdecimal():
            good = value.isdecimal()
        elif rule in choices:
            good = value in choices[rule]
        else:
            value = value if equals else "true"
            good = default and value in ("true", "false")
        if not good:
            raise ValueError("unknown rule `%s`" % word)
        rules[rule] = value
    return rules


def over_by_stones(position, rules):
    """`p1win`, `p2win` or `draw` when there is nothing left to play in a position, else None."""
    board, mover, debtor = position[:3]
    wins = {WHITE: "p1win", BLACK: "p2win"}
    for side in (WHITE, BLACK):
        if not count(board, side):
            return wins[OTHER[side]]
    if legal_moves(position, rules):
        return None
    if phase_one(position) and mover == debtor and rules["vela-starved"] != "paika":
        loses = rules["vela-starved"] == "debtor-loses"
        return wins[OTHER[debtor] if loses else debtor]
    return "draw" if rules["blocked-is-draw"] == "true" else wins[OTHER[mover]]


def result(game, rules):
    """`p1win`, `p2win`, `draw`, or `none` while the game goes on; `game` is all its positions."""
    now = game[-1]
    decided = over_by_stones(now, rules)
    if decided:
        return decided
    occurred = sum(position[:3] == now[:3] for position in game)
    reached = [
        (occurred, rules["repetition"]),
        (now.quiet, rules["quiet"]),
        (len(game) - 1, rules["max-plies"]),
    ]
    # A limit of 0 is no limit.
    over = any(0 < int(limit) <= number for number, limit in reached)
    return "draw" if over else "none"


def perft(position, rules, depth):
    """How many sequences of so many legal moves there are."""
    if depth == 0:
        return 1
    moves = legal_moves(position, rules)
    if depth == 1:
        return len(moves)
    return sum(perft(play(position, move), rules, depth - 1) for move, _ in moves)


# The engine ---------------------------------------------------------------------------------------


def say(*words):
    """Prints a line at once: one that waits in a buffer is one the manager does not see."""
    print(*words, flush=True)


# The words of `go` that end a search.
LIMITS = {"p1time", "p2time", "wtime", "btime", "movetime", "depth", "nodes"}


class Engine:
    def __init__(self):
        self.rules = read_rules("")
        self.seed = 0
        self.held = []
        self.new_game()

    def new_game(self):
        self.random = random.Random(self.seed)
        # Every position of the game; empty after a `position` that was refused.
        self.game = [read_position(START)]

    def read(self, line):
        """Does what a line asks for; False when it was the last one."""
        words = line.split()
        command, rest = (words or [""])[0], words[1:]
        if command in ("ugi", "uci"):
            self.introduce(command + "ok")
        elif command == "isready":
            say("readyok")
        elif command == "setoption":
            self.set_option(rest)
        elif command in ("uginewgame", "ucinewgame"):
            self.new_game()
        elif command == "position":
            self.set_position(rest)
        elif command == "go" and rest[:1] == ["perft"]:
            self.perft(rest[1:])
        elif command == "go":
            self.go(rest)
        elif command == "query":
            say("response", self.answer(rest))
        elif command in ("stop", "quit"):
            self.stop()
            return command != "quit"
        elif command:
            say("info string unknown command", command)
        return True

    def introduce(self, ok):
        say("id name position_bot")
        say("id author The Fanorona Arena developers")
        say("option name Seed type spin default 0 min 0 max 9223372036854775807")
        say("option name Rules type string default")
        say(ok)

    def set_option(self, words):
        option, _, value = " ".join(words).partition(" value")
        option, value = option.lower(), value.strip()
        try:
            if option == "name seed":
                self.seed = int(value)
                self.random = random.Random(self.seed)
            elif option == "name rules":
                self.rules = read_rules("" if value == "<empty>" else value)
            else:
                say("info string unknown option", option[5:], "is ignored")
        except ValueError as problem:
            say("info string option keeps its value:", problem)

    def set_position(self, words):
        # Whatever is wrong with the new one, the old one is gone.
        self.game = []
        start, _, moves = " ".join(words).partition(" moves")
        try:
            if start == "startpos":
                game = [read_position(START)]
            elif start.startswith("fen "):
                game = [read_position(start[4:])]
            else:
                raise ValueError("expected startpos or fen")
            for move in moves.split():
                game.append(play(game[-1], move))
            self.game = game
        except ValueError as problem:
            say("info string position refused:", problem)

    def go(self, words):
        limits = words[:words.index("searchmoves")] if "searchmoves" in words else words
        answer = self.choose(words[len(limits) + 1:])
        # The answer is there at once, but without a limit it has to wait for `stop`. Words that mean
        # nothing change nothing about `infinite`.
        endless = not limits or "infinite" in limits and not LIMITS.intersection(limits)
        if self.held or endless:
            self.held.append(answer)
        else:
            say("bestmove", answer)

    def choose(self, wanted):
        """The move that takes the most stones, one at random where several do."""
        if not self.game or over_by_stones(self.game[-1], self.rules):
            return "0000"
        moves = legal_moves(self.game[-1], self.rules)
        moves = [move for move in moves if move[0] in wanted] or moves
        most = max(gain for _, gain in moves)
        best = [move for move, gain in moves if gain == most]
        # The one method whose results are the same in every version of Python.
        return best[int(self.random.random() * len(best))]

    def stop(self):
        """Prints the answers that have been waiting."""
        for answer in self.held:
            say("bestmove", answer)
        self.held = []

    def perft(self, words):
        depth = int(words[0]) if len(words) == 1 and words[0].isdecimal() else None
        if not self.game or depth is None:
            say("nodes 0")
            return
        total = 1 if depth == 0 else 0
        for move, _ in legal_moves(self.game[-1], self.rules) if depth else []:
            below = perft(play(self.game[-1], move), self.rules, depth - 1)
            say("%s: %d" % (move, below))
            total += below
        say("nodes", total)

    def answer(self, words):
        query = " ".join(words)
        if not self.game:
            return "none"
        now = self.game[-1]
        if query == "fen":
            return write_position(now)
        if query == "p1turn":
            return "true" if now.mover == WHITE else "false"
        if query == "moves":
            return " ".join(move for move, _ in legal_moves(now, self.rules))
        if query == "gameover":
            return "false" if result(self.game, self.rules) == "none" else "true"
        if query == "result":
            return result(self.game, self.rules)
        return "unknown" if query == "value" else "none"


def main():
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")
    engine = Engine()
    for line in sys.stdin:
        if not engine.read(line):
            return
    engine.stop()


if __name__ == "__main__":
    main()
