//===- Vectorization.cpp - When an op can be vectorized ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When one op has a form on vectors, of its own size or of sizes that are
// given, where masks leave out what is not there. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/models/structured/Vectorization.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/EffectRules.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/KernelVectors.h"
#include "verifier/models/rewriting/Rewriting.h"
#include "verifier/models/structured/TileSizes.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether every op in the body of `op` has a form on vectors.
static bool hasVectorBody(linalg::LinalgOp op) {
  return llvm::all_of(*op.getBlock(), [](Operation &inner) {
    return OpTrait::hasElementwiseMappableTraits(&inner) ||
           inner.hasTrait<OpTrait::ConstantLike>() ||
           isa<linalg::YieldOp, linalg::IndexOp>(inner);
  });
}

/// Whether `op` and the ops in its body have a form on vectors, whatever the
/// static shape of `op`.
static bool hasVectorForm(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && !isa<linalg::ConvolutionOpInterface>(op) &&
         !linalgOp.hasDynamicShape() &&
         succeeded(linalg::vectorizeOpPrecondition(op)) &&
         hasVectorBody(linalgOp);
}

bool formwork::verifier::hasStaticForm(const Node &node) {
  bool isStatic =
      node.space && llvm::all_of(node.space->loops, [](const Extent &loop) {
        return loop.size ? *loop.size > 0 : loop.size.isSymbolic();
      });
  return isStatic && node.body && hasVectorForm(node.body);
}

bool formwork::verifier::mayGiveUp(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && !hasVectorBody(linalgOp);
}

/// Whether an op like `op`, of any shape that vectors of `sizes` cover, has a
/// form on such vectors, with masks. One with dynamic sizes has it more rarely.
static bool hasMaskedForm(Operation *op, ArrayRef<int64_t> sizes,
                          ArrayRef<bool> scalable, bool isDynamic) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || isa<linalg::ConvolutionOpInterface>(op))
    return false;
  bool isMaskable =
      linalgOp.getNumReductionLoops() != 0 || linalg::isElementwise(linalgOp) ||
      isa<linalg::GenericOp, linalg::CopyOp, linalg::ContractionOpInterface>(
          op);
  // That the vectors cover the whole is asked of the op that is there, not of
  // the one of which it may be a part.
  SmallVector<int64_t> covering(sizes);
  for (auto [size, range] :
       llvm::zip_equal(covering, linalgOp.getStaticLoopRanges()))
    size = std::max(size, range);
  return (!isDynamic || isMaskable) &&
         succeeded(linalg::vectorizeOpPrecondition(op, covering, scalable)) &&
         hasVectorBody(linalgOp);
}

/// The most that `loop` is where it is static, or may become so.
static std::optional<int64_t> getMostStatic(const Extent &loop) {
  if (loop.size)
    return *loop.size;
  return loop.reason.definite    ? 0
         : loop.reason.tile != 0 ? std::optional(loop.reason.tile)
                                 : std::nullopt;
}

/// Whether it is known that `node`, which no step has changed, has no form on
/// vectors of `sizes`, or of its own size without any.
static bool hasNoVectorForm(const Node &node, transform::VectorizeOp vectorize,
                            ArrayRef<Size> sizes) {
  SmallVector<int64_t> numbers;
  for (const Size &size : sizes)
    if (size)
      numbers.push_back(*size);
  // Upstream does not look for more sizes than loops.
  bool areForLoops =
      node.space && (sizes.empty() || sizes.size() == node.space->loops.size());
  SmallVector<bool> scalable(vectorize.getScalableSizes());
  scalable.resize(numbers.size(), false);
  return node.op && areForLoops && numbers.size() == sizes.size() &&
         failed(linalg::vectorizeOpPrecondition(
             node.op, numbers, scalable,
             vectorize.getVectorizeNdExtract().value_or(false)));
}

/// Whether all inputs have elements of one type, which the op on vectors that
/// `create_named_contraction` asks for needs of its factors.
static bool hasOneInputType(const Node &node) {
  return node.space && llvm::all_equal(ArrayRef(node.space->elementTypes)
                                           .drop_back(node.space->numInits));
}

