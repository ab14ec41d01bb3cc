module {
  func.func @f(%a: memref<8xf32>, %x: f32) {
    linalg.fill {t} ins(%x : f32) outs(%a : memref<8xf32>)
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match attributes {t} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.assert %0 is @bufferized : !transform.any_op
    transform.yield
  }
}
}
