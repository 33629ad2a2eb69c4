"""Plays a trained policy like a program: it returns an action for an observation."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np


def load(job: dict[str, Any]) -> Callable[[np.ndarray], np.ndarray]:
    """Returns the deterministic policy of a stored model.

    job has environment and options for gymnasium.make; policy, the name of the policy's class; and
    model, the path of the model that train.py stored. Only tensors are read from the model, no
    other pickled object.
    """
    import gymnasium
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.preprocessing import is_image_space
    from stable_baselines3.common.save_util import load_from_zip_file
    from stable_baselines3.common.vec_env import VecTransposeImage

    torch.set_num_threads(1)
    environment = gymnasium.make(job["environment"], **job["options"])
    shown, box = environment.observation_space, environment.action_space
    environment.close()
    if is_image_space(shown):
        shown = VecTransposeImage.transpose_space(shown)  # as in training
    policy = PPO.policy_aliases[job["policy"]](shown, box, lambda _: 0.0)
    with Path(job["model"]).open("rb") as f:
        _, parameters, _ = load_from_zip_file(f, load_data=False, device="cpu")
    policy.load_state_dict(parameters["policy"])

    def act(observation: np.ndarray) -> np.ndarray:
        action, _ = policy.predict(observation, deterministic=True)
        return action

    return act


def serve(job: dict[str, Any], ask: Callable[..., list[Any]]) -> list[Any]:
    """Answers each observation with an action until no observation comes."""
    act = load(job)
    values = ask()
    while values:
        values = ask(act(values[0]))
    return []
