"""Evidence of an episode of Racing Car: its trace, and the picture drawn from it.

A trace is JSON: the road's polygons with their colours, the numbers of touched tiles and of all
tiles, and the pose of the hull after every step of the policy. Lengths are in world units, angles
in radians.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]

GRASS, ROAD, KERB = "#62F972", "#666666", "#FF0000"
VIEW, PATH, ARROW = "#8000FF", "#FFD700", "#FF6A00"
EVERY = 40  # steps of the policy between two fields of view with their arrows
VIEW_ALONG, VIEW_ACROSS, VIEW_AHEAD = 38.0, 46.0, 14.0
ARROW_EAST, ARROW_NORTH, HEAD_WIDTH, HEAD_LENGTH = 3.0, 5.0, 3.0, 4.0


class Trace:
    """Records an episode from the policy's first step."""

    def __init__(self, env: Any) -> None:
        """Keep the environment. finish reads its road, whose colours change in the episode."""
        self.world = env.unwrapped
        self.poses: list[tuple[float, float, float]] = []

    def step(self, env: Any, observation: Any, action: Any, reward: float) -> None:
        """Record the pose after a step of the policy. The opening step is not recorded."""
        hull = self.world.car.hull
        x, y = hull.position
        self.poses.append((float(x), float(y), float(hull.angle)))

    def finish(self) -> bytes:
        """Return the trace."""
        road = [
            [
                [[float(v) for v in vertex] for vertex in polygon],
                [int(c) for c in color],
            ]
            for polygon, color in self.world.road_poly
        ]
        tiles = [self.world.tile_visited_count, len(self.world.track)]
        trace = {"tiles": tiles, "road": road, "poses": self.poses}
        return json.dumps(trace, separators=(",", ":")).encode()


def evidence(job: Any, ask: Callable[..., Sequence[Any]]) -> list[Any]:
    """Return the picture, a PNG, of the trace that ask() returns. Both are arrays of uint8."""
    (trace,) = ask()
    out = io.BytesIO()
    figure = draw(np.asarray(trace, dtype=np.uint8).tobytes())
    figure.savefig(out, format="png", bbox_inches="tight", metadata={"Software": None})
    return [np.frombuffer(out.getvalue(), dtype=np.uint8)]


def draw(trace: bytes) -> Figure:
    """Draw the road, the car's path, and the fields of view along it."""
    import matplotlib as mpl
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.patches import FancyArrow, Patch

    mpl.rcdefaults()  # ignore the user's matplotlibrc
    told = json.loads(trace)
    poses = np.array(told["poses"]).reshape(-1, 3)
    x, y, heading = poses[:, 0], poses[:, 1], poses[:, 2] + np.pi / 2
    shown = [i for i in range(len(poses)) if i % EVERY == 0 or i == len(poses) - 1]

    figure = Figure(figsize=(9, 8), dpi=100)
    axes = figure.add_axes((0.125, 0.13, 0.775, 0.73), facecolor=GRASS)
    axes.set_aspect("equal", adjustable="datalim")
    axes.tick_params(labelsize=8, colors="#444444")
    polygons, colors = zip(*told["road"], strict=True)
    shades = [f"#{r:02X}{g:02X}{b:02X}" for r, g, b in colors]
    road = PolyCollection(polygons, facecolors=shades, edgecolors=shades, linewidths=1)
    axes.add_collection(road)
    views = [view(x[i], y[i], heading[i]) for i in shown]
    axes.add_collection(PolyCollection(views, facecolors=VIEW, alpha=0.1, linewidths=0))
    (path,) = axes.plot(x, y, color=PATH, linewidth=1)
    for i in shown:
        dx, dy = ARROW_EAST * np.cos(heading[i]), ARROW_NORTH * np.sin(heading[i])
        start = x[i] - 0.3 * dx, y[i] - 0.3 * dy
        head = {"head_width": HEAD_WIDTH, "head_length": HEAD_LENGTH}
        axes.add_patch(FancyArrow(*start, dx, dy, **head, color=ARROW))
    axes.autoscale_view()

    visited, tiles = told["tiles"]
    axes.set_title(
        "Trajectory of the car and the areas that it saw\n"
        f"Track completion rate: {100 * visited / tiles:.1f} %"
    )
    key = {
        "Off-track area (grass)": Patch(color=GRASS),
        "Track": Patch(color=ROAD),
        "Kerbs (red and white)": Patch(color=KERB),
        "Visual field": Patch(facecolor=VIEW, alpha=0.3),
        "Trajectory": path,
    }
    place = {
        "loc": "upper center",
        "bbox_to_anchor": (0.5, -0.04),
        "ncols": 5,
        "columnspacing": 1.3,
    }
    figure_key = axes.legend(list(key.values()), list(key), fontsize=9, **place)
    figure_key.get_frame().set_facecolor("#EEEEEE")
    return figure


def view(x: float, y: float, heading: float) -> Points:
    """Return the corners of the policy's field of view in a pose."""
    cos, sin = np.cos(heading), np.sin(heading)
    corners = []
    for along, across in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        ahead = VIEW_AHEAD + along * VIEW_ALONG / 2
        aside = across * VIEW_ACROSS / 2
        corners.append((x + ahead * cos - aside * sin, y + ahead * sin + aside * cos))
    return corners
