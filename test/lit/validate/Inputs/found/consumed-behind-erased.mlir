module {
  func.func @f1(%arg0: index, %arg1: index) {
    %0 = arith.muli %arg0, %arg1 : index
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["arith.muli"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %2 = transform.structured.match ops{["func.func"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %2 {
    } : !transform.any_op
    %3 = transform.structured.hoist_redundant_vector_transfers %2 : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "x" : !transform.any_op
    transform.yield 
  }
}
}
