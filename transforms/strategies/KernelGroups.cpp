//===- KernelGroups.cpp - Which operations become one kernel ----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/strategies/KernelGroups.h"

#include "engine/Diagnostics.h"
#include "transforms/strategies/KernelSizes.h"
#include "transforms/strategies/Products.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/TilingInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <map>

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;

bool formwork::transforms::isCheap(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1 ||
      linalgOp.getNumReductionLoops() != 0 || linalgOp.hasIndexSemantics())
    return false;
  if (llvm::any_of(linalgOp.getDpsInputs(), [](Value input) {
        return isa<ShapedType>(input.getType());
      }))
    return false;
  return llvm::none_of(linalgOp.getRegionOutputArgs(),
                       [](Value argument) { return !argument.use_empty(); });
}

SmallVector<int64_t> formwork::transforms::getLoopExtents(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return linalgOp.getStaticLoopRanges();
  // A tileable operation that is not structured has a loop for each dimension.
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return llvm::to_vector(type.getShape());
}

/// The loops of a tileable operation.
static SmallVector<utils::IteratorType> getIterators(Operation *op) {
  return cast<TilingInterface>(op).getLoopIteratorTypes();
}

namespace {
/// Why no strategy can take an operation, and what the author of the model can
/// do beside writing one; both empty where one may take it.
struct Obstacle {
  std::string why;
  std::string fix = {};
};

/// Parts one function, from its end to its beginning, so that all readers of an
/// operation are in their kernels before it.
class Grouping {
public:
  explicit Grouping(const StrategyLibrary &library) : library(library) {}

  LogicalResult run(func::FuncOp function);
  std::vector<KernelGroup> takeGroups();

private:
  Obstacle findObstacle(Operation *op);
  const Strategy *findStrategy(Operation *op);
  void place(Operation *op, const Strategy &strategy);
  /// The part that `op` would be of `group`; nothing if it cannot be one.
  std::optional<KernelPart> makePart(Operation *op, unsigned group);
  bool join(Operation *op, const Strategy &strategy, unsigned group);
  void refuse(Operation *op, Obstacle obstacle);
  /// Says of the first operation for each reason that no strategy takes it.
  void emitRefusals();

  const StrategyLibrary &library;
  std::vector<KernelGroup> groups;
  llvm::DenseMap<Operation *, unsigned> groupOf;
  struct Refused {
    SmallVector<Operation *> ops;
    std::string fix;
  };
  /// The operations that no strategy takes, by the reason.
  std::map<std::string, Refused> refused;
};
} // namespace

void Grouping::refuse(Operation *op, Obstacle obstacle) {
  Refused &same = refused[obstacle.why];
  same.ops.push_back(op);
  same.fix = std::move(obstacle.fix);
}

void Grouping::emitRefusals() {
  engine::Findings findings;
  for (const auto &[why, same] : refused) {
    const auto &[ops, fix] = same;
    // They were found from the last one to the first.
    Operation *first = ops.back();
    Finding &finding = findings.add(
        Finding(first->getLoc(), "fw-no-strategy",
                "no strategy takes '" + first->getName().getStringRef() +
                    "': it " + why));
    constexpr size_t mostNotes = 3;
    ArrayRef<Operation *> others = ArrayRef(ops).drop_back();
    for (Operation *op : llvm::reverse(others.take_back(mostNotes)))
      finding.note(NoteKind::Evidence, op->getLoc(),
                   "the same is true of '" + op->getName().getStringRef() +
                       "'");
    if (others.size() > mostNotes)
      finding.note(NoteKind::Evidence, first->getLoc(),
                   "and " + Twine(others.size() - mostNotes) + " more");
    if (!fix.empty())
      finding.note(NoteKind::FixIt, first->getLoc(), fix);
    finding.note(NoteKind::FixIt, first->getLoc(),
                 "give a strategy for it with --strategies=FILE,gpu, or write "
                 "the schedule and give it with --transform");
  }
  findings.emit();
}

/// Whether kernels compute with numbers of `type`.
static bool isComputable(Type type) {
  return isa<IntegerType, IndexType, Float16Type, BFloat16Type, Float32Type,
             Float64Type>(type);
}

