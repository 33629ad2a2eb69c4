"""Items arrive one by one, and each goes into a bin at once and for good. Bins have one
capacity, and every item fits into an unopened bin. Design the function that rates the bins
for the item that has arrived: it goes into the bin rated highest, the first among equals.
The fewer bins are used, the better: a score is how many more than a lower bound, in percent
of it. Sizes of items are integers. NumPy is imported as np."""

import hashlib

import numpy as np
from pacebench.task import Invalid, Task, index

# Files of MCTS-AHD (at ee9c4f4) as the stream has them: items, instances, half the SHA-256.
BLOCKS = {
    "train-5k": (5000, 1, "1e1dfd42ffa6a6949526e241714a49b1"),
    "train-1k": (1000, 1, "a8595ca57ac88beb49bd1069185e6f6b"),
    "val-5k": (5000, 5, "ec1c13d89d00a6a0b4e7776820e11bb9"),
    "val-1k": (1000, 5, "8fc4af7b50e313b6c0e0f6bc43c3859d"),
    "1k-100": (1000, 5, "35bf6b76d9cfdb0561ebb83a183b3ea9"),
    "5k-100": (5000, 5, "1670b3e2ffc478ff9e222f647de98156"),
    "10k-100": (10000, 5, "152f181d176d5b587110d232bdd21261"),
    "1k-500": (1000, 5, "12f272dbf8247861841038e6f3dd14e7"),
    "5k-500": (5000, 5, "c40e79c689c80f76522eb382d6b07a66"),
    "10k-500": (10000, 5, "57cdb0d02ec3006caacc86a3f9457712"),
}
TESTS = ["1k-100", "5k-100", "10k-100", "1k-500", "5k-500", "10k-500"]
SPLITS = {"train": 4, "val": 20, **dict.fromkeys(TESTS, 5)}
FOUR = [("1k", 100), ("1k", 500), ("5k", 100), ("5k", 500)]  # files of training

task = Task(
    name="obp-weibull",
    title="OBP-Weibull",
    unit="bins beyond the lower bound, %",
    goal="minimize",
    splits=SPLITS,
    cpu={split: 60 if split == "train" else 600 for split in SPLITS},
)

stream, FILES = np.random.RandomState(1234), {}
for name, (items, count, digest) in BLOCKS.items():
    sizes = np.clip(stream.weibull(3, (count, items)) * 45, None, 100)
    FILES[name] = np.round(sizes).astype("int64")
    if hashlib.sha256(FILES[name].tobytes()).hexdigest()[:32] != digest:
        raise ValueError(f"the items of {name} are not the published ones")
FILES_OF = {s: [(FILES[f"{s}-{f}"], c) for f, c in FOUR] for s in ("train", "val")}


@task.template
def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    """Rate the bins that have room for an item.

    Args:
        item: size of the item, a NumPy float from 1 to 100 without a fraction.
        bins_remain_cap: int64 array of shape (m,), m >= 1: the room in all bins that the item
            fits into, in the order of the bins, unopened ones included.

    Returns:
        Ratings of these bins, array of shape (m,); infinities are allowed, NaN is not.
    """
    return item - bins_remain_cap


@task.adapter
def chosen(priority):
    """Keep the bins beside the candidate: their capacities need not be sent for every item."""
    bins = np.zeros(0, "int64")

    def choose(item, begin):
        nonlocal bins
        if begin:
            bins = np.full(begin[0], begin[1], "int64")
        fits = np.flatnonzero(bins >= item)
        rated = priority(np.float64(item), bins[fits])
        try:
            rated = np.asarray(rated, "float64")
        except (TypeError, ValueError, OverflowError):
            return "the ratings are not numbers"
        if rated.shape != fits.shape:
            return f"ratings of shape {rated.shape} for {len(fits)} bins"
        if np.isnan(rated[best := rated.argmax()]):
            return "a rating is NaN"
        bins[fits[best]] -= item
        return int(fits[best])

    return choose


@task.instance
def items(split, number):
    if split in TESTS:
        sizes, capacity = FILES[split], int(split[-3:])
    else:
        sizes, capacity = FILES_OF[split][number * 4 // SPLITS[split]]
    bound = np.ceil(sizes.sum(axis=1) / capacity).mean()
    return sizes[number % len(sizes)], capacity, float(bound)


@task.score
def excess(instance, priority):
    sizes, capacity, bound = instance
    bins, begin = [capacity] * len(sizes), (len(sizes), capacity)
    for item in sizes.tolist():
        answer = priority(item, begin)
        if isinstance(answer, str):
            raise Invalid(answer)
        chosen, begin = index(answer, len(bins)), None
        if bins[chosen] < item:
            raise Invalid(f"bin {chosen} has no room for an item of size {item}")
        bins[chosen] -= item
    used = sum(room < capacity for room in bins)
    return 100 * (used - bound) / bound


@task.reference()
def first_fit(item, bins_remain_cap):
    return -np.arange(len(bins_remain_cap))
