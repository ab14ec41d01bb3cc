//===- OnlineSoftmaxOp.cpp - Computes a softmax in pieces -----------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/softmax/OnlineSoftmax.h"

using namespace mlir;
using namespace formwork::transforms;

LogicalResult transform::OnlineSoftmaxOp::verify() {
  if (std::optional<std::string> problem =
          checkOneNumber("step", 1, getStaticStep()))
    return emitOpError(*problem + " [fw-no-online-softmax]");
  return success();
}

DiagnosedSilenceableFailure
transform::OnlineSoftmaxOp::apply(TransformRewriter &rewriter,
                                  TransformResults &results,
                                  TransformState &state) {
  SmallVector<TargetNumbers> targets;
  DiagnosedSilenceableFailure read = readTargets(
      *this, state, getTarget(), getStaticStep(), getStep(), targets);
  if (!read.succeeded())
    return read;
  SmallVector<std::pair<softmax::SoftmaxProduct, int64_t>> jobs;
  for (auto &[target, step] : targets) {
    if (std::optional<std::string> problem = checkOneNumber("step", 1, step))
      return emitDefiniteFailure() << *problem << " [fw-no-online-softmax]";
    auto match = softmax::matchSoftmaxProduct(target);
    if (const auto *problem = std::get_if<std::string>(&match))
      return refuseTarget(*this, target,
                          Twine(*problem) + " [fw-no-online-softmax]");
    jobs.emplace_back(std::get<softmax::SoftmaxProduct>(match), step.front());
  }
  SmallVector<Operation *> products, loops;
  for (const auto &[match, step] : jobs) {
    softmax::OnlineProduct made = softmax::computeOnline(rewriter, match, step);
    products.push_back(made.product);
    loops.push_back(made.loop);
  }
  results.set(cast<OpResult>(getProduct()), products);
  results.set(cast<OpResult>(getLoop()), loops);
  return DiagnosedSilenceableFailure::success();
}
