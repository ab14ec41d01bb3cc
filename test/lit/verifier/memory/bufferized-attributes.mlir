// On buffers, a choice is another op, without the attributes that it had.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s --unchecked -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK

// CHECK-NOT: : proved
// STOCK: expected to contain 1 payloads but it contains 0 payloads

func.func @f(%x: tensor<7xf32>, %y: tensor<7xf32>, %c: i1) -> tensor<7xf32> {
  %e = linalg.exp {kept} ins(%x : tensor<7xf32>) outs(%y : tensor<7xf32>) -> tensor<7xf32>
  %r = scf.if %c -> tensor<7xf32> {
    scf.yield %e : tensor<7xf32>
  } else {
    scf.yield %x : tensor<7xf32>
  } {a_name}
  return %r : tensor<7xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.bufferization.one_shot_bufferize %f : (!transform.any_op) -> !transform.any_op
    %kept = transform.structured.match attributes{kept} in %m : (!transform.any_op) -> !transform.any_op
    %exp = transform.split_handle %kept : (!transform.any_op) -> !transform.any_op
    %choice = transform.structured.match attributes{a_name} in %m : (!transform.any_op) -> !transform.any_op
    %one = transform.split_handle %choice {pass_through_empty_handle = false} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
