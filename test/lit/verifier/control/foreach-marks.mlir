// However many ops a loop runs over: where its body looks at nothing that an earlier
// iteration marked, all of them do the same.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/marks.mlir --strict
// RUN: formwork apply %t/payload.mlir --transform=%t/marks.mlir --validate -o %t.out
// RUN: formwork check %t/payload.mlir --transform=%t/counts.mlir 2>&1 | FileCheck %s --check-prefix=COUNTS
// RUN: not mlir-opt %t/payload.mlir --transform-preload-library=transform-library-paths=%t/counts.mlir --transform-interpreter -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check %t/payload.mlir --transform=%t/looks.mlir 2>&1 | FileCheck %s --check-prefix=LOOKS

// COUNTS: cannot prove that 'transform.foreach' succeeds: iterates over a number of payload ops that is not known
// COUNTS: unproved: 0 errors
// STOCK: error: {{.*}}expected to contain 1 payloads but it contains 2 payloads
// LOOKS: unproved: 0 errors

//--- payload.mlir
func.func @f(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%b : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}

//--- marks.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.foreach %slices : !transform.any_op {
    ^bb0(%slice: !transform.any_op):
      %readers = transform.get_consumers_of_result %slice[0] : (!transform.any_op) -> !transform.any_op
      transform.annotate %readers "reads" : !transform.any_op
      transform.annotate %slice "read" : !transform.any_op
    }
    transform.yield
  }
}

//--- counts.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.foreach %slices : !transform.any_op {
    ^bb0(%slice: !transform.any_op):
      transform.annotate %slice "read" : !transform.any_op
      %so_far = transform.structured.match attributes{read} in %root : (!transform.any_op) -> !transform.any_op
      %one = transform.split_handle %so_far : (!transform.any_op) -> !transform.any_op
    }
    transform.yield
  }
}

//--- looks.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %matmul tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.foreach %slices : !transform.any_op {
    ^bb0(%slice: !transform.any_op):
      // An argument of the function has no producer.
      %source = transform.get_producer_of_operand %slice[0] : (!transform.any_op) -> !transform.any_op
      transform.annotate %source "read" : !transform.any_op
    }
    transform.yield
  }
}
