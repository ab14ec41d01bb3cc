"""Handles and parameters: the values of a schedule, and the steps that take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from ._attributes import array, boolean, integer, symbol
from ._bindings import transform
from ._constraints import Expression
from ._report import Handle as HandleFacts
from ._report import to_table

if TYPE_CHECKING:
    from ._schedule import Schedule

Size = Union[int, "Param"]
"""A number, or a parameter that stands for one."""


class Value:
    """A value of the schedule: a handle or a parameter."""

    def __init__(self, schedule: Schedule, value: Any) -> None:
        self.schedule = schedule
        self.value = value
        """The value of MLIR's bindings, for their own classes."""

    @property
    def name(self) -> str:
        """What diagnostics call it: the variable that it was first assigned to."""
        return self.schedule._names.get(self.value) or "?"

    @property
    def facts(self) -> HandleFacts | None:
        """What is known of it after the last step; nothing where the check did not come to it."""
        return self.schedule._lookup(self)

    def __repr__(self) -> str:
        facts = self.facts
        return f"<{facts}>" if facts else f"<%{self.name}>"

    def _repr_html_(self) -> str:
        facts = self.facts
        if facts is None:
            return to_table(f"%{self.name}", ())
        rows = [("payload", facts.payload), ("forms", ", ".join(facts.forms) or "-"), ("validity", facts.validity)]
        return to_table(facts.name, rows)


class Param(Value, Expression):
    """A number of the schedule: a knob, or a constant. Arithmetic and comparisons make constraints."""

    __hash__ = object.__hash__


