// A body that asks for the number of a loop reckons it from all of them once loops are
// interchanged; one that does not ask gets no op more.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=OUT
// RUN: sed 's/%%i = linalg.index 1 : index/%%i = arith.constant 1 : index/' %s > %t.mlir
// RUN: formwork check %t.mlir 2>&1 | FileCheck %s --check-prefix=PLAIN
// RUN: formwork apply %t.mlir --validate -o %t.out.mlir

// CHECK: : proved: 0 errors, 0 warnings;
// OUT: affine.apply {{.*}} {reckoned}
// PLAIN: warning: requires a payload op to match but 'func.func' has none at this point

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<16x8xindex>, %b: tensor<16x8xindex>) -> tensor<16x8xindex> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<16x8xindex>) outs(%b : tensor<16x8xindex>) {
  ^bb0(%in: index, %out: index):
    %i = linalg.index 1 : index
    %s = arith.addi %in, %i : index
    linalg.yield %s : index
  } -> tensor<16x8xindex>
  return %0 : tensor<16x8xindex>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %g = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %i = transform.structured.interchange %g iterator_interchange = [1, 0] : (!transform.any_op) -> !transform.any_op
    %apply = transform.structured.match ops{["affine.apply"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.annotate %apply "reckoned" : !transform.any_op
    transform.yield
  }
}
