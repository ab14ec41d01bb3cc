// The built-in forms. Levels from top to bottom: any payload, tensors and
// structured ops, loops, vectors, buffers, GPU, LLVM. A contract requires or wants
// each form or a form that refines it, or a schedule in `seen_in` reaches the form
// by hand; a test checks this. A form is `manual` when reaching it changes a choice
// of the schedule's author; a plan never inserts such a form.
//
// The rules of most forms make no new tensor, structured op, parallel loop, launch
// or allocation; hence their long and equal `preserves`.
//
// A user's file has the same shape; it can refine these but not redefine them.

//===----------------------------------------------------------------------===//
// Any payload
//===----------------------------------------------------------------------===//

// Every form that has a rule group implicitly refines this one.
normalform.form @driver
    summary "folded, constants unique and in front, no dead op or block"
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
}

// Wanted by every match of ops, so that it finds neither duplicates nor dead ops.
normalform.form @canonical
    summary "canonical ops, no common subexpressions"
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.canonicalization
  normalform.procedure "cse"
}

//===----------------------------------------------------------------------===//
// Tensors and structured ops
//===----------------------------------------------------------------------===//

// Wanted by vectorize_children_and_apply_patterns after tiling: without it the types of tiles are dynamic although their sizes
// are known.
normalform.form @linalg.tiled
    summary "sizes, offsets and bounds that tiling made are folded into types"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 2 {
  transform.apply_patterns.linalg.tiling_canonicalization
  transform.apply_patterns.scf.for_loop_canonicalization
}

// Required by structured.vectorize without vector sizes. The rules can't make a
// size static that the author left dynamic, hence the predicate.
normalform.form @linalg.static
    summary "every structured op has operands of static shape"
    refines [@linalg.tiled]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "static-shapes"
    weight 2 {
}

// Unit dimensions become unit dimensions of vectors, and keep ops from being tiled
// and fused together.
normalform.form @linalg.no_unit_dims
    summary "no structured op iterates over a dimension of size 1"
    refines [@canonical]
    manual "named ops become generic ones, which later matches do not find"
    seen_in ["iree-org/iree tests/transform_dialect/cpu/attention_codegen_spec.mlir",
             "llvm/lighthouse lighthouse/schedule/xegpu/reduction_schedule.py"] {
  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
}

// An unused operand keeps its producer alive, and after bufferization a buffer.
normalform.form @linalg.minimal_inputs
    summary "no structured op has an operand that its body does not use"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["iree-org/iree tests/transform_dialect/cpu/attention_codegen_spec.mlir"] {
  transform.apply_patterns.linalg.erase_unnecessary_inputs
}

// Required by structured.pack, pack_greedily and split_reduction: their results are
// tensors, whatever the operands are.
normalform.form @linalg.on_tensors
    summary "every structured op works on tensors"
    where "structured-on-tensors"
    manual "which ops work on buffers is the author's choice, and bufferization is not undone" {
}

// Wanted by one_shot_bufferize and by fuse: each slice of a slice is a copy or
// a fusion barrier.
normalform.form @tensor.slices_merged
    summary "no slice of a slice, no insertion of an insertion"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
  transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
}

// A reshape before an insertion or after an extraction is one more view to
// bufferize.
normalform.form @tensor.reshapes_folded
    summary "no reshape that its neighbour could absorb"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["iree-org/iree tests/transform_dialect/cuda/mma_elemwise_layout_analysis_codegen_spec.mlir",
             "llvm/lighthouse lighthouse/schedule/xegpu/cleanup.py"] {
  transform.apply_patterns.tensor.reassociative_reshape_folding
}

// A slice of a fresh tensor keeps the whole tensor: bufferization allocates all of it
// where only a tile is used. Not part of @tensor.bufferizable: where a fresh tensor
// is inserted into a fresh one, @tensor.no_empty makes a slice of it again.
normalform.form @tensor.empty_folded
    summary "no op that only renames part of a fresh tensor"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["llvm/lighthouse lighthouse/schedule/xegpu/cleanup.py"] {
  transform.apply_patterns.tensor.fold_tensor_empty
}

// Wanted by one_shot_bufferize after vectorization: without it accumulators go
// through memory in each step of the loop.
normalform.form @tensor.hoisted
    summary "loop-carried accumulators are values, not slices of a tensor"
    refines [@loops.invariants_hoisted]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors, @tensor.no_empty]
    weight 3 {
  normalform.procedure "hoist-loop-invariant-subsets"
}

// Wanted by one_shot_bufferize: a tensor.empty in a forall is an allocation in
// the kernel.
normalform.form @tensor.no_empty
    summary "ops write where their result is inserted, not a fresh tensor"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 2 {
  normalform.procedure "eliminate-empty-tensors"
}

