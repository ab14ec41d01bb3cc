// The built-in contracts: what the transform ops of MLIR 22 require, do and
// return. An op that is not named here is handled conservatively. Consumption
// is not written down: it comes from the memory effects of each op.

//===----------------------------------------------------------------------===//
// transform: navigation and parameters
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.match" complete model "match" {
  normalform.single 0 otherwise "requires exactly one target handle"
}
normalform.contract "transform.cast" complete model "cast" {
}
normalform.contract "transform.merge_handles" complete model "merge-handles" {
}
normalform.contract "transform.split_handle" complete model "split-handle" {
}
normalform.contract "transform.get_parent_op" complete model "get-parent" {
}
normalform.contract "transform.get_producer_of_operand" model "get-producer" {
}
normalform.contract "transform.get_consumers_of_result" {
  normalform.single 0 otherwise "handle must be mapped to exactly one payload op"
  normalform.result 0 "any" count "unbounded"
}
normalform.contract "transform.get_defining_op" {
  normalform.result 0 "any" count "unbounded"
}
normalform.contract "transform.get_operand" {
  normalform.result 0 "any" count "unbounded"
}
normalform.contract "transform.get_result" {
  normalform.result 0 "any" count "unbounded"
}
normalform.contract "transform.get_type" {
}
normalform.contract "transform.param.constant" complete model "param-constant" {
}
normalform.contract "transform.num_associations" complete {
}
normalform.contract "transform.match.operation_name" {
}
normalform.contract "transform.match.operation_empty" {
}
normalform.contract "transform.select" {
  normalform.result 0 "inside" of 0 count "unbounded"
}
normalform.contract "transform.replicate" {
  normalform.result 0 "any" count "unbounded"
}
normalform.contract "transform.print" complete {
}
normalform.contract "transform.verify" {
}
normalform.contract "transform.yield" complete {
}
normalform.contract "transform.sequence" complete model "sequence" {
}
normalform.contract "transform.named_sequence" complete {
}
normalform.contract "transform.include" complete model "include" {
}
normalform.contract "transform.foreach" complete model "foreach" {
}
normalform.contract "transform.alternatives" model "alternatives" {
}

// Attributes are no op: forms look at them, rules hardly ever do.
normalform.contract "transform.annotate" {
  normalform.payload "target"
}

//===----------------------------------------------------------------------===//
// transform: rewriting of a scope
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_patterns" model "apply-patterns" {
  normalform.payload "target" introduces ["*"] rewrites ["*"] handles "may_shrink"
}
normalform.contract "transform.apply_cse" model "apply-cse" {
  normalform.performs ["cse"]
  normalform.payload "target" rewrites ["*"] handles "may_shrink"
}
normalform.contract "transform.apply_dce" model "apply-dce" {
  normalform.performs ["dce"]
  normalform.payload "target" rewrites ["*"] handles "may_shrink"
}
normalform.contract "transform.apply_licm" complete model "apply-licm" {
  normalform.accepts 0 ["$loop"] otherwise "requires a loop-like payload op"
  normalform.performs ["licm"]
  normalform.payload "anchor" handles "may_move"
}
normalform.contract "transform.loop.hoist_loop_invariant_subsets" {
  normalform.accepts 0 ["$loop"] otherwise "requires a loop-like payload op"
  normalform.performs ["hoist-loop-invariant-subsets"]
  normalform.payload "anchor" introduces ["scf.*"] rewrites ["scf.for", "tensor.*", "vector.*"] handles "may_shrink"
}
normalform.contract "transform.structured.hoist_redundant_vector_transfers" {
  normalform.accepts 0 ["func.func"] otherwise "requires a func.func target"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.performs ["hoist-transfers"]
  normalform.payload "target" introduces ["scf.*", "vector.*"] rewrites ["scf.for", "vector.*"] handles "may_shrink"
}
normalform.contract "transform.structured.hoist_redundant_vector_broadcasts" {
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["scf.*", "vector.*"] rewrites ["scf.for", "vector.*"] handles "may_shrink"
}
normalform.contract "transform.apply_registered_pass" {
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "transform.apply_conversion_patterns" {
  normalform.payload "target" introduces ["*"] rewrites ["*"]
}
normalform.contract "transform.normalform.normalize" model "normalize" {
  normalform.payload "anchor" introduces ["*"] rewrites ["*"] handles "may_shrink"
}

normalform.contract "transform.normalform.assert" complete model "assert-form" {
}

//===----------------------------------------------------------------------===//
// transform.structured: tiling and fusion
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.tile_using_forall" complete model "tile-using-forall" {
  normalform.accepts 0 ["$tileable"] otherwise "only TilingInterface ops are supported"
  normalform.payload "anchor" introduces ["affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim", "memref.subview"]
}
normalform.contract "transform.structured.tile_using_for" complete model "tile-using-for" {
  normalform.accepts 0 ["$tileable"] otherwise "only ops implementing TilingInterface are supported"
  normalform.payload "anchor" introduces ["affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim", "memref.subview"]
}
normalform.contract "transform.structured.fuse_into_containing_op" complete model "fuse-into" {
  normalform.single 1 otherwise "requires exactly one containing_op handle"
  normalform.payload "anchor" introduces ["affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim"]
}
normalform.contract "transform.structured.fuse" {
  normalform.accepts 0 ["$tileable"] otherwise "only ops implementing TilingInterface are supported"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "linalg.*", "scf.*"] rewrites ["linalg.*", "tensor.*"]
}
normalform.contract "transform.structured.tile_reduction_using_for" {
  normalform.accepts 0 ["$structured"] otherwise "requires a partial-reduction op"
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "linalg.*", "scf.*"] rewrites ["linalg.*"]
}
normalform.contract "transform.structured.tile_reduction_using_forall" {
  normalform.accepts 0 ["$structured"] otherwise "requires a partial-reduction op"
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "linalg.*", "scf.*"] rewrites ["linalg.*"]
}
normalform.contract "transform.structured.split" {
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "linalg.*"] rewrites ["linalg.*"]
}
normalform.contract "transform.structured.split_reduction" {
  normalform.accepts 0 ["$structured"] otherwise "requires a structured op"
  normalform.payload "anchor" introduces ["arith.*", "tensor.*", "linalg.*"] rewrites ["linalg.*"]
}
normalform.contract "transform.structured.multitile_sizes" {
  normalform.payload "anchor" introduces ["arith.*", "affine.*", "tensor.dim"]
}

