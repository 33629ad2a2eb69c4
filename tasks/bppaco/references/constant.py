import numpy as np


def heuristics(demand, capacity):
    """Rate all pairs of items alike."""
    return np.ones((len(demand), len(demand)))
