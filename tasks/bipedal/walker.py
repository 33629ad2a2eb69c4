"""A faster step of Bipedal Walker with exactly the same results.

The stock step spends most of its time on NumPy calls for single numbers and on constant attributes
of the engine. This step calls the engine in the same order with the same arguments, and uses
Python's floats if they have the same values as NumPy's. python_test.go compares whole episodes with
the stock step, and the probe at each start compares one episode (bipedal.go).
"""

from __future__ import annotations

import math
from typing import Any

import gymnasium
import numpy as np
from gymnasium.envs.box2d import bipedal_walker as stock

FPS = stock.FPS
SPEEDS = (stock.SPEED_HIP, stock.SPEED_KNEE) * 2  # of the four joints
WIDTH, HEIGHT = stock.VIEWPORT_W / stock.SCALE, stock.VIEWPORT_H / stock.SCALE
GOAL = (stock.TERRAIN_LENGTH - stock.TERRAIN_GRASS) * stock.TERRAIN_STEP
RAYS = [
    (
        math.sin(1.5 * i / 10.0) * stock.LIDAR_RANGE,
        math.cos(1.5 * i / 10.0) * stock.LIDAR_RANGE,
    )
    for i in range(10)
]


def quicken(env: gymnasium.Env) -> None:
    """Give a new environment the faster step."""
    walker: Any = env.unwrapped
    walker.step = Step(walker)


class Step:
    """The step of one environment."""

    def __init__(self, walker: Any) -> None:
        self.walker = walker
        self.hull: Any = None

    def start(self) -> None:
        """Keep the objects that last until the next reset."""
        walker = self.walker
        self.hull, self.joints = walker.hull, walker.joints
        self.left, self.right = walker.legs[1], walker.legs[3]
        self.motors = list(zip(walker.joints, SPEEDS, strict=True))
        self.rays = [(ray, *way) for ray, way in zip(walker.lidar, RAYS, strict=True)]
        self.advance, self.cast = walker.world.Step, walker.world.RayCast

    def __call__(
        self, action: np.ndarray
    ) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Do what the stock step does."""
        walker, hull = self.walker, self.hull
        if walker.hull is not hull:  # there was a reset, which itself makes a step
            self.start()
            hull = self.hull
        for (joint, speed), torque in zip(self.motors, action.tolist(), strict=True):
            joint.motorSpeed = float(speed * ((torque > 0) - (torque < 0)))
            joint.maxMotorTorque = float(stock.MOTORS_TORQUE * min(abs(torque), 1.0))
        self.advance(1.0 / FPS, 6 * 30, 2 * 30)

        position, velocity = hull.position, hull.linearVelocity
        x, y = position
        cast = self.cast
        for ray, right, down in self.rays:
            ray.fraction, ray.p1, ray.p2 = 1.0, position, (x + right, y - down)
            cast(ray, position, ray.p2)

        angle = hull.angle
        hip, knee, other_hip, other_knee = self.joints
        state = [
            angle,
            2.0 * hull.angularVelocity / FPS,
            0.3 * velocity.x * WIDTH / FPS,
            0.3 * velocity.y * HEIGHT / FPS,
            hip.angle,
            hip.speed / stock.SPEED_HIP,
            knee.angle + 1.0,
            knee.speed / stock.SPEED_KNEE,
            1.0 if self.left.ground_contact else 0.0,
            other_hip.angle,
            other_hip.speed / stock.SPEED_HIP,
            other_knee.angle + 1.0,
            other_knee.speed / stock.SPEED_KNEE,
            1.0 if self.right.ground_contact else 0.0,
            *[ray.fraction for ray, _, _ in self.rays],
        ]
        walker.scroll = x - WIDTH / 5

        shaping = 130 * x / stock.SCALE - 5.0 * abs(angle)
        reward: Any = 0
        if walker.prev_shaping is not None:
            reward = shaping - walker.prev_shaping
        walker.prev_shaping = shaping
        # These stay NumPy's numbers, because the type of the product differs between NumPy 1 and 2.
        for torque in np.minimum(np.abs(action), 1):
            reward -= 0.00035 * stock.MOTORS_TORQUE * torque

        terminated = x > GOAL
        if walker.game_over or x < 0:
            reward, terminated = -100, True
        return np.array(state, dtype=np.float32), reward, terminated, False, {}
