// Patterns for one op come to an end where there is no such op, and none is made.
// RUN: split-file %s %t
// RUN: formwork check %inputs/matmul.mlir --transform=%t/none.mlir --static 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %inputs/matmul.mlir --transform=%t/none.mlir --validate -o %t/out.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/made.mlir --static 2>&1 | FileCheck %s --check-prefix=MADE
// On what was given, a trial says that they end.
// RUN: sed '/transform.annotate/d' %t/together.mlir > %t/given.mlir
// RUN: formwork check %inputs/matmul.mlir --transform=%t/given.mlir --static 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork check %inputs/matmul.mlir --transform=%t/together.mlir --static 2>&1 | FileCheck %s --check-prefix=MADE

// NONE: : proved: 0 errors
// MADE: vector_contract_to_fma'{{.*}} may not terminate

//--- none.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.x86vector.vector_contract_to_fma
      transform.apply_patterns.arm_neon.vector_contract_to_i8mm
      transform.apply_patterns.linalg.fold_add_into_dest
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}

//--- made.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %matmul = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %matmul {create_named_contraction} : !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.x86vector.vector_contract_to_fma
    } : !transform.any_op
    transform.yield
  }
}

//--- together.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.annotate %f "changed" : !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.reduction_to_contract
      transform.apply_patterns.x86vector.vector_contract_to_fma
    } : !transform.any_op
    transform.yield
  }
}