/// Requires that a vector of `vector` elements covers `loop`, dimension `dim`
/// of `node`; false where it does not, whatever the knobs are.
static bool requireCovering(const Step &step, const Node &node, unsigned dim,
                            const Extent &loop, const Size &vector,
                            llvm::function_ref<void()> refuse) {
  solver::TermContext &terms = step.terms;
  bool present = node.isSurelyThere();
  std::optional<solver::IntTerm> given = step.analysis.getTerm(vector);
  if (!given)
    return true;
  std::string name = "the vector size " + solver::toInfix(*given);
  require(step, {"vector.positive", name + " is positive", present},
          terms.less(terms.constant(0), *given), [] {});
  // The most that a size is that is not static: that of a full tile.
  const DynamicReason &reason = loop.reason;
  bool isTile = loop.size.isUnknown() && reason.tiledBy && reason.tile != 0 &&
                reason.tiledBy == node.origin;
  std::optional<solver::IntTerm> size = step.analysis.getTerm(
      isTile ? Size(std::min(reason.tile, reason.size)) : loop.size);
  if (!size)
    return true;
  solver::BoolTerm covers = terms.lessEqual(*size, *given);
  solver::BoolTerm isStatic =
      loop.condition ? loop.condition->holds : terms.truth(bool(loop.size));
  std::string text = name + " is at least " + solver::toInfix(*size) +
                     ", the size of dimension " + std::to_string(dim);
  if (!require(step, {"vector.covers", text + " where it is static", present},
               terms.implies(isStatic, covers), [&] {
                 if (loop.isStatic())
                   refuse();
               }))
    return false;
  // A size that is not static is masked, however large it may be, and what is
  // behind the vector is left out.
  require(step, {"vector.covers", text, present, ConstraintKind::Wanted},
          terms.logicalOr(isStatic, covers), [] {});
  return true;
}

/// Whether `target` has a form on vectors of `sizes`; true, too, when it is
/// reported that it has none.
static bool checkVectorSizes(const Step &step, NodeId target,
                             ArrayRef<Size> sizes) {
  const Node &node = step.payload[target];
  auto vectorize = cast<transform::VectorizeOp>(step.op);
  bool isPlain = node.space && node.body && node.present == Certainty::Yes &&
                 !vectorize.getCreateNamedContraction() &&
                 !vectorize.getVectorizeNdExtract().value_or(false) &&
                 !vectorize.getAssumeDynamicDimsMatchVecSizes();
  if (!node.space)
    return false;
  ArrayRef<Extent> loops = node.space->loops;
  std::string kind = "'" + node.kind->getStringRef().str() + "'";
  bool isRefused = false;
  auto refuse = [&](const Twine &message) {
    if (!isPlain)
      return;
    isRefused = true;
    step.report("fw-vector-sizes", message, node.isSurelyThere())
        .note(NoteKind::Evidence, step.op->getLoc(),
              "Attempted to vectorize, but failed");
  };
  if (sizes.size() != loops.size()) {
    refuse("requires a vector size for each of the " + Twine(loops.size()) +
           " loops of " + kind + " but has " + Twine(sizes.size()));
    return isRefused;
  }
  SmallVector<int64_t> numbers;
  bool isDynamic = false, areCovered = true;
  for (auto [dim, size, loop] : llvm::enumerate(sizes, loops)) {
    areCovered &= requireCovering(step, node, dim, loop, size, [&, dim = dim] {
      refuse("requires vector sizes that cover the loops of " + kind +
             " but has " + Twine(*sizes[dim]) + " for dimension " + Twine(dim) +
             ", which has " + Twine(*loops[dim].size));
    });
    if (isRefused)
      return true;
    std::optional<int64_t> most = getMostStatic(loop);
    isDynamic |= !loop.isStatic();
    areCovered &= size && !loop.size.isSymbolic() && most && *most <= *size &&
                  loop.size != 0;
    numbers.push_back(size ? *size : 0);
  }
  if (!isPlain || !areCovered)
    return false;
  SmallVector<bool> scalable(vectorize.getScalableSizes());
  scalable.resize(numbers.size(), false);
  return hasMaskedForm(node.body, numbers, scalable, isDynamic);
}

/// The elements of the largest vector that `space` becomes as a whole; none
/// where a size is not known.
static std::optional<int64_t> countElements(const IterationSpace &space) {
  int64_t most = 0;
  for (AffineMap map : space.maps) {
    int64_t elements = 1;
    for (AffineExpr expr : map.getResults()) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim || !space.loops[dim.getPosition()].isStatic() ||
          llvm::MulOverflow(elements, *space.loops[dim.getPosition()].size,
                            elements))
        return std::nullopt;
    }
    most = std::max(most, elements);
  }
  return most;
}

