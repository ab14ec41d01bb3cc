// The contracts of transform.formwork: operations for decisions that upstream
// operations cannot express.

// A read that hoisting took out of the launch moves back into it, or is erased.
normalform.contract "transform.formwork.distribute_vectors" complete model "distribute-vectors" {
  normalform.accepts 0 ["gpu.launch"] otherwise "requires a 'gpu.launch'"
  normalform.requires @bufferized of 0 otherwise "requires buffers but has a tensor"
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.silenceable ["fw-wrong-kind", "fw-cannot-distribute",
                          "fw-not-for-tensor-cores", "fw-threads-taken",
                          "fw-uneven-warps"] leaves_payload
  normalform.domain "static_threads" ["dynamic"]
  normalform.domain "static_width" ["dynamic", "empty"]
  normalform.effect 0 ["more gpu.thread_id"] otherwise "the block still has one thread"
  normalform.result 0 "same" of 0 kinds ["gpu.launch"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "arith.*", "gpu.*", "memref.alloc", "memref.dim", "memref.load", "memref.store", "scf.if", "scf.yield", "vector.*", "llvm.extractvalue", "nvgpu.ldmatrix", "nvvm.*", "+math.*", "+scf.for", "+ub.poison"]
      rewrites ["arith.*", "math.*", "memref.*", "scf.*", "ub.*", "vector.*"]
}

normalform.contract "transform.formwork.stage" complete model "stage" {
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "requires an operation inside of a 'gpu.launch'"
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.silenceable ["fw-cannot-stage"] leaves_payload
  normalform.domain "static_operand_numbers" ["at_least 0", "dynamic"]
  normalform.domain "static_padding" ["at_least 0", "dynamic", "empty"]
  normalform.domain "static_swizzle" ["at_least 0", "at_most 1", "dynamic", "empty"]
  normalform.domain "order" ["at_least 0", "distinct", "empty"]
  normalform.effect 0 ["more memref.alloc"] otherwise "no operand goes through a buffer"
  normalform.result 0 "anchored" of 0 kinds ["vector.transfer_write"]
      count "size(static_operand_numbers) per_target"
  normalform.result 1 "anchored" of 0 kinds ["memref.alloc"]
      count "size(static_operand_numbers) per_target"
  normalform.payload "anchor" introduces ["arith.constant", "memref.alloc", "ub.poison", "vector.transfer_read", "vector.transfer_write"]
}

// The step changes only an attribute of the target.
normalform.contract "transform.formwork.contract_on_tensor_cores" complete model "contract-on-tensor-cores" {
  normalform.accepts 0 ["vector.contract"] otherwise "requires a 'vector.contract'"
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "requires an operation inside of a 'gpu.launch'"
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts, @memref.canonical]
  normalform.silenceable ["fw-not-for-tensor-cores"] leaves_payload
  normalform.domain "static_warps" ["at_least 1", "dynamic"]
  normalform.effect 0 ["attribute formwork.tensor_cores"] otherwise "threads multiply by themselves"
  normalform.payload "target"
  normalform.side_effects ["keeps_order", "reads_no_discardable_attribute",
                           "writes_only_discardable_attributes"]
}

normalform.contract "transform.formwork.pipeline_copies" complete model "pipeline-copies" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an 'scf.for'"
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "requires a loop inside of a 'gpu.launch'"
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.silenceable ["fw-cannot-pipeline"] leaves_payload
  normalform.domain "static_depth" ["at_least 2", "dynamic"]
  normalform.effect 0 ["more nvgpu.device_async_copy"] otherwise "no copy runs ahead"
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "arith.*", "gpu.barrier", "memref.alloc", "nvgpu.device_async_copy", "nvvm.cp.async.commit.group", "nvvm.cp.async.wait.group", "scf.if", "scf.yield"]
      rewrites ["affine.*", "arith.*", "gpu.barrier", "memref.*", "nvgpu.ldmatrix", "scf.*", "vector.*"]
}

