"""The example works as documented."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

EXAMPLE = Path(__file__).parent.parent / "examples" / "hardest_win.py"


def run(directory: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLE), *arguments, "--db", str(directory)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_hardest_win_is_found_and_drawn(directory, nine, tmp_path):
    done = run(directory, "3v4", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    table = nine.table("3v4")
    assert f"{table.longest_win_position}: win in {table.longest_win}" in done.stdout
    picture = ElementTree.parse(tmp_path / "hardest-3v4.svg").getroot()
    classes = [each.get("class") for each in picture.iter()]
    assert classes.count("white man") == 3
    assert classes.count("black man") == 4


def test_a_missing_table_is_said_in_one_line(directory, tmp_path):
    done = run(directory, "5v4", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "table 5v4 is not in the database\n"
