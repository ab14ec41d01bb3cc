// The contracts of transform.bufferization and transform.memref.

// The ops that the bufferization of MLIR's own ops makes. It frees no buffer that the
// payload does not free.
#ops_on_buffers = [
    "memref.alloc", "memref.alloca", "memref.cast", "memref.collapse_shape", "memref.copy",
    "memref.dim", "memref.expand_shape", "memref.extract_aligned_pointer_as_index",
    "memref.extract_strided_metadata", "memref.get_global", "memref.global", "memref.load",
    "memref.memory_space_cast", "memref.rank", "memref.reinterpret_cast", "memref.store",
    "memref.subview", "memref.transpose", "memref.view", "bufferization.alloc_tensor",
    "bufferization.materialize_in_destination",
    "bufferization.to_buffer", "bufferization.to_tensor", "arith.*"]

//===----------------------------------------------------------------------===//
// transform.bufferization
//===----------------------------------------------------------------------===//

normalform.contract "transform.bufferization.one_shot_bufferize" complete model "one-shot-bufferize" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.admits ["blocks:several"] by "test/lit/verifier/memory/several-blocks.mlir"
  normalform.wants @tensor.bufferizable of 0
      otherwise "accumulators that are not hoisted out of a loop go through memory at each step, and a tensor.empty inside a parallel loop becomes an allocation in the kernel"
  normalform.ensures @bufferized of 0
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces #ops_on_buffers rewrites ["tensor.*", "bufferization.*"]
  normalform.payload "target" introduces ["memref.reshape"] when ["holds 0 is tensor.reshape"]
  normalform.payload "target" introduces ["memref.dealloc"] when ["holds 0 is bufferization.dealloc_tensor"]
  normalform.side_effects ["may_merge", "may_fold"]
  normalform.effect 0 ["fewer !tensor"] otherwise "tensors stay tensors"
  normalform.domain "function_boundary_type_conversion" ["any"]
}
normalform.contract "transform.bufferization.eliminate_empty_tensors" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.fails "are not supported by One-Shot Analysis" when ["not fact 0 is restricted-tensors", "holds 0 is bufferization.to_tensor"]
  normalform.may_fail "empty tensor elimination failed" when ["count 0 at_least 1", "holds 0 is scf.while"]
  normalform.may_fail "empty tensor elimination failed" when ["count 0 at_least 1", "holds 0 is cf.*"]
  normalform.may_fail "empty tensor elimination failed" when ["count 0 at_least 1", "holds 0 is bufferization.materialize_in_destination"]
  normalform.performs ["eliminate-empty-tensors"]
  normalform.payload "target" introduces ["tensor.*"] rewrites ["tensor.*", "bufferization.*"] handles ["may_shrink"]
  normalform.side_effects ["cleans_up"]
  normalform.effect 0 ["fewer tensor.empty"] otherwise "no tensor.empty goes"
}
normalform.contract "transform.bufferization.empty_tensor_to_alloc_tensor" complete {
  normalform.admits ["init:tied"] by "campaign"
  normalform.result 0 "replaces" of 0 kinds ["bufferization.alloc_tensor"] count "per_target"
  normalform.payload "target" introduces ["bufferization.alloc_tensor"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.bufferization.buffer_loop_hoisting" complete {
  normalform.wants @bufferized of 0 otherwise "there are no allocations to hoist before bufferization"
  normalform.wants @loops.invariants_hoisted of 0
      otherwise "an allocation of a size that is computed in the loop stays in the loop"
  normalform.may_fail "the process may end where the target is no function" when ["not kind 0 is func.func", "not kind 0 is builtin.module"]
  normalform.preserves [@bufferized]
  normalform.performs ["hoist-buffers-from-loops"]
  normalform.payload "target" rewrites ["memref.alloc", "memref.alloca"] handles ["may_move"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["shallower memref.alloc"] otherwise "every allocation stays in its loop"
}

//===----------------------------------------------------------------------===//
// transform.memref
//===----------------------------------------------------------------------===//

normalform.contract "transform.memref.multibuffer" complete model "multibuffer" {
  normalform.requires @memref.allocations_hoisted of 0 otherwise "op failed to multibuffer"
  normalform.may_fail "op failed to multibuffer" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.preserves [@bufferized]
  normalform.result 0 "replaces" of 0 kinds ["memref.alloc"] count "at_most_per_target"
  normalform.payload "anchor" introduces ["memref.*", "affine.*", "arith.*"] rewrites ["!memref"]
  normalform.effect 0 ["types"] otherwise "there is one buffer still"
}
normalform.contract "transform.memref.alloca_to_global" complete {
  normalform.fails "type should be static shaped memref" definite when ["not fact 0 is static-shape"]
  normalform.needs_ancestor 0 ["builtin.module", "gpu.module"] definite
      otherwise "the process ends where no op around the alloca has symbols"
  normalform.preserves [@bufferized]
  normalform.result 0 "replaces" of 0 kinds ["memref.get_global"] count "per_target"
  normalform.result 1 "declared" of 0 kinds ["memref.global"] count "per_target"
  normalform.payload "root" introduces ["memref.*"] rewrites ["memref.alloca"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.memref.erase_dead_alloc_and_stores" complete model "erase-dead-buffers" {
  normalform.wants @bufferized of 0 otherwise "there are no stores to erase before bufferization"
  normalform.preserves [@bufferized]
  normalform.payload "target" rewrites ["affine.prefetch", "affine.store", "affine.vector_store", "func.call", "gpu.dealloc", "gpu.launch_func", "gpu.memset", "gpu.subgroup_mma_store_matrix", "memref.*", "nvgpu.*", "vector.*"] when ["kind 0 is $isolated"]
  normalform.payload "anchor" rewrites ["affine.prefetch", "affine.store", "affine.vector_store", "func.call", "gpu.dealloc", "gpu.launch_func", "gpu.memset", "gpu.subgroup_mma_store_matrix", "memref.*", "nvgpu.*", "vector.*"] when ["not kind 0 is $isolated"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed", "held memref.alloc or memref.alloca or vector.transfer_write"]
      otherwise "nothing is erased"
}
normalform.contract "transform.memref.make_loop_independent" complete {
  normalform.accepts 0 ["memref.alloca"] otherwise "unsupported target op"
  normalform.needs_ancestor 0 ["scf.for"] otherwise "could not find 0-th enclosing loop"
      when ["not attr num_loops is 0"]
  normalform.may_fail "could not make target op loop-independent" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.result 0 "any" count "per_target"
  normalform.payload "anchor" introduces ["memref.*", "affine.*", "arith.*"] rewrites ["!memref"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "num_loops" ["at_least 0"]
  normalform.effect 0 ["changed"] otherwise "the sizes depend on the loop still"
}
