"""Prints the sizes of asp's greedy construction, and the digest of its members."""

import hashlib
import sys

sys.path[:0] = [".", "../../python"]

import asp
import numpy as np

for name, priority in [
    ("constant", lambda el, n: 1),
    ("sum_of_entries", lambda el, n: float(sum(el))),
    (
        "adjacent_pairs",
        lambda el, n: sum(1.0 for i in range(n) if el[i] and el[i - 1]) - 0.01 * el[0],
    ),
]:
    for n, w in (12, 7), (15, 10):
        words = asp.children(n, w)
        vectors = [sum((asp.TRIPLES[t] for t in word), ()) for word in words]
        taken = asp.greedy(words, np.array([priority(el, n) for el in vectors]))
        sha = hashlib.sha256(taken.astype("int32").tobytes()).hexdigest()
        print(name, n, len(words), len(taken), sha[:16])
