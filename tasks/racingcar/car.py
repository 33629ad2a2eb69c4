"""Racing Car's additions to a Gymnasium environment: its measures, and its probe."""

from __future__ import annotations

import math

import gymnasium
import numpy as np


def coverage(env: gymnasium.Env) -> float:
    """Return the percentage of the track's tiles that a wheel has touched."""
    car = env.unwrapped
    return car.tile_visited_count / len(car.track) * 100


def speed(env: gymnasium.Env) -> float:
    """Return the speed of the hull, in world units per second."""
    x, y = env.unwrapped.car.hull.linearVelocity
    return math.sqrt(x * x + y * y)


def blind(env: gymnasium.Env) -> None:
    """Switch off the environment's drawing; the physics does not depend on it."""
    env.unwrapped._render = lambda _: None


def probe(env: gymnasium.Env) -> str:
    """Check the lap rule: with 97 % of the tiles visited, the first tile does not end an episode.

    Gymnasium plans to change this (its issue 1269), which would change the task.
    """
    car = env.unwrapped
    car.tile_visited_count = int(0.97 * len(car.track))
    for away in (100.0, -100.0):
        for body in (car.car.hull, *car.car.wheels):
            x, y = body.position
            body.position = (x + away, y)
        _, _, terminated, _, _ = env.step(np.zeros(3))
        if terminated:
            return "an episode ends when the car crosses the first tile again"
    if not any(wheel.tiles for wheel in car.car.wheels):
        return "the lap rule cannot be checked: no wheel touches the track"
    return ""


def picture(env: gymnasium.Env) -> np.ndarray:
    """Return the picture for people, even if a view has replaced the environment's drawing."""
    car = env.unwrapped
    return type(car)._render(car, "rgb_array")
