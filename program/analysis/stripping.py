"""Stripping: a function without the statements that only call a given function.

A child that only adds calls with unused results to its parent equals the parent:
its body without these calls has the parent's digest.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from typing import Any

from analysis.calls import Entity
from analysis.definitions import Walk
from analysis.digests import digest
from analysis.scopes import Names
from analysis.tree import parameters

_COMPOUND = frozenset(
    {ast.AsyncFor, ast.AsyncWith, ast.For, ast.If, ast.Try, ast.While, ast.With}
)


def digests_without(node: Any, names: Iterable[str]) -> dict[str, str]:
    """Return digests of a def's body without the calls of each name whose results are unused."""
    found: dict[str, str] = {}
    for name in names:
        body = _Stripping(node, name).strip(node.body)
        if body is None:
            continue
        stripped = copy.copy(node)
        stripped.body = body
        walk = Walk()
        inner = walk.signature(node)
        mark, numbers = len(walk.out), len(walk.numbers)
        walk.body(stripped, inner, Entity())
        tokens = Names(walk, node.name).tokens
        found[name] = digest([*tokens[mark:], "|", *walk.numbers[numbers:]])
    return found


class _Stripping:
    """Removes the statements whose only effect is to call name and ignore the result.

    tainted has the names of results of such calls, stored the names that the function binds
    itself, and loaded the names that are still read.
    """

    def __init__(self, node: Any, name: str) -> None:
        self.tainted = {name}
        names = [n for n in ast.walk(node) if type(n) is ast.Name]
        self.stored = {n.id for n in names if type(n.ctx) is not ast.Load}
        self.stored.update(parameters(node.args))
        self.loaded: set[str] = set()

    def strip(self, body: list[Any]) -> list[Any] | None:
        """Return the body without these statements, or None if it has no such statement."""
        before = -1
        after = size = _size(body)
        while before != after:
            before = after
            nodes = (n for statement in body for n in ast.walk(statement))
            self.loaded = {
                n.id for n in nodes if type(n) is ast.Name and type(n.ctx) is ast.Load
            }
            body = self.block(body)
            after = _size(body)
        return body if after != size else None

    def block(self, body: list[Any]) -> list[Any]:
        kept = []
        for node in body:
            if self.ignorable(node):
                continue
            if type(node) in _COMPOUND:
                node = self.compound(node)
            if node is not None:
                kept.append(node)
        return kept

    def compound(self, node: Any) -> Any:
        """Return a copy with stripped blocks, or None if nothing remains."""
        stripped = copy.copy(node)
        for field in ("body", "orelse", "finalbody"):
            if hasattr(node, field):
                setattr(stripped, field, self.block(getattr(node, field)))
        if self.about(node) and not any(
            type(inner) is not ast.Pass
            for field in ("body", "orelse", "finalbody")
            for inner in getattr(stripped, field, ())
        ):
            return None
        return stripped

    def about(self, node: Any) -> bool:
        return any(type(n) is ast.Name and n.id in self.tainted for n in ast.walk(node))

    def ignorable(self, node: Any) -> bool:
        kind = type(node)
        if kind is ast.Expr:
            return self.about(node) and self.pure(node.value)
        if kind is ast.Assign:
            targets = node.targets
        elif kind is ast.AnnAssign or kind is ast.AugAssign:
            targets = [node.target]
        else:
            return False
        if node.value is None or any(type(t) is not ast.Name for t in targets):
            return False
        if not self.about(node.value):
            return False
        names = {target.id for target in targets}
        self.tainted |= names
        return not names & self.loaded and self.pure(node.value)

    def pure(self, value: Any) -> bool:
        """Report whether an expression calls no method of the function's own objects."""
        for node in ast.walk(value):
            if type(node) is ast.Call:
                root = node.func
                while type(root) is ast.Attribute:
                    root = root.value
                if type(root) is not ast.Name:
                    return False
                if root is not node.func and root.id in self.stored:
                    return False
        return True


def _size(body: list[Any]) -> int:
    return sum(1 for node in body for _ in ast.walk(node))
