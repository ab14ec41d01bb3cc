// A partial conversion fails only where something illegal may be left. Groups
// that find nothing to convert leave the payload as it was.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/idle.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/idle.mlir --validate -o - | FileCheck %s --check-prefix=IDLE
// RUN: formwork check %t/fma.mlir --transform=%t/vectors.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/fma.mlir --transform=%t/vectors.mlir --validate -o - | FileCheck %s --check-prefix=VECTORS
// RUN: not formwork check --static %t/payload.mlir --transform=%t/illegal.mlir 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// RUN: not formwork check --static %t/payload.mlir --transform=%t/full.mlir 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// RUN: not formwork check --static %t/payload.mlir --transform=%t/bodies.mlir 2>&1 | FileCheck %s --check-prefix=BODIES
// RUN: not formwork check %t/payload.mlir --transform=%t/bare.mlir 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: not formwork apply %t/payload.mlir --transform=%t/bare.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: formwork check --static %t/payload.mlir --transform=%t/layout.mlir 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: formwork check %t/select.mlir --transform=%t/held.mlir 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t/select.mlir --transform=%t/held.mlir 2>&1 | FileCheck %s --check-prefix=HELD

// PROVED: : proved: 0 errors, 0 warnings
// HELD: tracking listener failed to find replacement op
// BARE: error: fails here: pattern descriptor does not specify type converter and apply_conversion_patterns op has no default type converter [fw-step-fails]
// ILLEGAL: error: fails here: dialect conversion failed [fw-step-fails]
// BODIES: error: fails here: expected add/mul op in the body [fw-step-fails]
// FAILS: pattern descriptor does not specify type converter
// IDLE: linalg.matmul {idle}
// VECTORS: {converted}
// VECTORS: llvm.intr.fmuladd
// LAYOUT: can fail: the data layout may be malformed
// OPEN: cannot prove that 'transform.apply_conversion_patterns' succeeds: can fail: dialect conversion failed

//--- payload.mlir
func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

//--- idle.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
      transform.apply_conversion_patterns.dialect_to_llvm "cf"
      transform.apply_conversion_patterns.scf.scf_to_control_flow
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {illegal_dialects = ["index"], legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    %m = transform.structured.match ops{["linalg.matmul"]} in %f : (!transform.any_op) -> !transform.any_op
    transform.annotate %m "idle" : !transform.any_op
    transform.yield
  }
}

//--- fma.mlir
func.func @f(%a: memref<4xf32>, %i: index) {
  %x = vector.load %a[%i] : memref<4xf32>, vector<4xf32>
  %y = vector.fma %x, %x, %x : vector<4xf32>
  vector.store %y, %a[%i] : memref<4xf32>, vector<4xf32>
  return
}

//--- vectors.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.vector.vector_to_llvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    transform.annotate %f "converted" : !transform.any_op
    transform.yield
  }
}

//--- select.mlir
func.func @f(%c: i1, %x: i32) -> i32 {
  %0 = arith.select %c, %x, %x : i32
  return %0 : i32
}

//--- held.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %s = transform.structured.match ops{["arith.select"]} in %root : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    transform.yield
  }
}

//--- bare.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.scf.scf_to_control_flow
    } {legal_dialects = ["cf"], partial_conversion} : !transform.any_op
    transform.yield
  }
}

//--- illegal.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {illegal_dialects = ["linalg"], legal_dialects = ["llvm"], partial_conversion} : !transform.any_op
    transform.yield
  }
}

//--- full.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"]} : !transform.any_op
    transform.yield
  }
}

//--- bodies.mlir
// It changes the bodies of structured ops, which no longer vectorize.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "arith"
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"], partial_conversion} : !transform.any_op
    transform.yield
  }
}

//--- layout.mlir
// The converter is made, and reads its data layout, also without a target.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %none = transform.structured.match ops{["memref.alloc"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_conversion_patterns to %none {
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter {data_layout = "no layout"}
    } : !transform.any_op
    transform.yield
  }
}
