"""Finds and runs the files of a task or a method in Python. Standard library only."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.abc
import importlib.util
import os
import re
import sys
import types
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder


def source_of(path: str) -> str:
    """Return the text of a Python file, decoded as CPython decodes it."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        return importlib.util.decode_source(data)
    except (SyntaxError, UnicodeDecodeError) as error:
        text, line = getattr(error, "msg", str(error)), 1
        try:
            data.decode()  # SyntaxError does not name the byte
        except UnicodeDecodeError as at:
            text = f"byte {data[at.start]:#x} is not UTF-8"
            line = data.count(b"\n", 0, at.start) + 1
    wrong = SyntaxError(text, (path, line, None, None))
    wrong.add_note(
        "save it as UTF-8, or name its encoding in line 1: # coding: latin-1"
    )
    raise wrong


@functools.cache
def is_own(file: str, folder: str) -> bool:
    """Report whether a file is in a folder, but not in a Python environment in the folder."""
    inside = os.path.join(folder, "")
    pythons = [
        p + os.sep for p in (sys.prefix, sys.base_prefix) if p.startswith(inside)
    ]
    return (
        bool(folder) and file.startswith(inside) and not file.startswith(tuple(pythons))
    )


class Elsewhere(importlib.abc.MetaPathFinder):
    """Lets Python and packages import their own modules, not files of the main file's folder.

    The folder may contain a queue.py, and the main file may be queue.py itself. Files in the folder
    import the folder's modules first, but not the main file.
    """

    def __init__(self, main: str) -> None:
        """Take the main file."""
        self.folder = os.path.dirname(main)
        self.name = os.path.basename(main).removesuffix(".py")

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        _: types.ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return the spec of a module outside of the folder, or None."""
        if path is not None or fullname != self.name and self.asked_by_own():
            return None
        return PathFinder.find_spec(fullname, [p for p in sys.path if p != self.folder])

    def asked_by_own(self) -> bool:
        """Report whether a file of the folder contains the import."""
        frame = sys._getframe(2)
        while frame and frame.f_globals.get("__name__", "").startswith("importlib"):
            frame = frame.f_back  # type: ignore[assignment]
        return bool(frame) and is_own(frame.f_code.co_filename, self.folder)


def run_file(path: str, source: str) -> dict[str, object]:
    """Run a main file as a module, and return its names.

    The module has the file's name, followed by _main if Python or a package has a module of that
    name.
    """
    folder, name = os.path.split(path.removesuffix(".py"))
    elsewhere = Elsewhere(path)
    sys.path.insert(0, folder)
    sys.meta_path.insert(0, elsewhere)
    taken = name in sys.modules or name in sys.stdlib_module_names
    if taken or elsewhere.find_spec(name, None):
        name += "_main"
    module = sys.modules[name] = types.ModuleType(name)
    module.__file__ = path
    code = compile(source, path, "exec", dont_inherit=True)
    exec(code, module.__dict__)  # noqa: S102 - the file is trusted code
    return module.__dict__


# Names of packages by the names of their modules, if the two names differ.
PACKAGES = {
    "Bio": "biopython",
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python-headless",
    "dateutil": "python-dateutil",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


def lacking(error: ImportError) -> str:
    """Return the package that has the missing module, or "" if the package is unknown."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    name = error.name.partition(".")[0]
    if name in sys.modules or name in sys.stdlib_module_names:
        return ""
    return PACKAGES.get(name, name.replace("_", "-"))


def one_line(error: BaseException, most: int = 300) -> str:
    """Return an exception in one line."""
    try:
        text = re.sub(r"\s+", " ", str(error)).strip()
    except Exception:  # noqa: BLE001 - an exception's own __str__ may raise
        text = ""
    name = type(error).__name__
    return f"{name}: {text[:most]}" if text else name


def shown(value: object, most: int = 100) -> str:
    """Return a value for a message. Python refuses to write an int of thousands of digits."""
    try:
        return repr(value)[:most]
    except ValueError:
        return "an int that is too long to be written"


def own_modules(main: str) -> list[str]:
    """Return the files in its folder that a main file imports, directly or indirectly."""
    folder = os.path.dirname(main)
    found: set[str] = set()
    todo = [main]
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or ""
        if is_own(file, folder) and file.endswith(".py"):
            todo.append(file)
    while todo:
        path = todo.pop()
        if path not in found:
            found.add(path)
            todo += imported_by(path, folder)
    return sorted(found - {main})


def imported_by(path: str, folder: str) -> list[str]:
    """Return the files in a folder that the imports of one of its files name."""
    tree = ast.parse(source_of(path), path)
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
