//===- PayloadHistory.h - What steps did to the whole payload ---*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Changes of steps to some op of the payload, whichever, and when last.
// Layer: verifier; a value that knows no nodes.
//
//===----------------------------------------------------------------------===//

#ifndef FORMWORK_VERIFIER_STATE_PAYLOADHISTORY_H
#define FORMWORK_VERIFIER_STATE_PAYLOADHISTORY_H

#include "verifier/state/Node.h"

#include "llvm/ADT/SetVector.h"

namespace formwork::verifier {

/// Facts about the payload as a whole.
struct PayloadFacts {
  bool hidesAnyTag = false;
  /// Whether some node was ever known to have discardable attributes, or not
  /// known to have none.
  bool hasTags = false;
  llvm::SmallSetVector<mlir::StringAttr, 4> hiddenTags;
  /// Whether a node got a second way up, so that `isolatedAbove` of those below
  /// it says nothing any more.
  bool hasSecondWays = false;
  /// Whether a node was put elsewhere, or may have left where it was.
  bool hasMoved = false;
  bool hasLooseWays = false;
  Time lastMerge = 0;
  Time lastCopy = 0;
  bool dropsUses = false;
  bool isReordered = false;
  Time lastReslice = 0;
  Time lastFold = 0;
  Time lastViewFold = 0;
  /// When a vector with a mask was written to a tensor of a dynamic type; 0 if
  /// there is none.
  Time maskedAt = 0;
  /// Folding finds a size of such a tensor, perhaps, as it stands.
  bool masksOpenly = false;

  /// Holds on two paths as far as it holds on both.
  void join(const PayloadFacts &other);
};

/// Counts the steps, and says since when something may have happened.
class PayloadHistory : protected PayloadFacts {
public:
  /// The start of the next step.
  Time tick() { return ++now; }
  Time time() const { return now; }

  /// Ops of which there is no node may have discardable attributes from now on:
  /// a step copied or rewrote some.
  void hideTags() { hidesAnyTag = true; }
  /// Whether there is any discardable attribute that `hideTags` would hide.
  bool hasVisibleTags() const { return hasTags && !hidesAnyTag; }
  /// The discardable attributes of a node are about to change.
  void changeTags() { hasTags = true; }
  bool mayHideTag(mlir::StringAttr name) const {
    return hidesAnyTag || hiddenTags.contains(name);
  }
  /// Ops that were two may be one from now on.
  void mayMerge() { lastMerge = now; }
  bool mayHaveMerged(Time since) const { return lastMerge > since; }
  /// A step made, rewrote or erased ops: ops that only compute an index, a view
  /// or the like for them may have lost their last use. For structured ops and
  /// loops, models record this exactly.
  void mayDropUses() { dropsUses = true; }
  /// From now on, ops may stand in another order than they, or those in the
  /// place of which they were made, were given in.
  void mayReorder() { isReordered = true; }
  bool mayHaveReordered() const { return isReordered; }
  /// The step turned out to change nothing, as all before it.
  void keepsGivenOrder() { isReordered = false; }
  /// From now on, the ops below some anchor may be copies of the former ones.
  void mayReplaceByCopies() { lastCopy = now; }
  bool mayHaveReplacedByCopies(Time since) const { return lastCopy > since; }
  /// Slices that tiling took may be other ops from now on.
  void mayReslice() { lastReslice = now; }
  bool mayHaveResliced(Time since) const {
    return std::max(lastMerge, lastReslice) > since;
  }
  /// Folding may have put something else than a slice in the place of slices
  /// that tiling took: of a whole, or of values; with `ofViews`, of views of a
  /// part of a buffer, too.
  void mayFoldSlices(bool ofViews) {
    lastFold = now;
    if (ofViews)
      lastViewFold = now;
  }
  /// A vector with a mask is written to a tensor of a dynamic type from now on;
  /// `isOpen` says whether folding may find the size.
  void maskWrites(bool isOpen) {
    masksOpenly |= isOpen;
    maskedAt = maskedAt == 0 ? now : maskedAt;
  }
  /// Whether folding may find the size of such a tensor, so that it puts a cast
  /// behind the write.
  bool mayCastMasked() const {
    return masksOpenly ||
           (maskedAt != 0 && std::max(lastFold, lastReslice) > maskedAt);
  }
  /// The sizes are as open as they were, whatever was folded.
  void keepMasked() { maskedAt = maskedAt == 0 ? 0 : now; }
  /// Loops or slices may have been consumed.
  bool mayHaveRetaken(Time since) const { return lastReslice > since; }
  bool mayHaveFolded(Time since, bool isViewOfPart) const {
    return (isViewOfPart ? lastViewFold : lastFold) > since;
  }

protected:
  Time now = 0;
};

} // namespace formwork::verifier

#endif // FORMWORK_VERIFIER_STATE_PAYLOADHISTORY_H
