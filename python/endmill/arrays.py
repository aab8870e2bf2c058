"""Positions as numpy arrays: what goes into :meth:`Database.probe_batch`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def whole_numbers(name: str, values: ArrayLike, kind: type[Any]) -> NDArray[Any]:
    """The values as an array of this kind. Raises ValueError if a number does not fit."""
    given = np.asarray(values)
    if given.dtype != kind:
        if given.size and given.dtype.kind not in "iu":
            raise TypeError(f"{name} must be whole numbers, not {given.dtype}")
        most = np.iinfo(kind).max
        if given.size and (given.min() < 0 or given.max() > most):
            raise ValueError(f"{name} must be from 0 to {most}")
        given = given.astype(kind)
    return given


def column(name: str, values: ArrayLike, kind: type[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The values as an array of this kind and shape, where -1 stands for any length."""
    given = whole_numbers(name, values, kind)
    fits = len(given.shape) == len(shape) and all(
        wanted in (-1, found) for wanted, found in zip(shape, given.shape)
    )
    if not fits:
        expected = str(shape).replace("-1", "n")
        raise ValueError(f"{name} must have the shape {expected}, not {given.shape}")
    return given


def turn_round(squares: ArrayLike) -> NDArray[np.uint32]:
    """Sets of draughts squares seen from the other side: square s becomes 33 - s.

    :meth:`Database.probe_batch` sees the board as Black to move does. With White to move, turn all
    three sets round, which keeps the value::

        db.probe_batch(turn_round(white), turn_round(black), turn_round(kings))
    """
    sets = whole_numbers("squares", squares, np.uint32)
    for shift, mask in (
        (1, 0x55555555),
        (2, 0x33333333),
        (4, 0x0F0F0F0F),
        (8, 0x00FF00FF),
        (16, 0x0000FFFF),
    ):
        low, by = np.uint32(mask), np.uint32(shift)
        sets = ((sets >> by) & low) | ((sets & low) << by)
    return np.asarray(sets, dtype=np.uint32)
