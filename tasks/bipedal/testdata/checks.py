"""Checks of the walker's environment, which a test of the task calls."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from pacebench_gym import Ask, Job, make


def layout(job: Job, ask: Ask) -> list[Any]:
    """Compare observations with the bodies and joints of the engine."""
    env = make(job)
    env.reset(seed=0)
    world, worst, free = env.unwrapped, 0.0, 0
    for k in range(60):
        action = np.array([np.sin(k / 5 + j) for j in range(4)], np.float32)
        seen = env.step(action)[0]
        hull, legs, joints = world.hull, world.legs, world.joints
        vx, vy = hull.linearVelocity
        want = [hull.angle, hull.angularVelocity * 0.04, vx * 0.12, vy * 0.08]
        for side in (0, 2):
            hip, knee = joints[side], joints[side + 1]
            want += [hip.angle, hip.speed / 4, knee.angle + 1, knee.speed / 6]
            want += [float(legs[side + 1].ground_contact)]
        worst = max(
            worst, *(abs(a - b) for a, b in zip(want, seen[:14].tolist(), strict=True))
        )
        free += int((seen[14:] == 1).sum())
    env.close()
    return [worst, free, float(seen[14] * 5.333)]


def compare(job: Job, ask: Ask) -> list[Any]:
    """Play the same actions with the faster step and with the stock step."""
    names: dict[str, Any] = {}
    exec(job["source"], names)  # noqa: S102 - the test wrote it
    walk, noise = names["choose_action"], np.random.default_rng(0)
    drivers = {
        "limp": lambda k, seen: np.zeros(4),
        "wave": lambda k, seen: np.sin([k / 5 + j for j in range(4)]),
        "noise": lambda k, seen: noise.normal(0, 1, 4),
        "walk": lambda k, seen: walk(seen, None, None),
    }
    steps = 0
    for seed in range(job["seeds"]):
        for name, drive in drivers.items():
            quick = make(job)
            stock = gymnasium.make(job["id"], disable_env_checker=True)
            seen = [env.reset(seed=seed) for env in (quick, stock)]
            for k in range(2000):
                said = [
                    (o.dtype, o.shape, o.tobytes(), *((type(v), v) for v in rest))
                    for o, *rest in seen
                ]
                if said[0] != said[1]:
                    return [f"{name}, seed {seed}, step {k}: {said}".encode()]
                if k and (seen[0][2] or seen[0][3]):
                    break
                steps += 1
                action = np.asarray(drive(k, seen[0][0]), np.float32)
                seen = [env.step(action) for env in (quick, stock)]
    return [f"{steps} steps".encode()]
