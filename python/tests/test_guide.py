"""The commands of the guide docs/python.md print what it shows."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def sections(first: str, last: str) -> str:
    """The commands between two headings of the guide."""
    text = GUIDE[GUIDE.index(f"## {first}") : GUIDE.index(f"## {last}")]
    blocks = re.findall(r"```(?:console|python)\n(.*?)```", text, re.DOTALL)
    lines = "\n".join(block for block in blocks if ">>>" in block).split("\n")
    return "\n".join(line for line in lines if not line.startswith(("$", ">>> exit()")))


def test_the_first_ten_minutes_go_as_printed(tmp_path, monkeypatch):
    monkeypatch.delenv("ENDMILL_DB", raising=False)
    monkeypatch.chdir(tmp_path)
    commands = sections("Ten minutes", "Databases") + sections("Millions", "Building")
    guide = doctest.DocTestParser().get_doctest(commands, {}, "docs/python.md", None, 0)
    assert len(guide.examples) > 15
    told: list[str] = []
    done = doctest.DocTestRunner(verbose=False).run(guide, out=told.append)
    assert done.failed == 0, "".join(told)
    picture = (tmp_path / "hardest.svg").read_text(encoding="utf-8")
    assert picture == (ROOT / "docs" / "hardest-5v4.svg").read_text(encoding="utf-8")

    example = ROOT / "python" / "examples" / "hardest_win.py"
    command = [sys.executable, str(example), "5v4"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1200)
    assert run.stdout.strip() in GUIDE
