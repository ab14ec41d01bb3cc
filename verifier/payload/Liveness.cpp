//===- Liveness.cpp - Which payload ops are needed ------------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "verifier/payload/Liveness.h"
#include "verifier/payload/Branches.h"
#include "verifier/payload/Kinds.h"
#include "verifier/payload/LoopWork.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace formwork::verifier;

/// The buffer, allocated in sight, that `op` does no more than to store to or
/// to free, so that it may go where nothing reads that buffer; else null.
static Value getOnlyWritten(Operation *op) {
  Value buffer;
  if (auto store = dyn_cast<memref::StoreOp>(op);
      store && store.getValue() != store.getMemref())
    buffer = store.getMemref();
  else if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
    buffer = dealloc.getMemref();
  bool isOwn = buffer && isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
                             buffer.getDefiningOp());
  return isOwn ? buffer : Value();
}

/// Whether folding finds that the body of `loop` runs never.
static bool runsNever(scf::ForOp loop) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  return trips && trips->isZero();
}

/// The value that folding finds for `value`: a loop result that only passes on
/// the initial value is that value, and the loop may be erased.
static Value passThrough(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    unsigned number = result.getResultNumber();
    Operation *op = result.getOwner();
    Value yielded, initial;
    Block *block = nullptr;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      initial = loop.getInitArgs()[number];
      if (runsNever(loop)) {
        value = initial;
        continue;
      }
      yielded = loop.getBody()->getTerminator()->getOperand(number);
      block = loop.getBody();
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      yielded = loop.getConditionOp().getArgs()[number];
    } else if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      Value argument = loop.getRegionIterArgs()[number];
      if (!argument.use_empty())
        return value;
      yielded = loop.getOutputs()[number];
    } else {
      return value;
    }
    yielded = passThrough(yielded);
    auto argument = dyn_cast<BlockArgument>(yielded);
    bool isOwn = argument && block && argument.getOwner() == block &&
                 argument.getArgNumber() == number + 1;
    if (!isOwn && op->isAncestor(yielded.getParentBlock()->getParentOp()))
      return value;
    value = isOwn ? initial : yielded;
  }
  return value;
}

/// Whether no folding of the op that has `operand` finds that it does not
/// depend on it.
static bool isKept(OpOperand &operand) {
  Operation *user = operand.getOwner();
  // An op that only moves or reshapes a fill becomes a fill itself.
  bool takesFill = user->getName().getDialectNamespace() == "tensor" ||
                   isa<linalg::PackOp, linalg::UnPackOp>(user) ||
                   !isMoreThanACopy(user->getName());
  if (takesFill && passThrough(operand.get()).getDefiningOp<linalg::FillOp>())
    return false;
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(user))
    return linalgOp.payloadUsesValueFromOperand(&operand);
  if (isa<tensor::DimOp, tensor::RankOp, memref::DimOp, memref::RankOp,
          tensor::FromElementsOp>(user))
    return false;
  if (isa<tensor::InsertSliceOp, tensor::ParallelInsertSliceOp>(user))
    return operand.getOperandNumber() == 0;
  StringRef dialect = user->getName().getDialectNamespace();
  // x * 0, x - x, and what is selected by a constant.
  if (dialect == "arith")
    return user->getNumResults() == 1 &&
           isa<FloatType>(getElementTypeOrSelf(user->getResult(0))) &&
           user->getName().getStringRef() != "arith.select";
  if (dialect == "index" || dialect == "affine" || dialect == "math")
    return !isMemoryEffectFree(user);
  if (dialect == "vector")
    return isa<vector::TransferReadOp, vector::TransferWriteOp, vector::LoadOp,
               vector::StoreOp, vector::ContractionOp,
               vector::MultiDimReductionOp>(user);
  return true;
}

/// Whether `op` may only copy a buffer to itself.
static bool copiesToItself(Operation *op) {
  if (auto copy = dyn_cast<memref::CopyOp>(op))
    return copy.getSource() == copy.getTarget();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && !isMoreThanACopy(op->getName()) &&
         llvm::any_of(linalgOp.getDpsInits(), [&](Value init) {
           return llvm::is_contained(linalgOp.getDpsInputs(), init);
         });
}

