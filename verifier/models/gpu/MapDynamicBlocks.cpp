//===- MapDynamicBlocks.cpp - A grid that the host computes -----*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mapping of loops of any bounds to the blocks of grids. Layer: verifier.
//
//===----------------------------------------------------------------------===//

#include "verifier/clauses/Clauses.h"
#include "verifier/models/Models.h"
#include "verifier/models/gpu/MappedLoops.h"
#include "verifier/models/gpu/TriedSteps.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::engine;
using namespace formwork::verifier;

/// Whether `attribute` is a place in a grid: an axis, or a linear one.
static bool isPlace(Attribute attribute, bool isLinear) {
  auto mapping = dyn_cast<gpu::GPUBlockMappingAttr>(attribute);
  return mapping && mapping.isLinearMapping() == isLinear;
}

/// Whether all is known that decides whether `loop` is mapped. Reports what
/// keeps it from that.
static bool checkLoop(const Step &step, NodeId loop) {
  const Node &node = step.payload[loop];
  if (!node.loop || !isForall(node) || !node.exact)
    return false;
  bool present = node.isSurelyThere();
  const LoopFacts &facts = *node.loop;
  Location made = step.locOf(node);
  auto error = [&](StringRef id, const Twine &message) {
    step.report(id, message, present)
        .note(NoteKind::Established, made, "the scf.forall is made here");
    return true;
  };
  if (facts.hasResults)
    return error("fw-not-bufferized",
                 "requires a loop on buffers but has one with results");
  if (facts.mapping.empty())
    return error("fw-missing-mapping",
                 "requires a loop that is mapped to blocks but has one without "
                 "a mapping");
  if (facts.mapping.size() != facts.trips.size())
    return error("fw-wrong-mapping",
                 "requires a mapping for each of " + Twine(facts.trips.size()) +
                     " dimensions but has " + Twine(facts.mapping.size()));
  bool isLinear = isPlace(facts.mapping[0], /*isLinear=*/true);
  for (auto [i, attribute] : llvm::enumerate(facts.mapping)) {
    if (!isPlace(attribute, isLinear))
      return error("fw-wrong-mapping",
                   "requires dimensions that are mapped to blocks along x, y "
                   "or z, or are all linear, but has one that is mapped to "
                   "something else");
    if (llvm::is_contained(ArrayRef(facts.mapping).take_front(i), attribute))
      return error("fw-duplicate-mapping",
                   "requires each axis of the grid at most once but has one "
                   "twice");
  }
  if (step.payload.getAncestor(loop, /*proper=*/true,
                               {gpu::LaunchOp::getOperationName(),
                                scf::ForallOp::getOperationName()}))
    return error("fw-wrong-mapping",
                 "requires a loop of the host but has one that is inside of a "
                 "kernel or of another parallel loop");
  return true;
}

/// transform.formwork.map_forall_to_blocks: each loop becomes a launch, with as
/// many blocks as it has iterations, of one thread each.
static void propagateDynamicBlocks(const Step &step) {
  const HandleState source = step.lookup(step.op->getOperand(0));
  bool areKnown = true;
  for (NodeId loop : source.nodes)
    areKnown &= checkLoop(step, loop);
  if (!areKnown && source.count(step.payload).hi != 0)
    (void)tryStep(step);
  applyClauses(step);
}

void formwork::verifier::registerMapDynamicBlocksModels(ModelRegistry &models) {
  Model &model = models.add("map-dynamic-blocks", propagateDynamicBlocks,
                            decides{"fw-duplicate-mapping",
                                    "fw-missing-mapping", "fw-not-bufferized",
                                    "fw-wrong-kind", "fw-wrong-mapping"},
                            getUntriedReasons());
  model.isTriedFromHere = true;
}
