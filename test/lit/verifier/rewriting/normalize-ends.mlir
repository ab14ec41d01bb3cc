// That normalization comes to an end is known of what a built-in form runs, and of rules of which
// that is said, in turns with procedures that end with any.
// RUN: split-file %s %t
// RUN: sed 's/@FORM/@same/' %t/schedule.mlir > %t/same.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/same.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: sed 's/@FORM/@of_rules/' %t/schedule.mlir > %t/rules.mlir
// RUN: formwork check %t/payload.mlir --transform=%t/rules.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=PROVED
// RUN: sed 's/@FORM/@circle/' %t/schedule.mlir > %t/circle.mlir
// RUN: formwork check --static --no-payload %t/circle.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=CIRCLE
// RUN: not formwork check --static %t/payload.mlir --transform=%t/circle.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=TURNS
// RUN: sed 's/@FORM/@of_pass/' %t/schedule.mlir > %t/pass.mlir
// RUN: formwork check --static --no-payload %t/pass.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not formwork check --static %t/payload.mlir --transform=%t/pass.mlir --forms=%t/forms.mlir 2>&1 | FileCheck %s --check-prefix=FAILS
// RUN: not formwork apply %t/payload.mlir --transform=%t/pass.mlir --forms=%t/forms.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAILS
// PROVED: : proved: 0 errors
// CIRCLE: cannot prove that 'transform.normalform.normalize' succeeds: applies {{.*}}, which together may not terminate
// CIRCLE: : unproved: 0 errors
// PASS: cannot prove that 'transform.normalform.normalize' succeeds: normalizes to @of_pass, which may not terminate
// PASS: : unproved: 0 errors
// TURNS: error: normalization to @circle does not end [fw-normalize-diverges]
// TURNS: note: the rules undo each other: {{.*}}StoreOpOfSubViewOpFolder
// FAILS: normalization to @of_pass does not end [fw-normalize-diverges]

//--- forms.mlir
normalform.form @same summary "what a built-in form runs" refines [@canonical] {
}
normalform.form @of_rules summary "rules and procedures that end" {
  transform.apply_patterns.scf.for_loop_canonicalization
  normalform.procedure "licm"
}
normalform.form @circle summary "rules that undo each other" {
  transform.apply_patterns.memref.fold_memref_alias_ops
  transform.apply_patterns.memref.extract_address_computations
}
normalform.form @of_pass summary "constants in another order each time" {
  normalform.procedure "pass:sccp"
}

//--- payload.mlir
func.func @f(%m: memref<8xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c2 {
    %j = arith.addi %i, %c1 : index
    memref.store %v, %m[%j] : memref<8xf32>
  }
  return
}

//--- schedule.mlir
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %func = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    transform.normalform.normalize %func to @FORM : !transform.any_op
    transform.yield
  }
}
