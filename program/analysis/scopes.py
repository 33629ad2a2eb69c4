"""Names and scopes: which scope binds a name, and how each name is used.

CPython's symtable is not used because it reports no positions: its tables would have to be
matched with the tree by an order that changes from version to version. It also parses the
source again (a sixth of an analysis). A test compares the scopes with symtable.
"""

from __future__ import annotations

from typing import Any

from analysis.digests import Tokens

# Uses of a name. A read that is unreachable or guarded is MAY_BE_READ.
STORED, READ, MAY_BE_READ = range(3)


class Scope:
    """A namespace. kind is one of module, function, class, comprehension."""

    __slots__ = ("bound", "global_names", "kind", "nonlocal_names", "parent")

    def __init__(self, kind: str, parent: Scope | None) -> None:
        self.kind = kind
        self.parent = parent
        self.bound: set[str] = set()
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()


def resolve(scope: Scope | None, name: str) -> Scope | None:
    """Return the scope that binds a name used in scope; None for a global name."""
    first = True
    while scope is not None and scope.kind != "module":
        if scope.kind != "class" or first:
            if name in scope.global_names:
                return None
            if name in scope.bound and name not in scope.nonlocal_names:
                return scope
        first = False
        scope = scope.parent
    return None


class Naming(Tokens):
    """Collects the names of a tree with their scopes."""

    def __init__(self) -> None:
        self.module = Scope("module", None)
        self.scope = self.module
        super().__init__()

    def restart(self) -> None:
        super().restart()
        # For each name: the place of its token (-1: none), scope, name, use, node.
        self.names: list[tuple[int, Scope, str, int, Any]] = []
        self.binds: set[str] = set()
        self.assigned: list[tuple[Scope, str]] = []  # to single names
        self.changed: list[tuple[Scope, str]] = []  # whose objects may be changed

    def name(self, name: str, use: int = STORED, node: Any = None) -> None:
        """Note a name in the current scope, and leave a place for its token."""
        self.names.append((len(self.out), self.scope, name, use, node))
        self.out.append("")

    def bind(self, name: str) -> None:
        self.binds.add(name)
        self.scope.bound.add(name)


class Names:
    """The names of one walk, resolved, and its tokens with the locals renamed.

    Locals are numbered in the order of their appearance; own, the function's own name, has
    the same token in all functions.
    """

    def __init__(self, walk: Naming, own: str | None) -> None:
        self.tokens = walk.out
        self.loads: set[str] = set()  # global names read
        self.sure: set[str] = set()  # loads that would raise if the name is missing
        self.stored: set[str] = set()  # global names bound
        self.locals: set[tuple[Scope, str]] = set()  # local names read
        self.mentions: list[tuple[str, Any]] = []  # of global names, with their nodes
        renamed: dict[tuple[Scope, str], str] = {}
        known: dict[tuple[Scope, str], tuple[Scope | None, str]] = {}
        for at, scope, name, use, node in walk.names:
            meant = known.get((scope, name))
            if meant is None:
                owner = resolve(scope, name)
                if owner is None:
                    token = "$self" if name == own else name
                else:
                    token = renamed.setdefault((owner, name), f"${len(renamed)}")
                meant = known[scope, name] = (owner, token)
            owner, token = meant
            if at >= 0:
                walk.out[at] = token
            if owner is not None:
                if use:
                    self.locals.add((owner, name))
                continue
            (self.loads if use else self.stored).add(name)
            if use == READ:
                self.sure.add(name)
            if node is not None:
                self.mentions.append((name, node))
        # Global names whose objects may be changed.
        self.changed = {
            name for scope, name in walk.changed if not resolve(scope, name)
        }
