// The contracts of transform.formwork: decisions for which upstream has no
// operation.

// A read that hoisting took out of the launch goes back into it, and is erased.
normalform.contract "transform.formwork.distribute_vectors" complete {
  normalform.accepts 0 ["gpu.launch"] otherwise "requires a 'gpu.launch'"
  normalform.requires @bufferized of 0 otherwise "requires buffers but has a tensor"
  normalform.may_fail "shares what threads may not be able to share, or combine"
      when ["count 0 at_least 1"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.result 0 "same" of 0 kinds ["gpu.launch"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "arith.*", "gpu.*", "memref.alloc", "memref.dim", "memref.load", "memref.store", "scf.if", "scf.yield", "vector.*", "llvm.extractvalue", "nvgpu.ldmatrix", "nvvm.*", "+math.*", "+scf.for", "+ub.poison"]
      rewrites ["arith.*", "math.*", "memref.*", "scf.*", "ub.*", "vector.*"]
}

normalform.contract "transform.formwork.stage" complete {
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "requires an operation inside of a 'gpu.launch'"
  normalform.may_fail "stages an operand that may be no vector" when ["count 0 at_least 1"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.result 0 "anchored" of 0 kinds ["vector.transfer_write"] count "unbounded"
  normalform.result 1 "anchored" of 0 kinds ["memref.alloc"] count "unbounded"
  normalform.payload "anchor" introduces ["arith.constant", "memref.alloc", "ub.poison", "vector.transfer_read", "vector.transfer_write"]
}

// An attribute of the target is all that changes.
normalform.contract "transform.formwork.contract_on_tensor_cores" complete {
  normalform.accepts 0 ["vector.contract"] otherwise "requires a 'vector.contract'"
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "requires an operation inside of a 'gpu.launch'"
  normalform.may_fail "gives tensor cores a contraction that they may not be able to do"
      when ["count 0 at_least 1"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts, @memref.canonical]
  normalform.payload "target"
}

normalform.contract "transform.formwork.pipeline_copies" complete {
  normalform.accepts 0 ["scf.for"] otherwise "requires an 'scf.for'"
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "requires a loop inside of a 'gpu.launch'"
  normalform.may_fail "pipelines a loop that may do something else than copy and compute"
      when ["count 0 at_least 1"]
  normalform.preserves [@bufferized, @gpu.mapped, @gpu.launchable, @memref.identity_layouts]
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "arith.*", "gpu.barrier", "memref.alloc", "nvgpu.device_async_copy", "nvvm.cp.async.commit.group", "nvvm.cp.async.wait.group", "scf.if", "scf.yield"]
      rewrites ["affine.*", "arith.*", "gpu.barrier", "memref.*", "nvgpu.ldmatrix", "scf.*", "vector.*"]
}

normalform.contract "transform.formwork.map_forall_to_blocks" complete {
  normalform.accepts 0 ["scf.forall"] otherwise "requires an 'scf.forall'"
  normalform.requires @bufferized of 0
      otherwise "requires a loop on buffers but has one with results"
  normalform.wants @memref.canonical of 0
      otherwise "copies of a buffer to itself stay and become loops of loads and stores in the kernel"
  normalform.may_fail "maps a loop of which each dimension may not have an axis of the grid of its own"
      when ["count 0 at_least 1"]
  normalform.preserves [@bufferized, @memref.identity_layouts]
  normalform.result 0 "replaces" of 0 kinds ["gpu.launch"] count "per_target"
  normalform.payload "anchor" introduces ["affine.apply", "arith.*", "gpu.*", "scf.if", "scf.yield"]
      rewrites ["scf.forall", "scf.forall.in_parallel"]
}
