//===- KernelCost.cpp - Which of two kernels is the better one --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/KernelCost.h"

#include "transforms/gpu/AccessCost.h"
#include "transforms/gpu/LaneIndex.h"
#include "transforms/gpu/LaunchSizes.h"
#include "transforms/gpu/Reciprocal.h"
#include "transforms/gpu/SlowKernels.h"
#include "verifier/target/Target.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

/// The registers for an index, an address and a counter.
static constexpr int64_t fixedRegisters = 24;
static constexpr int64_t mostRegisters = 255;
static constexpr int64_t unknownTrips = 16;
/// A condition is evaluated in at most so many iterations of a loop.
static constexpr int64_t mostIterations = 64;
/// The cost of a barrier, and of a function that is no instruction.
static constexpr double barrierInstructions = 8, functionInstructions = 12;
/// The cost of a division by a constant: two operations of f64, and a
/// conversion to and from it.
static constexpr double reciprocalInstructions = 4;
/// The cost of `mma.sync`, which keeps the tensor cores busy for that long.
static constexpr double fragmentInstructions = 16;
/// Warps that hide each other's latency.
static constexpr double enoughWarps = 8;

double KernelCost::getTotal() const {
  double total = instructions / 4 + wavefronts + 2 * sectors;
  if (workingWarps > 0)
    total *= std::max(1.0, enoughWarps / workingWarps);
  if (registers > mostRegisters)
    total *= 1 + (registers - mostRegisters) / 64.0;
  return total;
}

std::string KernelCost::toString() const {
  std::string text =
      llvm::formatv("cost {0:e2}: {1:e2} instructions, {2:e2} sectors, {3:e2} "
                    "wavefronts, about {4} registers",
                    getTotal(), instructions, sectors, wavefronts, registers);
  if (occupancy.maxWarps != 0)
    text += llvm::formatv(", {0} of {1} warps", occupancy.warps,
                          occupancy.maxWarps);
  text += llvm::formatv(", {0} idle threads a block", idleThreads);
  std::string accesses;
  for (auto [bytes, number] : llvm::reverse(widths))
    accesses += (accesses.empty() ? ", global accesses of " : ", ") +
                std::to_string(bytes);
  return text + accesses + (accesses.empty() ? "" : " B");
}

/// The elements of a value, in registers of 32 bits.
static int64_t countRegisters(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = vector ? vector.getElementType() : type;
  return element.isIntOrFloat() ? llvm::divideCeil(getBytes(type), 4) : 0;
}

namespace {
/// Adds up what one launch does.
class KernelCounter {
public:
  KernelCounter(gpu::GPUFuncOp kernel, LaneIndex &lanes, double blocks,
                const verifier::Target &target, KernelCost &cost)
      : lanes(lanes), target(target), cost(cost) {
    for (int64_t lane = 0; lane != lanes.getNumLanes(); ++lane) {
      if (lane % verifier::Target::warpSize == 0)
        warps.emplace_back();
      warps.back().push_back(lane);
    }
    for (Block &block : kernel.getBody())
      visit(block, blocks);
    cost.registers = std::max(
        cost.registers, fixedRegisters + findPressure(kernel.getBody(), 0));
  }

private:
  void visit(Block &block, double times) {
    for (Operation &op : block)
      visit(&op, times);
  }

