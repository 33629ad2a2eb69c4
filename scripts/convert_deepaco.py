"""Converts a PyTorch state dictionary into a safetensors file, without PyTorch.

usage: convert_deepaco.py CHECKPOINT.pt OUT.safetensors

A checkpoint is a zip archive with a pickle, and with raw little-endian data for each tensor. A
pickle can call any Python function; this reader accepts the four names that a state dictionary
needs and refuses all others. Only float32 tensors are written, because the integer tensors only
count training batches. Equal tensors give equal bytes.
"""

import json
import pickle
import sys
import zipfile
from collections import OrderedDict
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

FLOAT, LONG = "FloatStorage", "LongStorage"


class Tensor(NamedTuple):
    """A tensor that is the whole of its storage, in row-major order."""

    dtype: str  # FLOAT or LONG
    shape: tuple[int, ...]
    data: bytes


class Refused(Exception):
    """The file is not a checkpoint of DeepACO."""


# The exceptions that a broken or hostile file can cause.
BROKEN = (
    Refused,
    pickle.UnpicklingError,
    zipfile.BadZipFile,
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    TypeError,
    ValueError,
)


def tensor(
    storage: tuple[str, bytes],
    offset: int,
    shape: tuple[int, ...],
    stride: tuple[int, ...],
    *_: object,
) -> Tensor:
    """Replaces torch._utils._rebuild_tensor_v2. Strides count elements, not bytes."""
    dtype, data = storage
    rows = tuple(prod(shape[i + 1 :]) for i in range(len(shape)))
    width = 4 if dtype == FLOAT else 8
    if offset != 0 or stride != rows or len(data) != width * prod(shape):
        raise Refused(
            f"a tensor of shape {shape} is not the whole of its storage, row by row"
        )
    return Tensor(dtype, shape, data)


NAMES = {
    ("collections", "OrderedDict"): OrderedDict,
    ("torch._utils", "_rebuild_tensor_v2"): tensor,
    ("torch", FLOAT): FLOAT,
    ("torch", LONG): LONG,
}


class Unpickler(pickle.Unpickler):
    """Reads the pickle of an archive. The members with data are FOLDER/data/KEY."""

    def __init__(self, archive: zipfile.ZipFile, member: str) -> None:
        super().__init__(archive.open(member))
        self.archive, self.folder = archive, member.removesuffix("data.pkl") + "data/"

    def find_class(self, module: str, name: str) -> Any:
        """Returns the replacement of a name; nothing is imported."""
        if (module, name) not in NAMES:
            raise Refused(f"{module}.{name} is not one of a checkpoint's names")
        return NAMES[module, name]

    def persistent_load(self, pid: Any) -> tuple[str, bytes]:
        """Returns a storage: its type and its data."""
        kind, dtype, key, _device, _count = pid
        if kind != "storage" or dtype not in (FLOAT, LONG):
            raise Refused(f"it has a storage of type {dtype!r}")
        return dtype, self.archive.read(self.folder + key)


def read(path: Path) -> dict[str, Tensor]:
    """Returns the tensors of a checkpoint by name."""
    with zipfile.ZipFile(path) as archive:
        pickles = [name for name in archive.namelist() if name.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise Refused(f"it has {len(pickles)} members named data.pkl, want one")
        state = Unpickler(archive, pickles[0]).load()
    if not isinstance(state, dict) or not all(
        isinstance(t, Tensor) for t in state.values()
    ):
        raise Refused("it is not a dictionary of tensors")
    return state


def safetensors(state: dict[str, Tensor]) -> bytes:
    """Returns the float32 tensors as a safetensors file, by name."""
    header, data = {}, b""
    for name, t in sorted(state.items()):
        if t.dtype == FLOAT:
            begin, data = len(data), data + t.data
            header[name] = {
                "dtype": "F32",
                "shape": t.shape,
                "data_offsets": [begin, len(data)],
            }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + data


def main(checkpoint: str, out: str) -> None:
    """Converts one file."""
    try:
        raw = safetensors(read(Path(checkpoint)))
    except BROKEN as e:
        sys.exit(f"convert_deepaco: {checkpoint} is not a checkpoint of DeepACO: {e}")
    Path(out).write_bytes(raw)


if __name__ == "__main__":
    main(*sys.argv[1:])