Obstacle Grouping::findObstacle(Operation *op) {
  if (!op->isRegistered())
    return {"is no operation of MLIR, and what exported the model has to lower "
            "it to linalg, tensor, scf, arith and math"};
  if (isa<UnrealizedConversionCastOp>(op))
    return {
        "stands for a conversion of types that what exported the model left "
        "undone (of unsigned integers, by stablehlo-convert-to-signless)"};
  if (isa<LoopLikeOpInterface>(op) && !isa<TilingInterface>(op))
    return {"is a loop on the host, and its steps are too many to write out, "
            "or not known",
            "export the model with a loop of few steps, whose number is a "
            "constant, or with the body of the loop as the model"};
  if (op->getNumRegions() != 0 && !isa<linalg::LinalgOp, TilingInterface>(op))
    return {"holds operations of its own, and strategies order the kernels of "
            "one block",
            "compute both sides, and choose each element with arith.select"};
  if (isa<CallOpInterface>(op))
    return {"calls a function whose body is not known",
            "put the function into the file of the model"};
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults()))) {
    auto type = dyn_cast<ShapedType>(value.getType());
    if (!type)
      continue;
    if (!type.hasStaticShape())
      return {"has a size that is only known when it runs, and strategies "
              "choose tiles for known sizes",
              "export the model for a known size, such as one size of the "
              "batch, so that its types have a number in the place of each "
              "'?'"};
    if (type.getNumElements() == 0)
      return {"has an operand without elements",
              "export the model for sizes of at least 1"};
    if (Type element = type.getElementType(); !isComputable(element)) {
      std::string why = "has numbers of type ";
      llvm::raw_string_ostream(why)
          << element << ", with which no kernel computes";
      return {std::move(why),
              "export the model with f16, bf16, f32, f64 or integers"};
    }
  }
  if (!isa<TilingInterface>(op))
    return {"has no loops that could be tiled"};
  if (op->getNumResults() == 0)
    return {"works on buffers, and strategies fuse on tensors",
            "export the model before it is bufferized"};
  return {};
}

/// Whether the contraction has the rows, columns and steps, and the multiples
/// of these, that `strategy` asks for.
static bool fitsContraction(linalg::LinalgOp op, const Strategy &strategy) {
  std::optional<ProductLoops> loops = getProductLoops(op);
  // A tile that is not full has vectors with all its loops.
  if (!loops || (loops->isSplit && isUnevenContraction(op, strategy)))
    return false;
  if (strategy.multiple.empty())
    return true;
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  return extents[loops->rows] % strategy.multiple[0] == 0 &&
         extents[loops->columns] % strategy.multiple[1] == 0 &&
         extents[loops->steps] % strategy.multiple[2] == 0;
}

/// Whether `op` only copies: vectors of it would be folded into a copy of
/// buffers, which has nothing to share among threads.
static bool isCopy(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 1 || op->getNumResults() != 1 ||
      !isa<ShapedType>(op.getDpsInputs()[0].getType()) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block &body = op->getRegion(0).front();
  return body.getTerminator()->getOperand(0) == body.getArgument(0);
}

/// Whether threads can share what `op` computes of vectors: its body works on
/// numbers alone, and there is more than one.
static bool isVectorizable(linalg::LinalgOp op) {
  for (Operation &inner : op->getRegion(0).front().without_terminator())
    if (!inner.hasTrait<OpTrait::ConstantLike>() &&
        !OpTrait::hasElementwiseMappableTraits(&inner))
      return false;
  return llvm::any_of(op.getStaticLoopRanges(),
                      [](int64_t extent) { return extent != 1; });
}

const Strategy *Grouping::findStrategy(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  for (const Strategy &strategy : library.strategies) {
    if (strategy.fuse != FuseMode::Loops) {
      // Fused producers are found through projected permutations only.
      if (!linalgOp || op->getNumResults() != 1 ||
          linalgOp.hasIndexSemantics() ||
          !llvm::all_of(linalgOp.getIndexingMapsArray(), [](AffineMap map) {
            return map.isProjectedPermutation();
          }))
        continue;
      bool isParallel = linalgOp.getNumReductionLoops() == 0;
      if (isCopy(linalgOp) || !isVectorizable(linalgOp))
        continue;
      if (isParallel != (strategy.fuse == FuseMode::Points))
        continue;
      if (strategy.fuse == FuseMode::Epilogue &&
          !fitsContraction(linalgOp, strategy))
        continue;
      if (strategy.fuse == FuseMode::Rows) {
        int64_t steps = 1;
        for (auto [extent, kind] :
             llvm::zip_equal(linalgOp.getStaticLoopRanges(),
                             linalgOp.getIteratorTypesArray()))
          if (kind == utils::IteratorType::reduction)
            steps *= extent;
        if (steps > strategy.elements)
          continue;
      }
    }
    if (strategy.matches(op))
      return &strategy;
  }
  return nullptr;
}

