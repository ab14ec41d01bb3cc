// A matcher that begins with the names of ops finds what has them, also where
// steps have made others.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED
// RUN: not formwork check %t/payload.mlir --transform=%t/typed.mlir 2>&1 | FileCheck %s --check-prefix=TYPED

// PROVED: : proved: 0 errors, 0 warnings
// APPLIED: {second}
// APPLIED: {first}
// TYPED: error: requires a matcher that accepts or rejects each op but @is_matmul fails [fw-matcher-failed]

//--- payload.mlir
func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_loop(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["scf.for"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @is_matmul(%op: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.any_op
    transform.yield %op : !transform.any_op
  }
  transform.named_sequence @mark(%op: !transform.any_op {transform.readonly}) {
    transform.annotate %op "second" : !transform.any_op
    transform.yield
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l = transform.structured.tile_using_for %m tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %loop = transform.collect_matching @is_loop in %root : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %loop : (!transform.any_op) -> !transform.any_op
    transform.annotate %one "first" : !transform.any_op
    transform.foreach_match in %root @is_matmul -> @mark : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- typed.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @is_matmul(%op: !transform.op<"linalg.matmul"> {transform.readonly}) -> !transform.any_op {
    transform.match.operation_name %op ["linalg.matmul"] : !transform.op<"linalg.matmul">
    %any = transform.cast %op : !transform.op<"linalg.matmul"> to !transform.any_op
    transform.yield %any : !transform.any_op
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.collect_matching @is_matmul in %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
