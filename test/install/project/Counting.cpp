//===- Counting.cpp - What the project adds to Formwork ---------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A predicate for a form of forms.mlir, and two transform operations with the
// contracts of contracts.mlir, of which one names a model.
//
//===----------------------------------------------------------------------===//

// First: it includes what it needs.
#include "verifier/models/OwnModels.h"

#include "Counting.h"

#include "normalforms/IR/NormalFormOps.h"
#include "verifier/clauses/Clauses.h"
#include "verifier/findings/Requirements.h"
#include "verifier/solver/TermPrinter.h"
#include "verifier/spaces/Tiling.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"

using namespace mlir;
using namespace formwork;

#define GET_OP_CLASSES
#include "CountingOps.h.inc"
#define GET_OP_CLASSES
#include "CountingOps.cpp.inc"

//===----------------------------------------------------------------------===//
// transform.counting.count
//===----------------------------------------------------------------------===//

void transform::CountOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  onlyReadsHandle(getTargetMutable(), effects);
  modifiesPayload(effects);
}

DiagnosedSilenceableFailure
transform::CountOp::applyToOne(TransformRewriter &, Operation *target,
                               ApplyToEachResultList &, TransformState &) {
  unsigned count = 0;
  target->walk([&](Operation *op) { count += op != target; });
  target->emitRemark("holds ") << count << " operations";
  target->setAttr("counted", Builder(target).getI64IntegerAttr(count));
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// transform.counting.batch
//===----------------------------------------------------------------------===//

void transform::BatchOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  consumesHandle(getLoopMutable(), effects);
  onlyReadsHandle(getSizeMutable(), effects);
  producesHandle(getOperation()->getOpResults(), effects);
  modifiesPayload(effects);
}

/// Makes a loop over batches of `size` steps of `loop`, which has `trips`.
/// Returns that and the loop over the steps of a batch.
static std::pair<scf::ForOp, scf::ForOp> makeBatches(RewriterBase &rewriter,
                                                     scf::ForOp loop,
                                                     int64_t trips,
                                                     int64_t size) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  auto makeNumber = [&](int64_t number) -> Value {
    return arith::ConstantOp::create(
        rewriter, loc,
        rewriter.getIntegerAttr(loop.getInductionVar().getType(), number));
  };
  Value zero = makeNumber(0), one = makeNumber(1), length = makeNumber(size);
  scf::ForOp steps;
  auto batches = scf::ForOp::create(
      rewriter, loc, zero, makeNumber(trips / size), one, loop.getInitArgs(),
      [&](OpBuilder &builder, Location loc, Value, ValueRange values) {
        steps =
            scf::ForOp::create(builder, loc, zero, length, one, values,
                               [](OpBuilder &, Location, Value, ValueRange) {});
        scf::YieldOp::create(builder, loc, steps.getResults());
      });
  rewriter.setInsertionPointToStart(steps.getBody());
  Value first = arith::MulIOp::create(rewriter, loc, batches.getInductionVar(),
                                      length),
        number = arith::AddIOp::create(rewriter, loc, first,
                                       steps.getInductionVar()),
        offset = arith::MulIOp::create(rewriter, loc, number, loop.getStep());
  SmallVector<Value> arguments = {
      arith::AddIOp::create(rewriter, loc, loop.getLowerBound(), offset)};
  llvm::append_range(arguments, steps.getRegionIterArgs());
  rewriter.mergeBlocks(loop.getBody(), steps.getBody(), arguments);
  rewriter.replaceOp(loop, batches);
  return {batches, steps};
}

DiagnosedSilenceableFailure
transform::BatchOp::apply(TransformRewriter &rewriter,
                          TransformResults &results, TransformState &state) {
  ArrayRef<Attribute> sizes = state.getParams(getSize());
  auto size =
      sizes.size() == 1 ? dyn_cast<IntegerAttr>(sizes.front()) : nullptr;
  if (!size || size.getInt() < 1)
    return emitSilenceableError() << "requires one positive size";
  SmallVector<Operation *> batches, steps;
  for (Operation *target : llvm::to_vector(state.getPayloadOps(getLoop()))) {
    auto loop = dyn_cast<scf::ForOp>(target);
    std::optional<APInt> trips =
        loop ? loop.getStaticTripCount() : std::nullopt;
    if (!trips || trips->getSExtValue() % size.getInt() != 0)
      return emitSilenceableError()
             << "requires a number of steps that the size divides";
    auto [outer, inner] =
        makeBatches(rewriter, loop, trips->getSExtValue(), size.getInt());
    batches.push_back(outer);
    steps.push_back(inner);
  }
  results.set(cast<OpResult>(getBatches()), batches);
  results.set(cast<OpResult>(getSteps()), steps);
  return DiagnosedSilenceableFailure::success();
}

