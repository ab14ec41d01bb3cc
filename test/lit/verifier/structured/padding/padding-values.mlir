// Upstream asks for a padding value of the type of each operand, also of those that are
// not padded.
// RUN: formwork check %s --strict
// RUN: formwork apply %s --validate -o %t.mlir
// RUN: sed 's/"0", 0/0.0 : f32, 0/' %s > %t.mixed.mlir
// RUN: not formwork check %t.mixed.mlir --strict 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.mixed.mlir --unchecked -o %t.mlir 2>&1 | FileCheck %s --check-prefix=APPLY
// RUN: sed 's/"0", 0/"no number", 0/' %s > %t.text.mlir
// RUN: not formwork check %t.text.mlir --strict 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not formwork apply %t.text.mlir --unchecked -o %t.mlir
// OPEN: cannot prove that 'transform.structured.pad' succeeds: may have a padding value of another type
// APPLY: expects a padding value of type 'i32'

func.func @f(%a: tensor<24x8xi32>, %b: tensor<8x25xi32>, %c: tensor<24x25xi32>) -> tensor<24x25xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<24x8xi32>, tensor<8x25xi32>) outs(%c : tensor<24x25xi32>) -> tensor<24x25xi32>
  return %0 : tensor<24x25xi32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    // Operand #0 is as large as it is to be.
    %padded, %pads, %copy = transform.structured.pad %0 pad_to_multiple_of [4] {padding_dimensions = [1], padding_values = ["0", 0 : i32, 0 : i32]}
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
