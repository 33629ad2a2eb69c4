"""Encodes the values that a task in Python and its candidates exchange.

A value is one byte for its kind, and then its content. All numbers are little-endian:

    none, false, true       nothing
    int                     int64
    big                     uint16 number of bytes, these: two's complement
    float, complex          one float64, two
    text, raw               uint32 number of bytes, the bytes: UTF-8 or any
    list, tuple             uint32 count, the values
    dict                    uint32 count, the pairs of key and value, in order
    array                   uint8 dtype, uint8 dimensions, uint64 for each of them, data in C order
    scalar                  uint8 dtype, data
    row                     uint8 form, uint8 code, uint32 count, the numbers: a list or tuple with
                            only ints or only floats
    table                   uint8 form, uint8 code, uint32 rows, uint32 columns, the numbers: a list
                            or tuple of rows of one length; rows and columns are at least 1
    kept                    uint32 number of an array that the candidate already has

A form is the sum of 1 for a tuple and 2 for rows that are tuples. A code is a code of Python's
module array: b, h, i and q for ints, d for floats. Package wire checks the same bytes without
making values from them. Nothing is ever unpickled or evaluated.
"""

import math
import struct
from array import array
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import Any

np: Any = None  # NumPy, once with_numpy has been called

LARGEST = 64 << 20  # bytes of one value with all its parts
DEEPEST = 32  # levels of lists, tuples and dicts
LONGEST_INT = 513  # bytes of an int: 4096 bits and the sign
WIDEST_ARRAY = 8  # dimensions
MOST_EXTENT = LARGEST  # product of an array's dimensions that are not 0
MOST_PARTS = 1 << 20  # values in one value; a list that repeats a list can have more
ALIKE = 100  # keys of a dict with the same hash; to insert more takes a long time
SHORT = 4  # numbers from which a list or tuple is packed as a row

(NOTHING, FALSE, TRUE, WHOLE, BIG, REAL, COMPLEX, TEXT, RAW, LIST) = range(10)
(TUPLE, DICT, ARRAYED, SCALAR, ROW, TABLE, KEPT) = range(10, 17)

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"]
TYPES += ["uint64", "float32", "float64", "complex64", "complex128"]

WHOLE64, REAL64 = struct.Struct("<Bq"), struct.Struct("<Bd")
REAL128 = struct.Struct("<Bdd")
COUNTED, PAIRED = struct.Struct("<BI"), struct.Struct("<BH")
ROWED, TABLED = struct.Struct("<BBcI"), struct.Struct("<BBcII")
COUNT, WORD = struct.Struct("<I").unpack_from, struct.Struct("<q").unpack_from

CALL = COUNTED.pack(TUPLE, 2)  # arguments and keywords
BARE = COUNTED.pack(DICT, 0)

Packer = Callable[[Any, "Out", int], None]
Taker = Callable[[Any, int, int], tuple[Any, int]]


class Unfit(TypeError):
    """Names the thing that cannot be sent, "a set", and its place: "[3]['graph']"."""

    place = ""

    def __str__(self) -> str:
        """Return the kind of the value, and its place."""
        return f"{self.args[0]} at {self.place}" if self.place else self.args[0]


class Broken(ValueError):
    """Raised for bytes that are not a value."""


class Kept:
    """Replaces an array that the candidate already has."""

    def __init__(self, number: int) -> None:
        """Take the index of the array among the candidate's arrays."""
        self.number = number


# --- values into bytes --------------------------------------------------------------------


class Out(list[bytes]):
    """Bytes in pieces. Large pieces are counted before they are made."""

    large = 0

    def expect(self, size: int, parts: int = 0) -> None:
        """Refuse a piece that is too large, or too many pieces."""
        self.large += size
        if self.large > LARGEST:
            raise Unfit("more than 64 MiB")
        if len(self) + parts > MOST_PARTS:
            raise Unfit(f"more than {MOST_PARTS} values")


