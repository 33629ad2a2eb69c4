"""Calls and reachability: which functions a function may call.

In reachable code, the walk records the expressions that are called, passed to a call or
returned, and the possible values of each name (design decision D8). Reach follows these
records when the whole module is known. The order of statements does not count: a name may
have any value that is bound to it anywhere.
"""

from __future__ import annotations

import ast
from typing import Any

from analysis.scopes import Naming, Scope, resolve
from analysis.tree import truth_of

_MAX_STEPS = 200_000  # to resolve aliases; only hostile sources need more
_UNWRAP = frozenset({"__call__", "copy", "get", "items", "pop", "values"})
# Expressions that never evaluate to a function of this module.
_INERT = frozenset(
    {
        ast.BinOp,
        ast.Compare,
        ast.Constant,
        ast.JoinedStr,
        ast.Slice,
        ast.UnaryOp,
    }
)


class Entity:
    """Code that runs when it is called: a function, a lambda, or a class with methods.

    used has the expressions that live code calls or passes to a call. given has the expressions
    that it returns or yields. aliases has its bindings: (scope, name, expression, its scope).
    """

    __slots__ = ("aliases", "given", "used")

    def __init__(self) -> None:
        self.used: list[tuple[Any, Scope]] = []
        self.given: list[tuple[Any, Scope]] = []
        self.aliases: list[tuple[Scope, str, Any, Scope]] = []


class Calls(Naming):
    """Records what live code calls, returns and binds."""

    def __init__(self) -> None:
        super().__init__()
        self.entity = Entity()
        self.dead = 0  # > 0 inside code that cannot be reached

    def use(self, node: Any) -> None:
        if not self.dead and type(node) not in _INERT:
            self.entity.used.append((node, self.scope))

    def give(self, node: Any) -> None:
        """Record that the current code returns an expression's value."""
        if not self.dead:
            self.entity.given.append((node, self.scope))

    def define(self, node: Any) -> None:
        """Record a function or a class under its name; decorators are called with it."""
        if self.dead:
            return
        self.entity.aliases.append((self.scope, node.name, node, self.scope))
        if node.decorator_list:
            self.entity.used.append((node, self.scope))

    def default(self, name: str, value: Any, inner: Scope) -> None:
        """Record that a parameter of the scope inner may hold its default."""
        if not self.dead and type(value) not in _INERT:
            self.entity.aliases.append((inner, name, value, self.scope))

    def alias(self, target: Any, value: Any, scope: Scope) -> None:
        """Record that target may hold value, an expression seen from scope."""
        if self.dead or type(value) in _INERT:
            return
        kind = type(target)
        if kind is ast.Name:
            self.entity.aliases.append((self.scope, target.id, value, scope))
        elif kind is ast.Starred:
            self.alias(target.value, value, scope)
        elif kind is ast.Tuple or kind is ast.List:
            parts = value.elts if type(value) in (ast.Tuple, ast.List) else None
            stars = any(type(e) is ast.Starred for e in target.elts)
            if parts is not None and len(parts) == len(target.elts) and not stars:
                for one, part in zip(target.elts, parts, strict=True):
                    self.alias(one, part, scope)
            else:
                for one in target.elts:
                    self.alias(one, value, scope)
        elif kind is ast.Subscript:
            self.alias(target.value, value, scope)
        elif kind is ast.Attribute and type(target.value) is ast.Name:
            key = target.value.id + "." + target.attr
            self.entity.aliases.append((self.scope, key, value, scope))


