//===- CleanUp.cpp - What clean-up may do to one op -----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/state/CleanUp.h"

#include "verifier/payload/Kinds.h"
#include "verifier/payload/StructuredFolding.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

/// Whether the loop of `node` is of a kind that folds.
static bool foldsLoop(const Node &node, Folding folds) {
  return node.loop->isForall ? folds == Folding::All : folds != Folding::None;
}

/// Whether a structured op computes nothing, so that upstream may erase it: it
/// iterates, or has a buffer, without elements.
static bool isWithoutElements(const Node &node) {
  Operation *op = node.op ? node.op : node.body;
  auto isEmpty = [](Type type) {
    auto memref = dyn_cast<MemRefType>(type);
    return memref && llvm::is_contained(memref.getShape(), 0);
  };
  return llvm::any_of(node.space->loops,
                      [](const Extent &loop) { return loop.size == 0; }) ||
         (op && llvm::any_of(op->getOperandTypes(), isEmpty));
}

bool formwork::verifier::survivesCleanUp(const Node &node, Folding folds) {
  if (!node.kind)
    return false;
  if (node.kind.isIsolated())
    return true;
  if (!node.live)
    return false;
  if (isNeverFolded(*node.kind))
    return true;
  if (node.loop) {
    if (!node.loop->doesWork || !foldsLoop(node, folds))
      return node.loop->doesWork;
    // Loops that are mapped to hardware keep their dimensions, even of size 1.
    bool isMapped = node.loop->isForall && !node.loop->mapping.empty();
    return llvm::all_of(node.loop->trips, [&](const Extent &trip) {
      return trip.size ? *trip.size > 1 || (isMapped && *trip.size == 1)
                       : isMapped;
    });
  }
  if (!node.space || isWithoutElements(node))
    return false;
  return resistsFolding(*node.kind, node.body);
}

bool formwork::verifier::mayBecomeAnother(const Node &node, Folding folds) {
  return !survivesCleanUp(node, folds) && mayPassOn(node.body);
}

bool formwork::verifier::mayBeCast(const Node &node, Folding folds) {
  if (folds == Folding::None)
    return false;
  if (node.loop)
    return node.loop->hasResults;
  return node.space && node.space->onTensors &&
         !llvm::all_of(node.space->loops,
                       [](const Extent &loop) { return loop.isStatic(); });
}

bool formwork::verifier::mayBeBared(const Node &node, Folding folds) {
  if (folds != Folding::All || !node.kind)
    return false;
  return isRebuiltBare(*node.kind) &&
         (!node.loop ||
          (node.loop->hasResults && !node.loop->hasStaticResults));
}

bool formwork::verifier::mayVanish(const Node &node, Folding folds) {
  if (!node.kind || survivesCleanUp(node, folds))
    return false;
  if (!node.live || !node.loop)
    return true;
  return foldsLoop(node, folds) &&
         llvm::any_of(node.loop->trips, [&](const Extent &trip) {
           // A forall that loses a dimension gets a copy of its body.
           if (node.loop->isForall)
             return !trip.size || *trip.size <= 1;
           // A tiled op is assumed to have a size.
           return trip.size ? *trip.size < 1 : !node.fresh;
         });
}

bool formwork::verifier::mayTakeContents(const Node &node, Folding folds) {
  return node.hasBelow && mayVanish(node, folds);
}

bool formwork::verifier::isCopied(const Node &node) {
  return (node.loop && node.loop->isForall && node.live) ||
         (node.kind && isRebuiltByCopy(*node.kind));
}

bool formwork::verifier::mayReshape(const Node &node, Folding folds) {
  if (!node.loop || !foldsLoop(node, folds))
    return false;
  bool dropsResults = node.op && node.loop->hasResults &&
                      llvm::any_of(node.op->getResults(), [](Value result) {
                        return result.use_empty();
                      });
  return dropsResults ||
         (node.loop->isForall && node.live && !survivesCleanUp(node));
}

bool formwork::verifier::dependsOnLoops(const Node &node) {
  if (!node.fresh)
    return false;
  return node.loop ||
         (node.space && llvm::is_contained(node.space->iterators,
                                           utils::IteratorType::reduction));
}
