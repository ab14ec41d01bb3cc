// Something that is not known is annotated: any op of its kind may have that attribute from
// then on, and no op any other. What is vectorized takes its attributes with it.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/other-name.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/other-name.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/other-kind.mlir 2>&1 | FileCheck %s
// RUN: formwork apply %t/payload.mlir --transform=%t/other-kind.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/same-name.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork apply %t/payload.mlir --transform=%t/same-name.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/vectorized.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %t/payload.mlir --transform=%t/vectorized.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/children.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: formwork apply %t/payload.mlir --transform=%t/children.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/scalars.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: formwork apply %t/payload.mlir --transform=%t/scalars.mlir --validate -o %t/out.mlir

// CHECK: : proved: 0 errors, 0 warnings
// OPEN: cannot prove
// NONE: has none at this point
// NONE: [fw-step-idle]
// NONE: : proved: 0 errors, 2 warnings

//--- payload.mlir
func.func @f(%A: tensor<16x8xf32>, %B: tensor<8x32xf32>, %C: tensor<16x32xf32>, %D: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %r = linalg.matmul {first} ins(%A, %B : tensor<16x8xf32>, tensor<8x32xf32>) outs(%C : tensor<16x32xf32>) -> tensor<16x32xf32>
  %s = linalg.generic {second, indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<16x32xf32>) outs(%D : tensor<16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in {third} : f32
    linalg.yield %e : f32
  } -> tensor<16x32xf32>
  return %s : tensor<16x32xf32>
}

//--- other-name.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %any = transform.get_consumers_of_result %forall[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %any "mine.op" : !transform.any_op
    %b = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %tile2, %loop = transform.structured.tile_using_for %b tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- other-kind.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %slice = transform.get_producer_of_operand %tile[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %slice "second" : !transform.any_op
    %b = transform.structured.match ops{["linalg.generic"]} attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    %tile2, %loop2 = transform.structured.tile_using_for %b tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- same-name.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %forall = transform.structured.tile_using_forall %a tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_cse to %f : !transform.any_op
    %any = transform.get_consumers_of_result %forall[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %any "first" : !transform.any_op
    %b = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %two:2 = transform.split_handle %b : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- vectorized.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %a : !transform.any_op
    %none = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %none tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- children.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    %none = transform.structured.match attributes {first} in %m : (!transform.any_op) -> !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %none tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

//--- scalars.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %a = transform.structured.match attributes {second} in %m : (!transform.any_op) -> !transform.any_op
    transform.structured.vectorize %a : !transform.any_op
    %exp = transform.structured.match attributes {third} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %exp : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