class Reach:
    """Finds the global names that an entity may call, through aliases and nested code."""

    def __init__(self, module: Scope, run: Entity) -> None:
        self.module = module
        self.run = run

    def calls(self, entity: Entity) -> tuple[list[str], list[str]]:
        """Return the names that are called, and the names that escape.

        A name escapes if it is returned as a value or called by a returned value.
        """
        self.known: dict[tuple[Scope, str], list[tuple[Any, Scope]]] = {}
        self.entities: list[Entity] = []
        self.names: set[str] = set()
        self.steps = 0
        self.enter(self.run, runs=False)
        self.enter(entity)
        names = self.settle()
        before = set(names)
        values: set[Any] = set()
        for node, scope in entity.given:
            self.values(node, scope, values, set())
        escapes = {value for value in values if isinstance(value, str)}
        inner = [value for value in values if isinstance(value, Entity)]
        for value in inner:
            self.enter(value)
        if inner:
            escapes |= self.settle() - before
        return sorted(before), sorted(escapes)

    def enter(self, entity: Entity, runs: bool = True) -> None:
        """Add an entity's aliases and, if it runs, its calls."""
        if entity in self.entities:
            return
        for scope, name, node, seen_from in entity.aliases:
            base = name.partition(".")[0]
            owner = resolve(scope, base) or self.module
            self.known.setdefault((owner, name), []).append((node, seen_from))
        if runs:
            self.entities.append(entity)

    def settle(self) -> set[str]:
        """Follow the calls until nothing new is found."""
        size = -1
        while size != len(self.entities):
            size = len(self.entities)
            values: set[Any] = set()
            seen: set[tuple[Scope, str]] = set()
            for entity in list(self.entities):
                for node, scope in entity.used:
                    self.values(node, scope, values, seen)
            for value in values:
                if isinstance(value, str):
                    self.names.add(value)
                else:
                    self.enter(value)
        return self.names

    def values(
        self,
        node: Any,
        scope: Scope,
        into: set[Any],
        seen: set[tuple[Scope, str]],
    ) -> None:
        """Collect the functions that an expression may evaluate to, or may hold."""
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise RecursionError
        kind = type(node)
        if kind is ast.Name:
            owner = resolve(scope, node.id)
            if owner is None:
                into.add(node.id)
                owner = self.module
            self.follow(owner, node.id, into, seen)
        elif kind is ast.Attribute:
            self.attribute(node, scope, into, seen)
        elif kind is ast.Call:
            self.returned(node, scope, into, seen)
        elif kind is ast.IfExp:
            truth = truth_of(node.test)
            if truth is not False:
                self.values(node.body, scope, into, seen)
            if truth is not True:
                self.values(node.orelse, scope, into, seen)
        elif kind is ast.BoolOp:
            for value in node.values:
                self.values(value, scope, into, seen)
        elif kind in (ast.Tuple, ast.List, ast.Set):
            for value in node.elts:
                self.values(value, scope, into, seen)
        elif kind is ast.Dict:
            for value in node.values:
                self.values(value, scope, into, seen)
        elif kind in (ast.Starred, ast.Subscript, ast.NamedExpr, ast.Await):
            self.values(node.value, scope, into, seen)
        elif kind in (ast.ListComp, ast.SetComp, ast.GeneratorExp):
            self.values(node.elt, node.scope, into, seen)
        elif kind is ast.DictComp:
            self.values(node.value, node.scope, into, seen)
        elif hasattr(node, "entity") and not hasattr(node, "top"):
            into.add(node.entity)  # top-level classes are followed by name

    def follow(
        self,
        owner: Scope,
        name: str,
        into: set[Any],
        seen: set[tuple[Scope, str]],
    ) -> None:
        if (owner, name) in seen:
            return
        seen.add((owner, name))
        for value, scope in self.known.get((owner, name), ()):
            self.values(value, scope, into, seen)

    def attribute(
        self,
        node: Any,
        scope: Scope,
        into: set[Any],
        seen: set[tuple[Scope, str]],
    ) -> None:
        """Follow an attribute: of a class or an alias, it may be a function of the module."""
        if node.attr == "__call__":
            self.values(node.value, scope, into, seen)
        elif type(node.value) is ast.Name:
            owner = resolve(scope, node.value.id) or self.module
            self.follow(owner, f"{node.value.id}.{node.attr}", into, seen)
            held: set[Any] = set()
            self.values(node.value, scope, held, set(seen))
            into.update(v for v in held if isinstance(v, Entity))
            if resolve(scope, node.value.id) is None:
                for value, _ in self.known.get((self.module, node.value.id), ()):
                    if type(value) is ast.ClassDef:
                        into.add(node.value.id)

    def returned(
        self,
        node: Any,
        scope: Scope,
        into: set[Any],
        seen: set[tuple[Scope, str]],
    ) -> None:
        """Follow what a call of a nested function or a container's method returns."""
        func = node.func
        if type(func) is ast.Attribute:
            if func.attr in _UNWRAP:
                self.values(func.value, scope, into, seen)
            return
        held: set[Any] = set()
        self.values(func, scope, held, set(seen))
        for value in held:
            if isinstance(value, Entity) and value not in seen:
                seen.add(value)  # type: ignore[arg-type]
                for given, seen_from in value.given:
                    self.values(given, seen_from, into, seen)