class Handle(Value):
    """A list of payload operations, and the steps that take one.

    A step that replaces its operation consumes the handle, as MLIR's does: a later use
    is refused, with the handle to use instead.
    """

    # Lookups

    def match(self, *operations: str, interface: str | None = None, **attributes: Any) -> Handle:
        """The operations of these names, or with this interface, below this one."""
        return self.schedule._match(self, operations, interface, attributes)

    def split(self, count: int) -> tuple[Handle, ...]:
        """One handle for each of the `count` operations, in their order."""
        names = [f"part_{i}" for i in range(count)]
        made = self.schedule._add("transform.split_handle", [self], {}, names)
        return tuple(self.schedule._wrap(result) for result in made.results)

    def producer(self, operand: int = 0) -> Handle:
        """The operation that computes this operand."""
        return self._one("transform.get_producer_of_operand", "producer", operand_number=integer(operand))

    def parent(self, name: str | None = None, *, isolated: bool = False) -> Handle:
        """The nearest operation around each of these, of this name or isolated from above; each of them once."""
        attributes: dict[str, Any] = {"deduplicate": True}
        if name is not None:
            attributes["op_name"] = name
        if isolated:
            attributes["isolated_from_above"] = True
        return self._one("transform.get_parent_op", "parent", **attributes)

    def size(self, dimension: int) -> Param:
        """How many steps this loop of the structured operation has; from the last one for negative numbers."""
        return self.schedule._match_size(self, dimension)

    # Tiling and fusion

    def tile(
        self,
        sizes: Sequence[Size] | None = None,
        *,
        blocks: Sequence[Size] | None = None,
        threads: Sequence[Size] | None = None,
        warps: Sequence[Size] | None = None,
        steps: Sequence[Size] | None = None,
        mapping: Sequence[str] | None = None,
    ) -> Tiled:
        """Tiles by these sizes, 0 for a dimension that stays whole.

        `blocks`, `threads` and `warps` make a parallel loop whose tiles go to them, the last
        one along x unless `mapping` says otherwise (`["y", "x"]`, or attributes as text);
        `sizes` a parallel loop that goes nowhere; `steps` a sequential loop for each size.
        """
        given = {"blocks": blocks, "threads": threads, "warps": warps, "steps": steps, "sizes": sizes}
        chosen = [(kind, values) for kind, values in given.items() if values is not None]
        if len(chosen) != 1:
            raise TypeError("tile() takes one of sizes, blocks, threads, warps and steps")
        kind, values = chosen[0]
        if kind == "steps":
            if mapping is not None:
                raise TypeError("tile(steps=...) takes no mapping: its loops are sequential")
            return self.schedule._tile_using_for(self, values)
        return self.schedule._tile_using_forall(self, kind, values, mapping)

    def fuse_into(self, loop: Handle) -> Fused:
        """Computes this producer in `loop`, a tile at a time, where it is used there."""
        name = "transform.structured.fuse_into_containing_op"
        made = self.schedule._add(name, [self, loop], {}, ["fused", "loop"])
        return Fused(*(self.schedule._wrap(result) for result in made.results))

    def pad(
        self,
        dimensions: Sequence[int],
        *,
        values: Sequence[float | Any],
        nofold: Sequence[int] = (),
        copy_back: str = "none",
    ) -> Padded:
        """Pads to static sizes; `values` are the elements, floats for f32."""
        attributes = {
            "padding_values": list(values),
            "padding_dimensions": list(dimensions),
            "nofold_flags": list(nofold),
            "copy_back_op": copy_back,
        }
        made = self.schedule._add("transform.structured.pad", [self], attributes, ["padded", "pads", "copies"])
        return Padded(*(self.schedule._wrap(result) for result in made.results))

    def decompose(self) -> Handle:
        """Takes an operation such as softmax apart into simpler ones."""
        return self._one("transform.structured.decompose_interface", "parts")

    def decompose_to_lower_rank(self) -> Handle:
        """Makes a convolution with windows of one row or column one of a lower rank."""
        return self._one("transform.structured.decompose", "lower")

    def unfold_convolution(self) -> Unfolded:
        """Makes a convolution a product of matrices; `columns` holds the windows, one a row."""
        name = "transform.structured.convert_conv2d_to_img2col"
        made = self.schedule._add(name, [self], {}, ["columns", "unfolded"])
        return Unfolded(*(self.schedule._wrap(result) for result in made.results))

    def online_softmax(self, step: Size) -> Online:
        """Computes this product and the softmax that it reads in one loop, `step` of the sum at a time."""
        made = self.schedule._add_sized(
            "transform.formwork.online_softmax", self, {"step": [step]}, {}, ["product", "loop"]
        )
        return Online(*(self.schedule._wrap(result) for result in made.results))

    def widen_sums(self) -> Widened:
        """Adds up f16 and bf16 in f32; `rounded` are the operations that round, once."""
        made = self.schedule._add("transform.formwork.widen_sums", [self], {}, ["sums", "rounded"])
        return Widened(*(self.schedule._wrap(result) for result in made.results))

    def to_destination_style(self) -> Handle:
        """Computes into a given destination, as buffers need."""
        return self._one("transform.structured.rewrite_in_destination_passing_style", "rewritten")

    # Vectors and buffers

    def vectorize(self, *, fold_type_extensions: bool = False) -> Handle:
        """Makes vectors of all operations below that can be vectors; the handle is a function."""
        attributes = {"fold_type_extensions_into_contract": True} if fold_type_extensions else {}
        name = "transform.structured.vectorize_children_and_apply_patterns"
        return self._one(name, "vectorized", **attributes)

    def vectorize_tiles(self, sizes: Sequence[Size]) -> None:
        """Makes vectors of these sizes, also of tiles that are smaller at the end."""
        self.schedule._add_sized("transform.formwork.vectorize_tiles", self, {"sizes": sizes}, {}, [])

    def bufferize(self, *, function_boundaries: bool = True, identity_layout: bool = True) -> Handle:
        """Buffers for tensors; the handle is the module."""
        attributes: dict[str, Any] = {"bufferize_function_boundaries": boolean(function_boundaries)}
        if identity_layout:
            attributes["function_boundary_type_conversion"] = integer(1, "i32")
        return self._one("transform.bufferization.one_shot_bufferize", "bufferized", **attributes)

    def allocate(self, memory_space: str = "workgroup") -> Allocated:
        """A buffer of its own for the destination, in this memory."""
        attributes = {
            "memory_space": f"#gpu.address_space<{memory_space}>",
            "bufferize_destination_only": True,
        }
        results = [("buffer", transform.AnyValueType.get(self.schedule.context)), ("new", self.schedule._any)]
        made = self.schedule._add(
            "transform.structured.bufferize_to_allocation", [self], attributes,
            [name for name, _ in results], types=[kind for _, kind in results],
        )
        return Allocated(*(self.schedule._wrap(result) for result in made.results))

    def eliminate_empty_tensors(self) -> None:
        self._none("transform.bufferization.eliminate_empty_tensors")

    # GPU

    def map_to_blocks(self) -> Handle:
        """The launch that the one loop over blocks in this function becomes."""
        return self._one("transform.gpu.map_forall_to_blocks", "launch", generate_gpu_launch=True)

    def map_loop_to_blocks(self) -> Handle:
        """The launch that this loop becomes; its trip counts need not be known."""
        return self._one("transform.formwork.map_forall_to_blocks", "launch")

    def map_to_threads(self, block_dims: Sequence[int], *, sync: bool = True, warp_size: int = 32) -> Handle:
        """Gives the loops over threads in this launch to its threads."""
        attributes = {
            "block_dims": array("i64", [*block_dims, *[1] * (3 - len(block_dims))]),
            "sync_after_distribute": boolean(sync),
            "warp_size": integer(warp_size),
        }
        return self._one("transform.gpu.map_nested_forall_to_threads", "mapped", **attributes)

    def distribute_vectors(
        self, threads: Sequence[Size], *, width: Size | None = None, align_rows: bool = False,
        wide_rows: bool = False
    ) -> Handle:
        """Gives the elements of the vectors in this launch to so many threads a block.

        With `align_rows`, rows that may start anywhere are shared from the start of a sector on.
        With `wide_rows`, they are also accessed 16 bytes at a time.
        """
        sizes = {"threads": threads, "width": [] if width is None else [width]}
        attributes = {name: True for name, is_set in [("align_rows", align_rows), ("wide_rows", wide_rows)] if is_set}
        made = self.schedule._add_sized("transform.formwork.distribute_vectors", self, sizes, attributes, ["shared"])
        return self.schedule._wrap(made.results[0])

    def stage(
        self,
        operands: Sequence[Size],
        *,
        padding: Sequence[Size] = (),
        order: Sequence[int] = (),
        swizzle: Size | bool = False,
    ) -> Staged:
        """Brings these operands through workgroup memory; a parameter for `swizzle` is 0 or 1."""
        attributes: dict[str, Any] = {"order": array("i64", order)} if order else {}
        choice = [int(swizzle)] if isinstance(swizzle, bool) else [swizzle]
        sizes = {"operand_numbers": operands, "padding": padding, "swizzle": choice if swizzle is not False else []}
        made = self.schedule._add_sized("transform.formwork.stage", self, sizes, attributes, ["copies", "buffers"])
        return Staged(*(self.schedule._wrap(result) for result in made.results))

    def contract_on_tensor_cores(
        self, warps: Sequence[Size], *, round_to_tf32: bool = False, truncate_to_tf32: bool = False
    ) -> None:
        """Computes this contraction on tensor cores, by so many warps along each dimension."""
        words = {"round_to_tf32": round_to_tf32, "truncate_to_tf32": truncate_to_tf32}
        attributes = {word: True for word, is_there in words.items() if is_there}
        self.schedule._add_sized("transform.formwork.contract_on_tensor_cores", self, {"warps": warps}, attributes, [])

    def pipeline_copies(self, depth: Size) -> Handle:
        """Copies for later steps of this loop while the present one computes; `depth` stages."""
        made = self.schedule._add_sized(
            "transform.formwork.pipeline_copies", self, {"depth": [depth]}, {}, ["pipelined"]
        )
        return self.schedule._wrap(made.results[0])

    def use_dynamic_workgroup_memory(self, *, reuse: bool = False) -> None:
        """More workgroup memory than a kernel can declare.

        With `reuse`, buffers that are never in use at the same time have the same bytes.
        """
        attributes = {"reuse": True} if reuse else {}
        self._none("transform.formwork.use_dynamic_workgroup_memory", **attributes)

    # Enablers

    def apply_patterns(self, *patterns: str | tuple[str, Mapping[str, Any]], cse: bool = False) -> None:
        """Rewrites by rule groups such as `"canonicalization"` or `"vector.lower_transpose"`.

        A group with attributes is a pair: `("vector.lower_transfer", {"max_transfer_rank": 1})`.
        """
        self.schedule._apply_patterns(self, patterns, cse)

    def normalize(self, form: str) -> None:
        """Establishes a normal form, such as `"tensor.bufferizable"`."""
        self._none("transform.normalform.normalize", form=symbol(form))

    def apply_pass(self, name: str, **options: Any) -> Handle:
        """Runs a pass; `_` in an option's name stands for `-`."""
        attributes: dict[str, Any] = {"pass_name": name}
        if options:
            attributes["options"] = {
                key.replace("_", "-"): boolean(value) if isinstance(value, bool) else value
                for key, value in options.items()
            }
        return self._one("transform.apply_registered_pass", "after", **attributes)

    def apply_cse(self) -> None:
        self._none("transform.apply_cse")

    def apply_dce(self) -> None:
        self._none("transform.apply_dce")

    def apply_licm(self) -> None:
        self._none("transform.apply_licm")

    def hoist_loop_invariant_subsets(self) -> None:
        self._none("transform.loop.hoist_loop_invariant_subsets")

    def unroll(self, factor: int) -> None:
        self._none("transform.loop.unroll", factor=integer(factor))

    def annotate(self, name: str, value: Param | None = None) -> None:
        """Marks the operations with an attribute."""
        operands: list[Value] = [self] if value is None else [self, value]
        self.schedule._add("transform.annotate", operands, {"name": name}, [])

    def _one(self, operation: str, result: str, **attributes: Any) -> Handle:
        return self.schedule._wrap(self.schedule._add(operation, [self], attributes, [result]).results[0])

    def _none(self, operation: str, **attributes: Any) -> None:
        self.schedule._add(operation, [self], attributes, [])


class Tiled(NamedTuple):
    """What tiling leaves; of a sequential one, `loop` is the outermost loop."""

    tile: Handle
    loop: Handle


class Fused(NamedTuple):
    fused: Handle
    loop: Handle


class Online(NamedTuple):
    product: Handle
    loop: Handle


class Unfolded(NamedTuple):
    """What unfolding a convolution leaves; `unfolded` gives the product the shape of the convolution."""

    columns: Handle
    unfolded: Handle


class Padded(NamedTuple):
    padded: Handle
    pads: Handle
    copies: Handle


class Allocated(NamedTuple):
    buffer: Handle
    new: Handle


class Staged(NamedTuple):
    copies: Handle
    buffers: Handle


class Widened(NamedTuple):
    """What adding up in f32 leaves; `rounded` stand where the sums stood."""

    sums: Handle
    rounded: Handle
