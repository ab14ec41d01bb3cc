//===- HandleWatch.h - Reports what rewriting did to handles ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Transform dialect's tracking listener updates handles silently. This
// listener stands in front of it and reports afterwards what happened to the
// handles that the schedule still uses. Layer: transforms.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_TRANSFORMS_TRANSFORMOPS_HANDLEWATCH_H
#define FORMWORK_TRANSFORMS_TRANSFORMOPS_HANDLEWATCH_H

#include "engine/Diagnostics.h"

#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

#include <optional>
#include <string>

namespace formwork::transforms {

/// Listens during one transform op. A handle is live if the schedule uses it
/// after that op.
class HandleWatch : public mlir::RewriterBase::ForwardingListener {
public:
  /// `rewriter` is the one that the interpreter hands to the op. Its tracking
  /// listener gets each notification after this listener.
  HandleWatch(mlir::transform::TransformState &state, mlir::Operation *op,
              mlir::transform::TransformRewriter &rewriter);

  /// Remembers the ops below `anchor` that live handles hold, before they
  /// change. Cost: linear in the ops below.
  void watch(mlir::Operation *anchor);

  /// Sets the name of the procedure that runs now; empty while rules run.
  void setProcedure(llvm::StringRef name) { procedure = name.str(); }

  /// Adds one remark for each live handle and kind of event: fw-handle-shrunk,
  /// fw-handle-retargeted, fw-handle-duplicated, fw-handle-moved. Call it after
  /// the rewriting.
  void explainHandles(engine::Findings &findings);

  /// An op of a live handle whose replacement the tracking listener does not
  /// accept.
  struct LostOp {
    std::string name;
    std::string rule;
    mlir::Location loc;
    std::optional<mlir::Location> handle;
  };
  const std::optional<LostOp> &getLostOp() const { return lost; }

  void notifyPatternBegin(const mlir::Pattern &pattern,
                          mlir::Operation *op) override;
  void notifyPatternEnd(const mlir::Pattern &pattern,
                        llvm::LogicalResult status) override;
  void notifyOperationReplaced(mlir::Operation *op,
                               mlir::ValueRange values) override;
  void notifyOperationReplaced(mlir::Operation *op,
                               mlir::Operation *replacement) override;
  void notifyOperationErased(mlir::Operation *op) override;
  void notifyOperationInserted(mlir::Operation *op,
                               mlir::OpBuilder::InsertPoint previous) override;

private:
  std::string getRule() const;

  /// The history of one watched op.
  struct Watched {
    std::string name;
    mlir::Operation
        *loop; ///< the innermost loop around the op at the start of the watch
    std::string movedFrom; ///< the name of the loop that the op left
    std::string
        movedBy; ///< rule of the last move, empty if the op did not move
    std::string replacedBy; ///< rule, empty if the op was not replaced
    std::string erasedBy;   ///< rule, empty when alive
  };

  mlir::transform::TransformState &state;
  mlir::Operation *transformOp;
  mlir::transform::TransformRewriter &rewriter;
  const mlir::Pattern *pattern = nullptr;
  std::string procedure;
  std::optional<LostOp> lost;
  /// Maps the address at the start of the watch to the history. The entry of an
  /// erased op is never updated again, even if a new op gets the same address.
  llvm::DenseMap<mlir::Operation *, Watched> watched;
  llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Operation *>> handles;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_HANDLEWATCH_H
