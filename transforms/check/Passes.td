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

/// The options that all these passes share.
class ScheduleOptions {
  list<Option> common = [
    Option<"entryPoint", "entry-point", "std::string",
           /*default=*/"\"__transform_main\"", "Sequence that is the schedule">,
    ListOption<"formFiles", "forms", "std::string",
               "Files with further normal forms">,
    ListOption<"contractFiles", "contracts", "std::string",
               "Files with contracts of further transform operations">,
    ListOption<"libraryFiles", "transform-library", "std::string",
               "Files or folders with sequences that the schedule includes">,
    Option<"target", "target", "std::string", /*default=*/"\"\"",
           "GPU architecture whose limits hold (sm_90)">
  ];
}

def Check : Pass<"formwork-check", "::mlir::ModuleOp">, ScheduleOptions {
  let summary = "Check the schedule of a module on the rest of the module";
  let description = [{
    Reports the findings of `formwork check`, and changes nothing. The reasons
    for an unproved verdict are reported only if `unproved` is set. The schedule
    is the named sequence `entry-point`, beside the payload or in a nested
    module. A module that holds only sequences is a schedule without a payload.
    Fails if the schedule is refuted.

    Example:

    ```mlir
    // error: requires a valid handle but %1 is invalidated
    transform.structured.vectorize %1 : !transform.any_op
    ```
  }];
  let options = common # [
    Option<"requireForms", "require-forms", "bool", /*default=*/"false",
           "A required form that no step establishes is an error">,
    Option<"unproved", "unproved", "bool", /*default=*/"false",
           "Warn of the steps that are not proved">
  ];
}

def Normalize : Pass<"formwork-normalize", "::mlir::ModuleOp">,
                ScheduleOptions {
  let summary = "Insert the enabling steps that the schedule of a module needs";
  let description = [{
    Does the work of `formwork normalize` on the module instead of its text.
    Inserts `transform.normalform.normalize` in front of each step that requires
    or wants a form that does not hold there. The schedule is found as in
    `formwork-check`. Fails if the schedule is refuted.

    Example:

    ```mlir
    // inserted
    transform.normalform.normalize %func to @tensor.bufferizable
        : !transform.any_op
    transform.bufferization.one_shot_bufferize %module : (!transform.any_op)
        -> !transform.any_op
    ```
  }];
  let options = common # [
    Option<"onlyRequired", "only-required", "bool", /*default=*/"false",
           "Leave out what steps merely want">,
    Option<"goal", "goal", "std::string", /*default=*/"\"\"",
           "The form in which the payload must end">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Emit a remark for each insertion">
  ];
}

def Interpreter : Pass<"formwork-interpreter", "::mlir::ModuleOp">,
                  ScheduleOptions {
  let summary = "Check the schedule of a module, then run it on the rest";
  let description = [{
    Does the work of `formwork apply`. Refuses a schedule that is known to fail,
    selects values for open knobs, and runs the schedule on the rest of the
    module. Afterwards the schedule is the last operation of the module, unless
    `erase-schedule` is set. The schedule is found as in `formwork-check`.

    Example:

    ```mlir
    // error: requires a valid handle but %1 is invalidated; nothing runs
    transform.structured.vectorize %1 : !transform.any_op
    ```
  }];
  let options = common # [
    Option<"normalize", "normalize", "bool", /*default=*/"false",
           "Insert the enabling steps that the schedule needs">,
    Option<"unchecked", "unchecked", "bool", /*default=*/"false",
           "Skip the check before the run, and MLIR's expensive checks during the run">,
    Option<"eraseSchedule", "erase-schedule", "bool", /*default=*/"false",
           "Leave the schedule out of the result">
  ];
}

def PrintStates : Pass<"formwork-print-states", "::mlir::ModuleOp">,
                  ScheduleOptions {
  let summary = "Say what the verifier infers after every step of a schedule";
  let description = [{
    Emits a remark at each step. A note for each handle that changed and that a
    later step can name says whether the handle can be used, and what its
    payload and its forms are. Changes nothing. The options and the place of the
    schedule are those of `formwork-check`.

    Example:

    ```mlir
    // note: handle: valid; 1 linalg.matmul; in @linalg.on_tensors
    // remark: after this step
    %0 = transform.structured.match ops{["linalg.matmul"]} in %root
        : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let options = common # [
    Option<"all", "all", "bool", /*default=*/"false",
           "Note each handle at each step, not only what changed">,
    Option<"withForms", "with-forms", "bool", /*default=*/"true",
           "Note forms">
  ];
}

#endif // FORMWORK_TRANSFORMS_CHECK_PASSES
