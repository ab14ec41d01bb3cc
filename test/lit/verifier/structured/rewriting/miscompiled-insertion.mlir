// A slice is written as a vector along the last dimensions, also where the slice drops one of these.
// RUN: formwork check --static %s 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: warning: changes what 'tensor.insert_slice' computes: its vector is written along the last dimensions, which are not those of the slice [fw-step-miscompiles]
// An execution shows it.
// RUN: not formwork run %s --after-each-step 2>&1 | FileCheck %s --check-prefix=DIFFERS
// DIFFERS: error: {{.*}} [fw-step-miscompiles]

// The first dimension is dropped, and one behind dimensions of size 1.
// RUN: sed 's/4x1x8xf32/1x4x8xf32/g; s/\[4, 1, 8\]/[1, 4, 8]/' %s > %t.first.mlir
// RUN: formwork check --static %t.first.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork run %t.first.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: sed 's/<4x8xf32>/<1x8xf32>/g; s/4x1x8xf32/1x1x8xf32/g; s/\[4, 1, 8\]/[1, 1, 8]/' %s > %t.unit.mlir
// RUN: formwork check --static %t.unit.mlir 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: formwork run %t.unit.mlir --after-each-step 2>&1 | FileCheck %s --check-prefix=SAME
// RIGHT-NOT: fw-step-miscompiles
// RIGHT: 3 steps
// SAME: 1 executed, 1 the same

func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x1x8xf32>) -> tensor<4x1x8xf32> {
  %0 = tensor.insert_slice %a into %b[0, 0, 0] [4, 1, 8] [1, 1, 1] : tensor<4x8xf32> into tensor<4x1x8xf32>
  return %0 : tensor<4x1x8xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %f : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %one : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
