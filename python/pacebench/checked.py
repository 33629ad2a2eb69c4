"""Checks the answers of programs to the evaluators of LLM4AD.

Without the checks, an evaluator accepts answers that are not solutions: it misses a facility that
is left out, a city visited twice under another number, or an item that overlaps another one. A
check gets the arguments of one call, which are the evaluator's own state, and the answer. It
returns the answer or raises Invalid. If every answer is one of the choices that the evaluator
offers, the result is a solution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pacebench.task import Function, Invalid, has_text, index, told

Check = Callable[[tuple[Any, ...], Any], Any]
LONGEST = 10_000  # the most parts of an item


class Checked:
    """A candidate's function whose answers are checked."""

    def __init__(self, function: Function, check: Check) -> None:
        """Begin with a function that has not been called."""
        self.function, self.check = function, check
        self.refused: Invalid | None = None  # kept because an evaluator may catch it

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function, or raise the earlier refusal again."""
        if self.refused:
            raise self.refused
        answer = self.function(*arguments, **keywords)
        try:
            return self.check(arguments, answer)
        except Invalid as error:
            self.refused = error
            raise


def key(value: Any) -> Any:
    """Return the value by which items are compared."""
    if isinstance(value, (list, tuple)):
        if len(value) > LONGEST:
            raise Invalid(f"{told(value)} of {len(value)} parts is not an item")
        return type(value), [key(part) for part in value]
    if isinstance(value, (int, float, np.integer, np.floating)):
        return float(value) if isinstance(value, (float, np.floating)) else int(value)
    raise Invalid(f"{told(value)} is not a number")


def chosen(value: Any, offered: Sequence[Any]) -> Any:
    """Return the offered item that equals a value."""
    wanted = key(value)
    for item in offered:
        if key(item) == wanted:
            return item
    raise Invalid(f"{str(value)[:60]} is not an item that is left")


def node(value: Any, offered: Any) -> Any:
    """Return the offered node that equals a value."""
    number = key(value)
    if number not in np.asarray(offered).tolist():
        raise Invalid(f"{number!s:.40} is not a node that may come next")
    return value if type(value) is int else np.int64(number)


def pair(value: Any) -> tuple[Any, Any]:
    """Return the two parts of an answer."""
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != 2:
        raise Invalid(f"{told(value)} is not a pair")
    return value[0], value[1]


def real(value: Any) -> np.ndarray:
    """Return real numbers as an array."""
    try:
        made = None if has_text(value) else np.asarray(value)
    except (ValueError, TypeError):
        made = None
    if made is None or made.dtype.kind not in "biuf":
        raise Invalid(f"{told(value)} is not real numbers")
    return made


def number(_: tuple[Any, ...], value: Any) -> Any:
    """Check one real number."""
    if real(value).size != 1:
        raise Invalid(f"{told(value)} is not one number")
    return value


def torque(_: tuple[Any, ...], value: Any) -> Any:
    """Check the action of a continuous control task."""
    made = real(value)
    if made.size != 1 or np.isnan(made).any():
        raise Invalid(f"{told(value)} is not one number")
    return value


def action(_: tuple[Any, ...], value: Any) -> Any:
    """Check one of three actions."""
    chosen_action = index(value, 3)
    return chosen_action if type(value) is int else np.int64(chosen_action)


def priorities(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check one real number for each bin."""
    made, bins = real(value), len(arguments[1])
    if made.size != bins:
        raise Invalid(f"{made.size} priorities for {bins} bins")
    return made


