"""check, normalize, solve, compile, run and validate, with NumPy arrays in and out."""

from __future__ import annotations

import os
from pathlib import Path

import batch_matmul
import numpy as np
import pytest

import formwork as fw

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def pair(name: str) -> tuple[Path, Path]:
    return EXAMPLES / name / "schedule.mlir", EXAMPLES / name / "payload.mlir"


@pytest.fixture(scope="module")
def schedule() -> fw.Schedule:
    return batch_matmul.make()


def test_check(schedule: fw.Schedule) -> None:
    result = schedule.check()
    assert result and result.verdict == "proved" and result.run == "succeeds"
    assert result.steps == 13 and result.unproved == 0
    assert {finding.id for finding in result.warnings} == {"fw-missing-form"}
    assert all(finding.place.file == batch_matmul.__file__ for finding in result.warnings)
    assert str(result) == "proved: 0 errors, 2 warnings"
    assert "fw-missing-form" in result._repr_html_()


def test_check_without_a_payload() -> None:
    with fw.schedule() as s:
        s.match("linalg.matmul").tile([4, 4])
    assert s.check().verdict in ("proved", "unproved")
    with pytest.raises(TypeError, match="requires a payload"):
        s.compile()


def test_normalize(schedule: fw.Schedule) -> None:
    result = schedule.normalize()
    assert result.insertions == 2
    assert "to @tensor.bufferizable" in result.text
    again = fw.check(result.text, batch_matmul.PAYLOAD, target="sm_90")
    assert again.verdict == "proved" and not again.warnings
    assert "normalform" not in schedule.normalize(expand=True).text


def test_compile(schedule: fw.Schedule, tmp_path: Path) -> None:
    result = schedule.compile()
    assert (result.target, result.emit) == ("sm_90", "ptx")
    assert result.text.count("fma") == 128
    assert result.save(tmp_path / "kernel.ptx").read_bytes() == result.data
    assert "gpu.module" in schedule.compile(emit="mlir").text
    assert {finding.id for finding in result.findings} == {"fw-inserted"}
    with pytest.raises(fw.ToolError, match="sm_1"):
        schedule.compile(target="sm_1")


def test_programs_can_be_run(schedule: fw.Schedule, tmp_path: Path) -> None:
    program = schedule.compile(emit="exe").save(tmp_path / "program")
    assert os.access(program, os.X_OK)


def test_run_takes_and_gives_arrays(schedule: fw.Schedule) -> None:
    random = np.random.default_rng(0)
    a = random.standard_normal((128, 80, 32), np.float32)
    b = random.standard_normal((128, 320, 32), np.float32).transpose(0, 2, 1)
    result = schedule.run(a, b)
    assert result and result.passed
    np.testing.assert_allclose(result.outputs[0], a @ b, rtol=1e-4, atol=1e-4)
    (error,) = result.errors
    assert (error.name, error.type, error.mismatches) == ("result", "128x80x320xf32", 0)
    assert error.max_relative <= error.tolerance
    assert result.profile is None


def test_run_draws_what_is_not_given() -> None:
    schedule, payload = pair("row_sums")
    one, other = fw.run(schedule, payload, seed=1), fw.run(schedule, payload, seed=2)
    assert not np.array_equal(one.outputs[0], other.outputs[0])
    np.testing.assert_array_equal(one.outputs[0], fw.run(schedule, payload, seed=1).outputs[0])


def test_profiles() -> None:
    result = fw.run(*pair("row_sums"), profile=True)
    assert [launch["blocksCounted"] for launch in result.profile] == [32]


def test_half_precision() -> None:
    schedule, payload = pair("f16_matmul")
    random = np.random.default_rng(0)
    a = random.standard_normal((512, 256)).astype(np.float16)
    b = random.standard_normal((256, 384)).astype(np.float16)
    (output,) = fw.run(schedule, payload, a, b).outputs
    np.testing.assert_allclose(output, a.astype(np.float32) @ b.astype(np.float32), rtol=2e-2, atol=2e-2)


@pytest.mark.parametrize(
    "array, message",
    [
        (np.zeros((2, 2), np.float32), r"requires shape \(256, 512\) for 'arg0' but '<argument 0>' has \(2, 2\)"),
        (np.zeros((256, 512), np.float64), "requires elements of type '<f4' for 'arg0' but '<argument 0>' has '<f8'"),
    ],
)
def test_arguments_that_do_not_fit(array: np.ndarray, message: str) -> None:
    schedule, payload = pair("row_sums")
    with pytest.raises(fw.ScheduleError, match=message) as caught:
        fw.run(schedule, payload, array)
    assert caught.value.id == "fw-input-mismatch"


