module {
  func.func @atomic(%arg0: memref<8xf32, 3>, %arg1: memref<2xi32>) {
    %reshape = memref.reshape %arg0(%arg1) : (memref<8xf32, 3>, memref<2xi32>) -> memref<4x2xf32>
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.apply_registered_pass "memref-expand" to %0 : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
}
