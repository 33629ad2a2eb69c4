"""Prints this interpreter's version and packages as one JSON object in the last line.

It runs on Python 3.8 and newer, so that errors distinguish an old interpreter from a broken one.
"""

import json
import os
import sys
from types import ModuleType


def canary(np: ModuleType, linalg: "ModuleType | None") -> str:
    """Return a digest of results that depend on the machine, its settings or the packages.

    They are products, eigenvalues and sums; functions of NumPy, in both precisions, and of the C
    library; orders of equal values, which differ between NumPy's kernels for different vector
    units; the type of a product with a float32 scalar, which NumPy 2 promotes differently; and
    eigenvalues by SciPy, which has its own BLAS. The input, integers divided by a power of two, is
    exact.
    """
    import hashlib
    import math

    side = 129  # odd, and too large for the special kernels of BLAS for small matrices
    numbers = (np.arange(side * side, dtype=np.int64) * 7919 + 13) % 1009
    a = (numbers.astype(np.float64) / 1024.0 - 0.5).reshape(side, side)
    parts = [a @ a, np.linalg.eigvalsh(a + a.T), np.exp(a * 8), np.sum(a / 3)]
    parts.append(np.float32(0.1) * 3.0)
    narrow = a.astype(np.float32)
    parts += [
        narrow @ narrow,
        np.sum(narrow / np.float32(3)),
        np.std(narrow),
        np.std(a),
    ]
    for size in 20, 200, side * side:
        for keys in (
            numbers[:size] % 7,
            a.ravel()[:size] % 0.25,
            narrow.ravel()[:size] % 0.25,
        ):
            parts += [np.argsort(keys), np.argpartition(keys, size // 2)]
    x = (np.arange(4096, dtype=np.int64) * 2654435761 % 2**32) / 2.0**28 - 8
    for values in x, x.astype(np.float32):
        positive = np.abs(values) + values.dtype.type(0.125)
        for name in "sin", "cos", "tan", "exp", "expm1", "tanh", "arctan", "cbrt":
            parts.append(getattr(np, name)(values))
        for name in "log", "log2", "log1p", "sqrt", "reciprocal":
            parts.append(getattr(np, name)(positive))
        parts += [np.power(positive, values), np.arctan2(values, positive)]
        parts.append(np.exp(values * 1j).view(values.dtype))  # the C library's sincos
    listed = x.tolist()
    for function in (
        math.sin,
        math.cos,
        math.tan,
        math.exp,
        math.tanh,
        math.atan,
        math.erf,
    ):
        parts.append([function(v) for v in listed])
    for function in math.log, math.log2, math.log10, math.lgamma:
        parts.append([function(abs(v) + 0.125) for v in listed])
    parts.append([math.pow(abs(v) + 0.125, v) for v in listed])
    if linalg is not None:
        parts.append(linalg.eigvalsh(a + a.T))
    digest = hashlib.sha256()
    for part in parts:
        digest.update(np.ascontiguousarray(part, dtype="<f8").tobytes())
    return digest.hexdigest()[:16]


def packages() -> dict:
    """Return the versions of the installed packages by their normalised names.

    It takes them from the names of directories. Reading the packages' metadata would take longer
    than everything else in this probe.
    """
    found = {}
    for path in sys.path:
        for name in os.listdir(path) if os.path.isdir(path) else ():
            if name.endswith(".dist-info") and "-" in name[: -len(".dist-info")]:
                package, version = name[: -len(".dist-info")].rsplit("-", 1)
                found.setdefault(
                    package.lower().replace("_", "-").replace(".", "-"), version
                )
    return found


def main() -> None:
    """Print the report."""
    report = {
        "version": ".".join(map(str, sys.version_info[:3])),
        "executable": sys.executable,
        "implementation": sys.implementation.name,
        "packages": packages(),
    }
    broken = (ImportError, OSError, AttributeError, RuntimeError, ValueError)
    linalg = None
    try:
        from scipy import linalg

        report["scipy"] = sys.modules["scipy"].__version__
    except broken as error:
        report["problem"] = told(error)
    try:
        import numpy

        report["numpy"] = numpy.__version__
        report["canary"] = canary(numpy, linalg)
    except broken as error:
        report["numpy"] = ""
        report["problem"] = told(error)
    print(json.dumps(report))


def told(error: BaseException) -> str:
    """Return the first error of an error's chain, in one short line."""
    while before := error.__cause__ or error.__context__:
        error = before
    return " ".join(str(error).split())[:200] or type(error).__name__


main()
