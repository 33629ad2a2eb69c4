"""Structure of a candidate's source, as CPython sees it, without executing it.

analyze(source) returns what package program decodes as an Analysis: validity by
compile(), top-level functions with the calls they reach, the names they bind and read,
and digests of their trees. Standard library only; the result depends on nothing but the
source, and the digests do not depend on Python's minor version.

One walk over the tree does all: it emits the tree as tokens (for the digests), notes every
name with its scope (for loads and renaming), and records in live code which expressions
are called, handed to a call, or bound to a name (for reachability, resolved afterwards).
"""

from __future__ import annotations

import ast
import builtins
import copy
import hashlib
import re
import warnings
from typing import Any

_LINE = re.compile(rb"\r\n?|\n")
_AT = re.compile(rb"[ \t\f]*@")
# What the site module adds depends on how Python was started; the rest is the language.
_SITE = {"copyright", "credits", "exit", "help", "license", "quit"}
# Reading one of these may define or find names in ways that a source does not show.
_DYNAMIC = frozenset({"exec", "globals", "vars"})
_NO_NAME = frozenset({"BaseException", "Exception", "NameError", "UnboundLocalError"})
_MODULE_NAMES = {"__name__", "__file__", "__doc__", "__builtins__", "__spec__"}
_BUILTINS = (frozenset(dir(builtins)) - _SITE) | _MODULE_NAMES
_MAX_STEPS = 200_000  # of resolving aliases: only a source made for it gets there
_UNWRAP = frozenset({"__call__", "copy", "get", "items", "pop", "values"})


