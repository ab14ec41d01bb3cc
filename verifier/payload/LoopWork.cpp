//===- LoopWork.cpp - What keeps a loop there -------------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which loops no folding takes away. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/LoopWork.h"
#include "verifier/payload/Kinds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace formwork::verifier;

bool formwork::verifier::mayRunOnce(scf::ForallOp loop) {
  return llvm::all_of(
      llvm::zip_equal(loop.getMixedLowerBound(), loop.getMixedUpperBound(),
                      loop.getMixedStep()),
      [](auto range) {
        auto [low, high, step] = range;
        std::optional<int64_t> first = getConstantIntValue(low),
                               end = getConstantIntValue(high),
                               stride = getConstantIntValue(step);
        return !first || !end || !stride || *end - *first <= *stride;
      });
}

/// Whether `op` writes to memory that is not its block's own.
static bool writesLastingly(Operation *op) {
  if (isa<CallOpInterface>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if ((linalgOp && !isMoreThanACopy(op->getName())) || isa<memref::CopyOp>(op))
    return false;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  return effects && effects.hasEffect<MemoryEffects::Write>() &&
         llvm::none_of(op->getOperands(), [](Value operand) {
           return operand.getDefiningOp<memref::AllocOp>() ||
                  operand.getDefiningOp<memref::AllocaOp>();
         });
}

/// Whether the body of the loop `op` surely runs; what runs once is inlined.
static bool isSurelyRun(Operation *op) {
  if (auto forall = dyn_cast<scf::ForallOp>(op))
    return llvm::all_of(llvm::zip_equal(forall.getMixedLowerBound(),
                                        forall.getMixedUpperBound()),
                        [](auto bounds) {
                          auto [low, high] = bounds;
                          std::optional<int64_t> first =
                                                     getConstantIntValue(low),
                                                 end =
                                                     getConstantIntValue(high);
                          return first && end && *first < *end;
                        });
  auto loop = dyn_cast<scf::ForOp>(op);
  std::optional<APInt> trips = loop ? loop.getStaticTripCount() : std::nullopt;
  return trips && !trips->isZero();
}

/// The structured op inside of `body` that computes `value`; null if there is
/// none.
static Operation *getSource(Value value, Region &body) {
  Operation *op = value.getDefiningOp();
  if (!op || !body.isAncestor(op->getParentRegion()))
    return nullptr;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return getSource(insert.getSource(), body);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    unsigned index = cast<OpResult>(value).getResultNumber();
    return isSurelyRun(loop)
               ? getSource(loop.getYieldedValues()[index], loop.getRegion())
               : nullptr;
  }
  bool computes = isa<linalg::LinalgOp>(op) && isMoreThanACopy(op->getName());
  return computes ? op : nullptr;
}

/// Whether an op in `loop` on the way to `op`, itself included, reads what each
/// iteration has of its own: the index, or what another iteration computes.
static bool readsIteration(Operation *op, scf::ForOp loop) {
  SmallVector<Operation *> work = {op};
  llvm::SmallPtrSet<Operation *, 16> seen;
  auto isOwn = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != loop.getBody())
      return false;
    OpOperand *yielded = loop.getTiedLoopYieldedValue(argument);
    return !yielded || getSource(yielded->get(), loop.getRegion());
  };
  auto addUsed = [&](Operation *user) {
    for (Value operand : user->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (!def)
        def = operand.getParentBlock()->getParentOp();
      if (def && loop->isProperAncestor(def))
        work.push_back(def);
    }
  };
  while (!work.empty()) {
    Operation *next = work.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    bool reads = false;
    next->walk([&](Operation *inner) {
      reads |= llvm::any_of(inner->getOperands(), isOwn);
      addUsed(inner);
    });
    if (reads)
      return true;
  }
  return false;
}

/// Whether something that surely runs in `loop` writes to memory that others
/// see.
static bool holdsLastingWrite(Operation *loop) {
  return llvm::any_of(loop->getRegion(0).front(), [](Operation &inner) {
    return isSurelyRun(&inner) ? holdsLastingWrite(&inner)
                               : writesLastingly(&inner);
  });
}

/// Whether an op that `accepts` accepts computes a result of `loop` in it that
/// something reads.
static bool computesResult(scf::ForOp loop,
                           llvm::function_ref<bool(Operation *)> accepts) {
  return llvm::any_of(
      llvm::zip_equal(loop.getResults(), loop.getYieldedValues()),
      [&](auto pair) {
        auto [result, yielded] = pair;
        Operation *source = getSource(yielded, loop.getRegion());
        return !result.use_empty() && source && accepts(source);
      });
}

bool formwork::verifier::doesWork(Operation *loop) {
  for (Operation &inner : loop->getRegion(0).front())
    if (isSurelyRun(&inner) ? doesWork(&inner) : writesLastingly(&inner))
      return true;
  // The insertion of a loop with one iteration is done without the loop, and
  // may insert the value that is already there.
  if (auto forall = dyn_cast<scf::ForallOp>(loop))
    return llvm::any_of(
        forall.getTerminator().getYieldingOps(), [&](Operation &end) {
          auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(end);
          return insert && (!mayRunOnce(forall) ||
                            getSource(insert.getSource(), forall.getRegion()));
        });
  auto forOp = dyn_cast<scf::ForOp>(loop);
  return forOp && computesResult(forOp, [](Operation *) { return true; });
}

bool formwork::verifier::mayWorkMove(Operation *loop) {
  auto forOp = dyn_cast<scf::ForOp>(loop);
  return forOp && !holdsLastingWrite(loop) &&
         !computesResult(forOp, [&](Operation *source) {
           return readsIteration(source, forOp);
         });
}