def pack(value: Any) -> bytes:
    """Return a value as bytes, or raise Unfit."""
    out = Out()
    put(value, out, 0)
    return joined(out)


def joined(out: Out) -> bytes:
    """Return the bytes of a value."""
    data = b"".join(out)
    if len(data) > LARGEST:
        raise Unfit("more than 64 MiB")
    return data


def pack_call(arguments: tuple[Any, ...], keywords: dict[str, Any]) -> bytes:
    """Return the arguments of a call as bytes. Each may be nested as deeply as one value."""
    out = Out([CALL])
    put_sequence(arguments, out, -1)
    if keywords:
        put_dict(keywords, out, -1)
    else:
        out.append(BARE)
    return joined(out)


def put(value: Any, out: Out, depth: int) -> None:
    """Append the bytes of a value."""
    packer = PACKERS.get(type(value))
    if packer is None:
        put_strange(value, out, depth)
    else:
        packer(value, out, depth)


def put_int(value: int, out: Out, _: int) -> None:
    """Append an int of any size."""
    try:
        out.append(WHOLE64.pack(WHOLE, value))
    except struct.error:
        size = value.bit_length() // 8 + 1
        if size > LONGEST_INT:
            raise Unfit("an int of more than 4096 bits") from None
        out.append(PAIRED.pack(BIG, size) + value.to_bytes(size, "little", signed=True))


def put_text(value: str, out: Out, _: int) -> None:
    """Append text."""
    try:
        data = value.encode()
    except UnicodeEncodeError:
        raise Unfit("text with half of a surrogate pair") from None
    out.expect(len(data))
    out.append(COUNTED.pack(TEXT, len(data)) + data)


def put_raw(value: bytes, out: Out, _: int) -> None:
    """Append bytes."""
    out.expect(len(value))
    out.append(COUNTED.pack(RAW, len(value)) + value)


def put_sequence(value: Any, out: Out, depth: int) -> None:
    """Append a list or a tuple. It is packed if all its items are numbers of one type."""
    enter(out, depth)
    count, form = len(value), type(value) is tuple
    if count >= SHORT:
        kinds = set(map(type, value))
        if len(kinds) == 1:
            kind = kinds.pop()
            if (kind is list or kind is tuple) and put_table(value, out, kind is tuple):
                return
            if code := code_of(kind, value):
                out.expect(count * array(code.decode()).itemsize)
                out.append(ROWED.pack(ROW, form, code, count))
                out.append(array(code.decode(), value).tobytes())
                return
    out.expect(0, count)
    out.append(COUNTED.pack(TUPLE if form else LIST, count))
    for index, item in enumerate(value):
        try:
            put(item, out, depth + 1)
        except Unfit as error:
            error.place = f"[{index}]{error.place}"
            raise


def put_table(value: Any, out: Out, tuples: bool) -> bool:
    """Append a list or tuple of rows as a table, and report whether this was possible."""
    widths = set(map(len, value))
    if len(widths) > 1 or 0 in widths:
        return False
    width = widths.pop()
    if len(value) * width > LARGEST:
        raise Unfit("more than 64 MiB")
    flat = list(chain.from_iterable(value))
    kinds = set(map(type, flat))
    code = code_of(kinds.pop(), flat) if len(kinds) == 1 else None
    if not code:
        return False
    form = (type(value) is tuple) + 2 * tuples
    out.expect(len(flat) * array(code.decode()).itemsize)
    out.append(TABLED.pack(TABLE, form, code, len(value), width))
    out.append(array(code.decode(), flat).tobytes())
    return True


def code_of(kind: type, numbers: Any) -> bytes | None:
    """Return the code of the smallest type for all numbers, which are of one kind."""
    if kind is float:
        return b"d"
    if kind is not int:
        return None
    low, high = min(numbers), max(numbers)
    for code, bits in ((b"b", 7), (b"h", 15), (b"i", 31), (b"q", 63)):
        if -(1 << bits) <= low and high < 1 << bits:
            return code
    return None