/// Requires that batches of `size` steps hold all those of `loop`.
static void requireBatches(const verifier::Step &step,
                           const verifier::Node &loop,
                           verifier::solver::IntTerm size) {
  using namespace verifier;
  bool isThere = loop.isSurelyThere();
  auto refute = [&]() -> engine::Finding & {
    return step.report("fw-step-fails",
                       "requires a number of steps that the size divides",
                       isThere);
  };
  Extent trips = loop.loop ? loop.loop->trips.front() : Extent();
  if (!requireStatic(
          step, trips,
          {"batches are equally long",
           "batches a loop of which the number of steps is not known", isThere},
          refute))
    return;
  std::optional<verifier::solver::IntTerm> number =
      step.analysis.getTerm(trips.size);
  require(step,
          {"batch.divides",
           "the size of a batch, " + verifier::solver::toInfix(size) +
               ", divides the " + verifier::solver::toInfix(*number) +
               " steps of the loop",
           isThere},
          step.terms.divides(size, *number), [&] { refute(); });
}

/// Makes each node of `handle` a loop like one of `old`, with these `trips`.
static void setTrips(const verifier::Step &step, Value handle,
                     ArrayRef<std::shared_ptr<const verifier::LoopFacts>> old,
                     ArrayRef<verifier::Extent> trips) {
  verifier::NodeList loops(step.lookup(handle).nodes);
  // A clause makes no node for a target that is surely gone.
  if (loops.size() != trips.size())
    return;
  for (auto [loop, facts, extent] : llvm::zip_equal(loops, old, trips)) {
    auto made = facts ? std::make_shared<verifier::LoopFacts>(*facts)
                      : std::make_shared<verifier::LoopFacts>();
    made->trips = {extent};
    made->range = made->step = 0;
    made->endsOpen = false;
    step.payload.edit(loop).loop = std::move(made);
  }
}

/// The model of transform.counting.batch: each loop becomes a nest, in which
/// the trip counts are those of its batches and of a batch. The step fails
/// where the size does not divide the number of steps.
static void propagateBatch(const verifier::Step &step) {
  using namespace verifier;
  auto batch = cast<transform::BatchOp>(step.op);
  Size size = step.getParam(batch.getSize());
  std::optional<verifier::solver::IntTerm> term = step.analysis.getTerm(size);
  auto refute = [&] {
    step.report("fw-step-fails", "requires one positive size");
  };
  if (!term)
    step.unprove("has a size that is not known");
  bool isPositive =
      term &&
      require(step, {"batch.positive", "the size of a batch is positive"},
              step.terms.lessEqual(step.terms.constant(1), *term), refute);
  SmallVector<std::shared_ptr<const LoopFacts>> loops;
  SmallVector<Extent> batches, steps;
  for (NodeId target : step.lookup(batch.getLoop()).nodes) {
    const Node &loop = step.payload[target];
    SplitLoop split;
    if (isPositive) {
      requireBatches(step, loop, *term);
      split =
          splitLoop(step.terms, loop.loop ? loop.loop->trips.front() : Extent(),
                    {step.op, /*dim=*/0, size});
    }
    loops.push_back(loop.loop);
    batches.push_back(split.trips);
    steps.push_back(split.tile);
  }
  // The clauses say where the loops are, the model how many steps they have.
  applyClauses(step);
  setTrips(step, batch.getBatches(), loops, batches);
  setTrips(step, batch.getSteps(), loops, steps);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
class CountingExtension
    : public transform::TransformDialectExtension<CountingExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountingExtension)
  using Base::Base;
  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "CountingOps.cpp.inc"
        >();
  }
};
} // namespace

/// Every function is shorter than ten operations.
static void checkLengths(Operation *anchor,
                         SmallVectorImpl<normalforms::Violation> &violations,
                         bool onlyFirst) {
  anchor->walk([&](func::FuncOp function) {
    unsigned count = 0;
    function.walk([&](Operation *op) { count += op != function; });
    if (count >= 10 && function != anchor)
      violations.push_back({function, "short-functions.c1",
                            "requires fewer than ten operations"});
  });
}

static void addModels(verifier::OwnModels &models) {
  models
      .add<transform::BatchOp>("batch", propagateBatch,
                               verifier::decides{"fw-step-fails"})
      .derivesConstraints = true;
}

void registerCounting(DialectRegistry &registry) {
  verifier::registerModels(registry, addModels);
  registry.addExtensions<CountingExtension>();
  registry.addExtension(
      +[](MLIRContext *, normalforms::NormalFormDialect *dialect) {
        dialect->registerPredicate(
            {"short-functions",
             {{"short-functions.c1", "every function has fewer than ten "
                                     "operations"}},
             checkLengths});
      });
}
