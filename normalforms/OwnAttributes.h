//===- OwnAttributes.h - Attributes that op kinds define --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Caches the names of the attributes that kinds of op define themselves. Layer:
// normalforms.
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

/// For the ops of one context, which must outlive this object. Thread-safe.
class OwnAttributes {
public:
  /// Whether an op of one of `kinds` may have attributes of all `names` without
  /// being given one. Unregistered ops and ops of a dialect that is not loaded
  /// may. `*` and classes stand for every registered op. The texts of `kinds`
  /// must live as long as the context. Cost: linear in the ops of a kind at its
  /// first use, and linear in all ops at the first call; then constant.
  bool mayHaveAll(mlir::MLIRContext *context, llvm::ArrayRef<KindPattern> kinds,
                  llvm::ArrayRef<mlir::StringAttr> names);

private:
  /// The attributes of one registered op, or of all ops of a dialect.
  struct Known {
    bool isRegistered = false;
    llvm::ArrayRef<mlir::StringAttr> ofOp;
    llvm::DenseSet<mlir::StringAttr> ofSome;
  };
  bool mayHaveAll(mlir::MLIRContext *context, const KindPattern &kind,
                  llvm::ArrayRef<mlir::StringAttr> names);

  /// Updates the tables for dialects that were loaded since the last call.
  void readOps(mlir::MLIRContext *context);

  std::mutex mutex;
  size_t numOps = 0;
  llvm::StringMap<llvm::SmallVector<mlir::RegisteredOperationName, 0>>
      byDialect;
  /// Indexed by the address of the text, which is unique for each pattern.
  llvm::DenseMap<std::pair<const char *, size_t>, Known> known;
};

} // namespace formwork::normalforms

#endif // FORMWORK_NORMALFORMS_OWNATTRIBUTES_H
