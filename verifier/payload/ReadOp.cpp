//===- ReadOp.cpp - Facts read off payload ops ------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/ReadOp.h"

#include "verifier/payload/LoopWork.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace formwork::verifier;

static Extent extentOf(int64_t size) {
  if (!ShapedType::isDynamic(size))
    return {size, {}};
  Extent extent;
  extent.reason.definite = true;
  return extent;
}

/// Whether some user of `op` may provide a size, as a cast does, or an op that
/// has the size from another operand. Looks at users up to a distance of
/// `depth`.
static bool mayLearnSizes(Operation *op, unsigned depth = 8) {
  auto hasSize = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && llvm::any_of(shaped.getShape(), [](int64_t size) {
             return ShapedType::isStatic(size);
           });
  };
  return !llvm::all_of(op->getUsers(), [&](Operation *user) {
    return user->hasTrait<OpTrait::ReturnLike>() ||
           (depth > 0 && isa<linalg::LinalgOp>(user) &&
            llvm::none_of(user->getOperandTypes(), hasSize) &&
            !mayLearnSizes(user, depth - 1));
  });
}

/// Whether no folding can find out the size of loop `dim`: every operand that
/// has it is an argument of a function, and has it dynamically.
static bool isSurelyDynamic(linalg::LinalgOp op, unsigned dim) {
  if (mayLearnSizes(op))
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type)
      continue;
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (!expr.isFunctionOfDim(dim))
        continue;
      auto argument = dyn_cast<BlockArgument>(operand.get());
      if (!type.isDynamicDim(i) || !argument ||
          !argument.getOwner()
               ->getParentOp()
               ->hasTrait<OpTrait::IsIsolatedFromAbove>())
        return false;
    }
  }
  return true;
}

bool formwork::verifier::isOpenInSome(linalg::LinalgOp op, unsigned dim,
                                      const IterationSpace &space) {
  auto isKnown = [&](AffineExpr expr) {
    return llvm::all_of(llvm::enumerate(space.loops), [&](const auto &loop) {
      return !expr.isFunctionOfDim(loop.index()) || loop.value().size;
    });
  };
  return llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<ShapedType>(operand.get().getType());
    if (!type || type.hasStaticShape())
      return false;
    AffineMap map = space.maps[operand.getOperandNumber()];
    return llvm::any_of(llvm::seq(map.getNumResults()), [&](unsigned i) {
      return type.isDynamicDim(i) && map.getResult(i).isFunctionOfDim(dim) &&
             isKnown(map.getResult(i));
    });
  });
}

std::shared_ptr<const IterationSpace>
formwork::verifier::readSpace(Operation *op) {
  // A structured op has a body.
  auto linalgOp = op->getNumRegions() != 0 ? dyn_cast<linalg::LinalgOp>(op)
                                           : linalg::LinalgOp();
  if (!linalgOp)
    return nullptr;
  auto space = std::make_shared<IterationSpace>();
  llvm::append_range(space->maps, linalgOp.getIndexingMapsArray());
  llvm::append_range(space->iterators, linalgOp.getIteratorTypesArray());
  SmallVector<ShapedType, 4> types;
  for (Type type : op->getOperandTypes()) {
    types.push_back(dyn_cast<ShapedType>(type));
    space->elementTypes.push_back(types.back() ? types.back().getElementType()
                                               : type);
  }
  SmallVector<int64_t> sizes(linalgOp.getStaticLoopRanges());
  // MLIR has none for an op without operands.
  sizes.resize(space->iterators.size(), ShapedType::kDynamic);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    space->loops.push_back(extentOf(size));
    space->loops.back().reason.definite =
        ShapedType::isDynamic(size) && isSurelyDynamic(linalgOp, dim);
  }
  if (llvm::any_of(types, [](ShapedType type) {
        return type && !type.hasStaticShape();
      }))
    for (auto [dim, loop] : llvm::enumerate(space->loops))
      loop.isMixed = loop.size && isOpenInSome(linalgOp, dim, *space);
  space->numInits = linalgOp.getNumDpsInits();
  space->onTensors = linalgOp.hasPureTensorSemantics();
  return space;
}

std::shared_ptr<const LoopFacts> formwork::verifier::readLoop(Operation *op) {
  if (!isa<scf::ForallOp, scf::ForOp>(op))
    return nullptr;
  // Folding finds no number for the argument of a function.
  auto isSurelyOpen = [](OpFoldResult bound) {
    auto argument = dyn_cast_if_present<BlockArgument>(dyn_cast<Value>(bound));
    return argument && argument.getOwner()
                           ->getParentOp()
                           ->hasTrait<OpTrait::IsIsolatedFromAbove>();
  };
  // In a narrow type what is added to, or multiplied as by unrolling, may wrap.
  auto mayWrap = [](OpFoldResult value) {
    auto given = dyn_cast<Value>(value);
    auto type = given ? dyn_cast<IntegerType>(given.getType()) : IntegerType();
    constexpr unsigned room = 8;
    return type && type.getWidth() < 64 &&
           (type.getWidth() <= room ||
            !llvm::isIntN(type.getWidth() - room,
                          getConstantIntValue(value).value_or(0)));
  };
  auto loopOp = dyn_cast<scf::ForOp>(op);
  bool isUnsigned = loopOp && loopOp.getUnsignedCmp();
  auto tripCount = [&](OpFoldResult lb, OpFoldResult ub, OpFoldResult step) {
    std::optional<int64_t> low = getConstantIntValue(lb),
                           high = getConstantIntValue(ub),
                           by = getConstantIntValue(step);
    bool isOpen = isUnsigned || llvm::any_of(ArrayRef{lb, ub, step}, mayWrap);
    if (!low || !high || !by || *by <= 0 || isOpen)
      return Extent{std::nullopt,
                    {.definite = !isOpen && ((low && isSurelyOpen(ub)) ||
                                             (high && isSurelyOpen(lb)))}};
    return extentOf(std::max<int64_t>(0, llvm::divideCeil(*high - *low, *by)));
  };
  auto facts = std::make_shared<LoopFacts>();
  if (auto forall = dyn_cast<scf::ForallOp>(op)) {
    facts->isForall = true;
    for (auto [lb, ub, step] :
         llvm::zip(forall.getMixedLowerBound(), forall.getMixedUpperBound(),
                   forall.getMixedStep())) {
      facts->trips.push_back(tripCount(lb, ub, step));
      // Only a loop from 0 by 1 can be mapped as it stands.
      std::optional<int64_t> low = getConstantIntValue(lb),
                             by = getConstantIntValue(step);
      if (low != 0 || by != 1)
        facts->trips.back() = {
            std::nullopt,
            {.definite = low.value_or(0) != 0 || by.value_or(1) != 1}};
    }
    if (std::optional<ArrayAttr> mapping = forall.getMapping())
      llvm::append_range(facts->mapping, *mapping);
  } else {
    facts->trips.push_back(tripCount(loopOp.getLowerBound(),
                                     loopOp.getUpperBound(), loopOp.getStep()));
  }
  facts->doesWork = doesWork(op);
  facts->mayWorkMove = facts->doesWork && mayWorkMove(op);
  facts->hasResults = llvm::any_of(
      op->getResultTypes(), [](Type type) { return isa<TensorType>(type); });
  facts->hasStaticResults = llvm::all_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return !tensor || tensor.hasStaticShape();
  });
  return facts;
}

bool formwork::verifier::writesMasked(Operation *op) {
  return isa<vector::MaskOp>(op) &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           auto tensor = dyn_cast<TensorType>(type);
           return tensor && !tensor.hasStaticShape();
         });
}
