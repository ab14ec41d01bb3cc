"""The commands of Formwork on a payload and a schedule, whoever made them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypedDict, Union, Unpack, cast

import numpy as np
import numpy.typing as npt

from ._contracts import Contract
from ._errors import ScheduleError, ToolError
from ._report import (
    CheckResult,
    Compiled,
    Finding,
    NormalizeResult,
    Place,
    ResultError,
    Trace,
    read_check,
    read_findings,
)
from ._tool import Tool, find_tool

Source = Union[str, "os.PathLike[str]", bytes, Any]
"""A payload or a schedule: a path, text, bytecode, a module or operation of MLIR's bindings, or a `Schedule`.

A string with a line end, or with a parenthesis, is text; another one is a path. What
`strategies` returns stands for a schedule, too.
"""


@dataclass(frozen=True)
class Strategies:
    """Stands for the schedule that these strategies make for a payload."""

    names: tuple[str, ...]

    def make(self, payload: Source, *, target: str | None = None, **options: Unpack[Options]) -> str:
        """The schedule, and the payload that it is for, as the text of one file."""
        with open_files() as files:
            job = _Job(files, self, payload, options)
            result = files.folder / "made.mlir"
            job.require("check", *_target(target), "--static", f"--write-schedule={result}")
            return result.read_text(encoding="utf-8")


def strategies(*names: str | os.PathLike[str]) -> Strategies:
    """A schedule for a model that has none: of these strategies, the first that fits takes an operation.

    `"gpu"` names the shipped ones, and stands for no names at all; all else is a file.
    """
    found = tuple(name if name == "gpu" else str(Path(os.fspath(name)).absolute()) for name in names or ("gpu",))
    if any("," in name for name in found):
        raise TypeError("strategies() takes no file with a comma in its name")
    return Strategies(found)


class Options(TypedDict, total=False):
    """What all commands take."""

    formwork: str | os.PathLike[str] | None
    """The program; without it that of the variable FORMWORK, or the one on PATH."""
    entry_point: str
    libraries: Sequence[str | os.PathLike[str]]
    forms: Sequence[str | os.PathLike[str]]
    contracts: Sequence[str | os.PathLike[str] | Contract]
    dialect_plugins: Sequence[str | os.PathLike[str]]
    pass_plugins: Sequence[str | os.PathLike[str]]
    allow_unregistered_dialect: bool


_OPTION_NAMES = {
    "libraries": "--transform-library",
    "forms": "--forms",
    "contracts": "--contracts",
    "dialect_plugins": "--load-dialect-plugin",
    "pass_plugins": "--load-pass-plugin",
}


def _is_text(source: str) -> bool:
    return "\n" in source or "(" in source


def get_content(source: Source, places: bool = True) -> bytes | None:
    """What `source` holds, with the Python `places` of steps; nothing where it is a path."""
    if isinstance(source, bytes):
        return source
    if isinstance(source, str):
        return source.encode("utf-8", "surrogateescape") if _is_text(source) else None
    if isinstance(source, os.PathLike):
        return None
    text = getattr(source, "to_mlir", None)
    if text is not None:
        return str(text(places=places)).encode("utf-8")
    if hasattr(source, "operation"):
        from ._text import print_module

        return print_module(source, places=places, generic=not _verifies(source)).encode("utf-8")
    raise TypeError(f"expected a path, text, bytes, an MLIR module or a Schedule, not {type(source).__name__}")


def _verifies(module: Any) -> bool:
    from ._bindings import ir

    try:
        return bool(module.operation.verify())
    except ir.MLIRError:
        return False


@dataclass
class Files:
    """The files of one command, in a folder that goes with it."""

    folder: Path
    names: dict[str, str] = field(default_factory=dict)
    has_places: bool = True
    """Whether what Python code made says where it did."""

    def add(self, source: Source, name: str, shown: str) -> str:
        """The path of `source`: its own, or that of a new file, which reports call `shown`."""
        content = get_content(source, self.has_places)
        if content is None:
            return os.fsdecode(source)
        path = self.folder / name
        path.write_bytes(content)
        self.names[str(path)] = shown
        return str(path)

    def rename(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """The findings with the files called as the user knows them."""

        def text(message: str) -> str:
            for path, shown in self.names.items():
                message = message.replace(path, shown)
            return message

        def place(at: Place | None) -> Place | None:
            return at and replace(at, file=self.names.get(at.file, at.file))

        return tuple(
            replace(
                finding,
                message=text(finding.message),
                place=place(finding.place),
                notes=tuple(replace(n, message=text(n.message), place=place(n.place)) for n in finding.notes),
            )
            for finding in findings
        )


@contextmanager
def open_files() -> Iterator[Files]:
    with tempfile.TemporaryDirectory(prefix="formwork-") as folder:
        yield Files(Path(folder))


def option_files(options: Options, files: Files) -> dict[str, list[str]]:
    """The files of the options by their key; contracts of Python become files."""
    result: dict[str, list[str]] = {}
    for key in _OPTION_NAMES:
        result[key] = []
        given = cast("Sequence[str | os.PathLike[str] | Contract]", options.get(key, ()))
        for i, one in enumerate(given):
            if isinstance(one, Contract):
                result[key].append(files.add(one.text, f"contract_{i}.mlir", f"<contract of {one.operation}>"))
            else:
                result[key].append(str(Path(os.fspath(one)).absolute()))
    return result


def _build_arguments(options: Options, files: Files) -> list[str]:
    unknown = set(options) - set(Options.__annotations__)
    if unknown:
        raise TypeError(f"unknown option '{sorted(unknown)[0]}'")
    arguments = []
    for key, paths in option_files(options, files).items():
        arguments += [f"{_OPTION_NAMES[key]}={path}" for path in paths]
    if "entry_point" in options:
        arguments.append(f"--transform-entry-point={options['entry_point']}")
    if options.get("allow_unregistered_dialect"):
        arguments.append("--allow-unregistered-dialect")
    return arguments


class _Job:
    """One command with its files."""

    def __init__(self, files: Files, schedule: Source, payload: Source | None, options: Options) -> None:
        self.files = files
        self.tool: Tool = find_tool(options.get("formwork"))
        arguments = _build_arguments(options, files)
        if isinstance(schedule, Strategies):
            if payload is None:
                raise TypeError("requires a payload: strategies make a schedule for one")
            self.inputs = [files.add(payload, "payload.mlir", "<payload>")]
            self.inputs += [f"--strategies={','.join(schedule.names)}", *arguments]
            return
        schedule_path = files.add(schedule, "schedule.mlir", "<schedule>")
        if payload is None:
            self.inputs = [schedule_path]
        else:
            self.inputs = [files.add(payload, "payload.mlir", "<payload>"), f"--transform={schedule_path}"]
        self.inputs += arguments

    def run(self, command: str, *arguments: str) -> tuple[int, bytes, tuple[Finding, ...], dict[str, Any]]:
        outcome = self.tool.run([command, *self.inputs, *arguments])
        run: dict[str, Any] = (outcome.report.get("runs") or [{}])[0]
        findings = self.files.rename(read_findings(run))
        # An error in the command line has no place, and is on standard error alone.
        return outcome.returncode, outcome.output, findings, run

    def require(self, command: str, *arguments: str) -> tuple[bytes, tuple[Finding, ...]]:
        """The output of a command that has to succeed."""
        code, output, findings, _ = self.run(command, *arguments)
        if code != 0:
            errors = [finding for finding in findings if finding.severity == "error"]
            if not errors:
                raise ToolError(f"'formwork {command}' ends with exit code {code} and says nothing", code)
            raise ScheduleError(errors)
        return output, findings


def _target(target: str | None) -> list[str]:
    return [] if target is None else [f"--target={target}"]


def _entry(entry: str | None) -> list[str]:
    return [] if entry is None else [f"--entry={entry}"]


def check(
    schedule: Source,
    payload: Source | None = None,
    *,
    target: str | None = None,
    static: bool = False,
    strict: bool = False,
    goal: str | None = None,
    no_normalize: bool = False,
    verbose: bool = False,
    **options: Unpack[Options],
) -> CheckResult:
    """Checks a schedule, as `formwork check` does; with a payload, also by a run on a copy.

    The schedule can be one that any Python code made with MLIR's bindings: under
    `mlir.ir.loc_tracebacks()`, what is found is at the Python line that made the step.
    A refuted schedule is a result (`if not result: ...`), not an exception; one that
    cannot be read is an exception.
    """
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        flags = {"--static": static, "--strict": strict, "--no-normalize": no_normalize, "--verbose": verbose}
        arguments = [flag for flag, given in flags.items() if given]
        if goal is not None:
            arguments.append(f"--goal={goal}")
        code, _, findings, run = job.run("check", *_target(target), *arguments)
        if code == 3:
            raise ScheduleError([f for f in findings if f.severity == "error"] or list(findings))
        return replace(read_check(run), findings=findings)


def trace(
    schedule: Source,
    payload: Source | None = None,
    *,
    target: str | None = None,
    static: bool = False,
    **options: Unpack[Options],
) -> Trace:
    """A page to step through: handles and payload after each step, and what is found there.

    Its places are those of the text that the page shows, also of a schedule that Python code made.
    """
    with open_files() as files:
        files.has_places = False
        job = _Job(files, schedule, payload, options)
        page = files.folder / "page.html"
        arguments = ["--trace=html", "-o", str(page), *(["--static"] if static else [])]
        code, _, findings, run = job.run("check", *_target(target), *arguments)
        if code == 3 or not page.exists():
            raise ScheduleError([f for f in findings if f.severity == "error"] or list(findings))
        html = page.read_text(encoding="utf-8")
        for path, shown in files.names.items():
            html = html.replace(json.dumps(path)[1:-1], shown.replace("<", "\\u003c"))
        return Trace(html, replace(read_check(run), findings=findings))


def normalize(
    schedule: Source,
    payload: Source | None = None,
    *,
    target: str | None = None,
    expand: bool = False,
    only_required: bool = False,
    **options: Unpack[Options],
) -> NormalizeResult:
    """The schedule with the enabling steps that it needs, as text."""
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        arguments = ["--expand"] if expand else []
        arguments += ["--only=required"] if only_required else []
        output, findings = job.require("normalize", *_target(target), *arguments)
        text = output.decode("utf-8")
        return NormalizeResult(text, text.count("transform.normalform.normalize "), findings)


def solve(
    schedule: Source,
    payload: Source | None = None,
    *,
    target: str | None = None,
    count: int = 1,
    seed: int = 0,
    **options: Unpack[Options],
) -> list[dict[str, Any]]:
    """Up to `count` assignments of values to the knobs, each by the names of the knobs."""
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        arguments = [*_target(target), f"--seed={seed}", "--format=jsonl", "-n", str(count)]
        output, _ = job.require("solve", *arguments)
        return [json.loads(line) for line in output.decode("utf-8").splitlines()]


def count_solutions(
    schedule: Source, payload: Source | None = None, *, target: str | None = None, **options: Unpack[Options]
) -> tuple[int, bool]:
    """How many assignments there are, and whether that is exact."""
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        output, _ = job.require("solve", *_target(target), "--count", "--format=jsonl")
        answer = json.loads(output)
        return int(answer["count"]), bool(answer["exact"])


def compile(
    schedule: Source,
    payload: Source,
    *,
    target: str,
    emit: str = "ptx",
    entry: str | None = None,
    normalize: bool = True,
    **options: Unpack[Options],
) -> Compiled:
    """Runs the schedule and lowers what it leaves: `emit` is mlir, llvm, ptx, cubin, object or exe.

    A program of `object` or `exe` runs the function `entry` of the payload, if several are public.
    """
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        result = files.folder / "compiled"
        arguments = [*_target(target), *_entry(entry), f"--emit={emit}", "-o", str(result)]
        _, findings = job.require("compile", *arguments, *([] if normalize else ["--no-normalize"]))
        return Compiled(target, emit, result.read_bytes(), findings)


def apply(schedule: Source, payload: Source, *, normalize: bool = False, **options: Unpack[Options]) -> str:
    """The payload after the schedule, as text."""
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        output, _ = job.require("apply", *(["--normalize"] if normalize else []))
        return output.decode("utf-8")


Array = npt.NDArray[Any]


@dataclass(frozen=True)
class RunResult:
    """What a run left: the arrays, and how far they are from those of the payload without its schedule.

    `outputs` has the arguments that the function can write, in their order, then its results.
    """

    outputs: tuple[Array, ...] = field(repr=False)
    errors: tuple[ResultError, ...]
    passed: bool
    seconds: float
    findings: tuple[Finding, ...] = ()
    profile: Sequence[Mapping[str, Any]] | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        """Whether all results are those of the payload, within the tolerance of their type."""
        return self.passed


def _to_npy(array: Any) -> Array:
    value = np.ascontiguousarray(array)
    if value.dtype.name == "bfloat16":
        value = value.view("V2")
    return value.astype(value.dtype.newbyteorder("<"), copy=False)


def _from_npy(array: Array, type_name: str) -> Array:
    if type_name.endswith("bf16"):
        try:
            import ml_dtypes
        except ImportError:
            return array.view(np.uint16)
        return array.view(ml_dtypes.bfloat16)
    return array


def run(
    schedule: Source,
    payload: Source,
    *inputs: npt.ArrayLike,
    target: str = "emulate",
    entry: str | None = None,
    seed: int = 0,
    tolerance: float | None = None,
    normalize: bool = True,
    profile: bool = False,
    validate: bool = False,
    **options: Unpack[Options],
) -> RunResult:
    """Compiles, runs on an emulated GPU, and compares with the payload compiled without the schedule.

    `inputs` are the arguments of the function `entry`, the only public one if not given, in
    their order; those that are not given are drawn from the seed. A wrong result is a result (`passed`), an error while it runs is an exception.
    Elements of bf16 are `ml_dtypes.bfloat16` if that package is there, else their bits.
    """
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        arguments = [f"--target={target}", *_entry(entry), f"--seed={seed}", "--format=json", f"--results={files.folder}"]
        for i, value in enumerate(inputs):
            path = files.folder / f"input_{i}.npy"
            np.save(path, _to_npy(value))
            files.names[str(path)] = f"<argument {i}>"
            arguments.append(f"--input={path}")
        counts = files.folder / "profile.json"
        flags = {
            f"--tolerance={tolerance}": tolerance is not None,
            "--no-normalize": not normalize,
            f"--profile-json={counts}": profile,
            "--validate": validate,
        }
        arguments += [flag for flag, given in flags.items() if given]
        code, output, findings, _ = job.run("run", *arguments)
        errors = [finding for finding in findings if finding.severity == "error"]
        if errors or not output.strip():
            raise ScheduleError(errors) if errors else ToolError(f"'formwork run' ends with {code}", code)
        document, _ = json.JSONDecoder().raw_decode(output.decode("utf-8"))
        comparisons = tuple(
            ResultError(
                one["name"],
                one["type"],
                float("inf") if one["maxAbsolute"] is None else one["maxAbsolute"],
                float("inf") if one["maxRelative"] is None else one["maxRelative"],
                one["tolerance"],
                one["mismatches"],
                one["passed"],
            )
            for one in document["results"]
        )
        arrays = tuple(
            _from_npy(np.load(files.folder / f"result_{i}.npy"), one.type) for i, one in enumerate(comparisons)
        )
        counted = json.loads(counts.read_text()) if profile and counts.exists() else None
        return RunResult(arrays, comparisons, document["passed"], document["seconds"], findings, counted)


@dataclass(frozen=True)
class ValidateResult:
    """All that the check inferred of the steps is true of this payload."""

    findings: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        return True


def validate(schedule: Source, payload: Source, **options: Unpack[Options]) -> ValidateResult:
    """Runs the schedule and compares each fact that the check inferred with the payload.

    A false fact, which is a wrong contract, raises `ScheduleError` with `fw-false-fact`.
    """
    with open_files() as files:
        job = _Job(files, schedule, payload, options)
        _, findings = job.require("apply", "--validate", "-o", os.devnull)
        return ValidateResult(findings)
