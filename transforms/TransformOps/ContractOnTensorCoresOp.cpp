//===- ContractOnTensorCoresOp.cpp - Products on tensor cores -------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/distribute/Distribute.h"
#include "transforms/distribute/TensorCores.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace formwork::transforms;

/// Returns why `warps` are not valid numbers of warps along rows and columns;
/// none if they are.
static std::optional<std::string> checkWarps(ArrayRef<int64_t> warps) {
  if (warps.size() != 2)
    return "requires the warps along rows and along columns but has " +
           std::to_string(warps.size()) + " numbers";
  SmallVector<int64_t> threads(warps);
  threads.push_back(distribute::kWarpSize);
  return checkNumbers(threads, {});
}

LogicalResult transform::ContractOnTensorCoresOp::verify() {
  if (std::optional<std::string> problem = checkWarps(getStaticWarps()))
    return emitOpError(*problem + " [fw-bad-threads]");
  if (getRoundToTf32() && getTruncateToTf32())
    return emitOpError("requires operands that are rounded or truncated but "
                       "has both [fw-not-for-tensor-cores]");
  return success();
}

DiagnosedSilenceableFailure
transform::ContractOnTensorCoresOp::apply(TransformRewriter &rewriter,
                                          TransformResults &results,
                                          TransformState &state) {
  SmallVector<TargetNumbers> targets;
  DiagnosedSilenceableFailure read = readTargets(
      *this, state, getTarget(), getStaticWarps(), getWarps(), targets);
  if (!read.succeeded())
    return read;
  auto refuse = [&](const distribute::Refusal &refusal, Operation *target) {
    return refuseTarget(*this, target,
                        Twine(refusal.message) + " [" + refusal.id + "]",
                        refusal.loc);
  };
  SmallVector<distribute::TensorCoreDecision> decisions;
  for (auto &[target, warps] : targets) {
    if (std::optional<std::string> problem = checkWarps(warps))
      return emitDefiniteFailure() << *problem << " [fw-bad-threads]";
    auto contract = dyn_cast<vector::ContractionOp>(target);
    auto refuseAs = [&](std::string message) {
      return refuse({target->getLoc(), "fw-not-for-tensor-cores", message},
                    target);
    };
    if (!contract)
      return refuseAs("requires a 'vector.contract' but has '" +
                      target->getName().getStringRef().str() + "'");
    if (!contract->getParentOfType<gpu::LaunchOp>())
      return refuseAs("requires an operation inside of a 'gpu.launch' but has "
                      "one outside");
    distribute::TensorCoreDecision decision{
        warps[0], warps[1], getRoundToTf32(), getTruncateToTf32()};
    distribute::TensorCoreProduct product;
    if (std::optional<distribute::Refusal> refusal =
            distribute::describe(contract, decision, product))
      return refuse(*refusal, target);
    decisions.push_back(decision);
  }
  for (auto [entry, decision] : llvm::zip_equal(targets, decisions)) {
    auto contract = cast<vector::ContractionOp>(entry.target);
    rewriter.modifyOpInPlace(contract, [&, decision = decision] {
      distribute::setDecision(contract, decision);
    });
  }
  return DiagnosedSilenceableFailure::success();
}
