// The contracts of transform.structured: tiling, fusion, rewriting and
// vectorization of structured ops.

// The ops on buffers that rewriting of other ops adds. It allocates only in the place
// of another allocation.
#memref_ops = [
    "memref.cast", "memref.collapse_shape", "memref.copy", "memref.dim", "memref.expand_shape",
    "memref.extract_aligned_pointer_as_index", "memref.extract_strided_metadata", "memref.load",
    "memref.memory_space_cast", "memref.reinterpret_cast", "memref.reshape", "memref.store",
    "memref.subview", "memref.transpose", "memref.view", "+memref.alloc", "+memref.alloca",
    "+memref.alloca_scope", "+memref.alloca_scope.return", "+memref.assume_alignment",
    "+memref.atomic_rmw", "+memref.atomic_yield", "+memref.dealloc", "+memref.distinct_objects",
    "+memref.dma_start", "+memref.dma_wait", "+memref.generic_atomic_rmw", "+memref.get_global",
    "+memref.global", "+memref.prefetch", "+memref.rank", "+memref.realloc"]

//===----------------------------------------------------------------------===//
// transform.structured: tiling and fusion
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.tile_using_forall" complete model "tile-using-forall" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.accepts 0 ["$tileable"] otherwise "only TilingInterface ops are supported"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["scf.forall.in_parallel", "affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim", "memref.dim", "memref.subview"]
  normalform.payload "anchor" introduces ["scf.if", "scf.yield", "tensor.*"]
      when ["not kind 0 is $structured"]
  normalform.side_effects ["keeps_order"]
  normalform.domain "static_tile_sizes" ["at_least 0", "dynamic", "empty"]
  normalform.domain "static_num_threads" ["at_least 0", "dynamic", "empty"]
  normalform.domain "mapping" ["empty"]
  normalform.effect 0 ["inside scf.forall"] otherwise "no loop is made around the target"
}
normalform.contract "transform.structured.tile_using_for" complete model "tile-using-for" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.accepts 0 ["$tileable"] otherwise "only ops implementing TilingInterface are supported"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["scf.yield", "affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim", "memref.dim", "memref.subview", "vector.vscale"]
  normalform.payload "anchor" introduces ["scf.if", "scf.yield", "tensor.*"]
      when ["not kind 0 is $structured"]
  normalform.side_effects ["keeps_order"]
  normalform.silenceable ["fw-too-many-tile-sizes"]
  normalform.domain "static_sizes" ["at_least 0", "dynamic", "empty"]
  normalform.domain "interchange" ["at_least 0", "distinct", "empty"]
  normalform.domain "scalable_sizes" ["empty"]
  normalform.effect 0 ["inside scf.for"] otherwise "no loop is made around the target"
}
normalform.contract "transform.structured.fuse_into_containing_op" complete model "fuse-into" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.single 1 otherwise "requires exactly one containing_op handle"
  normalform.payload "anchor" introduces ["affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim"]
  normalform.payload "anchor" introduces ["scf.if", "scf.yield", "tensor.*"]
      when ["not kind 0 is $structured"]
  normalform.side_effects ["may_fold"] when ["count 0 at_least 1"]
  normalform.silenceable ["fw-not-a-producer"]
  normalform.effect 0 ["inside *"] otherwise "the producer stays outside"
}
// Upstream refuses a consumer without results, or with more tile sizes than loops,
// without a message.
normalform.contract "transform.structured.fuse" complete model "fuse" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.accepts 0 ["$tileable"] otherwise "only TilingInterface ops are supported"
  normalform.wants @tensor.slices_merged of 0
      otherwise "a producer that is read through two slices is not fused"
      when ["not attr apply_cleanup"]
  normalform.result 0 "replaces" of 0 kinds ["$structured"] count "per_target"
  normalform.result 1 onwards "around" of 0 kinds ["scf.for"] count "per_target"
      when ["not attr use_forall"]
  normalform.result 1 "around" of 0 kinds ["scf.forall"] count "per_target"
      when ["attr use_forall"]
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "linalg.*", "scf.*", "+*"] rewrites ["linalg.*", "tensor.*"]
  normalform.domain "static_tile_sizes" ["at_least 0", "dynamic", "empty"]
  normalform.domain "static_tile_interchange" ["at_least 0", "dynamic", "distinct", "empty"]
  normalform.effect 0 ["inside scf.for"] otherwise "no loop is made around the target"
      when ["not attr use_forall"]
  normalform.effect 0 ["inside scf.forall"] otherwise "no loop is made around the target"
      when ["attr use_forall"]
}
normalform.contract "transform.structured.tile_reduction_using_for" complete model "tile-reduction" {
  normalform.accepts 0 ["$structured"] otherwise "Operation should implement PartialReductionOpInterface"
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "memref.dim", "tensor.*", "linalg.*", "scf.for", "scf.yield"] rewrites ["linalg.*", "tensor.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "reduction_dims" ["at_least 0", "distinct", "empty"]
  normalform.domain "tile_sizes" ["at_least 0", "empty"]
  normalform.effect 0 ["more scf.for"] otherwise "no loop is made around the target"
}
normalform.contract "transform.structured.tile_reduction_using_forall" complete model "tile-reduction" {
  normalform.accepts 0 ["$structured"] otherwise "Operation should implement PartialReductionOpInterface"
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "memref.dim", "tensor.*", "linalg.*", "scf.forall", "scf.forall.in_parallel"] rewrites ["linalg.*", "tensor.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "reduction_dims" ["at_least 0", "distinct", "empty"]
  normalform.domain "tile_sizes" ["at_least 0", "empty"]
  normalform.domain "num_threads" ["at_least 0", "empty"]
  normalform.domain "mapping" ["empty"]
  normalform.effect 0 ["more scf.forall"] otherwise "no loop is made around the target"
}
normalform.contract "transform.structured.split" complete model "split-loop" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.accepts 0 ["$structured"] otherwise "only applies to structured ops"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["affine.*", "arith.*", "tensor.*", "memref.*"]
  normalform.domain "dimension" ["at_least 0"]
  normalform.domain "static_chunk_sizes" ["dynamic"]
  normalform.effect 0 ["more $structured"] otherwise "the target stays in one part"
}
normalform.contract "transform.structured.split_reduction" complete model "split-reduction" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.requires @linalg.on_tensors of 0 otherwise "'tensor.expand_shape' op operand #0 must be tensor"
      when ["not runs_alone 0"]
  normalform.may_fail "splits an op that may have no single reduction that the factor divides" when ["not runs_alone 0"]
  normalform.result 0 "any" count "per_target"
  normalform.result 1 "fresh" of 0 kinds ["linalg.fill"] count "per_target"
  normalform.result 2 "fresh" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.result 3 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.payload "anchor" introduces ["arith.*", "tensor.*", "linalg.generic", "linalg.fill", "bufferization.alloc_tensor"] rewrites ["linalg.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "insert_split_dimension" ["at_least 0"]
  normalform.effect 0 ["result 2"] otherwise "the reduction stays in one part"
  normalform.side_effects ["may_reshape"]
}
// Sizes as parameters do not change the payload; sizes as handles are new ops.
normalform.contract "transform.structured.multitile_sizes" complete model "multitile-sizes" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.payload "anchor" introduces ["arith.*", "cf.assert", "affine.*", "tensor.dim", "memref.dim"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "dimension" ["at_least 0"]
}
normalform.contract "transform.structured.continuous_tile_sizes" complete model "continuous-sizes" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.single 0 otherwise "requires exactly one target"
  normalform.accepts 0 ["$structured"] otherwise "expected Linalg Op"
  normalform.payload "anchor" introduces ["arith.*", "affine.*", "tensor.dim", "memref.dim"]
  normalform.domain "dimension" ["at_least 0"]
}

