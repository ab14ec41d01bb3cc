//===- OwnAttributes.h - What ops have without being given it ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The names of the attributes that kinds of op have of their own, kept for all
// that ask. Layer: normalforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_NORMALFORMS_OWNATTRIBUTES_H
#define FORMWORK_NORMALFORMS_OWNATTRIBUTES_H

#include "normalforms/KindPattern.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

namespace formwork::normalforms {

/// Of the ops of one context, which outlives it. May be asked from several
/// threads.
class OwnAttributes {
public:
  /// Whether an op of one of `kinds`, of which the texts live as long as the
  /// context, may have attributes of all `names` without being given one: each
  /// that is not registered may, and each of a dialect that is not loaded. `*`
  /// and classes stand for every registered op. Cost: once for a kind, linear
  /// in its ops, and once for all, in all ops; then constant.
  bool mayHaveAll(mlir::MLIRContext *context, llvm::ArrayRef<KindPattern> kinds,
                  llvm::ArrayRef<mlir::StringAttr> names);

private:
  /// Of one registered op, or of all of a dialect.
  struct Known {
    bool isRegistered = false;
    llvm::ArrayRef<mlir::StringAttr> ofOp;
    llvm::DenseSet<mlir::StringAttr> ofSome;
  };
  bool mayHaveAll(mlir::MLIRContext *context, const KindPattern &kind,
                  llvm::ArrayRef<mlir::StringAttr> names);

  /// Takes note of dialects that were loaded since.
  void readOps(mlir::MLIRContext *context);

  std::mutex mutex;
  size_t numOps = 0;
  llvm::StringMap<llvm::SmallVector<mlir::RegisteredOperationName, 0>>
      byDialect;
  /// By text, of which that of one pattern is in one place.
  llvm::DenseMap<std::pair<const char *, size_t>, Known> known;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_OWNATTRIBUTES_H
