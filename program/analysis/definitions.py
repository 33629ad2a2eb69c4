"""The walk over functions, classes and lambdas, which determine when code runs."""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from analysis.calls import Entity
from analysis.scopes import STORED, Scope
from analysis.statements import Statements
from analysis.tree import docstring


class Walk(Statements):
    """The whole walk: one pass over the tree for tokens, names and calls."""

    def arguments(self, args: Any, parent: Scope) -> Scope:
        """Emit parameters; defaults are evaluated in the current scope."""
        out = self.out
        inner = Scope("function", parent)
        positional = args.posonlyargs + args.args
        values = [None] * (len(positional) - len(args.defaults)) + args.defaults
        pairs = list(zip(positional, values, strict=True))
        pairs += zip(args.kwonlyargs, args.kw_defaults, strict=True)
        for number, (arg, value) in enumerate(pairs):
            if number == len(args.posonlyargs):
                out.append("/")
            if number == len(positional):
                out.append("*")
            self.parameter(arg, inner)
            if value is not None:
                out.append("=")
                self.visit(value)
                self.default(arg.arg, value, inner)
        for mark, arg in (("*a", args.vararg), ("**k", args.kwarg)):
            if arg is not None:
                out.append(mark)
                self.parameter(arg, inner)
        out.append(":")
        return inner

    def parameter(self, arg: Any, inner: Scope) -> None:
        self.binds.add(arg.arg)
        inner.bound.add(arg.arg)
        self.names.append((len(self.out), inner, arg.arg, STORED, None))
        self.out.append("")
        if arg.annotation is not None:
            self.annotation(arg.annotation)

    def signature(self, node: Any) -> Scope:
        """Emit decorators and parameters of a def; return its scope."""
        out = self.out
        for decorator in node.decorator_list:
            out.append("@")
            self.use(decorator)
            self.visit(decorator)
        scope = self.scope
        for parameter in getattr(node, "type_params", ()):
            if scope is self.scope:
                scope = Scope("function", self.scope)
            scope.bound.add(parameter.name)
        outer, self.scope = self.scope, scope
        inner = self.arguments(node.args, scope)
        if node.returns is not None:
            self.annotation(node.returns)
        self.scope = outer
        return inner

    def body(self, node: Any, inner: Scope, entity: Entity) -> None:
        """Emit a def's body in its own scope, without its docstring."""
        outer = (self.scope, self.entity, self.breaks, self.dead)
        self.scope, self.entity, self.breaks = inner, entity, []
        self.block(node.body[1:] if docstring(node) else node.body)
        self.scope, self.entity, self.breaks, self.dead = outer

    def visit_function(self, node: Any) -> None:
        self.out.append(type(node).__name__ + "(")
        self.bind(node.name)
        self.name(node.name)
        inner = self.signature(node)
        # The methods of a class are reached with the class.
        in_class = self.scope.kind == "class"
        node.entity = entity = self.entity if in_class else Entity()
        if not in_class:
            self.define(node)
        self.body(node, inner, entity)
        self.out.append(")")

    def visit_class(self, node: Any) -> None:
        self.out.append("ClassDef(")
        self.bind(node.name)
        self.name(node.name)
        for decorator in node.decorator_list:
            self.out.append("@")
            self.use(decorator)
            self.visit(decorator)
        for base in node.bases:
            self.use(base)
            self.visit(base)
        for keyword in node.keywords:
            self.out.append("=" + (keyword.arg or "**"))
            self.use(keyword.value)
            self.visit(keyword.value)
        node.entity = Entity()
        self.define(node)
        inner = Scope("class", self.scope)
        for parameter in getattr(node, "type_params", ()):
            inner.bound.add(parameter.name)
        self.body(node, inner, node.entity)
        self.out.append(")")

    def visit_lambda(self, node: Any) -> None:
        self.out.append("Lambda(")
        node.entity = entity = Entity()
        inner = self.arguments(node.args, self.scope)
        outer = (self.scope, self.entity)
        self.scope, self.entity = inner, entity
        self.give(node.body)
        self.visit(node.body)
        self.scope, self.entity = outer
        self.out.append(")")

    expressions: ClassVar[dict[type, Any]] = {
        **Statements.expressions,
        ast.Lambda: visit_lambda,
    }
    statements: ClassVar[dict[type, Any]] = {
        **Statements.statements,
        ast.AsyncFunctionDef: visit_function,
        ast.ClassDef: visit_class,
        ast.FunctionDef: visit_function,
    }
