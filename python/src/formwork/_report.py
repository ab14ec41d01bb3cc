"""What Formwork says, as values.

The documents that `formwork --format=json` prints (docs/report.schema.json) and
the answers of `formwork serve` become the same classes.
"""

from __future__ import annotations

import html
import linecache
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Severity = Literal["error", "warning", "remark"]
Verdict = Literal["proved", "refuted", "unproved", ""]


@dataclass(frozen=True)
class Place:
    """A place in a file; lines and columns count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Note:
    """What belongs to a finding: where a handle was set, what consumed it, a fix-it.

    `kind` is `established`, `lost`, `evidence`, `approximation` or `fix-it`; empty
    where only the text is known.
    """

    message: str
    place: Place | None = None
    kind: str = ""

    def __str__(self) -> str:
        prefix = "fix-it: " if self.kind == "fix-it" else ""
        return f"{self.place or '-'}: note: {prefix}{self.message}"


@dataclass(frozen=True)
class Finding:
    """An error, a warning or a remark."""

    severity: Severity
    id: str
    message: str
    place: Place | None = None
    notes: tuple[Note, ...] = ()

    @property
    def fixits(self) -> list[str]:
        """What to write instead, in the words of the check."""
        return [note.message for note in self.notes if note.kind == "fix-it"]

    def __str__(self) -> str:
        return render([self])


def _quote(place: Place | None) -> list[str]:
    """The line of a place with a caret below, if the file can be read."""
    if place is None or place.line < 1:
        return []
    # This also knows the cells of a notebook.
    lines = linecache.getlines(place.file)
    if place.line > len(lines):
        return []
    line = lines[place.line - 1].rstrip()
    blank = "".join("\t" if c == "\t" else " " for c in line[: max(place.column - 1, 0)])
    return [line, blank + "^"]


def render(findings: Iterable[Finding]) -> str:
    """The findings as the command line prints them, with the lines that they are about."""
    lines: list[str] = []
    for finding in findings:
        label = f" [{finding.id}]" if finding.id else ""
        lines.append(f"{finding.place or '-'}: {finding.severity}: {finding.message}{label}")
        lines += _quote(finding.place)
        last = finding.place
        for note in finding.notes:
            lines.append(str(note))
            if note.place != last:
                lines += _quote(note.place)
            last = note.place
    return "\n".join(lines)


@dataclass(frozen=True)
class Handle:
    """What is known of a handle after the last step.

    `payload` says how many operations of which kind it holds (`1 linalg.matmul`),
    `forms` which normal forms hold there, `validity` whether a step can use it.
    """

    name: str
    payload: str
    forms: tuple[str, ...]
    validity: str

    @property
    def is_valid(self) -> bool:
        """Whether a step can use the handle, for all that is known."""
        return not self.validity.startswith("dead")

    def __str__(self) -> str:
        words = [self.payload] if self.payload != "-" else []
        words += self.forms[:2]
        if len(self.forms) > 2:
            words.append(f"{len(self.forms) - 2} more forms")
        if self.validity != "valid":
            words.append(self.validity)
        return f"{self.name}: " + ", ".join(words)


def to_table(title: str, rows: Iterable[tuple[str, ...]]) -> str:
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table><caption>{html.escape(title)}</caption>{body}</table>"


@dataclass(frozen=True)
class CheckResult:
    """What `check` says of a schedule.

    `run` says how a run on a copy of the payload ended, where there was one.
    """

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    steps: int | None = None
    unproved: int | None = None
    run: str | None = None
    summary: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "error"]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.severity == "warning"]

    @property
    def is_refuted(self) -> bool:
        return self.verdict == "refuted" or bool(self.errors)

    def __bool__(self) -> bool:
        """Whether nothing is refuted."""
        return not self.is_refuted

    def __str__(self) -> str:
        counts = f"{len(self.errors)} errors, {len(self.warnings)} warnings"
        run = ", runs on this payload" if self.run == "succeeds" and self.verdict == "unproved" else ""
        return f"{self.verdict or 'refused'}{run}: {counts}"

    def _repr_html_(self) -> str:
        return to_table(
            str(self),
            ((f.severity, str(f.place or ""), f.message, f.id) for f in self.findings),
        )


@dataclass(frozen=True)
class Trace:
    """A page to step through the schedule, which needs nothing else; a notebook shows it."""

    html: str = field(repr=False)
    result: CheckResult

    def save(self, path: str | Path) -> Path:
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #ccc"></iframe>'


@dataclass(frozen=True)
class NormalizeResult:
    """The schedule with what its steps need, as text; `insertions` counts what was added."""

    text: str
    insertions: int
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Compiled:
    """What `compile` made: `text` of MLIR, LLVM IR or PTX, `data` in any case."""

    target: str
    emit: str
    data: bytes = field(repr=False)
    findings: tuple[Finding, ...] = ()

    @property
    def text(self) -> str:
        return self.data.decode("utf-8")

    def save(self, path: str | Path) -> Path:
        """Writes the file, a program with the right to be run."""
        path = Path(path)
        path.write_bytes(self.data)
        if self.emit == "exe":
            path.chmod(0o755)
        return path


@dataclass(frozen=True)
class ResultError:
    """How far one result of a run is from that of the payload itself."""

    name: str
    type: str
    max_absolute: float
    max_relative: float
    tolerance: float
    mismatches: int
    passed: bool


def read_findings(run: Mapping[str, Any]) -> tuple[Finding, ...]:
    """The findings of one run of a document of `--format=json`."""

    def place(value: Mapping[str, Any] | None) -> Place | None:
        if not value:
            return None
        return Place(str(value["file"]), int(value["line"]), int(value["column"]))

    findings = []
    for one in run.get("findings", []):
        notes = tuple(
            Note(note["message"], place(note.get("location")), note.get("kind", ""))
            for note in one.get("notes", [])
        )
        findings.append(
            Finding(one["severity"], one.get("id", ""), one["message"], place(one.get("location")), notes)
        )
    return tuple(findings)


def read_check(run: Mapping[str, Any]) -> CheckResult:
    """The result of a document of `formwork check --format=json`."""
    summary = run.get("summary", {})
    return CheckResult(
        verdict=summary.get("verdict", "" if run.get("exitCode", 0) in (0, 2) else "refuted"),
        findings=read_findings(run),
        steps=summary.get("steps"),
        unproved=summary.get("unproved"),
        run=summary.get("run"),
        summary=summary,
    )
