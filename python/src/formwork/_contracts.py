"""Contracts of transform operations of one's own, declared in Python.

A decorated function says what the operation requires, does and returns
(docs/contract-language.md), and is then called to add the operation to a schedule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._handles import Handle


def _strings(values: Sequence[str]) -> str:
    return "[" + ", ".join(json.dumps(value, ensure_ascii=False) for value in values) + "]"


class Clauses:
    """The clauses of a contract in the making; each method adds one.

    Operands are counted from 0, `when` lists conditions, all of which have to hold.
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._results: list[str] = []

    def clause(self, text: str, when: Sequence[str] = ()) -> None:
        """Any clause of the language, as it is written there."""
        self._lines.append(text + (f" when {_strings(when)}" if when else ""))

    def accepts(self, operand: int, kinds: Sequence[str], *, otherwise: str, when: Sequence[str] = ()) -> None:
        """The operand holds payload of these kinds; other payload fails with this message."""
        self.clause(f"normalform.accepts {operand} {_strings(kinds)} otherwise {json.dumps(otherwise)}", when)

    def result(
        self,
        name: str,
        relation: str,
        *,
        of: int | None = None,
        kinds: Sequence[str] = (),
        count: str = "unbounded",
        when: Sequence[str] = (),
    ) -> None:
        """The next result: where its payload is, seen from what the operand held before."""
        if name not in self._results:
            self._results.append(name)
        text = f"normalform.result {self._results.index(name)} {json.dumps(relation)}"
        text += "" if of is None else f" of {of}"
        text += f" kinds {_strings(kinds)}" if kinds else ""
        self.clause(f"{text} count {json.dumps(count)}", when)

    def payload(
        self,
        extent: str,
        *,
        of: int | None = None,
        introduces: Sequence[str] = (),
        rewrites: Sequence[str] = (),
        removes: Sequence[str] = (),
        when: Sequence[str] = (),
    ) -> None:
        """What the operation may change, and what it brings and takes."""
        text = f"normalform.payload {json.dumps(extent)}" + ("" if of is None else f" of {of}")
        for word, kinds in (("introduces", introduces), ("rewrites", rewrites), ("removes", removes)):
            text += f" {word} {_strings(kinds)}" if kinds else ""
        self.clause(text, when)

    def requires(self, form: str, *, of: int = 0, otherwise: str, when: Sequence[str] = ()) -> None:
        """The form without which the operation fails."""
        self.clause(f"normalform.requires @{form} of {of} otherwise {json.dumps(otherwise)}", when)

    def wants(self, form: str, *, of: int = 0, otherwise: str, when: Sequence[str] = ()) -> None:
        """The form without which the operation silently does less."""
        self.clause(f"normalform.wants @{form} of {of} otherwise {json.dumps(otherwise)}", when)


class Contract:
    """What `contract` makes of a function: the text, and a call that adds the operation."""

    def __init__(self, operation: str, complete: bool, declare: Callable[[Clauses], None]) -> None:
        clauses = Clauses()
        declare(clauses)
        self.operation = operation
        self.results = tuple(clauses._results)
        head = f'normalform.contract "{operation}"' + (" complete" if complete else "")
        self.text = head + " {\n" + "".join(f"  {line}\n" for line in clauses._lines) + "}\n"
        self.__doc__ = declare.__doc__
        self.__name__ = declare.__name__

    def __repr__(self) -> str:
        return f"<contract of {self.operation}>"

    def __call__(self, *operands: Handle, **attributes: Any) -> Any:
        """Adds the operation to the schedule of its operands; attributes are numbers, strings,
        lists of them, `True` for those without a value, or attributes of MLIR's bindings.

        Returns a handle, a tuple of handles, or nothing, as the contract has results.
        """
        if not operands:
            raise TypeError(f"'{self.operation}' requires a handle")
        schedule = operands[0].schedule
        return schedule.add(self.operation, list(operands), attributes, self.results)


def contract(operation: str, *, complete: bool = False) -> Callable[[Callable[[Clauses], None]], Contract]:
    """Declares the contract of `operation`; `complete` claims that every way to fail is listed.

    >>> @contract("transform.tutorial.strip_mine", complete=True)
    ... def strip_mine(op: Clauses) -> None:
    ...     op.accepts(0, ["scf.for"], otherwise="expects an scf.for")
    ...     op.result("strips", "around", of=0, kinds=["scf.for"], count="per_target")
    ...     op.result("steps", "replaces", of=0, kinds=["scf.for"], count="per_target")
    ...     op.payload("anchor", introduces=["arith.*", "scf.for", "scf.yield"])
    >>> strip_mine.results
    ('strips', 'steps')
    """
    return lambda declare: Contract(operation, complete, declare)
