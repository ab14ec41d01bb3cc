//===- Queries.cpp - Models of ops that ask for sizes -----------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters that are read off the payload: dimensions and counts that matchers
// of structured ops capture, and tile sizes that fit a loop. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/clauses/LoneSteps.h"
#include "verifier/clauses/Yields.h"
#include "verifier/findings/Requirements.h"
#include "verifier/models/Models.h"
#include "verifier/models/handles/Steps.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/step/Step.h"

#include "mlir/Dialect/Linalg/TransformOps/LinalgMatchOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::engine;
using namespace formwork::verifier;
using solver::IntTerm;

/// Whether `extent`, of dimension `dim` of `target`, is a number or a term
/// whenever `op` goes on; else `op` is refused or unproved.
static bool requireKnownExtent(const Step &step, NodeId target, unsigned dim) {
  const Node &node = step.payload[target];
  const Extent &extent = node.space->loops[dim];
  // Without operands, nothing says what MLIR takes for the size.
  bool present =
      node.isSurelyThere() && !step.payload.getFeatures(target).contains(
                                  normalforms::Feature::OperandsNone);
  // Sizes of which some operand has no type are known all the same.
  if (extent.size)
    return true;
  StaticNeed need{("'" + step.op->getName().getStringRef() +
                   "' computes sizes of static shapes")
                      .str(),
                  "may meet a dynamic shape", present};
  return requireStatic(step, extent, need, [&]() -> Finding & {
    return step.report("fw-dynamic-shape",
                       "requires static shapes but dimension " + Twine(dim) +
                           " of '" + node.kind->getStringRef() + "' is dynamic",
                       present);
  });
}

//===----------------------------------------------------------------------===//
// Matchers of structured ops, outside of a matcher sequence
//===----------------------------------------------------------------------===//

/// Whether a matcher asks for nothing but the loops and operands of its op, of
/// which the payload model tells.
static bool asksForLoops(Block &body) {
  return llvm::all_of(body.without_terminator(), [&](Operation &inner) {
    return isa<transform::MatchStructuredRankOp,
               transform::MatchStructuredNumInitsOp,
               transform::MatchStructuredNumInputsOp,
               transform::MatchStructuredDimOp>(inner) &&
           inner.getNumOperands() == 1 &&
           inner.getOperand(0) == body.getArgument(0);
  });
}

static bool areAllUsedInside(Region &region) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(region, used);
  return used.empty();
}

namespace {
/// Follows the body of a matcher on the one op that it is asked of.
class LoopMatcher {
public:
  /// `space` is that of the op, null where it is not known.
  LoopMatcher(const Step &step, transform::MatchStructuredOp match,
              const HandleState &target, const IterationSpace *space)
      : step(step), body(match.getBodyRegion().front()), target(target),
        space(space), isSuppressed(match.getFailurePropagationMode() ==
                                   transform::FailurePropagationMode::Suppress),
        mayStop(isSuppressed && !space) {}

  void askAll();
  void setResults() const;

private:
  using Values = SmallVector<ParamValue>;

  /// The answer of `inner`, a step of the body; none where that is not known,
  /// or where the body stops at it.
  std::optional<Values> ask(Operation &inner);
  std::optional<Values> askDims(transform::MatchStructuredDimOp dim);
  /// The sizes of these loops, as far as they are known.
  Values getSizes(ArrayRef<int64_t> dims) const;
  void setResult(OpResult result, Value yielded) const;
  void setOpen(OpResult result) const;

  const Step &step;
  Block &body;
  const HandleState &target;
  const IterationSpace *space;
  bool isSuppressed;
  /// A predicate may not hold, where that is no failure.
  bool mayStop;
  /// The first predicate that does not hold, where that is no failure: what
  /// stands before it is captured, and nothing else.
  Operation *stop = nullptr;
  /// The answers that are known, by the value of the body.
  llvm::DenseMap<Value, Values> captured;
};
} // namespace

void LoopMatcher::askAll() {
  for (Operation &inner : body.without_terminator()) {
    std::optional<Values> answer = ask(inner);
    if (stop)
      return;
    if (answer && inner.getNumResults() != 0)
      captured[inner.getResult(0)] = std::move(*answer);
  }
}

