//===- LateReads.cpp - Reads behind slow functions --------------*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where many values are read in front of a division or a function, and used
// behind it, they are read behind it. Such an operation has branches, over
// which ptxas moves no read: the values would have to wait in registers. Layer:
// transforms.
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/AccessCost.h"
#include "transforms/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace formwork::transforms {
#define GEN_PASS_DEF_GPULATEREADS
#include "transforms/gpu/Passes.h.inc"
} // namespace formwork::transforms

using namespace mlir;

/// So many registers may hold what was read and is not used yet.
static constexpr int64_t kMostWaiting = 64;

/// Whether `op` may become code that branches.
static bool isSlow(Operation *op) {
  if (isa<arith::DivFOp, arith::RemFOp>(op))
    return true;
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isa<math::FmaOp, math::AbsFOp, math::CopySignOp>(op);
}

static int64_t countRegisters(Operation *read) {
  return llvm::divideCeil(
      formwork::transforms::getBytes(read->getResult(0).getType()), 4);
}

namespace {
/// The reads of one block, of which some wait for a first use.
class WaitingReads {
public:
  void add(Operation *read) {
    waiting.insert(read);
    reads.push_back(read);
    registers += countRegisters(read);
  }

  /// Reads that wait while `slow` computes go behind it if they are many.
  void wait(Operation *slow) {
    if (registers > kMostWaiting)
      for (Operation *read : waiting)
        behind[read] = slow;
  }

  /// `op`, or an operation in it, uses what was read.
  void use(Operation *op) {
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *def = operand.getDefiningOp(); waiting.erase(def))
          registers -= countRegisters(def);
    });
  }

  /// No read goes behind what comes now.
  void end() {
    waiting.clear();
    registers = 0;
  }

  /// Moves the reads, which stay in their order.
  void move() {
    llvm::DenseMap<Operation *, Operation *> last;
    for (Operation *read : reads)
      if (Operation *slow = behind.lookup(read)) {
        Operation *&after = last.try_emplace(slow, slow).first->second;
        read->moveAfter(after);
        after = read;
      }
  }

private:
  SmallVector<Operation *> reads;
  llvm::SmallPtrSet<Operation *, 32> waiting;
  llvm::DenseMap<Operation *, Operation *> behind;
  int64_t registers = 0;
};

struct LateReads : formwork::transforms::impl::GpuLateReadsBase<LateReads> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::GPUFuncOp kernel) {
      kernel.walk([](Block *block) { delay(*block); });
    });
  }

private:
  static void delay(Block &block) {
    WaitingReads waiting;
    for (Operation &op : block) {
      waiting.use(&op);
      if (isa<memref::LoadOp, vector::LoadOp>(op))
        waiting.add(&op);
      else if (isSlow(&op))
        waiting.wait(&op);
      else if (!isReadOnly(&op))
        waiting.end();
    }
    waiting.end();
    waiting.move();
  }

  static bool isReadOnly(Operation *op) {
    std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
        getEffectsRecursively(op);
    return effects && llvm::all_of(*effects, [](const auto &effect) {
             return isa<MemoryEffects::Read>(effect.getEffect());
           });
  }
};
} // namespace
