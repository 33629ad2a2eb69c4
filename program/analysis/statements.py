"""The walk over statements, which finds the unreachable ones."""

from __future__ import annotations

import ast
from typing import Any, ClassVar

from analysis.expressions import Expressions
from analysis.tree import catches_names, imported_roots, is_empty, truth_of


class Statements(Expressions):
    """Emits the tokens of statements.

    A visitor returns True if control never reaches the statement's end.
    """

    def __init__(self) -> None:
        super().__init__()
        self.star = False  # from module import *
        self.breaks: list[bool] = []  # for each enclosing loop: it has a live break

    def restart(self) -> None:
        super().restart()
        self.roots: set[str] = set()  # of imported modules
        self.count = 0  # statements at any depth
        self.ignored = False  # a call's result may be unused

    def block(self, body: list[Any]) -> bool:
        self.out.append("{")
        dead, ended = self.dead, False
        for node in body:
            if self.statement(node) and not ended:
                ended = True
                self.dead += 1
        self.dead = dead
        self.out.append("}")
        return ended

    def statement(self, node: Any) -> bool:
        self.count += 1
        visitor = self.statements.get(type(node))
        if visitor is not None:
            return visitor(self, node) is True
        self.generic(node)
        return False

    def dead_block(self, body: list[Any], dead: bool) -> bool:
        self.dead += dead
        ended = self.block(body)
        self.dead -= dead
        return ended

    def visit_expression(self, node: Any) -> None:
        self.out.append("Expr")
        value = node.value
        if type(value) is not ast.Call or type(value.func) is not ast.Attribute:
            self.ignored = True
        else:  # a method is called for its effect on its object or its arguments
            for changed in (value.func, *value.args):
                self.change(changed)
        self.visit(value)

    def visit_assign(self, node: Any) -> None:
        self.out.append("Assign")
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
            self.alias(target, node.value, self.scope)
            if type(target) is ast.Name:
                self.assigned.append((self.scope, target.id))
        self.out.append(";")

    def visit_annotated(self, node: Any) -> None:
        self.out.append("Assign")
        if node.value is not None:
            self.visit(node.value)
            self.alias(node.target, node.value, self.scope)
            if type(node.target) is ast.Name:
                self.assigned.append((self.scope, node.target.id))
        self.visit(node.target)
        self.out.append(";")
        if self.scope.kind != "function":  # a local's annotation is never evaluated
            self.annotation(node.annotation)

    def visit_augmented(self, node: Any) -> None:
        self.out.append("Aug" + type(node.op).__name__)
        self.visit(node.target)
        self.visit(node.value)
        self.alias(node.target, node.value, self.scope)

    def visit_return(self, node: Any) -> bool:
        self.out.append("Return")
        if node.value is None:
            self.out.append("-")
            return True
        self.give(node.value)
        self.visit(node.value)
        return True

    def visit_pass(self, node: Any) -> None:
        self.out.append("Pass")
        self.ignored = True  # it may follow a condition whose value is not used

    def visit_raise(self, node: Any) -> bool:
        self.generic(node)
        return True

    def visit_break(self, node: Any) -> bool:
        self.out.append("Break")
        if self.breaks and not self.dead:
            self.breaks[-1] = True
        return True

    def visit_continue(self, node: Any) -> bool:
        self.out.append("Continue")
        return True

    def visit_if(self, node: Any) -> bool:
        self.out.append("If")
        truth = truth_of(node.test)
        self.visit(node.test)
        first = self.dead_block(node.body, truth is False)
        second = self.dead_block(node.orelse, truth is True)
        if truth is None:
            return first and second
        return first if truth else second

    def visit_while(self, node: Any) -> bool:
        self.out.append("While")
        truth = truth_of(node.test)
        self.visit(node.test)
        self.breaks.append(False)
        self.dead_block(node.body, truth is False)
        broken = self.breaks.pop()
        forever = truth is True and not broken
        self.dead_block(node.orelse, truth is True)
        return forever

    def visit_for(self, node: Any) -> None:
        self.out.append(type(node).__name__)
        self.visit(node.iter)
        self.visit(node.target)
        self.alias(node.target, node.iter, self.scope)
        self.breaks.append(False)
        self.dead_block(node.body, is_empty(node.iter))
        self.breaks.pop()
        self.block(node.orelse)

    def visit_with(self, node: Any) -> None:
        self.out.append(type(node).__name__)
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.out.append("as")
                self.visit(item.optional_vars)
                self.alias(item.optional_vars, item.context_expr, self.scope)
        self.block(node.body)  # it may suppress what its body raises

    def visit_try(self, node: Any) -> bool:
        self.out.append(type(node).__name__)
        guarded = any(catches_names(handler.type) for handler in node.handlers)
        self.guarded += guarded
        ended = self.block(node.body)
        self.guarded -= guarded
        handled = True
        for handler in node.handlers:
            self.out.append("except")
            if handler.type is not None:
                self.visit(handler.type)
            if handler.name is not None:
                self.bind(handler.name)
                self.name(handler.name)
            handled = self.block(handler.body) and handled
        ended = self.dead_block(node.orelse, ended) or ended
        return self.block(node.finalbody) or (ended and handled)

    def visit_match(self, node: Any) -> None:
        self.out.append("Match")
        self.visit(node.subject)
        for case in node.cases:
            self.out.append("case")
            self.visit(case.pattern)
            if case.guard is not None:
                self.out.append("if")
                self.visit(case.guard)
            self.block(case.body)
        self.out.append(";")

    def visit_import(self, node: Any) -> None:
        self.out.append("Import")
        self.roots.update(imported_roots(node))
        source = getattr(node, "module", None) or ""
        self.out.append("." * getattr(node, "level", 0) + source)
        if source == "__future__":
            self.lazy |= any(alias.name == "annotations" for alias in node.names)
        for alias in node.names:
            self.out.append(alias.name)
            if alias.name == "*":
                self.star = True
            else:
                name = alias.asname or alias.name.partition(".")[0]
                self.bind(name)
                self.name(name)
        self.out.append(";")

    def visit_global(self, node: Any) -> None:
        self.out.append(type(node).__name__)
        declared = type(node) is ast.Global
        for name in node.names:
            self.binds.add(name)
            if declared:
                self.scope.global_names.add(name)
            else:
                self.scope.nonlocal_names.add(name)

    statements: ClassVar[dict[type, Any]] = {
        ast.AnnAssign: visit_annotated,
        ast.Assign: visit_assign,
        ast.AsyncFor: visit_for,
        ast.AsyncWith: visit_with,
        ast.AugAssign: visit_augmented,
        ast.Break: visit_break,
        ast.Continue: visit_continue,
        ast.Expr: visit_expression,
        ast.For: visit_for,
        ast.Global: visit_global,
        ast.If: visit_if,
        ast.Import: visit_import,
        ast.ImportFrom: visit_import,
        ast.Match: visit_match,
        ast.Nonlocal: visit_global,
        ast.Pass: visit_pass,
        ast.Raise: visit_raise,
        ast.Return: visit_return,
        ast.Try: visit_try,
        ast.TryStar: visit_try,
        ast.While: visit_while,
        ast.With: visit_with,
    }
