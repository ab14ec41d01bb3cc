//===- DropBarriers.cpp - Barriers that order nothing ---------------------===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Erases barriers of kernels at which no thread waits for another one's access.
// Layer: transforms.
//
//===----------------------------------------------------------------------===//

#include "engine/RootBuffer.h"
#include "transforms/gpu/Overlap.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPUDROPBARRIERS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;
using namespace formwork::transforms;
using formwork::engine::getRootBuffer;

namespace {
/// The accesses on one side of a barrier, up to the next one: more than those,
/// where a barrier in a branch is not counted.
class Side {
public:
  /// With `forward`, those behind `barrier`, else those in front of it, inside
  /// of `launch`.
  Side(gpu::BarrierOp barrier, gpu::LaunchOp launch, bool forward)
      : barrier(barrier), launch(launch), forward(forward) {
    Operation *at = barrier;
    while (!isAnything && !walkFrom(getNext(at), /*end=*/nullptr)) {
      Operation *parent = at->getParentOp();
      if (parent == launch)
        return;
      if (auto loop = dyn_cast<scf::ForOp>(parent)) {
        // The next step, or the one before.
        Block &body = *loop.getBody();
        (void)walkFrom(forward ? &body.front() : body.getTerminator(), at);
        if (at != barrier)
          at->walk([&](Operation *inner) { collect(inner); });
      } else if (!isa<scf::IfOp>(parent)) {
        isAnything = true;
      }
      at = parent;
    }
  }

  /// Whether an access of this side and one of `other` may be of one place, of
  /// which at least one writes.
  bool conflicts(const Side &other) const {
    bool isEmpty = accesses.empty() && !isAnything;
    bool isOtherEmpty = other.accesses.empty() && !other.isAnything;
    if (isEmpty || isOtherEmpty)
      return false;
    if (isAnything || other.isAnything)
      return true;
    for (auto [root, writes] : accesses)
      for (auto [otherRoot, otherWrites] : other.accesses)
        if ((writes || otherWrites) &&
            (root == otherRoot || !areApart(root, otherRoot)))
          return true;
    return false;
  }

private:
  Operation *getNext(Operation *op) const {
    return forward ? op->getNextNode() : op->getPrevNode();
  }

  /// Collects the accesses of `op` and of what is next to it, up to `end`; true
  /// if it comes to a barrier.
  bool walkFrom(Operation *op, Operation *end) {
    for (; op && op != end && !isAnything; op = getNext(op)) {
      if (isa<gpu::BarrierOp>(op))
        return true;
      // Accesses between two barriers inside a loop are not next to this side.
      // The loop may also have no iterations.
      if (auto loop = dyn_cast<scf::ForOp>(op))
        (void)walkFrom(forward ? &loop.getBody()->front()
                               : loop.getBody()->getTerminator(),
                       /*end=*/nullptr);
      else
        op->walk([&](Operation *inner) { collect(inner); });
    }
    return false;
  }

  void collect(Operation *op) {
    bool isAtomic = isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op);
    if (!isAtomic && (isMemoryEffectFree(op) || isa<gpu::BarrierOp>(op) ||
                      op->hasTrait<OpTrait::HasRecursiveMemoryEffects>()))
      return;
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    // Blocks can tell each other by an atomic operation what is written.
    if (!interface || isAtomic) {
      isAnything = true;
      return;
    }
    SmallVector<MemoryEffects::EffectInstance> effects;
    interface.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      if (isa<MemoryEffects::Allocate>(effect.getEffect()))
        continue;
      Value buffer = effect.getValue();
      if (!buffer || !isa<BaseMemRefType>(buffer.getType())) {
        isAnything = true;
        return;
      }
      Value root = getRootBuffer(buffer);
      // No other thread sees the memory of one thread.
      auto own = root.getDefiningOp<memref::AllocaOp>();
      if (own && launch->isProperAncestor(own) &&
          !gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(own.getType()))
        continue;
      accesses.push_back({root, !isa<MemoryEffects::Read>(effect.getEffect())});
    }
  }

  gpu::BarrierOp barrier;
  gpu::LaunchOp launch;
  bool forward;
  /// An operation of which nothing is known is on this side.
  bool isAnything = false;
  SmallVector<std::pair<Value, bool>> accesses;
};

struct DropBarriers
    : formwork::transforms::impl::GpuDropBarriersBase<DropBarriers> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) {
      SmallVector<gpu::BarrierOp> barriers;
      launch.getBody().walk(
          [&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
      // One at a time: what the next one orders depends on those that are left.
      for (gpu::BarrierOp barrier : barriers)
        if (!Side(barrier, launch, /*forward=*/false)
                 .conflicts(Side(barrier, launch, /*forward=*/true)))
          barrier.erase();
    });
  }
};
} // namespace
