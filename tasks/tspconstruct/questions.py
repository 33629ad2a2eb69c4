"""Asks for a tour's cities in the candidate's process. build in construct.go is the same loop.

Go does not trust the answers. The candidate shares this process, can rewrite it, and can answer
without a question, but gains nothing: Go checks the answers with its own loop, refuses the first
answer that is not an unvisited city, and measures the tour from its own coordinates. An honest
program, too, can plan any valid tour in its first call and then return it city by city. The other
data here, the orders of neighbours, follow from the matrix of that call.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np


def questions(
    matrix: np.ndarray, orders: np.ndarray
) -> Generator[tuple[int, int, np.ndarray, np.ndarray], int, None]:
    """Yield the arguments of each call until an answer is not an unvisited city.

    Row i of orders (int32) has the cities other than i by their distance from i.
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
