import numpy as np


def heuristics(prize, distance, maxlen):
    """Rate all steps alike."""
    return np.ones_like(distance)
