"""Trains one PPO policy with stable-baselines3 on a fixed number of completed episodes.

usage: train.py JOB

JOB is one JSON object:
  settings   all settings that determine the result; see SETTINGS
  directory  directory of checkpoints and models; the script writes nowhere else
  packages   required versions by distribution, e.g. {"pygame": "2.6.1"}
  drawn      whether the parent process draws the environment's pictures; see drawing

Each line of standard output is one JSON object. Its field "event" is start, progress, evaluate,
evaluation, done or error. After an "evaluate", which names a stored model, the script waits for one
line on standard input, {"values": [...], "score": ...}: the parent process scores policies with the
evaluator that also scores programs. All other output goes to standard error.

A barrier comes after the first rollout that ends at or beyond each multiple of settings.barrier
episodes, and at the end: the script evaluates the policy, writes a checkpoint and restarts the
environment. The same command continues from the last checkpoint; the weights are then the same, bit
for bit, as without the break.
"""

import base64
import hashlib
import importlib.metadata
import io
import json
import os
import platform
import random
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

SCHEMA = 1

# All settings, in the order in which differences are reported.
SETTINGS = (
    "environment",  # gymnasium's id
    "options",  # keyword arguments of gymnasium.make
    "train_seeds",
    "resets",  # budget of completed episodes
    "barrier",  # completed episodes between two checkpoints
    "seed",
    "policy",
    "learning_rate",
    "n_steps",
    "batch_size",
    "n_epochs",
    "gamma",
    "gae_lambda",
    "clip_range",
    "clip_range_vf",
    "normalize_advantage",
    "ent_coef",
    "vf_coef",
    "max_grad_norm",
    "target_kl",
    "device",
    "threads",
)

# Settings that PPO's constructor takes by the same names.
OF_PPO = SETTINGS[SETTINGS.index("learning_rate") : SETTINGS.index("device") + 1]

# The distributions that a result depends on.
VERSIONS = (
    "stable-baselines3",
    "torch",
    "gymnasium",
    "box2d",
    "pygame",
    "pygame-ce",
    "numpy",
)


class Refused(Exception):
    """Training cannot begin or continue. kind names the reason in one word."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Channel:
    """The lines to and from the parent process."""

    def __init__(self, out: IO[str], answers: IO[str]) -> None:
        self.out, self.answers = out, answers

    def say(self, event: str, **fields: Any) -> None:
        """Writes one line."""
        line = json.dumps({"event": event, **fields}, allow_nan=False)
        self.out.write(line + "\n")
        self.out.flush()

    def evaluate(self, **fields: Any) -> dict[str, Any]:
        """Lets the parent process score a model."""
        self.say("evaluate", **fields)
        line = self.answers.readline()
        if not line:
            raise Refused("left", "the parent process did not answer an evaluate event")
        return json.loads(line)


def digest_of(data: bytes) -> str:
    """Returns the SHA-256 of bytes, which names them in the store."""
    return hashlib.sha256(data).hexdigest()


def canonical(value: Any) -> bytes:
    """Returns JSON that is the same for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def write(path: Path, data: bytes) -> None:
    """Writes a file completely or not at all."""
    temporary = path.with_name(path.name + ".tmp")
    with temporary.open("wb") as f:
        f.write(data)
        f.flush()
        os.fsync(f.fileno())
    temporary.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class Store:
    """The models by digest in blobs/, and the checkpoints that name them in checkpoints/."""

    KEPT = 2  # checkpoints

    def __init__(self, directory: Path) -> None:
        self.blobs = directory / "blobs"
        self.checkpoints = directory / "checkpoints"
        for folder in (self.blobs, self.checkpoints):
            folder.mkdir(parents=True, exist_ok=True)
            for torn in folder.glob("*.tmp"):
                torn.unlink()

    def put(self, model: bytes) -> str:
        """Stores a model and returns its digest."""
        digest = digest_of(model)
        if not (self.blobs / digest).exists():
            write(self.blobs / digest, model)
        return digest

    def save(self, state: dict[str, Any]) -> None:
        """Writes a checkpoint. Only the last two checkpoints and their models stay."""
        path = self.checkpoints / f"{sum(state['completed']):06d}.json"
        write(path, json.dumps(state).encode())
        old = sorted(self.checkpoints.glob("*.json"))
        for path in old[: -self.KEPT]:
            path.unlink()
        kept = set()
        for path in old[-self.KEPT :]:
            state = json.loads(path.read_bytes())
            kept |= {state["model"], state["best"]["model"]}
        for blob in self.blobs.iterdir():
            if blob.name not in kept:
                blob.unlink()

    def newest(self) -> tuple[dict[str, Any], bytes] | None:
        """Returns the newest whole checkpoint with its model; None without a checkpoint."""
        for path in sorted(self.checkpoints.glob("*.json"), reverse=True):
            try:
                state = json.loads(path.read_bytes())
                model = (self.blobs / state["model"]).read_bytes()
            except (OSError, ValueError, LookupError):
                continue
            if digest_of(model) == state["model"]:
                return state, model
        return None


