"""Evidence of an episode of Bipedal Walker: its trace, four panels and twelve records.

A trace is JSON: the end of the episode in words, and one row of numbers for every step, in the
order of COLUMNS. Lengths are in world units. Other numbers have the environment's scaling.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

START_X, PAD_Y, GOAL_X = 14 / 3, 10 / 3, 266 / 3
COLUMNS = ["x", "y"]  # of the hull
COLUMNS += ["angle", "spin", "forward", "upward", "left foot", "right foot"]
COLUMNS += ["left hip", "left knee", "right hip", "right knee", "reward"]
OBSERVED = [0, 1, 2, 3, 8, 13]  # entries of the observation in COLUMNS
RECORDS = 12
FEET = {"left foot": "#0072B2", "right foot": "#D55E00"}


class Trace:
    """Records an episode from its reset."""

    def __init__(self, env: Any) -> None:
        """Keep the environment."""
        self.world = env.unwrapped
        self.rows: list[list[float]] = []

    def step(self, env: Any, observation: Any, action: Any, reward: float) -> None:
        """Record a step: the environment's action, and the state after it."""
        x, y = self.world.hull.position
        seen = (observation[i] for i in OBSERVED)
        self.rows.append([float(v) for v in (x, y, *seen, *action, reward)])

    def finish(self) -> bytes:
        """Return the trace."""
        x = self.rows[-1][0]
        ended = "time limit"
        if self.world.game_over:
            ended = "fell"
        elif x < 0:
            ended = "walked off the left end"
        elif x > GOAL_X:
            ended = "reached the goal"
        trace = {"ended": ended, "steps": self.rows}
        return json.dumps(trace, separators=(",", ":")).encode()


def evidence(job: Any, ask: Callable[..., Sequence[Any]]) -> list[Any]:
    """Return the picture, a PNG, and the records of the trace that ask() returns.

    All three are arrays of uint8; the records are UTF-8.
    """
    (array,) = ask()
    trace = np.asarray(array, dtype=np.uint8).tobytes()
    out = io.BytesIO()
    draw(trace).savefig(out, format="png", metadata={"Software": None})
    files = [out.getvalue(), records(trace).encode()]
    return [np.frombuffer(file, dtype=np.uint8) for file in files]


def read(trace: bytes) -> tuple[str, dict[str, np.ndarray]]:
    """Return how the episode ended, and the columns of its trace.

    The columns position and height replace x and y. They are relative to the start.
    """
    told = json.loads(trace)
    table = np.array(told["steps"], dtype=np.float64)
    columns = dict(zip(COLUMNS, table.T, strict=True))
    columns["position"] = columns.pop("x") - START_X
    columns["height"] = columns.pop("y") - PAD_Y
    return told["ended"], columns


def records(trace: bytes) -> str:
    """Return up to twelve steps, spread evenly over the episode, one line each."""
    _, c = read(trace)
    last = len(c["reward"]) - 1

    def numbers(i: int, *names: str) -> str:
        return " ".join(f"{c[name][i]:z.3f}" for name in names)

    lines = []
    for i in sorted({round(j * last / (RECORDS - 1)) for j in range(RECORDS)}):
        parts = [
            f"step {i}: position {numbers(i, 'position')}, height {numbers(i, 'height')}",
            f"observation[0..3] {numbers(i, 'angle', 'spin', 'forward', 'upward')}",
            f"contacts {c['left foot'][i]:.0f} {c['right foot'][i]:.0f}",
            f"torques {numbers(i, 'left hip', 'left knee', 'right hip', 'right knee')}",
            f"reward {numbers(i, 'reward')}",
        ]
        lines.append(", ".join(parts) + "\n")
    return "".join(lines)


def draw(trace: bytes) -> Figure:
    """Draw position, height, velocity and torque over the steps, under a banner of totals."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcdefaults()  # ignore the user's matplotlibrc
    ended, c = read(trace)
    steps = np.arange(len(c["reward"]))
    torques = [c[name] for name in ("left hip", "left knee", "right hip", "right knee")]

    figure = Figure(figsize=(9, 7), dpi=100)
    banner = (
        f"Return {c['reward'].sum():z.2f}    Displacement {c['position'][-1]:z.2f}    "
        f"End: {ended}, {len(steps)} step{'s' if len(steps) != 1 else ''}"
    )
    box = {"boxstyle": "round,pad=0.5", "facecolor": "#EEEEEE", "edgecolor": "#BBBBBB"}
    figure.text(0.5, 0.955, banner, ha="center", va="center", fontsize=12, bbox=box)
    panels = figure.subplots(2, 2)
    for axes, title, unit in (
        (panels[0, 0], "Forward position", "position (0 = start)"),
        (panels[0, 1], "Torso height", "height above the start pad"),
        (panels[1, 0], "Forward velocity", "observation[2]"),
        (panels[1, 1], "Torque", "norm of the action"),
    ):
        axes.set_title(title, fontsize=11)
        axes.set_xlabel("step", fontsize=9)
        axes.set_ylabel(unit, fontsize=9)
        axes.tick_params(labelsize=8)
        axes.grid(color="#E5E5E5", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.set_xlim(0, max(1, len(steps) - 1))

    line = {"color": "#333399", "linewidth": 1.2}
    position, height, velocity, torque = panels.flat
    position.plot(steps, c["position"], **line)
    position.axhline(GOAL_X - START_X, color="#009E73", linestyle="--")
    position.annotate(
        "goal, 84.0",
        (0.02, GOAL_X - START_X - 2),
        xycoords=position.get_yaxis_transform(),
        va="top",
        fontsize=8,
        color="#007856",
    )
    height.plot(steps, c["height"], **line)
    shade(height, steps, c)
    velocity.plot(steps, c["forward"], **line)
    velocity.axhline(0, color="#777777", linestyle="--", linewidth=1)
    torque.plot(steps, np.sqrt(sum(t * t for t in torques)), **line)
    torque.set_ylim(-0.04, 2.04)
    figure.subplots_adjust(left=0.08, right=0.975, top=0.875, bottom=0.07, hspace=0.3)
    return figure


def shade(axes: Axes, steps: np.ndarray, c: dict[str, np.ndarray]) -> None:
    """Mark the steps in which a foot touches the ground, in a strip for each foot."""
    for row, (foot, color) in enumerate(FEET.items()):
        low, high = 0.03 * row, 0.03 * (row + 1)  # of the panel's height
        touching = c[foot] > 0.5
        axes.fill_between(
            steps - 0.5,
            low,
            high,
            touching,
            step="post",
            color=color,
            linewidth=0,
            transform=axes.get_xaxis_transform(),
            label=f"{foot} on the ground",
        )
    low, high = axes.get_ylim()
    room = high - low  # a part of it is added for the strips below and the legend above
    axes.set_ylim(low - 0.1 * room, high + 0.15 * room)
    axes.legend(fontsize=8, loc="upper right")
