import numpy as np


def heuristics(demand, capacity):
    """Rate a pair by the size of its second item, as searches begin with."""
    return np.tile(demand / demand.max(), (demand.shape[0], 1))
