//===- Inputs.cpp - Brings outside vectors into a kernel ------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Inputs.h"

#include "engine/RootBuffer.h"
#include "transforms/distribute/Axes.h"
#include "transforms/distribute/Barriers.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace formwork::transforms::distribute;
using formwork::engine::getRootBuffer;

/// A constant, or a scalar for each element.
static bool isUniform(Operation *op) {
  if (auto broadcast = dyn_cast<vector::BroadcastOp>(op))
    return !isVector(broadcast.getSource());
  DenseElementsAttr constant;
  return isa<ub::PoisonOp>(op) ||
         (matchPattern(op, m_Constant(&constant)) && constant.isSplat());
}

/// Whether `op` makes its vector of scalars, constants and counts alone, in so
/// few steps that each use can have its own.
static bool isSeparable(Operation *op, unsigned depth = 4) {
  if (isUniform(op) || matchCount(op))
    return true;
  bool isPlain = isa<vector::BroadcastOp, vector::TransposeOp>(op) ||
                 OpTrait::hasElementwiseMappableTraits(op);
  return depth != 0 && isPlain && isMemoryEffectFree(op) &&
         llvm::any_of(op->getOperands(), isVector) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           Operation *def = operand.getDefiningOp();
           return !isVector(operand) || (def && isSeparable(def, depth - 1));
         });
}

/// Whether `memory` is, or is part of, a buffer that nothing writes.
static bool isConstant(Value memory) {
  auto get = getRootBuffer(memory).getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return false;
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant();
}

bool Inputs::isWritten(vector::TransferReadOp read) {
  if (isConstant(read.getBase()))
    return false;
  Operation *end = read->getBlock()->findAncestorOpInBlock(*launch);
  if (!end)
    return true;
  for (Operation *op = read->getNextNode(); op != end; op = op->getNextNode())
    if (mayWrite(op, read.getBase()))
      return true;
  return mayWrite(end, read.getBase());
}

static constexpr StringLiteral kFromOutside =
    "requires vectors that are made in the kernel but has one that comes from "
    "outside";

std::optional<Refusal> Inputs::sink(Operation *def) {
  if (sunk.contains(def))
    return std::nullopt;
  auto read = dyn_cast<vector::TransferReadOp>(def);
  if (read ? isWritten(read)
           : !isMemoryEffectFree(def) || def->getNumRegions() != 0)
    return refuse(def, "requires vectors that are made in the kernel but has "
                       "one that is made outside of it");
  for (Value operand : def->getOperands())
    if (isVector(operand)) {
      if (!operand.getDefiningOp())
        return refuse(def, kFromOutside);
      if (std::optional<Refusal> refusal = sink(operand.getDefiningOp()))
        return refusal;
    }
  Operation *clone = rewriter.clone(*def);
  for (OpOperand &operand : clone->getOpOperands())
    if (isVector(operand.get()))
      operand.set(
          sunk.lookup(operand.get().getDefiningOp())
              ->getResult(cast<OpResult>(operand.get()).getResultNumber()));
  sunk[def] = clone;
  clones.emplace_back(clone, def);
  return std::nullopt;
}

namespace {
/// The part of a vector that an operation takes: the first element along each
/// dimension, the shape, and the number of outer dimensions that go.
struct Part {
  Value source;
  SmallVector<int64_t> offsets;
  unsigned dropped = 0;
};
} // namespace

/// The part that `op` takes, none if each thread has it with its own elements.
static std::optional<Part> matchPart(Operation *op) {
  if (auto slice = dyn_cast<vector::ExtractStridedSliceOp>(op)) {
    Part part{slice.getSource(), {}};
    for (Attribute offset : slice.getOffsets())
      part.offsets.push_back(cast<IntegerAttr>(offset).getInt());
    part.offsets.resize(slice.getSourceVectorType().getRank(), 0);
    return slice.hasNonUnitStrides() ? std::nullopt : std::optional(part);
  }
  auto extract = dyn_cast<vector::ExtractOp>(op);
  if (!extract || extract.hasDynamicPosition() ||
      !isVector(extract.getResult()) ||
      llvm::all_of(extract.getSourceVectorType().getShape().take_front(
                       extract.getNumIndices()),
                   [](int64_t size) { return size == 1; }))
    return std::nullopt;
  Part part{extract.getSource(), llvm::to_vector(extract.getStaticPosition()),
            static_cast<unsigned>(extract.getNumIndices())};
  part.offsets.resize(extract.getSourceVectorType().getRank(), 0);
  return part;
}