//===----------------------------------------------------------------------===//
// transform.structured: rewriting of one op
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.generalize" model "generalize" {
  normalform.accepts 0 ["$structured"] otherwise "attempted to apply to non-linalg op"
  normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.payload "target" introduces ["linalg.generic"]
}
normalform.contract "transform.structured.specialize" {
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "target" introduces ["linalg.*"]
}
normalform.contract "transform.structured.interchange" {
  normalform.accepts 0 ["linalg.generic"] otherwise "only applies to linalg.generic ops"
  normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.payload "target" introduces ["linalg.generic"]
}
normalform.contract "transform.structured.decompose" {
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "target" introduces ["linalg.*", "tensor.*"]
}
normalform.contract "transform.structured.convert_to_loops" {
  normalform.accepts 0 ["$tileable"] otherwise "expected the payload to implement TilingInterface"
  normalform.result 0 "replaces" of 0 count "unbounded"
  normalform.payload "anchor" introduces ["scf.*", "arith.*", "memref.*", "affine.*"]
}
normalform.contract "transform.structured.scalarize" {
  normalform.accepts 0 ["$structured"] otherwise "requires a structured op"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["scf.*", "tensor.*", "affine.*", "arith.*"]
}
normalform.contract "transform.structured.pad" complete model "pad" {
  normalform.accepts 0 ["$structured"] otherwise "expected LinalgOp target"
  normalform.payload "anchor" introduces ["tensor.pad", "tensor.dim", "tensor.extract_slice", "arith.*", "affine.*", "complex.constant", "bufferization.materialize_in_destination", "linalg.copy"]
}
normalform.contract "transform.structured.pad_tiling_interface" {
  normalform.accepts 0 ["$tileable"] otherwise "only TilingInterface ops are supported"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.result 1 "any" kinds ["tensor.pad"] count "unbounded"
  normalform.payload "anchor" introduces ["tensor.*", "arith.*", "affine.*"]
}
normalform.contract "transform.structured.hoist_pad" {
  normalform.accepts 0 ["tensor.pad"] otherwise "requires a tensor.pad"
  normalform.result 0 "any" count "unbounded"
  normalform.payload "anchor" introduces ["tensor.*", "arith.*", "affine.*", "scf.*", "linalg.*"] rewrites ["scf.*", "tensor.*"]
}
normalform.contract "transform.structured.insert_slice_to_copy" {
  normalform.accepts 0 ["tensor.insert_slice", "tensor.parallel_insert_slice"] otherwise "only insert_slice and parallel_insert_slice ops are supported"
  normalform.result 0 "any" kinds ["linalg.copy"] count "per_target"
  normalform.payload "target" introduces ["linalg.copy", "tensor.*"]
}
normalform.contract "transform.structured.rewrite_in_destination_passing_style" complete model "destination-style" {
  normalform.accepts 0 ["tensor.pad", "tensor.from_elements", "tensor.generate"] otherwise "only tensor.from_elements, tensor.generate and tensor.pad have a destination-passing form"
  normalform.payload "anchor" introduces ["linalg.fill", "linalg.generic", "linalg.copy", "tensor.empty", "tensor.insert_slice", "tensor.insert", "tensor.dim", "arith.*", "affine.*", "bufferization.alloc_tensor"]
}
normalform.contract "transform.structured.pack" {
  normalform.accepts 0 ["$structured"] otherwise "requires target to map to exactly 1 LinalgOp"
  normalform.single 0 otherwise "requires target to map to exactly 1 LinalgOp"
  normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "one"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*", "affine.*"]
}
normalform.contract "transform.structured.promote" model "promote" {
  normalform.accepts 0 ["$structured"] otherwise "requires a structured op"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "anchor" introduces ["memref.*", "linalg.*", "arith.*", "affine.*"]
}
normalform.contract "transform.structured.bufferize_to_allocation" complete model "bufferize-to-allocation" {
  normalform.payload "anchor" introduces ["memref.*", "bufferization.*", "linalg.*", "arith.*"]
}
normalform.contract "transform.structured.promote_tensor" {
  normalform.payload "anchor" introduces ["bufferization.*", "tensor.*"]
}
normalform.contract "transform.structured.gpu.map_copy_to_threads" {
  normalform.accepts 0 ["linalg.copy", "tensor.pad"] otherwise "only linalg.copy and tensor.pad target ops are supported"
  normalform.result 0 "around" of 0 kinds ["scf.forall"] count "one"
  normalform.result 1 "any" count "unbounded"
  normalform.payload "anchor" introduces ["scf.forall", "linalg.*", "tensor.*", "affine.*", "arith.*"]
}
normalform.contract "transform.structured.eliminate_empty_tensors" {
  normalform.payload "target" introduces ["tensor.*"] rewrites ["tensor.*"]
}

