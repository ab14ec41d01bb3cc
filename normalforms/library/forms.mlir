// The built-in forms. Levels from top to bottom: any payload, tensors and
// structured ops, loops, vectors, buffers, GPU, LLVM. Behind each form stands
// who requires or wants it. A form is `manual` when getting there changes what
// the author of a schedule chose; a plan never inserts it.
//
// The rules of most forms make no tensor, structured op, parallel loop, launch or
// allocation that was not there, hence their long and equal `preserves`.
//
// A user's file has the same shape; it can refine these but not redefine them.

//===----------------------------------------------------------------------===//
// Any payload
//===----------------------------------------------------------------------===//

// Refined by every form that has a rule group, without saying so.
normalform.form @driver
    summary "folded, constants unique and in front, no dead op or block"
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
}

// Wanted by every match of ops: what was merged or dead is not found twice.
normalform.form @canonical
    summary "canonical ops, no common subexpressions"
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.canonicalization
  normalform.procedure "cse"
}

//===----------------------------------------------------------------------===//
// Tensors and structured ops
//===----------------------------------------------------------------------===//

// Required by structured.vectorize and vectorize_children_and_apply_patterns
// after tiling: without it the types of tiles are dynamic although their sizes
// are known.
normalform.form @linalg.tiled
    summary "sizes, offsets and bounds that tiling made are folded into types"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
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
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "static-shapes"
    weight 2 {
}

// Wanted by vectorize: unit dimensions become unit vector dimensions. Manual,
// because named ops become generic ones, which later matches do not find.
normalform.form @linalg.no_unit_dims
    summary "no structured op iterates over a dimension of size 1"
    refines [@canonical]
    manual {
  transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices
}

// Wanted by fuse_into_containing_op and bufferization: an unused operand keeps
// its producer alive.
normalform.form @linalg.minimal_inputs
    summary "no structured op has an operand that its body does not use"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.linalg.erase_unnecessary_inputs
}

// Required by one_shot_bufferize of a function that is still to be tiled, by
// fuse_into_containing_op and by pad: they take tensors.
normalform.form @linalg.on_tensors
    summary "every structured op works on tensors"
    where "structured-on-tensors"
    manual {
}

// Wanted by one_shot_bufferize and by fuse: each slice of a slice is a copy or
// a fusion barrier.
normalform.form @tensor.slices_merged
    summary "no slice of a slice, no insertion of an insertion"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice
  transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion
}

// Wanted by vectorize: a reshape between producer and consumer ends fusion.
normalform.form @tensor.reshapes_folded
    summary "no reshape that its neighbour could absorb"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.tensor.reassociative_reshape_folding
}

// Wanted by one_shot_bufferize: a slice or reshape of tensor.empty is a fresh
// allocation for nothing.
normalform.form @tensor.empty_folded
    summary "no op that only renames part of a fresh tensor"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.tensor.fold_tensor_empty
}

// Wanted by one_shot_bufferize after vectorization: without it accumulators go
// through memory in each step of the loop.
normalform.form @tensor.hoisted
    summary "loop-carried accumulators are values, not slices of a tensor"
    refines [@loops.invariants_hoisted, @vector.no_leading_unit_dims]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
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
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 2 {
  normalform.procedure "eliminate-empty-tensors"
}

// Wanted by one_shot_bufferize. Both of what it refines in one fixpoint: reached
// one after the other, the later undoes the earlier.
normalform.form @tensor.bufferizable
    summary "accumulators are values, and ops write where their result belongs"
    refines [@tensor.hoisted, @tensor.no_empty]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    weight 4 {
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

// Wanted by loop.unroll, loop.pipeline, loop.peel: bounds that are constants in
// disguise hide trip counts.
normalform.form @loops.canonical
    summary "trip counts, bounds and affine indices folded"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.scf.for_loop_canonicalization
}

// Wanted by loop.hoist_loop_invariant_subsets and by bufferization: an index
// computed in the loop hides that a subset does not move.
normalform.form @loops.invariants_hoisted
    summary "no loop computes what does not change in it"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  normalform.procedure "licm"
}

// Required by loop.coalesce, structured.interchange of loops, and mapping of
// nested loops.
normalform.form @loops.perfect_nest
    summary "nothing but the next loop in each loop that holds one"
    refines [@loops.canonical, @loops.invariants_hoisted]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    anchor "loop-nest"
    where "perfect-loop-nest" {
}

// Required by loop.coalesce and by mapping by position.
normalform.form @loops.normalized
    summary "every loop runs from 0 in steps of 1"
    refines [@loops.canonical]
    anchor "loop-nest"
    where "normalized-loops"
    manual {
}

// Required by loop.unroll in full and loop.pipeline.
normalform.form @loops.static
    summary "every loop has constant bounds and a constant step"
    refines [@loops.canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    anchor "loop-nest"
    where "static-trip-counts" {
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

// Wanted by hoisting, unrolling to mma shapes and lowering of contractions: a
// leading unit dimension makes every one of them a special case.
normalform.form @vector.no_leading_unit_dims
    summary "no vector op on a leading dimension of size 1"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.vector.cast_away_vector_leading_one_dim
}

// Wanted by vector.lower_contraction and pass convert-vector-to-gpu:
// structured.vectorize makes a multi_reduction of a matmul.
normalform.form @vector.contracts
    summary "products that are summed up are contractions"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.vector.reduction_to_contract
}

