"""Measures the positions per second of `probe_batch` with a warm cache.

    python bench/probe_batch.py --db data/db --pieces 8 --threads 2

Random rows of all tables of nine men's morris up to a number of men, in the proportion of their
sizes; the database is built if it is not there. The best of several runs counts.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from numpy.typing import NDArray

import endmill


def random_rows(
    random: np.random.Generator, tables: list[endmill.Table], rows: int
) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Disjoint random sets of points for the mover and the opponent."""
    sizes = np.array([table.positions for table in tables], dtype=float)
    chosen = random.choice(len(tables), size=rows, p=sizes / sizes.sum())
    men = np.array([[int(men) for men in table.name.split("v")] for table in tables])[chosen]
    mover = np.empty(rows, dtype=np.uint32)
    opponent = np.empty(rows, dtype=np.uint32)
    for start in range(0, rows, 100_000):
        part = slice(start, start + 100_000)
        own, other = men[part, :1], men[part, 1:]
        rank = random.random((len(own), 24)).argsort(axis=1)
        bits = np.uint32(1) << np.arange(24, dtype=np.uint32)
        mover[part] = np.where(rank < own, bits, 0).sum(axis=1)
        opponent[part] = np.where((rank >= own) & (rank < own + other), bits, 0).sum(axis=1)
    return mover, opponent


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures positions per second of probe_batch.")
    parser.add_argument("--db", help="the database; $ENDMILL_DB by default")
    parser.add_argument("--pieces", type=int, default=8)
    parser.add_argument("--rows", type=int, default=4_000_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()

    endmill.build("nine", asked.db, pieces=asked.pieces)
    with endmill.open_database(asked.db, "nine", cache_bytes=1 << 30) as db:
        tables = [t for t in db.tables() if sum(map(int, t.name.split("v"))) <= asked.pieces]
        mover, opponent = random_rows(np.random.default_rng(1), tables, asked.rows)
        for plies in (False, True):
            db.probe_batch(mover, opponent, plies=plies, threads=asked.threads)
            best = float("inf")
            for _ in range(asked.runs):
                start = time.perf_counter()
                db.probe_batch(mover, opponent, plies=plies, threads=asked.threads)
                best = min(best, time.perf_counter() - start)
            what = "outcomes and plies" if plies else "outcomes"
            rate = asked.rows / best / 1e6
            print(f"{what}: {rate:.2f} million a second, {asked.threads} threads")


if __name__ == "__main__":
    main()
