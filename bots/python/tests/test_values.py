"""Moves, rules, boards, positions, games and sessions as values."""

import pickle
import xml.etree.ElementTree as ET

import pytest

import fanorona
from fanorona import BLACK, WHITE, Board, Game, IllegalMoveError, Move, Position, Rules, Session, Side

START = "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1"


def test_sides():
    assert ~WHITE == BLACK == WHITE.other == Side.from_letter("b")
    assert (str(WHITE), repr(BLACK), BLACK.letter) == ("white", "Side.BLACK", "b")
    with pytest.raises(ValueError, match="expected w or b"):
        Side.from_letter("x")


def test_a_move_has_points_and_steps():
    move = Move("e2e3Ad4W")
    assert (move.from_point, move.to_point, move.points) == ("e2", "d4", ["e2", "e3", "d4"])
    assert [(step.direction, step.capture) for step in move.steps] == [("N", "A"), ("NW", "W")]
    assert (len(move), move.is_capture, str(move), repr(move)) == (2, True, "e2e3Ad4W", "Move('e2e3Ad4W')")
    assert (Move("a1b1").is_capture, Move("a1b1").steps[0].capture) == (False, None)
    assert len({Move("a1b1"), Move("a1b1"), move}) == 2
    with pytest.raises(ValueError, match="not next to each other"):
        Move("a1c1")


def test_rules_are_read_and_written_as_words():
    rules = Rules("forced-continuation", quiet=60)
    assert str(rules) == "forced-continuation quiet=60" and rules == Rules(str(rules))
    assert (rules.forced_continuation, rules.quiet, rules.repetition) == (True, 60, 3)
    assert str(Rules(rules, forced_continuation=False, vela_starter="creditor")) == "vela-starter=creditor quiet=60"
    assert Rules() == Rules("") and str(Rules()) == ""
    with pytest.raises(ValueError, match="unknown rule `fast`"):
        Rules("fast")
    with pytest.raises(ValueError, match="paika"):
        Rules(vela_starved="never")


def test_a_position_is_read_and_written():
    assert Position().fen == START
    assert Position("bbb/b1W/WWW b").fen == "bbb/b1W/WWW b - 0 1"
    assert Position(START) == Position() and hash(Position(START)) == hash(Position())
    # Counters do not belong to a position's identity, rules do.
    assert Position("b4/5/5/5/4W w - 7 9") == Position("b4/5/5/5/4W w")
    assert Position(rules="quiet=5") != Position()
    assert Position(Position(rules="quiet=5")).rules.quiet == 5
    with pytest.raises(ValueError, match="first row has 3"):
        Position("bbb/bb/WWW w")


def test_starts_on_every_board():
    sizes = ["9x5", "5x5", "3x3", "3x5", "5x3", "3x7", "7x3", "5x7", "7x5", "3x9", "9x3", "5x9"]
    for size in sizes:
        position = Position.riatra(size)
        assert position.board.size == size
        assert position.legal_moves and position.debtor is None
        assert Position.vela(size).debtor == WHITE
        assert Position.vela(size, rules="vela-starter=creditor").debtor == BLACK
        assert len(position.images()) == (8 if size in ("5x5", "3x3") else 4)
        assert {image.canonical() for image in position.images()} == {position.canonical()}
    assert Position.riatra("left-right").board.at("a5") == WHITE
    assert Position.riatra("telo") == Position.riatra("3x3")
    with pytest.raises(ValueError, match="is not a board"):
        Position.riatra("8x8")


def test_playing_returns_another_position():
    position = Position()
    after = position.play("e2e3A")
    assert position.fen == START and after.turn == BLACK
    assert after.fen == "bbbb1bbbb/bbbb1bbbb/bWbWWbWbW/WWWW1WWWW/WWWWWWWWW b - 0 1"
    assert (after.balance, position.balance) == (-2, 0)
    assert position.captures("e2e3A") == [["e4", "e5"]]
    assert position.has_capture and not Position("b4/5/5/5/4W w").has_capture
    with pytest.raises(IllegalMoveError, match="a capture is possible"):
        position.play("e2e3")
    assert issubclass(IllegalMoveError, ValueError)


def test_switches_change_the_moves():
    fen = Position().play("e2e3A").fen
    both = [str(move) for move in Position(fen).legal_moves]
    assert sorted(both) == ["f4e5W", "f4e5We4A"]
    forced = Position(fen, rules="forced-continuation").legal_moves
    assert [str(move) for move in forced] == ["f4e5We4A"]
    single = Position(fen, rules="single-first-capture").legal_moves
    assert [str(move) for move in single] == ["f4e5W"]


def test_boards_are_drawn():
    board = Position.riatra("telo").board
    assert str(board) == "3 b-b-b\n  |\\|/|\n2 b-.-W\n  |/|\\|\n1 W-W-W\n  a b c"
    drawn = "3 ●───●───●\n  │ ╲ │ ╱ │\n2 ●───┼───○\n  │ ╱ │ ╲ │\n1 ○───○───○\n  a   b   c"
    assert board.unicode() == Position.riatra("telo").unicode() == drawn
    assert board == Board("bbb/b1W/WWW") and board.placement == "bbb/b1W/WWW"
    assert (board.columns, board.rows, board.points[:4]) == (3, 3, ["a1", "b1", "c1", "a2"])
    assert (board.stones(WHITE), board.count(BLACK)) == (["a1", "b1", "c1", "c2"], 4)
    assert (board.bits(WHITE), board.at("b2"), board.mobility(WHITE)) == (0b100111, None, 4)


