"""The walk over expressions."""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from analysis.calls import Calls
from analysis.scopes import MAY_BE_READ, READ, STORED, Scope
from analysis.tree import is_empty, is_number, root_name, truth_of

_SKIPPED = frozenset({"ctx", "kind", "type_comment", "type_params"})
_BINDING = frozenset({"name", "rest"})  # fields of match patterns


class Expressions(Calls):
    """Emits the tokens of expressions, notes their names, and records what they call."""

    def __init__(self) -> None:
        super().__init__()
        self.annotating = 0  # number of levels of dead that are annotations
        self.guarded = 0  # > 0 if a NameError would be caught
        self.lazy = False  # from __future__ import annotations: none is evaluated

    def visit(self, node: Any) -> None:
        visitor = self.expressions.get(type(node))
        if visitor is not None:
            visitor(self, node)
        else:
            self.generic(node)

    def generic(self, node: Any) -> None:
        """Emit a node by its fields, without empty and version-specific ones."""
        out = self.out
        out.append(type(node).__name__ + "(")
        for field in node._fields:
            value = getattr(node, field, None)
            if value is None or value == [] or field in _SKIPPED:
                continue
            out.append(field)
            if isinstance(value, ast.AST):
                self.visit(value)
            elif isinstance(value, list):
                self.each(value)
            elif field in _BINDING:
                self.bind(value)
                self.name(value)
            else:
                out.append(repr(value))
        out.append(")")

    def each(self, values: list[Any]) -> None:
        self.out.append("[")
        for value in values:
            if isinstance(value, ast.AST):
                self.visit(value)
            else:
                self.out.append(repr(value))
        self.out.append("]")

    def visit_name(self, node: Any) -> None:
        use = STORED
        if type(node.ctx) is not ast.Load:
            self.bind(node.id)
        elif self.guarded or self.dead > self.annotating:
            use = MAY_BE_READ
        else:
            use = READ
        self.names.append((len(self.out), self.scope, node.id, use, node))
        self.out.append("")

    def visit_named(self, node: Any) -> None:
        self.out.append(":=")
        inner = self.scope
        while self.scope.kind == "comprehension" and self.scope.parent:
            self.scope = self.scope.parent
        self.visit_name(node.target)
        self.alias(node.target, node.value, inner)
        self.scope = inner
        self.visit(node.value)

    def visit_constant(self, node: Any) -> None:
        value = node.value
        kind = type(value)
        if kind is int or kind is float or kind is complex:
            self.number(value)
        else:
            self.out.append(repr(value))

    def visit_unary(self, node: Any) -> None:
        operand = node.operand
        if type(node.op) is ast.USub and is_number(operand):
            self.number(-operand.value)
            return
        self.out.append(type(node.op).__name__)
        self.visit(operand)

    def visit_binary(self, node: Any) -> None:
        self.out.append(type(node.op).__name__)
        self.visit(node.left)
        self.visit(node.right)

    def visit_bool(self, node: Any) -> None:
        self.out.append(type(node.op).__name__ + "[")
        stops = type(node.op) is ast.Or
        dead = self.dead
        for value in node.values:
            self.visit(value)
            if truth_of(value) is stops:
                self.dead += 1
        self.dead = dead
        self.out.append("]")

    def visit_joined(self, node: Any) -> None:
        """Merge the pieces of text, because Python's versions divide f-strings differently."""
        self.out.append("JoinedStr[")
        text = ""
        for value in node.values:
            if type(value) is ast.Constant:
                text += value.value
                continue
            if text:
                self.out.append(repr(text))
            text = ""
            self.visit(value)
        self.out.append(repr(text) + "]")

    def visit_compare(self, node: Any) -> None:
        self.out.append("Compare")
        self.visit(node.left)
        for op, right in zip(node.ops, node.comparators, strict=True):
            self.out.append(type(op).__name__)
            self.visit(right)
        self.out.append(";")

    def change(self, node: Any) -> None:
        """Note that an expression's object may be changed."""
        name = root_name(node)
        if name:
            self.changed.append((self.scope, name))

    def visit_attribute(self, node: Any) -> None:
        if type(node.ctx) is not ast.Load:
            self.change(node)
        self.out.append("." + node.attr)
        self.visit(node.value)

    def visit_subscript(self, node: Any) -> None:
        if type(node.ctx) is not ast.Load:
            self.change(node)
        self.out.append("Subscript")
        self.visit(node.value)
        self.visit(node.slice)

    def visit_sequence(self, node: Any) -> None:
        self.out.append(type(node).__name__ + "[")
        for value in node.elts:
            self.visit(value)
        self.out.append("]")

    def visit_conditional(self, node: Any) -> None:
        self.out.append("IfExp")
        truth = truth_of(node.test)
        self.visit(node.test)
        self.branch(node.body, truth is False)
        self.branch(node.orelse, truth is True)

    def branch(self, node: Any, dead: bool) -> None:
        self.dead += dead
        self.visit(node)
        self.dead -= dead

    def visit_call(self, node: Any) -> None:
        out = self.out
        out.append("Call(")
        self.use(node.func)
        self.visit(node.func)
        for value in node.args:
            self.use(value)
            self.visit(value)
        for keyword in node.keywords:
            out.append("=" + (keyword.arg or "**"))
            self.use(keyword.value)
            self.visit(keyword.value)
        out.append(")")

    def visit_yield(self, node: Any) -> None:
        self.out.append(type(node).__name__)
        if node.value is None:
            self.out.append("-")
            return
        self.give(node.value)
        self.visit(node.value)

    def visit_comprehension(self, node: Any) -> None:
        """Generators first: they bind the names that the element reads."""
        out = self.out
        out.append(type(node).__name__ + "(")
        outer, dead = self.scope, self.dead
        inner = Scope("comprehension", outer)
        node.scope = inner
        for generator in node.generators:
            out.append("async" if generator.is_async else "for")
            self.visit(generator.iter)  # the first one is evaluated outside
            came_from = self.scope
            self.scope = inner
            self.visit(generator.target)
            self.alias(generator.target, generator.iter, came_from)
            self.dead += is_empty(generator.iter)
            for test in generator.ifs:
                out.append("if")
                self.visit(test)
                self.dead += truth_of(test) is False
        if type(node) is ast.DictComp:
            self.visit(node.key)
            self.visit(node.value)
        else:
            self.visit(node.elt)
        self.scope, self.dead = outer, dead
        out.append(")")

    def annotation(self, node: Any) -> None:
        """Note the names that an annotation reads. Digests and calls leave it out."""
        if self.lazy:
            return
        size, count = len(self.out), len(self.numbers)
        start = len(self.names)
        self.dead += 1
        self.annotating += 1
        self.visit(node)
        self.annotating -= 1
        self.dead -= 1
        del self.out[size:], self.numbers[count:]
        self.names[start:] = [(-1, *name[1:]) for name in self.names[start:]]

    expressions: ClassVar[dict[type, Any]] = {
        ast.Attribute: visit_attribute,
        ast.BinOp: visit_binary,
        ast.BoolOp: visit_bool,
        ast.Call: visit_call,
        ast.Compare: visit_compare,
        ast.Constant: visit_constant,
        ast.DictComp: visit_comprehension,
        ast.GeneratorExp: visit_comprehension,
        ast.IfExp: visit_conditional,
        ast.JoinedStr: visit_joined,
        ast.List: visit_sequence,
        ast.ListComp: visit_comprehension,
        ast.Name: visit_name,
        ast.NamedExpr: visit_named,
        ast.Set: visit_sequence,
        ast.SetComp: visit_comprehension,
        ast.Subscript: visit_subscript,
        ast.Tuple: visit_sequence,
        ast.UnaryOp: visit_unary,
        ast.Yield: visit_yield,
        ast.YieldFrom: visit_yield,
    }
