"""Contracts that are declared in Python."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import formwork as fw
from formwork._tool import find_tool

LOOP = """
func.func @scale(%A: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %A[%i] : memref<64xi32>
    memref.store %x, %A[%i] : memref<64xi32>
  }
  return
}
"""


@fw.contract("transform.tutorial.strip_mine", complete=True)
def strip_mine(op: fw.Clauses) -> None:
    """A loop over strips around a loop over the steps of a strip."""
    op.accepts(0, ["scf.for"], otherwise="expects an scf.for")
    op.result("strips", "around", of=0, kinds=["scf.for"], count="per_target")
    op.result("steps", "replaces", of=0, kinds=["scf.for"], count="per_target")
    op.payload("anchor", introduces=["arith.*", "scf.for", "scf.yield"])


def test_the_text() -> None:
    assert strip_mine.text == (
        'normalform.contract "transform.tutorial.strip_mine" complete {\n'
        '  normalform.accepts 0 ["scf.for"] otherwise "expects an scf.for"\n'
        '  normalform.result 0 "around" of 0 kinds ["scf.for"] count "per_target"\n'
        '  normalform.result 1 "replaces" of 0 kinds ["scf.for"] count "per_target"\n'
        '  normalform.payload "anchor" introduces ["arith.*", "scf.for", "scf.yield"]\n'
        "}\n"
    )
    assert strip_mine.results == ("strips", "steps")
    assert strip_mine.__doc__.startswith("A loop over strips")


def test_the_language_is_formworks(tmp_path: Path) -> None:
    @fw.contract("transform.mine.step")
    def step(op: fw.Clauses) -> None:
        op.requires("bufferized", of=0, otherwise="needs buffers")
        op.wants("linalg.static", of=0, otherwise="is slow", when=["attr fast"])
        op.payload("target", of=0, rewrites=["linalg.*"], removes=["!tensor"])
        op.clause("normalform.single 0 otherwise \"one only\"")

    path = tmp_path / "contract.mlir"
    path.write_text(step.text)
    done = subprocess.run([find_tool().path, "contracts", f"--contracts={path}", "mine.step"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "normalform.wants" in done.stdout


def test_a_wrong_contract_is_an_error(matmul: str) -> None:
    @fw.contract("transform.mine.step")
    def step(op: fw.Clauses) -> None:
        op.clause("normalform.nothing")

    with pytest.raises(fw.ScheduleError, match="<contract of transform.mine.step>"):
        fw.schedule(matmul, contracts=[step])


@pytest.mark.skipif("FORMWORK_TUTORIAL_PLUGIN" not in os.environ, reason="requires the plugin of the tutorial")
def test_an_operation_of_ones_own() -> None:
    plugin = os.environ["FORMWORK_TUTORIAL_PLUGIN"]
    with fw.schedule(LOOP, contracts=[strip_mine], dialect_plugins=[plugin]) as s:
        loop = s.match("scf.for")
        strips, steps = strip_mine(loop, size=16)
        steps.annotate("vector_loop")
        assert s.verdict == "proved"
        with pytest.raises(fw.ScheduleError) as caught:
            loop.unroll(2)
        assert caught.value.id == "fw-use-after-consume"
    assert (strips.facts.payload, steps.facts.payload) == ("1 scf.for", "1 scf.for")
    assert s.validate()