std::optional<LoopMatcher::Values> LoopMatcher::ask(Operation &inner) {
  bool asksSelf =
      inner.getNumOperands() == 1 && inner.getOperand(0) == body.getArgument(0);
  if (space && asksSelf) {
    auto number = [](int64_t value) { return Values{ParamValue{Size(value)}}; };
    if (isa<transform::MatchStructuredRankOp>(inner))
      return number(space->loops.size());
    if (isa<transform::MatchStructuredNumInitsOp>(inner))
      return number(space->numInits);
    if (isa<transform::MatchStructuredNumInputsOp>(inner))
      return number(space->maps.size() - space->numInits);
    if (auto dim = dyn_cast<transform::MatchStructuredDimOp>(inner))
      return askDims(dim);
  }
  step.unprove("asks for a property of an op that is not known");
  mayStop |= isSuppressed;
  return std::nullopt;
}

std::optional<LoopMatcher::Values>
LoopMatcher::askDims(transform::MatchStructuredDimOp dim) {
  int64_t numLoops = space->loops.size();
  SmallVector<int64_t> dims;
  DiagnosedSilenceableFailure selected = transform::expandTargetSpecification(
      dim.getLoc(), dim.getIsAll(), dim.getIsInverted(), dim.getRawDimList(),
      numLoops, dims);
  bool areThere = selected.succeeded();
  (void)selected.silence();
  auto isOf = [&](utils::IteratorType type) {
    return llvm::all_of(dims,
                        [&](int64_t i) { return space->iterators[i] == type; });
  };
  if (areThere && (!dim.getParallel() || isOf(utils::IteratorType::parallel)) &&
      (!dim.getReduction() || isOf(utils::IteratorType::reduction)))
    return getSizes(dims);
  if (isSuppressed)
    stop = dim;
  else if (areThere)
    step.report("fw-matcher-failed",
                Twine("requires dimensions that are all ") +
                    (dim.getParallel() ? "parallel" : "reductions") +
                    " but one is not");
  else
    step.report("fw-matcher-failed",
                "requires dimensions of '" +
                    step.payload[target.nodes.front()].kind->getStringRef() +
                    "', which has " + Twine(numLoops) +
                    ", each at most once, but asks for others");
  return std::nullopt;
}

LoopMatcher::Values LoopMatcher::getSizes(ArrayRef<int64_t> dims) const {
  Values sizes;
  for (int64_t i : dims) {
    const Extent &extent = space->loops[i];
    // For a dynamic size, the parameter is a number that stands for it.
    bool isStatic =
        extent.size || (extent.size.isSymbolic() && extent.condition &&
                        step.parameters.isSurely(extent.condition->holds));
    ParamValue &size = sizes.emplace_back();
    if (isStatic)
      size.size = extent.size;
    else
      size.reason = "is a size that may be dynamic";
  }
  return sizes;
}

void LoopMatcher::setOpen(OpResult result) const {
  if (isa<transform::TransformParamTypeInterface>(result.getType()))
    step.analysis.setOpaqueParam(result, step.op, "");
  else
    step.setOpaque(result.getResultNumber());
}

void LoopMatcher::setResult(OpResult result, Value yielded) const {
  unsigned index = result.getResultNumber();
  bool isParam = isa<transform::TransformParamTypeInterface>(result.getType());
  Operation *source = yielded.getDefiningOp();
  bool isMissing = stop && source && source->getBlock() == &body &&
                   !source->isBeforeInBlock(stop);
  auto known = captured.find(yielded);
  if (isMissing && isParam)
    step.analysis.setParams(result, step.op, {});
  else if (isMissing)
    step.setResult(index, {});
  else if (mayStop)
    setOpen(result);
  else if (isParam && known != captured.end())
    step.analysis.setParams(result, step.op, known->second);
  else if (!isParam && yielded == body.getArgument(0))
    bindFrom(step, result, step.op, target);
  else
    setOpen(result);
}

void LoopMatcher::setResults() const {
  // MLIR verifies neither the number of yielded values nor their types. A
  // result without one stays unset.
  ValueRange yielded = body.getTerminator()->getOperands();
  if (step.op->getNumResults() > yielded.size())
    step.unprove("yields fewer values than it has results");
  for (OpResult result : step.op->getResults())
    if (result.getResultNumber() < yielded.size())
      setResult(result, yielded[result.getResultNumber()]);
    else
      setOpen(result);
}

static void propagateStructuredMatch(const Step &step) {
  auto match = cast<transform::MatchStructuredOp>(step.op);
  HandleState target = step.lookup(match.getCurrent());
  // MLIR answers the other conditions for an op that no step has changed.
  if (target.nodes.size() == 1 && step.payload[target.nodes.front()].op &&
      !asksForLoops(match.getBodyRegion().front()) &&
      areAllUsedInside(match.getBodyRegion()))
    return propagateMatcher(step);
  constexpr StringLiteral unsure = "matches an op whose loops are not known";
  requireOne(step, match.getCurrent(), unsure, /*silenceable=*/false);
  bool isOne =
      target.count(step.payload).isExactly(1) && target.nodes.size() == 1;
  const IterationSpace *space =
      isOne ? step.payload[target.nodes.front()].space.get() : nullptr;
  if (!space)
    step.unprove(unsure);
  LoopMatcher matcher(step, match, target, space);
  matcher.askAll();
  applyWrite(step, &step.contract);
  matcher.setResults();
}

