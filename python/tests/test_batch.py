"""Batches agree with single probes of the same positions as texts."""

from __future__ import annotations

import re
import signal
import threading
import time

import numpy as np
import pytest

import endmill

# The points in reading order, from docs/rules.md.
POINTS = "a1 d1 g1 b2 d2 f2 c3 d3 e3 a4 b4 c4 e4 f4 g4 c5 d5 e5 b6 d6 f6 a7 d7 g7".split()
OUTCOMES = {"win": 1, "draw": 0, "loss": -1}


def random_sets(random: np.random.Generator, rows: int, mover: int, opponent: int):
    """Disjoint random sets of the given number of points."""
    places = random.random((rows, 24)).argsort(axis=1).astype(np.uint32)
    bits = np.uint32(1) << places
    return (
        bits[:, :mover].sum(axis=1, dtype=np.uint32),
        bits[:, mover : mover + opponent].sum(axis=1, dtype=np.uint32),
    )


def names(points: int) -> str:
    return ",".join(name for bit, name in enumerate(POINTS) if points >> bit & 1)


def numbers(verdict: endmill.Verdict) -> tuple[int, int]:
    return OUTCOMES[verdict.outcome], -1 if verdict.plies is None else verdict.plies


def test_a_million_positions_equal_the_single_probes(nine):
    random = np.random.default_rng(17)
    compared = 0
    for mover, opponent in ((3, 3), (3, 4), (4, 3)):
        for _ in range(4):
            rows = 84_000
            own, other = random_sets(random, rows, mover, opponent)
            outcomes, plies = nine.probe_batch(own, other)
            assert (outcomes.dtype, plies.dtype) == (np.int8, np.int16)
            single = [
                numbers(nine.probe(f"W:W{names(a)}:B{names(b)}"))
                for a, b in zip(own.tolist(), other.tolist())
            ]
            assert list(zip(outcomes.tolist(), plies.tolist())) == single
            compared += rows
    assert compared >= 1_000_000


def test_outcomes_alone_are_the_same(nine):
    random = np.random.default_rng(1)
    drawn = [random_sets(random, 10_000, *men) for men in ((3, 3), (3, 4), (4, 3))]
    own, other = (np.concatenate(sets) for sets in zip(*drawn))
    outcomes, plies = nine.probe_batch(own, other)
    alone, nothing = nine.probe_batch(own, other, plies=False)
    assert nothing is None
    assert (alone == outcomes).all()
    assert set(outcomes.tolist()) == {-1, 0, 1}
    assert (plies[outcomes == 0] == -1).all()
    assert (plies[outcomes == 1] % 2 == 1).all()
    assert (plies[outcomes == -1] % 2 == 0).all()


def test_missing_tables_are_minus_two(nine):
    own, other = random_sets(np.random.default_rng(2), 1_000, 5, 5)
    outcomes, plies = nine.probe_batch(own, other)
    assert set(outcomes.tolist()) == {-2}
    assert set(plies.tolist()) == {-1}


def test_men_in_hand_are_the_third_array(three):
    sampled = [each for table in three.tables() for each in three.sample(table.name, n=50, seed=5)]
    rows = [three.game.row(each.position) for each in sampled]
    outcomes, plies = three.probe_batch(
        [row.mover for row in rows],
        [row.opponent for row in rows],
        np.array([row.hands for row in rows], dtype=np.uint8),
    )
    assert any(row.hands != (0, 0) for row in rows)
    assert list(zip(outcomes, plies)) == [numbers(each.verdict) for each in sampled]


def test_the_empty_board_is_a_row(three):
    outcomes, plies = three.probe_batch([0], [0], [[3, 3]])
    assert (int(outcomes[0]), int(plies[0])) == numbers(three.probe("start"))


def squares(text: str, side: str) -> tuple[int, int]:
    """The pieces and the kings of a side in a PDN position, bit i = square i + 1."""
    part = re.search(rf":{side}([K0-9,]*)", text)
    pieces = part.group(1).split(",") if part and part.group(1) else []
    bits = [1 << int(piece.lstrip("K")) - 1 for piece in pieces]
    kings = [bit for bit, piece in zip(bits, pieces) if piece.startswith("K")]
    return sum(bits), sum(kings)


def test_draughts_has_kings_and_sees_the_board_as_black(draughts):
    sampled = [
        each for table in draughts.tables() for each in draughts.sample(table.name, n=200, seed=7)
    ]
    assert all(each.position.startswith("B:") for each in sampled)
    black = [squares(each.position, "B") for each in sampled]
    white = [squares(each.position, "W") for each in sampled]
    mover = np.array([pieces for pieces, _ in black], dtype=np.uint32)
    opponent = np.array([pieces for pieces, _ in white], dtype=np.uint32)
    kings = np.array([a | b for (_, a), (_, b) in zip(black, white)], dtype=np.uint32)
    expected = [numbers(each.verdict) for each in sampled]
    outcomes, plies = draughts.probe_batch(mover, opponent, kings)
    assert list(zip(outcomes, plies)) == expected
    assert len(set(expected)) > 3

    # The same positions with White to move, seen from the other side of the board.
    whites, blacks, crowned = (endmill.turn_round(each) for each in (mover, opponent, kings))
    for row in range(0, len(sampled), 97):
        text = white_to_move(int(whites[row]), int(blacks[row]), int(crowned[row]))
        assert numbers(draughts.probe(text)) == expected[row]
        again = draughts.game.row(text)
        assert (again.mover, again.opponent, again.kings) == (
            mover[row],
            opponent[row],
            kings[row],
        )