def put_dict(value: dict[Any, Any], out: Out, depth: int) -> None:
    """Append a dict in its order."""
    enter(out, depth)
    out.expect(0, len(value))
    out.append(COUNTED.pack(DICT, len(value)))
    for key, item in value.items():
        check_key(key)
        put(key, out, depth + 1)
        try:
            put(item, out, depth + 1)
        except Unfit as error:
            error.place = f"[{key!r:.40}]{error.place}"
            raise


def check_key(key: Any) -> None:
    """Refuse keys other than scalars and tuples of scalars."""
    if type(key) is tuple:
        for part in key:
            check_key(part)
    elif type(key) in (list, dict) or np and issubclass(type(key), np.ndarray):
        raise Unfit(f"{a(type(key))} as a key")


def enter(out: Out, depth: int) -> None:
    """Refuse a value that is nested too deeply or has too many parts."""
    if depth >= DEEPEST:
        raise Unfit("more than 32 levels of lists, or a list in itself")
    out.expect(0)


def put_array(value: Any, out: Out, _: int) -> None:
    """Append an array of NumPy."""
    code = CODES.get(value.dtype)
    if code is None:
        value, code = native(value)
    shape = value.shape
    if len(shape) > WIDEST_ARRAY:
        raise Unfit("an array of more than 8 dimensions")
    if not value.size and math.prod(max(1, n) for n in shape) > MOST_EXTENT:
        raise Unfit("an array without numbers that is so wide")
    out.append(struct.pack(f"<BBB{len(shape)}Q", ARRAYED, code, len(shape), *shape))
    out.expect(value.nbytes)
    out.append(value.tobytes())


def native(value: Any) -> tuple[Any, int]:
    """Return an array in this machine's order of bytes, with the code of its type."""
    dtype = value.dtype.newbyteorder("=")
    code = CODES.get(dtype)
    if code is None:
        raise Unfit(f"an array of {named(value.dtype)}")
    return value.astype(dtype), code


def named(dtype: Any) -> str:
    """Return the name of a type for "an array of NAME"."""
    return "objects" if dtype.kind == "O" else str(dtype)


def put_scalar(value: Any, out: Out, _: int) -> None:
    """Append a scalar of NumPy."""
    out.append(bytes((SCALAR, CODES[value.dtype])) + value.tobytes())


def put_kept(value: Kept, out: Out, _: int) -> None:
    """Append a reference to an array that the candidate has."""
    out.append(COUNTED.pack(KEPT, value.number))


def put_strange(value: Any, out: Out, depth: int) -> None:
    """Append a value of an uncommon type, or refuse it. It uses type(): __class__ can lie."""
    kind = type(value)
    if np and issubclass(kind, np.generic) and value.dtype in CODES:
        put_scalar(value, out, depth)  # a NumPy type with two names
    elif LENIENT and issubclass(kind, np.ndarray):
        put_array(np.array(value, subok=False), out, depth)
    elif LENIENT and issubclass(kind, np.floating):
        put_scalar(np.float64(value), out, depth)
    else:
        raise Unfit(a(kind))


def a(kind: type) -> str:
    """Return the name of a type with its article. It does not call the metaclass, which can lie."""
    name = type.__dict__["__name__"].__get__(kind)[:200]
    return ("an " if name[:1] in "aeiouAEIOU" else "a ") + name


LENIENT = False  # True for candidates: arrays of other types are converted to TYPES
PACKERS: dict[type, Packer] = {
    type(None): lambda _, out, __: out.append(b"\x00"),
    bool: lambda value, out, _: out.append(b"\x02" if value else b"\x01"),
    int: put_int,
    float: lambda value, out, _: out.append(REAL64.pack(REAL, value)),
    complex: lambda value, out, _: out.append(
        REAL128.pack(COMPLEX, value.real, value.imag)
    ),
    str: put_text,
    bytes: put_raw,
    list: put_sequence,
    tuple: put_sequence,
    dict: put_dict,
    Kept: put_kept,
}
CODES: dict[Any, int] = {}  # by NumPy's type


