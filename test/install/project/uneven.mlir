// The second size divides 64, and not the 16 steps of a batch.
module attributes {transform.with_named_sequence} {
  func.func @scale(%A: memref<64xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    scf.for %i = %c0 to %c64 step %c1 {
      %x = memref.load %A[%i] : memref<64xi32>
      %y = arith.addi %x, %x : i32
      memref.store %y, %A[%i] : memref<64xi32>
    }
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %loop = transform.structured.match ops{["scf.for"]} in %root : (!transform.any_op) -> !transform.any_op
    %size = transform.param.constant 16 : i64 -> !transform.param<i64>
    %batches, %steps = transform.counting.batch %loop by %size : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    %smaller = transform.param.constant 32 : i64 -> !transform.param<i64>
    %outer, %inner = transform.counting.batch %steps by %smaller : (!transform.any_op, !transform.param<i64>) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
