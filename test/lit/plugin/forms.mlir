// A user's forms and contracts in the stock mlir-opt: options of the host, behind
// those that load the plugin, or options of the passes.
// REQUIRES: plugin
// RUN: split-file %s %t
// RUN: mlir-opt %load-plugin --formwork-forms=%t/forms.mlir %t/schedule.mlir --pass-pipeline='builtin.module(formwork-interpreter)' | FileCheck %s
// RUN: not mlir-opt %load-plugin %t/schedule.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: mlir-opt %load-plugin --formwork-forms=%t/forms.mlir %t/schedule.mlir \
// RUN:   --pass-pipeline='builtin.module(formwork-check{forms=%t/forms.mlir contracts=%t/contracts.mlir})' -o /dev/null
// RUN: not mlir-opt %load-plugin %t/plain.mlir \
// RUN:   --pass-pipeline='builtin.module(formwork-check{contracts=%t/contracts.mlir})' 2>&1 | FileCheck %s --check-prefix=CONTRACT
// RUN: mlir-opt %load-plugin %t/plain.mlir \
// RUN:   --pass-pipeline='builtin.module(formwork-check{forms=%t/forms.mlir contracts=%t/contracts.mlir},formwork-check{forms=%t/forms.mlir})' -o /dev/null
// RUN: not mlir-opt %load-plugin --formwork-contracts=%t/contracts.mlir %t/plain.mlir --pass-pipeline='builtin.module(formwork-check)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CONTRACT

// CHECK: return
// UNKNOWN: error: requires a declared form but has @mine.folded {{.*}}[fw-unknown-form]
// CONTRACT: error: {{.*}}@mine.folded {{.*}}[fw-unknown-form]

//--- forms.mlir
normalform.form @mine.folded summary "folded" refines [@driver] {
  normalform.procedure "cse"
}
//--- contracts.mlir
normalform.contract "transform.mine.op" complete {
  normalform.wants @mine.folded of 0 otherwise "it finds less"
}
//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.normalform.normalize %root to @mine.folded : !transform.any_op
    transform.yield
  }
}
//--- plain.mlir
module attributes {transform.with_named_sequence} {
  func.func @f() { return }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    transform.yield
  }
}
