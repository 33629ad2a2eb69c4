"""Starts the process of a method. The first line that it reads contains the modules to load."""

# ruff: noqa: S102 - the modules are part of pacebench

import json
import sys
import types

events = open(3, "rb")  # noqa: SIM115 - open until the process ends
given = json.loads(events.readline())
sys.modules["pacebench"] = types.ModuleType("pacebench")
sys.modules["pacebench"].__path__ = []
for name, text in given["modules"]:
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, name + ".py", "exec", dont_inherit=True), module.__dict__)
sys.modules["pacebench.method"].main(given["path"], events)
