//===- PipelineCopiesOp.cpp - Runs copies ahead of time -------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/pipeline/Pipeline.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::transforms;

LogicalResult transform::PipelineCopiesOp::verify() {
  if (std::optional<std::string> problem =
          checkOneNumber("depth", 2, getStaticDepth()))
    return emitOpError(*problem + " [fw-cannot-pipeline]");
  return success();
}

DiagnosedSilenceableFailure
transform::PipelineCopiesOp::apply(TransformRewriter &rewriter,
                                   TransformResults &results,
                                   TransformState &state) {
  SmallVector<TargetNumbers> targets;
  DiagnosedSilenceableFailure read = readTargets(
      *this, state, getTarget(), getStaticDepth(), getDepth(), targets);
  if (!read.succeeded())
    return read;
  struct Job {
    scf::ForOp loop;
    int64_t depth;
    pipeline::Stages stages;
  };
  std::vector<Job> jobs;
  for (auto &[target, depth] : targets) {
    if (std::optional<std::string> problem = checkOneNumber("depth", 2, depth))
      return emitDefiniteFailure() << *problem << " [fw-cannot-pipeline]";
    Job job{dyn_cast<scf::ForOp>(target), depth.front(), {}};
    std::optional<pipeline::Refusal> refusal;
    if (job.loop)
      refusal = pipeline::findStages(job.loop, job.stages);
    else
      refusal = pipeline::Refusal{
          target->getLoc(), "requires an 'scf.for' but has '" +
                                target->getName().getStringRef().str() + "'"};
    if (refusal)
      return refuseTarget(*this, target,
                          refusal->message + " [fw-cannot-pipeline]",
                          refusal->loc);
    jobs.push_back(std::move(job));
  }
  SmallVector<Operation *> loops;
  for (const Job &job : jobs)
    loops.push_back(
        pipeline::pipelineCopies(rewriter, job.loop, job.stages, job.depth));
  results.set(cast<OpResult>(getResult()), loops);
  return DiagnosedSilenceableFailure::success();
}
