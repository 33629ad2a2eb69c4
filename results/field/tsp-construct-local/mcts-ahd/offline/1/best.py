import numpy as np


def select_next(to_candidates: np.ndarray, between: np.ndarray, to_start: np.ndarray, current_to_start: float, remaining: int, total: int) -> int:
    k = len(to_candidates)
    if k < 4:
        return 0
    near = np.sort(between, axis=1)[:, 1:5].mean(axis=1)
    far = 0.11 * (remaining / total) * to_start
    return int(np.argmin(to_candidates - 0.52 * near + far))
