// Only the pass knows the meaning of a text that it takes as an option: nothing is proved of a step
// that is given one. A word of the pass, or the text that it has by default, is another matter.
// RUN: split-file %s %t
// RUN: not formwork check --no-payload %t/layout.mlir --strict 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not formwork check --no-payload %t/number.mlir --strict 2>&1 | FileCheck %s --check-prefix=LAYOUT

// LAYOUT: is payload for which its contract was not tested: option 'data-layout' is a text of which only the pass knows what it means [fw-unproved]

//--- layout.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %r = transform.apply_registered_pass "set-llvm-module-datalayout" with options = {"data-layout" = "nonsense"} to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

//--- number.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.consumed}) {
    %r = transform.apply_registered_pass "set-llvm-module-datalayout" with options = {"data-layout" = 127 : i64} to %m : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
