import numpy as np


def heuristics(prize, weight):
    """Rate all items alike."""
    return np.ones(len(prize))
