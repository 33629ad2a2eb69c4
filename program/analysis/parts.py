"""Parts: the nodes of a program that can be knocked out, and how.

parts(source, target, most) walks the code that the target can reach, outermost nodes first. A
knock-out replaces one span of the source, so all other code keeps its bytes and its line. Each
knock-out parses. Its digest, which ignores formatting and names of locals, differs from the
digests of the program and of the other knock-outs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

from analysis.module import analyze
from analysis.positions import Text
from analysis.tree import is_number, parameters, truth_of

_SUM = (ast.Add, ast.Sub)
_PRODUCT = (ast.Mult, ast.Div)
_CHOICES = frozenset({"fmax", "fmin", "max", "maximum", "min", "minimum"})
_ENDS = (ast.Break, ast.Continue, ast.Raise, ast.Return)
_STRUCTURE = frozenset({"axis", "dtype", "k", "n", "ndim"})  # keywords
_DEFS = (ast.AsyncFunctionDef, ast.FunctionDef)
_LABEL = 60  # characters of a part's text
_MOST = 1000  # knock-outs to consider; the smallest spans are left out


def parts(source: str, target: str, most: int) -> dict[str, Any]:
    """Return the JSON of program.Parts."""
    known = analyze(source)
    if "syntax" in known:
        return {"syntax": known["syntax"]}
    walk = _Parts(source, target, known)
    text, seen = walk.text.bytes, {walk.digests(known)}

    def differs(way: dict[str, Any], first: bool) -> bool:
        """Report whether a knock-out parses. A part's first knock-out must also be new."""
        edited = text[: way["start"]] + way["text"].encode() + text[way["end"] :]
        known = analyze(edited.decode())
        digests = walk.digests(known)
        if "syntax" in known or (first and digests in seen):
            return False
        seen.add(digests)
        return True

    largest = sorted(walk.found, key=lambda part: (-part["size"], part["order"]))
    kept = []
    for part in largest[:_MOST]:
        first = part["ways"][0]
        part["ways"] = [way for way in part["ways"] if differs(way, way is first)]
        if part["ways"]:
            kept.append(part)
    left = max(0, len(kept) - most) + max(0, len(largest) - _MOST)
    kept = sorted(kept[:most], key=lambda part: part["order"])
    for part in kept:
        del part["size"], part["order"]
    return {"parts": kept, "left": left, "statements": walk.count,
            "unreachable": sorted(walk.unreachable)}  # fmt: skip


