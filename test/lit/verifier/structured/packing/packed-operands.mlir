// The ops that pack an operand or unpack a result are known behind the packing, and can be
// transposed; not once clean-up may have merged or folded them.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/chain.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/chain.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/cse.mlir 2>&1 | FileCheck %s --check-prefix=CSE
// RUN: not formwork check %t/payload.mlir --transform=%t/rank.mlir 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not formwork check %t/payload.mlir --transform=%t/tiles.mlir 2>&1 | FileCheck %s --check-prefix=TILES
// RUN: formwork check %t/payload.mlir --transform=%t/unpacked.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork check %t/payload.mlir --transform=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork check %t/payload.mlir --transform=%t/fused.mlir 2>&1 | FileCheck %s --check-prefix=FUSED
// CSE: asks for the producer of an operand that may have none
// RANK: error: fails here: invalid outer_perm, which has 3 dimensions where 'linalg.pack' has 2 [fw-step-fails]
// TILES: error: fails here: invalid inner_perm, which has 2 dimensions where 'linalg.pack' has 1 [fw-step-fails]
// OPEN: transposes a pack that may not belong to the op
// FUSED: fuses a result that the loop writes, of which MLIR may not be able to compute a tile

//--- payload.mlir
func.func @f(%a: tensor<64x32xf32>, %b: tensor<32x16xf32>, %c: tensor<64x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill ins(%zero : f32) outs(%c : tensor<64x16xf32>) -> tensor<64x16xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%init : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

// One operand after the other, then the result; the fill is another op.
//--- chain.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 4, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %lhs = transform.get_producer_of_operand %1[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %2, %p0, %none = transform.structured.pack_transpose %lhs with_compute_op(%1) outer_perm = [1, 0] inner_perm = [1, 0]
      : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    %rhs = transform.get_producer_of_operand %2[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %3, %p1, %none1 = transform.structured.pack_transpose %rhs with_compute_op(%2) outer_perm = [1, 0]
      : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    %unpack = transform.get_consumers_of_result %3[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.unpack">
    %4, %p2, %u = transform.structured.pack_transpose %unpack with_compute_op(%3) inner_perm = [1, 0]
      : (!transform.op<"linalg.unpack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.op<"linalg.unpack">)
    %again = transform.get_producer_of_operand %4[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    transform.annotate %fill "still there" : !transform.any_op
    transform.yield
  }
}

//--- cse.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 4, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %lhs = transform.get_producer_of_operand %1[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    transform.yield
  }
}

//--- rank.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 0, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %lhs = transform.get_producer_of_operand %1[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %2, %p, %none = transform.structured.pack_transpose %lhs with_compute_op(%1) outer_perm = [2, 1, 0]
      : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
}

// One dimension of the second operand is packed.
//--- tiles.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 0, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %lhs = transform.get_producer_of_operand %1[1] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %2, %p, %none = transform.structured.pack_transpose %lhs with_compute_op(%1) inner_perm = [1, 0]
      : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
}

// The op that unpacks the result would read a tensor of another shape.
//--- unpacked.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 4, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %init = transform.get_producer_of_operand %1[2] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %2, %p, %none = transform.structured.pack_transpose %init with_compute_op(%1) outer_perm = [1, 0]
      : (!transform.op<"linalg.pack">, !transform.op<"linalg.generic">) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
}

//--- other.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %fill = transform.structured.match ops{["linalg.fill"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 4, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %lhs = transform.get_producer_of_operand %1[0] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %2, %p, %none = transform.structured.pack_transpose %lhs with_compute_op(%fill) outer_perm = [1, 0]
      : (!transform.op<"linalg.pack">, !transform.any_op) -> (!transform.op<"linalg.generic">, !transform.op<"linalg.pack">, !transform.any_op)
    transform.yield
  }
}

// Upstream computes no tile of a pack by part of its inner dimensions.
//--- fused.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.pack %0 packed_sizes = [8, 8, 8] : (!transform.any_op) -> !transform.op<"linalg.generic">
    %init = transform.get_producer_of_operand %1[2] : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.pack">
    %tiled, %forall = transform.structured.tile_using_forall %1 tile_sizes [0, 0, 0, 0, 4] : (!transform.op<"linalg.generic">) -> (!transform.any_op, !transform.any_op)
    %x, %y = transform.structured.fuse_into_containing_op %init into %forall : (!transform.op<"linalg.pack">, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
