//===- KernelCost.cpp - Which of two kernels is the better one --*- C++ -*-===//
//
// Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "transforms/gpu/KernelCost.h"

#include "transforms/gpu/LaneIndex.h"
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
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace formwork;
using namespace formwork::transforms;

static constexpr int64_t sectorBytes = 32;
static constexpr int64_t banks = 32, bankBytes = 4;
static constexpr int64_t widestAccess = 16;
/// The registers for an index, an address and a counter.
static constexpr int64_t fixedRegisters = 24;
static constexpr int64_t mostRegisters = 255;
static constexpr int64_t unknownTrips = 16;
/// Memory is counted for this number of warps of a block.
static constexpr size_t warpsLookedAt = 8;
/// The cost of a barrier, and of a function that is no instruction.
static constexpr double barrierInstructions = 8, functionInstructions = 12;
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
                    getTotal(), instructions, sectors, wavefronts, registers)
          .str();
  if (occupancy.maxWarps != 0)
    text +=
        llvm::formatv(", {0} of {1} warps", occupancy.warps, occupancy.maxWarps)
            .str();
  text += llvm::formatv(", {0} idle threads a block", idleThreads).str();
  std::string accesses;
  for (auto [bytes, number] : llvm::reverse(widths))
    accesses += (accesses.empty() ? ", global accesses of " : ", ") +
                std::to_string(bytes);
  return text + accesses + (accesses.empty() ? "" : " B");
}

/// The elements of a value, in registers of 32 bits.
static int64_t countRegisters(Type type) {
  int64_t elements = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    elements = vector.getNumElements();
    type = vector.getElementType();
  }
  if (!type.isIntOrFloat())
    return 0;
  return llvm::divideCeil(elements * type.getIntOrFloatBitWidth(), 32);
}

