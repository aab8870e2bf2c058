"""Small databases, built once with the package."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import endmill


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--leak-calls",
        type=int,
        default=200_000,
        help="how often the leak test asks; 10000000 takes a minute",
    )


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of three men's morris, nine men's up to 7 men, draughts up to 3 pieces."""
    directory = tmp_path_factory.mktemp("db")
    endmill.build("three", directory)
    endmill.build("nine", directory, pieces=7)
    endmill.build("draughts", directory, pieces=3)
    return directory


@pytest.fixture
def nine(directory: Path) -> Iterator[endmill.Database]:
    with endmill.open_database(directory, "nine") as database:
        yield database


@pytest.fixture
def three(directory: Path) -> Iterator[endmill.Database]:
    with endmill.open_database(directory, "three") as database:
        yield database


@pytest.fixture
def draughts(directory: Path) -> Iterator[endmill.Database]:
    with endmill.open_database(directory, "draughts") as database:
        yield database
