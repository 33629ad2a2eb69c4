"""Reads and writes frames and values in a Python process; package wire does the same in Go.

Go replaces the import of this module in worker.py and host.py by this text, which therefore uses
their NumPy. A frame is a head (number of bytes that follow, kind, tag or count, sequence number)
and a body.
"""

import math
import os
import struct
from collections.abc import Callable
from typing import Any

np: Any = None  # NumPy, after the including module has imported it

REQUEST, REPLY = 3, 4  # descriptors
HEAD = struct.Struct("<IBBH")
CHUNK = 1 << 16  # bytes of one read; most requests are smaller
LARGE = 1 << 13  # bytes; the parts of a larger frame are not joined before writing
TEXT_LIMIT = 2000  # characters of a message; Go shortens it further

# Tags of values, and the dtypes of arrays.
INT, FLOAT, BOOL, NONE, ARRAY, OTHER, HANDLED, NESTED, PACKED = range(9)
DTYPES = ["bool", "int8", "int16", "int32", "int64"]
DTYPES += ["uint8", "uint16", "uint32", "uint64", "float32", "float64"]

Plan = tuple[Callable[..., Any], int, tuple[tuple[int, int, Any], ...]]
plans: dict[bytes, Plan] = {}


def receive(own: int = 0) -> tuple[bytes | bytearray, int, int, int]:
    """Read one frame, and return its bytes, kind, count and sequence number.

    A frame of the kind own is read only in part; the caller reads the rest.
    """
    # Go sends the next frame after the answer, so one read never contains two frames.
    frame = os.read(REQUEST, CHUNK)
    if len(frame) < HEAD.size:
        os._exit(0)  # Go closed the pipe
    size, kind, count, sequence = HEAD.unpack_from(frame)
    if size != len(frame) - HEAD.size and kind != own:
        whole = bytearray(HEAD.size + size)
        complete(memoryview(whole), frame)
        return whole, kind, count, sequence
    return frame, kind, count, sequence


def complete(whole: memoryview, begun: bytes) -> None:
    """Copy the bytes that have been read into a buffer, and read the rest from the pipe."""
    whole[: len(begun)] = begun
    rest = whole[len(begun) :]
    while rest:
        count = os.readv(REQUEST, [rest])
        if count == 0:
            os._exit(0)
        rest = rest[count:]


def send(kind: int, tag: int = 0, sequence: int = 0, *parts: Any) -> None:
    """Write one frame."""
    size = sum(map(len, parts))
    frame = [HEAD.pack(size, kind, tag, sequence), *parts]
    if size < LARGE:
        frame = [b"".join(frame)]
    left = HEAD.size + size
    while left := left - os.writev(REPLY, frame):
        whole = b"".join(frame)
        frame = [memoryview(whole)[len(whole) - left :]]


def decode(
    frame: bytes | bytearray, count: int, uploads: list[Any] | None = None
) -> list[Any]:
    """Return the list of values in a frame. Arrays are copies, aligned and writable.

    With uploads, in the process of a candidate, an array without dimensions becomes a number.
    """
    key = bytes(frame[HEAD.size : HEAD.size + count])
    plan = plans.get(key)
    if plan is None:
        plan = plans[key] = make_plan(key)
    unpack, end, special = plan
    values = list(unpack(frame, HEAD.size + count))
    for index, tag, dtype in special:
        word = values[index]
        if tag == HANDLED:
            values[index] = uploads[word]
        elif tag == ARRAY:
            values[index] = np.frombuffer(frame, dtype, word, end).copy()
            end += word * dtype.itemsize
        elif tag == NONE:
            values[index] = None
        elif tag == BOOL:
            values[index] = bool(word)
        elif tag == PACKED:
            values[index] = memoryview(frame)[end : end + word]
            end += word
        else:
            shape = struct.unpack_from(f"<{word}q", frame, end)
            end += 8 * word
            size = math.prod(shape)
            array = np.frombuffer(frame, dtype, size, end).copy()
            plain = uploads is not None and not shape
            values[index] = array[0] if plain else array.reshape(shape)
            end += size * dtype.itemsize
    return values


def make_plan(key: bytes) -> Plan:
    """Return how to decode values of these types.

    That is a function that unpacks the words, the place where they end, and the values that are
    more than their word: index, tag and dtype.
    """
    special: list[tuple[int, int, Any]] = []
    codes = "<"
    for index, kind in enumerate(key):
        tag = kind & 15
        codes += "d" if tag == FLOAT else "q"
        if tag in (ARRAY, NESTED):
            special.append((index, tag, np.dtype(DTYPES[kind >> 4])))
        elif tag not in (INT, FLOAT):
            special.append((index, tag, None))
    scalars = struct.Struct(codes)
    return scalars.unpack_from, HEAD.size + len(key) + scalars.size, tuple(special)
