//===- DistributeVectorsOp.cpp - Shares vectors among threads -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/distribute/Distribute.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace formwork::transforms;

LogicalResult transform::DistributeVectorsOp::verify() {
  if (getStaticThreads().empty())
    return emitOpError("requires a number of threads but has none "
                       "[fw-bad-threads]");
  if (getStaticWidth().size() > 1)
    return emitOpError("requires one width but has several [fw-bad-threads]");
  if (std::optional<std::string> problem =
          checkNumbers(getStaticThreads(), getStaticWidth()))
    return emitOpError(*problem + " [fw-bad-threads]");
  return success();
}

DiagnosedSilenceableFailure
transform::DistributeVectorsOp::apply(TransformRewriter &rewriter,
                                      TransformResults &results,
                                      TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> threads =
      getMixedValues(getStaticThreads(), getThreads(), builder);
  SmallVector<OpFoldResult> width =
      getMixedValues(getStaticWidth(), getWidth(), builder);
  for (auto [index, target] : llvm::enumerate(targets)) {
    auto launch = dyn_cast<gpu::LaunchOp>(target);
    if (!launch)
      return refuseTarget(*this, target,
                          Twine("requires a 'gpu.launch' but has '") +
                              target->getName().getStringRef() +
                              "' [fw-wrong-kind]");
    distribute::Decision decision;
    decision.alignsRows = getAlignRows();
    decision.widensRows = getWideRows();
    SmallVector<int64_t> widths;
    DiagnosedSilenceableFailure read = readNumbers(
        *this, state, threads, index, targets.size(), decision.threads);
    if (read.succeeded())
      read = readNumbers(*this, state, width, index, targets.size(), widths);
    if (!read.succeeded())
      return read;
    if (std::optional<std::string> problem =
            checkNumbers(decision.threads, widths))
      return emitDefiniteFailure() << *problem << " [fw-bad-threads]";
    if (!widths.empty())
      decision.width = widths.front();
    std::optional<distribute::Refusal> refusal =
        distribute::distributeVectors(rewriter, launch, decision);
    if (!refusal)
      continue;
    DiagnosedSilenceableFailure failure = emitSilenceableError()
                                          << refusal->message << " ["
                                          << refusal->id << "]";
    failure.attachNote(refusal->loc) << "here";
    return failure;
  }
  results.set(cast<OpResult>(getResult()), targets);
  return DiagnosedSilenceableFailure::success();
}
