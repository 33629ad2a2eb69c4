"""Drives Racing Car with the policies below, for tests of the native drawing."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import view

Policy = Callable[[Any, int], np.ndarray]  # takes the environment and the step


def episode(job: dict[str, Any], ask: Callable[..., Any]) -> list[Any]:
    """Drive job["steps"] steps or to the end, and send the view's output after each step.

    Every job["every"]th observation includes its stock drawing.
    """
    view.COMPARE_EVERY = job["every"]
    env = gymnasium.make("CarRacing-v3", disable_env_checker=True)
    shown = view.View(env)
    drive = POLICIES[job["policy"]](np.random.default_rng(job["seed"]))
    observation, _ = env.reset(seed=job["seed"])
    ask(*shown.observation(observation))
    step = 0
    for step in range(job["steps"]):
        observation, _, terminated, _, _ = env.step(drive(env.unwrapped, step))
        ask(*shown.observation(observation))
        if terminated:
            break
    env.close()
    return [step]


def held(rng: np.random.Generator) -> Policy:
    """Hold random actions for a while, braking now and then."""
    action = np.zeros(3)

    def drive(env: Any, step: int) -> np.ndarray:
        nonlocal action
        if rng.random() < 0.08:
            brake = rng.random() if rng.random() < 0.2 else 0.0
            action = np.array([rng.uniform(-1, 1), rng.uniform(0, 1), brake])
        return action

    return drive


def weaving(rng: np.random.Generator) -> Policy:
    """Give full gas and weave until the car spins or leaves the map."""
    period, width = rng.uniform(20, 120), rng.uniform(0.02, 0.4)
    return lambda env, step: np.array([width * np.sin(step / period * 6.283), 1.0, 0.0])


def straight(rng: np.random.Generator) -> Policy:
    """Drive off the map."""
    return lambda env, step: np.array([0.0, 0.2, 0.0])


def spinning(rng: np.random.Generator) -> Policy:
    """Turn hard, then hold the brake."""
    return lambda env, step: np.array(
        [1.0, 0.4, 0.0] if step < 400 else [0.0, 0.0, 1.0]
    )


def careful(rng: np.random.Generator) -> Policy:
    """Follow the points of the track, more slowly in bends."""
    speed = rng.uniform(30, 60)

    def drive(env: Any, step: int) -> np.ndarray:
        x, y = env.car.hull.position
        places = np.array([(p[2], p[3]) for p in env.track])
        nearest = int(np.argmin(np.hypot(places[:, 0] - x, places[:, 1] - y)))
        ahead = places[(nearest + 5) % len(places)] - (x, y)
        heading = env.car.hull.angle + np.pi / 2
        off = np.arctan2(ahead[1], ahead[0]) - heading
        off = (off + np.pi) % (2 * np.pi) - np.pi
        vx, vy = env.car.hull.linearVelocity
        slow = np.hypot(vx, vy) < speed * (1 - min(abs(off), 0.6))
        return np.array([np.clip(-2 * off, -1, 1), 0.6 * slow, 0.0 if slow else 0.1])

    return drive


def loop(job: dict[str, Any], ask: Callable[..., Any]) -> list[Any]:
    """Score job["source"] on job["seeds"] as a plain loop in one process, unprotected.

    Return the seconds of CPU time and of wall time, and the coverage of each seed.
    """
    names: dict[str, Any] = {}
    exec(job["source"], names)  # noqa: S102 - the test wrote it
    choose_action = names["choose_action"]
    cpu, wall, coverage = time.process_time(), time.perf_counter(), []
    for seed in job["seeds"]:
        env = gymnasium.make("CarRacing-v3", disable_env_checker=True)
        before, _ = env.reset(seed=seed)
        action = np.array([0.0, 1.0, 0.0])
        observation, _, terminated, _, _ = env.step(action)
        for _ in range(1200):
            if terminated:
                break
            speed = np.linalg.norm(env.unwrapped.car.hull.linearVelocity)
            action = np.asarray(choose_action(observation, speed, action, before))
            before = observation
            clipped = np.clip(action, [-1, 0, 0], [1, 1, 1])
            observation, _, terminated, _, _ = env.step(clipped)
        car = env.unwrapped
        coverage.append(car.tile_visited_count / len(car.track) * 100)
        env.close()
    return [time.process_time() - cpu, time.perf_counter() - wall, *coverage]


def scores(job: dict[str, Any], ask: Callable[..., Any]) -> list[Any]:
    """Return the digest of the texts of the scores from job["from"] to job["to"]."""
    texts = b"".join(
        view.digits(score).tobytes() for score in range(job["from"], job["to"] + 1)
    )
    return [hashlib.sha256(texts).hexdigest().encode()]


def refusal(job: dict[str, Any], ask: Callable[..., Any]) -> list[Any]:
    """Make a view while pygame scales pictures with another backend."""
    backend = view.pygame.transform.get_smoothscale_backend
    view.refuse_other_drawing.cache_clear()
    view.pygame.transform.get_smoothscale_backend = lambda: "GENERIC"
    try:
        view.View(gymnasium.make("CarRacing-v3", disable_env_checker=True))
    finally:
        view.pygame.transform.get_smoothscale_backend = backend
    return []


POLICIES: dict[str, Callable[[np.random.Generator], Policy]] = {
    "held": held,
    "weaving": weaving,
    "straight": straight,
    "spinning": spinning,
    "careful": careful,
}
