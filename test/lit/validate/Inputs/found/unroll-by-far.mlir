  func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    scf.for %i = %c0 to %c8 step %c1 {
      %x = memref.load %A[%i] : memref<8xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %B[%i] : memref<8xf32>
    }
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.for"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.loop.unroll %0 {factor = 2147483647 : i64} : !transform.any_op
    transform.yield 
  }
}
