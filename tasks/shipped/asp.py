"""A symmetric constant-weight admissible set is built greedily, and the larger it is the
better. Its elements are vectors of n entries from 0 to 2, of which w are not 0, in groups
of three. The search takes the vector of highest priority among those left, the first among
equals, and drops all that can no longer be in one set with those chosen. Design the
function that says how high the priority of a vector is; it is called once for every vector,
before the search. NumPy is imported as np."""

import itertools
from numbers import Real

import numpy as np
from pacebench.task import Invalid, Task

task = Task(
    name="asp",
    title="ASP",
    unit="size of the set",
    digits=1,
    goal="maximize",
    splits={"train": 1, "val": 1, "12-7": 1, "21-15": 1, "24-17": 1},
    cpu={"train": 60, "val": 300, "12-7": 60, "21-15": 600, "24-17": 3600},
)
SIZES = {
    "train": (15, 10),
    "val": (18, 12),
    "12-7": (12, 7),
    "21-15": (21, 15),
    "24-17": (24, 17),
}

# The triples that stand for a group and its rotations, and how many rotations each has.
TRIPLES = [
    (0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 1, 2), (0, 2, 1), (1, 1, 1), (2, 2, 2),
]  # fmt: skip
WEIGHTS = np.array([3 - t.count(0) for t in TRIPLES], "int8")
ROTATIONS = np.array([1, 3, 3, 3, 3, 1, 1])

# Three triples, sorted, of which no rotations make a set admissible.
DIGITS = """000 011 022 033 044 055 066 111 112 122 123 124 133 144 155 166 222 233 244 255
266 333 334 344 345 346 355 366 444 455 466 555 556 566 666"""
BAD = np.zeros((7, 7, 7), bool)
for digits in DIGITS.split():
    for triple in itertools.permutations(map(int, digits)):
        BAD[triple] = True
ALLOWED = (BAD << np.arange(7)).sum(axis=2).astype("uint64")  # third triples, as bits


def children(n, w):
    """Return all words of n / 3 triples with weight w, in the order of a dictionary."""
    words = np.indices((7,) * (n // 3), "int8").reshape(n // 3, -1).T
    return words[WEIGHTS[words].sum(axis=1) == w]


def greedy(words, scores):
    """Return the words that the search takes, in its order."""
    places = 7 * np.arange(words.shape[1], dtype="uint64")
    bits = (np.uint64(1) << (places + words.astype("uint64"))).sum(
        axis=1, dtype="uint64"
    )
    weights, taken = WEIGHTS[words], []
    while len(words):
        best = scores.argmax()
        word, weight = words[best], weights[best]
        left = (weights > weight).any(axis=1) & (weights < weight).any(axis=1)
        for other in taken:  # a word is bad where all its triples are allowed
            bad = (ALLOWED[other, word] << places).sum(dtype="uint64")
            left &= (bits & ~bad) != 0
        taken.append(word)
        words, weights, bits, scores = (
            words[left],
            weights[left],
            bits[left],
            scores[left],
        )
    return np.array(taken)


@task.template
def priority(el: tuple, n: int, w: int) -> float:
    """Say how high the priority of a vector is.

    Args:
        el: the vector, a tuple of n ints from 0 to 2, w of them not 0.
        n: its length, a multiple of 3.
        w: its weight.

    Returns:
        The priority, a finite number.
    """
    return 1.0


@task.adapter
def many(priority):
    """Call the candidate for many vectors at the price of one question."""
    return lambda vectors, n, w: [priority(el, n, w) for el in vectors]


@task.instance
def size(split, number):
    return SIZES[split]


@task.score
def largest(instance, priority):
    n, w = instance
    words, scores = children(n, w), []
    vectors = [sum((TRIPLES[t] for t in word), ()) for word in words.tolist()]
    for start in range(0, len(vectors), 4096):
        scores += priority(vectors[start : start + 4096], n, w)
    for score in scores:
        if not (isinstance(score, (Real, np.bool_)) and abs(score) < np.inf):
            raise Invalid(f"a priority is {score!r:.40}, no finite number")
    taken = greedy(words, np.array(scores))
    return int(ROTATIONS[taken].prod(axis=1).sum())


@task.reference()
def places(el, n, w):
    return -sum((x - 0.6) * 0.9 ** (i % 3 + 0.1 * i) for i, x in enumerate(el))
