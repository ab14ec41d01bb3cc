//===- PadSizes.h - Dynamic sizes of paddings -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR asks a tensor.pad for its dynamic sizes where it makes a tensor or a
// buffer of its type (reifyResultShapes), and takes each of them for a value. A
// size may fold to a number, although the type has none: then MLIR reads memory
// that is not its own. Layer: verifier; for the models of such steps.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_PADSIZES_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_PADSIZES_H

#include "verifier/step/Step.h"

namespace formwork::verifier {

/// The reason why a step on such a padding is not proved.
inline constexpr llvm::StringLiteral foldedPadSize =
    "asks a padding for a size that may be a number, on which MLIR crashes";

/// Whether a dynamic size of `pad`, a tensor.pad, may fold to a number.
bool mayFoldSizes(const Step &step, NodeId pad);

/// Whether that may be so for a padding that a result of `target` is written
/// to.
bool mayWriteToFoldedPad(const Step &step, NodeId target);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_PADSIZES_H