def with_numpy(numpy: Any, lenient: bool = False) -> None:
    """Allow arrays. lenient converts arrays of types that are not among TYPES."""
    global np, LENIENT
    np, LENIENT = numpy, lenient
    PACKERS[np.ndarray] = put_array
    for code, name in enumerate(TYPES):
        dtype = np.dtype(name)
        CODES[dtype] = code
        PACKERS[dtype.type] = put_scalar
    DTYPE.extend(np.dtype(name) for name in TYPES)
    if lenient:
        PACKERS[np.ndarray] = put_lenient


def put_lenient(value: Any, out: Out, depth: int) -> None:
    """Append an array. Numbers of other types become float32 or float64."""
    if value.dtype.kind == "f" and value.dtype.newbyteorder("=") not in CODES:
        value = value.astype("float32" if value.dtype.itemsize < 4 else "float64")
    put_array(value, out, depth)


# --- bytes into values --------------------------------------------------------------------


def unpack(data: Any, at: int = 0, kept: list[Any] | None = None) -> Any:
    """Return the value in the bytes from at to the end, or raise Broken.

    kept has the arrays that a value may name by their number.
    """
    global KEEPING
    KEEPING = kept or []
    try:
        value, end = take(data, at, -2)
    except Broken:
        raise
    except (ValueError, LookupError, TypeError, struct.error, OverflowError) as error:
        raise Broken(str(error)) from error
    if end != len(data):
        raise Broken("bytes are left")
    return value


def take(data: Any, at: int, depth: int) -> tuple[Any, int]:
    """Return the value that begins at a place, and its end."""
    return TAKERS[data[at]](data, at + 1, depth)


def cut(data: Any, at: int, size: int) -> tuple[Any, int]:
    """Return size bytes, and their end."""
    end = at + size
    if end > len(data):
        raise Broken("it ends too early")
    return data[at:end], end


def take_word(data: Any, at: int, _: int) -> tuple[int, int]:
    """Take an int."""
    return WORD(data, at)[0], at + 8


def take_big(data: Any, at: int, _: int) -> tuple[int, int]:
    """Take a large int."""
    (size,) = struct.unpack_from("<H", data, at)
    if size > LONGEST_INT:
        raise Broken("an int is too long")
    digits, end = cut(data, at + 2, size)
    return int.from_bytes(digits, "little", signed=True), end


def take_text(data: Any, at: int, _: int) -> tuple[str, int]:
    """Take text."""
    text, end = cut(data, at + 4, COUNT(data, at)[0])
    return str(text, "utf-8"), end


def take_raw(data: Any, at: int, _: int) -> tuple[bytes, int]:
    """Take bytes."""
    raw, end = cut(data, at + 4, COUNT(data, at)[0])
    return bytes(raw), end


def take_list(data: Any, at: int, depth: int) -> tuple[list[Any], int]:
    """Take a list."""
    if depth >= DEEPEST:
        raise Broken("it is nested too deeply")
    count, at, items = COUNT(data, at)[0], at + 4, []
    for _ in range(count):
        item, at = TAKERS[data[at]](data, at + 1, depth + 1)
        items.append(item)
    return items, at


def take_tuple(data: Any, at: int, depth: int) -> tuple[tuple[Any, ...], int]:
    """Take a tuple."""
    items, at = take_list(data, at, depth)
    return tuple(items), at


def take_dict(data: Any, at: int, depth: int) -> tuple[dict[Any, Any], int]:
    """Take a dict. Few of its keys may have the same hash."""
    if depth >= DEEPEST:
        raise Broken("it is nested too deeply")
    count, at, keys, items = COUNT(data, at)[0], at + 4, [], []
    if not count:
        return {}, at
    for _ in range(count):
        key, at = take(data, at, depth + 1)
        item, at = take(data, at, depth + 1)
        keys.append(key)
        items.append(item)
    if count > ALIKE and Counter(map(hash, keys)).most_common(1)[0][1] > ALIKE:
        raise Broken("many keys have one hash")
    made = dict(zip(keys, items, strict=True))
    if len(made) != count:
        raise Broken("a key is there twice")
    return made, at


