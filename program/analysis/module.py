"""Structure of a candidate's source, as CPython sees it, without executing it.

analyze(source) returns what package program decodes as an Analysis: validity by
compile(), top-level functions with the calls they reach, the names they bind and read,
and digests of their trees. It needs only the standard library. The result depends only on
the source, and the digests do not depend on Python's minor version.

For speed, there is a single walk over the tree. Each of its classes extends another one. They
collect the tokens (digests), the names with their scopes (scopes), and the calls of live code
(calls), in expressions, statements and definitions. The results are interpreted afterwards.
"""

from __future__ import annotations

import ast
import builtins
import warnings
from typing import Any

from analysis.calls import Entity, Reach
from analysis.definitions import Walk
from analysis.digests import digest
from analysis.knobs import knobs
from analysis.literals import literal
from analysis.positions import Text
from analysis.scopes import Names
from analysis.stripping import digests_without
from analysis.tree import (
    arity,
    clean,
    defaults,
    docstring,
    imported_roots,
    named_lambda,
    parameters,
)

# The site module adds these names, or not, depending on Python's options. They are no builtins of
# the language.
_SITE = {"copyright", "credits", "exit", "help", "license", "quit"}
# Uses of these may define or find names in ways that a source does not show.
_DYNAMIC = frozenset({"exec", "globals", "vars"})
_MODULE_NAMES = {"__name__", "__file__", "__doc__", "__builtins__", "__spec__"}
_BUILTINS = (frozenset(dir(builtins)) - _SITE) | _MODULE_NAMES
_MAX_LITERAL = 16 << 10  # bytes; longer literals get no value


