"""Scores a program in a plain loop in one process. A test compares the costs of task and loop."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np


def loop(job: dict[str, Any], ask: Callable[..., Any]) -> list[Any]:
    """Score job["source"] on job["seeds"], unprotected.

    Return the seconds of CPU time and of wall time, and the return of each seed.
    """
    names: dict[str, Any] = {}
    exec(job["source"], names)  # noqa: S102 - the test wrote it
    choose_action = names["choose_action"]
    cpu, wall, returns = time.process_time(), time.perf_counter(), []
    for seed in job["seeds"]:
        env = gymnasium.make("BipedalWalker-v3", disable_env_checker=True)
        observation, _ = env.reset(seed=seed)
        before, action = observation.copy(), np.zeros(4, dtype=np.float32)
        total, ended = 0.0, False
        while not ended:
            action = np.asarray(choose_action(observation, action, before), np.float32)
            action = np.clip(action, -1, 1)
            before = observation
            observation, reward, terminated, truncated, _ = env.step(action)
            total += float(reward)
            ended = terminated or truncated
        returns.append(total)
        env.close()
    return [time.process_time() - cpu, time.perf_counter() - wall, *returns]
