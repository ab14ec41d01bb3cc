// The contracts of transform.structured: tiling, fusion, rewriting and
// vectorization of structured ops.

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
normalform.contract "transform.structured.split" complete model "split-loop" {
  normalform.accepts 0 ["$structured"] otherwise "only applies to structured ops"
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "memref.*"]
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

normalform.contract "transform.structured.generalize" complete model "generalize" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.payload "target" introduces ["linalg.generic"]
}
normalform.contract "transform.structured.specialize" {
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "target" introduces ["linalg.*"]
}
normalform.contract "transform.structured.interchange" complete model "interchange" {
  normalform.accepts 0 ["linalg.generic"] otherwise "transform applied to the wrong op kind"
  normalform.payload "target" introduces ["linalg.generic"]
}
normalform.contract "transform.structured.decompose" model "decompose" {
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
  normalform.payload "anchor" introduces ["memref.*", "bufferization.*", "linalg.copy", "linalg.fill", "linalg.generic", "linalg.map", "arith.*", "affine.*"]
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

normalform.contract "transform.structured.vectorize" complete model "vectorize" {
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
