//===- ContextClone.cpp - A clone of an anchor to try things on -*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "engine/ContextClone.h"

#include "engine/Fingerprint.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace formwork::engine;

namespace {
/// The indices of region, block and op at each level between an op and one of
/// its ancestors, innermost first.
struct Step {
  unsigned region;
  unsigned block;
  unsigned op;
};
} // namespace

Operation *formwork::engine::getIsolated(Operation *op) {
  while (!op->hasTrait<OpTrait::IsIsolatedFromAbove>() && op->getParentOp())
    op = op->getParentOp();
  return op;
}

static SmallVector<Step> getPath(Operation *op, Operation *ancestor) {
  SmallVector<Step> path;
  for (; op != ancestor; op = op->getParentOp()) {
    Block *block = op->getBlock();
    path.push_back(
        {op->getParentRegion()->getRegionNumber(),
         unsigned(
             std::distance(block->getParent()->begin(), block->getIterator())),
         unsigned(std::distance(block->begin(), op->getIterator()))});
  }
  return path;
}

static Operation *followPath(Operation *op, ArrayRef<Step> path) {
  for (const Step &step : llvm::reverse(path)) {
    Block &block = *std::next(op->getRegion(step.region).begin(), step.block);
    op = &*std::next(block.begin(), step.op);
  }
  return op;
}

/// Copies the root symbols of `refs` from the symbol table `table` into
/// `shell`, the copy of `table`.
static void copySymbols(Operation *table, Block *shell, Operation *isolated,
                        ArrayRef<SymbolRefAttr> refs) {
  llvm::SmallSetVector<Operation *, 4> copied;
  for (SymbolRefAttr ref : refs) {
    Operation *symbol =
        SymbolTable::lookupSymbolIn(table, ref.getRootReference());
    if (!symbol || symbol->isAncestor(isolated) || !copied.insert(symbol))
      continue;
    // A nested reference needs the contents of the symbol. For other
    // references, rules see the declaration only.
    shell->push_back(ref.getNestedReferences().empty()
                         ? symbol->cloneWithoutRegions()
                         : symbol->clone());
  }
}

ContextClone::ContextClone(Operation *original) {
  Operation *isolated = getIsolated(original);
  root = isolated->clone();
  anchor = followPath(root, getPath(original, isolated));

  llvm::SetVector<SymbolRefAttr> refs;
  Fingerprinter fingerprinter;
  if (isolated->getParentOp())
    isolated->walk([&](Operation *op) {
      for (SymbolRefAttr ref : fingerprinter.getSymbolRefs(op))
        refs.insert(ref);
    });

  for (Operation *child = isolated, *parent = isolated->getParentOp();
       parent && parent->getNumOperands() == 0;
       child = parent, parent = parent->getParentOp()) {
    // An op with operands would add uses to the payload, so the copy ends below
    // it.
    Operation *shell = parent->cloneWithoutRegions();
    Block *block = new Block();
    shell->getRegion(child->getParentRegion()->getRegionNumber())
        .push_back(block);
    if (parent->hasTrait<OpTrait::SymbolTable>())
      copySymbols(parent, block, isolated, refs.getArrayRef());
    block->push_back(root);
    root = shell;
  }
}

ContextClone::~ContextClone() { root->erase(); }

void formwork::engine::replaceBody(RewriterBase &rewriter, Operation *target,
                                   Operation *source) {
  for (auto [to, from] :
       llvm::zip_equal(target->getRegions(), source->getRegions())) {
    // Blocks may refer to each other. Without references, any order of erasing
    // works.
    to.dropAllReferences();
    for (Block &block : llvm::make_early_inc_range(to)) {
      block.dropAllDefinedValueUses();
      rewriter.eraseBlock(&block);
    }
    to.takeBody(from);
  }
  rewriter.modifyOpInPlace(
      target, [&] { target->setAttrs(source->getAttrDictionary()); });
}
