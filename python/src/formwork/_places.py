"""Python lines as MLIR locations, and the names that Python gives to what a line makes."""

from __future__ import annotations

import ast
import linecache
import sys
from pathlib import Path
from types import FrameType
from typing import Any

from ._bindings import ir

PACKAGE = str(Path(__file__).resolve().parent)
# More calls than these tell a reader nothing.
MAX_FRAMES = 32


def is_own(filename: str) -> bool:
    """Whether a file is part of this package."""
    return filename.startswith(PACKAGE)


def find_caller() -> FrameType | None:
    """The innermost frame outside of this package."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and is_own(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _locate(frame: FrameType, context: Any) -> Any:
    """Columns count from 0, as in the locations that MLIR's bindings make of frames."""
    code = frame.f_code
    line = end_line = frame.f_lineno
    column = end_column = 0
    if frame.f_lasti >= 0:
        positions = list(code.co_positions())[frame.f_lasti // 2]
        line, end_line = positions[0] or line, positions[1] or line
        column, end_column = positions[2] or 0, positions[3] or 0
    place = ir.Location.file(code.co_filename, line, column, end_line, end_column, context)
    return ir.Location.name(code.co_qualname, place, context)


def locate_caller(context: Any) -> Any:
    """The stack of calls outside of this package, as `mlir.ir.loc_tracebacks` makes it."""
    frames: list[Any] = []
    frame = find_caller()
    while frame is not None and len(frames) < MAX_FRAMES:
        if not is_own(frame.f_code.co_filename):
            frames.append(_locate(frame, context))
        frame = frame.f_back
    if not frames:
        return ir.Location.unknown(context)
    if len(frames) == 1:
        return frames[0]
    return ir.Location.callsite(frames[0], frames[1:], context)


def _is_library(file: str) -> bool:
    """As engine/SourcePlace.cpp has it."""
    return (
        "/site-packages/" in file or "/dist-packages/" in file or "/lib/python3" in file or file.startswith("<frozen ")
    )


def _flatten(location: Any) -> list[Any]:
    """The file locations of a stack of calls, the innermost first."""
    if location.is_a_callsite():
        return _flatten(location.callee) + _flatten(location.caller)
    if location.is_a_name():
        return _flatten(location.child_loc)
    if location.is_a_file():
        return [location]
    if location.is_a_fused():
        return [place for part in location.locations for place in _flatten(part)][:1]
    return []


Span = tuple[str, int, int, int, int]


def find_user_span(location: Any) -> Span | None:
    """File, lines and columns (from 0) of the innermost call outside of libraries."""
    places = _flatten(location)[:MAX_FRAMES]
    own = [place for place in places if not _is_library(place.filename) and not is_own(place.filename)]
    for place in own or places:
        return place.filename, place.start_line, place.start_col, place.end_line, place.end_col
    return None


def _is_name(node: ast.AST) -> str | None:
    return node.id if isinstance(node, ast.Name) else None


def _read_targets(target: ast.AST, value: ast.AST, span: tuple[int, int, int, int]) -> list[str | None] | None:
    """The names of the results of the call at `span`, if `value` is that call."""
    index = None
    # The operations of MLIR's bindings have their values as `.result` and `.results`.
    if isinstance(value, ast.Attribute) and value.attr in ("result", "results"):
        value = value.value
    if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant) and isinstance(value.slice.value, int):
        index, value = value.slice.value, value.value
    if (value.lineno, value.col_offset, value.end_lineno, value.end_col_offset) != span:  # type: ignore[attr-defined]
        if isinstance(value, ast.Tuple) and isinstance(target, ast.Tuple) and len(value.elts) == len(target.elts):
            for one, other in zip(target.elts, value.elts):
                found = _read_targets(one, other, span)
                if found:
                    return found
        return None
    if isinstance(target, (ast.Tuple, ast.List)):
        return [_is_name(element) for element in target.elts]
    name = _is_name(target)
    if name is None:
        return None
    return [None] * index + [name] if index is not None and index >= 0 else [name]


_Binding = ast.Assign | ast.AnnAssign | ast.NamedExpr | ast.With | ast.For
_trees: dict[str, tuple[int, list[_Binding]]] = {}


def _get_assignments(file: str) -> list[_Binding]:
    lines = linecache.getlines(file)
    text = "".join(lines)
    known = _trees.get(file)
    if known is not None and known[0] == hash(text):
        return known[1]
    try:
        tree: ast.AST = ast.parse(text)
    except (SyntaxError, ValueError):
        tree = ast.Module([], [])
    nodes = [node for node in ast.walk(tree) if isinstance(node, _Binding)]
    _trees[file] = (hash(text), nodes)
    return nodes


def find_names(span: Span | None) -> list[str | None]:
    """The variables to which the statement at `span` assigns what the call there returns.

    `tile, loop = op.tile([4])` gives `["tile", "loop"]`; a call whose result has no
    name of its own gives nothing.
    """
    if span is None:
        return []
    file, line, column, end_line, end_column = span
    where = (line, column, end_line, end_column)
    for node in _get_assignments(file):
        if not node.lineno <= line <= (node.end_lineno or node.lineno):
            continue
        pairs: list[tuple[ast.AST, ast.AST]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.With):
            pairs = [(i.optional_vars, i.context_expr) for i in node.items if i.optional_vars is not None]
        elif isinstance(node, ast.For):
            pairs = [(node.target, node.iter)]
        for target, value in pairs:
            found = _read_targets(target, value, where)
            if found:
                return found
    return []
