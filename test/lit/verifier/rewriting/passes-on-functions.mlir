// Which ops a pass can run on, the pass itself says: some ask for a function, whatever its dialect.
// RUN: split-file %s %t
// RUN: formwork check --static %t/payload.mlir --transform=%t/function.mlir | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/function.mlir -o /dev/null
// RUN: not formwork check --static %t/payload.mlir --transform=%t/module.mlir 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: not formwork check --static %t/payload.mlir --transform=%t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: : proved: 0 errors
// MODULE: error: requires a function for pass 'affine-loop-unroll' but %m has 'builtin.module' [fw-pass-anchor]
// MODULE: error: requires a function for pass 'affine-loop-unroll-jam' but %m has 'builtin.module' [fw-pass-anchor]
// MODULE: error: requires a function for pass 'linalg-detensorize' but %m has 'builtin.module' [fw-pass-anchor]
// OTHER: error: requires 'func.func' for pass 'affine-data-copy-generate' but %m has 'builtin.module' [fw-pass-anchor]

//--- payload.mlir
module {
  func.func @f(%A: memref<8x8xf32>) {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 8 {
        %0 = affine.load %A[%i, %j] : memref<8x8xf32>
        affine.store %0, %A[%j, %i] : memref<8x8xf32>
      }
    }
    return
  }
}

//--- function.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %0 = transform.apply_registered_pass "affine-loop-unroll" with options = { "unroll-factor" = 2 } to %f : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "linalg-detensorize" to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- module.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.apply_registered_pass "affine-loop-unroll" to %m : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "affine-loop-unroll-jam" to %m : (!transform.any_op) -> !transform.any_op
    %2 = transform.apply_registered_pass "linalg-detensorize" to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- other.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %0 = transform.apply_registered_pass "affine-data-copy-generate" to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
