// An op that CSE merges is replaced by an op like it, which handles follow; only afterwards it is
// not known whether two of them have one op.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o %t.out

// CHECK-NOT: 'transform.apply_cse' succeeds
// CHECK: {{^[^ ]*}}: proved: 0 errors

func.func @f(%a: tensor<16x16xf32>, %i: index) -> (tensor<4x16xf32>, tensor<4x16xf32>, index) {
  %c = arith.constant 2 : index
  %d = arith.constant 2 : index
  %j = arith.addi %i, %c : index
  %k = arith.addi %i, %d : index
  %l = arith.muli %j, %k : index
  %x = tensor.extract_slice %a[%j, 0] [4, 16] [1, 1] : tensor<16x16xf32> to tensor<4x16xf32>
  %y = tensor.extract_slice %a[%k, 0] [4, 16] [1, 1] : tensor<16x16xf32> to tensor<4x16xf32>
  return %x, %y, %l : tensor<4x16xf32>, tensor<4x16xf32>, index
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %slices = transform.structured.match ops{["tensor.extract_slice"]} in %f : (!transform.any_op) -> !transform.any_op
    %sums = transform.structured.match ops{["arith.addi"]} in %f : (!transform.any_op) -> !transform.any_op
    %constants = transform.structured.match ops{["arith.constant"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    transform.annotate %slices "slice" : !transform.any_op
    transform.annotate %sums "sum" : !transform.any_op
    transform.annotate %constants "constant" : !transform.any_op
    transform.yield
  }
}