/// Whether `op` would be dead if nobody read its results.
static bool hasNoEffect(Operation *op) {
  // An op that writes to a buffer has an effect, whatever its body does.
  // Finding this out from the effects of all operands takes long.
  // A pass that failed may have left ops without operands.
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  bool writes =
      linalgOp && llvm::any_of(linalgOp.getDpsInits(), [](Value init) {
        return init && isa<BaseMemRefType>(init.getType());
      });
  return !writes && wouldOpBeTriviallyDead(op);
}

namespace {
class LivenessWalk {
public:
  explicit LivenessWalk(UseKind need) : need(need) {}

  llvm::SmallPtrSet<Operation *, 32> run(Operation *root) {
    root->walk([&](Operation *op) {
      // The insertions of a parallel loop are needed if its result is.
      if (op->hasTrait<OpTrait::IsTerminator>() ||
          isa<ParallelCombiningOpInterface>(op) || hasNoEffect(op))
        return;
      if (need == UseKind::Now)
        return mark(op);
      if (hasOnlyInnerEffects(op) || copiesToItself(op) || isNeverRun(op))
        return;
      if (Value buffer = getOnlyWritten(op))
        writers[buffer].push_back(op);
      else
        markEffect(op);
    });
    while (!work.empty())
      follow(work.pop_back_val());
    return std::move(live);
  }

private:
  /// Whether the effects of `op` are those of what is in it, so that they go
  /// with that.
  static bool hasOnlyInnerEffects(Operation *op) {
    return op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() &&
           !isa<MemoryEffectOpInterface>(op);
  }

  /// Marks an op that is live for its effects, and whatever holds it.
  void markEffect(Operation *op) {
    for (; op && !live.contains(op); op = op->getParentOp())
      mark(op);
  }

  /// Whether clean-up may find that a loop around `op` runs never, or that a
  /// branch around it is not taken. Of several blocks, it erases those that
  /// nothing leads to, and makes one of two that are alike.
  bool isNeverRun(Operation *op) {
    if (op->getBlock() && !op->getBlock()->isEntryBlock())
      return true;
    Operation *holder = op->getParentOp();
    if (!holder)
      return false;
    auto [known, isNew] = dropped.try_emplace(holder, false);
    if (!isNew)
      return known->second;
    return dropped[holder] = mayNeverRun(holder) || mayBeDecided(holder) ||
                             isNeverRun(holder);
  }

  void require(Value value) {
    if (needed.insert(value).second)
      work.push_back(value);
  }

  void require(OpOperand &operand) {
    if (!isGiven(operand.get()) && !needed.contains(operand.get()) &&
        (need == UseKind::Now || isKept(operand)))
      require(operand.get());
  }
  /// Whether nothing is needed for `value` to be there.
  static bool isGiven(Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && !isa_and_nonnull<scf::ForOp, scf::ForallOp>(
                           argument.getOwner()->getParentOp());
  }

  void requireOperands(Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      require(operand);
  }

  /// Marks the values that `op` reads for any of its results.
  void mark(Operation *op) {
    if (!live.insert(op).second)
      return;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      for (Value bound :
           {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
        require(bound);
      live.insert(loop.getBody()->getTerminator());
      return;
    }
    if (auto loop = dyn_cast<scf::ForallOp>(op)) {
      for (Value bound : op->getOperands().drop_back(loop.getNumResults()))
        require(bound);
      live.insert(loop.getTerminator());
      return;
    }
    // The initial values of a loop, and the condition of a choice, are folded
    // away if nothing reads the result, or if both ways give the same.
    bool isOpen = need == UseKind::Lasting && op->getNumResults() != 0 &&
                  isa<scf::IfOp, scf::IndexSwitchOp, scf::WhileOp>(op);
    if (!isOpen)
      requireOperands(op);
    // Which result depends on what in a region is not looked for.
    bool isSure =
        need == UseKind::Now || op->getNumResults() == 0 ||
        (!mayBeDecided(op) && llvm::none_of(op->getResults(), [](Value value) {
          return value.use_empty();
        }));
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        Operation *end = block.empty() ? nullptr : &block.back();
        // An argument of a block may go, with what branches give for it.
        bool isOnly = block.isEntryBlock() && block.hasNoSuccessors();
        if (need == UseKind::Lasting && !isOnly)
          continue;
        if (!end || !end->hasTrait<OpTrait::IsTerminator>() ||
            !live.insert(end).second)
          continue;
        if (isSure || op->hasTrait<OpTrait::IsIsolatedFromAbove>())
          requireOperands(end);
      }
  }

