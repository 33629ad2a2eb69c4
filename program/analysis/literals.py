"""Literals: the values of assignments that ast.literal_eval accepts, for JSON."""

from __future__ import annotations

import ast
import math
from typing import Any

_LITERAL = (ast.Constant, ast.Dict, ast.List, ast.Tuple, ast.UnaryOp)


def literal(node: Any) -> Any:
    """Return the value of a literal; None for other expressions and for None itself.

    Tuples become lists. A dictionary becomes a list of pairs, in its order, without the
    entries that are not literals. Numbers are finite. Sets, bytes and complex numbers are refused.
    """
    if type(node) not in _LITERAL:
        return None
    if type(node) is not ast.Dict:
        return _evaluated(node)
    pairs: dict[str, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        name, held = _evaluated(key), _evaluated(value)
        if type(name) is str and held is not None:
            pairs[name] = held
    return list(pairs.items())


def _evaluated(node: Any) -> Any:
    try:
        return _plain(ast.literal_eval(node))
    except (ValueError, TypeError, OverflowError, RecursionError):
        return None


def _plain(value: Any) -> Any:
    """Return a value for JSON; raise ValueError or OverflowError for others."""
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float) and math.isfinite(value):
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    raise ValueError
