//===- Reductions.h - Reductions in parts -----------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When a reduction can be computed in parts. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_MODELS_STRUCTURED_REDUCTIONS_H
#define FORMWORK_VERIFIER_MODELS_STRUCTURED_REDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace formwork::verifier {

/// Whether `op` has one sum, made by one op, that can begin with a neutral
/// element, so that parts of it can, too. For the minimum or maximum of type
/// index, which has no width, upstream looks for that element and does not end.
bool hasParts(mlir::linalg::LinalgOp op);

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_MODELS_STRUCTURED_REDUCTIONS_H
