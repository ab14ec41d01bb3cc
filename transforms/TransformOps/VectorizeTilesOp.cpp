//===- VectorizeTilesOp.cpp - Computes boundary tiles with vectors --------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/tiles/CarryVectors.h"
#include "transforms/tiles/VectorizeTile.h"

using namespace mlir;
using namespace formwork::transforms;

DiagnosedSilenceableFailure
transform::VectorizeTilesOp::apply(TransformRewriter &rewriter,
                                   TransformResults &results,
                                   TransformState &state) {
  SmallVector<TargetNumbers> targets;
  DiagnosedSilenceableFailure read = readTargets(
      *this, state, getTarget(), getStaticSizes(), getSizes(), targets);
  if (!read.succeeded())
    return read;
  SmallVector<std::pair<linalg::LinalgOp, SmallVector<int64_t>>> jobs;
  for (auto &[target, sizes] : targets) {
    auto op = dyn_cast<linalg::LinalgOp>(target);
    if (op)
      sizes = tiles::getVectorSizes(op, sizes);
    std::optional<tiles::Refusal> refusal =
        op ? tiles::checkTile(op, sizes)
           : tiles::Refusal{"fw-no-vector-form",
                            "requires a structured operation but has '" +
                                target->getName().getStringRef().str() + "'"};
    if (refusal)
      return refuseTarget(*this, target,
                          Twine(refusal->message) + " [" + refusal->id + "]");
    jobs.emplace_back(op, std::move(sizes));
  }
  llvm::SetVector<Operation *> outside;
  llvm::DenseSet<Operation *> around;
  for (auto &[op, sizes] : jobs) {
    Operation *parent = op->getParentOp();
    for (; isa<scf::ForOp>(parent); parent = parent->getParentOp())
      around.insert(parent);
    outside.insert(parent);
  }
  auto replaced = [&](Operation *loop, Operation *by) {
    if (around.erase(loop))
      around.insert(by);
    (void)rewriter.notifyPayloadOperationReplaced(loop, by);
  };
  for (auto &[op, sizes] : jobs)
    tiles::vectorizeTile(rewriter, op, sizes, replaced);
  SmallVector<scf::ForOp> loops;
  for (Operation *parent : outside)
    parent->walk([&](scf::ForOp loop) {
      if (around.contains(loop))
        loops.push_back(loop);
    });
  for (scf::ForOp loop : loops)
    tiles::carryVectors(rewriter, loop, replaced);
  return DiagnosedSilenceableFailure::success();
}
