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
    to a joint fixpoint, then checks the form's predicates there. Payload that
    is known to be normal and has not changed is skipped.

    The handle is read, and stays valid; other handles follow the rewrites as
    they do in `transform.apply_patterns`. What that did silently to a handle
    that the schedule uses later is said in a remark, with the rule that did it:
    `fw-handle-shrunk` (ops were erased), `fw-handle-retargeted`,
    `fw-handle-duplicated` (CSE made two of its ops one), `fw-handle-moved` (an
    op left a loop that contained it).

    `verify_skips` runs what was skipped on a clone, and fails definitely
    (`fw-false-skip`) when that changes anything: a check of Formwork itself.

    A symbol table is normalized op by op; schedules in it stay as they are, so
    payload and schedule may share a module.

    Fails, silenceably and before any change, when a payload op is no anchor of
    the form (`fw-not-an-anchor`). Fails definitely, because the payload may be
    half rewritten, when the rules do not end (`fw-normalize-diverges`, with the
    rules that take part), a procedure fails (`fw-procedure-failed`), a
    predicate does not hold afterwards (`fw-form-not-reached`, with every
    violation), or an op of a handle that is used later was replaced by something
    else (`fw-handle-lost`).

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
    Checks that each payload op of the handle is in the form: that running the
    form's rules and procedures on a clone changes nothing, and that its
    predicates hold. The payload is not changed and the handle stays valid.

    Fails silenceably when a payload op is no anchor of the form
    (`fw-not-an-anchor`) or is not in it (`fw-form-violated`): one note for each
    violation of a predicate, with its clause id, and one with the rules that
    would fire.

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
    Stands behind step number `step` in a schedule that Formwork instrumented to
    compare what it inferred with what is there. It has no operands, because a
    use of a handle would keep the handle alive, and with it change what the
    steps before it do. Where nobody observes, it does nothing. Schedules are
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
