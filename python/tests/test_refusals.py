"""A step that is refused: the exception, its place, and what is left."""

from __future__ import annotations

import subprocess
import sys
import traceback
from pathlib import Path

import pytest

import formwork as fw


def read_line(needle: str) -> int:
    """The number of the one line of this file that ends with a comment."""
    lines = Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith("# " + needle))


def use_twice(s: fw.Schedule) -> None:
    product = s.match("linalg.matmul")  # set here
    product.tile([4, 4])  # consumed here
    product.tile([2, 2])  # refused here


def test_the_traceback_ends_at_the_users_line(matmul: str) -> None:
    with pytest.raises(fw.ScheduleError) as caught:
        with fw.schedule(matmul) as s:
            use_twice(s)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.lineno, last.name) == (__file__, read_line("refused here"), "use_twice")


def test_notes_and_fixits_are_of_python_lines(matmul: str) -> None:
    s = fw.schedule(matmul)
    with pytest.raises(fw.ScheduleError) as caught:
        use_twice(s)
    error = caught.value
    assert error.id == "fw-use-after-consume"
    finding = error.findings[0]
    assert finding.severity == "error"
    assert (finding.place.file, finding.place.line) == (__file__, read_line("refused here"))
    assert finding.place.column == 5
    lines = {note.kind: note.place.line for note in finding.notes}
    assert lines["established"] == read_line("set here")
    assert lines["lost"] == read_line("consumed here")
    assert "match the payload again" in finding.fixits[0]
    # The text quotes the lines.
    assert "product.tile([2, 2])  # refused here\n    ^" in str(error)
    assert "%product is invalidated" in str(error)


def test_a_script_shows_the_error_as_a_compiler_does(tmp_path: Path, matmul: str) -> None:
    (tmp_path / "payload.mlir").write_text(matmul)
    script = tmp_path / "kernel.py"
    script.write_text(
        "import formwork as fw\n"
        "with fw.schedule('payload.mlir') as s:\n"
        "    m = s.match('linalg.matmul')\n"
        "    m.tile([4, 4])\n"
        "    m.tile([4, 4])\n"
    )
    done = subprocess.run([sys.executable, "kernel.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count('File "') == 1
    assert 'kernel.py", line 5' in done.stderr
    assert "kernel.py:5:5: error: requires a valid handle but %m is invalidated [fw-use-after-consume]" in done.stderr


def test_a_refused_step_is_not_part_of_the_schedule(matmul: str) -> None:
    s = fw.schedule(matmul)
    with pytest.raises(fw.ScheduleError):
        use_twice(s)
    assert str(s).count("tile_using_forall") == 1
    product = s.match("linalg.matmul")
    product.tile([2, 2])
    assert str(s).count("tile_using_forall") == 2
    assert s.check()


def test_what_mlir_itself_refuses(matmul: str) -> None:
    s = fw.schedule(matmul)
    product = s.match("linalg.matmul")
    with pytest.raises(fw.ScheduleError) as caught:
        s.add("transform.structured.match", [product], {"ops": 3}, ["result"])
    finding = caught.value.findings[0]
    assert finding.place.file == __file__
    assert "ops" in finding.message
    assert str(s).count("structured.match") == 1


def test_operations_that_there_are_not(matmul: str) -> None:
    s = fw.schedule(matmul)
    with pytest.raises(fw.ScheduleError) as caught:
        s.add("transform.no.such_step", [s.root], {}, ["result"])
    assert "no.such_step" in str(caught.value)
    assert s.match("linalg.matmul").facts.payload == "1 linalg.matmul"


def test_limits_of_the_target(examples: Path) -> None:
    with pytest.raises(fw.ScheduleError) as caught:
        with fw.schedule(examples / "batch_matmul/payload.mlir", target="sm_90") as s:
            block, _ = s.match("linalg.batch_matmul").tile(blocks=[1, 16, 64])
            block.tile(threads=[0, 4, 4])
            s.bufferize()
            launch = s.match("func.func").map_to_blocks()
            launch.map_to_threads([8, 4])
    assert caught.value.id == "fw-block-dims-too-small"
    assert caught.value.findings[0].fixits == ["use block_dims = [16, 4, 1]"]


def test_unchecked_steps_are_checked_at_the_end(matmul: str) -> None:
    with fw.schedule(matmul, check=False) as s:
        use_twice(s)
    result = s.check()
    assert not result and result.verdict == "refuted"
    assert result.errors[0].place.line == read_line("refused here")


def test_warnings_are_kept(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        s.match("linalg.conv_2d")
    assert [finding.id for finding in s.warnings] == ["fw-empty-match"]
    assert s.warnings[0].place.file == __file__
