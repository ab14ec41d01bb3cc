//===- LoweringSequence.cpp - A sequence whose rules end --------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/LoweringSequence.h"

#include "engine/Cycle.h"
#include "engine/Diagnostics.h"
#include "engine/SourcePlace.h"
#include "transforms/TransformOps/NormalFormTransformOps.h"

#include "mlir/Dialect/Transform/IR/TransformOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;
using engine::Finding;
using engine::NoteKind;
using transform::ApplyPatternsOp;

/// Bounds of one apply_patterns. An iteration goes over all of the payload; the
/// second one of a rewrite that ends has nothing to do, as a rule.
static constexpr int64_t maxIterations = 4;
static constexpr int64_t baseRewrites = 1024;
static constexpr int64_t rewritesPerElement = 4;

/// How many elements the values in `payload` have in all: a rewrite that takes
/// vectors apart has so much to do.
static int64_t countElements(ModuleOp payload) {
  int64_t count = 0;
  payload.walk([&](Operation *op) {
    ++count;
    for (Type type : op->getResultTypes())
      if (auto vector = dyn_cast<VectorType>(type))
        count += vector.getNumElements();
  });
  return count;
}

/// Limits `groups` where its author did not. Upstream counts rewrites by
/// iteration, so that one limit without the other ends nothing.
static void limit(ApplyPatternsOp groups, int64_t elements) {
  if (groups.getMaxNumRewrites() == uint64_t(-1))
    groups.setMaxNumRewrites(baseRewrites + rewritesPerElement * elements);
  if (groups.getMaxIterations() == uint64_t(-1))
    groups.setMaxIterations(maxIterations);
}

/// The rules of `groups` that undo each other on one of `targets`, which it
/// left unfinished; empty when none is found.
static std::vector<std::string> explain(ApplyPatternsOp groups,
                                        ArrayRef<Operation *> targets) {
  SmallVector<Operation *> descriptors;
  if (!groups.getRegion().empty())
    for (Operation &descriptor : groups.getRegion().front())
      descriptors.push_back(&descriptor);
  // Some groups populate themselves from the transform state, which is gone.
  if (llvm::any_of(descriptors, engine::needsTransformState))
    return {};
  engine::Driver driver;
  driver.rules = engine::RuleSet::create(descriptors, groups.getContext());
  for (Operation *target : targets)
    if (std::vector<std::string> cycle = engine::findCycle(driver, target);
        !cycle.empty())
      return cycle;
  return {};
}

static LogicalResult refuseEndless(ApplyPatternsOp groups,
                                   ArrayRef<Operation *> targets) {
  Finding finding(groups.getLoc(), "fw-lowering-diverges",
                  "requires rule groups that end but these do not within " +
                      Twine(groups.getMaxIterations()) + " iterations of " +
                      Twine(groups.getMaxNumRewrites()) + " rewrites");
  for (Operation *target : targets)
    finding.note(NoteKind::Established, engine::getNearestLoc(target),
                 "payload op");
  std::vector<std::string> cycle = explain(groups, targets);
  finding.note(NoteKind::Evidence, groups.getLoc(),
               cycle.empty()
                   ? std::string("no state of the payload came back, so that "
                                 "no rules that undo each other are known")
                   : "these rules undo each other: " + llvm::join(cycle, ", "));
  finding.note(NoteKind::FixIt, groups.getLoc(),
               "move the groups of these rules to an apply_patterns of their "
               "own");
  return emitFinding(std::move(finding));
}

LogicalResult formwork::transforms::runLoweringSequence(ModuleOp payload,
                                                        ModuleOp lowering,
                                                        StringRef name) {
  int64_t elements = countElements(payload);
  OwningOpRef<ModuleOp> limited = lowering.clone();
  SmallVector<ApplyPatternsOp> all;
  limited->walk([&](ApplyPatternsOp groups) { all.push_back(groups); });
  // An even number is observed in front of an op of `all`, an odd one behind
  // it.
  for (auto [index, groups] : llvm::enumerate(all)) {
    limit(groups, elements);
    OpBuilder builder(groups);
    transform::ObserveOp::create(builder, groups.getLoc(), 2 * index);
    builder.setInsertionPointAfter(groups);
    transform::ObserveOp::create(builder, groups.getLoc(), 2 * index + 1);
  }

  ApplyPatternsOp current;
  SmallVector<Operation *> targets;
  auto observe = [&](int64_t number, transform::TransformState &state) {
    current = number % 2 == 0 ? all[number / 2] : ApplyPatternsOp();
    targets.clear();
    if (current)
      llvm::append_range(targets, state.getPayloadOps(current.getTarget()));
  };
  bool isEndless = false;
  LogicalResult result = failure();
  {
    ScopedDiagnosticHandler handler(
        payload.getContext(), [&](Diagnostic &diagnostic) {
          // Upstream says this, and nothing else, of a limit.
          if (!current || !StringRef(diagnostic.str())
                               .contains("greedy pattern application failed"))
            return failure();
          isEndless = true;
          return success();
        });
    result = transform::applyTransforms(
        payload, limited->lookupSymbol<transform::NamedSequenceOp>(name),
        /*extraMapping=*/{},
        transform::TransformOptions().enableExpensiveChecks(true),
        /*enforceToplevelTransformOp=*/false,
        [&](transform::TransformState &state) {
          state.addExtension<PayloadObserver>(observe);
        });
  }
  if (isEndless)
    return refuseEndless(current, targets);
  return result;
}