def analyze(source: str) -> dict[str, Any]:
    """Return the Analysis of one module as a JSON-encodable dict."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(source, "<candidate>", "exec", ast.PyCF_ONLY_AST, True)
            # Parsing alone lets "return" outside a function and its like through.
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


# What a name is there for. What may be read is unreachable, or guarded against its lack.
_STORED, _READ, _MAY_BE_READ = range(3)


class _Scope:
    """A namespace. kind is one of module, function, class, comprehension."""

    __slots__ = ("bound", "global_names", "kind", "nonlocal_names", "parent")

    def __init__(self, kind: str, parent: _Scope | None) -> None:
        self.kind = kind
        self.parent = parent
        self.bound: set[str] = set()
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()


def _resolve(scope: _Scope | None, name: str) -> _Scope | None:
    """Return the scope that binds name as seen from scope; None for a global name."""
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


class _Entity:
    """Code that runs when it is called: a function, a lambda, or a class with methods.

    used holds expressions that live code calls or hands to a call, given those it
    returns or yields, aliases what it binds: (scope, name, expression, its scope).
    """

    __slots__ = ("aliases", "given", "used")

    def __init__(self) -> None:
        self.used: list[tuple[Any, _Scope]] = []
        self.given: list[tuple[Any, _Scope]] = []
        self.aliases: list[tuple[_Scope, str, Any, _Scope]] = []


class _Walk:
    """One walk: emits tokens, notes names and statements, records what live code does."""

    def __init__(self) -> None:
        self.module = _Scope("module", None)
        self.scope = self.module
        self.entity = _Entity()
        self.dead = 0  # > 0 inside code that cannot be reached
        self.annotating = 0  # of these, how many are annotations
        self.guarded = 0  # > 0 where a NameError would be caught
        self.star = False  # from module import *
        self.breaks: list[bool] = []  # per enclosing loop: a live break was seen
        self.lazy = False  # from __future__ import annotations: none is evaluated
        self.restart()

    def restart(self) -> None:
        """Forget the tokens and names of the previous top-level function."""
        self.out: list[str] = []
        self.numbers: list[str] = []
        self.names: list[tuple[int, _Scope, str, int, Any]] = []
        self.binds: set[str] = set()
        self.roots: set[str] = set()
        self.statements = 0
        self.ignored = False  # a value may be thrown away
        self.assigned: list[tuple[_Scope, str]] = []  # to single names
        self.changed: list[tuple[_Scope, str]] = []  # whose objects may be changed

    # Names.

    def bind(self, name: str) -> None:
        self.binds.add(name)
        self.scope.bound.add(name)

    def emit_name(self, name: str) -> None:
        self.names.append((len(self.out), self.scope, name, _STORED, None))
        self.out.append("")

    def visit_name(self, node: Any) -> None:
        use = _STORED
        if type(node.ctx) is not ast.Load:
            self.bind(node.id)
        elif self.guarded or self.dead > self.annotating:
            use = _MAY_BE_READ
        else:
            use = _READ
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

    # Reachability.

    def use(self, node: Any) -> None:
        if not self.dead and type(node) not in _INERT:
            self.entity.used.append((node, self.scope))

    def alias(self, target: Any, value: Any, scope: _Scope) -> None:
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

    # Expressions.

    def visit(self, node: Any) -> None:
        visitor = _VISIT.get(type(node))
        if visitor is not None:
            visitor(self, node)
        else:
            self.generic(node)

    def generic(self, node: Any) -> None:
        """Emit a node by its fields, leaving out the empty and the version's own."""
        if isinstance(node, ast.stmt):
            self.statements += 1
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
                self.emit_name(value)
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

    def visit_constant(self, node: Any) -> None:
        value = node.value
        kind = type(value)
        if kind is int or kind is float or kind is complex:
            self.number(value)
        else:
            self.out.append(repr(value))

    def number(self, value: complex) -> None:
        self.out.append("#")
        # Hexadecimal: decimal digits of huge integers are refused by CPython.
        self.numbers.append(f"{value:x}" if type(value) is int else repr(value))

    def visit_unary(self, node: Any) -> None:
        operand = node.operand
        if type(node.op) is ast.USub and _is_number(operand):
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
            if _truth(value) is stops:
                self.dead += 1
        self.dead = dead
        self.out.append("]")

    def visit_joined(self, node: Any) -> None:
        """Merge the pieces of text: how an f-string is cut depends on the version."""
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
        name = _root(node)
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
        truth = _truth(node.test)
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
        if not self.dead:
            self.entity.given.append((node.value, self.scope))
        self.visit(node.value)

    def visit_comprehension(self, node: Any) -> None:
        """Element first in the tree, but generators bind what it reads: they go first."""
        out = self.out
        out.append(type(node).__name__ + "(")
        outer, dead = self.scope, self.dead
        inner = _Scope("comprehension", outer)
        node.scope = inner
        for generator in node.generators:
            out.append("async" if generator.is_async else "for")
            self.visit(generator.iter)  # the first one is evaluated outside
            came_from = self.scope
            self.scope = inner
            self.visit(generator.target)
            self.alias(generator.target, generator.iter, came_from)
            self.dead += _is_empty(generator.iter)
            for test in generator.ifs:
                out.append("if")
                self.visit(test)
                self.dead += _truth(test) is False
        if type(node) is ast.DictComp:
            self.visit(node.key)
            self.visit(node.value)
        else:
            self.visit(node.elt)
        self.scope, self.dead = outer, dead
        out.append(")")

    def visit_lambda(self, node: Any) -> None:
        self.out.append("Lambda(")
        node.entity = entity = _Entity()
        inner = self.arguments(node.args, self.scope)
        outer = (self.scope, self.entity)
        self.scope, self.entity = inner, entity
        if not self.dead:
            entity.given.append((node.body, inner))
        self.visit(node.body)
        self.scope, self.entity = outer
        self.out.append(")")

    # Functions and classes.

    def arguments(self, args: Any, parent: _Scope) -> _Scope:
        """Emit parameters; defaults are evaluated in the current scope."""
        out = self.out
        inner = _Scope("function", parent)
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
                if not self.dead and type(value) not in _INERT:
                    self.entity.aliases.append((inner, arg.arg, value, self.scope))
        for mark, arg in (("*a", args.vararg), ("**k", args.kwarg)):
            if arg is not None:
                out.append(mark)
                self.parameter(arg, inner)
        out.append(":")
        return inner

    def parameter(self, arg: Any, inner: _Scope) -> None:
        self.binds.add(arg.arg)
        inner.bound.add(arg.arg)
        self.names.append((len(self.out), inner, arg.arg, _STORED, None))
        self.out.append("")
        if arg.annotation is not None:
            self.annotation(arg.annotation)

    def annotation(self, node: Any) -> None:
        """Note the names an annotation reads; it is no part of the digest or of calls."""
        if self.lazy:
            return
        size, count = len(self.out), len(self.numbers)
        statements = self.statements
        start = len(self.names)
        self.dead += 1
        self.annotating += 1
        self.visit(node)
        self.annotating -= 1
        self.dead -= 1
        del self.out[size:], self.numbers[count:]
        self.statements = statements
        self.names[start:] = [(-1, *name[1:]) for name in self.names[start:]]

    def signature(self, node: Any) -> _Scope:
        """Emit decorators and parameters of a def; return its scope."""
        out = self.out
        for decorator in node.decorator_list:
            out.append("@")
            self.use(decorator)
            self.visit(decorator)
        scope = self.scope
        for parameter in getattr(node, "type_params", ()):
            if scope is self.scope:
                scope = _Scope("function", self.scope)
            scope.bound.add(parameter.name)
        outer, self.scope = self.scope, scope
        inner = self.arguments(node.args, scope)
        if node.returns is not None:
            self.annotation(node.returns)
        self.scope = outer
        return inner

    def body(self, node: Any, inner: _Scope, entity: _Entity) -> None:
        """Emit a def's body in its own scope, without its docstring."""
        outer = (self.scope, self.entity, self.breaks, self.dead)
        self.scope, self.entity, self.breaks = inner, entity, []
        self.block(node.body[1:] if _docstring(node) else node.body)
        self.scope, self.entity, self.breaks, self.dead = outer

    def visit_function(self, node: Any) -> bool:
        self.statements += 1
        self.out.append(type(node).__name__ + "(")
        self.bind(node.name)
        self.emit_name(node.name)
        inner = self.signature(node)
        # The methods of a class are reached with the class.
        in_class = self.scope.kind == "class"
        node.entity = entity = self.entity if in_class else _Entity()
        if not in_class and not self.dead:
            self.entity.aliases.append((self.scope, node.name, node, self.scope))
            if node.decorator_list:
                self.entity.used.append((node, self.scope))
        self.body(node, inner, entity)
        self.out.append(")")
        return False

    def visit_class(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("ClassDef(")
        self.bind(node.name)
        self.emit_name(node.name)
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
        node.entity = _Entity()
        if not self.dead:
            self.entity.aliases.append((self.scope, node.name, node, self.scope))
            if node.decorator_list:
                self.entity.used.append((node, self.scope))
        inner = _Scope("class", self.scope)
        for parameter in getattr(node, "type_params", ()):
            inner.bound.add(parameter.name)
        self.body(node, inner, node.entity)
        self.out.append(")")
        return False

    # Statements. Each returns whether control cannot come out at its end.

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
        visitor = _STATEMENT.get(type(node))
        if visitor is not None:
            return visitor(self, node) is True
        self.visit(node)
        return False

    def dead_block(self, body: list[Any], dead: bool) -> bool:
        self.dead += dead
        ended = self.block(body)
        self.dead -= dead
        return ended

    def visit_expression(self, node: Any) -> None:
        self.statements += 1
        self.out.append("Expr")
        value = node.value
        if type(value) is not ast.Call or type(value.func) is not ast.Attribute:
            self.ignored = True
        else:  # a method called for its effect, on its receiver or its arguments
            for changed in (value.func, *value.args):
                self.change(changed)
        self.visit(value)

    def visit_assign(self, node: Any) -> None:
        self.statements += 1
        self.out.append("Assign")
        self.visit(node.value)
        for target in node.targets:
            self.visit(target)
            self.alias(target, node.value, self.scope)
            if type(target) is ast.Name:
                self.assigned.append((self.scope, target.id))
        self.out.append(";")

    def visit_annotated(self, node: Any) -> None:
        self.statements += 1
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
        self.statements += 1
        self.out.append("Aug" + type(node.op).__name__)
        self.visit(node.target)
        self.visit(node.value)
        self.alias(node.target, node.value, self.scope)

    def visit_return(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("Return")
        if node.value is None:
            self.out.append("-")
            return True
        if not self.dead:
            self.entity.given.append((node.value, self.scope))
        self.visit(node.value)
        return True

    def visit_pass(self, node: Any) -> None:
        self.statements += 1
        self.out.append("Pass")
        self.ignored = True  # it may follow a condition that is called for nothing

    def visit_raise(self, node: Any) -> bool:
        self.generic(node)
        return True

    def visit_break(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("Break")
        if self.breaks and not self.dead:
            self.breaks[-1] = True
        return True

    def visit_continue(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("Continue")
        return True

    def visit_if(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("If")
        truth = _truth(node.test)
        self.visit(node.test)
        first = self.dead_block(node.body, truth is False)
        second = self.dead_block(node.orelse, truth is True)
        if truth is None:
            return first and second
        return first if truth else second

    def visit_while(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("While")
        truth = _truth(node.test)
        self.visit(node.test)
        self.breaks.append(False)
        self.dead_block(node.body, truth is False)
        broken = self.breaks.pop()
        forever = truth is True and not broken
        self.dead_block(node.orelse, truth is True)
        return forever

    def visit_for(self, node: Any) -> bool:
        self.statements += 1
        self.out.append(type(node).__name__)
        self.visit(node.iter)
        self.visit(node.target)
        self.alias(node.target, node.iter, self.scope)
        self.breaks.append(False)
        self.dead_block(node.body, _is_empty(node.iter))
        self.breaks.pop()
        self.block(node.orelse)
        return False

    def visit_with(self, node: Any) -> bool:
        self.statements += 1
        self.out.append(type(node).__name__)
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.out.append("as")
                self.visit(item.optional_vars)
                self.alias(item.optional_vars, item.context_expr, self.scope)
        self.block(node.body)  # it may suppress what its body raises
        return False

    def visit_try(self, node: Any) -> bool:
        self.statements += 1
        self.out.append(type(node).__name__)
        guarded = any(_catches_names(handler.type) for handler in node.handlers)
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
                self.emit_name(handler.name)
            handled = self.block(handler.body) and handled
        ended = self.dead_block(node.orelse, ended) or ended
        return self.block(node.finalbody) or (ended and handled)

    def visit_match(self, node: Any) -> bool:
        self.statements += 1
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
        return False

    def visit_import(self, node: Any) -> bool:
        self.statements += 1
        self.out.append("Import")
        self.roots.update(_roots(node))
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
                self.emit_name(name)
        self.out.append(";")
        return False

    def visit_global(self, node: Any) -> bool:
        self.statements += 1
        self.out.append(type(node).__name__)
        declared = type(node) is ast.Global
        for name in node.names:
            self.binds.add(name)
            if declared:
                self.scope.global_names.add(name)
            else:
                self.scope.nonlocal_names.add(name)
        return False


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
_SKIPPED = frozenset({"ctx", "kind", "type_comment", "type_params"})
_BINDING = frozenset({"name", "rest"})  # of match patterns
_VISIT: dict[type, Any] = {
    ast.Attribute: _Walk.visit_attribute,
    ast.BinOp: _Walk.visit_binary,
    ast.BoolOp: _Walk.visit_bool,
    ast.Call: _Walk.visit_call,
    ast.Compare: _Walk.visit_compare,
    ast.Constant: _Walk.visit_constant,
    ast.DictComp: _Walk.visit_comprehension,
    ast.GeneratorExp: _Walk.visit_comprehension,
    ast.IfExp: _Walk.visit_conditional,
    ast.JoinedStr: _Walk.visit_joined,
    ast.Lambda: _Walk.visit_lambda,
    ast.List: _Walk.visit_sequence,
    ast.ListComp: _Walk.visit_comprehension,
    ast.Name: _Walk.visit_name,
    ast.NamedExpr: _Walk.visit_named,
    ast.Set: _Walk.visit_sequence,
    ast.SetComp: _Walk.visit_comprehension,
    ast.Subscript: _Walk.visit_subscript,
    ast.Tuple: _Walk.visit_sequence,
    ast.UnaryOp: _Walk.visit_unary,
    ast.Yield: _Walk.visit_yield,
    ast.YieldFrom: _Walk.visit_yield,
}
_STATEMENT: dict[type, Any] = {
    ast.AnnAssign: _Walk.visit_annotated,
    ast.Assign: _Walk.visit_assign,
    ast.AsyncFor: _Walk.visit_for,
    ast.AsyncFunctionDef: _Walk.visit_function,
    ast.AsyncWith: _Walk.visit_with,
    ast.AugAssign: _Walk.visit_augmented,
    ast.Break: _Walk.visit_break,
    ast.ClassDef: _Walk.visit_class,
    ast.Continue: _Walk.visit_continue,
    ast.Expr: _Walk.visit_expression,
    ast.For: _Walk.visit_for,
    ast.FunctionDef: _Walk.visit_function,
    ast.Global: _Walk.visit_global,
    ast.If: _Walk.visit_if,
    ast.Import: _Walk.visit_import,
    ast.ImportFrom: _Walk.visit_import,
    ast.Match: _Walk.visit_match,
    ast.Nonlocal: _Walk.visit_global,
    ast.Pass: _Walk.visit_pass,
    ast.Raise: _Walk.visit_raise,
    ast.Return: _Walk.visit_return,
    ast.Try: _Walk.visit_try,
    ast.TryStar: _Walk.visit_try,
    ast.While: _Walk.visit_while,
    ast.With: _Walk.visit_with,
}
_COMPARE = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def _truth(node: Any) -> bool | None:
    """Return the truth of a literal condition; None when it is not literal."""
    kind = type(node)
    if kind is ast.Constant:
        return bool(node.value)
    if kind is ast.UnaryOp and type(node.op) is ast.Not:
        inner = _truth(node.operand)
        return None if inner is None else not inner
    if kind is ast.Tuple or kind is ast.List or kind is ast.Set:
        return bool(node.elts) if all(map(_is_plain, node.elts)) else None
    if kind is ast.Dict and not node.keys:
        return False
    if kind is ast.BoolOp:
        truths = [_truth(value) for value in node.values]
        stops = type(node.op) is ast.Or
        if stops in truths:
            return stops
        return None if None in truths else not stops
    if kind is ast.Compare and len(node.ops) == 1:
        a, b, op = node.left, node.comparators[0], _COMPARE.get(type(node.ops[0]))
        if op is not None and _is_number(a) and _is_number(b):
            return op(a.value, b.value)
    return None


def _is_number(node: Any) -> bool:
    return type(node) is ast.Constant and type(node.value) in (int, float)


def _is_plain(node: Any) -> bool:
    return type(node) is not ast.Starred


def _catches_names(kind: Any) -> bool:
    """Return whether a handler of that type catches a NameError."""
    if type(kind) is ast.Tuple:
        return any(map(_catches_names, kind.elts))
    return kind is None or (type(kind) is ast.Name and kind.id in _NO_NAME)


def _is_empty(node: Any) -> bool:
    """Return whether an iterable is an empty literal."""
    if type(node) in (ast.Tuple, ast.List):
        return not node.elts
    return type(node) is ast.Dict and not node.keys


def _docstring(node: Any) -> Any:
    """Return the docstring's expression statement, or None."""
    if node.body and type(node.body[0]) is ast.Expr:
        value = node.body[0].value
        if type(value) is ast.Constant and type(value.value) is str:
            return node.body[0]
    return None


def _clean(doc: str) -> str:
    """Strip a docstring's indentation and outer blank lines."""
    lines = doc.expandtabs().splitlines()
    margins = [len(s) - len(s.lstrip()) for s in lines[1:] if s.strip()]
    margin = min(margins, default=0)
    lines = [s.strip() for s in lines[:1]] + [s[margin:].rstrip() for s in lines[1:]]
    return "\n".join(lines).strip("\n")


def _roots(node: Any) -> list[str]:
    """Return the root modules that an import statement names; "." when relative."""
    if type(node) is ast.Import:
        return [alias.name.partition(".")[0] for alias in node.names]
    return ["."] if node.level else [node.module.partition(".")[0]]


def _root(node: Any) -> str:
    """Return the name that a chain of attributes and subscripts begins with, or ""."""
    while type(node) is ast.Attribute or type(node) is ast.Subscript:
        node = node.value
    return node.id if type(node) is ast.Name else ""


def _named_lambda(node: Any) -> str:
    """Return "name = lambda ..." as a def; "" for any other statement."""
    if type(node) is ast.Assign and len(node.targets) == 1:
        target = node.targets[0]
    elif type(node) is ast.AnnAssign:
        target = node.target
    else:
        return ""
    if type(target) is not ast.Name or type(node.value) is not ast.Lambda:
        return ""
    arguments, body = ast.unparse(node.value.args), ast.unparse(node.value.body)
    return f"def {target.id}({arguments}):\n    return {body}"


def _digest(tokens: list[str]) -> str:
    text = "\n".join(tokens).encode("utf-8", "backslashreplace")
    return hashlib.sha256(text).hexdigest()[:32]


def _filled(entry: dict[str, Any]) -> dict[str, Any]:
    """Drop the empty lists of an entry, which Go leaves out as well."""
    return {key: value for key, value in entry.items() if value or type(value) is int}


class _Names:
    """The names of one walk, resolved."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens  # with the locals renamed
        self.loads: set[str] = set()  # global names read
        self.sure: set[str] = set()  # of these, those whose lack would raise
        self.stored: set[str] = set()  # global names bound
        self.changed: set[str] = set()  # global names whose objects may be changed
        self.locals: set[tuple[_Scope, str]] = set()  # local names read

    def reads(self) -> dict[str, Any]:
        """Return the fields of an entry; "sure" is replaced by note_missing."""
        return {"loads": sorted(self.loads), "sure": self.sure}


class _Module:
    """The analysis of one module."""

    def __init__(self, source: str, tree: Any) -> None:
        self.bytes = source.encode("utf-8")
        self.starts = [0, *(m.end() for m in _LINE.finditer(self.bytes))]
        self.tree = tree
        self.walk = _Walk()
        self.functions: list[tuple[dict[str, Any], Any, _Entity]] = []
        self.classes: list[tuple[dict[str, Any], _Entity]] = []
        self.imports: list[dict[str, Any]] = []
        self.statements: list[dict[str, Any]] = []
        self.stored: set[str] = set()  # global names bound inside functions and classes
        self.dynamic = False
        self.refs: dict[str, list[int]] = {}
        self.module_binds: set[str] = set()
        self.module_roots: set[str] = set()
        self.other = 0

    def result(self) -> dict[str, Any]:
        walk = self.walk
        run = walk.entity  # what importing the module runs
        statements = self.tree.body
        if _docstring(self.tree):
            node = statements[0]
            self.statements.append({"start": self.start(node), "end": self.end(node)})
            statements = statements[1:]
        for node in statements:
            walk.restart()
            kind = type(node)
            if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                self.function(node, run)
            elif kind is ast.ClassDef:
                self.other += 1
                node.top = True
                walk.visit_class(node)
                names = self.note_names(None)
                binds = sorted(walk.binds - {node.name})
                entry = {**self.named(node), "binds": binds, **names.reads()}
                self.classes.append((entry, node.entity))
                self.stored |= names.stored
            else:
                walk.statement(node)
                names = self.note_names(None)
                if kind is ast.Import or kind is ast.ImportFrom:
                    self.imports.append(self.imported(node))
                else:
                    self.other += 1
                    self.statements.append(self.other_statement(node, names))
            self.module_roots.update(walk.roots)
        self.module_binds.update(walk.module.bound)
        reach = _Reach(walk.module, run)
        for entry, _, entity in self.functions:
            entry["calls"], entry["hands"] = reach.calls(entity)
        for entry, entity in self.classes:
            entry["calls"], entry["hands"] = reach.calls(entity)
        functions = [entry for entry, _, _ in self.functions]
        classes = [entry for entry, _ in self.classes]
        self.note_missing([*functions, *classes, *self.statements])
        for entry, node, _ in self.functions:
            entry["refs"] = sorted(self.refs.get(entry["name"], ()))
            if entry.pop("ignores"):
                entry["body_digest_without"] = self.without(node, entry)
        result = {
            "functions": [_filled(entry) for entry in functions],
            "classes": [_filled(entry) for entry in classes],
            "imports": self.imports,
            "statements": [_filled(entry) for entry in self.statements],
            "binds": sorted(self.module_binds),
            "modules": sorted(self.module_roots),
            "calls": reach.calls(run)[0],
            "other": self.other,
        }
        return {key: value for key, value in result.items() if value}

    def other_statement(self, node: Any, names: _Names) -> dict[str, Any]:
        return {
            "start": self.start(node),
            "end": self.end(node),
            "binds": sorted(names.stored),
            "changes": sorted(names.changed),
            "def": _named_lambda(node),
            **names.reads(),
        }

    def note_missing(self, entries: list[dict[str, Any]]) -> None:
        """Turn what each entry reads for certain into what nothing provides."""
        walk = self.walk
        given = _BUILTINS | _SITE | walk.module.bound | self.stored
        blind = walk.star or self.dynamic
        for entry in entries:
            names = entry.pop("sure", set()) - given
            if not blind:
                entry["missing"] = sorted(n for n in names if not n.startswith("__"))

    # Positions.

    def start(self, node: Any) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: Any) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def decorated_start(self, node: Any) -> int:
        """Return where a def begins, at the @ of its first decorator if it has one."""
        decorators = getattr(node, "decorator_list", None)
        if not decorators:
            return self.start(node)
        line = decorators[0].lineno
        # The expression may begin on a line after its @.
        while line > 1 and not _AT.match(self.bytes, self.starts[line - 1]):
            line -= 1
        return self.bytes.index(b"@", self.starts[line - 1])

    def imported(self, node: Any) -> dict[str, Any]:
        start, end = self.start(node), self.end(node)
        text = self.bytes[start:end].decode("utf-8")
        names = sorted(n for n in self.walk.binds)
        entry = {"source": text, "roots": _roots(node), "start": start, "end": end}
        return {**entry, "names": names}

    def named(self, node: Any) -> dict[str, Any]:
        return {
            "name": node.name,
            "start": self.decorated_start(node),
            "end": self.end(node),
        }

    # Functions.

    def function(self, node: Any, run: _Entity) -> None:
        walk = self.walk
        entity = _Entity()
        node.entity = entity
        # Decorators and defaults run at import, and belong to the function all the same.
        walk.entity = entity
        inner = walk.signature(node)
        run.used.extend(entity.used)
        body, numbers = len(walk.out), len(walk.numbers)
        walk.body(node, inner, entity)
        walk.entity = run
        walk.module.bound.add(node.name)
        names = self.note_names(node.name)
        self.stored |= names.stored
        tokens, loads = names.tokens, names.loads
        doc = _docstring(node)
        first = node.body[1:2] if doc else node.body[:1]
        args = node.args
        low, high = _arity(args)
        entry = {
            **self.named(node),
            "params": _parameters(args),
            "min_args": low,
            "max_args": high,
            "async": type(node) is ast.AsyncFunctionDef,
            "doc": _clean(doc.value.value) if doc else "",
            "doc_start": self.start(doc) if doc else 0,
            "doc_end": self.end(doc) if doc else 0,
            "statements": walk.statements,
            **names.reads(),
            "free": sorted(loads - _BUILTINS - {node.name}),
            "binds": sorted(walk.binds),
            "modules": sorted(walk.roots),
            "fingerprint": _digest([*tokens, "|", str(len(walk.numbers))]),
            "changes": sorted(names.stored | names.changed),
            "digest": _digest([*tokens, "|", *walk.numbers]),
            "body_digest": _digest([*tokens[body:], "|", *walk.numbers[numbers:]]),
        }
        start = self.decorated_start(first[0]) if first else entry["end"]
        entry["body_start"] = start
        entry["ignores"] = walk.ignored or not names.locals.issuperset(walk.assigned)
        self.def_name(node)
        self.functions.append((entry, node, entity))

    def def_name(self, node: Any) -> None:
        """Note where a def spells its name."""
        start = self.start(node)
        pattern = rb"def[\s\\]+(" + re.escape(node.name.encode()) + rb")"
        found = re.compile(pattern).search(self.bytes, start)
        if found:
            self.refs.setdefault(node.name, []).append(found.start(1))

    def note_names(self, own: str | None) -> _Names:
        """Resolve the names of the last walk: rename locals in the tokens by order of
        appearance, collect the global names and where they stand."""
        walk = self.walk
        found = _Names(walk.out)
        tokens: dict[tuple[_Scope, str], str] = {}
        known: dict[tuple[_Scope, str], tuple[_Scope | None, str]] = {}
        for at, scope, name, use, node in walk.names:
            meant = known.get((scope, name))
            if meant is None:
                owner = _resolve(scope, name)
                if owner is None:
                    token = "$self" if name == own else name
                elif (owner, name) in tokens:
                    token = tokens[owner, name]
                else:
                    token = tokens[owner, name] = f"${len(tokens)}"
                meant = known[scope, name] = (owner, token)
            owner, token = meant
            if at >= 0:
                walk.out[at] = token
            if owner is not None:
                if use:
                    found.locals.add((owner, name))
            else:
                if use:
                    found.loads.add(name)
                else:
                    found.stored.add(name)
                if use == _READ:
                    found.sure.add(name)
                if node is not None and self.spelled(node, name):
                    self.refs.setdefault(name, []).append(self.start(node))
        changed = walk.changed
        found.changed = {name for scope, name in changed if not _resolve(scope, name)}
        self.dynamic |= not found.loads.isdisjoint(_DYNAMIC)
        return found

    def spelled(self, node: Any, name: str) -> bool:
        """Before 3.12 positions within f-strings are unreliable: look."""
        return self.bytes.startswith(name.encode(), self.start(node))

    def without(self, node: Any, entry: dict[str, Any]) -> dict[str, str]:
        """Return, per global name called, the body's digest without what only calls it."""
        found: dict[str, str] = {}
        for name in entry["calls"]:
            if name in _BUILTINS or name not in entry["loads"]:
                continue
            body = _Ignoring(node, name).strip(node.body)
            if body is None:
                continue
            walk = _Walk()
            inner = walk.signature(node)
            mark, numbers = len(walk.out), len(walk.numbers)
            stripped = copy.copy(node)
            stripped.body = body
            walk.body(stripped, inner, _Entity())
            kept, self.walk, refs, self.refs = self.walk, walk, self.refs, {}
            tokens = self.note_names(entry["name"]).tokens
            self.walk, self.refs = kept, refs
            digest = _digest([*tokens[mark:], "|", *walk.numbers[numbers:]])
            found[name] = digest
        return found


def _parameters(args: Any) -> list[str]:
    every = args.posonlyargs + args.args
    every += [args.vararg] if args.vararg else []
    every += args.kwonlyargs
    every += [args.kwarg] if args.kwarg else []
    return [arg.arg for arg in every]


def _arity(args: Any) -> tuple[int, int]:
    """Return the least and the greatest number of positional arguments."""
    most = len(args.posonlyargs) + len(args.args)
    least = most - len(args.defaults)
    if any(value is None for value in args.kw_defaults):
        least = -1
    return least, -1 if args.vararg else most


class _Reach:
    """Which global names an entity reaches as calls, through aliases and nested code."""

    def __init__(self, module: _Scope, run: _Entity) -> None:
        self.module = module
        self.run = run

    def calls(self, entity: _Entity) -> tuple[list[str], list[str]]:
        """Return the names called, and those that a caller gets as a returned value."""
        self.known: dict[tuple[_Scope, str], list[tuple[Any, _Scope]]] = {}
        self.entities: list[_Entity] = []
        self.names: set[str] = set()
        self.steps = 0
        self.enter(self.run, runs=False)
        self.enter(entity)
        names = self.settle()
        before = set(names)
        values: set[Any] = set()
        for node, scope in entity.given:
            self.values(node, scope, values, set())
        hands = {value for value in values if isinstance(value, str)}
        inner = [value for value in values if isinstance(value, _Entity)]
        for value in inner:
            self.enter(value)
        if inner:
            hands |= self.settle() - before
        return sorted(before), sorted(hands)

    def enter(self, entity: _Entity, runs: bool = True) -> None:
        """Take up an entity's aliases and, when it runs, its calls."""
        if entity in self.entities:
            return
        for scope, name, node, seen_from in entity.aliases:
            base = name.partition(".")[0]
            owner = _resolve(scope, base) or self.module
            self.known.setdefault((owner, name), []).append((node, seen_from))
        if runs:
            self.entities.append(entity)

    def settle(self) -> set[str]:
        """Enter what is called until nothing new is found."""
        size = -1
        while size != len(self.entities):
            size = len(self.entities)
            values: set[Any] = set()
            seen: set[tuple[_Scope, str]] = set()
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
        scope: _Scope,
        into: set[Any],
        seen: set[tuple[_Scope, str]],
    ) -> None:
        """Collect the functions that an expression may evaluate to, or may hold."""
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise RecursionError
        kind = type(node)
        if kind is ast.Name:
            owner = _resolve(scope, node.id)
            if owner is None:
                into.add(node.id)
                owner = self.module
            self.follow(owner, node.id, into, seen)
        elif kind is ast.Attribute:
            self.attribute(node, scope, into, seen)
        elif kind is ast.Call:
            self.returned(node, scope, into, seen)
        elif kind is ast.IfExp:
            truth = _truth(node.test)
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
        owner: _Scope,
        name: str,
        into: set[Any],
        seen: set[tuple[_Scope, str]],
    ) -> None:
        if (owner, name) in seen:
            return
        seen.add((owner, name))
        for value, scope in self.known.get((owner, name), ()):
            self.values(value, scope, into, seen)

    def attribute(
        self,
        node: Any,
        scope: _Scope,
        into: set[Any],
        seen: set[tuple[_Scope, str]],
    ) -> None:
        """A module's attribute is no function of ours; a class's or an alias may be."""
        if node.attr == "__call__":
            self.values(node.value, scope, into, seen)
        elif type(node.value) is ast.Name:
            owner = _resolve(scope, node.value.id) or self.module
            self.follow(owner, f"{node.value.id}.{node.attr}", into, seen)
            held: set[Any] = set()
            self.values(node.value, scope, held, set(seen))
            into.update(v for v in held if isinstance(v, _Entity))
            if _resolve(scope, node.value.id) is None:
                for value, _ in self.known.get((self.module, node.value.id), ()):
                    if type(value) is ast.ClassDef:
                        into.add(node.value.id)

    def returned(
        self,
        node: Any,
        scope: _Scope,
        into: set[Any],
        seen: set[tuple[_Scope, str]],
    ) -> None:
        """What a call of a nested function returns; what a container's method gives."""
        func = node.func
        if type(func) is ast.Attribute:
            if func.attr in _UNWRAP:
                self.values(func.value, scope, into, seen)
            return
        held: set[Any] = set()
        self.values(func, scope, held, set(seen))
        for value in held:
            if isinstance(value, _Entity) and value not in seen:
                seen.add(value)  # type: ignore[arg-type]
                for given, seen_from in value.given:
                    self.values(given, seen_from, into, seen)


class _Ignoring:
    """Removes the statements whose only effect is to call name and ignore the result."""

    def __init__(self, node: Any, name: str) -> None:
        self.tainted = {name}
        names = [n for n in ast.walk(node) if type(n) is ast.Name]
        self.stored = {n.id for n in names if type(n.ctx) is not ast.Load}
        self.stored.update(_parameters(node.args))
        self.loaded: set[str] = set()

    def strip(self, body: list[Any]) -> list[Any] | None:
        """Return the body without them, or None when there are none."""
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
        """Return a copy with its blocks stripped; None when nothing is left in them."""
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
        """Return whether an expression calls no method of the function's own objects."""
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


_COMPOUND = frozenset(
    {ast.AsyncFor, ast.AsyncWith, ast.For, ast.If, ast.Try, ast.While, ast.With}
)


def _size(body: list[Any]) -> int:
    return sum(1 for node in body for _ in ast.walk(node))
