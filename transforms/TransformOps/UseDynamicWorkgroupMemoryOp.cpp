//===- UseDynamicWorkgroupMemoryOp.cpp - One buffer for a kernel ----------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/stage/DynamicMemory.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace formwork::transforms;

DiagnosedSilenceableFailure
transform::UseDynamicWorkgroupMemoryOp::apply(TransformRewriter &rewriter,
                                              TransformResults &results,
                                              TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  for (Operation *target : targets) {
    auto launch = dyn_cast<gpu::LaunchOp>(target);
    if (!launch)
      return refuseTarget(*this, target,
                          Twine("requires a 'gpu.launch' but has '") +
                              target->getName().getStringRef() +
                              "' [fw-wrong-kind]");
    if (std::optional<std::string> problem = stage::checkDynamicMemory(launch))
      return refuseTarget(*this, target, *problem + " [fw-kernel-allocation]");
  }
  for (Operation *target : targets)
    stage::makeMemoryDynamic(rewriter, cast<gpu::LaunchOp>(target), getReuse());
  return DiagnosedSilenceableFailure::success();
}
