"""Shows the progress of runs."""

from __future__ import annotations

import html
import sys
import time
from typing import Any

from pacebench._command import Event

PAUSE = 0.2  # seconds between two updates: smooth for a reader, cheap for a notebook


class Progress:
    """Shows runs as a table in a notebook, one line on a terminal, and lines of text elsewhere."""

    def __init__(self, quiet: bool) -> None:
        """Begin without runs."""
        self.runs: dict[str, Event] = {}  # by directory: the newest value of each field
        self.drawn = 0.0
        self.handle: Any = None
        self.way = "none" if quiet else way()

    def see(self, event: Event) -> None:
        """Show an event."""
        old = self.runs.get(event["run"], {})
        self.runs[event["run"]] = new = {**old, **event}
        if self.way == "text":
            tenths = [
                10 * e["evaluations"] // max(1, e["budget"]) for e in (old, new) if e
            ]
            if len(set(tenths)) > 1:
                print(told(new), file=sys.stderr)
        elif time.monotonic() - self.drawn >= PAUSE:
            self.draw()

    def note(self, line: str) -> None:
        """Print a note above the line of progress."""
        begin = "\r\x1b[K" if self.way == "line" else ""
        print(begin + line, file=sys.stderr)
        if begin:
            self.draw()

    def draw(self) -> None:
        """Show the current progress of the runs."""
        self.drawn = time.monotonic()
        if self.way == "line" and self.runs:
            print(f"\r{self.line()}\x1b[K", end="", file=sys.stderr, flush=True)
        elif self.way == "table" and self.runs:
            from IPython.display import HTML, display  # type: ignore[import-not-found]

            if self.handle is None:
                self.handle = display(HTML(self.table()), display_id=True)
            else:
                self.handle.update(HTML(self.table()))

    def close(self) -> None:
        """Show the final state."""
        self.draw()
        if self.way == "line" and self.runs:
            print(file=sys.stderr)

    def line(self) -> str:
        """Return all runs in one line."""
        runs = list(self.runs.values())
        if len(runs) == 1:
            return told(runs[0])
        done = sum(e.get("finished", False) for e in runs)
        spent, of = (sum(e[key] for e in runs) for key in ("evaluations", "budget"))
        usd = sum(e.get("usd", 0) for e in runs)
        return f"{done} of {len(runs)} runs, {spent}/{of} evaluations" + (
            f", {usd:.2f} USD" if usd else ""
        )

    def table(self) -> str:
        """Return a row for each run."""
        rows = "".join(
            f"<tr><td>{html.escape(e['name'])}</td>"
            f"<td><progress value={e['evaluations']} max={max(1, e['budget'])}></progress>"
            f" {e['evaluations']}/{e['budget']}</td><td>{best(e)}</td>"
            f"<td>{e.get('failed', 0)}</td><td>{e.get('tokens', 0)}</td>"
            f"<td>{e.get('usd', 0):.2f}</td><td>{'✓' if e.get('finished') else ''}</td></tr>"
            for e in self.runs.values()
        )
        names = ("run", "evaluations", "best", "failed", "tokens", "USD", "")
        return (
            f"<table><tr>{''.join(f'<th>{n}</th>' for n in names)}</tr>{rows}</table>"
        )


def way() -> str:
    """Return how to show progress: as a table, as a line or as text."""
    ipython = sys.modules.get("IPython")
    if ipython and getattr(ipython.get_ipython(), "kernel", None) is not None:
        return "table"
    return "line" if sys.stderr.isatty() else "text"


def best(event: Event) -> str:
    """Return the best value so far."""
    return "none yet" if event["value"] is None else f"{event['value']:.6g}"


def told(event: Event) -> str:
    """Return a run in one line."""
    done, of = event["evaluations"], event["budget"]
    spent = f"{done}/{of} evaluations, " if of else ""  # a baseline has no budget
    usd = f", {event['usd']:.2f} USD" if event.get("usd") else ""
    return f"{event['name']}: {spent}best {best(event)}{usd}"
