//===- StageOp.cpp - Staging through workgroup memory ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/TransformOps/FormworkTransformOps.h"

#include "transforms/TransformOps/Arguments.h"
#include "transforms/stage/Stage.h"
#include "transforms/stage/Swizzle.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace formwork::transforms;

LogicalResult transform::StageOp::verify() {
  if (getStaticOperandNumbers().empty())
    return emitOpError("requires operands to stage but has none "
                       "[fw-cannot-stage]");
  if (getStaticPadding().size() > 1)
    return emitOpError(
        "requires one padding but has several [fw-cannot-stage]");
  if (getStaticSwizzle().size() > 1)
    return emitOpError("requires one choice of a swizzle but has several "
                       "[fw-cannot-stage]");
  SmallVector<int64_t> sorted(getOrder());
  llvm::sort(sorted);
  for (auto [place, dim] : llvm::enumerate(sorted))
    if (dim != static_cast<int64_t>(place))
      return emitOpError(
          "requires an order in which each dimension stands once "
          "[fw-cannot-stage]");
  return success();
}

/// Returns why operand `number` of `target` cannot be staged; none if it can.
static std::optional<std::string>
checkStaged(Operation *target, int64_t number,
            const stage::BufferLayout &layout) {
  std::string name = target->getName().getStringRef().str();
  if (number < 0 || number >= target->getNumOperands())
    return "requires the number of an operand of '" + name + "' but has " +
           std::to_string(number);
  auto type = dyn_cast<VectorType>(target->getOperand(number).getType());
  if (!type || type.getRank() == 0 || type.isScalable())
    return "requires operand " + std::to_string(number) + " of '" + name +
           "' to be a vector of a fixed size but has another type";
  if (!layout.order.empty() &&
      static_cast<int64_t>(layout.order.size()) != type.getRank())
    return "requires an order of " + std::to_string(type.getRank()) +
           " dimensions but has one of " + std::to_string(layout.order.size());
  if (layout.padding < 0)
    return "requires a padding of at least 0 but has " +
           std::to_string(layout.padding);
  if (!target->getParentOfType<gpu::LaunchOp>())
    return "requires an operation inside of a 'gpu.launch' but '" + name +
           "' is outside of one";
  if (!layout.swizzled)
    return std::nullopt;
  SmallVector<int64_t> shape(type.getShape());
  if (!layout.order.empty())
    shape.back() = type.getDimSize(layout.order.back());
  if (layout.padding != 0 ||
      !stage::canSwizzle(MemRefType::get(shape, type.getElementType())))
    return "requires rows without padding, of a power of two of at least 32 "
           "bytes, "
           "to swizzle a buffer but has others";
  return std::nullopt;
}

DiagnosedSilenceableFailure
transform::StageOp::apply(TransformRewriter &rewriter,
                          TransformResults &results, TransformState &state) {
  SmallVector<Operation *> targets =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  Builder builder(getContext());
  SmallVector<OpFoldResult> numbers =
      getMixedValues(getStaticOperandNumbers(), getOperandNumbers(), builder);
  SmallVector<OpFoldResult> padding =
      getMixedValues(getStaticPadding(), getPadding(), builder);
  SmallVector<OpFoldResult> swizzle =
      getMixedValues(getStaticSwizzle(), getSwizzle(), builder);
  struct Job {
    Operation *target;
    int64_t number;
    stage::BufferLayout layout;
  };
  SmallVector<Job> jobs;
  for (auto [index, target] : llvm::enumerate(targets)) {
    SmallVector<int64_t> operands, paddings, swizzles;
    DiagnosedSilenceableFailure read =
        readNumbers(*this, state, numbers, index, targets.size(), operands);
    if (read.succeeded())
      read =
          readNumbers(*this, state, padding, index, targets.size(), paddings);
    if (read.succeeded())
      read =
          readNumbers(*this, state, swizzle, index, targets.size(), swizzles);
    if (!read.succeeded())
      return read;
    int64_t choice = swizzles.empty() ? 0 : swizzles.front();
    if (choice != 0 && choice != 1)
      return refuseTarget(*this, target,
                          "requires 0 or 1 for a swizzle but has " +
                              Twine(choice) + " [fw-cannot-stage]");
    for (int64_t number : operands) {
      stage::BufferLayout layout{SmallVector<int64_t>(getOrder()),
                                 paddings.empty() ? 0 : paddings.front(),
                                 choice == 1};
      if (std::optional<std::string> problem =
              checkStaged(target, number, layout))
        return refuseTarget(*this, target,
                            Twine(*problem) + " [fw-cannot-stage]");
      jobs.push_back({target, number, std::move(layout)});
    }
  }
  SmallVector<Operation *> writes, buffers;
  llvm::SmallDenseMap<Operation *, Operation *> firstReads;
  struct Shared {
    Value value;
    const stage::BufferLayout *layout;
    stage::Staged staged;
  };
  SmallVector<Shared> all;
  for (const Job &job : jobs) {
    OpOperand &operand = job.target->getOpOperand(job.number);
    // A vector that an earlier target has, too, is in a buffer already. Each
    // target reads the buffer itself.
    auto earlier = llvm::find_if(all, [&](const Shared &shared) {
      Operation *read = shared.staged.read;
      return shared.value == operand.get() && *shared.layout == job.layout &&
             read->getBlock() == job.target->getBlock() &&
             read->isBeforeInBlock(job.target);
    });
    stage::Staged staged;
    if (earlier != all.end()) {
      staged = earlier->staged;
      rewriter.setInsertionPoint(job.target);
      Operation *read = rewriter.clone(*staged.read);
      rewriter.modifyOpInPlace(job.target,
                               [&] { operand.set(read->getResult(0)); });
    } else {
      Value value = operand.get();
      Operation *&firstRead = firstReads[job.target];
      staged = stage::stageOperand(rewriter,
                                   job.target->getParentOfType<gpu::LaunchOp>(),
                                   operand, job.layout, firstRead);
      if (!firstRead)
        firstRead = staged.read;
      all.push_back({value, &job.layout, staged});
    }
    writes.push_back(staged.write);
    buffers.push_back(staged.buffer);
  }
  results.set(cast<OpResult>(getWrites()), writes);
  results.set(cast<OpResult>(getBuffers()), buffers);
  return DiagnosedSilenceableFailure::success();
}
