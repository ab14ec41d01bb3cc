//===- FatalInput.h - Input that MLIR does not survive ----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refuses parsed IR on which a verifier, a printer or an accessor of MLIR
// crashes. Each check runs before the IR is verified. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_SCHEDULE_FATALINPUT_H
#define FORMWORK_TRANSFORMS_SCHEDULE_FATALINPUT_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace formwork::transforms {

/// Refuses a foreach whose body holds another operation than transform
/// operations: MLIR's verifier casts each of them without asking. Errors:
/// fw-not-a-transform-op.
llvm::LogicalResult checkForeachBodies(mlir::Block &block);

/// Refuses a list of sizes with more entries that stand for an operand than
/// there are operands. MLIR marks such an entry by the least 64-bit number; an
/// author who writes that number as a size makes MLIR read an operand that does
/// not exist. Also refuses fewer such entries, which only the generic form can
/// say: no verifier of MLIR looks at that. Errors: fw-size-sentinel.
llvm::LogicalResult checkSizeLists(mlir::Block &block);

/// Refuses an operation with an operand that the parser has lost: one that is
/// defined only in a region of the operation itself.
llvm::LogicalResult checkLostOperands(mlir::Block &block);

/// Refuses an operation that reads a value of another region than its own. To
/// verify an operation by itself checks only what it holds.
llvm::LogicalResult checkOperands(mlir::Operation &op);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_SCHEDULE_FATALINPUT_H
