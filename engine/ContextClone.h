//===- ContextClone.h - A clone of an anchor to try things on ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy of an anchor that rules see as they see the original, without copying
// the whole program around it. Layer: engine; it knows nothing of forms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_ENGINE_CONTEXTCLONE_H
#define FORMWORK_ENGINE_CONTEXTCLONE_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/PatternMatch.h"

namespace formwork::engine {

/// Owns a copy of the nearest isolated op around an anchor, nested in copies of
/// its ancestors that hold nothing else but the symbols that it refers to
/// (functions as declarations). Surroundings that `Fingerprinter::ofAnchor`
/// looks at are equal, so what rules do to the copy they do to the original.
/// Cost: linear in the isolated op.
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

/// Makes the regions and attributes of `target` those of `source`, which is
/// left empty; every op that was in `target` is erased through `rewriter`, so
/// that listeners hear of it.
void replaceBody(mlir::RewriterBase &rewriter, mlir::Operation *target,
                 mlir::Operation *source);

} // namespace formwork::engine

#endif // FORMWORK_ENGINE_CONTEXTCLONE_H
