"""Checks train.py with stable-baselines3. Each command runs one check.

usage: checks.py NAME SCRIPTS SETTINGS
"""

import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, sys.argv[2])

import gymnasium
import numpy as np
import train
from seedcycle import SeedCycle


class Alternating(gymnasium.Env):
    """Episodes of three steps. The seed determines whether they terminate or are truncated."""

    observation_space = gymnasium.spaces.Box(-1, 1, (2,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self) -> None:
        self.odd, self.now, self.state = 0, 0, 0

    def see(self) -> np.ndarray:
        return np.eye(2, dtype=np.float32)[self.state]

    def reset(
        self, *, seed: int | None = None, options: Any = None
    ) -> tuple[Any, dict]:
        super().reset(seed=seed)
        self.odd = (seed or 0) % 2
        self.now, self.state = 0, int(self.np_random.integers(2))
        return self.see(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict]:
        reward = float(action == self.state)  # the optimum is 3 an episode
        self.state, self.now = int(self.np_random.integers(2)), self.now + 1
        over = self.now == 3
        return self.see(), reward, over and bool(self.odd), over and not self.odd, {}


gymnasium.register("Alternating-v0", Alternating)


class Fixed(train.Channel):
    """Answers every evaluation with the number of updates."""

    def __init__(self) -> None:
        super().__init__(io.StringIO(), io.StringIO())

    def evaluate(self, **fields: Any) -> dict[str, Any]:
        return {"values": [float(fields["updates"])], "score": float(fields["updates"])}

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.getvalue().splitlines()]


def settings(**change: Any) -> dict[str, Any]:
    """Returns small settings for the toy environment."""
    base = json.loads(sys.argv[3])
    base |= {
        "environment": "Alternating-v0",
        "options": {"disable_env_checker": True},
        "train_seeds": [0, 1, 2, 3, 4],
        "policy": "MlpPolicy",
        "n_steps": 8,
        "batch_size": 4,
        "n_epochs": 1,
        "resets": 10,
        "barrier": 100,
    }
    return base | change


def trainer(folder: str, **change: Any) -> train.Trainer:
    return train.Trainer(settings(**change), train.Store(Path(folder)), Fixed())


def seeds() -> None:
    """Seeds take turns, and an episode has the terrain of its seed."""
    seen = []

    def terrains(env: gymnasium.Env, n: int) -> list[list[float]]:
        out = []
        for _ in range(n):
            env.reset()
            out.append(list(env.unwrapped.terrain_y))
            over = False
            while not over:
                _, _, end, cut, info = env.step(np.zeros(4, np.float32))
                over = end or cut
            seen.append(info.get("seed"))
        return out

    def make() -> gymnasium.Env:
        return gymnasium.make("BipedalWalker-v3", disable_env_checker=True)

    cycle = SeedCycle(make, [0, 1, 2, 3, 4])
    found = terrains(cycle, 26)
    assert seen == [k % 5 for k in range(26)], seen
    assert all(found[k] == found[k + 5] for k in range(21))
    assert cycle.completed == [6, 5, 5, 5, 5]
    plain = terrains(make(), 6)
    assert plain[0] != plain[5]


def counting() -> None:
    """Ten episodes end, both kinds of ends count, and every update has a whole rollout."""
    with tempfile.TemporaryDirectory() as folder:
        t = trainer(folder)
        before = b""
        while not t.finished:
            before = t.weights()
            t.rollout()
        assert t.cycle.completed == [2] * 5, t.cycle.completed
        assert t.budget.completed == 10
        assert t.model.num_timesteps == 30
        assert t.weights() == before  # the rollout of the last episode is dropped
        assert t.model._n_updates == 3


