//===- Rephrasing.h - Payload ops said in another way -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The op that upstream makes of one in another notation: generic instead of
// named, with its loops in another order. Found out on a copy, so that nothing
// of the payload changes. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_REPHRASING_H
#define FORMWORK_VERIFIER_STATE_REPHRASING_H

#include "normalforms/CopiedOp.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>

namespace formwork::verifier {

struct Rephrasing {
  /// Null if there is none.
  mlir::Operation *made = nullptr;
  /// It has the same operands, in the same order.
  bool keepsOperands = false;
};

/// The ops that were made live as long as this does.
///
/// Example: of a linalg.fill, `get(fill, "generalize", …)` is a linalg.generic
/// that yields its first argument, in a module of its own.
class Rephrasings {
public:
  using Rewrite = llvm::function_ref<mlir::Operation *(mlir::Operation *copy)>;
  /// The result of `rewrite` on a copy of `op`; none if it returns null or
  /// leaves invalid IR. The rewrite is called `name`, and runs once for each
  /// op.
  Rephrasing get(mlir::Operation *op, llvm::StringRef name, Rewrite rewrite);

private:
  struct Owned {
    std::unique_ptr<normalforms::CopiedOp> copy;
    Rephrasing rephrasing;
  };
  llvm::DenseMap<std::pair<mlir::Operation *, mlir::StringAttr>, Owned> all;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_REPHRASING_H
