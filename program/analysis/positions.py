"""Positions: byte offsets of statements in a source."""

from __future__ import annotations

import re
from typing import Any

_LINE = re.compile(rb"\r\n?|\n")
_AT = re.compile(rb"[ \t\f]*@")


class Text:
    """A source with its line offsets."""

    def __init__(self, source: str) -> None:
        self.bytes = source.encode("utf-8")
        self.starts = [0, *(m.end() for m in _LINE.finditer(self.bytes))]

    def start(self, node: Any) -> int:
        return self.starts[node.lineno - 1] + node.col_offset

    def end(self, node: Any) -> int:
        return self.starts[node.end_lineno - 1] + node.end_col_offset

    def span(self, node: Any) -> tuple[int, int]:
        """Return start and end of a node; zeros for None."""
        return (self.start(node), self.end(node)) if node else (0, 0)

    def source(self, node: Any) -> str:
        return self.bytes[self.start(node) : self.end(node)].decode("utf-8")

    def decorated_start(self, node: Any) -> int:
        """Return the place of a def, or of the @ of its first decorator."""
        decorators = getattr(node, "decorator_list", None)
        if not decorators:
            return self.start(node)
        line = decorators[0].lineno
        # The expression may begin on a line after its @.
        while line > 1 and not _AT.match(self.bytes, self.starts[line - 1]):
            line -= 1
        return self.bytes.index(b"@", self.starts[line - 1])

    def spelled(self, node: Any, name: str) -> bool:
        """Report whether the source has the name there. Before 3.12, f-strings shift positions."""
        return self.bytes.startswith(name.encode(), self.start(node))

    def defined(self, node: Any) -> list[int]:
        """Return the place of a def's name, as a list of one."""
        pattern = rb"def[\s\\]+(" + re.escape(node.name.encode()) + rb")"
        found = re.compile(pattern).search(self.bytes, self.start(node))
        return [found.start(1)] if found else []