  void followLoop(scf::ForOp loop, unsigned index) {
    Value argument = loop.getRegionIterArg(index);
    OpOperand &yielded = loop.getBody()->getTerminator()->getOpOperand(index);
    if (need == UseKind::Now || !mayNeverRun(loop))
      require(yielded);
    // A loop that runs drops what it starts from when nothing in it reads that.
    bool isRead = llvm::any_of(
        argument.getUses(), [&](OpOperand &use) { return &use != &yielded; });
    if (need == UseKind::Now || isRead || yielded.get() == argument)
      require(loop.getInitArgs()[index]);
  }

  void followLoop(scf::ForallOp loop, unsigned index) {
    // What a loop that runs once inserts may cover all that there was.
    Value argument = loop.getRegionIterArgs()[index];
    if (need == UseKind::Now || needed.contains(argument) || !mayRunOnce(loop))
      require(loop.getOutputs()[index]);
    for (Operation &end : loop.getTerminator().getYieldingOps()) {
      auto insert = dyn_cast<tensor::ParallelInsertSliceOp>(end);
      if (insert && insert.getDest() == argument) {
        live.insert(&end);
        requireOperands(&end);
      }
    }
  }

  void follow(Value value) {
    if (Value passed = passThrough(value);
        need == UseKind::Lasting && passed != value)
      return require(passed);
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      Operation *owner = argument.getOwner()->getParentOp();
      unsigned number = argument.getArgNumber();
      if (auto loop = dyn_cast_or_null<scf::ForOp>(owner); loop && number != 0)
        followLoop(loop, number - 1);
      if (auto loop = dyn_cast_or_null<scf::ForallOp>(owner);
          loop && number >= loop.getInductionVars().size())
        followLoop(loop, number - loop.getInductionVars().size());
      return;
    }
    Operation *def = value.getDefiningOp();
    mark(def);
    for (Operation *writer : writers.lookup(value))
      markEffect(writer);
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(def))
      followLoop(loop, number);
    if (auto loop = dyn_cast<scf::ForallOp>(def))
      followLoop(loop, number);
  }

  const UseKind need;
  llvm::SmallPtrSet<Operation *, 32> live;
  /// Of ops that hold others: whether what they hold may never run.
  llvm::DenseMap<Operation *, bool> dropped;
  /// What writes to a buffer, which is live where something reads that.
  llvm::DenseMap<Value, SmallVector<Operation *, 2>> writers;
  llvm::DenseSet<Value> needed;
  SmallVector<Value> work;
};
} // namespace

llvm::SmallPtrSet<Operation *, 32> formwork::verifier::findLive(Operation *root,
                                                                UseKind need) {
  return LivenessWalk(need).run(root);
}

bool formwork::verifier::doesCompute(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumRegions() != 1)
    return false;
  // Operands that are one become one.
  llvm::SmallPtrSet<Value, 4> operands;
  for (Value operand : op->getOperands())
    if (!operands.insert(operand).second)
      return false;
  // Neither has a constant to fold with, nor one value twice; and no sum of
  // sums or products of such values folds.
  auto isLasting = [&](Operation &inner) {
    if (!isa<arith::AddFOp, arith::MulFOp, arith::AddIOp, arith::MulIOp>(inner))
      return false;
    Value a = inner.getOperand(0), b = inner.getOperand(1);
    auto isInside = [&](Value value) {
      return value.getParentRegion() == &op->getRegion(0);
    };
    return a != b && isInside(a) && isInside(b);
  };
  Block &body = *linalgOp.getBlock();
  return llvm::all_of(body.without_terminator(), isLasting) &&
         llvm::all_of(body.getTerminator()->getOperands(), [&](Value value) {
           return value.getDefiningOp() != nullptr &&
                  value.getParentBlock() == &body;
         });
}