class _Parts:
    """The walk over reachable code."""

    def __init__(self, source: str, target: str, known: dict[str, Any]) -> None:
        self.text = Text(source)
        self.found: list[dict[str, Any]] = []
        self.count = 0
        self.unreachable: set[int] = set()
        functions = {f["name"]: f for f in known.get("functions", ())}
        self.reached: set[str] = set()
        todo = {target} & functions.keys()
        while todo:
            name = todo.pop()
            self.reached.add(name)
            for kind in ("calls", "escapes"):
                called = functions.keys() & functions[name].get(kind, [])
                todo |= called - self.reached
        defs = [node for node in ast.parse(source).body if isinstance(node, _DEFS)]
        last = {node.name: node for node in defs}
        for node in defs:
            inside = self.statements(node.body)
            self.count += len(inside)
            if node.name not in self.reached or last[node.name] is not node:
                self.unreachable.update(inside)
                continue
            self.own, self.bound = node.name, set(parameters(node.args))
            self.read = {n.id for n in ast.walk(node)
                         if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}  # fmt: skip
            self.block(node.body)

    def digests(self, known: dict[str, Any]) -> tuple[str, ...]:
        """Return the digests of the reached functions, which identify a program."""
        functions = known.get("functions", ())
        return tuple(f["digest"] for f in functions if f["name"] in self.reached)

    def statements(self, body: Iterable[Any]) -> list[int]:
        """Return the places of statements at any depth, without docstrings."""
        nodes = [n for top in body for n in ast.walk(top) if isinstance(n, ast.stmt)]
        return [self.text.start(n) for n in nodes
                if not isinstance(getattr(n, "value", n), ast.Constant)
                or not isinstance(n, ast.Expr)]  # fmt: skip

    def add(self, kind: str, node: Any, *ways: tuple[Any, str], name: str = "",
            label: str = "", removes: Iterable[Any] = ()) -> None:  # fmt: skip
        """Record a part with its knock-outs, which replace a node by a text.

        The second knock-out is tried if the program cannot run with the first.
        """
        start, end = self.text.span(node)
        label = label or " ".join(self.text.source(node).split())
        self.found.append({
            "function": self.own, "kind": kind, "name": name, "line": node.lineno,
            "start": start, "end": end,
            "text": label if len(label) <= _LABEL else label[: _LABEL - 1] + "…",
            "ways": [dict(zip(("start", "end"), self.text.span(at), strict=True), text=text)
                     for at, text in ways],
            "removes": self.statements(removes),
            "size": sum(1 for _ in ast.walk(node)), "order": len(self.found),
        })  # fmt: skip

    def block(self, body: list[Any], dead: bool = False) -> None:
        for place, node in enumerate(body):
            if dead:
                self.unreachable.update(self.statements(body[place:]))
                return
            self.statement(node)
            dead = isinstance(node, _ENDS)

    def statement(self, node: Any) -> None:
        kind = type(node)
        if kind is ast.If:
            self.conditional(node, node.body, node.orelse)
            truth = truth_of(node.test)
            self.expression(node.test)
            self.block(node.body, truth is False)
            self.block(node.orelse, truth is True)
        elif kind in (ast.For, ast.While):
            head = node.iter if kind is ast.For else node.test
            label, never = ("for … in", "()") if kind is ast.For else ("while", "False")
            self.add("loop", node, (head, f"({never})"), removes=node.body,
                     label=f"{label} {self.text.source(head)}")  # fmt: skip
            self.expression(head)
            if kind is ast.For:
                self.bind(node.target)
            self.block(node.body, kind is ast.While and truth_of(head) is False)
            self.block(node.orelse)
        elif kind in (ast.Assign, ast.AnnAssign, ast.AugAssign):
            targets = node.targets if kind is ast.Assign else [node.target]
            if node.value is not None:
                self.assignment(node, targets, kind is ast.AugAssign)
                self.expression(node.value)
            for target in targets:
                self.bind(target)
        elif kind in (ast.Expr, ast.Assert, ast.Delete, ast.Return):
            useless = isinstance(getattr(node, "value", None), ast.Constant)
            if kind is not ast.Return and not useless:
                self.add("statement", node, (node, "pass"), removes=[node])
            self.expressions(node)
        elif isinstance(node, _DEFS):
            self.bound.add(node.name)
            self.block(node.body)
        elif kind is not ast.ClassDef:
            for item in getattr(node, "items", ()):
                self.expressions(item)
            for field in ("body", "orelse", "finalbody"):
                self.block(getattr(node, field, []))
            for handler in getattr(node, "handlers", ()):
                self.block(handler.body)

    def bind(self, target: Any) -> None:
        self.bound |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}

    def assignment(self, node: Any, targets: list[Any], changes: bool) -> None:
        names = {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        plain = all(isinstance(t, ast.Name | ast.Tuple) for t in targets)
        keeps = changes or not plain or names <= self.bound
        if keeps or not names & self.read:
            kind = "assignment" if keeps else "statement"
            self.add(kind, node, (node, "pass"), removes=[node])

    def conditional(self, node: Any, body: Any, orelse: Any) -> None:
        if truth_of(node.test) is not None:
            return
        test = self.text.source(node.test)
        for way, removed in (("False", body), ("True", orelse)):
            self.add("branch", node, (node.test, f"({way})"), label=f"if {test}: {way}",
                     removes=removed if isinstance(removed, list) else ())  # fmt: skip

    def expressions(self, node: Any) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.expression(child)

    def expression(self, node: Any, covered: bool = False) -> None:
        """Find the parts of an expression. covered: it is already a term or a factor."""
        kind = type(node)
        if kind is ast.BinOp and isinstance(node.op, _SUM + _PRODUCT):
            self.operands(node)
            return
        if kind is ast.IfExp:
            self.conditional(node, node.body, node.orelse)
        elif kind is ast.Call:
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            whole = self.text.source(node)
            if name in self.reached and not covered:
                self.add("call", node, (node, f"(0 * ({whole}))"), name=name)
            self.choice(node)
            for value in node.args:
                self.expression(value)
            for keyword in node.keywords:
                if keyword.arg not in _STRUCTURE:
                    self.expression(keyword.value)
            return
        if kind is ast.Subscript:
            self.expression(node.value)
        elif kind is ast.GeneratorExp or kind is ast.ListComp:
            self.expression(node.elt)
        elif kind is not ast.JoinedStr:
            self.expressions(node)

    def operands(self, node: Any) -> None:
        """Find terms and factors. The left operand of a chain is not a separate part."""
        family = _SUM if isinstance(node.op, _SUM) else _PRODUCT
        left, right = self.text.source(node.left), self.text.source(node.right)
        without = {ast.Sub: f"(-({right}))", ast.Div: f"(1 / ({right}))"}
        shape = "(0 * ({}))" if family is _SUM else "(0 * ({}) + 1)"
        pairs = ((node.left, without.get(type(node.op), f"({right})"), left),
                 (node.right, f"({left})", right))  # fmt: skip
        for operand, rest, own in pairs:
            chain = operand is node.left and isinstance(operand, ast.BinOp)
            if not (is_number(operand) or chain and isinstance(operand.op, family)):
                called = (n.func.id for n in ast.walk(operand)
                          if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
                          and n.func.id in self.reached)  # fmt: skip
                self.add("term" if family is _SUM else "factor", operand, (node, rest),
                         (operand, shape.format(own)), name=next(called, ""))  # fmt: skip
            self.expression(operand, covered=True)

    def choice(self, node: Any) -> None:
        """Find the arguments of min, max, where and clip that can be left out."""
        name = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        if any(isinstance(value, ast.Starred) for value in node.args):
            return
        texts = [self.text.source(value) for value in node.args]
        if name == "where" and len(texts) == 3:
            for way, sign in (("False", "&"), ("True", "|")):
                self.add("branch", node, (node.args[0], f"(({texts[0]}) {sign} {way})"),
                         label=f"where {texts[0]}: {way}")  # fmt: skip
        elif name in _CHOICES and len(texts) == 2:
            for value, other in zip(node.args, reversed(texts), strict=True):
                self.add("argument", value, (node, f"({other})"))
        elif name == "clip" and len(texts) == 3:
            self.add("argument", node, (node, f"({texts[0]})"))


def answer(request: str) -> dict[str, Any]:
    """Answer a request: a source to analyse, or NUL and a request for parts."""
    before, *fields = request.split("\0", 3)
    if before or len(fields) < 3 or not fields[1].isdecimal():
        return analyze(request)
    target, most, source = fields
    return parts(source, target, int(most))
