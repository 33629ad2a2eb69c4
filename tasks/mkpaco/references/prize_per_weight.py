import numpy as np


def heuristics(prize, weight):
    """Rate an item by its prize over the sum of its weights, as searches begin with."""
    return prize / np.sum(weight, axis=1)