def analyze(source: str) -> dict[str, Any]:
    """Return the Analysis of one module as a JSON-encodable dict."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(source, "<candidate>", "exec", ast.PyCF_ONLY_AST, True)
            # ast.parse accepts "return" outside a function and similar errors.
            compile(tree, "<candidate>", "exec", 0, True)
            return _Module(source, tree).result()
    except SyntaxError as error:
        return _refused(error.lineno or 0, error.msg or type(error).__name__)
    except UnicodeError:
        return _refused(0, "source is not valid Unicode text")
    except (RecursionError, MemoryError):
        return _refused(0, "too deeply nested for the parser")
    except (ValueError, OverflowError) as error:
        return _refused(0, str(error) or type(error).__name__)


def _refused(line: int, message: str) -> dict[str, Any]:
    return {"syntax": {"line": line, "message": str(message)}}


class _Module:
    """The analysis of one module. It has one entry for each statement, which Go decodes."""

    def __init__(self, source: str, tree: Any) -> None:
        self.text = Text(source)
        self.tree = tree
        self.body = tree.body
        self.doc = docstring(tree)
        self.walk = Walk()
        self.run = self.walk.entity  # the code that an import runs
        self.functions: list[tuple[dict[str, Any], Any]] = []
        self.classes: list[tuple[dict[str, Any], Any]] = []
        self.imports: list[dict[str, Any]] = []
        self.statements: list[dict[str, Any]] = []
        self.stored: set[str] = set()  # global names bound inside functions and classes
        self.refs: dict[str, list[int]] = {}  # positions of global names
        self.roots: set[str] = set()
        self.blind = False  # names may exist that the source does not show

    def result(self) -> dict[str, Any]:
        for node in self.body:
            self.walk.restart()
            kind = type(node)
            if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                self.functions.append((self.function(node), node))
            elif kind is ast.ClassDef:
                self.classes.append((self.class_(node), node))
            elif node is self.doc:
                self.statements.append(self.place(node))
            else:
                self.walk.statement(node)
                names = self.resolved(None)
                if kind is ast.Import or kind is ast.ImportFrom:
                    self.imports.append(self.import_(node))
                else:
                    self.statements.append(self.statement(node, names))
            self.roots |= self.walk.roots
        self.blind |= self.walk.star
        reach = Reach(self.walk.module, self.run)
        for entry, node in [*self.functions, *self.classes]:
            entry["calls"], entry["escapes"] = reach.calls(node.entity)
        for entry, node in self.functions:
            entry["refs"] = sorted(self.refs.get(node.name, ()))
            if entry.pop("ignores"):
                names = set(entry["loads"]).intersection(entry["calls"]) - _BUILTINS
                entry["body_digest_without"] = digests_without(node, sorted(names))
        result = {
            "functions": [self.finished(entry) for entry, _ in self.functions],
            "classes": [self.finished(entry) for entry, _ in self.classes],
            "imports": self.imports,
            "statements": [self.finished(entry) for entry in self.statements],
            "binds": sorted(self.walk.module.bound),
            "modules": sorted(self.roots),
            "calls": reach.calls(self.run)[0],
            "knobs": knobs(self.tree, self.text),
        }
        return {key: value for key, value in result.items() if value}

    def resolved(self, own: str | None) -> Names:
        """Resolve the names of the last walk, and record the positions of global ones."""
        names = Names(self.walk, own)
        for name, node in names.mentions:
            if self.text.spelled(node, name):
                self.refs.setdefault(name, []).append(self.text.start(node))
        self.blind |= not names.loads.isdisjoint(_DYNAMIC)
        return names

    def finished(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Replace the names that an entry certainly reads by the missing names among them.

        Empty lists are dropped, as in Go.
        """
        missing = entry.pop("sure", set()) - _BUILTINS - _SITE
        missing -= self.walk.module.bound | self.stored
        if not self.blind:
            entry["missing"] = sorted(n for n in missing if not n.startswith("__"))
        return {k: v for k, v in entry.items() if v or type(v) is int or k == "literal"}

    # Entries.

    def place(self, node: Any) -> dict[str, Any]:
        start = self.text.decorated_start(node)
        return {"start": start, "end": self.text.end(node)}

    def import_(self, node: Any) -> dict[str, Any]:
        return {
            "source": self.text.source(node),
            "roots": imported_roots(node),
            **self.place(node),
            "names": sorted(self.walk.binds),
        }

    def statement(self, node: Any, names: Names) -> dict[str, Any]:
        entry = {
            **self.place(node),
            "binds": sorted(names.stored),
            "changes": sorted(names.changed),
            "def": named_lambda(node),
            **_reads(names),
        }
        short = entry["end"] - entry["start"] <= _MAX_LITERAL
        if short and type(node) in (ast.Assign, ast.AnnAssign):
            value = literal(node.value)
            if value is not None:
                entry["literal"] = value
        return entry

    def class_(self, node: Any) -> dict[str, Any]:
        node.top = True
        self.walk.visit_class(node)
        names = self.resolved(None)
        self.stored |= names.stored
        binds = sorted(self.walk.binds - {node.name})
        return {"name": node.name, **self.place(node), "binds": binds, **_reads(names)}

    def function(self, node: Any) -> dict[str, Any]:
        walk, text = self.walk, self.text
        # Decorators and defaults run at import, but belong to the function.
        walk.entity = node.entity = Entity()
        inner = walk.signature(node)
        self.run.used.extend(node.entity.used)
        body, numbers = len(walk.out), len(walk.numbers)
        walk.body(node, inner, node.entity)
        walk.entity = self.run
        walk.module.bound.add(node.name)
        names = self.resolved(node.name)
        self.refs.setdefault(node.name, []).extend(text.defined(node))
        self.stored |= names.stored
        tokens = names.tokens
        doc = docstring(node)
        doc_start, doc_end = text.span(doc)
        first = node.body[1:2] if doc else node.body[:1]
        low, high = arity(node.args)
        spans = [text.span(value) for value in defaults(node.args)]
        return {
            "name": node.name,
            **self.place(node),
            "params": parameters(node.args),
            "defaults": spans if any(end for _, end in spans) else [],
            "min_args": low,
            "max_args": high,
            "async": type(node) is ast.AsyncFunctionDef,
            "doc": clean(doc.value.value) if doc else "",
            "doc_start": doc_start,
            "doc_end": doc_end,
            "body_start": text.decorated_start(first[0]) if first else text.end(node),
            "statements": walk.count,
            **_reads(names),
            "free": sorted(names.loads - _BUILTINS - {node.name}),
            "binds": sorted(walk.binds),
            "modules": sorted(walk.roots),
            "changes": sorted(names.stored | names.changed),
            "fingerprint": digest([*tokens, "|", str(len(walk.numbers))]),
            "digest": digest([*tokens, "|", *walk.numbers]),
            "body_digest": digest([*tokens[body:], "|", *walk.numbers[numbers:]]),
            "ignores": walk.ignored or not names.locals.issuperset(walk.assigned),
        }


def _reads(names: Names) -> dict[str, Any]:
    """Return the names that an entry reads; finished replaces "sure"."""
    return {"loads": sorted(names.loads), "sure": names.sure}