void formwork::verifier::checkHugeVectors(const Step &step,
                                          ArrayRef<NodeId> targets) {
  // 64 KiB of f32: more than the registers of a core or of a thread block hold.
  constexpr int64_t kManyElements = 1 << 14;
  // MLIR counts the bits of a vector, of which an element has at most 64, with
  // 32 bits.
  constexpr int64_t kCountedElements = int64_t(1) << 25;
  const PayloadModel &payload = step.payload;
  int64_t most = kManyElements;
  std::optional<NodeId> largest;
  bool isCounted = true;
  auto compare = [&](NodeId id, Certainty isTarget) {
    const Node &node = payload[id];
    std::optional<int64_t> elements =
        node.space && node.kind ? countElements(*node.space) : std::nullopt;
    if (!elements)
      return;
    isCounted &= *elements < kCountedElements;
    if (isTarget != Certainty::Yes || node.present != Certainty::Yes ||
        *elements <= most)
      return;
    most = *elements;
    largest = id;
  };
  for (NodeId target : targets) {
    compare(target, Certainty::Yes);
    if (payload[target].exact && !payload[target].hasBelow)
      continue;
    for (auto [id, certainty] : payload.find(
             target, [](const Node &node) { return node.space != nullptr; }))
      compare(id, certainty);
  }
  if (!isCounted)
    step.unprove("makes a vector with more bits than MLIR can count");
  if (!largest)
    return;
  const Node &node = payload[*largest];
  Finding &finding =
      step.warn("fw-huge-vector", "vectorizes '" + node.kind->getStringRef() +
                                      "' as a whole, in a vector of " +
                                      Twine(most) + " elements");
  if (node.origin || node.op)
    finding.note(NoteKind::Established,
                 node.origin ? node.origin->getLoc() : node.op->getLoc(),
                 node.origin ? "it is made here" : "it stands here");
  finding.note(NoteKind::Evidence, step.op->getLoc(),
               "the lowering unrolls the vector into one instruction for each "
               "piece that fits a register");
}

/// Vectors of given sizes are written with masks where a size is not static.
static void noteMaskedWrite(const Step &step, const Node &node) {
  if (!node.space)
    return step.payload.maskWrites(/*isOpen=*/true);
  auto isDynamic = [](const Extent &loop) { return !loop.isStatic(); };
  auto isOpen = [&](const Extent &loop) {
    return isDynamic(loop) && !loop.reason.definite;
  };
  if (node.space->onTensors && llvm::any_of(node.space->loops, isDynamic))
    step.payload.maskWrites(llvm::any_of(node.space->loops, isOpen));
}

static void propagateVectorize(const Step &step) {
  auto vectorize = cast<transform::VectorizeOp>(step.op);
  bool hasSizes = !vectorize.getStaticVectorSizes().empty();
  checkParamTypes(step, vectorize.getVectorSizes(),
                  step.lookup(vectorize.getTarget()).count(step.payload).lo >
                      0);
  SmallVector<Size> sizes;
  for (OpFoldResult entry : vectorize.getMixedVectorSizes())
    sizes.push_back(isa<Attribute>(entry) ? Size(getConstantIntValue(entry))
                                          : step.getParam(cast<Value>(entry)));
  // That there is none for its kind, the contract says.
  auto isRefused = [&](const Node &node) {
    return node.kind &&
           !llvm::all_of(step.contract.operands, [&](const auto &clause) {
             return clause.kind != normalforms::OperandClause::Accepts ||
                    matchesAnyKind(*node.kind, clause.kinds);
           });
  };
  NodeList targets(step.lookup(step.op->getOperand(0)).nodes);
  if (!hasSizes)
    checkHugeVectors(step, targets);
  for (NodeId target : targets) {
    const Node &node = step.payload[target];
    if (isRefused(node))
      continue;
    noteVectors(step, target, sizes);
    bool isStructured = isSurelyOfKind(node, KindPattern("$structured"));
    bool isSettled =
        hasSizes ? checkVectorSizes(step, target, sizes)
                 : checkStaticLoops(step, target, /*needed=*/true) ||
                       (!vectorize.getCreateNamedContraction() &&
                        node.present == Certainty::Yes && hasStaticForm(node));
    if (!isSettled && !isStructured) {
      const LoneRun *run = runAlone(step, /*index=*/0, target);
      isSettled = run && !run->failure;
    }
    if (vectorize.getCreateNamedContraction() && !hasOneInputType(node))
      step.unprove("may make a contraction of factors of two types");
    if (!isSettled && hasNoVectorForm(node, vectorize, sizes))
      step.report("fw-no-vector-form",
                  "requires an op that can be vectorized but '" +
                      node.kind->getStringRef() + "' cannot be" +
                      (hasSizes ? " with these sizes" : ""),
                  node.isSurelyThere())
          .note(NoteKind::Evidence, step.op->getLoc(),
                "Attempted to vectorize, but failed");
    else if (!isSettled && hasSizes)
      step.unprove("may meet an op that cannot be vectorized with masks");
    else if (!isSettled)
      step.unprove("may meet an op that cannot be vectorized",
                   /*silenceable=*/isStructured);
    if (hasSizes)
      noteMaskedWrite(step, node);
    // Its body is computed on vectors, with the attributes of the inner ops;
    // its own attributes are lost.
    bool isOne = node.exact;
    step.payload.hideTags(target,
                          [&](NodeId id) { return id != target || !isOne; });
    step.payload.edit(target).present = Certainty::No;
  }
  normalforms::KindPatterns introduces = step.contract.payload->introduces;
  if (hasSizes)
    introduces.push_back(KindPattern::of(vector::MaskOp::getOperationName()));
  applyWriteOf(step, introduces);
}

