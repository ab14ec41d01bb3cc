module {
  func.func @f1(%arg0: f64, %arg1: f64) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg2 = %c0 to %c2 step %c1 iter_args(%arg3 = %arg1) -> (f64) {
      %false = arith.constant false
      scf.yield %arg0 : f64
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.op<"scf.for">
    %1 = transform.loop.pipeline %0 : (!transform.op<"scf.for">) -> !transform.any_op
    transform.yield 
  }
}
}