def test_too_many_arguments() -> None:
    schedule, payload = pair("row_sums")
    with pytest.raises(fw.ScheduleError, match="at most"):
        fw.run(schedule, payload, *[np.zeros((256, 512), np.float32)] * 4)


def test_a_wrong_result_is_a_result() -> None:
    schedule, payload = pair("row_sums")
    result = fw.run(schedule, payload, tolerance=0)
    assert not result.passed and result.errors[0].mismatches > 0


def test_races_are_errors() -> None:
    schedule, payload = pair("staged_matmul")
    racy = schedule.read_text().replace("block_dims = [8, 8, 1]", "block_dims = [8, 8, 1] sync_after_distribute = false")
    with pytest.raises(fw.ScheduleError) as caught:
        fw.run(racy, payload)
    assert caught.value.id == "fw-workgroup-race"


def test_solve() -> None:
    schedule, payload = pair("tuned_matmul")
    (values,) = fw.solve(schedule, payload)
    assert set(values) == {"block_m", "block_n", "thread_m", "thread_n", "step_k"}
    assert len(fw.solve(schedule, payload, count=3)) == 3
    assert fw.count_solutions(schedule, payload) == (378, True)


def test_validate_and_apply(schedule: fw.Schedule) -> None:
    assert schedule.validate()
    assert "gpu.launch" in schedule.apply()


def test_refused_when_it_runs(matmul: str) -> None:
    with fw.schedule(matmul, check=False) as s:
        h = s.match("linalg.matmul")
        h.tile([4, 4])
        h.tile([4, 4])
    for command in (s.apply, s.validate, s.run, s.normalize, lambda: s.compile(target="sm_90")):
        with pytest.raises(fw.ScheduleError) as caught:
            command()
        assert caught.value.id == "fw-use-after-consume"
        assert caught.value.findings[0].place.file == __file__


def test_options_that_there_are_not(matmul: str) -> None:
    with pytest.raises(TypeError, match="unknown option 'form'"):
        fw.check(matmul, form="x.mlir")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="expected a path"):
        fw.check(3)


def test_strategies(tmp_path: Path) -> None:
    model = EXAMPLES / "models" / "perceptron.mlir"
    result = fw.run(fw.strategies("gpu"), model)
    assert result.passed and result.outputs[0].shape == (32, 40)
    taken = [finding.message for finding in result.findings if finding.id == "fw-strategy"]
    assert len(taken) == 3 and "@contraction takes" in taken[0]
    assert fw.compile(fw.strategies(), model, target="sm_90").text.count(".entry") == 3
    text = fw.strategies().make(model, target="sm_90")
    assert "transform.named_sequence @__transform_main" in text
    # A file comes before the shipped ones, and is named where it is none.
    with pytest.raises(fw.FormworkError, match="mine.mlir"):
        fw.check(fw.strategies(tmp_path / "mine.mlir", "gpu"), model)
    with pytest.raises(TypeError, match="requires a payload"):
        fw.check(fw.strategies("gpu"))
    with pytest.raises(TypeError, match="comma"):
        fw.strategies("a,b.mlir")


def test_entry() -> None:
    function = '''func.func @{0}(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.{1} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}}
'''
    payload = function.format("f", "exp") + function.format("g", "negf")
    with pytest.raises(fw.ScheduleError, match="fw-entry-ambiguous"):
        fw.run(fw.strategies(), payload)
    x = np.ones((4, 8), np.float32)
    assert fw.run(fw.strategies(), payload, x, entry="g").outputs[0].max() == -1
    assert fw.compile(fw.strategies(), payload, target="sm_90", emit="exe", entry="f").data[:4] == b"\x7fELF"


def test_trace(schedule: fw.Schedule, tmp_path: Path) -> None:
    trace = schedule.trace()
    assert trace.result.verdict == "proved"
    assert trace.save(tmp_path / "page.html").read_text() == trace.html
    assert trace.html.count("<script>step(") == 13 and trace.html.count("<script>ran(") == 13
    assert "/tmp/" not in trace.html and "<schedule>".replace("<", "\\u003c") in trace.html
    assert trace._repr_html_().count('"') == 4
    assert "<script>ran(" not in schedule.trace(static=True).html
    refused = fw.trace(str(schedule).replace("[16, 4, 1]", "[8, 4, 1]"), batch_matmul.PAYLOAD)
    assert refused.result.is_refuted and "fw-block-dims-too-small" in refused.html
    with pytest.raises(fw.ScheduleError):
        fw.trace("module {", batch_matmul.PAYLOAD)
