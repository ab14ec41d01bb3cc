"""The examples of the documentation, and of the docstrings."""

from __future__ import annotations

import doctest
import shutil
from pathlib import Path

import pytest

import formwork._contracts

ROOT = Path(__file__).resolve().parents[2]
FLAGS = doctest.ELLIPSIS


def test_the_guide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("payload", "schedule", "by_hand"):
        shutil.copy(ROOT / f"examples/batch_matmul/{name}.mlir", tmp_path)
    shutil.copy(ROOT / "examples/models/perceptron.mlir", tmp_path)
    shutil.copy(ROOT / "python/tests/batch_matmul.py", tmp_path)
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(str(ROOT / "docs/python.md"), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert result.attempted > 20 and result.failed == 0


def test_docstrings() -> None:
    result = doctest.testmod(formwork._contracts, optionflags=FLAGS)
    assert result.attempted and result.failed == 0
