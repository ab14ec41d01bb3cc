module {
  func.func private @outside()
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part3(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.get_parent_op %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.get_result %arg0[all] : (!transform.any_op) -> !transform.any_value
    %2 = transform.match.structured %arg0 : (!transform.any_op) -> !transform.any_op {
    ^bb0(%arg1: !transform.any_op):
      transform.match.structured.yield %arg1 : !transform.any_op
    }
    transform.yield %2 : !transform.any_op
  }
  transform.named_sequence @part4(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.merge_handles %arg0, %arg0 : !transform.any_op
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %updated_root, %yielded = transform.foreach_match flatten_results in %arg0 
        @part3 -> @part4 : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield 
  }
}
}