def take_array(data: Any, at: int, _: int) -> tuple[Any, int]:
    """Take an array: a copy, aligned and writable."""
    dtype, dimensions = DTYPE[data[at]], data[at + 1]
    if dimensions > WIDEST_ARRAY:
        raise Broken("an array has too many dimensions")
    shape = struct.unpack_from(f"<{dimensions}Q", data, at + 2)
    count, at = math.prod(shape), at + 2 + 8 * dimensions
    end = at + count * dtype.itemsize
    if end > len(data):
        raise Broken("it ends too early")
    if count == 0:
        if math.prod(max(1, n) for n in shape) > MOST_EXTENT:
            raise Broken("an array is too wide")
        return np.empty(shape, dtype), end
    made = np.frombuffer(data, dtype, count, at).copy()
    if dtype.kind == "b" and made.view("u1").max() > 1:
        raise Broken("a bool is neither")
    return (made if dimensions == 1 else made.reshape(shape)), end


def take_scalar(data: Any, at: int, _: int) -> tuple[Any, int]:
    """Take a scalar of NumPy."""
    dtype = DTYPE[data[at]]
    if dtype.kind == "b" and data[at + 1] > 1:
        raise Broken("a bool is neither")
    return np.frombuffer(data, dtype, 1, at + 1)[0], at + 1 + dtype.itemsize


def take_row(data: Any, at: int, _: int) -> tuple[Any, int]:
    """Take a list or a tuple of numbers."""
    form, code, count = struct.unpack_from("<BcI", data, at)
    if form > 1:
        raise Broken("a row is of no form")
    numbers, end = take_numbers(data, at + 6, code, count)
    return (tuple(numbers) if form else numbers), end


def take_table(data: Any, at: int, depth: int) -> tuple[Any, int]:
    """Take a list or a tuple of rows."""
    if depth + 1 >= DEEPEST:
        raise Broken("it is nested too deeply")
    form, code, rows, columns = struct.unpack_from("<BcII", data, at)
    if form > 3 or not rows or not columns:
        raise Broken("a table is of no form")
    numbers, end = take_numbers(data, at + 10, code, rows * columns)
    if form & 2:
        made: list[Any] = list(zip(*[iter(numbers)] * columns, strict=True))
    else:
        cuts = range(0, rows * columns, columns)
        made = [numbers[start : start + columns] for start in cuts]
    return (tuple(made) if form & 1 else made), end


def take_numbers(data: Any, at: int, code: bytes, count: int) -> tuple[list[Any], int]:
    """Take count numbers of one type."""
    if code not in (b"b", b"h", b"i", b"q", b"d"):
        raise Broken("numbers are of no type")
    numbers = array(code.decode())
    view, end = cut(memoryview(data), at, count * numbers.itemsize)
    numbers.frombytes(view)
    return numbers.tolist(), end


def take_kept(data: Any, at: int, _: int) -> tuple[Any, int]:
    """Take an array that was kept."""
    return KEEPING[COUNT(data, at)[0]], at + 4


KEEPING: list[Any] = []
DTYPE: list[Any] = []
TAKERS: list[Taker] = [
    lambda _, at, __: (None, at),
    lambda _, at, __: (False, at),
    lambda _, at, __: (True, at),
    take_word,
    take_big,
    lambda data, at, _: (struct.unpack_from("<d", data, at)[0], at + 8),
    lambda data, at, _: (complex(*struct.unpack_from("<dd", data, at)), at + 16),
    take_text,
    take_raw,
    take_list,
    take_tuple,
    take_dict,
    take_array,
    take_scalar,
    take_row,
    take_table,
    take_kept,
]