normalform.contract "transform.formwork.use_dynamic_workgroup_memory" complete model "dynamic-workgroup-memory" {
  normalform.accepts 0 ["gpu.launch"] otherwise "requires a 'gpu.launch'"
  normalform.silenceable ["fw-wrong-kind", "fw-kernel-allocation"] leaves_payload
  normalform.effect 0 ["fewer memref.alloc"] otherwise "the kernel has no buffer"
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.payload "anchor" rewrites ["gpu.launch"]
  // Handles to buffers follow the views. A barrier, and a wait for copies, stand
  // between two buffers with the same bytes.
  normalform.payload "anchor" introduces ["arith.constant", "gpu.barrier", "gpu.dynamic_shared_memory", "memref.view", "nvvm.cp.async.wait.group"]
      rewrites ["memref.alloc", "memref.dealloc"] handles ["may_shrink"]
}

normalform.contract "transform.formwork.map_forall_to_blocks" complete model "map-dynamic-blocks" {
  normalform.accepts 0 ["scf.forall"] otherwise "requires an 'scf.forall'"
  normalform.requires @bufferized of 0
      otherwise "requires a loop on buffers but has one with results"
  normalform.wants @memref.canonical of 0
      otherwise "copies of a buffer to itself stay and become loops of loads and stores in the kernel"
  normalform.preserves [@bufferized, @memref.identity_layouts]
  normalform.silenceable ["fw-wrong-kind", "fw-not-bufferized", "fw-missing-mapping",
                          "fw-duplicate-mapping", "fw-wrong-mapping"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the loop is not mapped"
  normalform.result 0 "replaces" of 0 kinds ["gpu.launch"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "affine.max", "arith.*", "gpu.*", "scf.if", "scf.yield"]
      rewrites ["scf.forall", "scf.forall.in_parallel"]
}

normalform.contract "transform.formwork.vectorize_tiles" complete model "vectorize-tiles" {
  normalform.silenceable ["fw-no-vector-form", "fw-vector-sizes"] leaves_payload
  normalform.domain "static_sizes" ["at_least 0", "dynamic"]
  normalform.effect 0 ["gone"] otherwise "the target is not vectorized"
  normalform.payload "anchor" introduces ["arith.*", "math.*", "+scf.for?tensor-result", "scf.yield", "tensor.extract", "tensor.extract_slice", "vector.*"] rewrites ["tensor.*", "vector.*"] handles ["may_shrink"]
}

// The step makes the loop and the ops inside it; the softmax stays.
normalform.contract "transform.formwork.online_softmax" complete model "online-softmax" {
  normalform.silenceable ["fw-no-online-softmax"] leaves_payload
  normalform.domain "static_step" ["at_least 1", "dynamic"]
  normalform.effect 0 ["more scf.for"] otherwise "the product reads all of the softmax"
  normalform.result 0 "replaces" of 0 kinds ["$structured"] count "per_target"
  normalform.result 1 "around" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "affine.min", "arith.*", "linalg.fill", "linalg.generic", "linalg.index", "linalg.yield", "math.exp", "scf.for", "scf.yield", "tensor.dim", "tensor.empty", "tensor.extract_slice"]
}

// The fill or extension for the sum, and the op that rounds it, stand beside it.
normalform.contract "transform.formwork.widen_sums" complete {
  normalform.accepts 0 ["$structured"] otherwise "requires a structured operation"
  normalform.may_fail "widens what may be no sum of f16 or bf16 on tensors" when ["not runs_alone 0"]
  normalform.silenceable ["fw-no-narrow-sum", "fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["result 1"] otherwise "the sum is rounded after each term"
  normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.result 1 "fresh" of 0 kinds ["linalg.generic"] count "unbounded"
  normalform.payload "anchor" introduces ["arith.constant", "arith.extf", "arith.truncf", "arith.mulf", "arith.addf", "linalg.fill", "linalg.generic", "linalg.yield", "tensor.dim", "tensor.empty"]
      rewrites ["arith.*", "math.*", "affine.apply", "linalg.index", "linalg.yield", "tensor.extract"]
}
