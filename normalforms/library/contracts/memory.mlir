// The contracts of transform.bufferization and transform.memref.

//===----------------------------------------------------------------------===//
// transform.bufferization
//===----------------------------------------------------------------------===//

normalform.contract "transform.bufferization.one_shot_bufferize" complete model "one-shot-bufferize" {
  normalform.wants @tensor.bufferizable of 0
      otherwise "accumulators that are not hoisted out of a loop go through memory at each step, and a tensor.empty inside a parallel loop becomes an allocation in the kernel"
  normalform.ensures @bufferized of 0
  normalform.result 0 "same" of 0 count "per_target"
  normalform.payload "target" introduces ["memref.*", "bufferization.*", "arith.*"] rewrites ["tensor.*", "bufferization.*"]
}
normalform.contract "transform.bufferization.eliminate_empty_tensors" {
  normalform.performs ["eliminate-empty-tensors"]
  normalform.payload "target" introduces ["tensor.*"] rewrites ["tensor.*", "bufferization.*"] handles ["may_shrink"]
}
normalform.contract "transform.bufferization.empty_tensor_to_alloc_tensor" {
  normalform.accepts 0 ["tensor.empty"] otherwise "requires a tensor.empty"
  normalform.result 0 "replaces" of 0 kinds ["bufferization.alloc_tensor"] count "per_target"
  normalform.payload "target" introduces ["bufferization.alloc_tensor"]
}
normalform.contract "transform.bufferization.buffer_loop_hoisting" {
  normalform.payload "target" rewrites ["memref.*"] handles ["may_move"]
}

//===----------------------------------------------------------------------===//
// transform.memref
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
  normalform.payload "target" rewrites ["memref.*", "vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.memref.make_loop_independent" {
  normalform.result 0 "any" count "per_target"
  normalform.payload "anchor" introduces ["memref.*", "affine.*", "arith.*"]
}
