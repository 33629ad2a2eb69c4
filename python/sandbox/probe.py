"""Prints the paths that this interpreter reads from, as one JSON object.

It runs unconfined, before the confined Python starts, and imports only the standard library. The
launcher then makes only these paths readable.
"""

from __future__ import annotations

import ctypes  # noqa: F401 - the worker needs it, so an interpreter without it fails here
import json
import os
import sys
import sysconfig


def libraries() -> set[str]:
    """Return the directories of the shared libraries loaded so far."""
    with open("/proc/self/maps") as maps:
        files = {line.split(maxsplit=5)[5].strip() for line in maps if "/" in line}
    return {os.path.dirname(file) for file in files if ".so" in os.path.basename(file)}


def main() -> None:
    """Print the paths."""
    paths = sysconfig.get_paths()
    dirs = libraries() | {paths["stdlib"], paths["platstdlib"]}
    dirs |= {path for path in sys.path if os.path.isdir(path)}
    files = {path for path in sys.path if os.path.isfile(path)}
    files |= {sys.executable, os.path.join(sys.prefix, "pyvenv.cfg")}
    report = {
        "version": list(sys.version_info[:2]),
        "executable": sys.executable,
        "program": os.path.realpath(sys.executable),
        "dirs": sorted(path for path in dirs if os.path.isabs(path)),
        "files": sorted(path for path in files if os.path.exists(path)),
    }
    print(json.dumps(report))


main()