//===----------------------------------------------------------------------===//
// Tile sizes that fit
//===----------------------------------------------------------------------===//

/// Whether an attribute of the parameter is what consumers of sizes take.
static bool givesSizes(Value value) {
  auto type = dyn_cast<transform::ParamType>(value.getType());
  return type && type.getType().isSignlessInteger(64);
}

/// Whether no operand of `target` has a dimension that may be dynamic where all
/// loops are static: one that is computed from loops.
static bool haveLoopsAllSizes(const PayloadModel &payload, NodeId target) {
  const Node &node = payload[target];
  if (node.op && payload.isUntouched(target))
    return llvm::all_of(node.op->getOperandTypes(), [](Type type) {
      auto shaped = dyn_cast<ShapedType>(type);
      return !shaped || (shaped.hasRank() && shaped.hasStaticShape());
    });
  return llvm::all_of(node.space->maps, [](AffineMap map) {
    return llvm::all_of(map.getResults(),
                        llvm::IsaPred<AffineDimExpr, AffineConstantExpr>);
  });
}

/// Whether all sizes of `target`, whose loops are known, are numbers or terms
/// whenever the step goes on; else it is refused or unproved.
static bool requireKnownSizes(const Step &step, NodeId target) {
  bool areKnown = true;
  for (unsigned i = 0; i < step.payload[target].space->loops.size(); ++i)
    areKnown &= requireKnownExtent(step, target, i);
  if (!areKnown || haveLoopsAllSizes(step.payload, target))
    return areKnown;
  step.unprove("computes sizes of an op of which an operand may be dynamic");
  return false;
}

/// Whether the ops that compute sizes while the payload runs can be made for
/// all of `targets`. MLIR makes them without a look at the payload around.
static bool canComputeSizes(const Step &step, const HandleState &targets) {
  return llvm::all_of(targets.nodes, [&](NodeId target) {
    Operation *op = step.payload[target].op;
    // For an op without operands, MLIR reads sizes that do not exist.
    if (!op || op->getNumOperands() == 0)
      return false;
    const LoneRun *run = runAlone(step, /*index=*/0, target);
    return run && !run->failure;
  });
}

static void propagateMultitileSizes(const Step &step) {
  auto multitile = cast<transform::MultiTileSizesOp>(step.op);
  bool makesParams =
      kindOfHandle(multitile.getLowSize().getType()) == HandleState::Params;
  int64_t targetSize = multitile.getTargetSize(),
          divisor = multitile.getDivisor();
  unsigned dim = multitile.getDimension();
  solver::TermContext &terms = step.terms;
  HandleState source = step.lookup(multitile.getTarget());
  SmallVector<ParamValue> low, high, points;
  int64_t sum; // which MLIR computes in 64 bits
  bool isKnown = makesParams && targetSize > 0 && divisor > 0 &&
                 !llvm::AddOverflow(targetSize, divisor, sum);
  if (!isKnown && (makesParams || !canComputeSizes(step, source)))
    step.unprove("computes sizes while the payload runs");
  for (NodeId target : source.nodes) {
    if (!isKnown)
      break;
    const Node &node = step.payload[target];
    bool present = node.isSurelyThere();
    // For an op without operands, MLIR reads sizes that do not exist.
    bool hasNone = node.op && node.op->getNumOperands() == 0;
    if (!node.space || dim >= node.space->loops.size() || hasNone ||
        !node.count.isExactly(1)) {
      step.unprove("computes sizes of a loop that is not known");
      isKnown = false;
      break;
    }
    isKnown &= requireKnownSizes(step, target);
    if (!isKnown)
      break;
    // As the declaration of computeMultiTileSizes has it: u tiles of s and v of
    // s + divisor make up the loop.
    IntTerm extent =
        *step.analysis.getTerm(step.payload[target].space->loops[dim].size);
    IntTerm unit = terms.constant(divisor);
    IntTerm b = terms.floorDiv(extent, unit);
    IntTerm t = terms.ceilDiv(terms.constant(targetSize), unit);
    // For a loop that is shorter than the divisor, upstream divides by zero.
    IntTerm d = terms.max(terms.ceilDiv(b, t), terms.constant(1));
    IntTerm s = terms.mul(terms.floorDiv(b, d), unit);
    IntTerm v = terms.mod(b, d);
    IntTerm u = terms.sub(d, v);
    IntTerm split = terms.mul(s, u);
    solver::BoolTerm isSum =
        terms.equal(terms.add(split, terms.mul(terms.add(s, unit), v)), extent);
    solver::BoolTerm holds =
        terms.logicalAnd(terms.lessEqual(unit, extent), isSum);
    std::string text = "the size of dimension " + std::to_string(dim) + ", " +
                       solver::toInfix(extent) +
                       ", is made up of two tile sizes near " +
                       std::to_string(targetSize) + " that are multiples of " +
                       std::to_string(divisor) + "";
    if (holds.isFalse()) {
      step.report("fw-no-multitile-sizes",
                  "requires that " + text + " but it is not", present)
          .note(NoteKind::Evidence, step.op->getLoc(),
                "failed to compute multi-size tiling sizes")
          .note(NoteKind::FixIt, step.op->getLoc(),
                "use a divisor that divides the size");
      isKnown = false;
      break;
    }
    step.require(step.op, "multitile.exact", holds, text,
                 ConstraintKind::Required, present);
    bool isSize = givesSizes(multitile.getLowSize());
    low.push_back({Size::of(s), isSize});
    high.push_back({Size::of(terms.add(s, unit)), isSize});
    points.push_back({Size::of(split), isSize});
  }
  applyWrite(step, &step.contract);
  std::array<ArrayRef<ParamValue>, 3> given = {low, high, points};
  for (auto [result, values] : llvm::zip_equal(step.op->getResults(), given))
    if (isKnown && source.ordered && !values.empty())
      step.analysis.setParams(result, step.op, values);
    else if (makesParams)
      step.analysis.setOpaqueParam(result, step.op, "");
    else
      step.setOpaque(result.getResultNumber());
}

