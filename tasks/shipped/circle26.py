"""Place 26 circles in the unit square so that the sum of their radii is as large as possible.
Circles must lie inside the square and must not overlap; they may touch. Design the function
that computes their centres and radii. A circle that leaves the square or overlaps by the
error of floating-point numbers costs its size: all radii shrink by it. NumPy is imported as
np, and SciPy may be imported."""

from fractions import Fraction
from itertools import combinations

import numpy as np
from pacebench.task import Invalid, Task, array

CIRCLES = 26
LARGEST = 1e-6  # violation that is put right

task = Task(
    name="circle26",
    title="26 circles",
    unit="sum of radii",
    digits=6,
    goal="maximize",
    splits={"train": 1, "val": 1, "test": 1},
    cpu=60,
)


@task.template
def construct() -> tuple:
    """Place the circles.

    Returns:
        A tuple of their centres, array of shape (26, 2), and radii, array of shape (26,),
        none of them negative.
    """
    places = np.arange(np.zeros([26]).size)
    side = np.ceil(np.sqrt(len(places)))
    x, y = (places % side + 0.5) / side, (places // side + 0.5) / side
    walls = np.minimum(np.minimum(x, 1 - x), np.minimum(y, 1 - y))
    apart = np.hypot(x[:, None] - x, y[:, None] - y)
    np.fill_diagonal(apart, np.inf)
    radii = np.minimum(walls, 0.5 * apart.min(axis=1))
    return np.stack([x, y], axis=1), radii


def violation(centers, radii):
    """Return by how much a circle leaves the square or overlaps, a float64."""
    (x, y), r = centers.T, radii
    i, j = np.triu_indices(CIRCLES, 1)
    apart = np.sqrt((x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2)
    worst = [r - x, r - y, x + r - 1, y + r - 1, (r[i] + r[j] - apart) / 2]
    return max(0.0, float(np.concatenate(worst).max()))


def exact(centers, radii):
    """Report whether a packing is one, in rational numbers."""
    points = [(Fraction(x), Fraction(y)) for x, y in centers.tolist()]
    sizes = [Fraction(r) for r in radii.tolist()]
    for (x, y), r in zip(points, sizes, strict=True):
        if x < r or y < r or x + r > 1 or y + r > 1:
            return False
    for ((x, y), r), ((u, v), s) in combinations(zip(points, sizes, strict=True), 2):
        if (x - u) ** 2 + (y - v) ** 2 < (r + s) ** 2:
            return False
    return True


def accepted(centers, radii):
    """Return the radii, less what makes the packing one, or raise Invalid."""
    if not (np.isfinite(centers).all() and np.isfinite(radii).all()):
        raise Invalid("a number is not finite")
    if radii.min() < 0:
        raise Invalid("a radius is negative")
    worst = violation(centers, radii)
    if worst > LARGEST:
        raise Invalid(f"circles leave the square or overlap by {worst:.3g}")
    shrink, smaller = 0.0, radii
    while not exact(centers, smaller):
        shrink = 2 * shrink or max(worst, 2.0**-53)
        if shrink > LARGEST:
            raise Invalid(f"circles leave the square or overlap after {shrink:.3g}")
        smaller = np.maximum(radii - shrink, 0)
    return smaller


@task.score
def total(number, construct):
    answer = construct()
    if not isinstance(answer, (tuple, list)) or len(answer) not in (2, 3):
        raise Invalid("returned no tuple of centres and radii")
    centers = array(answer[0], (CIRCLES, 2), "float64")
    radii = array(answer[1], (CIRCLES,), "float64")
    radii = accepted(centers, radii)
    circles = np.column_stack([centers, radii]).tolist()
    kept = "\n".join(" ".join(map(float.hex, circle)) for circle in circles)
    return float(sum(map(Fraction, radii.tolist()))), kept + "\n"
