// The contracts of rule groups: the ops that the rules of a `transform.apply_patterns.*`
// op make and rewrite, the forms that survive, and whether the rules terminate, alone
// and with each other. A group without `converges` was never tried, or diverged, alone
// or with canonicalization, which undoes its rewrites.
// The contract of apply_patterns covers the greedy driver's own rewrites.

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
// Clean-up of scopes and loops
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_patterns.canonicalization" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.admits ["destination:in-place"] by "test/lit/verifier/rewriting/tags-survive.mlir"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["arith.*", "affine.*", "tensor.*", "+vector.*", "ub.*", "+math.*", "+complex.*", "+index.*", "+bufferization.*", "+cf.*", "+llvm.*", "+shape.*", "+tosa.*", "+sparse_tensor.*", "linalg.copy", "linalg.map", "+linalg.broadcast", "+linalg.fill", "+linalg.transpose", "func.call", "scf.if"]
      rewrites ["*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.scf.for_loop_canonicalization" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["arith.*", "affine.*", "tensor.*"]
      rewrites ["*", "-scf.forall"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.tiling_canonicalization" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["arith.*", "affine.*", "tensor.*", "vector.*", "ub.*", "linalg.copy", "linalg.map", "+linalg.broadcast", "+linalg.fill", "+linalg.transpose", "func.call", "scf.if"]
      rewrites ["*", "-scf.forall"] handles ["may_shrink"]
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_patterns.linalg.decompose_pack_unpack" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*", "linalg.transpose", "linalg.fill", "linalg.yield", "linalg.copy"]
      rewrites ["linalg.pack", "linalg.unpack"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.decompose_pad" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*", "linalg.fill", "linalg.generic", "linalg.yield", "linalg.index"]
      rewrites ["tensor.pad"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.erase_unnecessary_inputs" {
  normalform.admits ["init:tied"] by "test/lit/verifier/envelope/tied-inits.test"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["linalg.generic", "linalg.yield", "tensor.*"]
      rewrites ["linalg.generic"] handles ["may_shrink"]
}
// Upstream can crash where the sum is kept in an argument of the function.
normalform.contract "transform.apply_patterns.linalg.fold_add_into_dest" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges when ["not holds 0 is linalg.add"]
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["linalg.*", "arith.*", "tensor.*"]
      rewrites ["linalg.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.fold_pack_unpack_into_empty" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["linalg.pack", "linalg.unpack"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges on_tensors
  normalform.converges when ["not holds 0 is linalg.*?unit-extent"]
  normalform.wants @linalg.tiled of 0
      otherwise "a size that is computed is not seen to be one, and the dimension stays"
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["+linalg.generic?unit-extent", "+linalg.fill", "tensor.*", "arith.*"]
      rewrites ["linalg.*?unit-extent", "linalg.broadcast", "linalg.copy", "linalg.map", "linalg.pack", "linalg.transpose", "linalg.unpack", "tensor.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.fold_unit_extent_dims_via_slices" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges on_tensors
  normalform.converges when ["not holds 0 is linalg.*?unit-extent"]
  normalform.wants @linalg.tiled of 0
      otherwise "a size that is computed is not seen to be one, and the dimension stays"
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces #memref_ops
  normalform.payload "target" introduces ["+linalg.generic?unit-extent", "+linalg.fill", "tensor.*", "arith.*"]
      rewrites ["linalg.*?unit-extent", "linalg.broadcast", "linalg.copy", "linalg.map", "linalg.pack", "linalg.transpose", "linalg.unpack", "tensor.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.linalg.pad_vectorization" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "tensor.*", "arith.*", "affine.*", "linalg.fill", "linalg.yield", "ub.*"]
      rewrites ["tensor.pad", "tensor.insert_slice", "vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_patterns.tensor.bubble_up_extract_slice" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.extract_slice"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.decompose_concat" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.concat"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.drop_redundant_insert_slice_rank_expansion" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.extract_slice", "tensor.insert_slice"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.fold_into_pack_and_unpack" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["linalg.pack", "linalg.unpack", "tensor.*", "arith.*", "affine.*"]
      rewrites ["linalg.pack", "linalg.unpack", "tensor.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.fold_tensor_empty" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.fold_tensor_subset_ops" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.*", "vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.fold_tensor_subset_ops_into_vector_transfers" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "affine.*"]
      rewrites ["tensor.extract_slice", "tensor.insert_slice", "vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.merge_consecutive_insert_extract_slice" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.extract_slice", "tensor.insert_slice", "tensor.parallel_insert_slice"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.reassociative_reshape_folding" {
  normalform.admits ["init:tied"] by "campaign"
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["tensor.*", "arith.*", "affine.*"]
      rewrites ["tensor.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.tensor.rewrite_as_constant" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @memref.identity_layouts,
                        @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["arith.*", "tensor.*"]
      rewrites ["tensor.*"] handles ["may_shrink"]
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

// Each rewrite leaves one allocation less.
normalform.contract "transform.apply_patterns.memref.alloc_to_alloca" {
  normalform.converges
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["memref.alloca"]
      rewrites ["memref.alloc", "memref.dealloc"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.memref.expand_ops" {
  // Expanding a reshape into another memory space makes IR that does not verify.
  normalform.converges when ["not holds 0 is memref.reshape"]
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.*", "arith.*"]
      rewrites ["memref.atomic_rmw", "memref.reshape"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.memref.expand_strided_metadata" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.*", "arith.*", "affine.*"]
      rewrites ["memref.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.memref.extract_address_computations" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.subview", "memref.extract_strided_metadata", "arith.*", "affine.*"]
      rewrites ["memref.load", "memref.store", "vector.transfer_read", "vector.transfer_write", "nvgpu.ldmatrix"] handles ["may_shrink"]
}
// On a transfer from a reshaped buffer, a rule makes ops and then gives up, again
// and again.
normalform.contract "transform.apply_patterns.memref.fold_memref_alias_ops" {
  normalform.converges
      except ["transform.apply_patterns.linalg.fold_unit_extent_dims_via_reshapes", "transform.apply_patterns.memref.extract_address_computations", "transform.apply_patterns.vector.rank_reducing_subview_patterns"]
      when ["not holds 0 is memref.expand_shape", "not holds 0 is memref.collapse_shape"]
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["arith.*", "affine.*", "memref.subview"]
      rewrites ["memref.*", "vector.*", "affine.*", "gpu.*", "nvgpu.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.memref.resolve_ranked_shaped_type_result_dims" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["arith.*", "affine.*", "memref.dim", "tensor.dim"]
      rewrites ["memref.dim", "tensor.dim"] handles ["may_shrink"]
}

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_patterns.vector.cast_away_vector_leading_one_dim" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*"]
      rewrites ["vector.*", "arith.*", "math.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.dim", "memref.subview", "vector.shape_cast", "arith.*", "affine.*"]
      rewrites ["vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.drop_unit_dims_with_shape_cast" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.shape_cast", "arith.*"]
      rewrites ["vector.*", "arith.*", "math.*", "scf.for"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.elementwise_to_vector" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*"]
      rewrites ["arith.*", "vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.fold_arith_extension" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.contract"]
      rewrites ["vector.contract", "arith.extf"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.interleave_to_shuffle" {
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.shuffle"]
      rewrites ["vector.interleave"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_bitcast" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.bitcast"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_broadcast" {
  normalform.converges except ["transform.apply_patterns.canonicalization",
                               "transform.apply_patterns.vector.cast_away_vector_leading_one_dim"]
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.broadcast"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_outerproduct" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.outerproduct"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_shape_cast" {
  normalform.converges except ["transform.apply_patterns.canonicalization",
                               "transform.apply_patterns.vector.drop_inner_most_unit_dims_from_xfer_ops",
                               "transform.apply_patterns.vector.lower_multi_reduction"]
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.shape_cast"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_scan" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.scan"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_interleave" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.interleave"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_create_mask" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.create_mask", "vector.constant_mask"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_masks" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.create_mask", "vector.constant_mask"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_contraction" {
  normalform.converges
  normalform.wants @vector.plain_contracts of 0
      otherwise "products that are summed up by reductions stay as they are"
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "math.*", "ub.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_multi_reduction" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "ub.*"]
      rewrites ["vector.multi_reduction"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_gather" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "tensor.*", "memref.*", "scf.if", "scf.yield", "ub.*"]
      rewrites ["vector.gather"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_masked_transfers" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*"]
      rewrites ["vector.mask", "vector.transfer_read", "vector.transfer_write", "vector.gather"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_transfer" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "memref.*", "arith.*"]
      rewrites ["vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.lower_transpose" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "llvm.inline_asm", "ub.*"]
      rewrites ["vector.transpose"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.materialize_masks" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.dim", "tensor.dim", "vector.*", "arith.*"]
      rewrites ["vector.create_mask", "vector.constant_mask", "vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.rank_reducing_subview_patterns" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.dim", "memref.subview", "vector.shape_cast", "vector.*", "arith.*", "affine.*"]
      rewrites ["vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.reduction_to_contract" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*"]
      rewrites ["vector.*", "arith.*", "math.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.rewrite_narrow_types" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*"]
      rewrites ["arith.*", "vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.sink_mem_ops" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["memref.*", "vector.*", "arith.*", "affine.*"]
      rewrites ["vector.load", "vector.store", "vector.extract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.sink_ops" {
  // An op that reads a constant and a transposed constant is rewritten forever.
  normalform.converges when ["not given 0 is vector.transpose"]
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*"]
      rewrites ["vector.*", "arith.*", "math.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.split_transfer_full_partial" {
  normalform.preserves [@bufferized]
  normalform.payload "target" introduces ["vector.*", "arith.*", "affine.*", "memref.*", "scf.if", "scf.yield", "linalg.*"]
      rewrites ["vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.transfer_permutation_patterns" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*"]
      rewrites ["vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.transfer_to_scf" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "affine.*", "memref.*", "tensor.*", "scf.for", "scf.if", "scf.yield", "ub.*"]
      rewrites ["vector.transfer_read", "vector.transfer_write"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.unroll_from_elements" {
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "ub.*"]
      rewrites ["vector.from_elements"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.vector.unroll_to_elements" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*"]
      rewrites ["vector.to_elements"] handles ["may_shrink"]
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_patterns.gpu.eliminate_barriers" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target"
      rewrites ["gpu.barrier"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.gpu.gpu_rewrite_patterns" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["gpu.*", "arith.*", "memref.*", "vector.*", "cf.*", "scf.*"]
      rewrites ["gpu.all_reduce", "gpu.global_id", "gpu.shuffle"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.gpu.gpu_shuffle_to_amdgpu" {
  normalform.payload "target" introduces ["amdgpu.*", "rocdl.*", "arith.*"]
      rewrites ["gpu.shuffle"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.gpu.unroll_vectors_subgroup_mma" {
  normalform.preserves [@linalg.on_tensors, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target" introduces ["vector.*", "arith.*", "affine.*"]
      rewrites ["vector.*", "arith.*"] handles ["may_shrink"]
  normalform.effect 0 ["more vector.contract"] otherwise "no contraction is taken apart"
}
normalform.contract "transform.apply_patterns.arm_neon.vector_contract_to_bfmmla" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["arm_neon.*", "vector.*", "arith.*", "ub.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.arm_neon.vector_contract_to_i8mm" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["arm_neon.*", "vector.*", "arith.*", "ub.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.arm_sve.vector_contract_to_bfmmla" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["arm_sve.*", "vector.*", "arith.*", "ub.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.arm_sve.vector_contract_to_i8mm" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["arm_sve.*", "vector.*", "arith.*", "ub.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.x86vector.sink_vector_producer_ops" {
  normalform.converges
  normalform.preserves [@linalg.on_tensors, @vector.loadable, @bufferized,
                        @memref.identity_layouts, @gpu.mapped,
                        @gpu.static_workgroup_memory, @gpu.launchable,
                        @gpu.outlined, @llvm.no_casts]
  normalform.payload "target"
      rewrites ["vector.*"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.x86vector.vector_contract_bf16_to_fma" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["x86vector.*", "vector.*", "arith.*", "ub.*", "memref.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.x86vector.vector_contract_to_fma" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["x86vector.*", "vector.*", "arith.*", "ub.*", "memref.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}
normalform.contract "transform.apply_patterns.x86vector.vector_contract_to_packed_type_dot_product" {
  normalform.converges
      except ["transform.apply_patterns.vector.reduction_to_contract"]
      when ["not holds 0 is vector.contract"]
  normalform.payload "target" introduces ["x86vector.*", "vector.*", "arith.*", "ub.*", "memref.*"]
      rewrites ["vector.contract"] handles ["may_shrink"]
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

normalform.contract "transform.apply_conversion_patterns.dialect_to_llvm" {
  normalform.payload "target" introduces ["*"] rewrites ["cf.*"]
      when ["attr dialect_name is cf"]
  normalform.payload "target" introduces ["*"] rewrites ["index.*"]
      when ["attr dialect_name is index"]
  normalform.payload "target" introduces ["*"] rewrites ["math.*"]
      when ["attr dialect_name is math"]
  normalform.payload "target" introduces ["*"] rewrites ["*"]
      when ["not attr dialect_name is cf", "not attr dialect_name is index", "not attr dialect_name is math"]
}
normalform.contract "transform.apply_conversion_patterns.func.func_to_llvm" {
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast"]
      rewrites ["func.*"]
}
normalform.contract "transform.apply_conversion_patterns.gpu.gpu_subgroup_reduce_to_nvvm" {
  normalform.payload "target" introduces ["nvvm.*", "llvm.*", "builtin.unrealized_conversion_cast"]
      rewrites ["gpu.*"]
}
normalform.contract "transform.apply_conversion_patterns.gpu.gpu_to_nvvm" {
  normalform.payload "target" introduces ["nvvm.*", "llvm.*", "builtin.unrealized_conversion_cast", "arith.*", "cf.*", "func.*"]
      rewrites ["gpu.*", "math.*", "arith.*"]
}
normalform.contract "transform.apply_conversion_patterns.gpu.gpu_to_rocdl" {
  normalform.payload "target" introduces ["rocdl.*", "llvm.*", "builtin.unrealized_conversion_cast", "arith.*", "func.*"]
      rewrites ["gpu.*", "math.*"]
}
normalform.contract "transform.apply_conversion_patterns.gpu.gpu_wmma_to_nvvm" {
  normalform.payload "target" introduces ["nvvm.*", "llvm.*", "builtin.unrealized_conversion_cast"]
      rewrites ["gpu.*"]
}
normalform.contract "transform.apply_conversion_patterns.nvgpu.nvgpu_to_nvvm" {
  normalform.payload "target" introduces ["nvvm.*", "llvm.*", "builtin.unrealized_conversion_cast", "arith.*", "memref.*"]
      rewrites ["nvgpu.*"]
}
normalform.contract "transform.apply_conversion_patterns.scf.scf_to_control_flow" {
  normalform.payload "target" introduces ["cf.*", "arith.*", "scf.*"]
      rewrites ["scf.*"]
}
normalform.contract "transform.apply_conversion_patterns.scf.structural_conversions" {
  normalform.payload "target" introduces ["scf.*", "builtin.unrealized_conversion_cast"]
      rewrites ["scf.*"]
}
normalform.contract "transform.apply_conversion_patterns.vector.vector_to_llvm" complete {
  normalform.payload "target" introduces ["llvm.*", "builtin.unrealized_conversion_cast", "vector.*", "arith.*"]
      rewrites ["vector.*"]
}
// This op makes a type converter and adds no patterns.
normalform.contract "transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter" complete {
  normalform.may_fail "the data layout may be malformed, which ends the process"
      when ["attr data_layout"]
  normalform.payload "target"
}
