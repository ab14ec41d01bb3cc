// A generalized op has none of the attributes of the named op; an op that is general already is
// left as it is, though other handles to it are consumed.
// RUN: formwork check %s 2>&1 | FileCheck %s
// RUN: formwork apply %s --validate -o - | FileCheck %s --check-prefix=OUT
// RUN: sed 's/annotate %%h/annotate %%named/' %s > %t.named.mlir
// RUN: not formwork check %t.named.mlir 2>&1 | FileCheck %s --check-prefix=DEAD
// RUN: sed 's/annotate %%h/annotate %%before/' %s > %t.general.mlir
// RUN: not formwork check %t.general.mlir 2>&1 | FileCheck %s --check-prefix=DEAD

// CHECK: warning: has no effect: the target is unchanged [fw-step-idle]
// CHECK: warning: requires a payload op to match
// CHECK: warning: has no effect: %none holds no payload [fw-step-idle]
// CHECK: warning: has no effect: the target has the attributes that it had [fw-step-idle]
// CHECK: : proved: 0 errors, 4 warnings;
// DEAD: [fw-use-after-consume]
// OUT: linalg.generic
// OUT-NOT: general
// OUT: mark
// OUT: linalg.generic
// OUT-SAME: {general, mark}

#id = affine_map<(d0) -> (d0)>
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = linalg.exp {named} ins(%a : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%b : tensor<8xf32>) attrs = {general} {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %named = transform.structured.match attributes {named} in %root : (!transform.any_op) -> !transform.any_op
    %before = transform.structured.match attributes {general} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.generalize %named : (!transform.any_op) -> !transform.any_op
    %h = transform.structured.generalize %before : (!transform.any_op) -> !transform.any_op
    %none = transform.structured.match attributes {named} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %none tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %both = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second = transform.split_handle %both : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %one = transform.structured.match attributes {general} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %one "mark" : !transform.any_op
    transform.annotate %h "mark" : !transform.any_op
    transform.annotate %g "mark" : !transform.any_op
    transform.yield
  }
}
