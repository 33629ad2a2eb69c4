"""Digests: a syntax tree as tokens, and the digest of tokens.

A walk emits one token for each node and field, without positions. The token of a name is filled
in later, when the whole scope has been read. Numeric constants are kept separately, so that a
fingerprint can leave them out.
"""

from __future__ import annotations

import hashlib


class Tokens:
    """Collects the tokens of a tree."""

    def __init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Forget the previous tree."""
        self.out: list[str] = []
        self.numbers: list[str] = []

    def number(self, value: complex) -> None:
        self.out.append("#")
        # Hexadecimal: CPython refuses to write huge integers in decimal.
        self.numbers.append(f"{value:x}" if type(value) is int else repr(value))


def digest(tokens: list[str]) -> str:
    text = "\n".join(tokens).encode("utf-8", "backslashreplace")
    return hashlib.sha256(text).hexdigest()[:32]
