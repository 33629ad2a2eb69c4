import numpy as np


def select_next(to_candidates: np.ndarray, between: np.ndarray, to_start: np.ndarray, current_to_start: float, remaining: int, total: int) -> int:
    return 0
