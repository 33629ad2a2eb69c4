"""Structure: facts about single nodes of a syntax tree."""

from __future__ import annotations

import ast
from typing import Any

# A handler of one of these exceptions catches a NameError.
_NO_NAME = frozenset({"BaseException", "Exception", "NameError", "UnboundLocalError"})
_COMPARE = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Lt: lambda a, b: a < b,
    ast.LtE: lambda a, b: a <= b,
    ast.Gt: lambda a, b: a > b,
    ast.GtE: lambda a, b: a >= b,
}


def truth_of(node: Any) -> bool | None:
    """Return the truth of a literal condition; None when it is not literal."""
    kind = type(node)
    if kind is ast.Constant:
        return bool(node.value)
    if kind is ast.UnaryOp and type(node.op) is ast.Not:
        inner = truth_of(node.operand)
        return None if inner is None else not inner
    if kind is ast.Tuple or kind is ast.List or kind is ast.Set:
        return bool(node.elts) if all(map(_is_plain, node.elts)) else None
    if kind is ast.Dict and not node.keys:
        return False
    if kind is ast.BoolOp:
        truths = [truth_of(value) for value in node.values]
        stops = type(node.op) is ast.Or
        if stops in truths:
            return stops
        return None if None in truths else not stops
    if kind is ast.Compare and len(node.ops) == 1:
        a, b, op = node.left, node.comparators[0], _COMPARE.get(type(node.ops[0]))
        if op is not None and is_number(a) and is_number(b):
            return op(a.value, b.value)
    return None


def is_number(node: Any) -> bool:
    return type(node) is ast.Constant and type(node.value) in (int, float)


def _is_plain(node: Any) -> bool:
    return type(node) is not ast.Starred


def catches_names(kind: Any) -> bool:
    """Report whether a handler of this type catches a NameError."""
    if type(kind) is ast.Tuple:
        return any(map(catches_names, kind.elts))
    return kind is None or (type(kind) is ast.Name and kind.id in _NO_NAME)


def is_empty(node: Any) -> bool:
    """Report whether an iterable is an empty literal."""
    if type(node) in (ast.Tuple, ast.List):
        return not node.elts
    return type(node) is ast.Dict and not node.keys


def docstring(node: Any) -> Any:
    """Return the docstring's expression statement, or None."""
    if node.body and type(node.body[0]) is ast.Expr:
        value = node.body[0].value
        if type(value) is ast.Constant and type(value.value) is str:
            return node.body[0]
    return None


def clean(doc: str) -> str:
    """Strip a docstring's indentation and outer blank lines."""
    lines = doc.expandtabs().splitlines()
    margins = [len(s) - len(s.lstrip()) for s in lines[1:] if s.strip()]
    margin = min(margins, default=0)
    lines = [s.strip() for s in lines[:1]] + [s[margin:].rstrip() for s in lines[1:]]
    return "\n".join(lines).strip("\n")


def imported_roots(node: Any) -> list[str]:
    """Return the root modules that an import statement names; "." when relative."""
    if type(node) is ast.Import:
        return [alias.name.partition(".")[0] for alias in node.names]
    return ["."] if node.level else [node.module.partition(".")[0]]


def root_name(node: Any) -> str:
    """Return the name that a chain of attributes and subscripts begins with, or ""."""
    while type(node) is ast.Attribute or type(node) is ast.Subscript:
        node = node.value
    return node.id if type(node) is ast.Name else ""


def named_lambda(node: Any) -> str:
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


def parameters(args: Any) -> list[str]:
    every = args.posonlyargs + args.args
    every += [args.vararg] if args.vararg else []
    every += args.kwonlyargs
    every += [args.kwarg] if args.kwarg else []
    return [arg.arg for arg in every]


def arity(args: Any) -> tuple[int, int]:
    """Return the least and the greatest number of positional arguments."""
    most = len(args.posonlyargs) + len(args.args)
    least = most - len(args.defaults)
    if any(value is None for value in args.kw_defaults):
        least = -1
    return least, -1 if args.vararg else most


def defaults(args: Any) -> list[Any]:
    """Return the default of each parameter, or None."""
    required = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    values = [None] * required + args.defaults
    values += [None] if args.vararg else []
    values += args.kw_defaults
    values += [None] if args.kwarg else []
    return values
