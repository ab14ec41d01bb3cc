//===- KindNames.h - The op names of patterns -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context's names for the kinds that patterns spell out, each looked up
// once. Layer: verifier; it keeps what it was told.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_KINDNAMES_H
#define FORMWORK_VERIFIER_STATE_KINDNAMES_H

#include "verifier/state/KindSet.h"

#include "llvm/ADT/DenseMap.h"

namespace formwork::verifier {

class KindNames {
public:
  explicit KindNames(mlir::MLIRContext *context) : context(context) {}

  mlir::MLIRContext *getContext() const { return context; }
  /// Of a pattern that names one kind, and outlives this.
  mlir::OperationName get(const KindPattern &pattern) {
    llvm::StringRef kind = pattern.getKind();
    auto it = names.find({kind.data(), kind.size()});
    if (it != names.end())
      return it->second;
    mlir::OperationName name(kind, context);
    names.try_emplace({kind.data(), kind.size()}, name);
    return name;
  }

private:
  mlir::MLIRContext *context;
  /// By text, of which that of one pattern is in one place.
  llvm::DenseMap<std::pair<const char *, size_t>, mlir::OperationName> names;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_KINDNAMES_H
