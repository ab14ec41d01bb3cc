"""Schedules, built step by step, each step checked as it is added."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy.typing as npt

from . import _jobs
from ._attributes import array, integer, to_attribute
from ._bindings import ir, transform
from ._constraints import Expression, emit, find_params, is_truth
from ._errors import FormworkError, ScheduleError
from ._handles import Handle, Param, Size, Tiled, Value
from ._jobs import Files, Options, RunResult, Source, ValidateResult, get_content, option_files
from ._places import find_names, find_user_span, is_own, locate_caller
from ._report import (
    CheckResult,
    Compiled,
    Finding,
    Handle as HandleFacts,
    NormalizeResult,
    Place,
    Trace,
    to_table,
    read_findings,
)
from ._server import get_server
from ._text import Names, print_module
from ._tool import find_tool

# The message of MLIR's verifier, as long as no step consumes the payload.
_NOT_CONSUMED = "op argument #0 is not consumed in the body but is marked as consumed"
_DYNAMIC = -(2**63)
_AXES = ("x", "y", "z")


class Schedule:
    """A schedule in the making. `schedule` makes one; a `with` statement ends it.

    `root` is a handle to the payload's module, or to what bufferization made of it.
    `module` is the module of MLIR's bindings; `with s.mlir():` adds to it with their classes.
    """

    def __init__(
        self, payload: Source | None = None, *, target: str | None = None, check: bool = True, **options: Any
    ) -> None:
        self.payload = payload
        self.target = target
        self.options: Options = options  # type: ignore[assignment]
        self.is_checked = check
        self.warnings: tuple[Finding, ...] = ()
        self.verdict = ""
        """Of the last check of a step: `proved`, `refuted` or `unproved`."""
        self._facts: dict[str, HandleFacts] = {}
        self._handles: list[Value] = []
        self._names = Names()
        self._folder = Path(tempfile.mkdtemp(prefix="formwork-"))
        self._finalizer = weakref.finalize(self, shutil.rmtree, str(self._folder), True)
        self._files = Files(self._folder)
        self._settings: dict[str, Any] | None = None
        self.context = ir.Context()
        # Operations of Formwork, and of plugins, are not known to the bindings.
        self.context.allow_unregistered_dialects = True
        with self.context, ir.Location.unknown():
            self._any = transform.AnyOpType.get()
            self._param = transform.ParamType.get(ir.IntegerType.get_signless(64))
            self.module = ir.Module.create()
            self.module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
            with ir.InsertionPoint(self.module.body):
                sequence = transform.NamedSequenceOp(
                    options.get("entry_point", "__transform_main"),
                    [self._any], [], arg_attrs=[{"transform.consumed": ir.UnitAttr.get()}],
                )
            with ir.InsertionPoint(sequence.body):
                transform.YieldOp()
            self._block = sequence.body
            self._sequence = sequence.operation
        self._names.set(sequence.body.arguments[0], "module")
        self.root: Handle = Handle(self, sequence.body.arguments[0])
        if check:
            self._check()

    # The steps of a schedule

    def match(self, *operations: str, interface: str | None = None, **attributes: Any) -> Handle:
        """The operations of these names, or with this interface, in the payload."""
        return self._match(self.root, operations, interface, attributes)

    def bufferize(self, **options: bool) -> Handle:
        """Buffers for all tensors of the payload; `match` looks in the result from here on."""
        self.root = self.root.bufferize(**options)
        return self.root

    def knob(
        self,
        name: str | None = None,
        *,
        options: Sequence[int] | None = None,
        range: Sequence[int] | None = None,
        divides: int | None = None,
        power_of_two: bool = False,
    ) -> Param:
        """An open number: one of `options`, or of `range` (first, last and maybe step)."""
        if name is None:
            name = next((found for found in find_names(self._find_span()) if found), None)
            if name is None:
                raise TypeError("knob() requires a name where its result is not assigned to a variable")
        attributes: dict[str, Any] = {"name": name, "options": {} if options is None else list(options)}
        if range is not None:
            attributes["formwork.range"] = list(range)
        if divides is not None:
            attributes["formwork.divides"] = divides
        if power_of_two:
            attributes["formwork.power_of_two"] = True
        made = self._add("transform.tune.knob", [], attributes, [name], types=[self._param])
        return self._wrap_param(made.results[0])

    def param(self, value: int) -> Param:
        """A number as a parameter."""
        made = self._add("transform.param.constant", [], {"value": value}, ["param"], types=[self._param])
        return self._wrap_param(made.results[0])

    def require(self, *constraints: Expression) -> None:
        """What the values of knobs have to meet, beside what follows from the steps.

        `s.require(block % thread == 0, block // thread <= 16)`
        """
        for constraint in constraints:
            if not is_truth(constraint):
                raise TypeError("require() takes comparisons of knobs, such as a % b == 0")
        params = find_params(constraints)
        if not params:
            raise TypeError("require() takes constraints on knobs, and there is none in these")

        def fill(operation: Any, location: Any) -> None:
            integer_type, bool_type = ir.Type.parse("!smt.int"), ir.Type.parse("!smt.bool")
            block = operation.regions[0].blocks.append(
                *[integer_type] * len(params), arg_locs=[location] * len(params)
            )

            def create(name: str, operands: list[Any], attributes: dict[str, Any], is_true: bool) -> Any:
                converted = {
                    key: ir.Attribute.parse(f"{value} : ui64") if value >= 0 and key == "value"
                    else to_attribute(value)
                    for key, value in attributes.items()
                }
                return ir.Operation.create(
                    name, [bool_type if is_true else integer_type], operands, converted, loc=location
                ).results[0]

            with ir.InsertionPoint(block):
                known = {id(param): argument for param, argument in zip(params, block.arguments)}
                for constraint in constraints:
                    ir.Operation.create("smt.assert", [], [emit(constraint, known, create)], loc=location)
                ir.Operation.create("smt.yield", [], [], loc=location)

        self._add("transform.smt.constrain_params", list(params), {}, [], regions=1, fill=fill)

    @contextmanager
    def foreach(self, handle: Handle) -> Iterator[Handle]:
        """The steps in the `with` statement, for each operation of `handle`; checked at its end."""
        made: list[Any] = []

        def fill(operation: Any, location: Any) -> None:
            block = operation.regions[0].blocks.append(self._any, arg_locs=[location])
            with ir.InsertionPoint(block):
                transform.YieldOp(loc=location)
            made.append(block)

        operation = self._add("transform.foreach", [handle], {}, [], regions=1, fill=fill, is_checked=False)
        outer, root, checked = self._block, self.root, self.is_checked
        self._block, self.is_checked = made[0], False
        self.root = self._wrap(self._block.arguments[0])
        self._names.set(self._block.arguments[0], "each")
        try:
            yield self.root
        finally:
            self._block, self.root, self.is_checked = outer, root, checked
        self._check_or_erase(operation)

    def add(
        self,
        operation: str,
        operands: Sequence[Value] = (),
        attributes: Mapping[str, Any] | None = None,
        results: Sequence[str] = (),
    ) -> Any:
        """Any transform operation, by its name; `results` are what its handles are called by default.

        Returns a handle, a tuple of handles, or nothing, as there are results.
        """
        made = self._add(operation, list(operands), dict(attributes or {}), list(results))
        handles = tuple(self._wrap(result) for result in made.results)
        if not handles:
            return None
        return handles[0] if len(handles) == 1 else handles

    @contextmanager
    def mlir(self) -> Iterator[None]:
        """Where the classes of MLIR's bindings add to the schedule; checked at the end of the `with` statement.

        >>> with s.mlir():                                                    # doctest: +SKIP
        ...     structured.VectorizeOp(tile.value, [])
        """
        before = list(self._block.operations)
        terminator = before[-1]
        location = locate_caller(self.context)
        with self.context, location, ir.loc_tracebacks(), ir.InsertionPoint(terminator):
            yield
        known = {one.operation for one in before}
        new = [one.operation for one in self._block.operations if one.operation not in known]
        for operation in new:
            self._names.add_from_source(operation)
        self._check_or_erase(*new)

    def handle(self, value: Any) -> Handle:
        """A handle for a value of MLIR's bindings: the result of an operation that they made."""
        value = getattr(value, "result", value)
        return self._wrap(value)

    # Facts

    @property
    def handles(self) -> list[HandleFacts]:
        """What is known of each handle after the last step."""
        known = (self._lookup(handle) for handle in self._handles)
        return [facts for facts in known if facts is not None]

    def to_mlir(self, *, places: bool = False) -> str:
        """The text of the schedule; with `places`, each step says which Python line made it."""
        return print_module(self.module, self._names, places=places)

    def __str__(self) -> str:
        return self.to_mlir()

    def __repr__(self) -> str:
        steps = len(list(self._block.operations)) - 1
        return f"<schedule: {steps} steps, {self.verdict or 'not checked'}>"

    def _repr_html_(self) -> str:
        rows = [(h.name, h.payload, ", ".join(h.forms), h.validity) for h in self.handles]
        return to_table(repr(self)[1:-1], [("handle", "payload", "forms", "validity"), *rows])

    # The commands

    def check(self, payload: Source | None = None, **options: Any) -> CheckResult:
        """As `formwork.check`, with the payload and the target of this schedule."""
        return _jobs.check(self, self._choose(payload), **self._merge(options))

    def trace(self, payload: Source | None = None, **options: Any) -> Trace:
        """As `formwork.trace`."""
        return _jobs.trace(self, self._choose(payload), **self._merge(options))

    def normalize(self, payload: Source | None = None, **options: Any) -> NormalizeResult:
        """As `formwork.normalize`."""
        return _jobs.normalize(self, self._choose(payload), **self._merge(options))

    def solve(self, payload: Source | None = None, **options: Any) -> list[dict[str, Any]]:
        """As `formwork.solve`."""
        return _jobs.solve(self, self._choose(payload), **self._merge(options))

    def count_solutions(self, payload: Source | None = None, **options: Any) -> tuple[int, bool]:
        """As `formwork.count_solutions`."""
        return _jobs.count_solutions(self, self._choose(payload), **self._merge(options))

    def compile(self, payload: Source | None = None, **options: Any) -> Compiled:
        """As `formwork.compile`."""
        return _jobs.compile(self, self._require(payload), **self._merge(options))

    def apply(self, payload: Source | None = None, **options: Any) -> str:
        """As `formwork.apply`."""
        return _jobs.apply(self, self._require(payload), **self._merge(options, target=False))

    def run(self, *inputs: npt.ArrayLike, payload: Source | None = None, **options: Any) -> RunResult:
        """As `formwork.run`."""
        return _jobs.run(self, self._require(payload), *inputs, **self._merge(options, target=False))

    def validate(self, payload: Source | None = None, **options: Any) -> ValidateResult:
        """As `formwork.validate`."""
        return _jobs.validate(self, self._require(payload), **self._merge(options, target=False))

    # Within a `with` statement

    def __enter__(self) -> Schedule:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if isinstance(error, FormworkError):
            _end_at_user(traceback)

    # Below: how steps become operations

    def _choose(self, payload: Source | None) -> Source | None:
        return self.payload if payload is None else payload

    def _require(self, payload: Source | None) -> Source:
        chosen = self._choose(payload)
        if chosen is None:
            raise TypeError("requires a payload: the schedule was made without one")
        return chosen

    def _merge(self, options: dict[str, Any], target: bool = True) -> dict[str, Any]:
        merged: dict[str, Any] = dict(self.options)
        if target and self.target is not None:
            merged["target"] = self.target
        merged.update(options)
        return merged

    def _find_span(self) -> Any:
        return find_user_span(locate_caller(self.context))

    def _wrap(self, value: Any) -> Handle:
        handle = Handle(self, value)
        self._handles.append(handle)
        return handle

    def _wrap_param(self, value: Any) -> Param:
        param = Param(self, value)
        self._handles.append(param)
        return param

    def _lookup(self, value: Value) -> HandleFacts | None:
        return self._facts.get(self._names.get(value.value) or "")

    def _match(
        self, root: Handle, operations: Sequence[str], interface: str | None, attributes: dict[str, Any]
    ) -> Handle:
        if not operations and interface is None:
            raise TypeError("match() requires names of operations, or an interface")
        given: dict[str, Any] = {}
        if operations:
            given["ops"] = list(operations)
        if interface is not None:
            kinds = {"LinalgOp": 0, "TilingInterface": 1, "LoopLikeInterface": 2}
            if interface not in kinds:
                raise TypeError(f"match() knows the interfaces {', '.join(sorted(kinds))}, not '{interface}'")
            given["interface"] = integer(kinds[interface], "i32")
        if attributes:
            given["op_attrs"] = attributes
        default = operations[0].rpartition(".")[2] if operations else "loops"
        return self._wrap(self._add("transform.structured.match", [root], given, [default]).results[0])

    def _match_size(self, target: Handle, dimension: int) -> Param:
        def fill(operation: Any, location: Any) -> None:
            block = operation.regions[0].blocks.append(self._any, arg_locs=[location])
            with ir.InsertionPoint(block):
                size = ir.Operation.create(
                    "transform.match.structured.dim", [self._param], [block.arguments[0]],
                    {"raw_dim_list": to_attribute(array("i64", [dimension]))}, loc=location,
                )
                ir.Operation.create("transform.match.structured.yield", [], [size.result], loc=location)

        name = "transform.match.structured"
        made = self._add(name, [target], {}, ["size"], types=[self._param], regions=1, fill=fill)
        return self._wrap_param(made.results[0])

    def _split_sizes(self, sizes: Sequence[Size]) -> tuple[list[Value], list[int]]:
        params = [size for size in sizes if isinstance(size, Param)]
        return list(params), [_DYNAMIC if isinstance(size, Param) else int(size) for size in sizes]

    def _tile_using_forall(
        self, target: Handle, kind: str, sizes: Sequence[Size], mapping: Sequence[str] | None
    ) -> Tiled:
        params, static = self._split_sizes(sizes)
        attributes: dict[str, Any] = {
            "static_tile_sizes": array("i64", static),
            "operandSegmentSizes": array("i32", [1, 0, len(params), 0, 0]),
        }
        tiled = [size for size in static if size != 0]
        if kind != "sizes" and mapping is None:
            if len(tiled) > len(_AXES):
                raise TypeError(f"tile({kind}=...) with more than three sizes requires a mapping")
            mapping = list(reversed(_AXES[: len(tiled)]))
        if mapping is not None:
            unit = kind[:-1] if kind != "sizes" else "block"
            attributes["mapping"] = [one if one.startswith("#") else f"#gpu.{unit}<{one}>" for one in mapping]
        name = "transform.structured.tile_using_forall"
        made = self._add(name, [target, *params], attributes, ["tile", kind if kind != "sizes" else "loop"])
        return Tiled(*(self._wrap(result) for result in made.results))

    def _tile_using_for(self, target: Handle, sizes: Sequence[Size]) -> Tiled:
        params, static = self._split_sizes(sizes)
        attributes = {"static_sizes": array("i64", static), "scalable_sizes": array("i1", [0] * len(static))}
        loops = sum(1 for size in static if size != 0)
        names = ["tile", "loop", *(f"loop_{i}" for i in range(1, loops))]
        made = self._add("transform.structured.tile_using_for", [target, *params], attributes, names[: 1 + loops])
        handles = [self._wrap(result) for result in made.results]
        return Tiled(handles[0], handles[1] if loops else handles[0])

    def _apply_patterns(
        self, target: Handle, patterns: Sequence[str | tuple[str, Mapping[str, Any]]], cse: bool
    ) -> None:
        def fill(operation: Any, location: Any) -> None:
            block = operation.regions[0].blocks.append()
            with ir.InsertionPoint(block):
                for pattern in patterns:
                    name, attributes = (pattern, {}) if isinstance(pattern, str) else pattern
                    converted = {key: to_attribute(value) for key, value in attributes.items()}
                    ir.Operation.create(f"transform.apply_patterns.{name}", attributes=converted, loc=location)

        attributes = {"apply_cse": True} if cse else {}
        self._add("transform.apply_patterns", [target], attributes, [], regions=1, fill=fill)

    def _add_sized(
        self,
        operation: str,
        target: Handle,
        sizes: Mapping[str, Sequence[Size]],
        attributes: Mapping[str, Any],
        results: Sequence[str],
    ) -> Any:
        """An operation of Formwork, whose numbers can be parameters: `threads` with `static_threads`."""
        operands: list[Value] = [target]
        segments = [1]
        given = dict(attributes)
        for key, values in sizes.items():
            params, static = self._split_sizes(values)
            operands += params
            segments.append(len(params))
            given[f"static_{key}"] = array("i64", static)
        if len(sizes) > 1:
            given["operandSegmentSizes"] = array("i32", segments)
        return self._add(operation, operands, given, results)

    def _add(
        self,
        operation: str,
        operands: Sequence[Value],
        attributes: Mapping[str, Any],
        results: Sequence[str],
        *,
        types: Sequence[Any] | None = None,
        regions: int = 0,
        fill: Any = None,
        is_checked: bool = True,
    ) -> Any:
        """Adds an operation in front of the terminator, names its results, and checks the schedule."""
        for operand in operands:
            if not isinstance(operand, Value):
                raise TypeError(f"'{operation}' takes handles, not {type(operand).__name__}")
            if operand.schedule is not self:
                raise ValueError(f"'{operation}' takes handles of its own schedule, and '{operand.name}' is of another")
        location = locate_caller(self.context)
        with self.context:
            converted = {key: to_attribute(value) for key, value in attributes.items()}
            try:
                made = ir.Operation.create(
                    operation,
                    list(types) if types is not None else [self._any] * len(results),
                    [operand.value for operand in operands],
                    converted,
                    regions=regions,
                    loc=location,
                    ip=ir.InsertionPoint(list(self._block.operations)[-1]),
                )
            except ir.MLIRError as error:
                raise ScheduleError([self._read_mlir(error, location)]) from None
            # The bindings drop arguments that do not fit an operation.
            dropped = [key for key in converted if key not in made.attributes]
            if dropped:
                made.erase()
                raise ScheduleError(
                    [
                        Finding(
                            "error", "", f"'{operation}' has no attribute '{key}' that can be {converted[key]}",
                            self._find_place(location),
                        )
                        for key in dropped
                    ]
                )
            if fill is not None:
                fill(made, location)
            # The check verifies operations that the bindings do not know.
            if self.context.is_registered_operation(operation):
                try:
                    made.verify()
                except ir.MLIRError as error:
                    finding = self._read_mlir(error, location)
                    made.erase()
                    raise ScheduleError([finding]) from None
        found = find_names(find_user_span(location))
        for i, (result, default) in enumerate(zip(made.results, results)):
            name = found[i] if i < len(found) else None
            self._names.set(result, name if name and name != "_" else default)
        if is_checked:
            self._check_or_erase(made)
        return made

    def _read_mlir(self, error: Any, location: Any) -> Finding:
        """What MLIR's own verifier says, at the line that made the step."""
        message = "; ".join(one.message for one in error.error_diagnostics) or str(error)
        return Finding("error", "", message, self._find_place(location))

    def _find_place(self, location: Any) -> Place | None:
        span = find_user_span(location)
        return Place(span[0], span[1], span[2] + 1) if span else None

    def _check_or_erase(self, *made: Any) -> None:
        if not self.is_checked:
            return
        try:
            self._check()
        except BaseException:
            # A refused step is not part of the schedule: in a notebook, the next cell goes on without it.
            for operation in reversed(made):
                for result in operation.results:
                    self._names.drop(result)
                operation.erase()
            raise

    def _get_settings(self) -> dict[str, Any]:
        if self._settings is None:
            settings: dict[str, Any] = {
                key.replace("_", "-"): paths for key, paths in option_files(self.options, self._files).items()
            }
            if self.payload is not None:
                content = get_content(self.payload)
                if content is None:
                    settings["payload"] = str(Path(os.fsdecode(self.payload)).absolute())
                else:
                    settings["payload"] = self._files.add(content, "payload.mlir", "<payload>")
            if self.target is not None:
                settings["target"] = self.target
            if "entry_point" in self.options:
                settings["entry-point"] = self.options["entry_point"]
            settings["allow-unregistered-dialect"] = bool(self.options.get("allow_unregistered_dialect"))
            self._settings = settings
        return self._settings

    def _check(self) -> None:
        server = get_server(find_tool(self.options.get("formwork")))
        # Whether a step consumes the payload is known after the check.
        self._mark_argument("consumed")
        text = self.to_mlir(places=True)
        facts = server.check(self._get_settings(), "<schedule>", text)
        findings = self._files.rename(read_findings(facts))
        errors = [finding for finding in findings if finding.severity == "error"]
        if errors:
            raise ScheduleError(errors)
        self.warnings = tuple(
            finding for finding in findings if finding.severity == "warning" and finding.message != _NOT_CONSUMED
        )
        self.verdict = facts["verdict"]
        self._facts = {
            one["name"][1:]: HandleFacts(
                one["name"],
                one["payload"],
                tuple(one["forms"].split(", ")) if one["forms"] != "-" else (),
                one["validity"].replace("dead: ", "dead since line ").replace("dead?: ", "may be dead since line "),
            )
            for one in facts["handles"]
        }
        module = self._facts.get("module")
        self._mark_argument("readonly" if module is not None and module.is_valid else "consumed")

    def _mark_argument(self, effect: str) -> None:
        """What the schedule does to the handle of the payload, as MLIR wants it to be said."""
        with self.context:
            attributes = {f"transform.{effect}": ir.UnitAttr.get()}
            self._sequence.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(attributes)])


def _end_at_user(traceback: TracebackType | None) -> None:
    """Takes the frames of this package from the end of a traceback."""
    last = None
    at = traceback
    while at is not None:
        if not is_own(at.tb_frame.f_code.co_filename):
            last = at
        at = at.tb_next
    if last is not None:
        last.tb_next = None


def schedule(
    payload: Source | None = None, *, target: str | None = None, check: bool = True, **options: Any
) -> Schedule:
    """Begins a schedule for `payload`; without one, it is checked for any payload.

    With `check=False`, steps are not checked as they are added. Options are those of
    all commands: `formwork`, `libraries`, `forms`, `contracts`, `dialect_plugins`, ….
    """
    return Schedule(payload, target=target, check=check, **options)


