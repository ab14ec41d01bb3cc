"""Constraints on knobs as Python expressions: `s.require(block % thread == 0)`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from ._handles import Param

Operand = Union["Expression", int]


class Expression:
    """An integer, or a truth, over knobs. A comparison makes a constraint, no `bool`."""

    __hash__ = object.__hash__

    def __add__(self, other: Operand) -> Expression:
        return _Node("smt.int.add", (self, lift(other)))

    def __radd__(self, other: int) -> Expression:
        return lift(other) + self

    def __sub__(self, other: Operand) -> Expression:
        return _Node("smt.int.sub", (self, lift(other)))

    def __rsub__(self, other: int) -> Expression:
        return lift(other) - self

    def __mul__(self, other: Operand) -> Expression:
        return _Node("smt.int.mul", (self, lift(other)))

    def __rmul__(self, other: int) -> Expression:
        return lift(other) * self

    def __floordiv__(self, other: Operand) -> Expression:
        return _Node("smt.int.div", (self, lift(other)))

    def __rfloordiv__(self, other: int) -> Expression:
        return lift(other) // self

    def __mod__(self, other: Operand) -> Expression:
        return _Node("smt.int.mod", (self, lift(other)))

    def __rmod__(self, other: int) -> Expression:
        return lift(other) % self

    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        if not isinstance(other, (Expression, int)):
            return NotImplemented
        return _Node("smt.eq", (self, lift(other)))

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        if not isinstance(other, (Expression, int)):
            return NotImplemented
        return _Node("smt.distinct", (self, lift(other)))

    def __lt__(self, other: Operand) -> Expression:
        return _Node("smt.int.cmp", (self, lift(other)), 0)

    def __le__(self, other: Operand) -> Expression:
        return _Node("smt.int.cmp", (self, lift(other)), 1)

    def __gt__(self, other: Operand) -> Expression:
        return _Node("smt.int.cmp", (self, lift(other)), 2)

    def __ge__(self, other: Operand) -> Expression:
        return _Node("smt.int.cmp", (self, lift(other)), 3)

    def __and__(self, other: Expression) -> Expression:
        return _Node("smt.and", (self, other))

    def __or__(self, other: Expression) -> Expression:
        return _Node("smt.or", (self, other))

    def __bool__(self) -> bool:
        raise TypeError("a constraint on knobs has no truth value; use '&' and '|', one comparison at a time")


@dataclass(frozen=True, eq=False)
class _Node(Expression):
    operation: str
    operands: tuple[Expression, ...]
    predicate: int | None = None


@dataclass(frozen=True, eq=False)
class _Constant(Expression):
    value: int


def lift(value: Operand) -> Expression:
    if isinstance(value, Expression):
        return value
    return _Constant(int(value))


TRUTHS = ("smt.eq", "smt.distinct", "smt.int.cmp", "smt.and", "smt.or")


def is_truth(expression: Expression) -> bool:
    return isinstance(expression, _Node) and expression.operation in TRUTHS


def find_params(expressions: tuple[Expression, ...]) -> list[Param]:
    """The knobs in the expressions, each once, in their order."""
    from ._handles import Param

    found: list[Param] = []
    stack = list(reversed(expressions))
    while stack:
        expression = stack.pop()
        if isinstance(expression, _Node):
            stack += reversed(expression.operands)
        elif isinstance(expression, Param) and not any(expression is one for one in found):
            found.append(expression)
    return found


def emit(
    expression: Expression,
    known: dict[int, Any],
    create: Callable[[str, list[Any], dict[str, Any], bool], Any],
) -> Any:
    """Makes the operations of `expression`; `known` has the values of the knobs by their `id`.

    `create` takes name, operands, attributes, and whether the result is a truth.
    """
    if id(expression) in known:
        return known[id(expression)]
    if isinstance(expression, _Constant):
        value = create("smt.int.constant", [], {"value": expression.value}, False)
    elif isinstance(expression, _Node):
        operands = [emit(operand, known, create) for operand in expression.operands]
        attributes = {} if expression.predicate is None else {"pred": expression.predicate}
        value = create(expression.operation, operands, attributes, is_truth(expression))
    else:
        raise TypeError("a constraint is made of knobs and integers")
    known[id(expression)] = value
    return value
