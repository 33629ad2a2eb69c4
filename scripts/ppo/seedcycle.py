"""An environment that visits its training seeds in turn and counts the completed episodes."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium


class SeedCycle(gymnasium.Wrapper):
    """Plays each episode in a new environment, on the seed with the fewest completed episodes.

    By itself, stable-baselines3 seeds only the first reset, and then trains on other seeds. The
    inner environment is new each time because some environments, such as Bipedal Walker, keep state
    after a reset.
    """

    def __init__(
        self,
        make: Callable[[], gymnasium.Env],
        seeds: Sequence[int],
        completed: Sequence[int] = (),
    ) -> None:
        """completed has the number of each seed's episodes that an earlier process completed."""
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
        """Begins an episode on the next training seed. It ignores the argument seed."""
        self.cut()
        self.env.close()
        self.env = self.make()
        self.turn = self.completed.index(min(self.completed))
        return self.env.reset(seed=self.seeds[self.turn], options=options)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Makes one step. An episode is completed when it terminates or is truncated."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self.steps += 1
        info["seed"] = self.seeds[self.turn]
        if terminated or truncated:
            self.completed[self.turn] += 1
            self.steps = 0
        return observation, reward, terminated, truncated, info

    def cut(self) -> None:
        """Ends the episode in progress, which does not count as completed."""
        if self.steps:
            self.cut_episodes += 1
            self.cut_steps += self.steps
            self.steps = 0
