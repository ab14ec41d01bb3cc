// Patterns that vectorize a convolution may begin again and again, also where a step has made it
// of another one, so that only its kind is known.
// RUN: formwork check --static %s 2>&1 | FileCheck %s
// RUN: not formwork apply %s --unchecked -o %t.out 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: sed 's/conv_3d/add/; s/7x33x?xf32/?x?x?xf32/g' %s > %t.add.mlir
// RUN: formwork check --static %t.add.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: formwork apply %t.add.mlir --validate -o %t.out

// CHECK: may not end: patterns may vectorize an op of which the body is not known [fw-unproved]
// STOCK: failed to apply
// PROVED: : proved: 0 errors

func.func @f(%a: tensor<?x?x?xf32>, %w: tensor<7x33x?xf32>, %o: tensor<?x?x?xf32>) -> tensor<?x?x?xf32> {
  %r = linalg.conv_3d {t} ins(%a, %w : tensor<?x?x?xf32>, tensor<7x33x?xf32>) outs(%o : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %c = transform.structured.match attributes {t} in %m : (!transform.any_op) -> !transform.any_op
    %s = transform.structured.scalarize %c : (!transform.any_op) -> !transform.any_op
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    %g = transform.structured.vectorize_children_and_apply_patterns %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
