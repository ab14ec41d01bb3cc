// Clean-up replaces the loop by one without results. MLIR does not survive that, as a handle holds the loop.
module {
  func.func @f(%arg0: memref<128xindex>, %arg1: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %0 = scf.for %arg2 = %c0 to %c16 step %c1 iter_args(%arg3 = %c0) -> (index) {
      memref.store %arg1, %arg0[%arg2] : memref<128xindex>
      scf.yield %arg1 : index
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %1 {
      transform.apply_patterns.linalg.tiling_canonicalization
    } : !transform.any_op
    %2 = transform.structured.match ops{["linalg.matmul", "arith.divsi"]} attributes {p} in %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
}
