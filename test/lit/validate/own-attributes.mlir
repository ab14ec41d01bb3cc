// An op that a step made may have an attribute of its own by which a match finds it, whatever the
// other ops of its dialect have.
// RUN: formwork apply --validate %s 2>&1 | FileCheck %s
// CHECK-NOT: fw-empty-match
// CHECK: validated: {{[0-9]+}} steps
// CHECK: remark: here

func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.extract %t[%c0] : tensor<8xf32>
  return %r : f32
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %b = transform.bufferization.one_shot_bufferize %root : (!transform.any_op) -> !transform.any_op
    %alloc = transform.structured.match attributes {alignment = 64 : i64} in %b : (!transform.any_op) -> !transform.any_op
    transform.debug.emit_remark_at %alloc, "here" : !transform.any_op
    transform.yield
  }
}