def white_to_move(white: int, black: int, kings: int) -> str:
    def pieces(places: int) -> str:
        return ",".join(
            ("K" if kings >> bit & 1 else "") + str(bit + 1)
            for bit in range(32)
            if places >> bit & 1
        )

    return f"W:W{pieces(white)}:B{pieces(black)}"


def test_turning_the_board_round_twice_changes_nothing():
    assert endmill.turn_round(1) == 1 << 31
    sets = np.random.default_rng(3).integers(0, 1 << 32, 1_000, dtype=np.uint32)
    assert (endmill.turn_round(endmill.turn_round(sets)) == sets).all()


def test_what_is_no_set_of_squares_is_not_turned_round():
    for bad in (np.array([1 << 33]), [-1]):
        with pytest.raises(ValueError, match="squares must be from 0 to 4294967295"):
            endmill.turn_round(bad)
    with pytest.raises(TypeError, match="squares must be whole numbers"):
        endmill.turn_round([1.5])


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_first_illegal_row_is_named(nine, threads):
    own, other = random_sets(np.random.default_rng(4), 50_000, 3, 4)
    for row in (49_999, 31_000, 12_345):
        other[row] = own[row]
        with pytest.raises(endmill.BadPositionError, match=f"row {row}: ") as caught:
            nine.probe_batch(own, other, threads=threads)
        assert caught.value.index == row


def test_rows_that_no_game_has_are_refused(nine, draughts):
    legal, against = 0b111, 0b111000
    for columns in (
        {"mover": [1 << 24 | 0b11]},
        {"opponent": [0b11000]},
        {"hands": [[200, 0]]},
        {"kings": [1]},
        {"quiet": [9]},
    ):
        rows = {"mover": [legal], "opponent": [against], **columns}
        with pytest.raises(endmill.BadPositionError) as caught:
            nine.probe_batch(rows.pop("mover"), rows.pop("opponent"), **rows)
        assert caught.value.index == 0
    with pytest.raises(endmill.BadPositionError, match="a king on bit 9, but no piece"):
        draughts.probe_batch([1], [2], [1 << 9])


def test_arrays_that_do_not_fit_are_refused(nine):
    with pytest.raises(TypeError, match="mover must be whole numbers"):
        nine.probe_batch([7.5], [56])
    with pytest.raises(ValueError, match="mover must be from 0 to 4294967295"):
        nine.probe_batch([-1], [56])
    with pytest.raises(ValueError, match="opponent must have the shape"):
        nine.probe_batch([7, 7], [56])
    with pytest.raises(ValueError, match="hands must have the shape"):
        nine.probe_batch([7], [56], [0, 0])
    outcomes, plies = nine.probe_batch([], [])
    assert len(outcomes) == len(plies) == 0


def test_strided_arrays_and_other_integers_are_read(nine):
    own, other = random_sets(np.random.default_rng(5), 1_000, 3, 3)
    expected, _ = nine.probe_batch(own, other)
    both = np.stack([own, other], axis=1)
    strided, _ = nine.probe_batch(both[:, 0], both[:, 1])
    wide, _ = nine.probe_batch(own.astype(np.int64), other.tolist())
    assert (strided == expected).all()
    assert (wide == expected).all()


def test_eight_threads_at_once_agree(nine):
    own, other = random_sets(np.random.default_rng(6), 50_000, 4, 3)
    expected = nine.probe_batch(own, other)
    found: list = [None] * 8

    def ask(number: int) -> None:
        found[number] = nine.probe_batch(own, other)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for outcomes, plies in found:
        assert (outcomes == expected[0]).all()
        assert (plies == expected[1]).all()


def test_other_threads_run_during_a_batch(nine):
    own, other = random_sets(np.random.default_rng(8), 200_000, 3, 4)
    own, other = np.tile(own, 10), np.tile(other, 10)

    def steps_beside_it() -> int:
        asked: list[float] = []

        def ask() -> None:
            asked.append(time.monotonic())
            nine.probe_batch(own, other, threads=1)
            asked.append(time.monotonic())

        worker = threading.Thread(target=ask)
        worker.start()
        steps = []
        while worker.is_alive():
            steps.append(time.monotonic())
            time.sleep(0.001)
        return sum(asked[0] < step < asked[1] for step in steps)

    # On a busy machine one batch may end before this thread runs, but not a hundred of them.
    assert any(steps_beside_it() > 10 for _ in range(100))


def test_a_signal_stops_a_long_batch(nine):
    own, other = random_sets(np.random.default_rng(9), 200_000, 3, 4)
    own, other = np.tile(own, 100), np.tile(other, 100)

    class Alarm(Exception):
        pass

    def ring(*_: object) -> None:
        raise Alarm

    # Measured in CPU time, since the machine may be busy.
    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        with pytest.raises(Alarm):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.3)
            nine.probe_batch(own, other, threads=1)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    assert nine.probe_batch(own[:1], other[:1])[0].shape == (1,)
