// The claims of contracts hold for the values of attributes, and of options of passes, on
// which they were tried: other values are not refused, and nothing is proved of them.
// RUN: split-file %s %t
// RUN: not formwork check %t/payload.mlir --transform=%t/attribute.mlir --strict 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
// RUN: not formwork check %t/payload.mlir --transform=%t/option.mlir --strict 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not formwork check %t/payload.mlir --transform=%t/text.mlir --strict 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: formwork check %t/payload.mlir --transform=%t/ordinary.mlir --strict 2>&1 | FileCheck %s --check-prefix=ORDINARY

// ATTRIBUTE: is payload for which its contract was not tested: attribute 'max_iterations' is -3, which is less than -1 [fw-unproved]
// OPTION: is payload for which its contract was not tested: option 'parallel-loop-tile-sizes' is 0, which is less than 1 [fw-unproved]
// TEXT: is payload for which its contract was not tested: option 'chip' is an empty text [fw-unproved]
// ORDINARY: : proved: 0 errors

//--- payload.mlir
func.func @f(%m: memref<16x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c16) step (%c1, %c1) {
    %v = memref.load %m[%i, %j] : memref<16x16xf32>
    memref.store %v, %m[%i, %j] : memref<16x16xf32>
    scf.reduce
  }
  return
}
gpu.module @k {
  gpu.func @kernel() kernel {
    gpu.return
  }
}

//--- attribute.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
    } {max_iterations = -3 : i64} : !transform.any_op
    transform.yield
  }
}

//--- option.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "scf-parallel-loop-tiling" with options = { "parallel-loop-tile-sizes" = 0 } to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- text.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %r = transform.apply_registered_pass "nvvm-attach-target" with options = { "chip" = "" } to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- ordinary.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.apply_registered_pass "scf-parallel-loop-tiling" with options = { "parallel-loop-tile-sizes" = 4 } to %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
