"""Score programs in LLM4AD's own process: SecureEvaluator, whose child imports the program.

Reads a list of tasks from standard input, and writes the scores of their programs, with null for a
program without a score. Each task's generators get the seed that the task has in pacebench.
"""

import json
import os
import sys

ROOT = os.environ["PACEBENCH_MODULES"]
sys.path.insert(0, ROOT)

from pacebench.llm4ad import Adapted
from pacebench.task import Task, settle

answers = sys.stdout
sys.stdout = sys.stderr  # evaluators print


def scores(row: dict, programs: list[str]) -> list[float | None]:
    """Return the scores of a task's programs."""
    kind = Adapted(row).imported()
    secure = sys.modules["llm4ad.base"].SecureEvaluator
    task = Task(name=row["full"], goal="maximize", splits={"train": 1})
    found = []
    for program in programs:
        settle(task.seed("train", 0))
        evaluator = kind(**row["train"])
        evaluator.timeout_seconds = None  # a busy machine would exceed this wall time
        settle(task.seed("train", 0))
        value = secure(evaluator, fork_proc=True).evaluate_program(program)
        found.append(None if value is None else float(value))
    return found


todo = json.load(sys.stdin)
# The first task finds LLM4AD's folder; later, an import would find the empty parent modules.
root = Adapted(todo[0]["row"]).root
json.dump([scores(t["row"] | {"dir": root}, t["programs"]) for t in todo], answers)
