"""Runs the code cells of a notebook without Jupyter. It knows only the magic %%writefile."""

import ast
import json
import sys
from typing import Any

with open(sys.argv[1], encoding="utf-8") as notebook:
    book = json.load(notebook)
names: dict[str, Any] = {"__name__": "__main__"}
for number, cell in enumerate(book["cells"]):
    text = "".join(cell["source"])
    first, _, rest = text.partition("\n")
    if cell["cell_type"] != "code":
        continue
    if first.startswith("%%writefile "):
        with open(first.split()[1], "w", encoding="utf-8") as file:
            file.write(rest)
        continue
    tree = ast.parse(text)
    shown = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"cell {number}", "exec"), names)  # noqa: S102 - the notebook is ours
    if isinstance(shown, ast.Expr):
        value = eval(
            compile(ast.Expression(shown.value), f"cell {number}", "eval"), names
        )
        if value is not None:
            print(value)