// Required by pass convert-vector-to-gpu with nvgpu: no extension between a
// transfer and the contraction that uses it.
normalform.form @vector.extensions_folded
    summary "contractions extend their operands themselves"
    refines [@vector.contracts]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.vector.fold_arith_extension
}

// Required by vector.lower_transfer and by hoisting of transfers on buffers.
normalform.form @vector.identity_transfers
    summary "transfers run along the innermost dimensions, permuted elsewhere"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "identity-transfers" {
  transform.apply_patterns.vector.transfer_permutation_patterns
}

// Wanted by one_shot_bufferize and by hoisting: a transfer of a slice is a
// transfer of the tensor.
normalform.form @vector.slices_folded
    summary "transfers read and write tensors, not slices of them"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers
}

// Wanted by vector.lower_transfer on buffers: unit dimensions of a buffer end
// contiguous loads.
normalform.form @vector.rank_reduced
    summary "transfers on buffers see no unit dimensions"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.vector.rank_reducing_subview_patterns
  transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops
}

// Required by convert-gpu-to-nvvm: it translates nothing else. Manual: how to
// lower a contraction is a choice.
normalform.form @vector.loadable
    summary "only loads, stores and element-wise arithmetic on vectors"
    where "loadable-vectors"
    manual {
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// Required by gpu.map_forall_to_blocks, gpu.map_nested_forall_to_threads and
// everything that moves to a launch. Manual: where buffers lie is a choice.
normalform.form @bufferized
    summary "no tensors"
    excludes [@linalg.on_tensors]
    where "no-tensors"
    manual {
}

// Wanted by gpu.map_forall_to_blocks, memref.multibuffer and all of the lowering
// after bufferization: its self copies and views of views are work.
normalform.form @memref.canonical
    summary "no copy of a buffer to itself, no view of a view"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "no-self-copies" {
  transform.apply_patterns.memref.fold_memref_alias_ops
}

// Required by one_shot_bufferize's callers that compile kernels: strided dynamic
// arguments cost registers. Manual: the layout is the author's interface.
normalform.form @memref.identity_layouts
    summary "function arguments are contiguous buffers"
    where "identity-layouts"
    manual {
}

// Required by memref.multibuffer: the allocation dominates the loop.
normalform.form @memref.allocations_hoisted
    summary "no allocation in a loop"
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors]
    where "allocations-hoisted" {
  normalform.procedure "hoist-buffers-from-loops"
}

// Wanted by lowering: the size of a result is that of an operand.
normalform.form @memref.dims_resolved
    summary "sizes of results are computed from sizes of operands"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims
}

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

// Required by gpu.map_forall_to_blocks and gpu.map_nested_forall_to_threads.
normalform.form @gpu.mappable
    summary "every forall is static, normalized, bufferized and has a mapping"
    where "mappable-loops"
    manual {
}

// Required by kernel outlining: a forall left over runs sequentially in each
// thread.
normalform.form @gpu.mapped
    summary "no parallel loop outside of the launch's own grid"
    where "no-parallel-loops"
    manual {
}

// Wanted by outlining on code with barriers that a schedule inserted between
// accesses that do not meet.
normalform.form @gpu.minimal_barriers
    summary "no barrier that orders nothing"
    refines [@canonical]
    preserves [@bufferized, @gpu.mappable, @gpu.mapped, @gpu.launchable,
               @gpu.outlined, @gpu.static_workgroup_memory,
               @memref.identity_layouts, @linalg.on_tensors] {
  transform.apply_patterns.gpu.eliminate_barriers
}

// Required by the lowering of workgroup memory: elsewhere it becomes a device
// malloc or a per-thread stack slot, both wrong.
normalform.form @gpu.static_workgroup_memory
    summary "workgroup memory is a global or an attribution"
    where "workgroup-memory-global"
    manual {
}

// Goal of schedules for GPU targets: what `compile` can lower.
normalform.form @gpu.launchable
    summary "bufferized, mapped, kernels of vectors and scalars"
    refines [@bufferized, @gpu.mapped]
    where "kernel-ready"
    manual {
}

// Required by the lowering to NVVM.
normalform.form @gpu.outlined
    summary "kernels are functions of a GPU module"
    refines [@gpu.launchable]
    where "no-launch"
    manual {
}

//===----------------------------------------------------------------------===//
// LLVM
//===----------------------------------------------------------------------===//

// Required by the translation to LLVM IR.
normalform.form @llvm.no_casts
    summary "no conversion left unresolved"
    where "no-casts"
    manual {
}

// Goal of lowering.
normalform.form @llvm.translatable
    summary "only ops that translate to LLVM IR"
    refines [@llvm.no_casts]
    where "llvm-only"
    manual {
}
