"""Prints the numbers in the drawings of a task's evidence, and the evidence's files, as JSON.

The arguments are the task's evidence.py, and either a trace or the name of a policy below. A policy
plays an episode in the real environment, which gives the trace.
"""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from base64 import b64encode
from typing import Any

import numpy as np


def main(source: str, wanted: str) -> None:
    """Print one JSON object."""
    spec = importlib.util.spec_from_file_location("evidence", source)
    evidence = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(evidence)
    trace = wanted.encode() if wanted.startswith("{") else POLICIES[wanted](evidence)
    if "gymnasium" in sys.modules and wanted.startswith("{"):
        message = "drawing a trace needs gymnasium"
        raise RuntimeError(message)
    figure = evidence.draw(trace)
    array = np.frombuffer(trace, np.uint8)
    files, again = (evidence.evidence({}, lambda: [array]) for _ in range(2))
    told = {
        "trace": json.loads(trace),
        "size": list(figure.get_size_inches()),
        "texts": [text.get_text() for text in figure.texts],
        "axes": [artists(axes) for axes in figure.axes],
        "files": [b64encode(bytes(np.asarray(f))).decode() for f in files],
        "repeated": all(
            np.array_equal(a, b) for a, b in zip(files, again, strict=True)
        ),
    }
    print(json.dumps(told))


def artists(axes: Any) -> dict[str, Any]:
    """Return the parts of one panel, with positions to six decimals."""
    legend = axes.get_legend()
    return {
        "title": axes.get_title(),
        "legend": [text.get_text() for text in legend.get_texts()] if legend else [],
        "polygons": [
            {
                "corners": numbers(path.vertices),
                "color": numbers(c.get_facecolors()[i % len(c.get_facecolors())]),
            }
            for c in axes.collections
            for i, path in enumerate(c.get_paths())
        ],
        "patches": [numbers(p.get_path().vertices) for p in axes.patches],
        "lines": [numbers(line.get_xydata()) for line in axes.lines],
        "limits": [numbers(axes.get_xlim()), numbers(axes.get_ylim())],
    }


def numbers(values: Any) -> list:
    """Return an array as lists of rounded numbers. Adding 0.0 turns -0.0 into 0.0."""
    return (np.round(np.asarray(values, dtype=float), 6) + 0.0).tolist()


def limp(evidence: Any) -> bytes:
    """Trace a walker without torque, seed 0."""
    import gymnasium

    env = gymnasium.make("BipedalWalker-v3", disable_env_checker=True)
    env.reset(seed=0)
    trace = evidence.Trace(env)
    action, over = np.zeros(4, dtype=np.float32), False
    while not over:
        observation, reward, over, _, _ = env.step(action)
        trace.step(env, observation, action, reward)
    return trace.finish()


def straight(evidence: Any) -> bytes:
    """Trace 50 steps straight ahead, seed 1, without the environment's own drawing."""
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import gymnasium

    env = gymnasium.make("CarRacing-v3", disable_env_checker=True)
    env.unwrapped._render = lambda _: None
    env.reset(seed=1)
    env.step(np.array([0.0, 1.0, 0.0]))
    trace = evidence.Trace(env)
    for _ in range(50):
        action = np.array([0.0, 0.2, 0.0])
        observation, reward, _, _, _ = env.step(action)
        trace.step(env, observation, action, reward)
    return trace.finish()


POLICIES = {"limp": limp, "straight": straight}

if __name__ == "__main__":
    main(*sys.argv[1:])
