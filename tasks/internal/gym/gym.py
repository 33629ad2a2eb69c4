"""Plays episodes of Gymnasium environments for a policy in another process.

This is the trusted side of a control task. It runs in a host process (package python/host). The
policy runs in a confined process, and Go passes values between the two. For each step, this side
sends the values that the policy may see, and gets the action for the environment. Go counts steps,
checks and converts actions, and ends an episode by an empty answer.

A task may name its own modules in job["modules"]. Any of them may define

- a measure, NAME(env) -> float: an argument of the policy or the value of an episode;
- class View: its values are sent instead of an observation. View(env) is made before the reset;
  view.observation(observation) returns a list of values after the reset and after each step;
- class Trace: the data for evidence. Trace(env) is made before the policy's first step,
  trace.step(env, observation, action, reward) is called after each of the policy's steps with its
  results, and trace.finish() returns bytes;
- evidence(job, ask) -> the pieces of evidence, as bytes; the first ask() returns the trace;
- quicken(env): replaces parts of a new environment by faster ones with the same behaviour;
- picture(env) -> an array of uint8, (height, width, 3), for films. Without this function, the
  environment's render method draws the picture;
- blind(env): switches off the environment's drawing, for the probe;
- probe(env) -> str: the problem of an environment that has been reset, or "".
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import os
from collections.abc import Callable
from typing import Any

os.environ.update(
    SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1"
)

import gymnasium
import numpy as np

Ask = Callable[..., list[Any]]
Job = dict[str, Any]

# How an episode ended. STOPPED means that Go ended it.
STOPPED, TERMINATED, TRUNCATED = range(3)


def episode(job: Job, ask: Ask) -> list[Any]:
    """Play one episode in a new environment, because Box2D keeps state after a reset.

    Each step sends the value so far, the measures in job["measures"] and the observation, and gets
    an action. Returns the value, the number of steps after the opening, how the episode ended, and
    the trace as bytes, or None without job["traced"]. With job["film"], every job["film"] steps and
    when the environment ends the episode, a picture is also sent, without other values; its answer
    is empty.
    """
    env = make(job)
    try:
        measures = [found(job, name) for name in job["measures"]]
        score = found(job, job["value"]) if job["value"] else None
        if job["blind"]:
            found(job, "blind", lambda _: None)(env)
        view = (Raw if job["blind"] else found(job, "View", Raw))(env)
        observation, _ = env.reset(seed=job["seed"])
        step, end, trace, total = -job["opening"], STOPPED, None, 0.0
        while True:
            value = float(score(env)) if score else total
            over = end == TERMINATED or end == TRUNCATED and not job["past_truncation"]
            if job["film"] and step >= 0 and (over or step % job["film"] == 0):
                ask(np.ascontiguousarray(found(job, "picture", picture)(env)))
            if over:
                break
            if job["traced"] and step == 0:
                trace = found(job, "Trace")(env)
            seen = view.observation(observation)
            answer = ask(value, *[float(measure(env)) for measure in measures], *seen)
            if not answer:
                break
            observation, reward, terminated, truncated, _ = env.step(answer[0])
            total += float(reward)
            step += 1
            end = TERMINATED if terminated else TRUNCATED if truncated else STOPPED
            if trace:
                trace.step(env, observation, answer[0], reward)
        return [value, step, end, trace.finish() if trace else None]
    finally:
        env.close()


def picture(env: gymnasium.Env) -> np.ndarray:
    """Return the environment's picture for people, in any render mode."""
    world = env.unwrapped
    made, world.render_mode = world.render_mode, "rgb_array"
    try:
        return world.render()
    finally:
        world.render_mode = made


def evidence(job: Job, ask: Ask) -> list[Any]:
    """Have the task draw a trace."""
    return found(job, "evidence")(job, ask)


def probe(job: Job, ask: Ask) -> list[Any]:
    """Return three texts that identify the behaviour of the environment.

    They are the versions of the packages in job["versions"], the SHA-256 of the first job["frames"]
    observations with the constant action job["action"], and the problem that the task's probe
    finds, or "".
    """
    del ask
    env = make(job)
    try:
        observation, _ = env.reset(seed=job["seed"])
        digest = hashlib.sha256(np.asarray(observation).tobytes())
        action = (
            job["action"] if isinstance(job["action"], int) else np.array(job["action"])
        )
        for _ in range(job["frames"] - 1):
            observation = env.step(action)[0]
            digest.update(np.asarray(observation).tobytes())
    finally:
        env.close()
    env = make(job)
    try:
        found(job, "blind", lambda _: None)(env)
        env.reset(seed=job["seed"])
        problem = found(job, "probe", lambda _: "")(env)
    finally:
        env.close()
    versions = ", ".join(filter(None, map(version, job["versions"])))
    return [text.encode() for text in (versions, digest.hexdigest(), problem)]


class Raw:
    """The default view: the observation itself."""

    def __init__(self, env: gymnasium.Env) -> None:
        pass

    def observation(self, observation: Any) -> list[Any]:
        """Return only the observation."""
        return [observation]


def make(job: Job) -> gymnasium.Env:
    """Make the environment without Gymnasium's checker, which would only print warnings."""
    env = gymnasium.make(job["id"], disable_env_checker=True, **job["options"])
    found(job, "quicken", lambda _: None)(env)
    return env


def found(job: Job, name: str, default: Any = None) -> Any:
    """Return the last definition of a name in the task's modules."""
    for module in reversed(job["modules"]):
        if hasattr(loaded := importlib.import_module(module), name):
            return getattr(loaded, name)
    if default is None:
        raise LookupError(f"no module of {job['modules']} defines {name}")
    return default


def version(name: str) -> str:
    """Return a package's name and version, or "" if it is not installed."""
    try:
        return f"{name} {importlib.metadata.version(name)}"
    except importlib.metadata.PackageNotFoundError:
        return ""