  void visit(Operation *op, double times) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      double inside = times * (trips ? double(trips->getSExtValue())
                                     : double(unknownTrips));
      cost.instructions += 2 * inside * warps.size();
      scf::ForOp outer = std::exchange(innermost, loop);
      visit(*loop.getBody(), inside);
      innermost = outer;
      return;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      cost.instructions += times * warps.size();
      for (Region *region :
           {&branch.getThenRegion(), &branch.getElseRegion()}) {
        bool isThen = region == &branch.getThenRegion();
        Warps inside = restrict(branch.getCondition(), isThen);
        double share = findShare(branch.getCondition(), isThen, inside);
        std::swap(warps, inside);
        for (Block &block : *region)
          visit(block, times * share);
        std::swap(warps, inside);
      }
      return;
    }
    if (op->getNumRegions() != 0) {
      for (Region &region : op->getRegions())
        for (Block &block : region)
          visit(block, times);
      return;
    }
    double instructions = countInstructions(op);
    for (const LaneAccess &access : getLaneAccesses(op)) {
      // A copy loads and stores with the same instructions.
      AccessCost counted = countAccess(access, lanes, warps);
      instructions = std::max<double>(instructions, counted.pieces);
      (access.isInWorkgroupMemory() ? cost.wavefronts : cost.sectors) +=
          times * counted.units;
      if (access.isInGlobalMemory())
        cost.widths[counted.width] += counted.pieces;
    }
    cost.instructions += times * warps.size() * instructions;
  }

  /// The lanes for which `condition` is, or may be, `value`.
  Warps restrict(Value condition, bool value) {
    Warps restricted;
    for (const SmallVector<int64_t> &warp : warps) {
      SmallVector<int64_t> inside;
      for (int64_t lane : warp)
        if (lanes.evaluate(condition, lane).value_or(value) == int64_t(value))
          inside.push_back(lane);
      if (!inside.empty())
        restricted.push_back(std::move(inside));
    }
    return restricted;
  }

  /// The share of the innermost loop's iterations in which `condition` is, or
  /// may be, `value` for the first of `lanes` for which it is in the first one:
  /// a loop that copies ahead has nothing left to copy in its last iterations.
  double findShare(Value condition, bool value, const Warps &active) {
    std::optional<APInt> trips =
        innermost ? innermost.getStaticTripCount() : std::nullopt;
    if (!trips || trips->ule(1) || active.empty())
      return 1;
    int64_t number = trips->getLimitedValue(mostIterations);
    int64_t times = 0;
    for (int64_t i = 0; i != number; ++i) {
      LaneIndex later =
          lanes.inIteration(innermost, i * (trips->getSExtValue() / number));
      times +=
          later.evaluate(condition, active.front().front()).value_or(value) ==
          int64_t(value);
    }
    return double(times) / number;
  }

  static double countArithmetic(AffineExpr expr) {
    double operations = 0;
    expr.walk(
        [&](AffineExpr part) { operations += isa<AffineBinaryOpExpr>(part); });
    return operations;
  }

  /// The instructions for an element of `division`.
  double countDivision(arith::DivFOp division) const {
    APFloat divisor(0.0f);
    bool isProduct =
        matchPattern(division.getRhs(), m_ConstantFloat(&divisor)) &&
        divisor.getExactLog2Abs() != INT_MIN;
    if (isProduct)
      return 1;
    return target.hasFastDoubles && getReciprocal(division)
               ? reciprocalInstructions
               : functionInstructions;
  }

  double countInstructions(Operation *op) const {
    if (isa<gpu::BarrierOp>(op))
      return barrierInstructions;
    if (isa<NVVM::MmaOp, nvgpu::MmaSyncOp>(op))
      return fragmentInstructions;
    if (isa<gpu::ShuffleOp>(op))
      return 1;
    if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
      return countArithmetic(apply.getAffineMap().getResult(0));
    if (op->getNumResults() != 1)
      return 0;
    Type type = op->getResult(0).getType();
    int64_t registers = type.isIndex() ? 1 : countRegisters(type);
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
      return isa<math::FmaOp>(op) ? registers
                                  : functionInstructions * registers;
    if (auto division = dyn_cast<arith::DivFOp>(op))
      return countDivision(division) * registers;
    if (isa<vector::FMAOp>(op) ||
        (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<arith::IndexCastOp, arith::IndexCastUIOp>(op)))
      return registers;
    if (auto reduce = dyn_cast<vector::ReductionOp>(op))
      return reduce.getSourceVectorType().getNumElements();
    return 0;
  }

  /// The most registers that values of `region` take at a time, when `outside`
  /// are taken all along.
  int64_t findPressure(Region &region, int64_t outside) {
    int64_t most = outside;
    for (Block &block : region) {
      // The last op of the block in which a value is used.
      llvm::DenseMap<Value, Operation *> lastUse;
      for (Operation &op : block)
        op.walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (operand.getParentBlock() == &block)
              lastUse[operand] = &op;
        });
      llvm::DenseMap<Operation *, int64_t> freed;
      int64_t now = outside;
      auto begin = [&](Value value) {
        auto it = lastUse.find(value);
        if (it == lastUse.end())
          return;
        int64_t size = countRegisters(value.getType());
        now += size;
        freed[it->second] += size;
      };
      for (BlockArgument argument : block.getArguments())
        begin(argument);
      for (Operation &op : block) {
        // An operand that is last used by an op with regions is no longer live
        // in them: a loop's initial values become its arguments.
        now -= freed.lookup(&op);
        for (Region &inner : op.getRegions())
          most = std::max(most, findPressure(inner, now));
        bool isConstant = op.hasTrait<OpTrait::ConstantLike>();
        for (Value result : op.getResults())
          if (!isConstant)
            begin(result);
        most = std::max(most, now);
      }
    }
    return most;
  }

  LaneIndex &lanes;
  const verifier::Target &target;
  /// The loop around what is visited; null outside of loops.
  scf::ForOp innermost;
  /// Those that execute what is visited.
  Warps warps;
  KernelCost &cost;
};
} // namespace

