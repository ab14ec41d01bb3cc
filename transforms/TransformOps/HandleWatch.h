//===- HandleWatch.h - What rewriting did to handles ------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Transform dialect's tracking listener keeps handles up to date without a
// word. This listener stands before it and says afterwards what happened to the
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

/// Listens for one transform op. A handle is live when the schedule uses it
/// after that op.
class HandleWatch : public mlir::RewriterBase::ForwardingListener {
public:
  /// `rewriter` is what the interpreter hands to the op; its tracking listener
  /// hears everything after this one.
  HandleWatch(mlir::transform::TransformState &state, mlir::Operation *op,
              mlir::transform::TransformRewriter &rewriter);

  /// Remembers what the live handles hold below `anchor`, before it is changed.
  /// Cost: linear in the ops below.
  void watch(mlir::Operation *anchor);

  /// The procedure that runs now; empty for rules.
  void setProcedure(llvm::StringRef name) { procedure = name.str(); }

  /// One remark for each live handle and kind of event: fw-handle-shrunk,
  /// fw-handle-retargeted, fw-handle-duplicated, fw-handle-moved. Call when the
  /// rewriting is over.
  void explainHandles(engine::Findings &findings);

  /// An op of a live handle that was replaced by something that the tracking
  /// listener does not accept in its place.
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

  /// What is known of one watched op.
  struct Watched {
    std::string name;
    mlir::Operation *loop;  ///< innermost around it when the watch began
    std::string movedFrom;  ///< that loop's name
    std::string movedBy;    ///< rule of the last move, empty when never moved
    std::string replacedBy; ///< rule, empty when not replaced
    std::string erasedBy;   ///< rule, empty when alive
  };

  mlir::transform::TransformState &state;
  mlir::Operation *transformOp;
  mlir::transform::TransformRewriter &rewriter;
  const mlir::Pattern *pattern = nullptr;
  std::string procedure;
  std::optional<LostOp> lost;
  /// By address when the watch began; an entry of an op that is gone is not
  /// touched again, whatever is allocated there later.
  llvm::DenseMap<mlir::Operation *, Watched> watched;
  llvm::MapVector<mlir::Value, llvm::SmallVector<mlir::Operation *>> handles;
};

} // namespace formwork::transforms

#endif // FORMWORK_TRANSFORMS_TRANSFORMOPS_HANDLEWATCH_H
