import numpy as np

levels = {}  # by number of cities: sets of two, three, ... cities, and a first one of each


def select_next(to_candidates, between, to_start, current_to_start, remaining, total):
    k = len(to_candidates)
    if k not in levels:
        members = np.arange(1 << k)[:, None] >> np.arange(k) & 1
        levels[k] = [
            np.nonzero(members * (members.sum(axis=1) == m)[:, None])
            for m in range(2, k + 1)
        ]
    # The shortest path from a city through a set.
    cost = np.full((1 << k, k), np.inf)
    cost[1 << np.arange(k), np.arange(k)] = 0.0
    for s, j in levels[k]:
        cost[s, j] = (between[j] + cost[s ^ (1 << j)]).min(axis=1)
    return int(np.argmin(to_candidates + cost[-1]))