// Wanted by one_shot_bufferize. It reaches all refined forms in one fixpoint, because
// in sequence a later form undoes an earlier one. Otherwise a transfer of a slice would
// become a transfer of a new view, and loop-carried values would keep a leading unit
// dimension.
normalform.form @tensor.bufferizable
    summary "accumulators are values, and ops write where their result belongs"
    refines [@tensor.hoisted, @tensor.no_empty, @memref.dims_resolved,
             @vector.no_leading_unit_dims, @vector.slices_folded]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 4 {
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// Wanted by structured.hoist_pad: bounds that fold to constants hide trip counts
// until they are folded.
normalform.form @loops.canonical
    summary "trip counts, bounds and affine indices folded"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.scf.for_loop_canonicalization
}

// An index computed in the loop hides that a subset is loop-invariant, and makes a
// nest imperfect.
normalform.form @loops.invariants_hoisted
    summary "no loop computes what does not change in it"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  normalform.procedure "licm"
}

// Wanted by loop.coalesce, which takes the perfect part of a nest.
normalform.form @loops.perfect_nest
    summary "nothing but the next loop in each loop that holds one"
    refines [@loops.canonical, @loops.invariants_hoisted]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    anchor "loop-nest"
    where "perfect-loop-nest" {
}

// Steps that fuse into a loop, or map it to cores, expect that it counts from 0.
normalform.form @loops.normalized
    summary "every loop runs from 0 in steps of 1"
    refines [@loops.canonical]
    anchor "loop-nest"
    where "normalized-loops"
    manual "the values of an induction variable are what the rest of the schedule refers to"
    seen_in ["Ascend/AscendNPU-IR bishengir/lib/Dialect/HFusion/Transforms/AutoSchedule/AnyPBRSchedule.cpp"] {
}

// Required by loop.pipeline.
normalform.form @loops.static
    summary "every loop has constant bounds and a constant step"
    refines [@loops.canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    anchor "loop-nest"
    where "static-trip-counts" {
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

// A leading unit dimension makes hoisting, unrolling and the lowering of
// contractions a special case.
normalform.form @vector.no_leading_unit_dims
    summary "no vector op on a leading dimension of size 1"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.vector.cast_away_vector_leading_one_dim
}

// structured.vectorize turns a matmul into a multi_reduction, for which
// vector.lower_contraction has no rule.
normalform.form @vector.contracts
    summary "products that are summed up are contractions"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["llvm/llvm-project mlir/test/Integration/Dialect/Linalg/CPU/ArmSVE/pack-unpack-mmt4d.mlir",
             "llvm/lighthouse lighthouse/schedule/vectorization.py"] {
  transform.apply_patterns.vector.reduction_to_contract
}

// Wanted by vector.lower_contraction. Summed products become contractions, and the
// permutations and broadcasts of transfers move into their maps. One fixpoint does
// all of this, because each rewrite enables another.
normalform.form @vector.plain_contracts
    summary "products that are summed up are contractions of operands as read"
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.vector.reduction_to_contract
  transform.apply_patterns.vector.transfer_permutation_patterns
}

// Matrix units take narrow operands and a wide accumulator; an extension between a
// transfer and the contraction hides that.
normalform.form @vector.extensions_folded
    summary "contractions extend their operands themselves"
    refines [@vector.contracts]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["llvm/lighthouse lighthouse/schedule/vectorization.py"] {
  transform.apply_patterns.vector.fold_arith_extension
}

// A transfer of contiguous elements is a load or a store.
normalform.form @vector.identity_transfers
    summary "transfers run along the innermost dimensions, permuted elsewhere"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "identity-transfers" {
  transform.apply_patterns.vector.transfer_permutation_patterns
}