namespace {
/// An access of memory by one thread.
struct ThreadAccess {
  Value buffer;
  SmallVector<Value> indices;
  int64_t bytes;
};

/// The lanes that execute something, for each warp that has any.
using Warps = std::vector<SmallVector<int64_t>>;

/// Adds up what one launch does.
class KernelCounter {
public:
  KernelCounter(gpu::GPUFuncOp kernel, LaneIndex &lanes, double blocks,
                KernelCost &cost)
      : lanes(lanes), cost(cost) {
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
      return visit(*loop.getBody(), inside);
    }
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      cost.instructions += times * warps.size();
      for (Region *region :
           {&branch.getThenRegion(), &branch.getElseRegion()}) {
        bool isThen = region == &branch.getThenRegion();
        Warps inside = restrict(branch.getCondition(), isThen);
        std::swap(warps, inside);
        for (Block &block : *region)
          visit(block, times);
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
    if (std::optional<ThreadAccess> access = matchAccess(op))
      return count(*access, times);
    cost.instructions += times * warps.size() * countInstructions(op);
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

  static std::optional<ThreadAccess> matchAccess(Operation *op) {
    auto sizeOf = [](Type type) -> int64_t {
      int64_t elements = 1;
      if (auto vector = dyn_cast<VectorType>(type)) {
        elements = vector.getNumElements();
        type = vector.getElementType();
      }
      return type.isIntOrFloat()
                 ? llvm::divideCeil(elements * type.getIntOrFloatBitWidth(), 8)
                 : 8;
    };
    auto make = [&](auto access, Type type) {
      return ThreadAccess{access.getBase(),
                          llvm::to_vector(access.getIndices()), sizeOf(type)};
    };
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return ThreadAccess{load.getMemRef(), llvm::to_vector(load.getIndices()),
                          sizeOf(load.getType())};
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return ThreadAccess{store.getMemRef(),
                          llvm::to_vector(store.getIndices()),
                          sizeOf(store.getValue().getType())};
    if (auto load = dyn_cast<vector::LoadOp>(op))
      return make(load, load.getType());
    if (auto store = dyn_cast<vector::StoreOp>(op))
      return make(store, store.getValueToStore().getType());
    if (auto load = dyn_cast<vector::MaskedLoadOp>(op))
      return make(load, load.getType());
    if (auto store = dyn_cast<vector::MaskedStoreOp>(op))
      return make(store, store.getValueToStore().getType());
    if (auto transfer = dyn_cast<VectorTransferOpInterface>(op))
      return make(transfer, transfer.getVectorType());
    return std::nullopt;
  }

  void count(const ThreadAccess &access, double times) {
    auto type = dyn_cast<MemRefType>(access.buffer.getType());
    if (!type || warps.empty())
      return;
    // Some warps stand for all.
    size_t looked = std::min(warps.size(), warpsLookedAt);
    double share = times * warps.size() / looked;
    SmallVector<SmallVector<int64_t>> addresses;
    for (size_t warp = 0; warp != looked; ++warp) {
      std::optional<SmallVector<int64_t>> found =
          findAddresses(access, warps[warp]);
      if (!found)
        break;
      addresses.push_back(std::move(*found));
    }
    bool isKnown = addresses.size() == looked;
    int64_t width = isKnown ? findWidth(access, addresses)
                            : std::min(access.bytes, widestAccess);
    int64_t pieces = llvm::divideCeil(access.bytes, width);
    cost.instructions += times * warps.size() * pieces;
    auto space = dyn_cast_or_null<gpu::AddressSpaceAttr>(type.getMemorySpace());
    if (space && space.getValue() == gpu::AddressSpace::Private)
      return;
    bool isWorkgroup = gpu::GPUDialect::hasWorkgroupMemoryAddressSpace(type);
    if (!isWorkgroup)
      cost.widths[width] += pieces;
    double &sum = isWorkgroup ? cost.wavefronts : cost.sectors;
    for (size_t warp = 0; warp != looked; ++warp) {
      double numLanes = warps[warp].size();
      if (!isKnown) {
        // The least there can be.
        int64_t unit = isWorkgroup ? banks * bankBytes : sectorBytes;
        sum += share * std::max<double>(
                           pieces, std::ceil(access.bytes * numLanes / unit));
        continue;
      }
      for (int64_t first = 0; first < access.bytes; first += width) {
        SmallVector<int64_t> starts;
        for (int64_t address : addresses[warp])
          starts.push_back(address + first);
        int64_t bytes = std::min(width, access.bytes - first);
        sum += share * (isWorkgroup ? countWavefronts(starts, bytes)
                                    : countSectors(starts, bytes));
      }
    }
  }

  /// The first byte that each of `active` accesses, from the start of the
  /// buffer; none where that is not known.
  std::optional<SmallVector<int64_t>> findAddresses(const ThreadAccess &access,
                                                    ArrayRef<int64_t> active) {
    auto type = cast<MemRefType>(access.buffer.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) ||
        llvm::any_of(strides, ShapedType::isDynamic))
      return std::nullopt;
    int64_t size = getElementBytes(type);
    SmallVector<int64_t> addresses;
    for (int64_t lane : active) {
      int64_t address = 0;
      for (auto [index, stride] : llvm::zip_equal(access.indices, strides)) {
        std::optional<int64_t> value = lanes.evaluate(index, lane);
        if (!value)
          return std::nullopt;
        address += *value * stride * size;
      }
      addresses.push_back(address);
    }
    return addresses;
  }

  static int64_t getElementBytes(MemRefType type) {
    return llvm::divideCeil(type.getElementType().isIntOrFloat()
                                ? type.getElementTypeBitWidth()
                                : 64,
                            8);
  }

