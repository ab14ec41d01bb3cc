// Payload without a function or a module around it: regions use values from beside it.
// RUN: formwork check --static %s | FileCheck %s
// RUN: formwork apply %s | FileCheck %s --check-prefix=OUT

// CHECK: : proved: 0 errors, 0 warnings
// OUT: tensor.pad {{.*}} {
// OUT: {found}

%x = arith.constant 0.0 : f32
%a = tensor.empty() : tensor<6xf32>
%p = tensor.pad %a low[1] high[1] {
^bb0(%i: index):
  tensor.yield %x : f32
} : tensor<6xf32> to tensor<8xf32>
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["tensor.pad"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "found" : !transform.any_op
    transform.yield
  }
}