static void propagateContinuousSizes(const Step &step) {
  auto continuous = cast<transform::ContinuousTileSizesOp>(step.op);
  bool makesParams =
      kindOfHandle(continuous.getTileSizes().getType()) == HandleState::Params;
  int64_t targetSize = continuous.getTargetSize();
  unsigned dim = continuous.getDimension();
  HandleState source = step.lookup(continuous.getTarget());
  bool isKnown = makesParams && targetSize > 0 && source.nodes.size() == 1 &&
                 source.count(step.payload).isExactly(1);
  if (isKnown) {
    NodeId target = source.nodes.front();
    const Node &node = step.payload[target];
    isKnown = node.space && dim < node.space->loops.size();
    isKnown = isKnown && requireKnownSizes(step, target);
    // How many sizes there are is no number while the extent is none.
    isKnown = isKnown && step.payload[target].space->loops[dim].size;
  }
  if (!isKnown && (makesParams || !canComputeSizes(step, source)))
    step.unprove("computes sizes of a loop that is not known to be static");
  SmallVector<ParamValue> sizes, chunks;
  if (isKnown) {
    int64_t left = *step.payload[source.nodes.front()].space->loops[dim].size;
    int64_t size = targetSize;
    bool isSize = givesSizes(continuous.getTileSizes());
    auto add = [&] {
      sizes.push_back({Size(size), isSize});
      chunks.push_back({Size(left / size * size), isSize});
      left %= size;
    };
    // First tiles of the target size, then of each power of two below it of
    // which there are any.
    add();
    while (size > 1 && left != 0) {
      int64_t power = llvm::bit_floor(static_cast<uint64_t>(size));
      size = power == size ? power / 2 : power;
      if (left >= size)
        add();
    }
  }
  applyWrite(step, &step.contract);
  std::array<ArrayRef<ParamValue>, 2> given = {sizes, chunks};
  for (auto [result, values] : llvm::zip_equal(step.op->getResults(), given))
    if (isKnown)
      step.analysis.setParams(result, step.op, values);
    else if (makesParams)
      step.analysis.setOpaqueParam(result, step.op, "");
    else
      step.setOpaque(result.getResultNumber());
}

void formwork::verifier::registerQueriesModels(ModelRegistry &models) {
  models.add("match-structured", propagateStructuredMatch,
             decides{"fw-cardinality", "fw-matcher-failed", "fw-step-fails"});
  models.add("multitile-sizes", propagateMultitileSizes,
             decides{"fw-dynamic-shape", "fw-no-multitile-sizes"},
             leavesOpen{"computes sizes while the payload runs"});
  models.add("continuous-sizes", propagateContinuousSizes,
             decides{"fw-dynamic-shape"});
}
