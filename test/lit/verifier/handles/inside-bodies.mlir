// Ops in the body of a structured op die with it: also branches, of which the query does not tell
// where they are.
// RUN: formwork check --static --split-input-file %s 2>&1 | FileCheck %s
// CHECK-NOT: : proved

func.func @f(%a: tensor<12x8xf32>, %b: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<12x8xf32>) outs(%b : tensor<12x8xf32>) {
  ^bb0(%x: f32, %y: f32):
    %c = arith.cmpf ogt, %x, %zero : f32
    %s = scf.if %c -> f32 {
      %e = math.exp %x : f32
      scf.yield %e : f32
    } else {
      scf.yield %y : f32
    }
    linalg.yield %s : f32
  } -> tensor<12x8xf32>
  return %r : tensor<12x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %first = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %part, %loop = transform.structured.tile_using_for %first tile_sizes [5] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %branch = transform.structured.match ops{["scf.if"]} in %root : (!transform.any_op) -> !transform.any_op
    %generic = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %tile, %inner = transform.structured.tile_using_for %generic tile_sizes [3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    // CHECK: [[@LINE+1]]:{{.*}} requires a valid handle but %branch {{may be|is}} invalidated
    transform.annotate %branch "used.again" : !transform.any_op
    transform.yield
  }
}

// -----

// One handle to ops and to what they may hold: the second is gone with the first.
func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.exp ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %clean = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %clean {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    %both = transform.structured.match ops{["linalg.exp", "linalg.yield"]} in %root : (!transform.any_op) -> !transform.any_op
    // CHECK: [[@LINE+1]]:{{.*}}: {{warning|error}}:
    %generic = transform.structured.generalize %both : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
