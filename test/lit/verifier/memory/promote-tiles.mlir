// The results of tiling buffers are views of a known size, and can be promoted. Clean-up may fold
// the views. A match for what can be tiled finds the tile alone. MLIR makes an allocation of any
// alignment, also of one that no allocation may have.
// RUN: split-file %s %t
// RUN: formwork check %t/payload.mlir --transform=%t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t/payload.mlir --transform=%t/schedule.mlir --validate -o - | FileCheck %s --check-prefix=APPLIED
// RUN: sed 's/operands_to_promote = .0, 2./alignment = 32/' %t/schedule.mlir > %t/aligned.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/aligned.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: sed 's/operands_to_promote = .0, 2./alignment = 3/' %t/schedule.mlir > %t/odd.mlir
// RUN: formwork check --static %t/payload.mlir --transform=%t/odd.mlir 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not formwork apply %t/payload.mlir --transform=%t/odd.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: formwork check %t/payload.mlir --transform=%t/cleaned.mlir 2>&1 | FileCheck %s --check-prefix=OPEN

// PROVED: : proved: 0 errors, 0 warnings
// APPLIED: memref.alloc
// APPLIED: linalg.copy
// ODD: attribute 'alignment' is 3, which is none of 1, 2, 4,
// INVALID: attribute 'alignment' failed to satisfy constraint
// OPEN: cannot prove that 'transform.structured.promote' succeeds: promotes operands that may not be views of a known size

//--- payload.mlir
func.func @f(%a: memref<128x256xf32>, %b: memref<256x512xf32>, %c: memref<128x512xf32>) {
  linalg.matmul ins(%a, %b : memref<128x256xf32>, memref<256x512xf32>) outs(%c : memref<128x512xf32>)
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %again = transform.structured.match interface{TilingInterface} in %l#1 : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.promote %again {operands_to_promote = [0, 2]} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- cleaned.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %m = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %t, %l:2 = transform.structured.tile_using_for %m tile_sizes [4, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.apply_patterns to %l#0 {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %p = transform.structured.promote %t : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
