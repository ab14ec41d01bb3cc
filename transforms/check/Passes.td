//===- Passes.td - The verifier as passes ------------------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_CHECK_PASSES
#define FORMWORK_TRANSFORMS_CHECK_PASSES

include "mlir/Pass/PassBase.td"

def Check : Pass<"formwork-check", "::mlir::ModuleOp"> {
  let summary = "Check the schedule of a module on the rest of the module";
  let description = [{
    Reports what `formwork check` reports, but for the reasons of what is
    unproved unless `unproved` is set, and changes nothing. The schedule is the
    named sequence `entry-point`, beside the payload or in a nested module; a
    module of nothing but sequences is a schedule without a payload. Fails when
    the schedule is refuted.

    Example:

    ```mlir
    // error: requires a valid handle but %1 is invalidated
    transform.structured.vectorize %1 : !transform.any_op
    ```
  }];
  let options = [
    Option<"entryPoint", "entry-point", "std::string",
           /*default=*/"\"__transform_main\"", "Sequence that is the schedule">,
    Option<"requireForms", "require-forms", "bool", /*default=*/"false",
           "A required form that no step establishes is an error">,
    Option<"unproved", "unproved", "bool", /*default=*/"false",
           "Warn of the steps that are not proved">
  ];
}

def PrintStates : Pass<"formwork-print-states", "::mlir::ModuleOp"> {
  let summary = "Say what the verifier infers after every step of a schedule";
  let description = [{
    Emits a remark at each step, with a note for each handle that a next step can
    name and that changed: whether it can be used, its payload, and its forms.
    Changes nothing. Options and the place of the schedule as for
    `formwork-check`.

    Example:

    ```mlir
    // note: handle: valid; 1 linalg.matmul; in @linalg.on_tensors
    // remark: after this step
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let options = [
    Option<"entryPoint", "entry-point", "std::string",
           /*default=*/"\"__transform_main\"", "Sequence that is the schedule">,
    Option<"all", "all", "bool", /*default=*/"false",
           "Note each handle at each step, not only what changed">,
    Option<"forms", "forms", "bool", /*default=*/"true", "Note forms">
  ];
}

#endif // FORMWORK_TRANSFORMS_CHECK_PASSES
