//===- NormalFormTransformOps.td - normalize and assert ----*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Transform-dialect ops that bring forms into schedules. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_TD
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def NormalizeOp : Op<Transform_Dialect, "normalform.normalize",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "rewrites payload to a normalform";
  let description = [{
    Runs the rules and procedures of a form below each payload op of the handle,
    to a joint fixpoint, and then checks the form's predicates. Payload that is
    known to be normal and has not changed is skipped.

    The handle is read, and stays valid. Other handles follow the rewrites as
    they do in `transform.apply_patterns`. If a handle that the schedule uses
    later changed silently, a remark names the change and the rule that made it:
    `fw-handle-shrunk` (ops were erased), `fw-handle-retargeted`,
    `fw-handle-duplicated` (CSE merged two of its ops), `fw-handle-moved` (an op
    left a loop that contained it).

    `verify_skips` checks Formwork itself: it runs the rules on a clone of each
    skipped op, and fails definitely (`fw-false-skip`) if that changes anything.

    A symbol table is normalized op by op. Schedules in it stay as they are, so
    payload and schedule may share a module.

    Fails, silenceably and before any change, if a payload op is no anchor of
    the form (`fw-not-an-anchor`). Other failures are definite, because the
    payload may be half rewritten: the rules do not end
    (`fw-normalize-diverges`, with the rules that take part), a procedure fails
    (`fw-procedure-failed`), a predicate does not hold afterwards
    (`fw-form-not-reached`, with every violation), or an op of a handle that is
    used later was replaced by something else (`fw-handle-lost`).

    Example:

    ```mlir
    transform.normalform.normalize %func to @linalg.tiled : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       FlatSymbolRefAttr:$form,
                       UnitAttr:$verify_skips);
  let results = (outs);
  let assemblyFormat = "$target `to` $form attr-dict `:` type($target)";
  let hasVerifier = 1;
}

def AssertOp : Op<Transform_Dialect, "normalform.assert",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "fails unless payload is in a normalform";
  let description = [{
    Checks that each payload op of the handle is in the form: running the form's
    rules and procedures on a clone changes nothing, and its predicates hold.
    The payload is not changed, and the handle stays valid.

    Fails silenceably if a payload op is no anchor of the form
    (`fw-not-an-anchor`) or is not in the form (`fw-form-violated`). There is
    one note for each violation of a predicate, with its clause id, and one with
    the rules that would fire.

    Example:

    ```mlir
    transform.normalform.assert %module is @bufferized : !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
                       FlatSymbolRefAttr:$form);
  let results = (outs);
  let assemblyFormat = "$target `is` $form attr-dict `:` type($target)";
  let hasVerifier = 1;
}

def ObserveOp : Op<Transform_Dialect, "normalform.observe",
    [DeclareOpInterfaceMethods<TransformOpInterface>,
     DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a point at which validation looks at the payload";
  let description = [{
    Marks the end of step number `step` in a schedule that Formwork instrumented
    to compare its inferred facts with the real payload. The op has no operands,
    because a use of a handle would keep the handle alive and could change what
    earlier steps do. Without an observer, the op does nothing. Schedules are
    not meant to contain it.

    Example:

    ```mlir
    transform.normalform.observe 3
    ```
  }];
  let arguments = (ins I64Attr:$step);
  let results = (outs);
  let assemblyFormat = "$step attr-dict";
}

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_NORMALFORMTRANSFORMOPS_TD
