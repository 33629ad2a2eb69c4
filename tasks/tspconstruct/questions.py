"""The questions that build one tour, part of the prelude. build in construct.go is the same loop.

Go does not trust the answers: the candidate shares this process, may rewrite it, and may answer
without being asked. It gains nothing by that. Go checks the answers with its own loop, refuses the
first that is not an unvisited city, and measures the tour from its own coordinates. A program that
builds the tour in its first call, from the same matrix, could return any tour that passes city by
city. The other data here, the orders of neighbours, also follow from that matrix.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np


def questions(
    matrix: np.ndarray, orders: np.ndarray
) -> Generator[tuple[int, int, np.ndarray, np.ndarray], int, None]:
    """Yield the arguments of each call until an answer is not an unvisited city.

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
