import numpy as np


def select_next(to_candidates, between, to_start, current_to_start, remaining, total):
    if len(to_candidates) < 2:
        return 0
    onward = between + np.diag(np.full(len(between), np.inf))
    return int(np.argmin(to_candidates + onward.min(axis=1)))
