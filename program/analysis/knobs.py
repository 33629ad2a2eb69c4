"""Knobs: the float literals of a program that can be tuned."""

from __future__ import annotations

import ast
import math
from typing import Any

from analysis.positions import Text

_KEYWORDS = {"axis", "ndim", "k", "n", "dtype"}  # arguments that are structure
_LEAST = 1e-6  # smaller literals only prevent a division by zero
_MOST = 40  # knobs; later ones in the source are left out


def knobs(tree: Any, text: Text) -> list[dict[str, Any]]:
    """Return start, end and value of float literals, in the order of the source.

    0.0 and 1.0 are left out, and so are literals in subscripts, defaults, decorators,
    annotations and f-strings. A sign is not part of its literal.
    """
    found: list[dict[str, Any]] = []
    todo = [tree]
    while todo:
        node = todo.pop()
        kind = type(node)
        if kind is ast.Constant:
            value = node.value
            if type(value) is float and value != 1.0 and _LEAST < value < math.inf:
                span = text.span(node)
                found.append({"start": span[0], "end": span[1], "value": value})
        elif kind is ast.Subscript:
            todo.append(node.value)
        elif (
            kind is ast.FunctionDef
            or kind is ast.AsyncFunctionDef
            or kind is ast.ClassDef
        ):
            todo.extend(node.body)
        elif kind is ast.Lambda:
            todo.append(node.body)
        elif kind is ast.AnnAssign:
            todo.extend(part for part in (node.target, node.value) if part)
        elif kind is ast.keyword and node.arg in _KEYWORDS or kind is ast.JoinedStr:
            continue
        else:
            todo.extend(ast.iter_child_nodes(node))
    return sorted(found, key=lambda knob: knob["start"])[:_MOST]
