"""The files that a task or a method in Python consists of. Standard library only."""

from __future__ import annotations

import ast
import hashlib
import os
import sys


def own_modules(main: str) -> list[str]:
    """Return the files of the folder of a main file that it imports, sooner or later."""
    folder = os.path.dirname(main)
    found: set[str] = set()
    todo = [main]
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        if file.startswith(folder + os.sep) and file.endswith(".py"):
            todo.append(file)
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += imported_by(path, folder)
    return sorted(found - {main})


def imported_by(path: str, folder: str) -> list[str]:
    """Return the files in a folder that a file of it names in its imports."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read(), path)
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = os.path.dirname(path)
            for _ in range(node.level - 1):
                above = os.path.dirname(above)
            package = os.path.relpath(above, folder).replace(os.sep, ".").strip(".")
            start = ".".join(filter(None, (package if node.level else "", node.module)))
            names += [f"{start}.{alias.name}".strip(".") for alias in node.names]
    files = []
    for name in names:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            base = os.path.join(folder, *parts[:end])
            files += [base + ".py", os.path.join(base, "__init__.py")]
    return [file for file in files if os.path.isfile(file)]


def digest_of(path: str) -> str:
    """Return the SHA-256 of a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()
