// The only module of a payload is what holds a call whose place is not known. A pass on it consumes all handles.
// RUN: split-file %s %t
// RUN: not formwork check --static %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s

// CHECK: error: requires a valid handle but %m is invalidated [fw-use-after-consume]

//--- payload.mlir
module {
  func.func @f(%a: tensor<64xf32>) -> tensor<64xf32> {
    %0 = linalg.exp ins(%a : tensor<64xf32>) outs(%a : tensor<64xf32>) -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %0 = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %0 tile_sizes [16] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %function, %call = transform.loop.outline %loop {func_name = "kernel"} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %module = transform.get_parent_op %call {deduplicate, op_name = "builtin.module"} : (!transform.any_op) -> !transform.any_op
    %inlined = transform.apply_registered_pass "inline" to %module : (!transform.any_op) -> !transform.any_op
    %again = transform.structured.match ops{["linalg.exp"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
