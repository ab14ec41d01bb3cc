"""The fluent builder: what it makes, and what it says of it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import batch_matmul
import pytest

import formwork as fw
from formwork._bindings import ir
from formwork._text import _walk


def list_operations(module: object) -> list[str]:
    """Each operation with its attributes and types, without names and locations."""
    lines = []
    for op in _walk(module.operation):  # type: ignore[attr-defined]
        attributes = sorted(f"{name}={value}" for name, value in op.attributes.items())
        lines.append(f"{op.name} {attributes} {[str(o.type) for o in op.operands]} {[str(r.type) for r in op.results]}")
    return lines


def test_the_talks_batch_matmul_is_the_schedule_by_hand(examples: Path) -> None:
    schedule = batch_matmul.make()
    assert schedule.verdict == "proved"
    by_hand = (examples / "batch_matmul/schedule.mlir").read_text()
    with ir.Context():
        expected = list_operations(ir.Module.parse(by_hand))
    made = list_operations(schedule.module)
    # The order of independent lookups is the only difference.
    assert sorted(made) == sorted(expected)


def test_the_talks_batch_matmul_has_at_most_18_lines() -> None:
    source = inspect.getsource(batch_matmul.make).splitlines()
    assert len([line for line in source if line.strip()]) <= 18


def test_variables_name_the_handles(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        product = s.match("linalg.matmul")
        tile, loop = product.tile([4, 4])
        pair = tile.tile(steps=[0, 0, 8])
        größe = s.match("func.func")
    assert product.name == "product"
    assert (tile.name, loop.name) == ("tile", "loop")
    assert pair.tile.name == "pair"
    assert größe.name == "gr__e"
    assert "%product = transform.structured.match" in str(s)
    assert "%tile, %loop = transform.structured.tile_using_forall %product" in str(s)


def test_names_that_are_taken_get_numbers(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        found = [s.match("linalg.matmul") for _ in range(3)]
        for handle in (s.match("func.func"),):
            pass
        module = s.match("func.func")
        arg0 = s.match("func.func")
    assert [handle.name for handle in found] == ["matmul", "matmul_1", "matmul_2"]
    assert handle.name == "func"
    assert module.name == "module_1"
    assert arg0.name == "arg0_"


def test_source_that_cannot_be_found_leaves_defaults(matmul: str) -> None:
    names: dict[str, object] = {"fw": fw, "matmul": matmul}
    exec(compile("s = fw.schedule(matmul)\nh = s.match('linalg.matmul')\n", "<no source>", "exec"), names)
    assert names["h"].name == "matmul"  # type: ignore[attr-defined]


def test_handles_show_kind_count_forms_and_validity(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        product = s.match("linalg.matmul")
        assert repr(product) == "<%product: 1 linalg.matmul, @linalg.on_tensors, @vector.loadable, 4 more forms>"
        tile, loop = product.tile([4, 4])
        assert "dead since line" in repr(product)
        assert not product.facts.is_valid
        assert tile.facts.payload == "1 linalg.matmul"
        assert loop.facts.payload == "1 scf.forall" and loop.facts.is_valid
        s.bufferize()
    assert "@bufferized" in s.root.facts.forms
    assert "<td>valid</td>" in s.root._repr_html_()
    assert "%tile" in s._repr_html_() and "&lt;" not in s._repr_html_()
    assert repr(s) == f"<schedule: 3 steps, {s.verdict}>"
    assert {facts.name for facts in s.handles} == {"%product", "%tile", "%loop", "%bufferized"}


def test_covers_the_operations_of_the_examples(examples: Path, matmul: str) -> None:
    """Each transform operation that a schedule in examples/ uses is made by a method."""
    used = set()
    for path in examples.glob("*/*.mlir"):
        text = re.sub(r"//.*", "", path.read_text())
        used |= set(re.findall(r"^\s*(?:%[^=]*=\s*)?(transform\.[a-z0-9_.]+)", text, re.MULTILINE))
    s = fw.schedule(matmul, check=False)
    h = s.match("linalg.matmul")
    size = s.knob("size", options=[4, 8])
    s.require(size % 4 == 0)
    h.tile(blocks=[size, 4])
    h.tile(steps=[0, 0, s.param(8)])
    h.fuse_into(h)
    padded = h.pad([0, 1], values=[0.0, 0.0], nofold=[1, 1])
    padded.pads.to_destination_style().allocate()
    h.split(2)
    h.parent("scf.for")
    h.decompose()
    h.decompose_to_lower_rank()
    columns, unfolded = h.unfold_convolution()
    unfolded.producer().tile(steps=[0, 0, 0, h.size(2)])
    h.online_softmax(size)
    h.widen_sums().rounded.tile(blocks=[size])
    h.vectorize(fold_type_extensions=True)
    h.vectorize_tiles([4, size])
    h.apply_patterns("canonicalization", *sorted(p[len("transform.apply_patterns.") :] for p in used if "_patterns." in p))
    h.apply_licm()
    h.hoist_loop_invariant_subsets()
    h.eliminate_empty_tensors()
    h.apply_pass("gpu-kernel-outlining")
    h.map_to_blocks().map_to_threads([8, 8])
    h.map_loop_to_blocks()
    h.stage([0, 1], padding=[1], order=[1, 0], swizzle=True)
    h.contract_on_tensor_cores([2, 2], round_to_tf32=True)
    h.distribute_vectors([128], width=4)
    h.distribute_vectors([128], align_rows=True)
    h.distribute_vectors([128], wide_rows=True)
    h.pipeline_copies(3)
    h.use_dynamic_workgroup_memory(reuse=True)
    s.bufferize()
    made = {op.name for op in _walk(s.module.operation)}
    spelled = {"transform.param.constant": "transform.param.constant"}
    missing = {name.rstrip(".") for name in used} - made - set(spelled)
    assert not missing


def test_parent(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        tiled, loop = s.match("linalg.matmul").tile(steps=[4])
        around = tiled.parent("scf.for")
        function = around.parent(isolated=True)
    assert around.facts.payload == loop.facts.payload == "1 scf.for"
    assert function.facts.payload == "1 func.func"
    with pytest.raises(fw.ScheduleError) as refused, s:
        function.parent("scf.for")
    assert refused.value.findings[0].id == "fw-no-parent"


def test_unfolds_a_convolution(examples: Path) -> None:
    """The schedule of examples/convolution_img2col down to the loop over channels."""
    with fw.schedule(examples / "convolution_img2col/payload.mlir") as s:
        image = s.match("linalg.conv_2d_nhwc_hwcf")
        row, blocks = s.match("linalg.generic").tile(blocks=[1, 1])
        row_conv, blocks_1 = image.fuse_into(blocks)
        channels = row_conv.size(6)
        columns, unfolded = row_conv.unfold_convolution()
        product = unfolded.producer()
        place, places = product.tile(steps=[0, 0, 0, channels])
        place_columns, _ = columns.fuse_into(places)
        step, _ = place.tile(steps=[0, 0, 0, 32])
    assert channels.name == "channels"
    assert step.facts.payload == "1 linalg.generic"
    text = str(s)
    assert "transform.match.structured.dim" in text
    assert "%product = transform.get_producer_of_operand %unfolded[0]" in text


def test_sizes_of_what_has_no_such_loop_are_refused(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        product = s.match("linalg.matmul")
        assert product.size(-1).name == "size"
        with pytest.raises(fw.ScheduleError) as caught:
            product.size(3)
        assert caught.value.findings[0].place.file == __file__
        with pytest.raises(fw.ScheduleError) as caught:
            product.producer(7)
        assert caught.value.findings[0].place.file == __file__
        product.tile([4, 4, product.size(2)])
    assert str(s).count("transform.match.structured ") == 2


def test_what_the_builder_lacks_comes_from_the_bindings(matmul: str) -> None:
    from mlir.dialects import transform
    from mlir.dialects.transform import structured

    with fw.schedule(matmul) as s:
        product = s.match("linalg.matmul")
        with s.mlir():
            generic = structured.structured_generalize(transform.AnyOpType.get(), product.value)
        after = s.handle(generic)
        assert after.facts.payload == "1 linalg.generic"
        assert after.name == "generic"
        swapped = s.add("transform.structured.interchange", [after], {"iterator_interchange": "array<i64: 1, 0, 2>"}, ["swapped"])
        assert swapped.name == "swapped"


def test_a_refused_operation_of_the_bindings_is_taken_back(matmul: str) -> None:
    from mlir.dialects import transform
    from mlir.dialects.transform import structured

    with fw.schedule(matmul) as s:
        product = s.match("linalg.matmul")
        product.tile([4, 4])
        with pytest.raises(fw.ScheduleError) as caught:
            with s.mlir():
                structured.structured_generalize(transform.AnyOpType.get(), product.value)
        assert caught.value.id == "fw-use-after-consume"
        assert caught.value.findings[0].place.file == __file__
    assert "generalize" not in str(s)


def test_foreach(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        with s.foreach(s.match("linalg.matmul")) as each:
            each.tile([4, 4])
        assert "transform.foreach" in str(s)
        assert s.match("linalg.matmul").facts.payload == "1 linalg.matmul"


def test_foreach_that_is_refused(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        with pytest.raises(fw.ScheduleError) as caught:
            with s.foreach(s.match("linalg.matmul")) as each:
                each.tile([4, 4])
                each.tile([4, 4])
        assert caught.value.id == "fw-use-after-consume"
        assert "transform.foreach" not in str(s)
        assert s.match("func.func").facts.payload == "1 func.func"


def test_knobs_and_constraints(examples: Path) -> None:
    with fw.schedule(examples / "tuned_matmul/payload.mlir", target="sm_90") as s:
        block = s.knob(options=[16, 32, 48])
        thread = s.knob(range=[1, 16], power_of_two=True)
        s.require(block % thread == 0, 4 <= block // thread, (block - thread * 2 > 8) | (thread == 16))
        s.match("linalg.matmul").tile(blocks=[block, block]).tile.tile(threads=[thread, thread])
    assert block.name == "block"
    values = s.solve(count=4)
    assert values
    for value in values:
        assert value["block"] % value["thread"] == 0
        assert value["block"] // value["thread"] >= 4
    count, exact = s.count_solutions()
    assert exact and count >= len(values)
    with pytest.raises(TypeError, match="no truth value"):
        bool(block == thread)
    with pytest.raises(TypeError, match="comparisons"):
        s.require(block + 1)


def test_infeasible_constraints_are_refused_at_their_line(matmul: str) -> None:
    with fw.schedule(matmul) as s:
        size = s.knob(options=[2, 4])
        with pytest.raises(fw.ScheduleError) as caught:
            s.require(size > 4)
    assert caught.value.findings[0].place.file == __file__


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda s, h: h.tile(), "takes one of"),
        (lambda s, h: h.tile([1], blocks=[1]), "takes one of"),
        (lambda s, h: h.tile(steps=[1], mapping=["x"]), "no mapping"),
        (lambda s, h: h.tile(blocks=[1, 1, 1, 1]), "requires a mapping"),
        (lambda s, h: s.match(), "requires names"),
        (lambda s, h: s.match(interface="Loop"), "knows the interfaces"),
        (lambda s, h: h.fuse_into(3), "takes handles"),
        (lambda s, h: s.add("transform.annotate", [h], {"name": object()}), "no attribute"),
    ],
)
def test_wrong_calls_are_type_errors(matmul: str, call: object, message: str) -> None:
    s = fw.schedule(matmul)
    h = s.match("linalg.matmul")
    with pytest.raises(TypeError, match=message):
        call(s, h)  # type: ignore[operator]


def test_handles_of_another_schedule_are_refused(matmul: str) -> None:
    one, other = fw.schedule(matmul), fw.schedule(matmul)
    with pytest.raises(ValueError, match="is of another"):
        one.match("linalg.matmul").fuse_into(other.match("func.func"))
