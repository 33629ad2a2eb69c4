"""2-opt and Or-opt, for the text of a reference program that plans its tours to stand before."""

import numpy as np

constructed = plan  # noqa: F821


def plan(distance):
    """Improve a tour by the best 2-opt move, else by the best Or-opt move, while one helps."""
    tour = constructed(distance)
    while True:
        ways = distance[np.ix_(tour, tour)]  # by positions in the tour
        better = two_opt(tour, ways)
        if better is None:
            better = or_opt(tour, ways)
        if better is None:
            return tour
        tour = better


def two_opt(tour, ways):
    """Reverse the part of the tour that saves most; None where none saves anything."""
    edge = np.roll(ways, -1, axis=1).diagonal()  # from a position to the next
    change = ways + np.roll(ways, (-1, -1), axis=(0, 1)) - edge - edge[:, None]
    np.fill_diagonal(change, 0)
    i, j = sorted(np.unravel_index(change.argmin(), change.shape))
    if change[i, j] >= -1e-12:
        return None
    return np.concatenate([tour[: i + 1], tour[i + 1 : j + 1][::-1], tour[j + 1 :]])


def or_opt(tour, ways):
    """Move one to three cities in a row to where it saves most; None where nothing does."""
    n = len(tour)
    at = np.arange(n)
    onwards = np.roll(ways, -1, axis=1)
    onwards = onwards - onwards.diagonal()  # to the end of an edge, less that edge
    best, move = -1e-12, None
    for size in (1, 2, 3):
        first, last = at, (at + size - 1) % n
        before, behind = (at - 1) % n, (at + size) % n
        saved = ways[before, first] + ways[last, behind] - ways[before, behind]
        for way in (1, -1):
            change = ways[first] + onwards[last] - saved[:, None]
            for k in range(-1, size):  # edges that the move itself takes away
                change[at, (at + k) % n] = 0
            start, to = np.unravel_index(change.argmin(), change.shape)
            if change[start, to] < best:
                best, move = change[start, to], (start, size, to, way)
            first, last = last, first
    if move is None:
        return None
    start, size, to, way = move
    tour = np.roll(tour, -start)  # the cities that move come first
    place = (to - start) % n + 1
    return np.concatenate([tour[size:place], tour[:size][::way], tour[place:]])
