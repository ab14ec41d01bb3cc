// Rules for what is not there do nothing, and canonicalization makes ops of a dialect such
// as math or vector only of others of it: a conversion of these finds nothing.
// RUN: split-file %s %t
// RUN: formwork check %t/plain.mlir --transform=%t/schedule.mlir --strict
// RUN: formwork apply %t/plain.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/math.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=TRIED
// RUN: formwork apply %t/math.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// RUN: formwork check %t/vector.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=TRIED
// RUN: formwork apply %t/vector.mlir --transform=%t/schedule.mlir --validate -o %t/out.mlir
// With an open knob, no step is tried.
// RUN: sed '/__transform_main/a %%k = transform.tune.knob<"k"> options = [1, 2] -> !transform.param<i64>' %t/schedule.mlir > %t/knob.mlir
// RUN: formwork check %t/math.mlir --transform=%t/knob.mlir 2>&1 | FileCheck %s
// RUN: formwork check %t/vector.mlir --transform=%t/knob.mlir 2>&1 | FileCheck %s

// TRIED: : proved: 0 errors
// CHECK: cannot prove that 'transform.apply_conversion_patterns' succeeds

//--- plain.mlir
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>) {
  linalg.add ins(%A, %A : memref<8xf32>, memref<8xf32>) outs(%B : memref<8xf32>)
  return
}

//--- math.mlir
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>, %x: f32) -> f32 {
  linalg.add ins(%A, %A : memref<8xf32>, memref<8xf32>) outs(%B : memref<8xf32>)
  %y = math.exp %x : f32
  return %y : f32
}

//--- vector.mlir
func.func @f(%A: memref<8xf32>, %B: memref<8xf32>, %x: vector<4x1xf32>) -> vector<1x4xf32> {
  linalg.add ins(%A, %A : memref<8xf32>, memref<8xf32>) outs(%B : memref<8xf32>)
  %y = vector.transpose %x, [1, 0] : vector<4x1xf32> to vector<1x4xf32>
  return %y : vector<1x4xf32>
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %add = transform.structured.match ops{["linalg.add"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.vector.lower_transpose
      transform.apply_patterns.vector.transfer_permutation_patterns
    } : !transform.any_op
    transform.apply_conversion_patterns to %f {
      transform.apply_conversion_patterns.dialect_to_llvm "math"
      transform.apply_conversion_patterns.vector.vector_to_llvm
    } with type_converter {
      transform.apply_conversion_patterns.memref.memref_to_llvm_type_converter
    } {legal_dialects = ["llvm"], partial_conversion, preserve_handles} : !transform.any_op
    %tile, %loop = transform.structured.tile_using_for %add tile_sizes [4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