std::optional<KernelPart> Grouping::makePart(Operation *op, unsigned group) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || op->getNumResults() != 1)
    return std::nullopt;
  AffineMap result =
      linalgOp.getIndexingMapMatchingResult(cast<OpResult>(op->getResult(0)));
  if (!result.isProjectedPermutation())
    return std::nullopt;
  KernelPart part{op, SmallVector<int64_t, 4>(linalgOp.getNumLoops(), -1)};
  bool isFirst = true;
  for (OpOperand &use : op->getUses()) {
    auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!user)
      return std::nullopt;
    const KernelPart *reader =
        llvm::find_if(groups[group].parts, [&](const KernelPart &other) {
          return other.op == user;
        });
    AffineMap map = user.getMatchingIndexingMap(&use);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto readerLoop = dyn_cast<AffineDimExpr>(expr);
      int64_t along =
          readerLoop ? reader->rootLoops[readerLoop.getPosition()] : -1;
      int64_t loop = result.getDimPosition(dim);
      // Readers that disagree need all of it.
      if (isFirst)
        part.rootLoops[loop] = along;
      else if (part.rootLoops[loop] != along)
        part.rootLoops[loop] = -1;
    }
    isFirst = false;
  }
  return part;
}

/// The loops of `root` along which `part` can be computed in pieces. One of a
/// single step is one of them.
static llvm::SmallBitVector getCovered(const KernelPart &part,
                                       Operation *root) {
  SmallVector<int64_t> extents = getLoopExtents(root);
  llvm::SmallBitVector covered(extents.size());
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (extent == 1)
      covered.set(loop);
  for (int64_t loop : part.rootLoops)
    if (loop >= 0)
      covered.set(loop);
  return covered;
}

/// How many elements the largest part of `group` has in a block, where a block
/// has one step of each loop in `blockLoops`.
static int64_t countRowElements(const KernelGroup &group,
                                const KernelPart &more,
                                const llvm::SmallBitVector &blockLoops) {
  int64_t most = 1;
  auto count = [&](const KernelPart &part) {
    int64_t elements = 1;
    for (auto [extent, loop] :
         llvm::zip_equal(getLoopExtents(part.op), part.rootLoops))
      if (loop < 0 || !blockLoops.test(loop))
        elements *= extent;
    most = std::max(most, elements);
  };
  for (const KernelPart &part : group.parts)
    count(part);
  count(more);
  return most;
}

/// Whether a block, which has one step of each loop in `blockLoops`, makes more
/// than one result of the reduction `part`.
static bool hasManySums(const KernelPart &part,
                        const llvm::SmallBitVector &blockLoops) {
  auto op = dyn_cast<linalg::LinalgOp>(part.op);
  if (!op || op.getNumReductionLoops() == 0)
    return false;
  for (auto [extent, kind, loop] :
       llvm::zip_equal(op.getStaticLoopRanges(), op.getIteratorTypesArray(),
                       part.rootLoops))
    if (kind == utils::IteratorType::parallel && extent != 1 &&
        (loop < 0 || !blockLoops.test(loop)))
      return true;
  return false;
}