//===----------------------------------------------------------------------===//
// transform.structured: vectorization
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.vectorize" model "vectorize" {
  normalform.accepts 0 ["$structured", "tensor.pad", "linalg.pack", "linalg.unpack", "tensor.insert_slice"] otherwise "Unsupported Op, cannot vectorize"
  normalform.payload "anchor" introduces ["vector.*", "arith.*", "affine.*", "tensor.*", "math.*"] rewrites ["linalg.*"]
}
normalform.contract "transform.structured.vectorize_children_and_apply_patterns" complete model "vectorize-children" {
  normalform.accepts 0 ["$isolated"] otherwise "op requires isolated-from-above targets"
  normalform.requires @linalg.tiled of 0
      otherwise "affine.min sizes that are not folded keep the op's shapes dynamic, and it is silently not vectorized"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["vector.*", "arith.*", "tensor.*", "math.*", "affine.*", "ub.*", "memref.*"] rewrites ["linalg.*", "tensor.*", "arith.*", "vector.*"]
}

//===----------------------------------------------------------------------===//
// transform.bufferization
//===----------------------------------------------------------------------===//

normalform.contract "transform.bufferization.one_shot_bufferize" model "one-shot-bufferize" {
  normalform.wants @tensor.bufferizable of 0
      otherwise "accumulators that are not hoisted out of a loop go through memory at each step, and a tensor.empty inside a parallel loop becomes an allocation in the kernel"
  normalform.ensures @bufferized of 0
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["memref.*", "bufferization.*", "arith.*"] rewrites ["tensor.*", "bufferization.*"]
}
normalform.contract "transform.bufferization.eliminate_empty_tensors" {
  normalform.performs ["eliminate-empty-tensors"]
  normalform.payload "target" introduces ["tensor.*"] rewrites ["tensor.*", "bufferization.*"] handles "may_shrink"
}
normalform.contract "transform.bufferization.empty_tensor_to_alloc_tensor" {
  normalform.accepts 0 ["tensor.empty"] otherwise "requires a tensor.empty"
  normalform.result 0 "replaces" of 0 kinds ["bufferization.alloc_tensor"] count "per_target"
  normalform.payload "target" introduces ["bufferization.alloc_tensor"]
}
normalform.contract "transform.bufferization.buffer_loop_hoisting" {
  normalform.payload "target" rewrites ["memref.*"] handles "may_move"
}

//===----------------------------------------------------------------------===//
// transform.gpu
//===----------------------------------------------------------------------===//

normalform.contract "transform.gpu.map_forall_to_blocks" model "map-blocks" {
  normalform.preserves [@bufferized]
  normalform.requires @bufferized of 0
      otherwise "only bufferized scf.forall can be mapped"
  normalform.wants @memref.canonical of 0
      otherwise "copies of a buffer to itself stay and become loops of loads and stores in the kernel"
  normalform.payload "anchor" introduces ["gpu.*", "arith.*", "affine.*", "scf.if"]
}
normalform.contract "transform.gpu.map_nested_forall_to_threads" model "map-threads" {
  normalform.preserves [@bufferized]
  normalform.accepts 0 ["gpu.launch"] otherwise "Given target is not gpu.launch"
  normalform.requires @bufferized of 0
      otherwise "only bufferized scf.forall can be mapped"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["gpu.*", "arith.*", "affine.*", "scf.if"]
}

