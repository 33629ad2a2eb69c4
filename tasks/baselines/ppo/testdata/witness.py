"""A policy adapter that records the first call: its input, the network's input and the answer.

The record is written next to the stored policy. Later calls answer with a fixed action instead of
the policy's, so that the episode ends soon.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import policy_adapter
import torch


def described(a: np.ndarray) -> dict[str, Any]:
    return {"dtype": str(a.dtype), "shape": list(a.shape)}


def serve(job: dict[str, Any], ask: Callable[..., list[Any]]) -> list[Any]:
    act = policy_adapter.load(job)
    inputs = []

    def note(module: torch.nn.Module, given: tuple[torch.Tensor, ...]) -> None:
        if isinstance(module, torch.nn.Conv2d | torch.nn.Linear):
            inputs.append(given[0].numpy().copy())

    hook = torch.nn.modules.module.register_module_forward_pre_hook(note)
    (observation,) = ask()
    action = act(observation)
    hook.remove()
    same = observation[np.newaxis]
    if observation.ndim == 3:
        same = same.transpose(0, 3, 1, 2).astype(np.float32) / 255
    box = gymnasium.make(job["environment"], **job["options"]).action_space
    account = {
        "observation": described(observation),
        "network": described(inputs[0]),
        "same": bool(np.array_equal(inputs[0], same)),
        "action": described(action),
        "inside": bool(box.contains(action)),
    }
    Path(job["model"] + ".account").write_text(json.dumps(account))
    ahead = np.array([0, 1, 0, 0], np.float32)[: len(action)]
    while ask(ahead):
        pass
    return []
