// The contracts of transform.gpu and transform.nvgpu.

//===----------------------------------------------------------------------===//
// transform.gpu
//===----------------------------------------------------------------------===//

normalform.contract "transform.gpu.map_forall_to_blocks" complete model "map-blocks" {
  normalform.preserves [@bufferized]
  normalform.requires @bufferized of 0
      otherwise "only bufferized scf.forall can be mapped"
  normalform.wants @memref.canonical of 0
      otherwise "copies of a buffer to itself stay and become loops of loads and stores in the kernel"
  normalform.payload "anchor" introduces ["gpu.*", "arith.*", "affine.*", "scf.if"]
}
normalform.contract "transform.gpu.map_nested_forall_to_threads" complete model "map-threads" {
  normalform.preserves [@bufferized]
  normalform.accepts 0 ["gpu.launch"] otherwise "Given target is not a gpu.launch"
  normalform.requires @bufferized of 0
      otherwise "only bufferized scf.forall can be mapped"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["gpu.*", "arith.*", "affine.*", "scf.if"]
}

//===----------------------------------------------------------------------===//
// transform.nvgpu
//===----------------------------------------------------------------------===//

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
