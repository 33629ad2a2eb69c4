"""Say what this interpreter is and has, as one JSON object in the last line.

Runs on any Python 3, so that one that is too old can be told from one that is broken.
"""

import json
import os
import sys
from types import ModuleType


def canary(np: ModuleType, linalg: "ModuleType | None") -> str:
    """Digest what depends on the machine or on the versions of the packages.

    A product, eigenvalues, exponentials and a sum; what becomes of a float32 scalar, which NumPy 2
    promotes differently; and eigenvalues by SciPy, whose BLAS is another. The input is exact:
    integers below 1009 divided by a power of two.
    """
    import hashlib

    side = 129  # odd, and beyond the small kernels of BLAS
    numbers = (np.arange(side * side, dtype=np.int64) * 7919 + 13) % 1009
    a = (numbers.astype(np.float64) / 1024.0 - 0.5).reshape(side, side)
    parts = [a @ a, np.linalg.eigvalsh(a + a.T), np.exp(a * 8), np.sum(a / 3)]
    parts.append(np.float32(0.1) * 3.0)
    if linalg is not None:
        parts.append(linalg.eigvalsh(a + a.T))
    digest = hashlib.sha256()
    for part in parts:
        digest.update(np.ascontiguousarray(part, dtype="<f8").tobytes())
    return digest.hexdigest()[:16]


def libc() -> str:
    """Return the C library and its version: "glibc 2.36". Empty where it does not say."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, OSError, ValueError):
        return ""


def packages() -> dict:
    """Return the versions of the installed packages by their normalised names.

    The names of the directories tell; to read each package's metadata takes longer than the rest.
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
        "libc": libc(),
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


def told(error: Exception) -> str:
    """Return an error in one short line."""
    return " ".join(str(error).split())[:200] or type(error).__name__


main()
