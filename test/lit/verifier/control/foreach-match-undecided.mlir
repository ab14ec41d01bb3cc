// A matcher that may fail for good, or not match: the next one may be asked.

// RUN: %formwork check --static %s 2>&1 | FileCheck %s
// CHECK: warning: {{.*}}[fw-matcher-failed]
// CHECK: unproved: 0 errors

module {
  func.func @f(%arg0: memref<16x4xi8>, %arg1: memref<4x?xi8>, %arg2: memref<16x?xi8>) {
    linalg.matmul {t} ins(%arg0, %arg1 : memref<16x4xi8>, memref<4x?xi8>) outs(%arg2 : memref<16x?xi8>)
    return
  }
module attributes {transform.with_named_sequence} {
  transform.named_sequence @part1(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.match.structured failures(suppress) %arg0 : (!transform.any_op) -> !transform.any_op {
    ^bb0(%arg1: !transform.any_op):
      %1 = transform.match.structured.result %arg1[0] single : (!transform.any_op) -> !transform.any_op
      transform.match.structured.yield %arg1 : !transform.any_op
    }
    transform.yield %0 : !transform.any_op
  }
  transform.named_sequence @part2(%arg0: !transform.any_op {transform.consumed}) {
    transform.yield 
  }
  transform.named_sequence @part3(%arg0: !transform.any_op {transform.readonly}) -> !transform.any_op {
    %0 = transform.get_result %arg0[0] : (!transform.any_op) -> !transform.any_value
    %1 = transform.match.structured %arg0 : (!transform.any_op) -> !transform.any_op {
    ^bb0(%arg1: !transform.any_op):
      transform.match.structured.yield %arg1 : !transform.any_op
    }
    transform.yield %1 : !transform.any_op
  }
  transform.named_sequence @part8(%arg0: !transform.any_op {transform.readonly}) {
    transform.yield 
  }
  transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.consumed}) {
    %updated_root = transform.foreach_match in %arg0 
        @part1 -> @part2, 
        @part3 -> @part8 : (!transform.any_op) -> !transform.any_op
    transform.yield 
  }
}
}
