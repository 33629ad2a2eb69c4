"""Measures how fast this machine runs the Python and NumPy of a typical candidate."""

from __future__ import annotations

import time

import numpy as np

SECONDS = 1.0  # of CPU time, in all rounds together


def once() -> float:
    """Return the CPU seconds of a fixed piece of work.

    It reads the thread's clock, which is exact. With a limit on CPU time, the clock of the process
    only moves with the kernel's ticks, about every 4 ms.
    """
    start = time.thread_time()
    points = np.random.RandomState(1).rand(50, 2)
    distances = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
    for city in range(50):
        current, left = city, set(range(50)) - {city}
        while len(left) > 40:
            row = distances[current]
            near = np.argsort(row)[:10]
            current = min(left, key=row.__getitem__) if row[near].mean() > 0 else city
            left.remove(current)
    return time.thread_time() - start


def least() -> float:
    """Return the milliseconds of the fastest round, because other processes only add time."""
    rounds = [once()]
    while sum(rounds) < SECONDS:
        rounds.append(once())
    return 1000 * min(rounds)
