//===- DebugScopes.h - Places of code that is compiled ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lets the locations of a module in LLVM's dialect reach LLVM IR, so that what
// is found when its code runs has a place. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_EMULATE_DEBUGSCOPES_H
#define FORMWORK_TRANSFORMS_EMULATE_DEBUGSCOPES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace formwork::transforms::emulate {

/// The discriminator of the scope of a step's place.
inline constexpr unsigned kStepDiscriminator = 0x51e9;

/// Gives each function of `module` a debug scope. An inlined operation is at
/// the place that `engine::findSourcePlace` finds in its calls: MLIR's own pass
/// would crash on one that stands outside of functions, as the declaration that
/// an inlined operation needs does, and on one whose callee names no file.
/// An operation that is marked with a step of the schedule (StepPlaces.h) is as
/// if inlined at that step, in a scope with `kStepDiscriminator`.
llvm::LogicalResult addDebugScopes(mlir::ModuleOp module);

} // namespace formwork::transforms::emulate

#endif // FORMWORK_TRANSFORMS_EMULATE_DEBUGSCOPES_H
