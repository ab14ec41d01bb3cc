//===- MapForallToBlocksOp.cpp - Maps loops to the blocks of a grid -------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/blocks/MapForall.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace formwork::transforms;

DiagnosedSilenceableFailure
transform::MapForallToBlocksOp::apply(TransformRewriter &rewriter,
                                      TransformResults &results,
                                      TransformState &state) {
  SmallVector<scf::ForallOp> loops;
  for (Operation *target : state.getPayloadOps(getTarget())) {
    auto loop = dyn_cast<scf::ForallOp>(target);
    std::optional<blocks::Refusal> refusal =
        loop
            ? blocks::checkMapping(loop)
            : blocks::Refusal{"fw-wrong-kind",
                              "requires an 'scf.forall' but has '" +
                                  target->getName().getStringRef().str() + "'"};
    if (refusal)
      return refuseTarget(*this, target,
                          Twine(refusal->message) + " [" + refusal->id + "]");
    loops.push_back(loop);
  }
  SmallVector<Operation *> launches;
  for (scf::ForallOp loop : loops)
    launches.push_back(blocks::mapForallToBlocks(rewriter, loop));
  results.set(cast<OpResult>(getResult()), launches);
  return DiagnosedSilenceableFailure::success();
}
