"""The exceptions of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._report import Finding


class FormworkError(Exception):
    """Whatever this package raises."""


class SetupError(FormworkError):
    """Something is missing or does not fit: the tool `formwork`, its version, MLIR's bindings."""


class ToolError(FormworkError):
    """`formwork` ended without an answer: its command line was refused, or it crashed."""

    def __init__(self, message: str, returncode: int | None = None) -> None:
        super().__init__(message)
        self.returncode = returncode


class ScheduleError(FormworkError):
    """The schedule, or the payload, is refused.

    `findings` holds what was found, errors first; `str()` prints the errors with
    their notes and fix-its, each at the Python line that made the step.
    """

    def __init__(self, findings: list[Finding]) -> None:
        from ._report import render

        self.findings = findings
        super().__init__(render(findings))

    @property
    def id(self) -> str:
        """The id of the first error, such as `fw-use-after-consume`."""
        return self.findings[0].id if self.findings else ""
