// A contraction on vectors takes factors of one type: of a product of others, MLIR makes invalid IR, which is no
// failure that a sequence can suppress.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply %t/payload.mlir --transform=%t/schedule.mlir -o /dev/null
// RUN: sed 's/i32/f16/g' %t/payload.mlir > %t/same.mlir
// RUN: formwork check --static %t/same.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: formwork apply %t/same.mlir --transform=%t/schedule.mlir -o /dev/null
// CHECK: may make a contraction of factors of two types
// CHECK: : unproved: 0 errors
// SAME: : proved: 0 errors

//--- payload.mlir
func.func @f(%a: tensor<13x8xf16>, %b: tensor<8x16xi32>, %c: tensor<13x16xf16>) -> tensor<13x16xf16> {
  %0 = linalg.matmul ins(%a, %b : tensor<13x8xf16>, tensor<8x16xi32>) outs(%c : tensor<13x16xf16>) -> tensor<13x16xf16>
  return %0 : tensor<13x16xf16>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.consumed}) {
    transform.sequence %module : !transform.any_op failures(suppress) {
    ^bb0(%scope: !transform.any_op):
      %matmul = transform.structured.match ops{["linalg.matmul"]} in %scope : (!transform.any_op) -> !transform.any_op
      transform.structured.vectorize %matmul {create_named_contraction} : !transform.any_op
    }
    transform.yield
  }
}