  /// The widest piece to which all accesses are aligned, if buffers are; in
  /// other blocks and iterations, outer indices may be anything.
  static int64_t findWidth(const ThreadAccess &access,
                           ArrayRef<SmallVector<int64_t>> addresses) {
    auto type = cast<MemRefType>(access.buffer.getType());
    int64_t size = getElementBytes(type), offset;
    uint64_t bits = widestAccess;
    for (ArrayRef<int64_t> warp : addresses)
      for (int64_t address : warp)
        bits |= address;
    SmallVector<int64_t> strides;
    if (succeeded(type.getStridesAndOffset(strides, offset)) &&
        !strides.empty())
      for (auto [index, stride] :
           llvm::drop_end(llvm::zip_equal(access.indices, strides)))
        if (!getConstantIntValue(index))
          bits |= uint64_t(stride) * size;
    int64_t aligned = int64_t(1) << llvm::countr_zero(bits);
    return std::max<int64_t>(std::min(aligned, access.bytes),
                             std::min(size, access.bytes));
  }

  static double countSectors(ArrayRef<int64_t> addresses, int64_t bytes) {
    llvm::SmallDenseSet<int64_t, 64> sectors;
    for (int64_t address : addresses)
      for (int64_t at = llvm::alignDown<uint64_t>(address, sectorBytes);
           at < address + bytes; at += sectorBytes)
        sectors.insert(at);
    return sectors.size();
  }

  /// Lanes of which the accesses fill 128 bytes go together: all, 16 or 8.
  static double countWavefronts(ArrayRef<int64_t> addresses, int64_t bytes) {
    size_t together = std::clamp<int64_t>(banks * bankBytes / bytes, 1,
                                          verifier::Target::warpSize);
    double wavefronts = 0;
    for (; !addresses.empty(); addresses = addresses.drop_front(
                                   std::min(together, addresses.size()))) {
      std::array<llvm::SmallSet<int64_t, 4>, banks> words;
      for (int64_t address : addresses.take_front(together))
        for (int64_t word = address / bankBytes;
             word * bankBytes < address + bytes; ++word)
          words[word % banks].insert(word);
      size_t most = 0;
      for (const auto &bank : words)
        most = std::max<size_t>(most, bank.size());
      wavefronts += most;
    }
    return wavefronts;
  }

  static double countArithmetic(AffineExpr expr) {
    double operations = 0;
    expr.walk(
        [&](AffineExpr part) { operations += isa<AffineBinaryOpExpr>(part); });
    return operations;
  }

  static double countInstructions(Operation *op) {
    if (isa<gpu::BarrierOp>(op))
      return barrierInstructions;
    if (isa<NVVM::MmaOp, nvgpu::MmaSyncOp>(op))
      return fragmentInstructions;
    if (isa<gpu::ShuffleOp, nvgpu::LdMatrixOp, nvgpu::DeviceAsyncCopyOp>(op))
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
    if (isa<arith::DivFOp>(op))
      return functionInstructions * registers;
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
  /// Those that execute what is visited.
  Warps warps;
  KernelCost &cost;
};
} // namespace

/// The product of three sizes, if all are constants.
static std::optional<std::array<int64_t, 3>>
getConstants(gpu::KernelDim3 dims) {
  std::array<int64_t, 3> sizes;
  for (auto [size, value] :
       llvm::zip(sizes, ArrayRef({dims.x, dims.y, dims.z}))) {
    std::optional<int64_t> constant = getConstantIntValue(value);
    if (!constant || *constant < 1)
      return std::nullopt;
    size = *constant;
  }
  return sizes;
}

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
        getConstants(launch.getBlockSizeOperandValues());
    std::optional<std::array<int64_t, 3>> grid =
        getConstants(launch.getGridSizeOperandValues());
    if (!kernel || !block || !grid) {
      isKnown = false;
      return;
    }
    int64_t threads = (*block)[0] * (*block)[1] * (*block)[2];
    double blocks = double((*grid)[0]) * (*grid)[1] * (*grid)[2];
    if (!cost)
      cost.emplace();
    LaneIndex lanes(*block);
    KernelCounter(kernel, lanes, blocks, *cost);
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
