"""The commands of the README, the tutorial and the guide print what these pages show."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TUTORIAL = (ROOT / "docs" / "tutorials" / "python.md").read_text(encoding="utf-8")
GUIDE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def commands(text: str) -> str:
    """The commands of a text, without those of the shell."""
    blocks = re.findall(r"```(?:console|python)\n(.*?)```", text, re.DOTALL)
    lines = "\n".join(block for block in blocks if ">>>" in block).split("\n")
    return "\n".join(line for line in lines if not line.startswith(("$", ">>> exit()")))


def test_the_tutorial_and_the_guide_run_as_printed(tmp_path, monkeypatch):
    monkeypatch.delenv("ENDMILL_DB", raising=False)
    monkeypatch.chdir(tmp_path)
    examples = commands(TUTORIAL) + commands(GUIDE)
    guide = doctest.DocTestParser().get_doctest(examples, {}, "docs/python.md", None, 0)
    assert len(guide.examples) > 15
    failures: list[str] = []
    done = doctest.DocTestRunner(verbose=False).run(guide, out=failures.append)
    assert done.failed == 0, "".join(failures)
    picture = (tmp_path / "hardest.svg").read_text(encoding="utf-8")
    assert picture == (ROOT / "docs" / "hardest-5v4.svg").read_text(encoding="utf-8")

    example = ROOT / "python" / "examples" / "hardest_win.py"
    command = [sys.executable, str(example), "5v4"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1200)
    assert run.stdout.strip() in TUTORIAL

    # The README opens the default database: here the one that the tutorial built.
    block = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    promised = re.findall(r"print\(.*\) +# (.*)", block)
    run = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == promised
