//===- Control.h - Models of ops with regions -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How control flows through sequences, includes and alternatives (DESIGN §5).
// Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_CONTROL_CONTROL_H
#define FORMWORK_VERIFIER_MODELS_CONTROL_CONTROL_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

class Walker;

/// Whether `callee` can be entered; reports and returns false for a sequence
/// that is being interpreted.
bool enterCallee(const Step &step, Walker &walk,
                 mlir::transform::NamedSequenceOp callee);

/// The sequence that `op` calls by `name`; reports and returns null when
/// there is none, or none with a body. `what`: what it is in words.
mlir::transform::NamedSequenceOp lookupSequence(const Step &step,
                                                mlir::SymbolRefAttr name,
                                                llvm::StringRef what);

void visitRegionsConservatively(const Step &step, Walker &walk);

/// The effect of an op of which no contract says what it does: any, within what
/// its side effects allow.
void applyUnknown(const Step &step, Walker &walk);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_CONTROL_CONTROL_H