def prediction(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check one real number for each observation, or one for all."""
    made, rows = real(value), np.shape(arguments[0])[-1]
    last = made.shape[-1] if made.ndim else 1
    if made.size not in (1, rows) or made.size != last:
        raise Invalid(f"an array of shape {made.shape} for {rows} observations")
    return value


def city(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check an unvisited city."""
    return node(value, arguments[2])


def stop(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check that the stop is a customer who may come next, or the depot."""
    return node(value, [0, *np.asarray(arguments[2]).tolist()])


def operation(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check a feasible operation."""
    return chosen(value, arguments[1])


def packed(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check an item that is left, or None."""
    return None if value is None else chosen(value, arguments[1])


def bin_1d(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check an item that is left and a bin with room for it."""
    (item, place), (items, rooms) = pair(value), arguments
    item = chosen(item, items)
    if place is None:
        raise Invalid("an item is left out")
    place = index(place, len(rooms))
    if rooms[place] < item:
        raise Invalid(f"bin {place} has no room for an item of size {item}")
    return item, place


def bin_2d(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check an item that is left and a bin in which it finds a place.

    The evaluator takes the first place with free edges, and does not check its inside. If there is
    none, the evaluator takes a place in another bin, and checks only its corners.
    """
    (item, place), (items, matrices) = pair(value), arguments
    item = chosen(item, items)
    if place is None:
        raise Invalid("an item is left out")
    place = index(place, len(matrices))
    taken, (wide, high) = np.array(matrices[place], "int64"), map(int, item)
    across, along = (
        np.insert(np.cumsum(taken, axis=axis), 0, 0, axis=axis) for axis in (0, 1)
    )
    rows = across[wide:] - across[:-wide]  # taken points of each row of the item
    columns = along[:, high:] - along[:, :-high]
    last_x, last_y = taken.shape[0] - wide + 1, taken.shape[1] - high + 1
    free = (rows[:, :last_y] == 0) & (rows[:, high - 1 :] == 0)
    free &= (columns[:last_x] == 0) & (columns[wide - 1 :] == 0)
    places = np.argwhere(free)
    if not len(places):
        raise Invalid(f"bin {place} has no room for an item of size {wide} × {high}")
    x, y = places[0]
    if taken[x : x + wide, y : y + high].any():
        raise Invalid(
            f"an item of size {wide} × {high} would cover another in bin {place}"
        )
    return item, place


def assignment(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check a customer who is left and a facility with capacity for it."""
    customer, facility = pair(value)
    _, customers, rooms, demands, _ = arguments
    if customer is None or facility is None:
        raise Invalid("a customer is left out")
    customer = chosen(customer, customers)
    facility = index(facility, len(rooms))
    if rooms[facility] < demands[customer]:
        raise Invalid(f"facility {facility} has no capacity for customer {customer}")
    return customer, facility


def places(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check an assignment: for each facility a location of its own, or -1."""
    count = len(arguments[0])
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != count:
        raise Invalid(f"{told(value)} is not a location for each of {count} facilities")
    numbers = [index(part, count) if key(part) != -1 else -1 for part in value]
    assigned = [n for n in numbers if n >= 0]
    if len(set(assigned)) < len(assigned):
        raise Invalid("two facilities have one location")
    return numbers


def subset(arguments: tuple[Any, ...], value: Any) -> Any:
    """Check a subset that is left. None is valid if no subset covers an element that is left."""
    _, subsets, elements = arguments
    if value is not None:
        return chosen(value, subsets)
    if not set(elements).isdisjoint(e for s in subsets for e in s):
        raise Invalid("an element is left out that a subset covers")
    return None


CHECKS: dict[str, Check] = {
    "acrobot": action,
    "admissible_set": number,
    "bactgrow": prediction,
    "bp_1d_construct": bin_1d,
    "bp_2d_construct": bin_2d,
    "car_mountain": action,
    "car_mountain_continue": torque,
    "cflp_construct": assignment,
    "cvrp_construct": stop,
    "feynman_srsd": prediction,
    "jssp_construct": operation,
    "knapsack_construct": packed,
    "online_bin_packing": priorities,
    "oscillator1": prediction,
    "oscillator2": prediction,
    "ovrp_construct": stop,
    "pendulum": torque,
    "qap_construct": places,
    "set_cover_construct": subset,
    "stresstrain": prediction,
    "tsp_construct": city,
    "vrptw_construct": stop,
}
