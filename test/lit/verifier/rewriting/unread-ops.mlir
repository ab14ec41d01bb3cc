// Clean-up surely erases an op of the payload that nothing reads, with what it holds: a match behind it is empty.
// DCE erases what only such ops read, too. A run says the same.
// RUN: split-file %s %t && cd %t
// RUN: formwork check payload.mlir --transform=cse.mlir --static 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: formwork check payload.mlir --transform=cse.mlir 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: sed 's/transform.apply_cse to %module/%f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op transform.apply_patterns to %f {}/' cse.mlir > greedy.mlir
// RUN: formwork check payload.mlir --transform=greedy.mlir --static 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: sed 's/transform.apply_cse/transform.apply_dce/' cse.mlir > dce.mlir
// RUN: formwork check payload.mlir --transform=dce.mlir --static 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: formwork check payload.mlir --transform=dce.mlir 2>&1 | FileCheck %s --check-prefix=ALL
// A rewrite that is limited may end before it, and what a step has put into a loop may have an effect.
// RUN: sed 's/{}/{} {max_num_rewrites = 0}/' greedy.mlir > limited.mlir
// RUN: formwork check payload.mlir --transform=limited.mlir --static 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork check payload.mlir --transform=filled.mlir --static 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply payload.mlir --transform=filled.mlir --validate -o %t.out

// ONE: :4:{{[0-9]+}}: warning: {{.*}} [fw-empty-match]
// ONE: :5:{{[0-9]+}}: warning: {{.*}} [fw-empty-match]
// ONE-NOT: fw-empty-match
// ALL: :4:{{[0-9]+}}: warning: {{.*}} [fw-empty-match]
// ALL: :5:{{[0-9]+}}: warning: {{.*}} [fw-empty-match]
// ALL: :6:{{[0-9]+}}: warning: {{.*}} [fw-empty-match]
// ALL-NOT: fw-empty-match
// NONE-NOT: fw-empty-match

//--- payload.mlir
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %read = linalg.exp ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %unread = linalg.add ins(%read, %a : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %inside = linalg.mul ins(%a, %a : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  }
  %r = linalg.sub ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

//--- cse.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    transform.apply_cse to %module : !transform.any_op
    %0 = transform.structured.match ops{["linalg.add"]} in %module : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["linalg.mul"]} in %module : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["linalg.exp"]} in %module : (!transform.any_op) -> !transform.any_op
    %3 = transform.structured.match ops{["linalg.sub"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- filled.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %mul = transform.structured.match ops{["linalg.mul"]} in %module : (!transform.any_op) -> !transform.any_op
    %buffer, %new = transform.structured.bufferize_to_allocation %mul : !transform.any_op
    transform.apply_cse to %module : !transform.any_op
    %0 = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