def version(name: str) -> str | None:
    """Returns the version of a distribution; None if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def versions() -> dict[str, str]:
    """Returns the versions that a result depends on."""
    found = {name: v for name in VERSIONS if (v := version(name)) is not None}
    return {"python": platform.python_version(), **found}


def check_packages(wanted: dict[str, str]) -> None:
    """Refuses packages that differ from the lock."""
    if version("pygame") and version("pygame-ce"):
        raise Refused(
            "packages",
            "pygame and pygame-ce are both installed: they overwrite each other's files "
            "and draw different pixels",
        )
    for name, want in wanted.items():
        have = version(name)
        if have is None:
            raise Refused("missing", f"{name} {want} is not installed")
        if have != want:
            raise Refused("packages", f"{name} {have} is installed, want {want}")


def check_settings(settings: dict[str, Any]) -> None:
    """Refuses missing and unknown settings."""
    if missing := [name for name in SETTINGS if name not in settings]:
        raise Refused("settings", f"the job has no setting {missing[0]}")
    if unknown := [name for name in settings if name not in SETTINGS]:
        raise Refused("settings", f"there is no setting {unknown[0]}")


def same_settings(old: dict[str, Any], new: dict[str, Any]) -> None:
    """Refuses to continue a checkpoint with other settings."""
    for name in SETTINGS:
        if old.get(name) != new[name]:
            raise Refused(
                "settings",
                f"the checkpoint was made with {name} {json.dumps(old.get(name))}, "
                f"this job has {json.dumps(new[name])}",
            )


Drawing = Callable[[Any], Any]


def drawing() -> Drawing:
    """Returns a Drawing whose pictures the parent process draws, through descriptors 3 and 4.

    The pictures equal the environment's own pictures to the byte, and take a tenth of the time.
    view.py from tasks/racingcar describes them. Go compares some pictures with the environment's.
    """
    from host import Host
    from view import View

    ask = Host().ask

    def drawn(env: Any) -> Any:
        view = View(env)
        env.unwrapped._render = lambda mode: ask(*view.note(mode))[0]
        return env

    return drawn


class Trainer:
    """The training of one policy, from the first episode to the last."""

    def __init__(
        self,
        settings: dict[str, Any],
        store: Store,
        channel: Channel,
        drawn: Drawing = lambda env: env,
    ) -> None:
        import gymnasium
        import stable_baselines3
        import torch
        from seedcycle import SeedCycle
        from stable_baselines3.common.callbacks import BaseCallback
        from stable_baselines3.common.logger import Logger

        self.settings, self.store, self.channel = settings, store, channel
        torch.set_num_threads(settings["threads"])

        self.cycle = SeedCycle(
            lambda: drawn(
                gymnasium.make(settings["environment"], **settings["options"])
            ),
            settings["train_seeds"],
        )
        self.model = stable_baselines3.PPO(
            settings["policy"],
            self.cycle,
            seed=settings["seed"],
            **{name: settings[name] for name in OF_PPO},
        )
        self.model.set_logger(Logger(folder=None, output_formats=[]))
        self.evaluations: list[dict[str, Any]] = []
        self.finished = False

        class Budget(BaseCallback):
            """Ends a rollout at the last episode of the budget."""

            completed = 0

            def _on_step(self) -> bool:
                self.completed += int(self.locals["dones"].sum())
                return self.completed < settings["resets"]

        self.budget = Budget()

    def parameters(self) -> int:
        """Counts the policy's weights."""
        return sum(p.numel() for p in self.model.policy.parameters())

    # Checkpoints

    def weights(self) -> bytes:
        """Returns policy and optimiser in the form that stable-baselines3's set_parameters reads.

        Equal weights give equal bytes. The only pickled objects in them are tensors.
        """
        import torch

        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for name, state in sorted(self.model.get_parameters().items()):
                part = io.BytesIO()
                torch.save(state, part)
                archive.writestr(zipfile.ZipInfo(name + ".pth"), part.getvalue())
        return data.getvalue()

    def generators(self) -> dict[str, Any]:
        """Returns the states of all random generators that training uses."""
        import numpy
        import torch

        name, keys, position, has_gauss, gauss = numpy.random.get_state()
        drawn = [torch.get_rng_state()]
        if self.model.device.type == "cuda":
            drawn.append(torch.cuda.get_rng_state(self.model.device))
        return {
            "python": random.getstate(),
            "numpy": [name, keys.tolist(), position, has_gauss, gauss],
            "torch": [base64.b64encode(s.numpy().tobytes()).decode() for s in drawn],
        }

    def restore_generators(self, states: dict[str, Any]) -> None:
        """Restores the states of all random generators."""
        import numpy
        import torch

        version, internal, gauss = states["python"]
        random.setstate((version, tuple(internal), gauss))
        numpy.random.set_state(tuple(states["numpy"]))
        drawn = [
            torch.frombuffer(bytearray(base64.b64decode(s)), dtype=torch.uint8)
            for s in states["torch"]
        ]
        torch.set_rng_state(drawn[0])
        if len(drawn) > 1:
            torch.cuda.set_rng_state(drawn[1], self.model.device)

    def counts(self) -> dict[str, Any]:
        """Returns the counts so far. Steps include the steps of episodes that were cut."""
        return {
            "completed": self.cycle.completed,
            "steps": self.model.num_timesteps,
            "updates": self.model._n_updates,
            "cut_episodes": self.cycle.cut_episodes,
            "cut_steps": self.cycle.cut_steps,
        }

    def barrier(self) -> None:
        """Scores the policy, writes a checkpoint, and restarts the environment."""
        self.cycle.cut()
        model = self.store.put(self.weights())
        record = {
            **self.counts(),
            "completed": list(self.cycle.completed),
            "model": model,
        }
        answer = self.channel.evaluate(**record)
        record |= {"values": answer["values"], "score": answer["score"]}
        self.evaluations.append(record)
        self.store.save(
            {
                "schema": SCHEMA,
                "settings": self.settings,
                "digest": digest_of(canonical(self.settings)),
                **self.counts(),
                "model": model,
                "finished": self.finished,
                "evaluations": self.evaluations,
                "best": self.best(),
                "generators": self.generators(),
                "versions": versions(),
            }
        )
        self.channel.say("evaluation", **record)
        self.model._last_obs = None  # the next rollout begins with a reset

    def best(self) -> dict[str, Any]:
        """Returns the evaluation with the highest score, the first among equals."""
        return max(self.evaluations, key=lambda record: record["score"])

    def resume(self, state: dict[str, Any], model: bytes) -> None:
        """Restores a checkpoint. Generators come last, because building the model used them."""
        if state["schema"] != SCHEMA:
            raise Refused(
                "settings", f"the checkpoint has schema {state['schema']}, not {SCHEMA}"
            )
        same_settings(state["settings"], self.settings)
        self.model.set_parameters(io.BytesIO(model), device=self.model.device)
        self.model.num_timesteps = state["steps"]
        self.model._n_updates = state["updates"]
        self.cycle.completed = list(state["completed"])
        self.cycle.cut_episodes = state["cut_episodes"]
        self.cycle.cut_steps = state["cut_steps"]
        self.budget.completed = sum(state["completed"])
        self.evaluations = state["evaluations"]
        self.finished = state["finished"]
        self.restore_generators(state["generators"])

    # Training

    def rollout(self) -> None:
        """Collects one rollout and learns from it. The last rollout of a run is dropped."""
        began, steps = time.monotonic(), self.model.num_timesteps
        self.model.learn(
            self.settings["n_steps"], callback=self.budget, reset_num_timesteps=False
        )
        self.finished = self.budget.completed >= self.settings["resets"]
        if self.finished:
            return
        seconds = time.monotonic() - began
        returns = [episode["r"] for episode in self.model.ep_info_buffer or ()]
        losses = {
            name.removeprefix("train/"): float(value)
            for name, value in self.model.logger.name_to_value.items()
            if name.startswith("train/")
        }
        self.channel.say(
            "progress",
            **self.counts(),
            fps=round((self.model.num_timesteps - steps) / seconds),
            mean_return=sum(returns) / len(returns) if returns else None,
            losses=losses,
        )

    def run(self) -> None:
        """Trains until the budget is used up."""
        every = self.settings["barrier"]
        while not self.finished:
            due = (self.budget.completed // every + 1) * every
            while self.budget.completed < due and not self.finished:
                self.rollout()
            self.barrier()
        best = self.best()
        self.channel.say(
            "done", **self.counts(), best=best["model"], score=best["score"]
        )


def train(job: dict[str, Any], channel: Channel) -> None:
    """Does a job, or the rest of a job."""
    settings = job["settings"]
    check_settings(settings)
    check_packages(job["packages"])
    store = Store(Path(job["directory"]))
    trainer = Trainer(
        settings, store, channel, *([drawing()] if job.get("drawn") else [])
    )
    if (checkpoint := store.newest()) is not None:
        trainer.resume(*checkpoint)
    channel.say(
        "start",
        digest=digest_of(canonical(settings)),
        versions=versions(),
        parameters=trainer.parameters(),
        **trainer.counts(),
        evaluations=trainer.evaluations,
    )
    trainer.run()


def main(text: str) -> int:
    """Does the job and returns the exit status: 2 for a wrong job. Other errors are raised."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    channel = Channel(out, sys.stdin)
    try:
        train(json.loads(text), channel)
    except Refused as e:
        channel.say("error", kind=e.kind, message=str(e))
        return 2
    except ModuleNotFoundError as e:
        channel.say("error", kind="missing", message=f"{e.name} is not installed")
        return 2
    except Exception as e:
        channel.say("error", kind="broken", message=f"{type(e).__name__}: {e}")
        raise
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
