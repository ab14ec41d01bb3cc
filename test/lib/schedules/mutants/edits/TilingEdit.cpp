//===- TilingEdit.cpp - Tilings of a schedule -----------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/schedules/mutants/edits/TilingEdit.h"

using namespace mlir;
using namespace formwork::testing;
using transform::TileUsingForallOp;
using transform::TileUsingForOp;

unsigned formwork::testing::countLoops(ArrayRef<int64_t> sizes) {
  return sizes.size() - llvm::count(sizes, 0);
}

bool formwork::testing::isPlain(TileUsingForOp tile) {
  return tile->getNumOperands() == 1 && countLoops(tile.getStaticSizes()) != 0;
}

bool formwork::testing::isPlainFusion(transform::FuseOp fuse) {
  return fuse->getNumOperands() == 1 &&
         fuse.getStaticTileInterchange().empty() &&
         countLoops(fuse.getStaticTileSizes()) != 0;
}

Ops formwork::testing::getTilings(transform::NamedSequenceOp entry,
                                  bool withForall) {
  Ops found;
  for (Operation *op : getSteps(entry)) {
    auto tile = dyn_cast<TileUsingForOp>(op);
    auto forall = dyn_cast<TileUsingForallOp>(op);
    if ((tile && isPlain(tile)) ||
        (withForall && forall && op->getNumOperands() == 1 &&
         countLoops(forall.getStaticTileSizes()) != 0))
      found.push_back(op);
  }
  return found;
}

Ops formwork::testing::getUntypedTilings(transform::NamedSequenceOp entry) {
  Ops found = getTilings(entry, /*withForall=*/true);
  auto isAny = [](Type type) { return isa<transform::AnyOpType>(type); };
  llvm::erase_if(found, [&](Operation *step) {
    return !llvm::all_of(step->getOperandTypes(), isAny) ||
           !llvm::all_of(step->getResultTypes(), isAny);
  });
  return found;
}

Numbers formwork::testing::getSizes(Operation *tiling) {
  if (auto tile = dyn_cast<TileUsingForOp>(tiling))
    return Numbers(tile.getStaticSizes());
  return Numbers(cast<TileUsingForallOp>(tiling).getStaticTileSizes());
}

void formwork::testing::setSizes(Operation *tiling, ArrayRef<int64_t> sizes,
                                 ValueRange parameters) {
  if (auto forall = dyn_cast<TileUsingForallOp>(tiling)) {
    forall.setStaticTileSizes(sizes);
    forall.getTileSizesMutable().append(parameters);
    return;
  }
  auto tile = cast<TileUsingForOp>(tiling);
  tile.setStaticSizes(sizes);
  tile.getDynamicSizesMutable().append(parameters);
  // Each size says whether it is scalable.
  SmallVector<bool> scalable(tile.getScalableSizes());
  scalable.resize(sizes.size(), false);
  tile.setScalableSizes(scalable);
}

SmallVector<unsigned>
formwork::testing::getTiledDimensions(ArrayRef<int64_t> sizes) {
  SmallVector<unsigned> dimensions;
  for (auto [dimension, size] : llvm::enumerate(sizes))
    if (size > 0)
      dimensions.push_back(dimension);
  return dimensions;
}

std::string formwork::testing::getMappingText(Operation *tiling) {
  std::string text;
  if (auto forall = dyn_cast<TileUsingForallOp>(tiling))
    if (std::optional<ArrayAttr> mapping = forall.getMapping())
      llvm::raw_string_ostream(text)
          << "(mapping = " << Attribute(*mapping) << ")";
  return text;
}

Operation *formwork::testing::insertTiling(Operation *place, Value handle,
                                           StringRef name, const Twine &sizes,
                                           TypeRange types, StringRef flags,
                                           Value parameter) {
  std::string results, operands = getTypeText(handle);
  llvm::raw_string_ostream os(results);
  llvm::interleaveComma(types, os);
  std::string list = sizes.str();
  for (size_t i = 0, e = StringRef(list).count("%h1"); i < e; ++i)
    operands += ", " + getTypeText(parameter);
  Values handles{handle};
  if (parameter)
    handles.push_back(parameter);
  return insertText(place, handles,
                    "%t:" + Twine(types.size()) + " = transform.structured." +
                        name + " %h tile_sizes [" + list + "] " + flags +
                        " : (" + operands + ") -> (" + results + ")");
}

Operation *formwork::testing::insertPlainTiling(transform::FuseOp fuse) {
  return insertTiling(
      fuse, fuse.getTarget(),
      fuse.getUseForall() ? "tile_using_forall" : "tile_using_for",
      listNumbers(fuse.getStaticTileSizes()), fuse->getResultTypes());
}

unsigned formwork::testing::guessProduced(Value consumer, Random &random) {
  bool isContraction = guessKind(consumer).contains("matmul");
  return isContraction && random.chance(0.8) ? 2 : random.below(2);
}

Operation *formwork::testing::insertProducer(Operation *place, Value consumer,
                                             unsigned operand) {
  return insertText(place, consumer,
                    "%p = transform.get_producer_of_operand %h[" +
                        Twine(operand) + "] : (" + getTypeText(consumer) +
                        ") -> " + anyOp);
}

Operation *formwork::testing::insertFusion(Operation *place, Value producer,
                                           Value loop) {
  return insertText(place, {producer, loop},
                    "%f, %n = transform.structured.fuse_into_containing_op %h "
                    "into %h1 : (" +
                        getTypeText(producer) + ", " + getTypeText(loop) +
                        ") -> (" + anyOp + ", " + anyOp + ")");
}

bool formwork::testing::replaceStep(Operation *old, Operation *step,
                                    unsigned first) {
  if (!step)
    return false;
  old->replaceAllUsesWith(step->getResults().drop_front(first));
  old->erase();
  return true;
}