//===----------------------------------------------------------------------===//
// Effects
//===----------------------------------------------------------------------===//

/// The view that `read` reads; null if it reads a buffer itself, or a tensor.
static Operation *getView(vector::TransferReadOp read) {
  Operation *view = read.getBase().getDefiningOp();
  return isa<MemRefType>(read.getBase().getType()) &&
                 isa_and_nonnull<ViewLikeOpInterface>(view) &&
                 !isa<memref::AssumeAlignmentOp>(view)
             ? view
             : nullptr;
}

/// A transfer from a view stays, because another view may be of the same
/// memory.
static std::optional<std::string> explainTransfers(Operation *scope) {
  Operation *view = nullptr;
  bool areAllViews =
      !scope
           ->walk([&](vector::TransferReadOp read) {
             if (!read->getParentOfType<LoopLikeOpInterface>())
               return WalkResult::advance();
             Operation *other = getView(read);
             view = view ? view : other;
             return other ? WalkResult::advance() : WalkResult::interrupt();
           })
           .wasInterrupted();
  if (!view || !areAllViews)
    return std::nullopt;
  return ("each reads a view, such as that of '" +
          view->getName().getStringRef() + "'")
      .str();
}

/// MLIR vectorizes a convolution only if its window has one loop.
static std::optional<std::string> explainWindow(linalg::LinalgOp op) {
  FailureOr<linalg::ConvolutionDimensions> dims =
      linalg::inferConvolutionDims(op);
  if (failed(dims) || dims->filterLoop.size() < 2)
    return std::nullopt;
  return ("the window of '" + op->getName().getStringRef() + "' has " +
          Twine(dims->filterLoop.size()) +
          " loops; tile one of them and its loop of the output by 1, then "
          "apply transform.structured.decompose")
      .str();
}

static std::optional<std::string> explainScalarOp(Operation *target) {
  auto op = dyn_cast<linalg::LinalgOp>(target);
  if (!op)
    return std::nullopt;
  if (!op.hasDynamicShape())
    return explainWindow(op);
  return ("a size of '" + target->getName().getStringRef() +
          "' is only known when it runs")
      .str();
}

/// Slices are folded into transfers, whether an op is vectorized or not.
static std::optional<llvm::hash_code> countSlices(Operation *target) {
  unsigned numSlices = 0;
  target->walk([&](Operation *op) {
    numSlices += isa<tensor::ExtractSliceOp, tensor::InsertSliceOp>(op);
  });
  return llvm::hash_value(numSlices);
}

static bool mayHoldSlices(const PayloadModel &payload, NodeId target) {
  return payload.mayHold(target, KindPattern("tensor.extract_slice")) ||
         payload.mayHold(target, KindPattern("tensor.insert_slice"));
}

void formwork::verifier::addVectorizationEffects(EffectRegistry &effects) {
  effects.add<transform::HoistRedundantVectorTransfersOp>(
      {.explainIdle = explainTransfers});
  effects.add<transform::VectorizeChildrenAndApplyPatternsOp>(
      {.explainIdle = explainScalarOp,
       .measureBesides = countSlices,
       .mayDoBesides = mayHoldSlices});
}

void formwork::verifier::registerVectorizationModels(ModelRegistry &models) {
  models
      .add("vectorize", propagateVectorize,
           decides{"fw-any-param", "fw-dynamic-shape", "fw-huge-vector",
                   "fw-no-vector-form", "fw-vector-sizes"},
           leavesOpen{"may make a contraction of factors of two types",
                      "may meet an op that cannot be vectorized with masks",
                      "may meet an op that cannot be vectorized"})
      .derivesConstraints = true;
}
