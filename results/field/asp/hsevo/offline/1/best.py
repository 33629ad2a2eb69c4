import numpy as np


def priority(el: tuple, n: int, w: int) -> float:
    """Say how high the priority of a vector is.

    Args:
        el: the vector, a tuple of n ints from 0 to 2, w of them not 0.
        n: its length, a multiple of 3.
        w: its weight.

    Returns:
        The priority, a finite number.
    """
    return 1.0
