// The stock interpreter with Formwork's operations, and Formwork's own passes, in
// the stock mlir-opt.
// REQUIRES: plugin
// RUN: mlir-opt %load-plugin %s --transform-interpreter | FileCheck %s
// RUN: mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-interpreter)' | FileCheck %s
// RUN: mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-interpreter{erase-schedule target=sm_90})' \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ERASED
// RUN: mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-normalize)' --mlir-disable-threading | FileCheck %s --check-prefix=NORMALIZED
// RUN: mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-normalize{only-required})' \
// RUN:   | FileCheck %s --check-prefix=REQUIRED
// RUN: mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-interpreter{normalize})' | FileCheck %s

// Normalized payload is normal: the second run inserts nothing.
// RUN: mlir-opt %load-plugin %s --pass-pipeline='builtin.module(formwork-normalize)' -o %t.1.mlir
// RUN: mlir-opt %load-plugin %t.1.mlir --pass-pipeline='builtin.module(formwork-normalize)' -o %t.2.mlir
// RUN: diff %t.1.mlir %t.2.mlir

// A host that has Formwork already takes the plugin, too.
// RUN: formwork-opt %load-plugin %s --formwork-interpreter | FileCheck %s
// RUN: formwork check %load-plugin %s | FileCheck %s --check-prefix=TOOL
// RUN: mlir-opt %load-plugin %load-plugin %s --pass-pipeline='builtin.module(formwork-interpreter)' | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NOT: arith.addi
// CHECK: return
// ERASED-NOT: named_sequence
// NORMALIZED: transform.normalform.normalize
// NORMALIZED: transform.structured.match
// REQUIRED: transform.normalform.normalize {{.*}} to @driver
// REQUIRED-NOT: transform.normalform.normalize
// TOOL: 0 errors

module attributes {transform.with_named_sequence} {
  func.func @f() -> index {
    %a = arith.constant 1 : index
    %b = arith.constant 1 : index
    %c = arith.addi %a, %b : index
    return %c : index
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.normalform.normalize %root to @driver : !transform.any_op
    %constants = transform.structured.match ops{["arith.constant"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.annotate %constants "constant" : !transform.any_op
    transform.yield
  }
}
