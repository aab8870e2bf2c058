"""Building: progress, stopping and resuming."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import endmill


def contents(directory: Path) -> dict[str, str]:
    """The checksum of every table file."""
    files = sorted(directory.glob("*/*.wld")) + sorted(directory.glob("*/*.dtw"))
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def test_progress_tells_every_table_and_ends_with_all_positions(tmp_path):
    heard: list[endmill.Progress] = []
    built = endmill.build("nine", tmp_path, pieces=6, progress=heard.append)
    assert built == endmill.Built("nine", str(tmp_path), tables=1, positions=heard[-1].total)
    assert [each.name for each in heard if each.event == "stored"] == ["3v3"]
    assert heard[-1].done == heard[-1].total > 0
    again: list[endmill.Progress] = []
    endmill.build("nine", tmp_path, pieces=6, progress=again.append)
    assert [each.event for each in again] == ["skipped"]


def test_an_exception_of_the_callback_stops_and_the_same_call_goes_on(tmp_path):
    class Enough(Exception):
        pass

    def stop(progress: endmill.Progress) -> None:
        if progress.event == "stored":
            raise Enough

    halves, whole = tmp_path / "halves", tmp_path / "whole"
    with pytest.raises(Enough):
        endmill.build("nine", halves, pieces=7, progress=stop)
    assert 0 < len(contents(halves)) < 6
    heard: list[endmill.Progress] = []
    endmill.build("nine", halves, pieces=7, progress=heard.append)
    assert heard[0].event == "skipped"
    endmill.build("nine", whole, tables="4v3", threads=1)
    assert contents(halves) == contents(whole)
    assert len(contents(whole)) == 6


# A shell that runs the tests in the background may ignore Ctrl-C; the program must not.
INTERRUPTED = """
import signal, sys, endmill
signal.signal(signal.SIGINT, signal.default_int_handler)
def hear(progress):
    print(progress.event, flush=True)
try:
    endmill.build("nine", sys.argv[1], pieces=9, progress=hear)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on Unix")
def test_ctrl_c_stops_a_build(tmp_path):
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "group\n"
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=1200)[0].splitlines()
        assert process.returncode == 0
    assert said[-1] == "interrupted"
    assert len(contents(tmp_path)) < 2 * 9


def test_outcomes_can_be_had_without_plies(tmp_path):
    endmill.build("nine", tmp_path, tables=["3v3"], plies=False)
    assert list(contents(tmp_path)) == ["3v3.wld"]
    with endmill.open_database(tmp_path, "nine") as database:
        # It closes a mill and leaves two men.
        verdict = database.probe("W:Wa1,d1,g4:Bb2,b4,d6")
        assert verdict == endmill.Verdict("win", plies=None)
        with pytest.raises(endmill.MissingPliesError) as caught:
            database.sample("3v3", plies=3)
        assert caught.value.table == "3v3"


def test_the_environment_names_the_directory(tmp_path, monkeypatch):
    monkeypatch.setenv("ENDMILL_DB", str(tmp_path / "mine"))
    built = endmill.build("nine", pieces=6)
    assert built.directory == str(tmp_path / "mine")
    assert (tmp_path / "mine" / "nine" / "3v3.wld").is_file()


def test_without_a_name_the_directory_is_here_or_the_users(tmp_path, monkeypatch):
    monkeypatch.delenv("ENDMILL_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.chdir(tmp_path)
    built = endmill.build("nine", pieces=6)
    assert built.directory == str(tmp_path / "share" / "endmill" / "db")
    (tmp_path / "data" / "db").mkdir(parents=True)
    assert endmill.build("nine", pieces=6).directory == "data/db"


def test_a_choice_that_cannot_be_meant_is_refused(tmp_path):
    with pytest.raises(endmill.UnknownRulesetError):
        endmill.build("ten", tmp_path)
    with pytest.raises(endmill.BadTableError, match="character"):
        endmill.build("nine", tmp_path, tables="5x4")
    with pytest.raises(endmill.BadTableError, match="the smallest tables have"):
        endmill.build("nine", tmp_path, pieces=1)
    with pytest.raises(endmill.BadTableError, match="nine has no more than 18 pieces: 99 are"):
        endmill.build("nine", tmp_path, pieces=99)
    with pytest.raises(endmill.BadTableError, match="three has no more than 6 pieces: 7 are"):
        endmill.build("three", tmp_path, men=7)
    with pytest.raises(endmill.BadTableError, match="choose by a number of pieces"):
        endmill.build("draughts", tmp_path)
    with pytest.raises(ValueError, match="pieces must be a whole number from 0 to .*, not -1"):
        endmill.build("nine", tmp_path, pieces=-1)
    with pytest.raises(ValueError, match="memory must be a whole number"):
        endmill.build("nine", tmp_path, pieces=6, memory=1 << 64)
    with pytest.raises(endmill.BadTableError, match="tables is empty"):
        endmill.build("nine", tmp_path, tables=[])
    with pytest.raises(TypeError, match="one of pieces, men and tables"):
        endmill.build("nine", tmp_path, pieces=6, tables="3v3")
    assert not list(tmp_path.iterdir())


def test_without_threads_a_build_is_refused(tmp_path):
    # No thread can be started with a stack of this size.
    program = f"import endmill; endmill.build('three', {str(tmp_path)!r}, pieces=6)"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "RUST_MIN_STACK": str(1 << 50)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 1
    assert "RuntimeError: cannot start a thread: " in run.stderr
    assert "panicked" not in run.stderr


def test_a_directory_that_cannot_be_made_is_an_os_error(tmp_path):
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(OSError) as caught:
        endmill.build("nine", tmp_path / "file", pieces=6)
    assert isinstance(caught.value, endmill.DatabaseIOError)
