// Bufferization makes maps of what is computed element by element, globals of constants, and loops
// that yield other buffers than they were given.
// RUN: formwork apply --validate --split-input-file %s 2>&1 | FileCheck %s
// CHECK-COUNT-3: validated: {{[0-9]+}} steps
// CHECK-NOT: fw-false-fact

func.func @maps(%x: f32) -> tensor<4xf32> {
  %s = tensor.splat %x : tensor<4xf32>
  return %s : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %module = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %maps = transform.structured.match ops{["linalg.map"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @globals() -> tensor<4xf32> {
  %s = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  return %s : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %module = transform.bufferization.one_shot_bufferize %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %constants = transform.structured.match ops{["arith.constant"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @loops(%a: tensor<3x7xf64>, %n: index) -> tensor<3x7xf64> {
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %x = arith.constant 1.0 : f64
  %r = scf.for %i = %c0 to %c7 step %c7 iter_args(%acc = %a) -> (tensor<3x7xf64>) {
    %s = tensor.extract_slice %acc[0, %i] [3, 7] [1, 1] : tensor<3x7xf64> to tensor<3x7xf64>
    %t = tensor.insert %x into %s[%n, %n] : tensor<3x7xf64>
    %u = tensor.insert_slice %t into %acc[0, %i] [3, 7] [1, 1] : tensor<3x7xf64> into tensor<3x7xf64>
    scf.yield %u : tensor<3x7xf64>
  }
  return %r : tensor<3x7xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %module = transform.bufferization.one_shot_bufferize layout{IdentityLayoutMap} %root {bufferize_function_boundaries = true} : (!transform.any_op) -> !transform.any_op
    %loops = transform.structured.match ops{["scf.for"]} in %module : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