bool Grouping::join(Operation *op, const Strategy &strategy, unsigned number) {
  KernelGroup &group = groups[number];
  std::optional<KernelPart> part = makePart(op, number);
  // An operation that asserts something would also stay at its old place.
  if (!part || !isMemoryEffectFree(op))
    return false;
  if (isCheap(op)) {
    group.parts.push_back(std::move(*part));
    return true;
  }
  unsigned numLoops = group.blockLoops.size();
  llvm::SmallBitVector covered = getCovered(*part, group.getRoot());
  // A contraction or a nest only takes along what its result starts from, of
  // which it reads each element once.
  if (auto anchor = dyn_cast_or_null<linalg::LinalgOp>(group.anchor))
    for (OpOperand &use : op->getUses())
      if (use.getOwner() == anchor && !anchor.isDpsInit(&use))
        return false;
  switch (strategy.fuse) {
  case FuseMode::Loops:
  case FuseMode::Epilogue: {
    // The tile of the root is that of the contraction, or of the loop nest.
    if (group.strategy->fuse != FuseMode::Points || group.anchor ||
        !covered.all() ||
        (strategy.fuse == FuseMode::Epilogue &&
         isUnevenContraction(op, strategy)))
      return false;
    auto linalgOp = cast<linalg::LinalgOp>(op);
    if (linalgOp.getNumParallelLoops() != numLoops ||
        llvm::any_of(group.parts, [&](const KernelPart &other) {
          return !isCheap(other.op) &&
                 cast<linalg::LinalgOp>(other.op).getNumLoops() != numLoops;
        }))
      return false;
    group.anchor = op;
    group.strategy = &strategy;
    break;
  }
  case FuseMode::Points: {
    llvm::SmallBitVector both = covered;
    both &= group.blockLoops;
    if (both != group.blockLoops)
      return false;
    if (group.strategy->fuse == FuseMode::Rows &&
        countRowElements(group, *part, both) > group.strategy->elements)
      return false;
    break;
  }
  case FuseMode::Rows: {
    if (group.anchor)
      return false;
    llvm::SmallBitVector both = covered;
    both &= group.blockLoops;
    // Without rows, the kernel is one block, for which it should be small.
    if (countRowElements(group, *part, both) >
        (both.none() ? strategy.elements / 4 : strategy.elements))
      return false;
    // The results of one sum would be shared among threads as its own elements
    // are, but the other sum needs them along its elements.
    if (hasManySums(*part, both) &&
        llvm::any_of(group.parts, [&](const KernelPart &other) {
          return hasManySums(other, both);
        }))
      return false;
    group.blockLoops = both;
    group.strategy = &strategy;
    break;
  }
  }
  group.parts.push_back(std::move(*part));
  return true;
}

void Grouping::place(Operation *op, const Strategy &strategy) {
  // All readers in one kernel, or it is the root of another.
  std::optional<unsigned> reader;
  bool isShared = op->use_empty();
  for (Operation *user : op->getUsers()) {
    auto it = groupOf.find(user);
    if (it == groupOf.end() || (reader && *reader != it->second)) {
      isShared = true;
      break;
    }
    reader = it->second;
  }
  if (!isShared && join(op, strategy, *reader)) {
    groupOf[op] = *reader;
    return;
  }
  KernelGroup group;
  group.strategy = &strategy;
  SmallVector<utils::IteratorType> iterators = getIterators(op);
  group.blockLoops.resize(iterators.size());
  KernelPart root{op, {}};
  for (auto [loop, kind] : llvm::enumerate(iterators)) {
    root.rootLoops.push_back(loop);
    if (kind == utils::IteratorType::parallel)
      group.blockLoops.set(loop);
  }
  if (strategy.fuse == FuseMode::Epilogue || strategy.fuse == FuseMode::Loops)
    group.anchor = op;
  group.parts.push_back(std::move(root));
  groupOf[op] = groups.size();
  groups.push_back(std::move(group));
}

LogicalResult Grouping::run(func::FuncOp function) {
  if (!function.getBody().hasOneBlock()) {
    refuse(function,
           {"has branches, and strategies order kernels in one block"});
  } else {
    for (Operation &op : llvm::reverse(function.getBody().front())) {
      // Shapes and constants are not computed, and views move nothing.
      if (op.hasTrait<OpTrait::ConstantLike>() ||
          op.hasTrait<OpTrait::IsTerminator>() ||
          isa<tensor::EmptyOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
              tensor::CastOp, bufferization::ToTensorOp>(op))
        continue;
      if (llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>) &&
          (isMemoryEffectFree(&op) || isa<cf::AssertOp>(op)) &&
          op.getNumRegions() == 0)
        continue;
      Obstacle obstacle = findObstacle(&op);
      if (!obstacle.why.empty()) {
        refuse(&op, std::move(obstacle));
        continue;
      }
      const Strategy *strategy = findStrategy(&op);
      if (!strategy) {
        refuse(&op, {"matches none of them"});
        continue;
      }
      place(&op, *strategy);
    }
  }
  emitRefusals();
  return success(refused.empty());
}

std::vector<KernelGroup> Grouping::takeGroups() {
  std::reverse(groups.begin(), groups.end());
  return std::move(groups);
}

FailureOr<std::vector<KernelGroup>>
formwork::transforms::groupKernels(func::FuncOp function,
                                   const StrategyLibrary &library) {
  Grouping grouping(library);
  if (failed(grouping.run(function)))
    return failure();
  return grouping.takeGroups();
}
