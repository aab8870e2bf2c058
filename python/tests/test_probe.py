"""Questions about one position."""

from __future__ import annotations

import doctest
import pickle
import shutil
import threading
from pathlib import Path

import pytest

import endmill

# From the README: one move wins, in 33 plies.
HARD = "W:Wd1,b2,d2:Ba1,f2,a4,e4"
# Five men against four: beyond the tables with up to 7 men.
ABSENT = "W:Wa1,d1,b2,d2,f2:Ba4,b4,e4,f4"


def test_a_probe_gives_outcome_and_plies(nine):
    assert nine.probe(HARD) == endmill.Verdict(outcome="win", plies=33)
    assert repr(nine.probe(HARD)) == "Verdict(outcome='win', plies=33)"
    assert str(nine.probe(HARD)) == "win in 33"


def test_a_missing_table_is_a_key_error_with_its_name(nine):
    with pytest.raises(KeyError) as caught:
        nine.probe(ABSENT)
    assert isinstance(caught.value, endmill.MissingTableError)
    assert caught.value.table == "5v4"
    assert str(caught.value) == "table 5v4 is not in the database"


def test_get_has_a_default_for_missing_tables_only(nine):
    assert nine.get(ABSENT) is None
    assert nine.get(ABSENT, default="nothing") == "nothing"
    assert nine.get(HARD) == nine.probe(HARD)
    with pytest.raises(endmill.BadPositionError):
        nine.get("nonsense", default=None)


def test_a_bad_position_is_a_value_error_with_the_place(nine):
    with pytest.raises(ValueError) as caught:
        nine.probe("W:Wa2,d1,g7:Bb2,b4,d6")
    assert isinstance(caught.value, endmill.BadPositionError)
    assert (caught.value.at, caught.value.index) == (3, None)
    assert "a2 is not a point" in str(caught.value)


def test_moves_come_best_first_in_the_movers_view(nine):
    moves = nine.moves(HARD)
    assert [move.turn for move in moves if move.outcome == "win"] == ["b2-a7"]
    assert moves[0].plies == 33
    order = {"win": 0, "draw": 1, "loss": 2}
    assert [order[move.outcome] for move in moves] == sorted(order[move.outcome] for move in moves)
    assert sorted(move.turn for move in moves) == sorted(nine.game.turns(HARD))
    opposite = {"win": "loss", "draw": "draw", "loss": "win"}
    for move in moves:
        after = nine.probe(move.position)
        assert after.outcome == opposite[move.outcome]
        assert after.plies is None or after.plies == move.plies - 1


def test_a_line_plays_to_the_end_in_as_many_plies(nine):
    line = nine.line(HARD)
    assert len(line) == line.verdict.plies == 33
    assert line.end == "finished"
    position = HARD
    for turn, after in zip(line, line.positions):
        position = nine.game.play(position, turn)
        assert position == after
    assert nine.game.is_over(position)
    assert nine.game.state(position).winner == "white"
    assert [verdict.plies for verdict in line.verdicts] == list(range(33, 0, -1))


def test_samples_fit_and_depend_on_the_seed_only(nine):
    drawn = nine.sample("3v4", outcome="win", plies=33, n=10, seed=1)
    assert len(drawn) == 10
    assert all(each.verdict == endmill.Verdict("win", 33) for each in drawn)
    assert all(nine.probe(each.position) == each.verdict for each in drawn)
    assert drawn == nine.sample("3v4", outcome="win", plies=33, n=10, seed=1)
    assert drawn != nine.sample("3v4", outcome="win", plies=33, n=10, seed=2)
    with pytest.raises(ValueError, match='"victory" is not an outcome'):
        nine.sample("3v4", outcome="victory")
    with pytest.raises(endmill.BadTableError):
        nine.sample("3x4")


def test_counts_of_tables_add_up(nine):
    listed = nine.tables()
    assert {table.name for table in listed} == {"3v3", "3v4", "4v3"}
    table = nine.table("3v4")
    assert table.win + table.draw + table.loss == table.positions
    assert table.plies is not None
    assert sum(table.plies.values()) == table.win + table.loss
    assert max(ply for ply in table.plies if ply % 2) == table.longest_win
    assert table.longest_win_position is not None
    assert nine.probe(table.longest_win_position).plies == table.longest_win
    assert nine.coverage().complete_to == 7
    with pytest.raises(endmill.MissingTableError):
        nine.table("5v4")


def test_a_closed_database_answers_no_more(directory):
    with endmill.open_database(directory, "nine") as database:
        assert not database.closed
        game = database.game
    assert database.closed
    with pytest.raises(ValueError, match="closed"):
        database.probe(HARD)
    with pytest.raises(ValueError, match="closed"):
        with database:
            pass
    database.close()
    assert len(game.turns(game.start)) == 24


def test_the_environment_names_the_default_database(directory, monkeypatch):
    monkeypatch.setenv("ENDMILL_DB", str(directory))
    with endmill.open_database(ruleset="nine") as database:
        assert database.directory == directory
        assert database.probe(HARD).plies == 33


def test_what_cannot_be_opened_says_why(directory, tmp_path):
    for place in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(endmill.NoTablesError, match="has no tables of nine") as refused:
            endmill.open_database(place, "nine")
        assert isinstance(refused.value, FileNotFoundError)
        assert (refused.value.code, refused.value.file) == ("no_tables", place)
    with pytest.raises(endmill.UnknownRulesetError, match="unknown ruleset"):
        endmill.open_database(directory, "ten")


@pytest.mark.parametrize("kind", [".wld", ".dtw"])
def test_a_damaged_file_is_named_and_gives_no_value(directory, tmp_path, kind):
    copy = tmp_path / "db"
    shutil.copytree(directory, copy)
    file: Path = copy / "nine" / f"3v4{kind}"
    content = bytearray(file.read_bytes())
    content[20] ^= 1
    file.write_bytes(content)
    with endmill.open_database(copy, "nine") as database:
        with pytest.raises(endmill.DamagedFileError) as caught:
            database.probe(HARD)
    assert caught.value.file == file
    assert caught.value.code == "file_damaged"


def test_eight_threads_at_once_agree(nine):
    positions = [each.position for each in nine.sample("3v4", n=2_000, seed=3)]
    alone = [nine.probe(position) for position in positions]
    answers: list[list[endmill.Verdict]] = [[] for _ in range(8)]

    def ask(number: int) -> None:
        answers[number] = [nine.probe(position) for position in positions]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(answer == alone for answer in answers)


def test_what_the_docstrings_show_is_so(nine):
    for module in (endmill.database, endmill.game):
        shown = doctest.testmod(module, extraglobs={"db": nine})
        assert shown.attempted > 0
        assert shown.failed == 0


def test_answers_and_errors_survive_pickling(nine):
    for answer in (nine.probe(HARD), nine.moves(HARD)[0], nine.line(HARD), nine.table("3v4")):
        assert pickle.loads(pickle.dumps(answer)) == answer
    assert pickle.loads(pickle.dumps(nine.moves(HARD)[0])).position == nine.moves(HARD)[0].position
    for question in (ABSENT, "nonsense"):
        with pytest.raises(endmill.EndmillError) as caught:
            nine.probe(question)
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is type(caught.value)
        assert vars(again) == vars(caught.value)


def test_a_draw_without_a_stored_rank_has_none(nine):
    draw = next(each.position for each in nine.sample("3v4", outcome="draw"))
    assert nine.draw_rank(draw) is None
    assert nine.draw_rank(HARD) is None
    assert all(move.draw_rank is None for move in nine.moves(draw))
