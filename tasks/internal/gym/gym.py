"""Plays episodes of Gymnasium environments for a policy that it never sees.

This is the trusted side of a control task. It runs in a host process (package python/host); the
policy runs in a confined process, with Go between them. For each step, this side sends what the
policy may see, and gets the action for the environment. Go counts steps, checks and converts
actions, and ends an episode by an empty answer.

A task may name modules of its own, in job["modules"]. Any of them may define

- a measure, NAME(env) -> float: an argument of the policy or the value of an episode;
- class View: what is sent instead of an observation. View(env) is made before the reset;
  view.observation(observation) returns a list of values, after the reset and after each step;
- class Trace: the data for evidence. Trace(env) is made when the policy takes over,
  trace.step(env, observation, action, reward) is called after each of its steps with the
  results of the step, and trace.finish() returns bytes;
- evidence(job, ask) -> the pieces of evidence, as bytes; the first question returns the trace;
- quicken(env), which gives a new environment faster parts of the same behaviour;
- picture(env) -> an array of uint8, (height, width, 3): for films, the environment's own if absent;
- blind(env), after which the environment draws nothing: for the probe;
- probe(env) -> str: what is wrong with an environment that has been reset, or nothing.
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

STOPPED, TERMINATED, TRUNCATED = range(
    3
)  # how an episode ended; STOPPED: Go asked for no more


def episode(job: Job, ask: Ask) -> list[Any]:
    """Play one episode in a fresh environment: a used one remembers (Box2D keeps state).

    Each step asks with the value so far, the measures in job["measures"], and the observation.
    Returns the value, the steps without the opening ones, how it ended, and the trace as bytes,
    or None without job["traced"]. With job["film"], ask also gets a picture, without other
    values, every job["film"] steps and at the end; it returns nothing.
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
    """Return the picture that the environment draws for people, in any render mode."""
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
    observations under the constant job["action"], and what the task's own probe finds wrong.
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
    """The view of a task without one: the observation itself."""

    def __init__(self, env: gymnasium.Env) -> None:
        pass

    def observation(self, observation: Any) -> list[Any]:
        """Return only the observation."""
        return [observation]


def make(job: Job) -> gymnasium.Env:
    """Make the environment. Its checker would only print warnings."""
    env = gymnasium.make(job["id"], disable_env_checker=True, **job["options"])
    found(job, "quicken", lambda _: None)(env)
    return env


def found(job: Job, name: str, default: Any = None) -> Any:
    """Return the definition of this name in the task's modules; the last one wins."""
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