// Wanted by nvgpu.create_async_groups: a copy is one row of a buffer. Views of the
// buffer, such as those that memref.multibuffer makes, prevent this.
normalform.form @vector.rank_one_transfers
    summary "transfers are of one dimension, each of neighbours in a buffer"
    refines [@vector.identity_transfers, @memref.canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 3 {
  normalform.procedure "unroll-transfers"
}

// Wanted by pass convert-vector-to-gpu: it turns the values that a loop reads and
// writes into fragments, and no later step finds these pairs.
normalform.form @vector.accumulators_hoisted
    summary "no loop reads a part of a buffer that it then writes back"
    refines [@loops.invariants_hoisted, @memref.canonical,
             @vector.no_leading_unit_dims]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 4 {
  normalform.procedure "hoist-redundant-vector-transfers"
}

// A transfer of a slice is a transfer of the tensor, which hoisting then sees.
normalform.form @vector.slices_folded
    summary "transfers read and write tensors, not slices of them"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["llvm/llvm-project mlir/test/Examples/transform/ChH/full.mlir",
             "llvm/lighthouse lighthouse/transform/cleanup.py"] {
  transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
}

// Unit dimensions of a buffer prevent contiguous loads.
normalform.form @vector.rank_reduced
    summary "transfers on buffers see no unit dimensions"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["llvm/llvm-project mlir/test/Integration/Dialect/Linalg/CPU/ArmSME/multi-tile-matmul-mixed-types.mlir",
             "llvm/llvm-project mlir/test/Integration/Dialect/Linalg/CPU/ArmSVE/pack-unpack-mmt4d.mlir"] {
  transform.apply_patterns.vector.rank_reducing_subview_patterns
  transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
}

// Required by pass convert-gpu-to-nvvm: it leaves other vector ops in place, between
// casts that no step resolves.
normalform.form @vector.loadable
    summary "only loads, stores and element-wise arithmetic on vectors"
    where "loadable-vectors"
    manual "how to lower a contraction is the author's choice" {
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// Required by gpu.map_forall_to_blocks, gpu.map_nested_forall_to_threads and
// every step towards a launch. Manual: the placement of buffers is a choice.
normalform.form @bufferized
    summary "no tensors"
    excludes [@linalg.on_tensors]
    where "no-tensors"
    manual "where buffers lie is the author's choice" {
}

// Wanted by gpu.map_forall_to_blocks, memref.multibuffer and the lowering after
// bufferization: self copies and views of views cost run time.
normalform.form @memref.canonical
    summary "no copy of a buffer to itself, no view of a view"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "no-self-copies" {
  transform.apply_patterns.memref.fold_memref_alias_ops
}

// Wanted by pass gpu-lower-to-nvvm-pipeline: a strided argument costs registers for
// its offset and strides.
normalform.form @memref.identity_layouts
    summary "function arguments are contiguous buffers"
    where "identity-layouts"
    manual "the layout of arguments is the author's interface" {
}

// Required by memref.multibuffer: the allocation dominates the loop.
normalform.form @memref.allocations_hoisted
    summary "no allocation in a loop"
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "allocations-hoisted" {
  normalform.procedure "hoist-buffers-from-loops"
}

// A query for the size of a result keeps the producer alive after fusion.
normalform.form @memref.dims_resolved
    summary "sizes of results are computed from sizes of operands"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["Ascend/AscendNPU-IR bishengir/lib/Dialect/HFusion/Transforms/AutoSchedule/AnyPBRSchedule.cpp"] {
  transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
}

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

// Wanted by pass gpu-kernel-outlining: a forall left over runs sequentially in each
// thread.
normalform.form @gpu.mapped
    summary "no parallel loop outside of the launch's own grid"
    where "no-parallel-loops"
    manual "what runs in parallel is the author's choice" {
}

// Mapping and staging put barriers between accesses that do not conflict.
normalform.form @gpu.minimal_barriers
    summary "no barrier that orders nothing"
    refines [@canonical]
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    seen_in ["iree-org/iree compiler/src/iree/compiler/Codegen/LLVMGPU/test/set_transform_strategy_matmul.mlir"] {
  transform.apply_patterns.gpu.eliminate_barriers
}

// Wanted by kernel outlining: a value that a launch uses from outside becomes an
// argument of the kernel. The rules of other forms move constants out again.
normalform.form @gpu.indices_sunk
    summary "launches compute constants and indices themselves"
    preserves [@bufferized, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  normalform.procedure "sink-index-computations"
}

// Required by pass convert-gpu-to-nvvm: it turns such an allocation into a device
// malloc or a stack slot of each thread, and both are wrong.
normalform.form @gpu.static_workgroup_memory
    summary "workgroup memory is a global or an attribution"
    where "workgroup-memory-global"
    manual "where workgroup memory is declared is the author's choice" {
}

// Goal of schedules for GPU targets: what `compile` can lower.
normalform.form @gpu.launchable
    summary "bufferized, mapped, kernels of vectors and scalars"
    refines [@bufferized, @gpu.mapped]
    where "kernel-ready"
    manual "mapping to a device is the author's choice"
    seen_in ["formwork transforms/gpu/lowering/nvvm.mlir"] {
}

// Ensured by the lowering's first half, required by its second.
normalform.form @gpu.outlined
    summary "kernels are functions of a GPU module"
    refines [@gpu.launchable]
    where "no-launch"
    manual "outlining is a step of lowering, which a schedule ends before"
    seen_in ["formwork transforms/gpu/lowering/nvvm.mlir"] {
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

// The translation to LLVM IR has no cast between types of two dialects.
normalform.form @llvm.no_casts
    summary "no conversion left unresolved"
    where "no-casts"
    manual "a cast that is left stands for a conversion that did not happen" {
}

// Goal of lowering: only ops that the translation to LLVM IR accepts.
normalform.form @llvm.translatable
    summary "only ops that translate to LLVM IR"
    refines [@llvm.no_casts]
    where "llvm-only"
    manual "lowering is the author's choice"
    seen_in ["formwork transforms/gpu/Lowering.cpp"] {
}
