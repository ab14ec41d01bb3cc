//===- ContextClone.h - A clone of an anchor to try things on ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of an anchor, in which rules see the same as in the original. The rest
// of the program is not copied. Layer: engine; it knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CONTEXTCLONE_H
#define FORMWORK_ENGINE_CONTEXTCLONE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::engine {

/// The nearest isolated op around `op`, or `op` itself; the outermost op where
/// none is isolated.
mlir::Operation *getIsolated(mlir::Operation *op);

/// Owns a copy of the nearest isolated op around an anchor. Copies of its
/// ancestors enclose this copy; they hold only the symbols that it refers to
/// (functions as declarations). The surroundings that `Fingerprinter::ofAnchor`
/// reads are equal, so rules do the same to the copy as to the original. Cost:
/// linear in the isolated op.
class ContextClone {
public:
  explicit ContextClone(mlir::Operation *anchor);
  ~ContextClone();
  ContextClone(const ContextClone &) = delete;
  ContextClone &operator=(const ContextClone &) = delete;

  /// The copy of the anchor.
  mlir::Operation *getAnchor() const { return anchor; }

private:
  mlir::Operation *root = nullptr;
  mlir::Operation *anchor = nullptr;
};

/// Moves the regions and attributes of `source` to `target`, which leaves
/// `source` empty. Erases every op in `target` through `rewriter`, so that
/// listeners are notified.
void replaceBody(mlir::RewriterBase &rewriter, mlir::Operation *target,
                 mlir::Operation *source);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CONTEXTCLONE_H
