//===- TutorialOps.td - Operations of a plugin -------------*- tablegen -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the plugin of docs/tutorial adds to the Transform dialect: an operation,
// and a rule group. Nothing here knows of Formwork.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_DOCS_TUTORIAL_PLUGIN_TUTORIALOPS_TD
#define FORMWORK_DOCS_TUTORIAL_PLUGIN_TUTORIALOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def StripMineOp : Op<Transform_Dialect, "tutorial.strip_mine",
    [TransformOpInterface, TransformEachOpTrait,
     FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface]> {
  let summary = "puts the steps of a loop into strips";
  let description = [{
    Each `scf.for` of the handle becomes a loop over strips of `size` steps; in
    that loop, a new one over the steps of a strip has its body. Returns the loops
    over strips and the loops over steps.
  }];
  let cppNamespace = "::tutorial";
  let arguments = (ins TransformHandleTypeInterface:$target,
                       ConfinedAttr<I64Attr, [IntPositive]>:$size);
  let results = (outs TransformHandleTypeInterface:$strips,
                      TransformHandleTypeInterface:$steps);
  let assemblyFormat =
      "$target `size` `=` $size attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::scf::ForOp loop,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def MultiplyToShiftOp
    : Op<Transform_Dialect, "apply_patterns.tutorial.multiply_to_shift",
         [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>]> {
  let summary = "multiplies integers by powers of two with shifts";
  let cppNamespace = "::tutorial";
  let assemblyFormat = "attr-dict";
}

#endif // FORMWORK_DOCS_TUTORIAL_PLUGIN_TUTORIALOPS_TD
