// The facts about an op that is said in another way: whether it has a name, what its loops are, and
// that it keeps its attributes only where it stays the same op.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/there-and-back.mlir 2>&1 | FileCheck %s --check-prefix=BACK
// RUN: formwork apply %t/payload.mlir --transform=%t/there-and-back.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/interchanged.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/interchanged.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/pass.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/pass.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/no-tags.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %t/payload.mlir --transform=%t/no-tags.mlir --validate -o %t/out.mlir
// RUN: not formwork check %t/payload.mlir --transform=%t/nameless.mlir 2>&1 | FileCheck %s --check-prefix=NAMELESS
// RUN: not formwork apply %t/payload.mlir --transform=%t/nameless.mlir -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/folded.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork check %t/payload.mlir --transform=%t/swapped.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/swapped.mlir --validate -o %t/out.mlir

// BACK: :5:13: warning: has no effect: the target is unchanged [fw-step-idle]
// BACK: : proved: 0 errors, 1 warning;
// CHECK: : proved: 0 errors, 0 warnings
// NONE: has none at this point
// NONE: : proved: 0 errors, 2 warnings
// NAMELESS: error: {{.*}}failed to apply
// OPEN: warning: {{.*}}can fail: failed to apply

//--- payload.mlir
func.func @f(%A: tensor<16x8xf32>, %B: tensor<8x32xf32>, %C: tensor<16x32xf32>, %D: tensor<16x32xf32>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %init = linalg.fill {first} ins(%zero : f32) outs(%C : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r = linalg.matmul {second} ins(%A, %B : tensor<16x8xf32>, tensor<8x32xf32>) outs(%init : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s = linalg.generic {third, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<16x32xf32>) outs(%D : tensor<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    %m = arith.addf %e, %out : f32
    linalg.yield %m : f32
  } -> tensor<16x32xf32>
  %t = linalg.generic {fourth, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r, %s : tensor<16x32xf32>, tensor<16x32xf32>) outs(%D : tensor<16x32xf32>) {
  ^bb0(%one: f32, %two: f32, %out: f32):
    %m = arith.subf %two, %one : f32
    linalg.yield %m : f32
  } -> tensor<16x32xf32>
  return %s, %t : tensor<16x32xf32>, tensor<16x32xf32>
}

//--- there-and-back.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %a : (!transform.any_op) -> !transform.op<"linalg.generic">
    %same = transform.structured.generalize %generic : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.generic">
    transform.annotate %same "anew" : !transform.op<"linalg.generic">
    %named = transform.structured.specialize %same : (!transform.op<"linalg.generic">) -> !transform.op<"linalg.matmul">
    %tile, %loops:2 = transform.structured.tile_using_for %named tile_sizes [4, 0, 2] : (!transform.op<"linalg.matmul">) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %again = transform.structured.generalize %tile : (!transform.any_op) -> !transform.any_op
    %back = transform.structured.specialize %again : (!transform.any_op) -> !transform.op<"linalg.matmul">
    transform.structured.vectorize %back : !transform.op<"linalg.matmul">
    %b = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.cast %b : !transform.any_op to !transform.op<"linalg.fill">
    transform.yield
  }
}

//--- interchanged.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
    transform.annotate %generic "anew" : !transform.any_op
    %turned = transform.structured.interchange %generic iterator_interchange = [2, 0, 1] : (!transform.any_op) -> !transform.any_op
    %found = transform.structured.match attributes {anew} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %found tile_sizes [8] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.structured.vectorize %tile : !transform.any_op
    transform.yield
  }
}

//--- pass.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "linalg-generalize-named-ops" to %f : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.match ops{["linalg.generic"]} in %g : (!transform.any_op) -> !transform.any_op
    %tiles, %loops = transform.structured.tile_using_for %generic tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %third = transform.structured.match ops{["linalg.generic"]} attributes {third} in %g : (!transform.any_op) -> !transform.any_op
    %one = transform.cast %third : !transform.any_op to !transform.op<"linalg.generic">
    transform.yield
  }
}

//--- no-tags.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "linalg-generalize-named-ops" to %f : (!transform.any_op) -> !transform.any_op
    %none = transform.structured.match attributes {second} in %g : (!transform.any_op) -> !transform.any_op
    %tiles, %loops = transform.structured.tile_using_for %none tile_sizes [2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- nameless.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {third} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %named = transform.structured.specialize %tile : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- folded.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.generalize %a : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %named = transform.structured.specialize %generic : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- swapped.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {fourth} in %m : (!transform.any_op) -> !transform.any_op
    %named = transform.structured.specialize %a : (!transform.any_op) -> !transform.op<"linalg.sub">
    transform.annotate %named "mine" : !transform.op<"linalg.sub">
    transform.yield
  }
}
