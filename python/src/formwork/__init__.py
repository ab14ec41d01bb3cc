"""Schedules for MLIR in Python, checked as they are written.

>>> import formwork as fw
>>> with fw.schedule("payload.mlir", target="sm_90") as s:      # doctest: +SKIP
...     tile, blocks = s.match("linalg.matmul").tile(blocks=[16, 64])

docs/python.md is the guide. The program `formwork` does the work: it is found by the
argument `formwork`, the variable FORMWORK, or on PATH.
"""

from ._contracts import Clauses, Contract, contract
from ._errors import FormworkError, ScheduleError, SetupError, ToolError
from ._handles import Handle, Param
from ._jobs import (
    RunResult,
    Strategies,
    ValidateResult,
    apply,
    check,
    compile,
    count_solutions,
    normalize,
    run,
    solve,
    strategies,
    trace,
    validate,
)
from ._report import CheckResult, Compiled, Finding, NormalizeResult, Note, Place, ResultError, Trace
from ._schedule import Schedule, schedule
from ._text import print_module

__version__ = "0.1.0"

__all__ = [
    "CheckResult",
    "Clauses",
    "Compiled",
    "Contract",
    "Finding",
    "FormworkError",
    "Handle",
    "NormalizeResult",
    "Note",
    "Param",
    "Place",
    "ResultError",
    "RunResult",
    "Schedule",
    "ScheduleError",
    "SetupError",
    "Strategies",
    "ToolError",
    "Trace",
    "ValidateResult",
    "apply",
    "check",
    "compile",
    "contract",
    "count_solutions",
    "normalize",
    "print_module",
    "run",
    "schedule",
    "solve",
    "strategies",
    "trace",
    "validate",
]
