// memref.reshape into another memory space is expanded to IR that does not verify:
// nothing is proved where one may stand.

// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: sed 's/memref.reshape %a(%new) : (memref<8xf64>, memref<2xi32>) -> memref<4x2xf64, 1>/memref.alloc() : memref<4x2xf64, 1>/' %s > %t.other.mlir
// RUN: formwork check --static %t.other.mlir | FileCheck %s --check-prefix=OTHER
// RUN: not mlir-opt --transform-interpreter %s -o /dev/null

// CHECK: warning: cannot prove that 'transform.apply_patterns' succeeds: {{.*}} [fw-unproved]
// CHECK: unproved: 0 errors
// OTHER: {{: proved}}

module attributes {transform.with_named_sequence} {
  func.func @f(%a: memref<8xf64>, %new: memref<2xi32>) -> memref<4x2xf64, 1> {
    %r = memref.reshape %a(%new) : (memref<8xf64>, memref<2xi32>) -> memref<4x2xf64, 1>
    return %r : memref<4x2xf64, 1>
  }

  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.memref.expand_ops
    } : !transform.any_op
    transform.yield
  }
}
