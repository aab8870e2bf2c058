"""Memory does not grow with the number of questions."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import numpy as np
import pytest

import endmill

HARD = "W:Wd1,b2,d2:Ba1,f2,a4,e4"
ABSENT = "W:Wa1,d1,b2,d2,f2:Ba4,b4,e4,f4"
# The allowance for partly empty arenas of the allocators, for any number of calls.
SLACK = 16 << 20


def resident() -> int:
    """The memory of this process in bytes."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def ask(database: endmill.Database, calls: int) -> None:
    """Asks all kinds of questions, mostly single probes."""
    own = np.full(5_000, 0b111, dtype=np.uint32)
    other = np.full(5_000, 0b1111000, dtype=np.uint32)
    for call in range(calls):
        database.probe(HARD)
        if call % 10 == 0:
            assert database.get(ABSENT) is None
        if call % 100 == 0:
            database.moves(HARD)
            database.game.turns(HARD)
        if call % 2_000 == 0:
            database.line(HARD)
            database.probe_batch(own, other)
            with pytest.raises(endmill.BadPositionError):
                database.probe_batch(own, own)
            with endmill.open_database(database.directory, "nine") as another:
                another.probe(HARD)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
def test_memory_does_not_grow_with_the_calls(nine, request, capsys):
    calls = request.config.getoption("--leak-calls")
    ask(nine, 20_000)
    before = resident()
    ask(nine, calls)
    after = resident()
    with capsys.disabled():
        print(f"\n{calls} calls: {before / 2**20:.1f} MiB before, {after / 2**20:.1f} MiB after")
    assert after - before < SLACK
