// The contracts of transform.gpu, transform.nvgpu and transform.xegpu.

//===----------------------------------------------------------------------===//
// transform.gpu
//===----------------------------------------------------------------------===//

normalform.contract "transform.gpu.map_forall_to_blocks" complete model "map-blocks" {
  normalform.preserves [@bufferized]
  normalform.requires @bufferized of 0
      otherwise "only bufferized scf.forall can be mapped"
      when ["holds 0 is scf.forall?tensor-result"]
  normalform.wants @memref.canonical of 0
      otherwise "copies of a buffer to itself stay and become loops of loads and stores in the kernel"
  normalform.payload "anchor" introduces ["gpu.*", "arith.*", "affine.*", "scf.if"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "grid_dims" ["empty"]
  normalform.effect 0 ["fewer scf.forall"] otherwise "no loop is mapped"
}
normalform.contract "transform.gpu.map_nested_forall_to_threads" complete model "map-threads" {
  normalform.preserves [@bufferized]
  normalform.accepts 0 ["gpu.launch"] otherwise "Given target is not a gpu.launch"
  normalform.requires @bufferized of 0
      otherwise "only bufferized scf.forall can be mapped"
      when ["holds 0 is scf.forall?tensor-result"]
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["gpu.*", "arith.*", "affine.*", "scf.if"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "block_dims" ["empty"]
  normalform.effect 0 ["fewer scf.forall"] otherwise "no loop is mapped"
}

//===----------------------------------------------------------------------===//
// transform.nvgpu
//===----------------------------------------------------------------------===//

// Transfers that the step does not recognize as copies stay unchanged.
normalform.contract "transform.nvgpu.create_async_groups" complete model "async-groups" {
  normalform.wants @vector.rank_one_transfers of 0
      otherwise "a transfer that is not of one dimension, along the innermost one of a buffer, is no copy that can be asynchronous, and is left as it is"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["nvgpu.*", "vector.*", "arith.*", "memref.*", "gpu.*"] rewrites ["vector.*", "memref.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["more nvgpu.device_async_copy"] otherwise "no copy becomes asynchronous"
}
normalform.contract "transform.nvgpu.pipeline_shared_memory_copies" complete model "pipeline" {
  normalform.accepts 0 ["scf.for"] otherwise "transform applied to the wrong op kind"
  normalform.may_fail "cannot find stage 0 ops for pipelining" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.result 0 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["+*", "arith.*", "scf.*", "nvgpu.device_async_copy"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed"] otherwise "the loop is not pipelined"
}
normalform.contract "transform.nvgpu.rewrite_matmul_as_mma_sync" complete model "mma-sync" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.accepts 0 ["linalg.matmul"] otherwise "unsupported target op"
  normalform.requires @bufferized of 0 otherwise "operand #0 must be memref"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["nvgpu.*", "memref.*", "vector.*", "arith.*", "affine.*", "gpu.*"] rewrites ["linalg.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["more nvgpu.mma.sync"] otherwise "the matmul stays what it is"
}
normalform.contract "transform.nvgpu.rewrite_copy_as_tma" complete model "tma" {
  normalform.accepts 0 ["linalg.copy"] otherwise "target ops must be linalg::CopyOp nested under a common gpu.LaunchOp"
  normalform.needs_ancestor 0 ["gpu.launch"] otherwise "target ops must be linalg::CopyOp nested under a common gpu.LaunchOp"
  normalform.requires @bufferized of 0 otherwise "Unknown builtin attribute"
  normalform.preserves [@bufferized]
  normalform.may_fail "copies views for which there may be no descriptor" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.payload "anchor" introduces ["nvgpu.*", "llvm.mlir.constant", "memref.*", "arith.*", "gpu.*", "scf.*"] rewrites ["linalg.copy"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["more nvgpu.tma.async.load"] otherwise "the copy stays what it is"
}

//===----------------------------------------------------------------------===//
// transform.xegpu
//===----------------------------------------------------------------------===//

normalform.contract "transform.xegpu.get_desc_op" complete {
  normalform.single 0 otherwise "requires exactly one target value handle"
  normalform.may_fail "looks for a descriptor that may not be there" when ["not runs_here 0"]
  normalform.result 0 "any" kinds ["xegpu.create_nd_tdesc"] count "one"
}
normalform.contract "transform.xegpu.set_desc_layout" complete {
  normalform.single 0 otherwise "requires exactly one targetOp handle"
  normalform.accepts 0 ["xegpu.create_nd_tdesc"] otherwise "Expected a xegpu.create_nd_desc op"
  normalform.may_fail "has a layout that may not fit" when ["not runs_here 0"]
  normalform.result 0 "replaces" of 0 kinds ["xegpu.create_nd_tdesc"] count "one"
  normalform.payload "anchor" introduces ["xegpu.*"] rewrites ["xegpu.*"]
  normalform.effect 0 ["changed"] otherwise "the descriptor has that layout already"
}
normalform.contract "transform.xegpu.set_op_layout_attr" complete {
  normalform.single 0 otherwise "Requires exactly one targetOp handle"
  normalform.may_fail "has a layout or an index that may not fit" when ["not runs_here 0"]
  normalform.payload "anchor" rewrites ["xegpu.*"]
  normalform.effect 0 ["changed"] otherwise "the op has that layout already"
}
normalform.contract "transform.xegpu.set_gpu_launch_threads" complete {
  normalform.single 0 otherwise "Requires exactly one targetOp handle"
  normalform.accepts 0 ["gpu.launch"] otherwise "Expected a gpu.launch op"
  normalform.may_fail "has threads that may not be three constants" when ["not runs_here 0"]
  normalform.payload "anchor" introduces ["arith.constant"] rewrites ["gpu.launch"]
  normalform.effect 0 ["changed"] otherwise "the launch has these threads already"
}
normalform.contract "transform.xegpu.insert_prefetch" complete {
  normalform.single 0 otherwise "requires exactly one target value handle"
  normalform.may_fail "prefetches for a load that may not be in a loop" when ["not runs_here 0"]
  normalform.result 0 "any" kinds ["xegpu.create_nd_tdesc"] count "one"
  normalform.payload "anchor" introduces ["xegpu.*", "arith.*", "scf.for"] rewrites ["xegpu.*", "scf.for"]
}
normalform.contract "transform.xegpu.convert_layout" complete {
  normalform.single 0 otherwise "requires exactly one target value handle"
  normalform.may_fail "converts a value that may have no layout" when ["not runs_here 0"]
  normalform.result 0 "any" kinds ["xegpu.convert_layout"] count "one"
  // The users of the value are given the converted one.
  normalform.payload "anchor" introduces ["xegpu.convert_layout"]
      rewrites ["arith.*", "math.*", "scf.*", "vector.*", "xegpu.*"]
}
