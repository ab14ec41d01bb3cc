"""The notebook of the examples, run by a kernel of Jupyter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples" / "notebook" / "matmul.ipynb"


def show(cell: Any, kind: str) -> str:
    """What the cell shows of that kind."""
    shown = [output.get("data", {}).get(kind, "") for output in cell.outputs]
    return "".join(shown) + "".join(output.get("text", "") for output in cell.outputs if kind == "text/plain")


def test_the_notebook(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.outputs for cell in notebook.cells if cell.cell_type == "code"), "kept without outputs"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    match, tiles, refused, check, trace, run = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "1 linalg.matmul" in show(match, "text/html")
    assert "<td>%thread</td>" in show(tiles, "text/html")
    # The places are lines of cells, with their text; the names are those of the variables.
    error = show(refused, "text/plain")
    assert "requires a valid handle but %matmul is invalidated [fw-use-after-consume]" in error
    assert "\n    matmul.tile(threads=[4, 4])\n" in error and "matmul = s.match" in error
    assert "proved" in show(check, "text/html")
    assert show(trace, "text/html").startswith("<iframe")
    assert show(run, "text/plain") == "True"
