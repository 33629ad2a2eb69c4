import numpy as np


def select_next(to_candidates: np.ndarray, between: np.ndarray, to_start: np.ndarray, current_to_start: float, remaining: int, total: int) -> int:
    k = len(to_candidates)
    if k < 5:
        return 0
    near = np.sort(between, axis=1)[:, 1:3].mean(axis=1)
    far = 0.0803 * (remaining / total) * to_start
    return int(np.argmin(to_candidates - 0.559 * near + far))
