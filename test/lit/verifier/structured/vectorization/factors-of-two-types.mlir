// MLIR folds the extensions of both factors into a contraction, also where they extend two types:
// that is not valid.
// RUN: split-file %s %t
// RUN: formwork check --static %t/mixed.mlir --transform=%t/children.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply %t/mixed.mlir --transform=%t/children.mlir --unchecked -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK
// RUN: formwork check --static %t/contract.mlir --transform=%t/patterns.mlir 2>&1 | FileCheck %s
// RUN: not formwork apply %t/contract.mlir --transform=%t/patterns.mlir --unchecked -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=STOCK

// RUN: sed 's/8x16xf16/8x16xf32/' %t/mixed.mlir > %t/one.mlir
// RUN: formwork check --static --strict %t/one.mlir --transform=%t/children.mlir
// RUN: formwork apply %t/one.mlir --transform=%t/children.mlir --validate -o %t/out.mlir

// CHECK: may make a contraction of factors of two types
// CHECK: : unproved: 0 errors
// STOCK: 'vector.contract' op failed to verify that lhs and rhs have same element type

//--- mixed.mlir
func.func @f(%a: tensor<1x8xf32>, %b: tensor<8x16xf16>, %c: tensor<1x16xf64>) -> tensor<1x16xf64> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x8xf32>, tensor<8x16xf16>) outs(%c : tensor<1x16xf64>) -> tensor<1x16xf64>
  return %0 : tensor<1x16xf64>
}

//--- contract.mlir
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @f(%a: vector<4x8xf16>, %b: vector<8x16xbf16>, %c: vector<4x16xf32>) -> vector<4x16xf32> {
  %x = arith.extf %a : vector<4x8xf16> to vector<4x8xf32>
  %y = arith.extf %b : vector<8x16xbf16> to vector<8x16xf32>
  %0 = vector.contract {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %x, %y, %c : vector<4x8xf32>, vector<8x16xf32> into vector<4x16xf32>
  return %0 : vector<4x16xf32>
}

//--- children.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %v = transform.structured.vectorize_children_and_apply_patterns %f {fold_type_extensions_into_contract} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- patterns.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %f {
      transform.apply_patterns.vector.fold_arith_extension
    } : !transform.any_op
    transform.yield
  }
}
