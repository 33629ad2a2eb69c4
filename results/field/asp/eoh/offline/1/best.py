import numpy as np


def priority(el: tuple, n: int, w: int) -> float:
    return -sum((x - 0.984) * 0.541 ** (i % 3 + 0.1 * i) for i, x in enumerate(el))
