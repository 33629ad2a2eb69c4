"""Items arrive one by one, and each goes into a bin at once and for good. Bins have one
capacity, and every item fits into an unopened bin. Design the function that rates the bins
for the item that has arrived: it goes into the bin rated highest, the first one among
equals. The fewer bins are used at the end, the better. Sizes of items are integers. A score
is the number of bins beyond a lower bound, in percent of it. NumPy is imported as np."""

import hashlib

import numpy as np
from pacebench.task import Invalid, Task, index

# Files of MCTS-AHD (at ee9c4f4) in the order of the stream: items, instances, half of
# their SHA-256.
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
TRAIN = [("train-1k", 100), ("train-1k", 500), ("train-5k", 100), ("train-5k", 500)]

task = Task(
    name="obp-weibull",
    title="OBP-Weibull",
    unit="bins beyond the lower bound, %",
    goal="minimize",
    splits={"train": 4, **dict.fromkeys(TESTS, 5)},
    cpu={"train": 60, **dict.fromkeys(TESTS, 600)},
)


def draw():
    """Draw all files, and hold them to the published ones."""
    stream, drawn = np.random.RandomState(1234), {}
    for name, (items, count, digest) in BLOCKS.items():
        sizes = np.clip(stream.weibull(3, (count, items)) * 45, None, 100)
        drawn[name] = np.round(sizes).astype("int64")
        if hashlib.sha256(drawn[name].tobytes()).hexdigest()[:32] != digest:
            raise ValueError(f"the items of {name} are not the published ones")
    return drawn


FILES = draw()


@task.template
def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    """Rate the bins that have room for an item.

    Args:
        item: size of the item, a NumPy float from 1 to 100 without a fraction.
        bins_remain_cap: int64 array of shape (m,), m >= 1: the remaining capacities of all
            bins that have room for the item, in the order of the bins, unopened ones included.

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
        answer = priority(np.float64(item), bins[fits])
        try:
            rated = np.asarray(answer, "float64")
        except (TypeError, ValueError, OverflowError):
            return "the ratings are not numbers"
        if rated.shape != fits.shape:
            return f"ratings of shape {rated.shape} for {len(fits)} bins"
        best = rated.argmax()
        if rated[best] != rated[best]:
            return "a rating is NaN"
        bins[fits[best]] -= item
        return int(fits[best])

    return choose


@task.instance
def items(split, number):
    name, capacity = TRAIN[number] if split == "train" else (split, int(split[-3:]))
    bound = np.ceil(FILES[name].sum(axis=1) / capacity).mean()
    return FILES[name][0 if split == "train" else number], capacity, float(bound)


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
