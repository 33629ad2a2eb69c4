"""A benchmark harness for algorithm design by language models.

    import pacebench

    runs = pacebench.run(task="tsp-construct", method="eoh", evals=200, seeds=[1, 2, 3])
    runs.frame()

The functions call the command pacebench and read the files that it writes. Task files import
pacebench.task. `pacebench docs look-inside` describes this package.
"""

from pacebench._command import Error
from pacebench._runs import Program, Run, Runs, Score, load, run, score, suite

__all__ = ["Error", "Program", "Run", "Runs", "Score", "load", "run", "score", "suite"]