//===----------------------------------------------------------------------===//
// transform.loop
//===----------------------------------------------------------------------===//

normalform.contract "transform.loop.unroll" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll, incorrect type of payload"
  normalform.payload "target" introduces ["arith.*", "affine.*"] rewrites ["*"]
}
normalform.contract "transform.loop.unroll_and_jam" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "failed to unroll and jam, incorrect type of payload"
  normalform.payload "target" introduces ["arith.*", "affine.*"] rewrites ["*"]
}
normalform.contract "transform.loop.peel" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an scf.for"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.result 1 "any" kinds ["scf.for"] count "at_most_per_target"
  normalform.payload "anchor" introduces ["*"] rewrites ["affine.*", "arith.*"]
}
normalform.contract "transform.loop.pipeline" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an scf.for"
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["*"] rewrites ["*"]
}
normalform.contract "transform.loop.coalesce" {
  normalform.accepts 0 ["scf.for", "affine.for"] otherwise "expects scf.for or affine.for"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["arith.*", "affine.*"] rewrites ["scf.for", "affine.for"]
}
normalform.contract "transform.loop.outline" {
  normalform.result 0 "any" kinds ["func.func"] count "per_target"
  normalform.result 1 "any" kinds ["func.call"] count "per_target"
  normalform.payload "root" introduces ["func.*", "scf.execute_region"] rewrites ["scf.*"]
}
normalform.contract "transform.loop.forall_to_for" {
  normalform.accepts 0 ["scf.forall"] otherwise "expected a single scf.forall payload"
  normalform.single 0 otherwise "expected a single payload op"
  normalform.payload "anchor" introduces ["scf.for"]
}
normalform.contract "transform.loop.forall_to_parallel" {
  normalform.accepts 0 ["scf.forall"] otherwise "expected a single scf.forall payload"
  normalform.single 0 otherwise "expected a single payload op"
  normalform.result 0 "any" kinds ["scf.parallel"] count "one"
  normalform.payload "anchor" introduces ["scf.parallel"]
}
normalform.contract "transform.loop.fuse_sibling" {
  normalform.single 0 otherwise "requires exactly one target handle"
  normalform.single 1 otherwise "requires exactly one source handle"
  normalform.result 0 "any" count "one"
  normalform.payload "anchor" rewrites ["scf.*"]
}
normalform.contract "transform.loop.promote_if_one_iteration" {
  normalform.payload "anchor" rewrites ["scf.*", "affine.for"]
}

//===----------------------------------------------------------------------===//
// transform.memref, transform.nvgpu
//===----------------------------------------------------------------------===//

normalform.contract "transform.memref.multibuffer" {
  normalform.accepts 0 ["memref.alloc"] otherwise "op failed to multibuffer"
  normalform.result 0 "any" kinds ["memref.alloc"] count "at_most_per_target"
  normalform.payload "anchor" introduces ["memref.*", "affine.*", "arith.*"] rewrites ["memref.*"]
}
normalform.contract "transform.memref.alloca_to_global" {
  normalform.accepts 0 ["memref.alloca"] otherwise "requires a memref.alloca"
  normalform.result 0 "any" kinds ["memref.get_global"] count "per_target"
  normalform.result 1 "any" kinds ["memref.global"] count "per_target"
  normalform.payload "root" introduces ["memref.*"]
}
normalform.contract "transform.memref.erase_dead_alloc_and_stores" {
  normalform.payload "target" rewrites ["memref.*", "vector.*"] handles "may_shrink"
}
normalform.contract "transform.memref.make_loop_independent" {
  normalform.result 0 "any" count "per_target"
  normalform.payload "anchor" introduces ["memref.*", "affine.*", "arith.*"]
}
normalform.contract "transform.nvgpu.create_async_groups" {
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["nvgpu.*", "vector.*", "arith.*", "memref.*", "gpu.*"] rewrites ["vector.*", "memref.*"]
}
normalform.contract "transform.nvgpu.pipeline_shared_memory_copies" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an scf.for"
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["*"] rewrites ["*"]
}
normalform.contract "transform.nvgpu.rewrite_matmul_as_mma_sync" {
  normalform.accepts 0 ["linalg.matmul"] otherwise "unsupported target op: requires a linalg.matmul"
  normalform.payload "anchor" introduces ["*"] rewrites ["linalg.*"]
}
normalform.contract "transform.nvgpu.rewrite_copy_as_tma" {
  normalform.payload "anchor" introduces ["*"] rewrites ["*"]
}
