"""Sends Go the state of Racing Car, from which Go draws the observation.

Drawing is 99 % of the cost of a stock step. This module replaces the environment's drawing by a
record of the state, about 230 bytes, from which package tasks/racingcar/draw paints the same bytes.
For the first and then every 200th observation of an episode, it also sends the stock drawing. Go
compares the two, and ends the run if they differ.

tasks/racingcar/view.go reads the state.
"""

from __future__ import annotations

import functools
import importlib.metadata
import math
import struct
from typing import Any

import gymnasium
import numpy as np
import pygame

# Other versions draw other pixels. So does pygame-ce, whose files replace pygame's.
VERSIONS = {"gymnasium": "1.2.3", "box2d": "2.3.10", "pygame": "2.6.1"}

COMPARE_EVERY = 200  # observations between stock drawings

ROAD = 102.0  # the value of each colour channel of a touched tile

# The state: the camera; position and angle of the wheels and the hull; begin and end of the wheels'
# four stripes, NaN if hidden; the bars for speed, four wheels, steering and gyroscope; the score.
STATE = struct.Struct("<3d 20f 8d 7d i")

TURN = 2.0 * math.pi
QUARTERS = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)]
HIDDEN = (math.nan, math.nan)


class View:
    """Records the states of one episode's observations.

    observation returns five values. The first is bytes: the state, and then the numbers (uint16) of
    the tiles that the car has touched since the last observation. Each other value is an array or
    None: the text of a new score, (42, width) uint8; with the first observation, the road's shapes,
    (n, 4, 2) float64, and their colours, (n, 3) uint8; and at times the stock observation,
    (96, 96, 3) uint8.
    """

    def __init__(self, env: gymnasium.Env) -> None:
        refuse_other_drawing()
        self.env: Any = env.unwrapped
        self.stock = self.env._render
        self.env._render = self.note  # step and reset return its result
        self.count = 0
        self.shown: set[int] = set()  # scores whose text Go has

    def observation(self, observation: list[Any]) -> list[Any]:
        """Return the state that note recorded."""
        return observation

    def note(self, mode: str) -> list[Any]:
        """Record the state when the environment would draw it."""
        env = self.env
        road, colours = self.start() if self.count == 0 else (None, None)
        score = int(env.reward)
        text = None
        if score not in self.shown:
            self.shown.add(score)
            text = digits(score)
        state = self.state(score) + self.touched()
        stock = self.stock(mode) if self.count % COMPARE_EVERY == 0 else None
        self.count += 1
        return [state, text, road, colours, stock]

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Keep the objects that last for the episode, and return the road."""
        env = self.env
        self.hull, self.wheels = env.car.hull, env.car.wheels
        # Transforms refer to the engine's memory, so they change with the bodies.
        transforms = [body.transform for body in [*self.wheels, self.hull]]
        self.places = [(t.position, t.q) for t in transforms]
        # The environment changes a tile's colour in place. Kerbs' colours are tuples.
        colours = [[int(c) for c in colour] for _, colour in env.road_poly]
        self.untouched = [
            (number, memoryview(colour))
            for number, (_, colour) in enumerate(env.road_poly)
            if isinstance(colour, np.ndarray) and colour[0] != ROAD
        ]
        road = np.array([shape for shape, _ in env.road_poly], dtype=np.float64)
        return road, np.array(colours, dtype=np.uint8)

    def touched(self) -> bytes:
        """Return the numbers of the tiles that have the road's colour since the last call."""
        new = [number for number, colour in self.untouched if colour[0] == ROAD]
        if not new:
            return b""
        self.untouched = [tile for tile in self.untouched if tile[0] not in new]
        return struct.pack(f"<{len(new)}H", *new)

    def state(self, score: int) -> bytes:
        """Pack the values that change with each step."""
        env, hull, wheels = self.env, self.hull, self.wheels
        zoom = 0.1 * 6.0 * max(1 - env.t, 0) + 2.7 * 6.0 * min(env.t, 1)
        places = [n for p, q in self.places for n in (p.x, p.y, q.s, q.c)]
        stripes = [cosine for wheel in wheels for cosine in stripe(wheel.phase)]
        vx, vy = hull.linearVelocity
        bars = (
            math.sqrt(vx * vx + vy * vy),
            *[wheel.omega for wheel in wheels],
            wheels[0].joint.angle,
            hull.angularVelocity,
        )
        return STATE.pack(*camera(-hull.angle), zoom, *places, *stripes, *bars, score)


def camera(angle: float) -> tuple[float, float]:
    """Return the cosine and the sine of an angle as in pygame's Vector2.rotate_rad."""
    angle = math.fmod(angle, TURN)
    if angle < 0.0:
        angle += TURN
    if math.fmod(angle + 1e-6, math.pi / 2.0) < 2e-6:
        return QUARTERS[int((angle + 1e-6) / (math.pi / 2.0))]
    return math.cos(angle), math.sin(angle)


def stripe(phase: float) -> tuple[float, float]:
    """Return the two cosines of a wheel's stripe, as in the car's draw method."""
    s1, s2 = math.sin(phase), math.sin(phase + 1.2)
    if s1 > 0 and s2 > 0:
        return HIDDEN
    c1, c2 = math.cos(phase), math.cos(phase + 1.2)
    return sign(c1) if s1 > 0 else c1, sign(c2) if s2 > 0 else c2


def sign(value: float) -> float:
    """Return -1, 0 or 1."""
    return float((value > 0) - (value < 0))


texts: dict[int, np.ndarray] = {}  # by score


def digits(score: int) -> np.ndarray:
    """Return a score's text in grey, 42 rows. Kerning depends on neighbouring digits."""
    if score not in texts:
        pygame.font.init()
        font = pygame.font.Font(pygame.font.get_default_font(), 42)
        text = font.render(f"{score:04d}", True, (255, 255, 255), (0, 0, 0))
        texts[score] = np.ascontiguousarray(
            pygame.surfarray.array2d(text).T, dtype=np.uint8
        )
    return texts[score]


@functools.cache
def refuse_other_drawing() -> None:
    """Raise an error if Go's drawing differs from the stock drawing here."""
    found = {name: importlib.metadata.version(name) for name in VERSIONS}
    wrong = [
        f"{name} {found[name]}, not {want}"
        for name, want in VERSIONS.items()
        if found[name] != want
    ]
    if hasattr(pygame, "IS_CE"):
        wrong.append("pygame-ce instead of pygame")
    if (backend := pygame.transform.get_smoothscale_backend()) != "SSE":
        wrong.append(f"pygame scales pictures with {backend}, not SSE")
    if wrong:
        raise RuntimeError(
            "this machine's Racing Car draws other pixels than the native drawing: "
            + "; ".join(wrong)
            + " (use --set renderer=stock)"
        )
