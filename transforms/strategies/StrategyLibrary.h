//===- StrategyLibrary.h - What makes kernels of operations -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strategies of one or more files: which operations each is for, and what
// it decides. strategies/gpu.mlir explains the format. Layer: transforms; it
// knows nothing of a payload as a whole.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_STRATEGIES_STRATEGYLIBRARY_H
#define FORMWORK_TRANSFORMS_STRATEGIES_STRATEGYLIBRARY_H

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace formwork::transforms {

/// The text of the shipped strategies for GPUs.
llvm::StringRef getShippedStrategies();

/// The operations that may join the kernel of an operation.
enum class FuseMode {
  Epilogue, ///< behind a contraction, what is elementwise
  Rows,     ///< what is computed of the same rows
  Points,   ///< what is computed element by element
  Loops     ///< around a loop nest, what fills it and is elementwise
};

/// One strategy of a file; the numbers are explained in strategies/gpu.mlir.
struct Strategy {
  std::string name;
  FuseMode fuse = FuseMode::Loops;
  llvm::SmallVector<int64_t, 2> tile;     ///< rows, columns
  llvm::SmallVector<int64_t, 3> multiple; ///< of rows, columns and steps
  int64_t step = 0, elements = 0, threads = 0;
  mlir::transform::NamedSequenceOp matcher, threadSequence;

  /// Whether the matcher succeeds on `op`. Emits nothing; a matcher that fails
  /// for good does not match.
  bool matches(mlir::Operation *op) const;
};

/// The strategies in the order in which they are tried.
struct StrategyLibrary {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<Strategy> strategies;
  /// The sequence that runs on the payload first, or null.
  mlir::transform::NamedSequenceOp prepare;
};

/// The name of the sequence that prepares a payload.
inline constexpr llvm::StringLiteral prepareSequenceName = "prepare";

/// The name that stands for the shipped strategies among names of files.
inline constexpr llvm::StringLiteral kShippedStrategies = "gpu";

/// Reads the strategies of `names`: those that are shipped, or of a file. Where
/// two files define a sequence of one name, the first counts. Error:
/// fw-strategy-library, and those of the parser.
llvm::FailureOr<StrategyLibrary>
loadStrategies(mlir::MLIRContext *context, llvm::ArrayRef<std::string> names);

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_STRATEGIES_STRATEGYLIBRARY_H