def resume() -> None:
    """An interrupted run ends like an undisturbed one, and other settings are refused."""

    class Cut(Exception):
        pass

    def end(
        folder: str, cut: Callable[[train.Trainer], None] | None
    ) -> tuple[Any, ...]:
        job = {
            "settings": settings(resets=30, barrier=10),
            "directory": folder,
            "packages": {},
        }
        if cut is not None:
            t = trainer(folder, resets=30, barrier=10)
            cut(t)
            try:
                t.run()
            except Cut:
                pass
        channel = Fixed()
        train.train(job, channel)
        state = json.loads(max(Path(folder, "checkpoints").glob("*.json")).read_bytes())
        return state, channel.lines()[-1]

    def after_rollouts(n: int) -> Callable[[train.Trainer], None]:
        def cut(t: train.Trainer) -> None:
            step, done = t.rollout, [0]

            def rollout() -> None:
                if done[0] == n:
                    raise Cut
                done[0] += 1
                step()

            t.rollout = rollout

        return cut

    def in_checkpoint(t: train.Trainer) -> None:
        def save(state: dict[str, Any]) -> None:
            (t.store.checkpoints / "000099.json.tmp").write_bytes(b'{"schema"')
            raise Cut

        t.store.save = save

    ends = []
    for cut in (None, after_rollouts(4), after_rollouts(6), in_checkpoint):
        with tempfile.TemporaryDirectory() as folder:
            ends.append(end(folder, cut))
            if cut is in_checkpoint:
                job = settings(resets=30, barrier=10, learning_rate=0.5)
                try:
                    train.train(
                        {"settings": job, "directory": folder, "packages": {}}, Fixed()
                    )
                    raise AssertionError("another learning rate is not refused")
                except train.Refused as e:
                    assert "learning_rate" in str(e), e
    assert all(e == ends[0] for e in ends), "an interrupted run ends differently"
    assert len(ends[0][0]["evaluations"]) == 3


def built() -> None:
    """Prints the settings of the model, which Go compares."""
    given = json.loads(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        t = train.Trainer(given, train.Store(Path(folder)), Fixed())
    m = t.model
    group = m.policy.optimizer.param_groups[0]
    print(
        json.dumps(
            {
                "parameters": t.parameters(),
                "learning_rate": [m.learning_rate, group["lr"]],
                "adam": [type(m.policy.optimizer).__name__, group["eps"]],
                "n_steps": m.n_steps * m.n_envs,
                "batch_size": m.batch_size,
                "n_epochs": m.n_epochs,
                "gamma": [m.gamma, m.rollout_buffer.gamma],
                "gae_lambda": [m.gae_lambda, m.rollout_buffer.gae_lambda],
                "clip_range": [m.clip_range(1.0), m.clip_range(0.0)],
                "others": [
                    m.clip_range_vf,
                    m.target_kl,
                    m.ent_coef,
                    m.vf_coef,
                    m.max_grad_norm,
                ],
                "normalize": m.normalize_advantage,
                "log_std": m.policy.log_std.tolist(),
                "device": str(m.device),
                "shapes": {k: list(v.shape) for k, v in m.policy.state_dict().items()},
            }
        )
    )


def stored() -> None:
    """Prints an untrained policy in the form in which it is stored."""
    given = json.loads(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        t = train.Trainer(given, train.Store(Path(folder)), Fixed())
    sys.stdout.buffer.write(t.weights())


def toy() -> None:
    """Twenty rollouts reach the optimum of the two-state environment."""
    with tempfile.TemporaryDirectory() as folder:
        t = trainer(
            folder,
            resets=10**6,
            n_steps=256,
            batch_size=64,
            n_epochs=10,
            learning_rate=3e-3,
        )
        for _ in range(20):
            t.rollout()
        for state in range(2):
            action, _ = t.model.predict(
                np.eye(2, dtype=np.float32)[state], deterministic=True
            )
            assert action == state, f"state {state}: {action}"


if __name__ == "__main__":
    checks = {f.__name__: f for f in (seeds, counting, resume, built, stored, toy)}
    checks[sys.argv[1]]()