//===----------------------------------------------------------------------===//
// transform.structured: rewriting of one op
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.generalize" complete model "generalize" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.generic"]
  normalform.side_effects ["keeps_order"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.structured.specialize" complete model "specialize" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.fails "failed to apply" when ["kind 0 is linalg.generic", "not fact 0 is specializable"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.structured.interchange" complete model "interchange" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.accepts 0 ["linalg.generic"] otherwise "transform applied to the wrong op kind"
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["linalg.generic"]
  normalform.side_effects ["keeps_order"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "iterator_interchange" ["at_least 0", "distinct", "empty"]
  normalform.effect 0 ["changed"] otherwise "the loops stay in their order"
}
normalform.contract "transform.structured.decompose" complete model "decompose" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.constant"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
// Only linalg.softmax has a decomposition. MLIR crashes for elements that are no
// floats.
normalform.contract "transform.structured.decompose_interface" complete model "decompose-interface" {
  normalform.may_fail "decomposes an op that may have no decomposition"
      when ["count 0 at_least 1", "not kind 0 is linalg.softmax"]
  normalform.may_fail "decomposes an op that may not be on tensors"
      when ["kind 0 is linalg.softmax", "not fact 0 is on-tensors"]
  normalform.may_fail "decomposes an op that may have elements other than floats"
      when ["kind 0 is linalg.softmax", "not fact 0 is floats"]
  normalform.result 0 "anchored" of 0 kinds ["linalg.generic"] count "per_target"
      when ["kind 0 is linalg.softmax"]
  normalform.result 0 "any" count "unbounded" when ["not kind 0 is linalg.softmax"]
  normalform.payload "anchor" introduces ["linalg.generic", "linalg.fill", "linalg.yield", "tensor.empty", "tensor.dim", "arith.*", "math.exp"] rewrites ["linalg.*", "tensor.*"]
      when ["kind 0 is linalg.softmax"]
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*", "math.*", "affine.*", "scf.for", "scf.yield"] rewrites ["linalg.*", "tensor.*"]
      when ["not kind 0 is linalg.softmax"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is not decomposed"
}
normalform.contract "transform.structured.convert_to_loops" complete model "convert-to-loops" {
  normalform.accepts 0 ["$tileable"] otherwise "expected the payload to implement TilingInterface"
  normalform.fails "failed to apply" definite
      when ["kind 0 is $structured", "not fact 0 is on-buffers"]
  normalform.may_fail "converts an op that may have no form on scalars"
      when ["count 0 at_least 1", "not kind 0 is $structured"]
  normalform.result 0 "around" of 0 kinds ["scf.for"] count "unbounded"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["scf.for", "scf.yield", "arith.*", "math.*", "memref.*", "affine.*", "tensor.*"] rewrites ["linalg.*"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
// Loops of a dynamic size are tiled by 1, which never fails: the verifier of an op
// asks for a map from its shapes to its loops.
normalform.contract "transform.structured.scalarize" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.may_fail "tiles an op of which the loops may not be known"
      when ["not runs_alone 0", "not kind 0 is $structured"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["scf.for", "scf.yield", "tensor.*", "memref.*", "affine.*", "arith.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["inside scf.for"] otherwise "no loop is made around the target"
}
normalform.contract "transform.structured.pad" complete model "pad" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.accepts 0 ["$structured"] otherwise "expected LinalgOp target"
  normalform.payload "anchor" introduces ["tensor.yield", "tensor.pad", "tensor.dim", "tensor.extract_slice", "arith.*", "affine.*", "complex.constant"]
  normalform.payload "anchor" introduces ["bufferization.materialize_in_destination"]
      when ["attr copy_back_op is bufferization.materialize_in_destination"]
  normalform.payload "anchor" introduces ["linalg.copy", "linalg.yield"]
      when ["attr copy_back_op is linalg.copy"]
  normalform.domain "padding_values" ["any"]
  normalform.domain "padding_dimensions" ["at_least 0", "distinct", "empty"]
  normalform.domain "nofold_flags" ["at_least 0", "at_most 1", "empty"]
  normalform.domain "transpose_paddings" ["at_least 0", "empty"]
  normalform.domain "static_pad_to_multiple_of" ["dynamic", "empty"]
  normalform.domain "copy_back_op" ["only none", "only linalg.copy", "only bufferization.materialize_in_destination"]
  normalform.effect 0 ["more tensor.pad"] otherwise "no operand is padded"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.pad_tiling_interface" complete {
  normalform.accepts 0 ["$tileable"] otherwise "expected TilingInterface target"
  normalform.accepts 0 ["$structured"] otherwise "only IndexingMapOpInterface ops supported atm"
  normalform.may_fail "pads an op of which the shape or the padding values may not fit" when ["not runs_alone 0"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.result 1 "any" kinds ["tensor.pad"] count "unbounded"
  normalform.payload "anchor" introduces ["tensor.*", "arith.*", "affine.*"]
  normalform.domain "padding_values" ["any"]
  normalform.domain "static_padding_sizes" ["at_least 0", "dynamic", "empty"]
  normalform.effect 0 ["more tensor.pad"] otherwise "no operand is padded"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.hoist_pad" complete {
  normalform.accepts 0 ["tensor.pad"] otherwise "transform applied to the wrong op kind"
  normalform.may_fail "hoists a pad that may not lie in so many loops" when ["count 0 at_least 1", "not runs_here 0"]
  normalform.wants @loops.canonical of 0
      otherwise "a bound that is not folded is no constant, and the packed tensor is as large as it can be"
  normalform.result 0 "any" kinds ["tensor.pad"] count "per_target"
  normalform.payload "anchor" introduces ["tensor.*", "arith.*", "affine.*", "scf.*", "linalg.*"] rewrites ["scf.*", "tensor.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "transpose" ["at_least 0", "distinct", "empty"]
  normalform.effect 0 ["result 0"] otherwise "the pad stays where it is"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.hoist_pad.build_packing_loop_nest" complete {
  normalform.single 0 otherwise "requires exactly one target and one loop handle"
  normalform.single 1 otherwise "requires exactly one target and one loop handle"
  normalform.accepts 0 ["tensor.pad"] otherwise "requires exactly 2 non-null handles"
  normalform.accepts 1 ["scf.for"] otherwise "requires exactly 2 non-null handles"
  normalform.may_fail "could not build packing loop nest" when ["not runs_here 0"]
  normalform.result 0 "any" count "one"
  normalform.payload "anchor" introduces ["tensor.*", "arith.*", "affine.*", "scf.*", "linalg.*"]
  normalform.domain "transpose" ["at_least 0", "distinct", "empty"]
  normalform.effect 0 ["more scf.for"] otherwise "no loop packs the target"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.insert_slice_to_copy" complete {
  normalform.accepts 0 ["tensor.insert_slice", "tensor.parallel_insert_slice"] otherwise "only InsertSliceOp and ParallelInsertSliceOp ops are supported"
  normalform.may_fail "copies a slice that may have another rank than its place"
      when ["not fact 0 is one-rank", "not runs_here 0"]
  normalform.result 0 "any" of 0 kinds ["linalg.copy"] count "per_target"
  normalform.payload "anchor" introduces ["linalg.copy", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice"] rewrites ["tensor.insert_slice", "tensor.parallel_insert_slice"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["more linalg.copy"] otherwise "no copy is made"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.rewrite_in_destination_passing_style" complete model "destination-style" {
  normalform.accepts 0 ["tensor.pad", "tensor.from_elements", "tensor.generate", "$structured"] otherwise "failed to apply"
  normalform.payload "anchor" introduces ["linalg.fill", "linalg.generic", "linalg.copy", "tensor.empty", "tensor.insert_slice", "tensor.insert", "tensor.dim", "arith.*", "affine.*", "bufferization.alloc_tensor"]
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.structured.linalg_copy_to_memref" complete {
  normalform.accepts 0 ["linalg.copy"] otherwise "only linalg.copy target ops are supported"
  normalform.requires @bufferized of 0
      otherwise "cannot transform a linalg.copy on tensors into a memref.copy"
  normalform.fails "cannot transform a linalg.copy with different source and destination element types"
      when ["not fact 0 is one-element-type"]
  normalform.result 0 "replaces" of 0 kinds ["memref.copy"] count "per_target"
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.copy"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.structured.transpose_matmul" complete model "transpose-matmul" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.accepts 0 ["linalg.matmul", "linalg.batch_matmul"] otherwise "not supported"
  normalform.fails "not supported" when ["not fact 0 is on-tensors"]
  normalform.fails "not supported" when ["fact 0 is on-tensors", "not fact 0 is default-maps"]
  normalform.result 0 "replaces" of 0 kinds ["$structured"] count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.empty", "tensor.dim", "arith.*", "memref.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["changed"] otherwise "the target is unchanged"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.transpose_conv2d" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.accepts 0 ["linalg.conv_2d_nhwc_fhwc", "linalg.conv_2d_nhwc_fhwc_q"] otherwise "failed to apply"
  normalform.may_fail "transposes a filter of which the shape may be dynamic" when ["not runs_alone 0", "dynamic_sizes 0"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.empty", "memref.alloc", "arith.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
}
normalform.contract "transform.structured.convert_conv2d_to_img2col" complete model "img2col" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.accepts 0 ["linalg.conv_2d_nhwc_hwcf", "linalg.conv_2d_nhwc_fhwc", "linalg.depthwise_conv_2d_nhwc_hwc", "linalg.conv_2d_nchw_fchw"] otherwise "failed to apply"
  normalform.requires @linalg.static of 0 otherwise "failed to apply"
      when ["foldable_sizes 0"]
  normalform.result 0 "any" count "per_target"
  normalform.result 1 "any" count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*", "affine.*"] rewrites ["linalg.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.winograd_conv2d" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.accepts 0 ["linalg.conv_2d_nhwc_fhwc"] otherwise "this operation is not supported to convert to Winograd Conv2D"
  normalform.may_fail "converts a convolution of which the window may not fit" when ["not runs_alone 0"]
  normalform.result 0 "any" count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*"] rewrites ["linalg.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.decompose_winograd_op" complete {
  normalform.accepts 0 ["linalg.winograd_filter_transform", "linalg.winograd_input_transform", "linalg.winograd_output_transform"] otherwise "this operation is not supported to decompose into other operations"
  normalform.may_fail "makes constants of floats, while the elements may be no floats" when ["not fact 0 is floats"]
  normalform.may_fail "decomposes a transform of a size that may not be supported" when ["not runs_alone 0"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*", "scf.for", "affine.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
  normalform.side_effects ["may_reshape"]
}
// The step clones an op with its attributes, even those that count dimensions.
normalform.contract "transform.structured.flatten_elementwise" complete {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.fails "only elementwise flattening is supported" when ["not fact 0 is elementwise"]
  normalform.fails "attempted to flatten, but failed" when ["fact 0 is elementwise", "not fact 0 is collapsible"]
  normalform.fails "expected operand #0 rank" definite when ["fact 0 is elementwise", "fact 0 is collapsible", "not fact 0 is loops-in-order", "not runs_alone 0"]
  normalform.fails "size of permutation" definite
      when ["kind 0 is linalg.transpose", "fact 0 is elementwise", "fact 0 is collapsible", "fact 0 is loops-in-order", "not fact 0 is one-loop", "not runs_alone 0"]
  normalform.fails "input rank plus added dimensions does not match init rank" definite
      when ["kind 0 is linalg.broadcast", "not fact 0 is one-rank", "fact 0 is elementwise", "fact 0 is collapsible", "fact 0 is loops-in-order", "not fact 0 is one-loop", "not runs_alone 0"]
  normalform.fails "to match the result rank of indexing_map" definite
      when ["kind 0 is linalg.elementwise", "fact 0 is elementwise", "fact 0 is collapsible", "fact 0 is loops-in-order", "not fact 0 is one-loop", "not runs_alone 0"]
  normalform.may_fail "leaves an op of another rank than its maps" when ["kind 0 is linalg.fill_rng_2d"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor" introduces ["tensor.*", "memref.*", "arith.*", "affine.*"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["types"] otherwise "the target keeps its dimensions"
  normalform.admits ["init:tied"] by "campaign"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.replace" complete model "replace" {
  normalform.fails "expected target without operands" definite when ["not fact 0 is no-operands"]
  normalform.fails "expected target that is isolated from above" definite when ["fact 0 is no-operands", "not fact 0 is isolated-or-flat"]
  normalform.result 0 "replaces" of 0 count "per_target"
  normalform.payload "anchor"
  normalform.effect 0 ["changed"] otherwise "the target is what it is replaced by"
}

//===----------------------------------------------------------------------===//
// transform.structured: packing
//===----------------------------------------------------------------------===//

// Packing an empty handle gives an empty handle.
normalform.contract "transform.structured.pack" complete model "pack" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.fails "requires target to map to exactly 1 LinalgOp" when ["count 0 at_least 2"]
  normalform.accepts 0 ["$structured"] otherwise "requires target to map to exactly 1 LinalgOp"
  normalform.requires @linalg.on_tensors of 0 otherwise "'linalg.pack' op operand #0 must be ranked tensor"
  normalform.result 0 "replaces" of 0 kinds ["linalg.generic"] count "per_target"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*", "affine.*"] rewrites ["linalg.*"]
  normalform.domain "static_packed_sizes" ["at_least 0", "dynamic", "empty"]
  normalform.effect 0 ["more linalg.pack"] otherwise "no operand is packed"
  normalform.side_effects ["may_reshape"]
}
// The step leaves ops that it cannot pack unchanged.
normalform.contract "transform.structured.pack_greedily" complete model "pack-greedily" {
  normalform.may_fail "reads dimensions m, n and k of an op that does not have them"
      when ["count 0 at_least 1", "not fact 0 is greedily-packable"]
  normalform.may_fail "packs what has no valid form then" when ["not runs_alone 0"]
  normalform.requires @linalg.on_tensors of 0 otherwise "'linalg.pack' op operand #0 must be ranked tensor"
      when ["not runs_alone 0"]
  normalform.result 0 "any" count "unbounded"
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.*", "affine.*", "memref.dim"] rewrites ["linalg.*"]
  normalform.domain "static_matmul_packed_sizes" ["at_least 0", "dynamic", "empty"]
  normalform.domain "matmul_padded_sizes_next_multiple_of" ["at_least 0", "empty"]
  normalform.domain "matmul_inner_dims_order" ["at_least 0", "at_most 2", "distinct"]
  normalform.effect 0 ["more linalg.pack"] otherwise "no operand is packed"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.pack_transpose" complete model "pack-transpose" {
  normalform.fails "requires target to map to exactly 1 packing op and 1 packed op" when ["count 0 at_least 2"]
  normalform.accepts 0 ["linalg.pack", "linalg.unpack"] otherwise "requires target to map to a linalg.pack or linalg.unpack"
  normalform.accepts 1 ["$structured"] otherwise "requires a LinalgOp target" when ["count 0 at_least 1"]
  normalform.result 0 "replaces" of 1 kinds ["linalg.generic"] count "per_target"
      when ["count 0 at_least 1"]
  normalform.result 0 "fresh" of 0 kinds ["linalg.generic"] count "0"
      when ["count 0 at_most 0"]
  normalform.result 1 "replaces" of 0 kinds ["linalg.pack"] count "per_target"
      when ["kind 0 is linalg.pack"]
  normalform.result 1 "anchored" of 0 kinds ["linalg.pack"] count "per_target"
      when ["count 0 at_least 1", "kind 0 is linalg.unpack"]
  normalform.result 2 "replaces" of 0 kinds ["linalg.unpack"] count "per_target"
      when ["kind 0 is linalg.unpack"]
  normalform.result 2 "fresh" of 0 kinds ["linalg.unpack"] count "0"
      when ["kind 0 is linalg.pack"]
  normalform.payload "anchor" introduces ["linalg.*", "tensor.*", "arith.constant", "affine.apply"] rewrites ["linalg.*"]
  normalform.domain "outer_perm" ["at_least 0", "distinct", "empty"]
  normalform.domain "inner_perm" ["at_least 0", "distinct", "empty"]
  normalform.effect 0 ["changed"] otherwise "the packed dimensions stay in their order"
}
normalform.contract "transform.structured.lower_pack" complete {
  normalform.may_fail "cannot lower to pad + expand + transpose" when ["not runs_alone 0"]
  normalform.result 0 "fresh" of 0 kinds ["tensor.pad"] count "at_most_per_target"
  normalform.result 1 "fresh" of 0 kinds ["tensor.expand_shape"] count "at_most_per_target"
  normalform.result 2 "any" kinds ["linalg.transpose"] count "unbounded"
  normalform.payload "anchor" introduces ["tensor.*", "linalg.transpose", "arith.*", "affine.*"] rewrites ["linalg.pack"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
  normalform.side_effects ["may_reshape"]
}
normalform.contract "transform.structured.lower_unpack" complete {
  normalform.may_fail "cannot lower to transpose + collapse + extract" when ["not runs_alone 0"]
  normalform.result 0 onwards "any" count "unbounded"
  normalform.payload "anchor" introduces ["tensor.*", "linalg.transpose", "linalg.copy", "arith.*", "affine.*"] rewrites ["linalg.unpack"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["gone"] otherwise "the target is unchanged"
  normalform.side_effects ["may_reshape"]
}

//===----------------------------------------------------------------------===//
// transform.structured: memory
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.promote" complete model "promote" {
  normalform.accepts 0 ["$structured"] otherwise "transform applied to the wrong op kind"
  normalform.result 0 "same" of 0 count "per_target"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["memref.*", "linalg.copy", "linalg.fill", "arith.*", "affine.*", "gpu.barrier"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.domain "operands_to_promote" ["at_least 0", "distinct", "empty"]
  normalform.domain "use_full_tile_buffers" ["empty"]
  normalform.domain "alignment" ["only 1", "only 2", "only 4", "only 8", "only 16", "only 32", "only 64", "only 128", "only 256", "only 512", "only 1024", "only 2048", "only 4096"]
  normalform.domain "memory_space" ["at_least 0"]
  normalform.domain "mapping" ["empty"]
  normalform.effect 0 ["more memref.alloc"] otherwise "no operand is copied to a buffer of its own"
      when ["not attr use_alloca"]
  normalform.effect 0 ["more memref.alloca"] otherwise "no operand is copied to a buffer of its own"
      when ["attr use_alloca"]
}
normalform.contract "transform.structured.bufferize_to_allocation" complete model "bufferize-to-allocation" {
  normalform.payload "anchor" introduces ["memref.*", "tensor.dim", "bufferization.*", "linalg.copy", "linalg.fill", "linalg.generic", "arith.*", "affine.*"]
  normalform.domain "memory_space" ["at_least 0"]
  normalform.effect 0 ["more memref.alloc"] otherwise "no buffer is made"
      when ["not attr alloc_op is memref.alloca"]
  normalform.effect 0 ["more memref.alloca"] otherwise "no buffer is made"
      when ["attr alloc_op is memref.alloca"]
}
normalform.contract "transform.structured.promote_tensor" complete model "promote-tensor" {
  normalform.payload "anchor" introduces ["bufferization.*", "tensor.dim", "arith.constant"]
  normalform.side_effects ["may_fold"] when ["not fact 0 is given"]
  normalform.domain "memory_space" ["at_least 0"]
  normalform.effect 0 ["more bufferization.alloc_tensor"] otherwise "no tensor is allocated"
}
normalform.contract "transform.structured.gpu.map_copy_to_threads" complete model "map-copy" {
  normalform.accepts 0 ["linalg.copy", "tensor.pad"] otherwise "only linalg.copy and tensor.pad target ops are supported"
  normalform.payload "anchor" introduces ["affine.apply", "affine.min", "affine.max", "arith.*", "tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice", "tensor.empty", "tensor.dim", "tensor.cast", "tensor.generate", "scf.if", "scf.forall.in_parallel"]
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.effect 0 ["inside scf.forall"] otherwise "the copy is not shared among threads"
}
normalform.contract "transform.structured.eliminate_empty_tensors" complete {
  normalform.fails "are not supported by One-Shot Analysis" when ["not fact 0 is restricted-tensors", "holds 0 is bufferization.to_tensor"]
  normalform.may_fail "failed to analyze op" when ["count 0 at_least 1", "holds 0 is scf.while"]
  normalform.may_fail "failed to analyze op" when ["count 0 at_least 1", "holds 0 is cf.*"]
  normalform.may_fail "failed to analyze op" when ["count 0 at_least 1", "holds 0 is bufferization.materialize_in_destination"]
  normalform.payload "target" introduces ["tensor.*"] rewrites ["tensor.*", "linalg.*"]
  normalform.side_effects ["cleans_up"]
  normalform.effect 0 ["fewer tensor.empty"] otherwise "no tensor.empty goes"
}

//===----------------------------------------------------------------------===//
// transform.structured: vectorization
//===----------------------------------------------------------------------===//

normalform.contract "transform.structured.vectorize" complete model "vectorize" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.accepts 0 ["$structured", "tensor.pad", "linalg.pack", "linalg.unpack", "tensor.insert_slice"] otherwise "Unsupported Op, cannot vectorize"
  normalform.preserves [@bufferized]
  normalform.payload "anchor" introduces ["vector.*", "arith.*", "affine.*", "tensor.*", "math.*", "ub.poison", "memref.dim"] rewrites ["linalg.*"]
  normalform.side_effects ["keeps_order"]
  normalform.silenceable ["fw-wrong-kind", "fw-dynamic-shape", "fw-no-vector-form",
                          "fw-vector-sizes"]
  normalform.domain "static_vector_sizes" ["dynamic", "empty"]
  normalform.domain "scalable_sizes" ["empty"]
  normalform.effect 0 ["gone"] otherwise "the target is not vectorized"
}
normalform.contract "transform.structured.vectorize_children_and_apply_patterns" complete model "vectorize-children" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.accepts 0 ["$isolated"] otherwise "op requires isolated-from-above targets"
  normalform.wants @linalg.tiled of 0
      otherwise "affine.min sizes that are not folded keep the op's shapes dynamic, and MLIR silently does not vectorize the op"
      when ["foldable_sizes 0"]
  normalform.result 0 "same" of 0 count "per_target"
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["vector.*", "arith.*", "tensor.*", "math.*", "affine.*", "ub.*"] rewrites ["linalg.*", "tensor.*", "arith.*", "vector.*"]
  normalform.payload "target" introduces ["linalg.fill", "linalg.yield"] when ["attr vectorize_padding"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is cf.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is llvm.*"]
  normalform.may_fail "the greedy driver does not converge" when ["holds 0 is spirv.*"]
  normalform.may_fail "the greedy driver does not converge" when ["given 0 is vector.transpose"]
  normalform.side_effects ["may_merge", "may_fold"]
  normalform.effect 0 ["fewer $structured or memref.copy or tensor.pad"]
      each "$structured" otherwise "structured ops are not vectorized"
}
