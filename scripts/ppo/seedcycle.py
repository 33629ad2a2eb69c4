"""An environment that visits its training seeds in turn and counts the episodes it completed."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium


class SeedCycle(gymnasium.Wrapper):
    """Each episode is a fresh environment, reset with the seed that has the fewest episodes.

    Without it stable-baselines3 trains on ever new seeds: only its first reset is seeded. The inner
    environment is made anew because some (Bipedal Walker) keep state over a reset.
    """

    def __init__(
        self,
        make: Callable[[], gymnasium.Env],
        seeds: Sequence[int],
        completed: Sequence[int] = (),
    ) -> None:
        """completed holds the episodes of each seed that an earlier process finished."""
        super().__init__(make())
        self.make = make
        self.seeds = list(seeds)
        self.completed = list(completed) or [0] * len(self.seeds)
        self.turn = 0  # index of the seed in use
        self.steps = 0  # of the episode in progress
        self.cut_episodes = 0
        self.cut_steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begins an episode on the next training seed, and ignores the argument seed."""
        self.cut()
        self.env.close()
        self.env = self.make()
        self.turn = self.completed.index(min(self.completed))
        return self.env.reset(seed=self.seeds[self.turn], options=options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Makes one step; the episode counts when it ends, whether by its end or by its limit."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.steps += 1
        info["seed"] = self.seeds[self.turn]
        if terminated or truncated:
            self.completed[self.turn] += 1
            self.steps = 0
        return observation, reward, terminated, truncated, info

    def cut(self) -> None:
        """Gives up the episode in progress: it does not count as completed."""
        if self.steps:
            self.cut_episodes += 1
            self.cut_steps += self.steps
            self.steps = 0
