"""The questions that build one tour, part of the prelude. build in construct.go is the same loop.

Nothing here is believed: the candidate shares this process and may rewrite it, and so may answer
questions that nobody asked. That gains it nothing. Go goes through the answers with its own loop,
which refuses the first that is no unvisited city, and measures the tour from its own coordinates.
A tour that passes could have been returned city by city by a program that builds it in the first
call, from the same matrix; and whatever else is in sight, the orders of neighbours, follows from
that matrix too.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np


def questions(
    matrix: np.ndarray, orders: np.ndarray
) -> Generator[tuple[int, int, np.ndarray, np.ndarray], int, None]:
    """Yield the arguments of each call, and end at an answer that is no unvisited city.

    Row i of orders has the cities other than i by their distance from it, int32.
    """
    rows = list(orders.astype(np.int64))
    cities = len(rows)
    unvisited = np.ones(cities, dtype=bool)
    unvisited[0] = False
    left = set(range(1, cities))
    current = 0
    while len(left) > 1:
        row = rows[current]
        current = yield current, 0, row[unvisited[row]], matrix
        if current not in left:
            return
        left.remove(current)
        unvisited[current] = False
