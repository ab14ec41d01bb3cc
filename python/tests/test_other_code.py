"""Schedules that other Python code makes with MLIR's bindings alone."""

from __future__ import annotations

from typing import Any

import formwork as fw
from formwork._bindings import ir, transform
from mlir.dialects.transform import structured

from pathlib import Path


def read_line(needle: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith("# " + needle))


def make(twice: bool) -> Any:
    with ir.Context(), ir.Location.unknown(), ir.loc_tracebacks():
        module = ir.Module.create()
        module.operation.attributes["transform.with_named_sequence"] = ir.UnitAttr.get()
        with ir.InsertionPoint(module.body):
            sequence = transform.NamedSequenceOp("__transform_main", [transform.AnyOpType.get()], [],
                                                 arg_attrs=[{"transform.consumed": ir.UnitAttr.get()}])
        with ir.InsertionPoint(sequence.body):
            product = structured.MatchOp.match_op_names(sequence.bodyTarget, ["linalg.matmul"])  # set
            tile, loop = structured.TileUsingForallOp(
                transform.AnyOpType.get(), transform.AnyOpType.get(), product, tile_sizes=[4, 4]).results
            if twice:
                structured.TileUsingForallOp(transform.AnyOpType.get(), transform.AnyOpType.get(), product, tile_sizes=[4, 4])  # use
            transform.YieldOp()
        return module


def test_findings_are_at_the_users_lines(matmul: str) -> None:
    result = fw.check(make(True), matmul, static=True)
    assert result.verdict == "refuted"
    error = result.errors[0]
    assert error.id == "fw-use-after-consume"
    assert (error.place.file, error.place.line, error.place.column) == (__file__, read_line("use"), 17)
    assert "%product is invalidated" in error.message
    assert [n.place.line for n in error.notes if n.kind == "established"] == [read_line("set")]
    assert "such as %tile" in error.fixits[0]


def test_library_frames_are_notes_under_verbose(matmul: str) -> None:
    plain = fw.check(make(True), matmul, static=True).errors[0]
    assert not any("library code" in note.message for note in plain.notes)
    verbose = fw.check(make(True), matmul, static=True, verbose=True).errors[0]
    notes = [note for note in verbose.notes if "library code" in note.message]
    assert notes and all("site-packages" in note.place.file for note in notes)
    assert any(note.message == "called from 'test_library_frames_are_notes_under_verbose'" for note in verbose.notes)


def test_the_text_has_the_names_of_the_variables() -> None:
    text = fw.print_module(make(False))
    assert "%product = transform.structured.match" in text
    assert "%tile, %loop = transform.structured.tile_using_forall %product" in text


def test_all_commands_take_modules_text_and_paths(tmp_path: Path, matmul: str) -> None:
    module = make(False)
    text = fw.print_module(module)
    (tmp_path / "schedule.mlir").write_text(text)
    with ir.Context():
        payload = ir.Module.parse(matmul)
    for schedule in (module, text, text.encode(), tmp_path / "schedule.mlir", str(tmp_path / "schedule.mlir")):
        assert fw.check(schedule, payload).verdict == "proved"
    assert "scf.forall" in fw.apply(module, payload)


