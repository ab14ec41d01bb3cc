//===- Temporaries.cpp - Buffers that only pass a vector on ---------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/distribute/Temporaries.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace formwork::transforms::distribute;

/// Whether `transfer` accesses each element of its buffer, in order.
static bool isWhole(VectorTransferOpInterface transfer) {
  ArrayRef<int64_t> shape = transfer.getShapedType().getShape(),
                    ofVector = transfer.getVectorType().getShape();
  return transfer.getShapedType().hasStaticShape() && !transfer.getMask() &&
         !transfer.hasOutOfBoundsDim() &&
         !isa<vector::MaskOp>(transfer->getParentOp()) &&
         transfer.getPermutationMap().isMinorIdentity() &&
         shape.take_back(ofVector.size()) == ofVector &&
         llvm::all_of(shape.drop_back(ofVector.size()),
                      [](int64_t size) { return size == 1; }) &&
         llvm::all_of(transfer.getIndices(), isZeroInteger);
}

std::optional<Temporary>
formwork::transforms::distribute::matchTemporary(memref::AllocOp alloc) {
  if (gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(alloc.getType()))
    return std::nullopt;
  Temporary temporary;
  for (Operation *user : alloc->getUsers()) {
    if (auto copy = dyn_cast<memref::CopyOp>(user)) {
      if (copy.getTarget() == alloc ||
          !isa<MemRefType>(copy.getTarget().getType()))
        return std::nullopt;
      temporary.copies.push_back(copy);
      continue;
    }
    auto transfer = dyn_cast<VectorTransferOpInterface>(user);
    if (!transfer || !isWhole(transfer))
      return std::nullopt;
    if (auto read = dyn_cast<vector::TransferReadOp>(user))
      temporary.reads.push_back(read);
    else if (temporary.write)
      return std::nullopt;
    else
      temporary.write = cast<vector::TransferWriteOp>(user);
  }
  vector::TransferWriteOp write = temporary.write;
  if (!write || write->getBlock() != alloc->getBlock())
    return std::nullopt;
  for (Operation *user : alloc->getUsers()) {
    Operation *around = write->getBlock()->findAncestorOpInBlock(*user);
    if (user != write && !write->isBeforeInBlock(around))
      return std::nullopt;
  }
  for (vector::TransferReadOp read : temporary.reads)
    if (read.getVectorType() != write.getVectorType())
      return std::nullopt;
  return temporary;
}

void formwork::transforms::distribute::forwardTemporaries(
    RewriterBase &rewriter, gpu::LaunchOp launch) {
  SmallVector<memref::AllocOp> buffers;
  launch.getBody().walk(
      [&](memref::AllocOp alloc) { buffers.push_back(alloc); });
  for (memref::AllocOp alloc : buffers) {
    std::optional<Temporary> temporary = matchTemporary(alloc);
    if (!temporary)
      continue;
    Value vector = temporary->write.getVector();
    for (vector::TransferReadOp read : temporary->reads)
      rewriter.replaceOp(read, vector);
    for (memref::CopyOp copy : temporary->copies) {
      rewriter.setInsertionPoint(copy);
      Value zero = arith::ConstantIndexOp::create(rewriter, copy.getLoc(), 0);
      rewriter.replaceOpWithNewOp<vector::TransferWriteOp>(
          copy, vector, copy.getTarget(),
          SmallVector<Value>(alloc.getType().getRank(), zero),
          temporary->write.getPermutationMapAttr(),
          temporary->write.getInBoundsAttr());
    }
    rewriter.eraseOp(temporary->write);
    rewriter.eraseOp(alloc);
  }
}
