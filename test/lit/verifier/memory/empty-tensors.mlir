// The analysis that tensor.empty ops are eliminated by does not fail on ops with regions that
// MLIR knows, nor on calls.
// RUN: formwork check --static %s --strict
// RUN: formwork apply %s --validate -o %t.mlir

module attributes {transform.with_named_sequence} {
  func.func private @g(tensor<8xf32>) -> tensor<8xf32>
  func.func @f(%a: tensor<8xf32>, %c: i1, %n: index) -> tensor<8xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %x = arith.constant 1.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %o = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.exp ins(%0 : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    %2 = scf.for %i = %c0 to %n step %c1 iter_args(%r = %1) -> tensor<8xf32> {
      %4 = scf.if %c -> tensor<8xf32> {
        scf.yield %a : tensor<8xf32>
      } else {
        scf.yield %r : tensor<8xf32>
      }
      scf.yield %4 : tensor<8xf32>
    }
    %3 = func.call @g(%2) : (tensor<8xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %f = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.structured.eliminate_empty_tensors %f : !transform.any_op
    transform.yield
  }
}