static int64_t countWorkgroupBytes(gpu::GPUFuncOp kernel,
                                   gpu::LaunchFuncOp launch) {
  int64_t bytes = 0;
  for (BlockArgument buffer : kernel.getWorkgroupAttributions()) {
    auto type = cast<MemRefType>(buffer.getType());
    if (type.hasStaticShape() && type.getElementType().isIntOrFloat())
      bytes += llvm::divideCeil(
          type.getNumElements() * type.getElementTypeBitWidth(), 8);
  }
  if (Value asked = launch.getDynamicSharedMemorySize())
    bytes += getConstantIntValue(asked).value_or(0);
  return bytes;
}

std::optional<KernelCost>
formwork::transforms::estimateCost(ModuleOp outlined,
                                   const verifier::Target &target) {
  std::optional<KernelCost> cost;
  bool isKnown = true;
  outlined.walk([&](gpu::LaunchFuncOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernelAttr());
    std::optional<std::array<int64_t, 3>> block =
        getStaticLaunchSizes(launch.getBlockSizeOperandValues());
    std::optional<std::array<int64_t, 3>> grid =
        getStaticLaunchSizes(launch.getGridSizeOperandValues());
    if (!kernel || !block || !grid) {
      isKnown = false;
      return;
    }
    int64_t threads = (*block)[0] * (*block)[1] * (*block)[2];
    double blocks = double((*grid)[0]) * (*grid)[1] * (*grid)[2];
    if (!cost)
      cost.emplace();
    LaneIndex lanes(*block);
    KernelCounter(kernel, lanes, blocks, target, *cost);
    int64_t registers = std::min(cost->registers, mostRegisters);
    Occupancy occupancy =
        computeOccupancy(target.getArchitecture(), threads, registers,
                         countWorkgroupBytes(kernel, launch));
    int64_t all = llvm::alignTo(threads, verifier::Target::warpSize);
    int64_t working = countWorkingThreads(kernel, *block).value_or(threads);
    cost->idleThreads = std::max(cost->idleThreads, all - working);
    double share =
        double(llvm::alignTo(working, verifier::Target::warpSize)) / all;
    if (cost->occupancy.maxWarps == 0 ||
        occupancy.warps * share < cost->workingWarps) {
      cost->occupancy = occupancy;
      cost->workingWarps = occupancy.warps * share;
    }
  });
  return isKnown ? cost : std::nullopt;
}
