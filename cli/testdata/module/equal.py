"""Compares all tables of runs in the module with the files of export, cell by cell.

python3 equal.py KIND DIR|BUNDLE ...   where KIND is the type of frames: list, pandas or polars
"""

import csv
import math
import subprocess
import sys
import tempfile
from typing import Any

import pacebench
from pacebench._command import binary

kind, paths = sys.argv[1], sys.argv[2:]
runs = pacebench.load(*paths)


def columns(frame: Any) -> dict[str, list[Any]]:
    """Return the columns of a frame."""
    if isinstance(frame, list):
        return (
            {name: [row[name] for row in frame] for name in frame[0]} if frame else {}
        )
    return {name: frame[name].to_list() for name in frame.columns}


def equal(cell: Any, text: str) -> bool:
    """Report whether a cell equals its text in the CSV file."""
    if text == "":
        return cell is None or cell == "" or math.isnan(cell)
    if isinstance(cell, str):  # an apostrophe keeps spreadsheets from running it
        return text in (cell, "'" + cell)
    if text in ("true", "false"):
        return cell == (text == "true")
    return cell == float(text)


NAMES = ("runs", "tests", "evaluations", "requests", "trials", "eaps", "effects")
with tempfile.TemporaryDirectory() as tables:
    command = [binary(), "export", "--out", tables, "--", *paths]
    subprocess.run(command, check=True, capture_output=True)
    for table in NAMES:
        frame = runs.frame(table)
        assert type(frame).__module__.partition(".")[0] in (kind, "builtins"), frame
        assert isinstance(frame, list) == (kind == "list"), frame
        got = columns(frame)
        with open(f"{tables}/{table}.csv", newline="") as file:
            names, *rows = csv.reader(file)
        assert list(got) == (names if got else []), (table, list(got))
        assert len(frame) == len(rows), (table, len(frame), len(rows))
        for column, name in enumerate(names):
            for number, row in enumerate(rows):
                cell = got[name][number]
                assert equal(cell, row[column]), (
                    table,
                    number,
                    name,
                    cell,
                    row[column],
                )
        if kind == "polars":
            import polars

            path = f"{tables}/parquet"
            command = [
                binary(),
                "export",
                "--format=parquet",
                "--out",
                path,
                "--",
                *paths,
            ]
            subprocess.run(command, check=True, capture_output=True)
            want = polars.read_parquet(f"{path}/{table}.parquet")
            assert frame.cast(want.schema).equals(want), table
            # Only the files have integers of several widths.
            loose = {t: polars.Int64 for t in (polars.UInt64, polars.Int32)}
            assert frame.schema == {
                c: loose.get(t, t) for c, t in want.schema.items()
            }, table
print(len(runs))