def test_pictures_are_svg_with_a_stone_for_every_stone():
    name = "{http://www.w3.org/2000/svg}"
    for size in ("9x5", "3x9"):
        picture = ET.fromstring(Position.riatra(size)._repr_svg_())
        board = Position.riatra(size).board
        assert len(picture.findall(f"{name}circle")) == board.count(WHITE) + board.count(BLACK)
    picture = ET.fromstring(Position().svg("d3e3A", width=900))
    assert picture.attrib["width"] == "900"
    assert len(picture.findall(f"{name}polyline")) == 1
    assert sum("opacity" in circle.attrib for circle in picture.findall(f"{name}circle")) == 1
    assert "polyline" in Game(moves="e2e3A")._repr_svg_()
    with pytest.raises(IllegalMoveError):
        Position().svg("e2e3")


def test_a_game_never_changes():
    game = Game()
    after = game.play("e2e3A").play(Move("f4e5We4A"))
    assert (len(game), len(after), after.turn) == (0, 2, WHITE)
    assert after.back() == game.play("e2e3A") and after.back(2) == game
    assert after == Game(moves="e2e3A f4e5We4A") == Game(START, [Move("e2e3A"), "f4e5We4A"])
    assert hash(after) == hash(Game(moves="e2e3A f4e5We4A"))
    assert after.opening == "Vakiloha" and game.opening is None
    assert after.command == "position startpos moves e2e3A f4e5We4A"
    assert Game("b4/5/5/5/4W w").command == "position fen b4/5/5/5/4W w - 0 1"
    assert [position.turn for position in after.positions] == [WHITE, BLACK, WHITE]
    with pytest.raises(IndexError):
        game.back()
    with pytest.raises(IllegalMoveError):
        Game(moves="e2e3A a1a2")


def test_repetition_and_limits_need_the_history():
    moves = "e1d1 a5a4 d1e1 a4a5 e1d1 a5a4 d1e1 a4a5"
    game = Game("b4/5/5/5/4W w", moves)
    assert (game.occurrences, game.is_over) == (3, True)
    assert (game.outcome().reason, game.outcome().result, game.outcome().winner) == ("repetition", "1/2-1/2", None)
    assert game.back().outcome() is None and game.position.outcome() is None
    assert Game("b4/5/5/5/4W w", moves, rules="repetition=0").outcome() is None
    assert Game("b4/5/5/5/4W w - 99 1", "e1d1").outcome().reason == "quiet"
    assert Game("b4/5/5/5/4W w", "e1d1", rules="max-plies=1").outcome().reason == "max-plies"


def test_an_outcome_has_a_winner_and_scores():
    outcome = Position("3/3/1W1 b").outcome()
    assert (outcome.winner, outcome.reason, outcome.result) == (WHITE, "no-stones", "1-0")
    assert (outcome.score(WHITE), outcome.score(BLACK)) == (1, -1)


def test_a_starved_debtor_wins_or_not():
    moves = "e2e3A e5e4 e3e2W f4e3"
    game = Game(Position.vela(), moves)
    assert game.position.is_phase_one and game.position.debtor == WHITE
    assert (game.outcome().reason, game.outcome().winner) == ("vela-starved", WHITE)
    loses = Game(Position.vela(rules="vela-starved=debtor-loses"), moves)
    assert loses.outcome().winner == BLACK
    paika = Game(Position.vela(rules="vela-starved=paika"), moves)
    assert paika.outcome() is None and not paika.legal_moves[0].is_capture


def test_a_session_of_riatra_and_velas():
    session = Session()
    game = session.next_game
    assert (game.kind, game.white, game.black, game.debtor) == ("riatra", "first", "second", None)
    won = Position("3/3/1W1 b").outcome()
    session = session.record(won)
    game = session.next_game
    assert (game.kind, game.debtor, game.white) == ("vela", "second", "second")
    assert game.position == Position.vela()
    assert session.score == (1.0, 0.0)
    session = session.record(won)  # The debtor has White and wins: the debt is paid.
    assert (session.next_game.kind, session.next_game.white, session.velas) == ("riatra", "second", 1)
    session = session.record_winner("first")
    assert (session.is_over, session.winner, session.next_game) == (True, "first", None)
    with pytest.raises(ValueError, match="over"):
        session.record(won)
    licked = Session(vela_attempts=1).record_winner("second").record_winner(None)
    assert (licked.is_over, licked.winner) == (True, "second")


def test_values_survive_pickling():
    position = Position("b4/5/5/5/4W w - 7 9", rules="quiet=50")
    game = Game(position, "e1d1")
    for value in (WHITE, Move("e2e3A"), Rules("quiet=5"), Position().board, position, game):
        copy = pickle.loads(pickle.dumps(value))
        assert copy == value and repr(copy) == repr(value)
    assert pickle.loads(pickle.dumps(position)).quiet_plies == 7


def test_representations_can_be_evaluated():
    names = vars(fanorona)
    for value in (Move("a1b1"), Rules("quiet=5"), Position(rules="quiet=5"), Game(moves="e2e3A"), Position().board):
        assert eval(repr(value), dict(names)) == value