void Inputs::readParts() {
  SmallVector<Operation *> taken;
  launch.getBody().walk([&](Operation *op) {
    std::optional<Part> part = matchPart(op);
    auto read = part ? part->source.getDefiningOp<vector::TransferReadOp>()
                     : vector::TransferReadOp();
    if (read && !getMask(read) && !read.hasOutOfBoundsDim() &&
        isa<MemRefType>(read.getShapedType()) && launch->isAncestor(read))
      taken.push_back(op);
  });
  for (Operation *op : taken) {
    Part part = *matchPart(op);
    auto read = part.source.getDefiningOp<vector::TransferReadOp>();
    Location loc = op->getLoc();
    rewriter.setInsertionPointAfter(read);
    AffineMap map = read.getPermutationMap();
    SmallVector<Value> indices(read.getIndices());
    for (auto [offset, result] :
         llvm::zip_equal(part.offsets, map.getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(result);
      if (!dim || offset == 0)
        continue;
      auto moved = affine::AffineApplyOp::create(
          rewriter, loc, rewriter.getAffineDimExpr(0) + offset,
          ValueRange(indices[dim.getPosition()]));
      indices[dim.getPosition()] = moved;
      addresses.push_back(moved);
    }
    auto own = vector::TransferReadOp::create(
        rewriter, loc, cast<VectorType>(op->getResult(0).getType()),
        read.getBase(), indices,
        AffineMapAttr::get(AffineMap::get(
            map.getNumDims(), 0, map.getResults().drop_front(part.dropped),
            rewriter.getContext())),
        read.getPadding(), /*mask=*/Value(),
        rewriter.getBoolArrayAttr(
            SmallVector<bool>(map.getNumResults() - part.dropped, true)));
    rewriter.replaceAllUsesWith(op->getResult(0), own);
    clones.emplace_back(own, op);
    parts.push_back(op);
  }
}

void Inputs::separate() {
  SmallVector<OpOperand *> uses;
  launch.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (Operation *def = operand.get().getDefiningOp())
        if (isVector(operand.get()) && isSeparable(def))
          uses.push_back(&operand);
  });
  auto clone = [&](auto &self, Operation *def) -> Operation * {
    SmallVector<std::pair<unsigned, Value>> made;
    for (OpOperand &operand : def->getOpOperands())
      if (isVector(operand.get()))
        made.emplace_back(
            operand.getOperandNumber(),
            self(self, operand.get().getDefiningOp())->getResult(0));
    Operation *copy = rewriter.clone(*def);
    for (auto [number, value] : made)
      copy->setOperand(number, value);
    clones.emplace_back(copy, def);
    return copy;
  };
  for (OpOperand *use : uses) {
    Operation *def = use->get().getDefiningOp();
    rewriter.setInsertionPoint(use->getOwner());
    if (auto mask = dyn_cast<vector::MaskOp>(use->getOwner()->getParentOp()))
      rewriter.setInsertionPoint(mask);
    Operation *own = clone(clone, def);
    rewriter.modifyOpInPlace(use->getOwner(),
                             [&] { use->set(own->getResult(0)); });
  }
}

/// The innermost block that holds all of `uses`. Goes into a branch, such as
/// the guard of a kernel, only if the branch holds all uses.
static Block *getCommonBlock(gpu::LaunchOp launch, ArrayRef<OpOperand *> uses) {
  Block *block = &launch.getBody().front();
  for (;;) {
    Operation *around = block->findAncestorOpInBlock(*uses.front()->getOwner());
    auto branch = dyn_cast<scf::IfOp>(around);
    bool holdsAll = branch && branch.elseBlock() == nullptr &&
                    llvm::all_of(uses, [&](OpOperand *use) {
                      return branch.getThenRegion().isAncestor(
                          use->getOwner()->getParentRegion());
                    });
    if (!holdsAll)
      return block;
    block = branch.thenBlock();
  }
}

std::optional<Refusal> Inputs::take() {
  SmallVector<OpOperand *> uses;
  launch.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (isVector(operand.get()) &&
          !launch->isAncestor(operand.get().getParentRegion()->getParentOp()))
        uses.push_back(&operand);
  });
  Block *block = uses.empty() ? nullptr : getCommonBlock(launch, uses);
  for (OpOperand *use : uses) {
    auto result = dyn_cast<OpResult>(use->get());
    if (!result)
      return refuse(use->getOwner(), kFromOutside);
    // Insert in front of the first use, so that the vector takes no registers
    // earlier.
    rewriter.setInsertionPoint(block->findAncestorOpInBlock(*use->getOwner()));
    if (std::optional<Refusal> refusal = sink(result.getOwner()))
      return refusal;
    rewriter.modifyOpInPlace(use->getOwner(), [&] {
      use->set(
          sunk.lookup(result.getOwner())->getResult(result.getResultNumber()));
    });
  }
  separate();
  readParts();
  return std::nullopt;
}

bool Inputs::separateReads() {
  SmallVector<Operation *> shared;
  launch.getBody().walk([&](Operation *op) {
    if (isa<vector::TransferReadOp, vector::BroadcastOp, vector::TransposeOp,
            vector::ShapeCastOp, CastOpInterface>(op) &&
        isVector(op->getResult(0)) && !op->use_empty())
      shared.push_back(op);
  });
  bool isChanged = false;
  // The last ones first: their clones are uses of what they convert or repeat.
  for (Operation *op : llvm::reverse(shared)) {
    rewriter.setInsertionPointAfter(op);
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : llvm::drop_begin(op->getResult(0).getUses()))
      uses.push_back(&use);
    for (OpOperand *use : uses) {
      Operation *own = rewriter.clone(*op);
      clones.emplace_back(own, op);
      rewriter.modifyOpInPlace(use->getOwner(),
                               [&] { use->set(own->getResult(0)); });
      isChanged = true;
    }
  }
  return isChanged;
}

void Inputs::giveBack() {
  for (auto [clone, def] : llvm::reverse(clones))
    rewriter.replaceOp(clone, def->getResults());
  for (Operation *address : llvm::reverse(addresses))
    rewriter.eraseOp(address);
}

void Inputs::eraseUnused() {
  llvm::SetVector<Operation *> unused;
  for (auto [clone, def] : llvm::reverse(clones))
    if (!launch->isAncestor(def))
      unused.insert(def);
  for (Operation *def : unused)
    if (def->use_empty())
      rewriter.eraseOp(def);
  for (Operation *part : parts) {
    Operation *read = part->getOperand(0).getDefiningOp();
    rewriter.eraseOp(part);
    if (read->use_empty())
      rewriter.eraseOp(read);
  }
}
