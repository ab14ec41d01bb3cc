"""Python values as MLIR attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._bindings import ir


@dataclass(frozen=True)
class Parsed:
    """An attribute as text."""

    text: str


def boolean(value: bool) -> Parsed:
    return Parsed("true" if value else "false")


def integer(value: int, type_name: str = "i64") -> Parsed:
    return Parsed(f"{int(value)} : {type_name}")


def array(kind: str, values: Sequence[int]) -> Parsed:
    """`array<i64: 1, 2>`, or of i32 or i1."""
    words = ", ".join(str(bool(v)).lower() if kind == "i1" else str(int(v)) for v in values)
    return Parsed(f"array<{kind}{': ' + words if words else ''}>")


def symbol(name: str) -> Parsed:
    return Parsed(f'@"{name}"')


def to_attribute(value: Any) -> Any:
    """The attribute that reads as `value` does, in the context around.

    `True` is an attribute without a value, numbers have i64 or f32, lists and
    dictionaries hold attributes. An attribute of the bindings stays as it is, and text
    that begins with `#` or `array<` is parsed.
    """
    if isinstance(value, ir.Attribute):
        return value
    if isinstance(value, Parsed):
        return ir.Attribute.parse(value.text)
    if value is True:
        return ir.UnitAttr.get()
    if value is False:
        return ir.BoolAttr.get(False)
    if isinstance(value, int):
        return ir.Attribute.parse(integer(value).text)
    if isinstance(value, float):
        return ir.FloatAttr.get(ir.F32Type.get(), value, ir.Location.unknown())
    if isinstance(value, str):
        return ir.Attribute.parse(value) if value.startswith(("#", "array<")) else ir.StringAttr.get(value)
    if isinstance(value, Mapping):
        return ir.DictAttr.get({key: to_attribute(one) for key, one in value.items()})
    if isinstance(value, Sequence):
        return ir.ArrayAttr.get([to_attribute(one) for one in value])
    raise TypeError(f"there is no attribute for {value!r}")
