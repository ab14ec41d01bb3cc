"""A schedule as text, with the names and the lines of the Python program that made it.

MLIR's printer numbers values. Here they are called as their variables, so that
what the check says of `%tile` is of the variable `tile`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ._places import find_names, find_user_span

_RESULTS = re.compile(r"^\s*(%[^=]*?)\s=\s")
_VALUE = re.compile(r"%[A-Za-z0-9_$.\-]+(?:#\d+)?")
_ARGUMENT = re.compile(r"(%\w+): ")
_SPLIT = re.compile(r'("(?:[^"\\]|\\.)*")')
_PYTHON_PLACE = re.compile(r'("(?:[^"\\]|\\.)*"):(\d+):(\d+)(?: to (?:(\d+))?:(\d+))?')


def _walk(operation: Any) -> Iterator[Any]:
    """The operations in the order in which they are printed."""
    yield operation
    for region in operation.regions:
        for block in region:
            for inner in block.operations:
                yield from _walk(inner.operation)


def _sanitize(name: str) -> str:
    """A name as MLIR reads it: of `größe`, the letters that it has not become `_`."""
    clean = re.sub(r"[^A-Za-z0-9_$.\-]", "_", name)
    # This is what MLIR calls arguments.
    return clean + "_" if re.fullmatch(r"arg\d+", clean) else clean


class Names:
    """The names of the values of a module, each for one value; stable while the module grows."""

    def __init__(self) -> None:
        self._names: dict[Any, str] = {}
        self._taken: set[str] = set()

    def set(self, value: Any, wanted: str) -> str:
        """Calls `value` `wanted`, or that with a number where there is such a value already."""
        base = name = _sanitize(wanted)
        count = 0
        while name in self._taken:
            count += 1
            name = f"{base}_{count}"
        self._taken.add(name)
        self._names[value] = name
        return name

    def get(self, value: Any) -> str | None:
        return self._names.get(value)

    def is_taken(self, name: str) -> bool:
        return name in self._taken

    def reserve(self, printed: str) -> str:
        """A name for a value without one, beside named results of its operation."""
        name = "unnamed_" + re.sub(r"\W", "_", printed[1:])
        while name in self._taken:
            name += "_"
        return name

    def drop(self, value: Any) -> None:
        name = self._names.pop(value, None)
        if name is not None:
            self._taken.discard(name)

    def add_from_source(self, operation: Any) -> None:
        """Names the results of the operations that Python made, where that gives them names."""
        for op in _walk(operation):
            results = list(op.results)
            if not results or any(result in self._names for result in results):
                continue
            found = find_names(find_user_span(op.location))
            for result, name in zip(results, found):
                if name and name != "_":
                    self.set(result, name)


def _expand(group: str) -> list[str]:
    """`%a, %b:2` as `%a`, `%b#0`, `%b#1`."""
    names = []
    for part in group.split(","):
        name, _, count = part.strip().partition(":")
        names += [f"{name}#{i}" for i in range(int(count))] if count else [name]
    return names


def _shift(match: re.Match[str]) -> str:
    """The bindings count columns from 0, MLIR's text from 1."""
    file, line, column, end_line, end_column = match.groups()
    if not file.endswith('.py"') and not file.startswith('"<'):
        return match.group(0)
    text = f"{file}:{line}:{int(column) + 1}"
    if end_column is not None:
        text += f" to {end_line or ''}:{int(end_column) + 1}"
    return text


def print_module(module: Any, names: Names | None = None, *, places: bool = False, generic: bool = False) -> str:
    """The text of `module`; with `places`, each operation says which Python line made it.

    `generic` is for operations that may not verify, of which the printers of MLIR
    cannot be trusted.
    """
    operation = module.operation
    if names is None:
        names = Names()
        names.add_from_source(operation)
    text: str = operation.get_asm(
        enable_debug_info=places,
        use_local_scope=True,
        assume_verified=True,
        print_generic_op_form=generic,
        large_elements_limit=None,
    )
    with_results = (op for op in _walk(operation) if len(op.results))
    sequences = (op for op in _walk(operation) if op.name == "transform.named_sequence")
    lines = text.split("\n")
    # A value is printed where it is set before it is used.
    scope: dict[str, str] = {}
    for number, line in enumerate(lines):
        # The generic form has the arguments in the next line.
        if "transform.named_sequence" in line and not line.lstrip().startswith("module"):
            header = line if _ARGUMENT.search(line) else lines[number + 1]
            block = next(sequences).regions[0].blocks
            for old, argument in zip(_ARGUMENT.findall(header), block[0].arguments if len(block) else ()):
                name = names.get(argument)
                scope.pop(old, None)
                if name is not None:
                    scope[old] = "%" + name
        match = _RESULTS.match(line)
        if match:
            results = list(next(with_results).results)
            printed = _expand(match.group(1))
            if any(names.get(result) is not None for result in results):
                chosen = [names.get(result) or names.reserve(old) for result, old in zip(results, printed)]
                scope.update(zip(printed, ("%" + name for name in chosen)))
                line = line[: match.start(1)] + ", ".join("%" + name for name in chosen) + line[match.end(1) :]
                # The type of a result cannot name a value.
                line = line[: match.start(1)] + _rename_behind(line[match.start(1) :], scope)
            else:
                for old in printed:
                    base, _, index = old.partition("#")
                    scope.pop(old, None)
                    if names.is_taken(base[1:]):
                        scope[old] = base + "_" + ("#" + index if index else "")
                        scope[base] = base + "_"
                line = _rename(line, scope)
        else:
            line = _rename(line, scope)
        lines[number] = _PYTHON_PLACE.sub(_shift, line) if places else line
    return "\n".join(lines)


def _rename_behind(line: str, scope: dict[str, str]) -> str:
    """Renames after the results, which are renamed."""
    results, equals, rest = line.partition(" = ")
    return results + equals + _rename(rest, scope)


def _rename(line: str, scope: dict[str, str]) -> str:
    if "%" not in line:
        return line
    parts = _SPLIT.split(line)
    for i in range(0, len(parts), 2):
        parts[i] = _VALUE.sub(lambda match: scope.get(match.group(0), match.group(0)), parts[i])
    return "".join(parts)
