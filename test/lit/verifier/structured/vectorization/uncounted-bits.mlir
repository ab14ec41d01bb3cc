// A vector of 2^32 bits or more: MLIR counts them with 32 bits, and finds that a
// read of it is not valid.
// RUN: not mlir-opt %s --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: %formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/2147483647/1024/g' %s > %t.small.mlir
// RUN: mlir-opt %t.small.mlir --transform-interpreter -o %t.out
// RUN: %formwork check --static %t.small.mlir 2>&1 | FileCheck %s --check-prefix=SMALL

// STOCK: error: 'vector.transfer_read' op requires the bitwidth of the minor 1-D vector to be an integral multiple
// CHECK: makes a vector with more bits than MLIR can count [fw-unproved]
// CHECK: unproved: 0 errors
// SMALL: : proved: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f(%a: tensor<1x2147483647xi33>, %b: tensor<1xi33>) -> tensor<1xi33> {
    %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
        ins(%a : tensor<1x2147483647xi33>) outs(%b : tensor<1xi33>) {
    ^bb0(%in: i33, %out: i33):
      %1 = arith.addi %in, %in : i33
      %2 = arith.addi %out, %1 : i33
      linalg.yield %2 : i33
    } -> tensor<1xi33>
    return %0 : tensor<1xi33>
  }
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    %v = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
