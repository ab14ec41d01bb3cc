// A grid of a loop whose step is 0 has no size.
module {
  func.func @f(%arg0: index) {
    scf.forall (%arg1, %arg2) = (0, 0) to (%arg0, 4) step (8, 0) {
    } {mapping = [#gpu.block<x>, #gpu.block<y>]}
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["scf.forall"]} in %arg0 : (!transform.any_op) -> !transform.any_op
    %1 = transform.formwork.map_forall_to_blocks %0 : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
}
