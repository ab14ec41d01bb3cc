//===- ReuseMemory.cpp - Buffers with the same bytes ----------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/stage/ReuseMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace formwork::transforms::stage;

static constexpr int64_t kPlaceAlignment = 16;

/// Extends the use of `placed` by the accesses of `memory`, its buffer or a
/// view of it. Returns whether all of them are known.
static bool addUses(Block &body,
                    const llvm::DenseMap<Operation *, unsigned> &positions,
                    Value memory, PlacedBuffer &placed) {
  for (Operation *user : memory.getUsers()) {
    if (isa<memref::DeallocOp>(user))
      continue;
    if (isa<ViewLikeOpInterface>(user)) {
      for (Value view : user->getResults())
        if (!addUses(body, positions, view, placed))
          return false;
      continue;
    }
    // An operation that makes a buffer or an address of one may rename it.
    bool isAccess =
        isa<MemoryEffectOpInterface>(user) && user->getNumRegions() == 0 &&
        !user->hasTrait<OpTrait::IsTerminator>() &&
        !isa<memref::ExtractAlignedPointerAsIndexOp>(user) &&
        llvm::none_of(user->getResultTypes(), llvm::IsaPred<BaseMemRefType>);
    Operation *top = body.findAncestorOpInBlock(*user);
    if (!isAccess || !top)
      return false;
    placed.isCopiedTo |= isa<nvgpu::DeviceAsyncCopyOp>(user);
    unsigned position = positions.lookup(top);
    placed.first = std::min(placed.first, position);
    placed.last = std::max(placed.last, position);
  }
  return true;
}

SmallVector<PlacedBuffer>
formwork::transforms::stage::placeBuffers(gpu::LaunchOp launch,
                                          ArrayRef<memref::AllocOp> buffers,
                                          int64_t start, bool reuse) {
  Block &body = launch.getBody().front();
  llvm::DenseMap<Operation *, unsigned> positions;
  for (Operation &op : body)
    positions[&op] = positions.size();
  SmallVector<PlacedBuffer> placed;
  for (memref::AllocOp buffer : buffers) {
    MemRefType type = buffer.getType();
    PlacedBuffer &next = placed.emplace_back();
    next.buffer = buffer;
    next.bytes = llvm::divideCeil(
        type.getNumElements() * type.getElementTypeBitWidth(), 8);
    next.first = positions.size();
    if (!reuse || !launch.getBody().hasOneBlock() ||
        !addUses(body, positions, buffer, next)) {
      next.first = 0;
      next.last = positions.size();
    }
  }

  SmallVector<PlacedBuffer *> order;
  for (PlacedBuffer &buffer : placed)
    order.push_back(&buffer);
  if (reuse)
    llvm::stable_sort(order, [](const PlacedBuffer *a, const PlacedBuffer *b) {
      return a->bytes > b->bytes;
    });
  for (auto [number, buffer] : llvm::enumerate(order)) {
    buffer->offset = llvm::alignTo(start, kPlaceAlignment);
    auto isTaken = [&](const PlacedBuffer *other) {
      return other->isUsedWith(*buffer) && other->sharesBytesWith(*buffer);
    };
    ArrayRef<PlacedBuffer *> others = ArrayRef(order).take_front(number);
    for (auto it = llvm::find_if(others, isTaken); it != others.end();
         it = llvm::find_if(others, isTaken))
      buffer->offset =
          llvm::alignTo((*it)->offset + (*it)->bytes, kPlaceAlignment);
  }
  return placed;
}

void formwork::transforms::stage::orderReuse(RewriterBase &rewriter,
                                             gpu::LaunchOp launch,
                                             ArrayRef<PlacedBuffer> buffers) {
  Block &body = launch.getBody().front();
  SmallVector<Operation *> ops;
  SmallVector<unsigned> barriers;
  for (Operation &op : body) {
    if (isa<gpu::BarrierOp>(op))
      barriers.push_back(ops.size());
    ops.push_back(&op);
  }
  SmallVector<const PlacedBuffer *> order;
  for (const PlacedBuffer &buffer : buffers)
    if (buffer.isUsed())
      order.push_back(&buffer);
  llvm::stable_sort(order, [](const PlacedBuffer *a, const PlacedBuffer *b) {
    return a->first < b->first;
  });
  // The operations in front of which barriers were added, and whether all
  // copies have arrived there.
  SmallVector<std::pair<unsigned, bool>> added;
  for (const PlacedBuffer *buffer : order) {
    bool needsBarrier = false, needsWait = false;
    for (const PlacedBuffer &other : buffers) {
      if (!other.isUsed() || !other.sharesBytesWith(*buffer) ||
          other.last >= buffer->first)
        continue;
      bool isOrdered = llvm::any_of(added, [&](std::pair<unsigned, bool> at) {
        return at.first > other.last && at.first <= buffer->first &&
               (at.second || !other.isCopiedTo);
      });
      if (!other.isCopiedTo)
        isOrdered |= llvm::any_of(barriers, [&](unsigned at) {
          return at > other.last && at < buffer->first;
        });
      if (isOrdered)
        continue;
      needsBarrier = true;
      needsWait |= other.isCopiedTo;
    }
    if (!needsBarrier)
      continue;
    rewriter.setInsertionPoint(ops[buffer->first]);
    Location loc = ops[buffer->first]->getLoc();
    if (needsWait)
      NVVM::CpAsyncWaitGroupOp::create(rewriter, loc, 0);
    gpu::BarrierOp::create(rewriter, loc);
    added.push_back({buffer->first, needsWait});
  }
}
