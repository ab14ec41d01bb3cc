// Rule groups that come to an end do so together, but for those that undo each
// other. What a match meets it meets once.
// RUN: formwork check %inputs/matmul.mlir --transform=%s --verify-diagnostics

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "changed" : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.vector.transfer_permutation_patterns
      transform.apply_patterns.linalg.decompose_pad
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    // expected-warning@+1 {{cannot prove that 'transform.apply_patterns' succeeds: applies 'transform.apply_patterns.vector.lower_shape_cast' and 'transform.apply_patterns.canonicalization', which together may not terminate [fw-unproved]}}
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.lower_shape_cast
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %fills = transform.structured.match ops{["linalg.fill"]} in %f : (!transform.any_op) -> !transform.any_op
    %generics = transform.structured.generalize %fills : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
